"""Where chance enters: a port, and the deal stream `lastcard/1` that any language can derive again.

key   = SHA-256("lastcard/1" | seed, 32 bytes | match id | the nonces, 16 bytes each, zeros where none came)
bytes = SHAKE-256(key | u32be meeting | u32be deal | u32be round | purpose padded with NUL to 16 | u32be n)

n counts the earlier uses of that purpose in that round. below(m) takes the next byte b < 256 - 256 mod m and gives
b mod m; shuffle(list) swaps i with below(i + 1) for i = N-1 .. 1. The last element of a pile is its top.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256, shake_256
from struct import pack
from typing import Final, Protocol

from lastcard.secret import Secret
from referee.rules.errors import ChanceError

SCHEME: Final = "lastcard/1"
NONCE_BYTES: Final = 16
SEGMENTS: Final = 9
DECK, RESHUFFLE, ORDER, WHEEL, DEALER = (
    purpose.ljust(16, b"\0") for purpose in (b"deck", b"reshuffle", b"order", b"wheel", b"dealer")
)


class Chance(Protocol):
    """All chance of one round."""

    def deck(self, canonical: bytes) -> bytearray:
        """The deck as shuffled; the last card is the top."""

    def reshuffle(self, cards: bytes) -> bytearray:
        """These cards, given in canonical order, as a new pile; the last one is the top."""

    def order(self, seats: int, reacting: Sequence[int]) -> list[int]:
        """An order of the seats, holding at least those that react; it breaks their tie."""

    def wheel(self) -> int:
        """A segment of Spin's wheel, 0-8."""

    def copy(self) -> "Chance":
        """The same chance from here on, independent of this one."""


class ChanceSource(Protocol):
    """All chance of one game."""

    def round(self, index: int) -> Chance:
        """The chance of the round with this index in its game."""

    def dealer(self, seats: int) -> int:
        """The first dealer, where nobody names one (never in a meeting)."""


# By m: what a byte must be less than so that every number below m is as likely as any other.
LIMITS: Final = (0, *(256 - 256 % m for m in range(1, 256)))


def below(prefix: bytes, size: int) -> int:
    """The first number of a stream below `size` (1-255)."""
    length = 8
    while True:
        for byte in shake_256(prefix).digest(length):
            if byte < LIMITS[size]:
                return byte % size
        length *= 2


def shuffled(items: Iterable[int], prefix: bytes) -> list[int]:
    """These items as a stream shuffles them; at most 255."""
    order = list(items)
    length = 2 * len(order) + 64  # nearly always enough; else it starts anew with more of the same stream
    while not _shuffle(order, shake_256(prefix).digest(length)):
        order = list(items)
        length *= 2
    return order


def _shuffle(items: list[int], stream: bytes) -> bool:
    """Shuffles in place; False if the bytes do not suffice."""
    left = len(items)  # these are not yet where they belong
    if left < 2:
        return True
    limit = LIMITS[left]
    for byte in stream:
        if byte < limit:
            j = byte % left
            left -= 1
            swapped = items[left]
            items[left] = items[j]
            items[j] = swapped
            if left == 1:
                return True
            limit = LIMITS[left]
    return False


def deal_key(seed: bytes | Secret, match_id: str, nonces: Iterable[bytes | None] = ()) -> Secret:
    """The key of a match's deals; `nonces` in entrant order, None where none came."""
    joined = b"".join(nonce if nonce is not None else bytes(NONCE_BYTES) for nonce in nonces)
    hidden = Secret(seed)
    return Secret(sha256(SCHEME.encode() + hidden.reveal() + match_id.encode("ascii") + joined).digest())


def play_seed(number: int) -> bytes:
    """The seed of local play: `lastcard play --seed NUMBER`."""
    return sha256(b"lastcard/play" + str(number).encode()).digest()


class StreamChance:
    """The chance of one round by the scheme `lastcard/1`."""

    __slots__ = ("_prefix", "_uses")

    def __init__(self, prefix: Secret, uses: Mapping[bytes, int] | None = None) -> None:
        """`prefix` is key, meeting, deal and round as bytes; `uses` counts the earlier uses by purpose."""
        self._prefix = prefix
        self._uses = dict(uses or ())

    def _next(self, purpose: bytes) -> bytes:
        """What the bytes of this use of a purpose are derived from."""
        n = self._uses.get(purpose, 0)
        self._uses[purpose] = n + 1
        return b"%b%b%b" % (self._prefix.reveal(), purpose, n.to_bytes(4, "big"))

    def deck(self, canonical: bytes) -> bytearray:
        """The deck as shuffled; the last card is the top."""
        return bytearray(shuffled(canonical, self._next(DECK)))

    def reshuffle(self, cards: bytes) -> bytearray:
        """These cards, given in canonical order, as a new pile; the last one is the top."""
        return bytearray(shuffled(cards, self._next(RESHUFFLE)))

    def order(self, seats: int, reacting: Sequence[int]) -> list[int]:  # noqa: ARG002  (the stream orders all seats)
        """All seats of the table in an order; it breaks ties."""
        return shuffled(range(seats), self._next(ORDER))

    def wheel(self) -> int:
        """A segment of Spin's wheel, 0-8."""
        return below(self._next(WHEEL), SEGMENTS)

    def dealer(self, seats: int) -> int:
        """The first dealer outside meetings."""
        return below(self._next(DEALER), seats)

    def copy(self) -> "StreamChance":
        """The same chance from here on."""
        return StreamChance(self._prefix, self._uses)


