"""How many processes one version, and one token, may have connected at once at this referee."""

from collections import defaultdict
from typing import Final

from referee.door.errors import RefusedStreamError
from referee.hosting.roster import Roster
from referee.hosting.sessions import INSTANCES_PER_VERSION, Session

PROCESSES_PER_TOKEN: Final = 2 * INSTANCES_PER_VERSION
"""Of two versions of a bot, one after the other, all that each may have."""


class Crowd:
    """Those who are connected, by the token that they came with."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._of: defaultdict[str, set[Session]] = defaultdict(set)

    def enter(self, session: Session) -> None:
        """Count a session; another stream of a process that is here takes the place of that one.

        Raises:
            RefusedStreamError: RESOURCE_EXHAUSTED TOO_MANY_INSTANCES or TOO_MANY_PROCESSES.
        """
        mine = session.greeting.instance
        same = {one.greeting.instance for one in self._roster.local_sessions(session.bot)} - {mine}
        if len(same) >= INSTANCES_PER_VERSION:
            sentence = f"{session.bot} has {len(same)} processes connected; at most {INSTANCES_PER_VERSION}"
            raise RefusedStreamError("RESOURCE_EXHAUSTED", "TOO_MANY_INSTANCES", sentence)
        every = {(one.bot, one.greeting.instance) for one in self._of[session.keyid] if one.ending is None}
        every.discard((session.bot, mine))
        if len(every) >= PROCESSES_PER_TOKEN:
            sentence = (
                f"{len(every)} processes are connected with this token; at most {PROCESSES_PER_TOKEN}, of all versions "
                f"together: end those of an older version"
            )
            raise RefusedStreamError("RESOURCE_EXHAUSTED", "TOO_MANY_PROCESSES", sentence)
        self._of[session.keyid].add(session)

    def leave(self, session: Session) -> None:
        """Forget a session that has gone."""
        left = self._of[session.keyid]
        left.discard(session)
        if not left:
            del self._of[session.keyid]
