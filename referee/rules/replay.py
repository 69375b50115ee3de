"""Plays a game record again, act by act, and stops at the first thing in it that does not follow from the rules.

Checked are options, decks, dealers, every act and every chance entry, every result, that nothing is missing or left
over, and, where the record has a `fairness` block, that all chance follows from its seed.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NoReturn, TypeVar

from referee.rules.cards import parse_cards
from referee.rules.chance import NONCE_BYTES, SCHEME, Chance, StreamSource, deal_key
from referee.rules.errors import ChanceError, IllegalAnswerError, NotationError, RulesError
from referee.rules.game import Game
from referee.rules.games import GAMES, resolve
from referee.rules.notation import perform
from referee.rules.options import RULES_VERSION, Rules
from referee.rules.presets import PRESETS
from referee.rules.record import FORMAT
from referee.rules.recorded import RecordedChance, RecordedSource
from referee.rules.setup import differing, observe

ROUND_FIELDS: Final = ("dealer", "deck", "chance", "acts", "result")
FAIRNESS_FIELDS: Final = ("scheme", "commitment", "seed", "match_id", "meeting", "deal", "entrants", "nonces")

V = TypeVar("V", int, dict[str, Any], list[Any])


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first thing in a record that does not follow; round and act count from 1, None where none is concerned."""

    message: str
    round: int | None = None
    act: int | None = None


class DivergedError(RulesError):
    """The record does not follow from the rules; `divergence` says where."""

    def __init__(self, divergence: Divergence) -> None:
        super().__init__("DIVERGED", divergence.message)
        self.divergence = divergence


@dataclass(frozen=True, slots=True)
class Step:
    """A moment of a game that is played again.

    Attributes:
        round: number of the round, from 1.
        act: number of the act in its round, from 1; 0 = the cards are dealt.
        written: the act as the record has it; None after the deal.
        game: the game as it stands now. It goes on with the next step: look first.
        chance: entries of the round's chance used so far.
    """

    round: int
    act: int
    written: Mapping[str, Any] | None
    game: Game
    chance: int


def steps(record: object) -> Iterator[Step]:
    """Play a record again, and stop after every deal and every act.

    Raises:
        DivergedError: something in it does not follow; all steps before it do.
    """
    if not isinstance(record, dict):
        raise DivergedError(Divergence("a game record is a JSON object"))
    yield from _Replay(record).steps()


