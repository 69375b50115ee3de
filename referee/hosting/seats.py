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

    It keeps the account of its bot's time: where a line goes by the bot's doing, `part`, `put_anew`, `wait_anew` and
    `move` are told, in whatever order and of whichever referee; where it is ours, `forgive` is.

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
        given_back: seconds of it, since it was handed over, that were ours and are off its clock.
        released: whether the log holds all that the question depends on, so that it may be sent.
        returns: how often in this round it was put anew because its bot had lost its line.
        seen: events already sent to the session.
        introduced: whether the session knows the round.
        started: loop time at which the question was handed to the transport, 0.0 = not yet.
        suspect: a first look found it late; the next look decides.
        last_act, last_answer: newest answer applied, to tell a repeat from a stale one.
        repeated: stream, handle and decision id of an answer that is acknowledged when the log has it; None: none is.
        faults: faults of this seat in the round.
        handed: decision id that it had been handed when its line was lost, or NOT_ASKED.
        orphaned: loop time at which the session was lost.
        sent: loop time at which the question was sent to its home; its clock runs there.
    """

    __slots__ = (
        "act",
        "carried",
        "clock",
        "entrant",
        "faults",
        "given_back",
        "handed",
        "handle",
        "hosted",
        "instance",
        "introduced",
        "last_act",
        "last_answer",
        "number",
        "orphaned",
        "released",
        "repeated",
        "returns",
        "seen",
        "sent",
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
        self.repeated: tuple[Session, int, int] | None = None
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
        self.sent = 0.0
        self.forgive()
        self.returns = 0
        self.suspect = False
        self.last_act = NOT_ASKED
        self.last_answer: tuple[object, ...] = ()
        self.faults = 0

    def forgive(self) -> None:
        """Have nothing run, and the whole time be left: what has become of its line is our doing."""
        self.started = self.carried = self.given_back = 0.0
        self.handed = NOT_ASKED

    def part(self, now: float) -> None:
        """Its line is gone: the clock runs on, also of a question that only lines before this one had been handed."""
        self.session = None
        self.handle = -1
        self.orphaned = now
        if not self.started and self.handed == self.act >= 0:
            self.started = now - self.carried

    def put_anew(self, now: float) -> None:
        """Have its question wait for another stream; who dials again and again gains no time by that."""
        if self.started:  # it was open, and its bot's line is gone: where that was our doing, nothing runs
            self.returns += 1
            self.carried = max(0.0, now - self.started) if self.returns > FREE_RETURNS else 0.0
            self.handed = self.act
        if not self.carried:
            self.given_back = 0.0
        self.started = 0.0
        self.suspect = False

    def wait_anew(self, now: float) -> None:
        """The process is gone, too, that it waited for: its time begins anew as if that one had taken it over."""
        self.put_anew(now)
        self.started = now - self.carried

    def move(self, now: float) -> None:
        """Its bot has a newer line at another referee. As often as a return is free, nothing runs until it is found.

        Else its clock runs on, and it has returned when it is found.
        """
        if self.returns < FREE_RETURNS:
            self.put_anew(now)

    def give_back(self, seconds: float) -> None:
        """Take a time off the account that turns out to have been ours."""
        ours = min(self.carried, max(0.0, seconds))
        self.carried -= ours
        self.given_back += ours
        if self.started:
            self.started += ours

    def halt(self) -> None:
        """Have nothing run from when its line went: its bot is out of our reach."""
        self.put_anew(max(self.started, self.orphaned))

    @property
    def round_id(self) -> str:
        """`<match>/<meeting>/<game>/<round>`."""
        meeting, game = divmod(self.table.index, len(self.hosted.play.spec.entrants))
        return f"{self.hosted.play.spec.id}/{meeting}/{game}/{self.table.game.round_index}"

    def elapsed_ms(self, now: float) -> int:
        """Milliseconds since the question was handed to the transport."""
        return max(0, int((now - self.started) * 1000)) if self.started else 0
