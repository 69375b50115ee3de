"""A match hosted here: its state, its place in the log, and what may leave once the log has it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, Protocol

from referee.hosting.seats import Seat
from referee.hosting.sessions import Session
from referee.hosting.show import Show
from referee.match import MatchPlay


class Stay(NamedTuple):
    """A bot in a match, for which its home keeps room."""

    match: str
    bot: str
    format_name: str


class Home(Protocol):
    """Another referee, where bots of a match are at home."""

    def keep(self, stay: Stay, rounds: int) -> None:
        """Have it keep so many rounds of a bot for a match from now on; 0: none."""

    async def reserve(self, stay: Stay, rounds: int, *, must: bool = False) -> int:
        """Ask it for rounds of a bot for a match; returns how many it grants. `must`: they are in play already."""


@dataclass(slots=True, eq=False)
class Mail:
    """Bytes for a session that leave when the log has what they tell; `handle` is free for reuse then."""

    session: Session
    turn: bytes = field(repr=False)  # it has the hand of a seat
    handle: int


Effect = Seat | Mail | Callable[[], None]


class Phase(Enum):
    """Where a hosted match is."""

    NONCES = auto()
    PLAYING = auto()
    CLOSING = auto()
    LEAVING = auto()
    GONE = auto()


@dataclass(slots=True, eq=False)
class Inflight:
    """The one entry on its way to the log: the exact bytes to send again, and what it releases."""

    command: bytes = field(repr=False)
    new_head: str
    seq: int
    effects: list[Effect]
    final: bool = False
    has_leave: bool = False


class Hosted:
    """One match on this referee.

    Attributes:
        play: pure state, ahead of the log by `pending` and `inflight`.
        head: `epoch-seq-chain` of the last acknowledged entry.
        epoch, seq: numbers of that entry.
        pending: records not yet sent.
        effects: what `pending` releases once acknowledged.
        inflight: the entry under way.
        seats: live seats by game.
        moved: the match goes on at another referee.
        queued_ms: its place in the queue when it is given back: by its age, whatever our wall clock says.
        parallel: games to keep in play at once.
        nonce_deadline: loop time at which missing nonces count as left out, 0.0 = not asked.
        void_reason: why the match ends without a result; parked: it then waits for the operator.
        leave_pending: `pending` holds a forfeit.
        homes: by bot, the other referee that keeps room for it; who is not in here is here.
        kept: rounds that they keep.
        unattended: nothing was played and not all of its bots were there; it is given back to wait for them.
        cut_since: loop time since when a bot's home is alive and cannot be reached, 0.0 = all can.
        show: what those are told who watch it; None: nobody does.
    """

    __slots__ = (
        "close_text",
        "cut_since",
        "effects",
        "epoch",
        "head",
        "homes",
        "inflight",
        "kept",
        "leave_pending",
        "moved",
        "nonce_deadline",
        "parallel",
        "parked",
        "pending",
        "phase",
        "play",
        "queued_ms",
        "seats",
        "seq",
        "show",
        "unattended",
        "void_reason",
    )

    def __init__(self, play: MatchPlay, head: str, epoch: int, seq: int) -> None:
        self.play = play
        self.head = head
        self.epoch = epoch
        self.seq = seq
        self.pending = bytearray()
        self.effects: list[Effect] = []
        self.inflight: Inflight | None = None
        self.seats: dict[int, list[Seat]] = {}
        self.parallel = 1
        self.phase = Phase.NONCES
        self.nonce_deadline = 0.0
        self.leave_pending = False
        self.void_reason = ""
        self.parked = False
        self.moved = False
        self.unattended = False
        self.queued_ms = 0
        self.close_text = ""
        self.homes: dict[str, Home] = {}
        self.kept = 0
        self.cut_since = 0.0
        self.show: Show | None = None

    @property
    def id(self) -> str:
        """Match id."""
        return self.play.spec.id

    def stay(self, bot: str) -> Stay:
        """Return what a home keeps room for."""
        return Stay(self.id, bot, self.format_name)

    @property
    def format_name(self) -> str:
        """What is played."""
        return self.play.spec.format.name

    @property
    def reserved(self) -> int:
        """Rounds in flight that this match takes, or may take, of each of its bots."""
        if self.phase in (Phase.CLOSING, Phase.LEAVING, Phase.GONE):
            return len(self.play.tables)
        return min(self.parallel, self.play.spec.games - self.play.games_done)

    @property
    def unlogged_leave(self) -> bool:
        """Whether a forfeit is applied but not yet logged, so that no open view may be encoded now."""
        return self.leave_pending or (self.inflight is not None and self.inflight.has_leave)
