"""What stands in the store and cannot be read: passed over, and said once."""

from collections.abc import Iterable

import structlog

log = structlog.get_logger("ladder.store.unread")


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
