"""Plays rounds with random legal answers, for tests of any game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from random import Random

from hypothesis import strategies as st

from referee.rules.cards import COLOR_OF, FACE
from referee.rules.chance import StreamSource, deal_key
from referee.rules.errors import IllegalAnswerError, InvalidOptionError
from referee.rules.games import GAMES, resolve
from referee.rules.options import Choice, Flag, Numbers, Option, Rules, Teams, Whole
from referee.rules.presets import OPTIONS, PRESETS
from referee.rules.round import Answer, Round
from referee.rules.vocabulary import Act

AVAILABLE = tuple(name for name, preset in PRESETS.items() if preset.game in GAMES)
# Whole numbers that rules tests draw from; sizes are small so that rounds are short.
RANGES = {
    "hand_size": (1, 7),
    "max_turns_per_round": (5, 120),
    "target_score": (0, 60),
    "rounds": (1, 2),
    "max_rounds": (1, 3),
    "draw_until_max": (0, 4),
}


def source(seed: int) -> StreamSource:
    """Chance that a number decides."""
    return StreamSource(deal_key(seed.to_bytes(32, "big"), "test"), 0, 0)


def start(rules: Rules, seed: int) -> Round:
    """A round with its first decision open."""
    return GAMES[rules.game](rules, source(seed).round(0), seed % rules.seats)


def some_answer(round_: Round, seat: int, rng: Random) -> Answer:
    """A random legal answer; drawing is rarer than in a uniform choice, or rounds would not end."""
    options = len(round_.options(seat))
    least, most = round_.picks(seat)
    call = rng.random() < 0.6
    if (least, most) == (1, 1):
        reach = options - 1 if options > 1 and rng.random() < 0.8 else options
        return rng.randrange(reach), call, rng.randrange(5)
    for attempt in range(8):
        size = rng.randint(least, min(most, options))
        picks = tuple(rng.sample(range(options), size))
        if options and attempt % 2:
            picks = one_with_its_color(round_, seat, rng)
        answer = (picks, call, rng.randrange(1, 5))
        try:
            round_.copy().apply(seat, *answer)
        except IllegalAnswerError:
            continue
        return answer
    return round_.default(seat)


def one_with_its_color(round_: Round, seat: int, rng: Random) -> tuple[int, ...]:
    """One option, with all cards of its colour that can be put down behind it: a dump, where it opens one."""
    columns = round_.columns(seat)
    named = columns.color or bytes(len(columns.act))
    first = rng.randrange(len(columns.act))
    color = named[first] or COLOR_OF[columns.card[first]]
    behind = [
        index
        for index, (act, card) in enumerate(zip(columns.act, columns.card, strict=True))
        if act == Act.DISCARD and COLOR_OF[card] == color and index != first
    ]
    if columns.act[first] == Act.DUMP and columns.card[first]:  # the Reverse that opens it is not put down again
        held = sum(COLOR_OF[card] == color for card in round_.hands[seat]) - 1
        behind.sort(key=lambda index: columns.card[index] == columns.card[first])
        del behind[held:]
    rng.shuffle(behind)
    return (first, *(behind if columns.act[first] == Act.DUMP else ()))


def step(round_: Round, rng: Random) -> None:
    """One asked seat answers, or, once in a long while, a seat leaves."""
    if rng.random() < 0.002:
        round_.forfeit(rng.choice(round_.seats_in()))
        return
    seat = rng.choice(sorted(round_.asked))
    round_.apply(seat, *some_answer(round_, seat, rng))


def play(round_: Round, rng: Random, look: Callable[[Round], None] = lambda _: None) -> Round:
    """Plays the round to its end; `look` sees it before every act."""
    while round_.result is None:
        look(round_)
        step(round_, rng)
    return round_


def some_options(game: str, rng: Random, numbers: Mapping[str, Sequence[int]]) -> dict[str, object]:
    """A value for every option of a game that changes a round; whole numbers are of those given."""
    chosen: dict[str, object] = {name: rng.choice(values) for name, values in numbers.items()}
    for name, option in OPTIONS[game].items():
        if isinstance(option.kind, Choice):
            chosen[name] = rng.choice(option.kind.values)
        elif isinstance(option.kind, Flag):
            chosen[name] = rng.random() < 0.5
    return chosen


def orders(asked: Mapping[int, object]) -> Iterator[tuple[int, ...]]:
    """Orders in which the seats of a window may answer: all of few, some of many."""
    seats = sorted(asked)
    if len(seats) <= 4:
        yield from permutations(seats)
    else:
        yield from (tuple(seats), tuple(reversed(seats)), tuple(seats[3:] + seats[:3]))


def _value(name: str, option: Option, seats: int) -> st.SearchStrategy[object]:
    match option.kind:
        case Choice(values):
            return st.sampled_from(values)
        case Flag():
            return st.booleans()
        case Numbers(meaning):
            return st.lists(st.integers(0, 60), min_size=len(meaning), max_size=len(meaning))
        case Whole(least):
            return st.integers(*RANGES.get(name, (least, least + 4)))
        case Teams():
            return st.none() | st.just([seat % 2 for seat in range(seats)])


@st.composite
def rulesets(draw: st.DrawFn, preset: str) -> Rules:
    """Rulesets of a preset: any number of seats, some options changed, and never so many cards that none is left."""
    game = PRESETS[preset].game
    seats = draw(st.integers(*GAMES[game].SEATS))
    changed = draw(st.lists(st.sampled_from(sorted(OPTIONS[game])), max_size=6, unique=True))
    options = {name: draw(_value(name, OPTIONS[game][name], seats)) for name in changed}
    options.setdefault("max_turns_per_round", 150)
    try:
        return resolve(preset, options, seats)
    except InvalidOptionError:
        return resolve(preset, options | {"hand_size": 2}, seats)


def spelled(round_: Round) -> list[tuple[str, str, str | None]]:
    """Return the options of the seat whose turn it is, in words: act, card, and the colour that is named with it."""
    columns = round_.columns(round_.seat)
    colors = columns.color or bytes(len(columns.act))
    return [
        (Act(act).name, FACE.get(card, ""), " RYGB"[color].strip() or None)
        for act, card, color in zip(columns.act, columns.card, colors, strict=True)
    ]
