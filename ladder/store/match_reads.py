"""Reading matches. Reads are free; nothing here changes anything."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Final, cast

from ladder.store.archive import Archive, Entry, Shelved
from ladder.store.client import PIPELINE, Link
from ladder.store.errors import ArchiveError, BadInputError, UnknownError
from ladder.store.keys import Keys
from ladder.store.rows import MatchRow, MatchState, Page, bot_of
from ladder.store.unread import Unread

BEAT_MS: Final = 3_000
"""How long a referee that does not beat counts as alive."""
SCAN: Final = 5_000
"""Rows that one page may look through for what it wants."""
_RATE: Final = "rate:"


class MatchReads:
    """All matches of a tenant, to be read."""

    def __init__(self, link: Link, keys: Keys, archive: Archive | None = None) -> None:
        self._link = link
        self._keys = keys
        self._archive = archive
        self._unread_beats = Unread("beats_unreadable")

    def get(self, match: str) -> MatchRow:
        """The match.

        Raises:
            UnknownError: There is no such match.
        """
        fields = self._link.hash(self._keys.match(match))
        if not fields:
            raise unknown_match(match)
        return row_of(match, fields)

    def rows(self, matches: Collection[str]) -> list[MatchRow]:
        """Those of these matches that exist."""
        ids = list(matches)
        rows: list[MatchRow] = []
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            hashes = self._link.hashes([self._keys.match(match) for match in part])
            rows += [row_of(match, fields) for match, fields in zip(part, hashes, strict=True) if fields]
        return rows

    def states_of(self, matches: Collection[str]) -> dict[str, MatchState]:
        """The states of those of these matches that exist."""
        ids, states = list(matches), dict[str, MatchState]()
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            replies = self._link.read_all([["HGET", self._keys.match(match), "state"] for match in part])
            found = zip(part, cast("list[bytes | None]", replies), strict=True)
            states |= {match: MatchState(state.decode()) for match, state in found if state is not None}
        return states

    def ids_of(self, tournament: str) -> list[str]:
        """All matches of a tournament, oldest first."""
        return self._link.ranked("ZRANGE", self._keys.index_of_tournament(tournament), 0, -1)

    def page(
        self, *, tournament: str = "", bot: str = "", state: MatchState | None = None, limit: int = 100, token: str = ""
    ) -> Page:
        """Matches, newest first.

        Args:
            tournament: Only of this tournament.
            bot: Only of this bot, by name.
            state: Only in this state. A page may then be short though there are more.
            limit: At most so many.
            token: `next` of the page before.

        Raises:
            BadInputError: The token is none.
        """
        below = _number_of(token)
        found: list[MatchRow] = []
        for _ in range(0, SCAN, PIPELINE):
            ids = self._numbered(tournament, bot, below, PIPELINE if state or bot else limit)
            for row in self.rows(ids):
                below = row.number
                if _fits(row, tournament, bot, state):
                    found.append(row)
                if len(found) == limit:
                    return Page(tuple(found), str(below))
            if len(ids) < (PIPELINE if state or bot else limit):
                return Page(tuple(found), "")
        return Page(tuple(found), str(below))

    def every(self, tournament: str) -> Iterator[MatchRow]:
        """All matches of a tournament, newest first, read page by page."""
        token = ""
        while True:
            page = self.page(tournament=tournament, limit=PIPELINE, token=token)
            yield from page.rows
            token = page.next
            if not token:
                return

    def log(self, match: str) -> list[Entry]:
        """Every entry of the log of a match: epoch, seq, bytes; from the archive where it was dropped here.

        Raises:
            ArchiveError: It is in the archive, which does not give it.
        """
        if here := self.log_here(match):
            return here
        shelved = self._shelved(match)
        return list(shelved.log) if shelved else []

    def log_here(self, match: str) -> list[Entry]:
        """Every entry of the log of a match that has not been dropped."""
        entries = self._link.entries(self._keys.log(match))
        return [(*_epoch_and_seq(entry), fields["d"]) for entry, fields in entries]

    def head(self, match: str) -> str:
        """The head of a match.

        Raises:
            UnknownError: There is no such match.
        """
        head = self._link.text(self._keys.head(match))
        if head is None:
            raise unknown_match(match)
        return head

    def seed(self, match: str) -> bytes | None:
        """The secret seed, once the match was claimed; raises as `log`."""
        seed = self._link.raw(self._keys.seed(match))
        if seed is None and (shelved := self._shelved(match)):
            return shelved.seed or None
        return seed

    def open_ids(self) -> set[str]:
        """Matches that are not over."""
        return self._link.members(self._keys.open)

    def states(self) -> dict[MatchState, int]:
        """Number of matches by state; every state is named."""
        counts = self._link.hash(self._keys.states)
        return {state: int(counts.get(state.value, "0")) for state in MatchState}

    def waiting(self) -> dict[str, int]:
        """The queue: from when (ms) a match may be claimed."""
        return self._link.scores(self._keys.ready)

    def waiting_for_worker(self) -> dict[str, int]:
        """Closed matches that wait for a worker: since when (ms)."""
        due = self._link.scores(self._keys.due)
        return {entry.removeprefix(_RATE): since for entry, since in due.items() if entry.startswith(_RATE)}

    def orphans(self, now_ms: int, besides: Collection[str] = ()) -> list[str]:
        """Matches that no referee knows of: ready or running, without a living host and not in the queue.

        One that was claimed less than a beat ago is left to its host; a claim in the future was made by a wrong clock.
        Those `besides` are not looked at.
        """
        rows = self.rows(sorted(self.open_ids() - set(self.waiting()) - set(besides)))
        alive = self._beats().keys()
        return [
            row.id
            for row in rows
            if row.state is MatchState.READY
            or (row.state is MatchState.RUNNING and row.owner not in alive and not _just(row.claimed_ms, now_ms))
        ]

    def ready_ids(self, now_ms: int, limit: int = 100) -> list[str]:
        """Matches that may be claimed now, the longest waiting first."""
        return self._link.part("ZRANGE", self._keys.ready, "-inf", now_ms, "BYSCORE", "LIMIT", 0, limit)

    def due(self, now_ms: int, limit: int = 100) -> list[str]:
        """Closed matches that wait for a worker, the longest waiting first."""
        waiting = self._link.ranked("ZRANGE", self._keys.due, "-inf", now_ms, "BYSCORE", "LIMIT", 0, limit)
        return [entry.removeprefix(_RATE) for entry in waiting if entry.startswith(_RATE)]

    def referees(self) -> dict[str, dict[str, object]]:
        """Referees that are alive, with what they say of themselves, less those of which that cannot be read."""
        beats = self._beats()
        said = {me: content for me, beat in beats.items() if (content := _said(beat)) is not None}
        self._unread_beats.name(beats.keys() - said.keys())
        return said

    def _beats(self) -> dict[str, bytes]:
        """The beats of the referees that are alive, as they stand."""
        known = sorted(self._link.members(self._keys.referees))
        beats = cast("list[bytes | None]", self._link.read_all([["GET", self._keys.beat(me)] for me in known]))
        return {me: beat for me, beat in zip(known, beats, strict=True) if beat is not None}

    def shelved(self, match: str) -> Shelved | None:
        """What the archive has of a match; None: it is not archived yet.

        Raises:
            ArchiveError: The archive does not give it.
        """
        reply = self._link.read("HMGET", self._keys.match(match), "archive")
        (name,) = cast("tuple[bytes | None]", reply)
        return self._from_archive(match, name.decode()) if name else None

    def _shelved(self, match: str) -> Shelved | None:
        """What the archive has of a match whose log was dropped; None: its log was not."""
        reply = self._link.read("HMGET", self._keys.match(match), "state", "archive")
        state, name = cast("tuple[bytes | None, bytes | None]", reply)
        if not name or state == MatchState.ARCHIVED.value.encode():
            return None
        return self._from_archive(match, name.decode())

    def _from_archive(self, match: str, name: str) -> Shelved:
        if self._archive is None:
            raise ArchiveError(
                f"the log of match {match} is in the archive; say where that is with LASTCARD_ARCHIVE",
                reason="BAD_ARCHIVE",
                field="LASTCARD_ARCHIVE",
            )
        return self._archive.get(name, match)

    def _tournament_keys(self, tournament: str) -> tuple[str, str]:
        return self._keys.tournament(tournament), self._keys.tournament_open(tournament)

    def _numbered(self, tournament: str, bot: str, below: int | None, count: int) -> list[str]:
        key = self._keys.index
        if tournament:
            key = self._keys.index_of_tournament(tournament)
        elif bot:
            key = self._keys.index_of_bot(bot)
        top = "+inf" if below is None else f"({below}"
        return self._link.part("ZRANGE", key, top, "-inf", "BYSCORE", "REV", "LIMIT", 0, count)


def row_of(match: str, fields: Mapping[str, str]) -> MatchRow:
    """The row that stands under the key of a match.

    Raises:
        ValueError: It is that of another one, or what `MatchRow.of` raises.
    """
    row = MatchRow.of(fields)
    if row.id != match:
        raise ValueError(f"the row of match {match} says that it is {row.id!r:.100}")
    return row


def unknown_match(match: str) -> UnknownError:
    """The error for a match that does not exist."""
    return UnknownError(f"there is no match {match!r}", reason="UNKNOWN_MATCH", field="match", value=match)


def _said(beat: bytes) -> dict[str, object] | None:
    """What a referee says of itself; None: nothing that can be read."""
    try:
        content = json.loads(beat)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _just(claimed_ms: int, now_ms: int) -> bool:
    return 0 <= now_ms - claimed_ms < BEAT_MS


def _number_of(token: str) -> int | None:
    if not token:
        return None
    if not token.isascii() or not token.isdigit():
        raise BadInputError(f"{token!r} is not a page token", reason="BAD_PAGE_TOKEN", field="page_token", value=token)
    return int(token)


def _fits(row: MatchRow, tournament: str, bot: str, state: MatchState | None) -> bool:
    return (
        (state is None or row.state is state)
        and (not tournament or row.tournament == tournament)
        and (not bot or bot in map(bot_of, row.entrants))
    )


def _epoch_and_seq(entry: str) -> tuple[int, int]:
    epoch, _, seq = entry.partition("-")
    return int(epoch), int(seq)
