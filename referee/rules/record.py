"""Game records: all that happened in a game, chance included, so that it can be played again without a generator.

`RecordedGame` is a game that writes its record while it is played; `referee.rules.verify` plays one again.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from referee.rules.cards import format_cards
from referee.rules.chance import SCHEME, Chance, ChanceSource
from referee.rules.game import Game
from referee.rules.options import RULES_VERSION, Rules
from referee.rules.round import Picks, Round
from referee.rules.vocabulary import Segment

FORMAT: Final = 1
SIGNED: Final = (
    *("format", "variant", "preset", "seats", "options", "rounds", "result", "rules_version", "ruleset"),
    *("game_id", "format_id", "bots", "fairness", "timing"),
)
"""What the digest of a record covers."""


class RecordingChance:
    """Chance that notes every outcome in the words of a record."""

    __slots__ = ("_chance", "cards", "entries")

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.cards: list[str] = []
        self.entries: list[list[object]] = []

    def deck(self, canonical: bytes) -> bytearray:
        """The deck as shuffled."""
        pile = self._chance.deck(canonical)
        self.cards = format_cards(pile[::-1])
        return pile

    def reshuffle(self, cards: bytes) -> bytearray:
        """These cards as a new pile."""
        pile = self._chance.reshuffle(cards)
        self.entries.append(["RESHUFFLE", format_cards(pile[::-1])])
        return pile

    def order(self, seats: int, reacting: Sequence[int]) -> list[int]:
        """An order of the seats."""
        order = self._chance.order(seats, reacting)
        self.entries.append(["ORDER", list(order)])
        return order

    def wheel(self) -> int:
        """A segment of the wheel."""
        segment = self._chance.wheel()
        self.entries.append(["WHEEL", Segment(segment).name])
        return segment

    def copy(self) -> Chance:
        """The chance alone: what a copy of a round does is not part of the record."""
        return self._chance.copy()


class RecordingSource:
    """The chance of a game, noted."""

    __slots__ = ("_source",)

    def __init__(self, source: ChanceSource) -> None:
        self._source = source

    def round(self, index: int) -> RecordingChance:
        """The chance of one round."""
        return RecordingChance(self._source.round(index))

    def dealer(self, seats: int) -> int:
        """The first dealer; the record has it as such."""
        return self._source.dealer(seats)


@lru_cache(maxsize=16)
def recorded(kind: type[Round]) -> type[Round]:
    """The same game, whose rounds keep the acts that are applied in `log`."""

    class Recorded(kind):  # type: ignore[valid-type, misc]
        """A round with its acts in notation."""

        __slots__ = ("log",)

        def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
            super()._clear(rules, chance, dealer, out)
            self.log: list[dict[str, object]] = []

        def apply(self, seat: int, picks: Picks, call: bool = False, color: int = 0) -> None:  # noqa: FBT001, FBT002
            """Answers the open decision of a seat, and keeps the act."""
            self._picked(seat, picks, color)  # what is refused cannot always be written down
            act = self.write(seat, (picks, call, color))
            super().apply(seat, picks, call, color)
            self.log.append(act)

        def forfeit(self, seat: int) -> None:
            """The seat leaves the match, and the record says so."""
            super().forfeit(seat)
            self.log.append({"seat": seat, "act": "FORFEIT"})

        def copy(self) -> "Recorded":
            """The same round, with acts of its own."""
            other = super().copy()
            other.log = list(self.log)
            assert isinstance(other, Recorded)
            return other

    return Recorded


class RecordedGame(Game):
    """A game that writes its record: play it like any other, then ask for `record()`."""

    __slots__ = ("rounds",)

    def __init__(self, rules: Rules, chance: ChanceSource, first_dealer: int | None = None) -> None:
        self.rounds: list[dict[str, object]] = []
        super().__init__(rules, RecordingSource(chance), first_dealer)

    def prepare(self, rules: Rules, chance: ChanceSource) -> None:
        """A game without a round yet."""
        super().prepare(rules, chance)
        self.kind = recorded(self.kind)

    def settle(self) -> None:
        """Counts the round that is over and adds it to the record."""
        super().settle()
        round_: Any = self.round
        assert self.last is not None, "the round is over"
        self.rounds.append(
            {
                "dealer": round_.dealer,
                "deck": round_.chance.cards,
                "chance": round_.chance.entries,
                "acts": round_.log,
                "result": self.last.as_json(),
            }
        )

    def record(self, further: Mapping[str, object] | None = None) -> dict[str, object]:
        """The record of the game, which is over; `further` fields stand beside those of the rules."""
        assert self.result is not None, "the game is not over"
        record: dict[str, object] = {
            "format": FORMAT,
            "variant": self.rules.game.upper(),
            "preset": self.rules.preset,
            "seats": self.rules.seats,
            "options": self.rules.as_json(),
            "rounds": self.rounds,
            "result": self.result.as_json(),
            "rules_version": RULES_VERSION,
            "ruleset": self.rules.hash,
            **(further or {}),
        }
        return record | {"digest": digest(record)}


def digest(record: Mapping[str, Any]) -> str:
    """SHA-256 in hex of the fields that this program writes, as JSON in ASCII, keys sorted, without spaces.

    Fields of others, and checks that somebody added to acts, are left out: a record may be commented.
    """
    known = {name: record[name] for name in SIGNED if name in record}
    rounds = known.get("rounds")
    if isinstance(rounds, list):
        known["rounds"] = [_unchecked(one) for one in rounds]
    return sha256(json.dumps(known, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _unchecked(played: object) -> object:
    """The round without the checks of its acts."""
    if not isinstance(played, dict) or not isinstance(played.get("acts"), list):
        return played
    acts = [
        {name: value for name, value in act.items() if name != "check"} if isinstance(act, dict) else act
        for act in played["acts"]
    ]
    return {**played, "acts": acts}


def fairness(
    seed: bytes, match_id: str, meeting: int, deal: int, nonces: Mapping[str, bytes | None]
) -> dict[str, object]:
    """The block of a record from which anybody derives its chance again.

    Args:
        seed: the seed of the match.
        match_id: its id, or the deal group's.
        meeting: number of the meeting in the match.
        deal: number of the deal in the meeting.
        nonces: by entrant, in nonce order; None where none came.
    """
    return {
        "scheme": SCHEME,
        "commitment": sha256(seed).hexdigest(),
        "seed": seed.hex(),
        "match_id": match_id,
        "meeting": meeting,
        "deal": deal,
        "entrants": list(nonces),
        "nonces": [None if nonce is None else nonce.hex() for nonce in nonces.values()],
    }
