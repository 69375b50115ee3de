"""Of all streams of one process the newest one counts, also where nobody can tell yet which of them that is."""

from collections.abc import Callable
from typing import Final

from referee import wire
from referee.hosting.roster import Roster
from referee.hosting.sessions import REPLACED, Session

AGAIN_S: Final = 1.0


class Contest:
    """Decides which stream of a process has its seats.

    When a stream began that has dialled this referee is known. Of one at another referee it is known only between two
    bounds, because what is said of it may have been on its way for long: as long as they leave both possible, the
    stream that has the seats keeps them, and the other one waits until its home, or the end of the first one, decides.
    Homes are asked again as long as their answers take longer than the streams are apart.

    Args:
        take: gives a stream the seats of its process.
    """

    def __init__(self, clock: Callable[[], float], roster: Roster, take: Callable[[Session], None]) -> None:
        self._clock = clock
        self._roster = roster
        self._take = take
        self._waiting: dict[tuple[str, str], list[Session]] = {}
        self._looked = clock()

    def join(self, session: Session) -> None:
        """Take a stream in, turn it away, or have it wait."""
        old = self._holder(session)
        if old is None:
            self._take(session)
            return
        self._waiting.setdefault(_process(session), []).append(session)
        self.decide(session, asking=True)

    def decide(self, session: Session, *, asking: bool = False) -> None:
        """Let those streams of a process go that began, as is known by now, before the one that has its seats.

        Args:
            session: any of them.
            asking: whether their homes are asked where nobody can tell.
        """
        waiting = self._waiting.get(_process(session), [])
        for one in list(waiting):
            holder = self._holder(one)
            if holder is None or one.newer(holder):
                waiting.remove(one)
                if holder is not None:
                    _replace(holder)
                self._take(one)
            elif holder.newer(one):
                waiting.remove(one)
                _replace(one)
            elif asking:
                one.ask_since(self._clock())
                holder.ask_since(self._clock())
        if not waiting:
            self._waiting.pop(_process(session), None)

    def look(self) -> None:
        """Ask anew, at most once a second, about those that still wait."""
        if self._waiting and self._clock() - self._looked >= AGAIN_S:
            self._looked = self._clock()
            for waiting in list(self._waiting.values()):
                self.decide(waiting[0], asking=True)

    def parted(self, session: Session) -> None:
        """Give the seats of a stream that has gone to the newest of those that wait, if there is one."""
        waiting = self._waiting.get(_process(session), [])
        if session in waiting:
            waiting.remove(session)
        if waiting and self._holder(session) is None:
            newest = max(waiting, key=lambda one: one.since)
            waiting.remove(newest)
            self._take(newest)
        self.decide(session)

    def _holder(self, session: Session) -> Session | None:
        return self._roster.player(session.bot, self._clock()).sessions.get(session.greeting.instance)


def _process(session: Session) -> tuple[str, str]:
    return session.bot, session.greeting.instance


def _replace(old: Session) -> None:
    """Tell a session that a newer one of its instance has taken over."""
    old.tell(wire.replaced())
    for seat in list(old.handles.values()):
        old.dismiss(seat)
    old.end(REPLACED)
