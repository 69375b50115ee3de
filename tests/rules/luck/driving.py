"""Many rounds in a short time: styles that answer the engine itself, and what their luck was on average."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.formats.format import Format
from referee.rules.calls import CHALLENGE, DRAW, KEEP, REJECT
from referee.rules.chance import Chance, StreamSource, play_seed
from referee.rules.errors import IllegalAnswerError
from referee.rules.games import GAMES
from referee.rules.luck.account import TERMS
from referee.rules.luck.watch import account_of, watched
from referee.rules.round import Answer, Round
from referee.rules.vocabulary import Act, DecisionKind

Style: TypeAlias = Callable[[Round, int, Random], int | None]
"""Which option a seat takes, where it takes a single one; None: any play, or what there is else."""


def wants(code: int, percent: int = 100) -> Style:
    """Return a style that takes this option whenever it may, so many times of a hundred."""

    def choose(round_: Round, seat: int, chance: Random) -> int | None:
        options = round_.options(seat)
        if code not in options or (percent < 100 and chance.randrange(100) >= percent):
            return None
        return options.index(code)

    return choose


def dearest(round_: Round, seat: int, chance: Random) -> int | None:
    """Take the card that counts most; of a draft keep what counts ten or more."""
    if round_.kind is DecisionKind.DRAFT_PICK:
        return round_.options(seat).index(KEEP if round_.facts.points[round_.drawn] >= 10 else REJECT)
    cards, points = round_.columns(seat).card, round_.facts.points
    return max(range(len(cards)), key=lambda n: points[cards[n]]) if cards and any(cards) else None


def anything(round_: Round, seat: int, chance: Random) -> int | None:
    """Take any play."""
    return None


STYLES: Final[dict[str, Style]] = {
    "greedy": dearest,
    "random": anything,
    "drawer": wants(DRAW, 20),
    "keeper": wants(KEEP),
    "challenger": wants(CHALLENGE),
    "rejecter": wants(REJECT),
}


def answer(round_: Round, seat: int, style: Style, chance: Random) -> Answer:
    """Return the answer of a style; lists are answered by the default."""
    if round_.picks(seat)[0] > 1 or not round_.options(seat):
        return round_.default(seat)
    pick = style(round_, seat, chance)
    if pick is None:
        pick = _any_play(round_, seat, chance)
    return pick, chance.random() < 0.7, 1 + chance.randrange(4)


def _any_play(round_: Round, seat: int, chance: Random) -> int:
    acts = round_.columns(seat).act
    passive = {Act.DRAW, Act.PASS, Act.KEEP, Act.ACCEPT, Act.REJECT} if round_.kind in (1, 2, 3, 14) else set[Act]()
    plays = [n for n, act in enumerate(acts) if act not in passive]
    return chance.choice(plays or range(len(acts)))


def play(round_: Round, styles: list[Style], chance: Random) -> Round:
    """Play a round to its end."""
    while round_.asked:
        for seat in list(round_.asked):
            if seat in round_.asked:
                _act(round_, seat, styles[seat], chance)
    return round_


def _act(round_: Round, seat: int, style: Style, chance: Random) -> None:
    """Answer; where cards only go together (Duo's dump) the default is taken."""
    try:
        round_.apply(seat, *answer(round_, seat, style, chance))
    except IllegalAnswerError:
        round_.apply(seat, *round_.default(seat))


Made: TypeAlias = Callable[[Format, Chance], Round]


def watched_round(chosen: Format, chance: Chance) -> Round:
    """Return a watched round that the last seat deals."""
    return watched(GAMES[chosen.rules.game])(chosen.rules, chance, chosen.seats - 1)


def luck_by_style(
    chosen: Format,
    rounds: int,
    seed: int,
    styles: Mapping[str, Style] = STYLES,
    made: Made = watched_round,
) -> dict[tuple[str, int], NDArray[np.float64]]:
    """Return, by style and seat, what chance gave in every round, in ones: one column a term of `TERMS`."""
    chance, source = Random(seed), StreamSource(play_seed(seed), 0, 0)
    rows: dict[tuple[str, int], list[tuple[int, ...]]] = {}
    for number in range(rounds):
        names = [chance.choice(sorted(styles)) for _ in range(chosen.seats)]
        played = play(made(chosen, source.round(number)), [styles[name] for name in names], chance)
        account = account_of(played)
        for seat, name in enumerate(names):
            rows.setdefault((name, seat), []).append(account.micro(seat, TERMS))
    return {key: np.array(found) / 1e6 for key, found in rows.items()}


def z_of(rows: NDArray[np.float64]) -> dict[str, float]:
    """Return by term: mean over its standard error; nothing for a term that never occurred."""
    spread = rows.std(axis=0, ddof=1)
    found = rows.mean(axis=0) / np.where(spread > 0, spread, 1) * np.sqrt(len(rows))
    return {term: float(z) for term, z, sd in zip(TERMS, found, spread, strict=True) if sd > 0}


def drawn(by_style: Mapping[tuple[str, int], NDArray[np.float64]]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the largest z by term of what was drawn: over all together, and of any style in any seat."""
    pooled = {term: abs(z) for term, z in z_of(np.concatenate(list(by_style.values()))).items() if term[0] != "f"}
    single: dict[str, float] = {}
    for rows in by_style.values():
        for term, z in z_of(rows).items():
            if term[0] != "f":
                single[term] = max(single.get(term, 0.0), abs(z))
    return pooled, single
