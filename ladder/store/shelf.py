"""The way of a settled match into the archive: written there, marked as archived, and only then dropped here."""

from collections.abc import Iterable
from enum import StrEnum
from functools import partial
from typing import cast

from ladder.store.archive import Archive, Shelved
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.errors import ArchiveError, UnknownError
from ladder.store.head import entry_id
from ladder.store.keys import Keys
from ladder.store.match_reads import MatchReads
from ladder.store.matches import DEALS_AFTER_S
from ladder.store.rows import MatchRow
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows
from lastcard.secret import Secret


class Trimmed(StrEnum):
    """What came of dropping a log."""

    OK = "OK"
    DUP = "DUP"
    """It was dropped before."""
    WAIT = "WAIT"
    """Somebody will still read it."""
    STATE = "STATE"
    """It is not archived, or does not wait for that."""
    HEAD = "HEAD"
    """What is archived is not what is here: an alarm."""


class Shelf:
    """Moves logs of a tenant into an archive."""

    def __init__(self, link: Link, keys: Keys, matches: MatchReads, archive: Archive | None) -> None:
        self._link = link
        self._keys = keys
        self._matches = matches
        self._archive = archive
        self.unread = UnreadRows("log", also=(UnknownError,))

    def put_away(self, row: MatchRow, now_ms: int) -> bool:
        """Lets what was written of a void match go the way of settled ones, from now on; it is due no longer.

        A referee shows its log and its seed, as those of a match that was played; the match stays void. Where nothing
        was written, or it was dropped before, nothing is left to do.

        Returns:
            Whether it is seen to, now or before; False: it is not void, or other tables still have its deals.
        """
        keys, match = self._keys, row.id
        where = (keys.match(match), keys.head(match), keys.due, keys.unarchived, keys.reveals, keys.shown_log(match))
        call = Call(script("put_away"), (*where, keys.deal(row.group or match)), (match, now_ms, DEALS_AFTER_S))
        return self._link.run(call) not in {b"STATE", b"SEALED"}

    def void_before(self, limit: int, now_ms: int) -> int:
        """Looks once at each match that is over, so many at a time; returns how many void ones are due now.

        A release that put none away has left some, and beside this one a referee of it makes more.
        """
        keys = self._keys
        call = Call(script("void_before"), (keys.index, keys.states, keys.due), (keys.match(""), limit, now_ms))
        return cast("int", self._link.run(call))

    def put_off(self, match: str, until_ms: int) -> None:
        """Lets a match that cannot be archived now stand behind all others, as if it had ended then."""
        self._link.run(Call(script("put_off"), (self._keys.unarchived,), (match, until_ms)))

    def waiting(self, until_ms: int, limit: int) -> list[str]:
        """Settled matches that ended, or were put away, until then and whose logs are here, the oldest first."""
        return self._link.ranked("ZRANGE", self._keys.unarchived, "-inf", until_ms, "BYSCORE", "LIMIT", 0, limit)

    def count(self) -> int:
        """Settled matches whose logs are still here."""
        return int(cast("int", self._link.read("ZCARD", self._keys.unarchived)))

    def write(self, rows: Iterable[MatchRow]) -> int:
        """Writes what is settled, shown and readable to the archive, as one object; returns how many matches it holds.

        Raises:
            ArchiveError: It could not be written, or there is none.
        """
        settled = [row for row in rows if row.settled and row.shown]
        matches = self.unread.passing((row.id, partial(self._shelved, row)) for row in settled)
        if not matches:
            return 0
        name = self._place().put(self._stem(matches), matches)
        calls = [self._archived(match, name) for match in matches]
        return sum(reply == b"OK" for reply in self._link.run_all(calls))

    def trim(self, row: MatchRow) -> Trimmed:
        """Drops the log of an archived match, once it was read back from the archive and found the same.

        Raises:
            ArchiveError: It is not there, or not whole.
        """
        kept = self._place().get(row.archive, row.id)
        here = self._matches.log_here(row.id)
        if here and tuple(here) != kept.log:
            return Trimmed.HEAD
        keys = self._keys
        where = (keys.match(row.id), keys.head(row.id), keys.states, keys.shown_log(row.id), keys.shown_seed(row.id))
        reply = self._link.run(Call(script("trim"), (*where, keys.unarchived, keys.luck_due), (row.id,)))
        return Trimmed(cast("bytes", reply).decode())

    def _shelved(self, row: MatchRow) -> Shelved:
        """Everything of a match that is over, so that nothing of it changes any more.

        Raises:
            ValueError: Its head is not that of the last entry of its log.
        """
        fields = self._link.hash(self._keys.match(row.id))
        log, head = tuple(self._matches.log_here(row.id)), self._matches.head(row.id)
        last = f"{log[-1][0]}-{log[-1][1]}" if log else "none"
        if entry_id(head) != last:
            raise ValueError(f"its head is {head!r:.100}, and the last entry of its log is {last}")
        return Shelved(row.id, fields, head, self._matches.seed(row.id) or Secret(b""), log)

    def _stem(self, matches: list[Shelved]) -> str:
        """The beginning of a name: tenant, and the numbers of the first and the last match."""
        numbers = sorted(int(match.fields["number"]) for match in matches)
        return f"{self._keys.tenant}/{numbers[0]:012}-{numbers[-1]:012}"

    def _archived(self, match: Shelved, name: str) -> Call:
        keys = (self._keys.match(match.id), self._keys.head(match.id), self._keys.states, self._keys.unarchived)
        return Call(script("archived"), keys, (match.head, name, match.id))

    def _place(self) -> Archive:
        if self._archive is None:
            raise ArchiveError("this process has no archive", reason="BAD_ARCHIVE", field="LASTCARD_ARCHIVE")
        return self._archive
