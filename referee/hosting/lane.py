"""What another host has at one session here: its handles, and the questions that it asked."""

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from referee.hosting.question import Question
    from referee.hosting.sessions import Session

LANE_BITS: Final = 20
"""Handles of a lane: local ones are below 2^20, those of lane n begin at n * 2^20."""


class Peer(Protocol):
    """The referee at the other end of a trunk."""

    name: str

    @property
    def silent(self) -> bool:
        """Whether it is heard no more, or does not answer."""

    def send(self, frame: bytes) -> None:
        """Send a frame."""


class Lane:
    """What one host has at one session.

    Attributes:
        id: its number at this home.
        index: its number in the session.
        next_handle: above every handle that it has used.
        rounds: by handle, the newest question of every round.
        moved: handles of rounds that went on elsewhere.
        nonces: matches for which the bot has sent one.
    """

    __slots__ = ("id", "index", "moved", "next_handle", "nonces", "peer", "rounds", "session")

    def __init__(self, number: int, index: int, peer: Peer, session: "Session") -> None:
        self.id = number
        self.index = index
        self.peer = peer
        self.session = session
        self.next_handle = index << LANE_BITS
        self.rounds: dict[int, Question] = {}
        self.moved: set[int] = set()
        self.nonces: set[str] = set()
