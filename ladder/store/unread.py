"""What stands in the store and cannot be read: passed over, and said once."""

from collections.abc import Iterable
from typing import Final

from ladder.store.logs import logger

MOST_NAMED: Final = 100
"""Members of sets that are named, at most: what writes more of them will do so again."""

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
