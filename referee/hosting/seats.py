"""A seat of a hosted round: who sits there, what it is asked, since when."""

from typing import TYPE_CHECKING, Final

from referee.clock import SeatClock

if TYPE_CHECKING:
    from referee.hosting.hosted import Hosted
    from referee.hosting.sessions import Session
    from referee.table import Table

NOT_ASKED: Final = -1
FREE_RETURNS: Final = 3
"""So often in a round a bot may lose its line over a question, and have the whole time again."""


class Seat:
    """One seat of one game while it is hosted here.

    Attributes:
        hosted: its match.
        table: its table.
        number: seat number.
        entrant: index of the entrant sitting there.
        session: the stream it is told through, or None while its bot is away.
        instance: bot process that it belongs to ("" = none yet).
        handle: round handle in that session.
        clock: its clock in the round.
        act: decision id it is asked now, or NOT_ASKED.
        carried: seconds that this question has taken already, where it is put anew; its clock goes on from there.
        released: whether the log holds all that the question depends on, so that it may be sent.
        returns: how often in this round it was put anew because its bot had lost its line.
        seen: events already sent to the session.
        introduced: whether the session knows the round.
        started: loop time at which the question was handed to the transport, 0.0 = not yet.
        suspect: a first look found it late; the next look decides.
        last_act, last_answer: newest answer applied, to tell a repeat from a stale one.
        faults: faults of this seat in the round.
        orphaned: loop time at which the session was lost.
    """

    __slots__ = (
        "act",
        "carried",
        "clock",
        "entrant",
        "faults",
        "handle",
        "hosted",
        "instance",
        "introduced",
        "last_act",
        "last_answer",
        "number",
        "orphaned",
        "released",
        "returns",
        "seen",
        "session",
        "started",
        "suspect",
        "table",
    )

    def __init__(self, hosted: "Hosted", table: "Table", number: int, entrant: int) -> None:
        self.hosted = hosted
        self.table = table
        self.number = number
        self.clock: SeatClock = hosted.play.clocks[table.index][number]
        self.entrant = entrant
        self.session: Session | None = None
        self.instance = ""
        self.handle = -1
        self.orphaned = 0.0
        self.new_round()

    def wind(self) -> None:
        """Take the clock of the round in play."""
        self.clock = self.hosted.play.clocks[self.table.index][self.number]

    def new_round(self) -> None:
        """Forget everything that belongs to the round before."""
        self.act = NOT_ASKED
        self.released = False
        self.seen = 0
        self.introduced = False
        self.started = self.carried = 0.0
        self.returns = 0
        self.suspect = False
        self.last_act = NOT_ASKED
        self.last_answer: tuple[object, ...] = ()
        self.faults = 0

    def put_anew(self, now: float) -> None:
        """Have its question wait for another stream; who dials again and again gains no time by that."""
        if self.started:  # it was open, and its bot's line is gone: where that was our doing, nothing runs
            self.returns += 1
            self.carried = now - self.started if self.returns > FREE_RETURNS else 0.0
        self.started = 0.0
        self.suspect = False

    @property
    def round_id(self) -> str:
        """`<match>/<meeting>/<game>/<round>`."""
        meeting, game = divmod(self.table.index, len(self.hosted.play.spec.entrants))
        return f"{self.hosted.play.spec.id}/{meeting}/{game}/{self.table.game.round_index}"

    def elapsed_ms(self, now: float) -> int:
        """Milliseconds since the question was handed to the transport."""
        return max(0, int((now - self.started) * 1000)) if self.started else 0
