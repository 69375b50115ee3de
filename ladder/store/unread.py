"""What stands in the store and cannot be read: passed over where many are read, and said once."""

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final, TypeVar

from ladder.store.errors import DamagedError
from ladder.store.logs import logger
from ladder.store.masking import told

CAUSES: Final = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What reading something raises that is not what was ever written there."""

MOST_NAMED: Final = 100
"""Members of sets that are named, at most: what writes more of them will do so again."""
OF_A_MATCH: Final = "mend what stands in the ledger, or end the match with `lastcard tournament void {}`"
"""What helps where a match cannot be read."""
OF_A_TOURNAMENT: Final = "mend what stands in the ledger, or end the tournament with `lastcard tournament cancel {}`"
"""What helps where a tournament cannot be read."""
MOST_ROWS: Final = 10_000
"""Entries of one kind that are named and counted, at most."""
Row = TypeVar("Row")

log = logger("ladder.store.unread")


class Unread:
    """Says under which names something cannot be read, each once until it can be again."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._named: frozenset[str] = frozenset()

    def name(self, damaged: Iterable[str]) -> None:
        """These cannot be read now, and no others."""
        before, self._named = self._named, frozenset(damaged)
        if new := self._named - before:
            log.error(self._event, damaged=sorted(new))


class UnreadRows:
    """Entries of one kind that cannot be read: passed over where many are read, an error where one is asked for.

    Each is named once in the log, until it can be read again; may be used by several threads.
    """

    def __init__(
        self, kind: str, advice: str = "mend what stands in the ledger", *, also: tuple[type[Exception], ...] = ()
    ) -> None:
        """`also`: what reading one raises, beside `CAUSES`."""
        self.kind = kind
        self.causes: tuple[type[Exception], ...] = (*CAUSES, *also)
        self._advice = advice
        self._named: set[str] = set()
        self._lock = Lock()

    @property
    def names(self) -> frozenset[str]:
        """Those that could not be read when they were last looked at."""
        with self._lock:
            return frozenset(self._named)

    def passing(self, found: Iterable[tuple[str, Callable[[], Row]]]) -> list[Row]:
        """What these read, in their order, without those that cannot be read."""
        rows: list[Row] = []
        for name, read in found:
            try:
                rows.append(read())
            except self.causes as error:
                self.note(name, error)
            else:
                self.mended(name)
        return rows

    def one(self, name: str, read: Callable[[], Row]) -> Row:
        """What this one reads.

        Raises:
            DamagedError: It cannot be read.
        """
        try:
            row = read()
        except self.causes as error:
            self.note(name, error)
            raise self.error(name, error) from error
        self.mended(name)
        return row

    def error(self, name: str, cause: BaseException) -> DamagedError:
        """The error for one that cannot be read."""
        if isinstance(cause, DamagedError):
            return cause
        return DamagedError(self.kind, name, cause, self._advice.format(name))

    def note(self, name: str, error: Exception) -> None:
        """This one cannot be read."""
        with self._lock:
            if name in self._named or len(self._named) >= MOST_ROWS:
                return
            self._named.add(name)
        log.error("entry_unreadable", kind=self.kind, damaged=name, error=told(error))

    def mended(self, name: str) -> None:
        """This one can be read, or is there no more."""
        if name in self._named:
            with self._lock:
                self._named.discard(name)


class UnreadMembers:
    """Passes over members of sets that are no text, and says which they are, each once."""

    def __init__(self) -> None:
        self._named: set[tuple[str, bytes]] = set()

    def readable(self, key: str, members: Iterable[bytes]) -> list[str]:
        """The members that are text, in their order."""
        found: list[str] = []
        for member in members:
            try:
                found.append(member.decode())
            except UnicodeDecodeError:
                self._name(key, member)
        return found

    def _name(self, key: str, member: bytes) -> None:
        if (key, member) not in self._named and len(self._named) < MOST_NAMED:
            self._named.add((key, member))
            log.error("member_unreadable", key=key, damaged=spelled(member))


def spelled(member: bytes) -> str:
    """A member of a set as text, whatever it is: what is none is spelled out, and names nothing that exists."""
    return member.decode(errors="backslashreplace")