class StreamSource:
    """The chance of one game by the scheme `lastcard/1`; all counters from 0."""

    __slots__ = ("deal", "key", "meeting")

    def __init__(self, key: bytes | Secret, meeting: int, deal: int) -> None:
        self.key = Secret(key)
        self.meeting = meeting
        self.deal = deal

    def round(self, index: int) -> StreamChance:
        """The chance of the round with this index in its game."""
        return StreamChance(Secret(self.key.reveal() + pack(">III", self.meeting, self.deal, index)))

    def dealer(self, seats: int) -> int:
        """The first dealer, where nobody names one."""
        return self.round(0).dealer(seats)


class ScriptedChance:
    """Chance as written down, each kind in its own order of use; one object serves all rounds of a game.

    Piles are given top first, as scenarios write them. A shuffle of cards that are all equal uses no entry.
    """

    __slots__ = ("_decks", "_orders", "_reshuffles", "_wheel")

    def __init__(
        self,
        decks: Iterable[Sequence[int]] = (),
        reshuffles: Iterable[Sequence[int]] = (),
        orders: Iterable[Sequence[int]] = (),
        wheel: Iterable[int] = (),
    ) -> None:
        self._decks = [bytes(pile) for pile in decks]
        self._reshuffles = [bytes(pile) for pile in reshuffles]
        self._orders = [list(order) for order in orders]
        self._wheel = list(wheel)

    @property
    def decks(self) -> int:
        """Decks not yet dealt."""
        return len(self._decks)

    @property
    def left(self) -> dict[str, int]:
        """Entries not used, by kind; empty if all were."""
        kinds = {
            "deck": len(self._decks),
            "reshuffle": len(self._reshuffles),
            "order": len(self._orders),
            "wheel": len(self._wheel),
        }
        return {kind: entries for kind, entries in kinds.items() if entries}

    def round(self, index: int) -> "ScriptedChance":  # noqa: ARG002  (one script for all rounds)
        """Itself: the script runs on."""
        return self

    def dealer(self, seats: int) -> int:  # noqa: ARG002  (as the port says)
        """Nobody scripts the first dealer.

        Raises:
            ChanceError: always.
        """
        raise ChanceError("CHANCE_ENDS", "the first dealer is not scripted; name it")

    def deck(self, canonical: bytes) -> bytearray:  # noqa: ARG002  (a scenario may deal part of a deck)
        """The next deck."""
        if not self._decks:
            raise ChanceError("CHANCE_ENDS", "chance ends: a deck is needed")
        return bytearray(self._decks.pop(0)[::-1])

    def reshuffle(self, cards: bytes) -> bytearray:
        """The next pile, which must hold just these cards."""
        if len(set(cards)) <= 1:
            return bytearray(cards)
        if not self._reshuffles:
            raise ChanceError("CHANCE_ENDS", "chance ends: a shuffle is needed")
        pile = self._reshuffles.pop(0)
        if sorted(pile) != sorted(cards):
            raise ChanceError("NOT_A_PERMUTATION", "the shuffle is not a permutation of the cards concerned")
        return bytearray(pile[::-1])

    def order(self, seats: int, reacting: Sequence[int]) -> list[int]:
        """The next order of seats."""
        if not self._orders:
            raise ChanceError("CHANCE_ENDS", "chance ends: an order of the seats is needed")
        order = self._orders.pop(0)
        check_order(order, seats, reacting)
        return order

    def wheel(self) -> int:
        """The next segment."""
        if not self._wheel:
            raise ChanceError("CHANCE_ENDS", "chance ends: a segment of the wheel is needed")
        return self._wheel.pop(0)

    def copy(self) -> "ScriptedChance":
        """The same script from here on."""
        piles = (self._decks, self._reshuffles)
        return ScriptedChance(*piles, self._orders, self._wheel)


def check_order(order: Sequence[int], seats: int, reacting: Sequence[int]) -> None:
    """Raises ChanceError unless the order holds every reacting seat, and no seat twice."""
    if len(set(order)) != len(order) or not set(reacting) <= set(order) or not set(order) <= set(range(seats)):
        raise ChanceError(
            "NOT_A_PERMUTATION",
            f"the order {list(order)} is not a permutation of seats that holds {sorted(reacting)}",
        )
