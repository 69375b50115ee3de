"""How many processes one version, and one token, may have connected at once, at all referees that reach each other."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from referee.door.errors import RefusedStreamError
from referee.hosting.roster import Roster
from referee.hosting.sessions import INSTANCES_PER_VERSION, Ending, Session
from referee.trunk.abroad import Abroad

Process: TypeAlias = tuple[str, str]

PROCESSES_PER_TOKEN: Final = 2 * INSTANCES_PER_VERSION
"""Of two versions of a bot, one after the other, all that each may have."""
MOMENT_S: Final = 1.0
"""Who came in so shortly ago may have been let in before another referee could say that it lets in somebody, too."""


class Crowd:
    """Those who are connected, by the token that they came with; `abroad`: those at other referees."""

    def __init__(self, roster: Roster, abroad: Abroad) -> None:
        self._roster = roster
        self._abroad = abroad
        self._of: defaultdict[str, set[Session]] = defaultdict(set)

    def enter(self, session: Session) -> None:
        """Count a session; another stream of a process that is here takes the place of that one.

        Raises:
            RefusedStreamError: RESOURCE_EXHAUSTED TOO_MANY_INSTANCES or TOO_MANY_PROCESSES.
        """
        mine = {_process(session)}
        same = self._of_version(session.bot).keys() - mine
        if len(same) >= INSTANCES_PER_VERSION:
            raise _refused(_too_many_instances(session.bot, len(same)))
        every = self._with_token(session.keyid).keys() - mine
        if len(every) >= PROCESSES_PER_TOKEN:
            raise _refused(_too_many_processes(len(every)))
        self._of[session.keyid].add(session)

    def leave(self, session: Session) -> None:
        """Forget a session that has gone."""
        left = self._of[session.keyid]
        left.discard(session)
        if not left:
            del self._of[session.keyid]

    def came_elsewhere(self, bot: str, keyid: str, now: float) -> None:
        """Let those go that came in here at the same moment as others elsewhere, where all together are too many.

        Both referees see the same of them, and in the order of their names as many stay as there is room for.
        """
        same = self._of_version(bot)
        if len(same) > INSTANCES_PER_VERSION:
            sessions = self._roster.local_sessions(bot)
            _end_last(sessions, same, INSTANCES_PER_VERSION, now, _too_many_instances(bot, len(same)))
        every = self._with_token(keyid)
        if len(every) > PROCESSES_PER_TOKEN:
            sessions = list(self._of.get(keyid, ()))
            _end_last(sessions, every, PROCESSES_PER_TOKEN, now, _too_many_processes(len(every)))

    def _of_version(self, bot: str) -> dict[Process, float]:
        return self._abroad.of(bot) | _since(self._roster.local_sessions(bot))

    def _with_token(self, keyid: str) -> dict[Process, float]:
        return self._abroad.of(keyid) | _since(self._of.get(keyid, ()))


def _process(session: Session) -> Process:
    return session.bot, session.greeting.instance


def _since(sessions: Iterable[Session]) -> dict[Process, float]:
    return {_process(one): one.since for one in sessions if one.ending is None}


def _end_last(sessions: Iterable[Session], since: Mapping[Process, float], most: int, now: float, why: Ending) -> None:
    """End those of these sessions that have just come in and are not among the first so many processes."""
    old = {one for one in since if now - since[one] >= MOMENT_S}
    last = set(sorted(since, key=lambda one: (one not in old, one))[most:]) - old
    for session in sessions:
        if session.ending is None and _process(session) in last:
            session.end(why)


def _refused(ending: Ending) -> RefusedStreamError:
    return RefusedStreamError(ending.status, ending.reason, ending.sentence)


def _too_many_instances(bot: str, count: int) -> Ending:
    sentence = f"{bot} has {count} processes connected; at most {INSTANCES_PER_VERSION}"
    return Ending("RESOURCE_EXHAUSTED", "TOO_MANY_INSTANCES", sentence)


def _too_many_processes(count: int) -> Ending:
    sentence = (
        f"{count} processes are connected with this token; at most {PROCESSES_PER_TOKEN}, of all versions together: "
        f"end those of an older version"
    )
    return Ending("RESOURCE_EXHAUSTED", "TOO_MANY_PROCESSES", sentence)