class _Replay:
    """One record being played again."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.source = RecordedSource()
        self.round: int | None = None
        self.act: int | None = None

    def fail(self, message: str) -> NoReturn:
        where = "" if self.round is None else f"round {self.round}: "
        if self.act is not None:
            where = f"round {self.round}, act {self.act} "
        raise DivergedError(Divergence(where + message, self.round, self.act))

    def steps(self) -> Iterator[Step]:
        rules = self._rules()
        stream = self._stream(rules)
        game = Game.unbegun(rules, self.source)
        rounds = self._field(self.record, "rounds", list)
        for index, entry in enumerate(rounds):
            self.round, self.act = index + 1, None
            if game.over:
                self.fail("the match was over")
            if not isinstance(entry, dict) or sorted(entry) != sorted(ROUND_FIELDS):
                self.fail(f"a round has the fields {', '.join(ROUND_FIELDS)}")
            yield from self._play(game, entry, None if stream is None else stream.round(index))
        self.round = self.act = None
        if game.result is None:
            self.fail("the match is not over")
        self._results(self._field(self.record, "result", dict), game.result.as_json())

    def _field(self, mapping: Mapping[str, Any], name: str, kind: type[V]) -> V:
        value = mapping.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail(f"{name} is missing, or no {kind.__name__}")
        return value

    # -- what the record says of itself

    def _rules(self) -> Rules:
        """The ruleset, which must be written out in full."""
        record = self.record
        if record.get("format") != FORMAT or type(record.get("format")) is not int:
            self.fail(f"format is {json.dumps(record.get('format'))}, but {FORMAT} is known")
        preset, options = record.get("preset"), self._field(record, "options", dict)
        if not isinstance(preset, str) or preset not in PRESETS or PRESETS[preset].game not in GAMES:
            self.fail(f"preset {json.dumps(preset)} is unknown")
        variant = PRESETS[preset].game.upper()
        if record.get("variant") != variant:
            self.fail(f"variant is {json.dumps(record.get('variant'))}, but {preset} is {variant}")
        seats = self._field(record, "seats", int)
        try:
            rules = resolve(preset, options, seats)
        except RulesError as error:
            self.fail(f"options not resolved: {error}")
        if json.dumps(options, sort_keys=True) != json.dumps(rules.as_json(), sort_keys=True):
            missing = sorted(set(rules.options) - set(options))
            self.fail(f"options not resolved: {', '.join(missing)} missing")
        for field, value in (("rules_version", RULES_VERSION), ("ruleset", rules.hash)):
            if record.get(field, value) != value:
                self.fail(f"{field} is {json.dumps(record[field])}, but {json.dumps(value)} follows")
        return rules

    def _stream(self, rules: Rules) -> StreamSource | None:
        """The stream of the record's fairness block, if it has one."""
        if "fairness" not in self.record:
            return None
        block = self._field(self.record, "fairness", dict)
        if sorted(block) != sorted(FAIRNESS_FIELDS) or block["scheme"] != SCHEME:
            self.fail(f"fairness: scheme {SCHEME} has the fields {', '.join(FAIRNESS_FIELDS)}")
        try:
            seed = unhex(block["seed"], 32)
            nonces = [None if nonce is None else unhex(nonce, NONCE_BYTES) for nonce in block["nonces"]]
            commitment = unhex(block["commitment"], 32)
            names = [str(name) for name in block["entrants"]]
            source = StreamSource(
                deal_key(seed, block["match_id"], nonces), index(block["meeting"]), index(block["deal"])
            )
        except (TypeError, ValueError, AttributeError):
            self.fail("fairness: seed, commitment and nonces are lower-case hex, meeting and deal numbers from 0")
        if sha256(seed).digest() != commitment:
            self.fail("fairness: the seed does not belong to the commitment")
        if not len(names) == len(nonces) >= rules.seats:
            self.fail("fairness: there is one nonce an entrant, and an entrant a seat")
        return source

    # -- a round

    def _play(self, game: Game, entry: Mapping[str, Any], stream: Chance | None) -> Iterator[Step]:
        self._deal(game, entry, stream)
        assert self.round is not None
        yield Step(self.round, 0, None, game, self.source.now.used)
        acts = self._field(entry, "acts", list)
        for number, act in enumerate(acts, 1):
            self.act = number
            self._perform(game, act)
            if game.round.result is None:
                self._check(game, act)
            yield Step(self.round, number, act, game, self.source.now.used)
        self.act = None
        if game.round.result is None:
            self.fail("acts end before the round is over")
        if self.source.now.left:
            self.fail(f"chance not used: {self.source.now.left} entries")
        game.settle()
        if acts:
            self.act = len(acts)
            self._check(game, acts[-1])
            self.act = None
        self._results(self._field(entry, "result", dict), game.round.result.as_json())

    def _deal(self, game: Game, entry: Mapping[str, Any], stream: Chance | None) -> None:
        dealer, seats = entry["dealer"], game.rules.seats
        if type(dealer) is not int or not 0 <= dealer < seats:
            self.fail(f"dealer is {json.dumps(dealer)}, but seats are 0 to {seats - 1}")
        first = self.round == 1
        if first and stream is not None and dealer != seats - 1:
            self.fail(f"dealer is {dealer}, but in a meeting seat {seats - 1} deals first")
        if not first and dealer != game.round.next_dealer():
            self.fail(f"dealer is {dealer}, but {game.round.next_dealer()} deals")
        names = game.kind.NAMES
        try:
            cards = bytes(parse_cards(entry["deck"], names))
            self.source.now = RecordedChance(cards, self._field(entry, "chance", list), names, stream)
            if first:
                game.begin(dealer)
            else:
                game.deal()
        except (ChanceError, NotationError) as error:
            self.fail(str(error))

    def _perform(self, game: Game, act: object) -> None:
        text = json.dumps(act)
        if game.round.result is not None:
            self.fail(f"{text}: the round was over")
        if not isinstance(act, dict):
            self.fail(f"{text}: an act is an object")
        if act.get("act") == "DEFAULT":
            self.fail(f"{text}: a record has the act that was taken, not DEFAULT")
        try:
            perform(game.round, act)
        except (IllegalAnswerError, NotationError) as error:
            self.fail(f"{text}: illegal ({error})")
        except ChanceError as error:
            self.fail(f"{text}: {error}")

    def _check(self, game: Game, act: Mapping[str, Any]) -> None:
        """What an act says of the table behind it; behind the last act of a round that is counted, too."""
        if "check" not in act:
            return
        check, text, observed = act["check"], json.dumps(act), observe(game.round) | game.observe()
        if not isinstance(check, dict) or not set(check) <= set(observed):
            self.fail(f"{text}: check takes fields of a round: {', '.join(sorted(observed))}")
        for field, wanted in check.items():
            if differing(field, wanted, observed[field]):
                self.fail(f"{text}: check {field} is {json.dumps(wanted)}, but {json.dumps(observed[field])} follows")

    def _results(self, written: Mapping[str, object], follows: Mapping[str, object]) -> None:
        for field, value in follows.items():
            if json.dumps(written.get(field)) != json.dumps(value):
                self.fail(f"result.{field} is {json.dumps(written.get(field))}, but {json.dumps(value)} follows")
        unknown = sorted(set(written) - set(follows))
        if unknown:
            self.fail(f"result.{unknown[0]} is no field of a result")


def unhex(text: str, size: int) -> bytes:
    """The bytes of lower-case hex digits; ValueError if there are not `size` of them."""
    value = bytes.fromhex(text)
    if len(value) != size or value.hex() != text:
        raise ValueError(text)
    return value


def index(number: object) -> int:
    """A counter from 0; ValueError if it is none."""
    if type(number) is not int or not 0 <= number < 1 << 32:
        raise ValueError(number)
    return number
