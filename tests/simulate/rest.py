"""What must be back to nothing when all is over."""

from collections.abc import Iterable

from referee.app import Referee
from tests.simulate.database import Database
from tests.simulate.invariant import Complain, Invariant
from tests.simulate.slot import Slot


def at_rest(slots: Iterable[Slot], db: Database, complain: Complain) -> None:
    """All matches are over and the bots are still connected: nothing of a match may be left."""
    for slot in slots:
        process, referee = slot.process, slot.referee
        if process is None or referee is None or process.frozen:
            continue
        left = {what: count for what, count in _kept(referee).items() if count}
        if left:
            complain(Invariant.REST, f"{process.name} keeps {left} after the end")
    owned = [key for key in db.names() if b":owned:" in key]
    if owned:
        complain(Invariant.REST, f"the store keeps {owned} after the end")


def _kept(referee: Referee) -> dict[str, int]:
    players = referee.roster.players.values()
    sessions = referee.roster.sessions
    return {
        "matches": len(referee.host.matches),
        "unwritten entries": int(not referee.log.idle),
        "scripts": len(referee.log._calls),
        "seats": sum(len(player.seats) for player in players),
        "handles": sum(len(session.handles) for session in sessions),
        "open decisions": sum(len(session.open) for session in sessions),
        "waiting decisions": sum(len(session.waiting) for session in sessions),
        "clocks": sum(len(session.stamps) for session in sessions),
    }


def parted(slots: Iterable[Slot], tasks_when_idle: int, complain: Complain) -> None:
    """The bots are gone: no session, stream or task of theirs may be left."""
    for slot in slots:
        process, referee, front = slot.process, slot.referee, slot.front
        if process is None or referee is None or front is None or front.half_open:
            continue
        tasks = [task.get_name() for task in process.living()]
        sessions = len(referee.roster.sessions)
        if sessions or front.streams or len(tasks) > tasks_when_idle:
            complain(
                Invariant.REST,
                f"{process.name} keeps {sessions} sessions, {front.streams} streams and the tasks {tasks} "
                "after the bots have left",
            )
