"""What workers compute of settled matches, once each, and keep beside their results."""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Generic, Protocol, TypeVar

from ladder.store.call import Call
from ladder.store.client import PIPELINE, Link
from ladder.store.keys import Keys
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows

NEVER = b""
"""In place of a value: nobody will know it."""


class Kept(Protocol):
    """A value that stands in the store as a text."""

    def text(self) -> str:
        """As it is kept: the same for the same content."""
        ...


Value = TypeVar("Value", bound=Kept)


class Computed(Generic[Value]):
    """One kind of it, of all matches of a tenant, and the matches that wait for it."""

    def __init__(
        self, link: Link, keys: Keys, *, kind: str, due: str, key: Callable[[str], str], put: str,
        read: Callable[[str], Value],
    ) -> None:  # fmt: skip
        """Say what it is.

        Args:
            link: to the store.
            keys: of the tenant.
            kind: what people call it.
            due: where matches wait, since when.
            key: of the value of a match.
            put: the script that keeps one.
            read: makes a value of a text.
        """
        self._link = link
        self._keys = keys
        self._due = due
        self._key = key
        self._script = script(put)
        self._of_text = read
        self.unread = UnreadRows(kind)

    def waiting(self, limit: int = 100) -> list[tuple[str, int]]:
        """Matches of which it is not known yet, the longest waiting first, and the games of each."""
        return self.counted(self._link.ranked("ZRANGE", self._due, 0, limit - 1))

    def line(self, limit: int) -> dict[str, int]:
        """Matches of which it is not known yet, the longest waiting first, and since when (ms) each."""
        return self._link.scores(self._due, limit - 1)

    def counted(self, matches: Iterable[str]) -> list[tuple[str, int]]:
        """These matches with the games of each."""
        matches = list(matches)
        counts = self._link.read_each([["HGET", self._keys.match(match), "games_done"] for match in matches])
        return [(match, _games_of(count)) for match, count in zip(matches, counts, strict=True)]

    def pending(self) -> set[str]:
        """All matches of which it is not known yet."""
        return set(self._link.ranked("ZRANGE", self._due, 0, -1))

    def to_come(self, matches: Collection[str]) -> set[str]:
        """Those of these matches of which it is not known yet."""
        ids, found = list(matches), set[str]()
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            scores = self._link.read_each([["ZSCORE", self._due, match] for match in part])
            found.update(match for match, score in zip(part, scores, strict=True) if isinstance(score, float))
        return found

    def put(self, match: str, tournament: str, value: Value) -> bool:
        """Keep it; the first time counts. False: the match does not count (any more)."""
        return self._link.run(self._call(match, tournament, value.text())) != b"STATE"

    def give_up(self, match: str, tournament: str) -> None:
        """The match waits no longer; its results stay as they are."""
        self._link.run(self._call(match, tournament, NEVER.decode()))

    def find(self, matches: Collection[str]) -> dict[str, Value]:
        """Of those of these matches of which it is known, and can be read."""
        ids, found = list(matches), dict[str, Value]()
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            replies = self._link.read_each([["GET", self._key(match)] for match in part])
            texts = ((match, text) for match, text in zip(part, replies, strict=True) if text not in {None, NEVER})
            found |= self.unread.passing((match, partial(self._read, match, text)) for match, text in texts)
        return found

    def _read(self, match: str, reply: object) -> tuple[str, Value]:
        """A match, and what its text says."""
        if not isinstance(reply, bytes):
            raise ValueError(f"{reply!r:.100} is no text")  # noqa: TRY004  (it is a value of the store)
        return match, self._of_text(reply.decode())

    def _call(self, match: str, tournament: str, text: str) -> Call:
        of_match = (self._key(match), self._due, self._keys.match(match))
        return Call(self._script, (*of_match, self._keys.tournament(tournament)), (match, text))


def _games_of(reply: object) -> int:
    """The games of a match; of one whose number is none: 0."""
    return int(reply) if isinstance(reply, bytes) and reply.isdigit() else 0
