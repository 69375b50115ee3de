"""Games of which one seat cannot see that their hidden cards were exchanged, and what a seat may be told of them."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, Final

from lastcard.v1 import play_pb2 as pb
from referee.rules.cards import mask_of
from referee.rules.chance import ChanceSource, StreamSource
from referee.rules.game import Game
from referee.rules.games import GAMES
from referee.rules.options import Rules
from referee.rules.round import Round
from referee.rules.vocabulary import DrawReason, EventKind

DEEP: Final = 3
"""The lowest third of the draw pile is exchanged, too: few rounds come so far."""
OWN: Final = frozenset({EventKind.DREW, EventKind.DRAFTED})
OPEN: Final = frozenset(EventKind) - {EventKind.DREW, EventKind.DRAFTED, EventKind.DEALT, EventKind.KEPT}
"""What lays a card on the table, or shows it to this seat."""


@cache
def exchanged(kind: type[Round], watcher: int, salt: int) -> type[Round]:
    """Return the game in which others hold and draw other cards, and the depth of the pile has others."""

    class Exchanged(kind):  # type: ignore[misc, valid-type]
        """The same rules with other cards where the watcher cannot look."""

        __slots__ = ()

        def _deal(self, deck: bytearray) -> None:
            super()._deal(deck)
            chance, deep = Random(salt), len(self.draw) // DEEP
            others = [hand for seat, hand in enumerate(self.hands) if seat != watcher]
            few = max(map(len, others))
            if rules_force_plays(self):
                few, others = 1, [self.hands[watcher - 1]]
            cards = bytearray().join([self.draw[:deep], *(hand[:few] for hand in others)])
            chance.shuffle(cards)
            for pile, size in ((self.draw, deep), *((hand, few) for hand in others)):
                pile[:size] = cards[:size]
                del cards[:size]
            self.masks[:] = map(mask_of, self.hands)

        def take(self, seat: int, count: int, reason: DrawReason) -> int:
            if reason is not DrawReason.WHEEL:  # it ends with a colour or number, as everybody sees
                self._exchange(seat, count)
            taken: int = super().take(seat, count, reason)
            return taken

        def _draw(self, seat: int) -> bool:
            self._exchange(seat, 1)
            asked: bool = super()._draw(seat)
            return asked

        def _exchange(self, seat: int, count: int) -> None:
            deep = len(self.draw) // DEEP
            if seat == watcher or rules_force_plays(self) or count > len(self.draw) - deep or not deep:
                return
            chance = Random(f"{salt}/{len(self.events)}")
            for place in range(1, count + 1):
                other = chance.randrange(deep)
                self.draw[-place], self.draw[other] = self.draw[other], self.draw[-place]

    return Exchanged


def rules_force_plays(round_: Round) -> bool:
    """Return whether who can play must: then what a seat does tells much of its cards, and few are exchanged."""
    return round_.rules.game == "dos"


def game_for(salt: int) -> type[Game]:
    """Return games whose hidden cards are exchanged for entrant 0, differently for each salt."""

    class Planted(Game):
        """A game with these cards."""

        __slots__ = ()

        def prepare(self, rules: Rules, chance: ChanceSource) -> None:
            super().prepare(rules, chance)
            assert isinstance(chance, StreamSource)
            watcher = -chance.deal % rules.seats  # the seat of entrant 0, since game and deal have one number
            self.kind = exchanged(GAMES[rules.game], watcher, salt)

    return Planted


def parts(messages: list[bytes]) -> list[tuple[int, bytes]]:
    """Return the fields of messages one after the other, as number and bytes: turns are 1, notices 2."""
    found = []
    for message in messages:
        at = 0
        while at < len(message):
            tag, at = _varint(message, at)
            size, at = _varint(message, at)
            assert tag & 7 == 2, "a response holds messages only"
            found.append((tag >> 3, message[at : at + size]))
            at += size
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


class Stream:
    """What one seat was told of each of its rounds, in order, but for the hands that are shown when a round is over."""

    def __init__(self, messages: list[bytes]) -> None:
        self.rounds: dict[int, list[tuple[bytes, pb.Turn]]] = {}
        self.notices: list[bytes] = []
        for field, data in parts(messages):
            if field == 1:
                turn = pb.Turn.FromString(data)
                self.rounds.setdefault(turn.round, []).append((_without_hands(data, turn), turn))
            else:
                self.notices.append(data)


def _without_hands(data: bytes, turn: pb.Turn) -> bytes:
    if not turn.HasField("end"):
        return data
    open_end = pb.Turn()
    open_end.CopyFrom(turn)
    for name in ("hands", "points", "left", "places", "game_places"):
        open_end.end.ClearField(name)
    return open_end.SerializeToString(deterministic=True)


def difference(one: list[tuple[bytes, pb.Turn]], other: list[tuple[bytes, pb.Turn]]) -> tuple[int, str]:
    """Return how many turns of two rounds are the same bytes, and what is wrong with the first that is not.

    Nothing is wrong where it tells of a card that its seat may see: one that it drew, or that was laid open.
    """
    for number, ((first, told), (second, differently)) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return number, "" if _lawful(told, differently, _seat(one)) else f"{told}\n---\n{differently}"
    same = min(len(one), len(other))
    return same, "" if len(one) == len(other) else f"one round has {len(one)} turns, the other {len(other)}"


def _seat(turns: list[tuple[bytes, pb.Turn]]) -> int:
    return turns[0][1].start.seat


def _lawful(told: pb.Turn, differently: pb.Turn, seat: int) -> bool:
    """Return whether the first event that differs lays a card open, or is a card of this seat's own."""
    pairs = zip(_events(told), _events(differently), strict=False)
    one, other = next((pair for pair in pairs if pair[0] != pair[1]), ((0, 0, 0, 0), (0, 0, 0, 0)))
    return any(card and (kind in OPEN or (kind in OWN and who == seat)) for kind, who, card, _ in (one, other))


def _events(turn: pb.Turn) -> list[tuple[Any, ...]]:
    return list(zip(turn.event_kind, turn.event_seat, turn.event_card, turn.event_arg, strict=True))
