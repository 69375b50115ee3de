"""Reading matches. Reads are free; nothing here changes anything."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from ladder.store.archive import Archive, Entry, Shelved
from ladder.store.client import PIPELINE, Link
from ladder.store.errors import ArchiveError, BadInputError, DamagedError, UnfitStoreError, UnknownError
from ladder.store.keys import Keys
from ladder.store.replies import Hash, decode_hash
from ladder.store.rows import MatchRow, MatchState, Page
from ladder.store.unread import CAUSES, OF_A_MATCH, Unread, UnreadRows, spelled
from lastcard.names import MATCH_FORM, bot_of
from lastcard.secret import Secret

BEAT_MS: Final = 3_000
"""How long a referee that does not beat counts as alive."""
SCAN: Final = 5_000
"""Rows that one page may look through for what it wants."""
MOST_DIGITS: Final = 18
"""Of each number of a page token: the server takes 63 bits."""
_RATE: Final = "rate:"
NO_MORE: Final = "it was declared void for that; nothing is left to be done but to play it again"


@dataclass(frozen=True, slots=True)
class Sifted:
    """Some matches, parted."""

    rows: list[MatchRow]
    damaged: list[str]
    """Those whose rows cannot be read; not those that were dropped."""


class MatchReads:
    """All matches of a tenant, to be read."""

    def __init__(self, link: Link, keys: Keys, archive: Archive | None = None) -> None:
        self._link = link
        self._keys = keys
        self._archive = archive
        self._unread_beats = Unread("beats_unreadable")
        self.unread = UnreadRows("match", OF_A_MATCH)

    def get(self, match: str) -> MatchRow:
        """The match.

        Raises:
            UnknownError: There is no such match.
            DamagedError: It cannot be read.
        """
        rows = self.rows([match])
        if not rows:
            raise unknown_match(match)
        return rows[0]

    def rows(self, matches: Collection[str]) -> list[MatchRow]:
        """Those of these matches that exist, for whoever sets the one aside that cannot be read.

        Raises:
            DamagedError: One of them cannot be read.
        """
        return [self._demanded(match, fields) for match, fields in self._found(matches)]

    def sift(self, matches: Collection[str]) -> Sifted:
        """Those of these matches that exist, and beside them those that cannot be read: they cost nobody else."""
        sifted = Sifted([], [])
        for match, fields in self._found(matches):
            try:
                sifted.rows.append(_row_of(match, fields))
            except CAUSES as error:
                if is_dropped(fields):
                    self.unread.mended(match)
                    continue
                self.unread.note(match, error)
                sifted.damaged.append(match)
            else:
                self.unread.mended(match)
        return sifted

    def readable(self, matches: Collection[str]) -> list[MatchRow]:
        """Those of these matches that exist and can be read."""
        return self.sift(matches).rows

    def states_of(self, matches: Collection[str]) -> dict[str, MatchState]:
        """The states of those of these matches that exist, as far as they can be read."""
        ids, states = list(matches), dict[str, MatchState]()
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            replies = self._link.read_each([["HGET", self._keys.match(match), "state"] for match in part])
            for match, state in zip(part, cast("list[bytes | None]", replies), strict=True):
                if isinstance(state, bytes) and state in _STATES:
                    states[match] = _STATES[state]
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
            rows = {row.id: row for row in self.readable(list(ids))}
            for match, number in ids.items():
                below, row = number, rows.get(match)
                if row is not None and _fits(row, tournament, bot, state):
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
        """Every entry of the log of a match that has not been dropped; none of one that may not be read from here."""
        entries = self._link.entries(self._keys.shown_log(match))
        if not entries:
            with suppress(UnfitStoreError):  # while it is played it is for referees
                entries = self._link.entries(self._keys.log(match))
        if not entries:  # it may have been shown between the two
            entries = self._link.entries(self._keys.shown_log(match))
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

    def seed(self, match: str) -> Secret | None:
        """The secret seed, once the match was claimed and may be read from here; raises as `log`."""
        seed = self._link.raw(self._keys.shown_seed(match))
        if seed is None:
            with suppress(UnfitStoreError):  # while it is played it is for referees
                seed = self._link.raw(self._keys.seed(match))
        if seed is None:  # it may have been shown between the two
            seed = self._link.raw(self._keys.shown_seed(match))
        if seed is None and (shelved := self._shelved(match)):
            return shelved.seed if len(shelved.seed) else None
        return None if seed is None else Secret(seed)

    def open_ids(self) -> set[str]:
        """Matches that are not over."""
        return self._link.members(self._keys.open)

    def states(self) -> dict[MatchState, int]:
        """Number of matches by state; every state is named. 0: there are none, or the number is none."""
        counts = self._link.texts(self._keys.states)
        return {state: whole(counts.get(state.value, "0")) or 0 for state in MatchState}

    def waiting(self) -> dict[str, int]:
        """The queue: from when (ms) a match may be claimed."""
        return self._link.scores(self._keys.ready)

    def waiting_for_worker(self) -> dict[str, int]:
        """Closed matches that wait for a worker: since when (ms)."""
        due = self._link.scores(self._keys.due)
        return {entry.removeprefix(_RATE): since for entry, since in due.items() if entry.startswith(_RATE)}

    def orphans(self, now_ms: int, besides: Collection[str] = (), *, passing: bool = False) -> list[str]:
        """Matches that no referee knows of: ready or running, without a living host and not in the queue.

        One that was claimed less than a beat ago is left to its host; a claim in the future was made by a wrong clock.
        Those `besides` are not looked at. `passing`: over those that cannot be read.

        Raises:
            DamagedError: One of those that are looked at cannot be read.
        """
        read = self.readable if passing else self.rows
        rows = read(sorted(self.open_ids() - set(self.waiting()) - set(besides)))
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

    def _found(self, matches: Collection[str]) -> Iterator[tuple[str, Hash]]:
        """Yields those of these matches that exist, and what stands there."""
        ids = list(matches)
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            for match, fields in zip(part, self._link.each_hash(list(map(self._keys.match, part))), strict=True):
                if fields:
                    yield match, fields
                else:
                    self.unread.mended(match)

    def _demanded(self, match: str, fields: Hash) -> MatchRow:
        if not is_dropped(fields):
            return self.unread.one(match, partial(_row_of, match, fields))
        try:
            return _row_of(match, fields)
        except CAUSES as error:
            raise DamagedError("match", match, error, NO_MORE) from error

    def _numbered(self, tournament: str, bot: str, below: int | None, count: int) -> dict[str, int]:
        """So many matches and their numbers; what is no text keeps its place, spelled out."""
        key = self._keys.index
        if tournament:
            key = self._keys.index_of_tournament(tournament)
        elif bot:
            key = self._keys.index_of_bot(bot)
        top = "+inf" if below is None else f"({below}"
        words = (key, top, "-inf", "BYSCORE", "REV", "LIMIT", 0, count, "WITHSCORES")
        return numbered(cast("list[tuple[bytes, float]]", self._link.read("ZRANGE", *words)))


def numbered(pairs: Collection[tuple[bytes, float]]) -> dict[str, int]:
    """Members with their scores; what is no text keeps its place, spelled out."""
    return {spelled(member): int(score) for member, score in pairs}


def whole(text: str) -> int | None:
    """The number that stands there; None: none does."""
    try:
        return int(text)
    except ValueError:
        return None


def is_dropped(fields: Hash) -> bool:
    """Whether a match could not be read, and an operator ended it all the same."""
    return isinstance(fields, Mapping) and b"dropped" in fields


def _row_of(match: str, fields: Hash) -> MatchRow:
    return row_of(match, decode_hash(fields))


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
    sentence = f"there is no match {match!r}; {MATCH_FORM}"
    return UnknownError(sentence, reason="UNKNOWN_MATCH", field="match", value=match)


def _said(beat: bytes) -> dict[str, object] | None:
    """What a referee says of itself; None: nothing that can be read."""
    try:
        content = json.loads(beat)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


_STATES: Final = {state.value.encode(): state for state in MatchState}


def _just(claimed_ms: int, now_ms: int) -> bool:
    return 0 <= now_ms - claimed_ms < BEAT_MS


def _number_of(token: str) -> int | None:
    if not token:
        return None
    if not (token.isascii() and token.isdigit() and len(token) <= MOST_DIGITS):
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
