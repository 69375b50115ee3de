"""Real rounds of a field whose tables all have the same deals, and tournaments drawn from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

import numpy as np

from ladder.bradley_terry import Fit, Outcomes, fit
from ladder.results import MatchResult
from ladder.shared_deals import SharedGames, adjusted
from ladder.sheets import Sheet, Sheets
from lastcard.bot import Bot
from referee import formats
from referee.local.local_bot import LocalBot
from referee.local.local_match import LocalMatch
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.chance import play_seed

Wave = Sequence[Sheet]
"""The tables that played the same deals."""


def waves(format_name: str, bots: Mapping[str, Bot], count: int, seed: int) -> Iterator[Wave]:
    """Seat everybody at random, play a meeting at every table on the same deals, and again on other ones."""
    chosen, chance, sheets = formats.get(format_name, "field"), Random(seed), Sheets()
    players = {name: LocalBot(name, bot) for name, bot in bots.items()}
    for number in range(count):
        names = chance.sample(sorted(players), len(players))
        tables = [tuple(names[first : first + chosen.seats]) for first in range(0, len(names), chosen.seats)]
        specs = [
            MatchSpec(f"{number}.{table}", chosen, seated, 1, with_nonces=False, group=f"wave.{number}")
            for table, seated in enumerate(tables)
        ]
        yield [sheets.of(_played(spec, [players[name] for name in spec.entrants], seed)) for spec in specs]


def _played(spec: MatchSpec, at_table: Sequence[LocalBot], seed: int) -> MatchResult:
    play = MatchPlay(spec, play_seed(seed))
    LocalMatch(play, at_table).run(lambda _table: None)
    everybody = (0,) * len(spec.entrants)
    return MatchResult(
        match=spec.id,
        format=spec.format.name,
        ruleset=spec.format.rules.hash,
        entrants=spec.entrants,
        teams=tuple(range(len(spec.entrants))),
        ranks=(tuple(result.ranks for result in play.results if result is not None),),
        points=everybody,
        rounds=everybody,
        faults=everybody,
        deals=tuple(f"{spec.group}/{spec.deal_of(game, play.seed)}" for game in range(spec.games)),
    )


def drawn(bots: Sequence[str], played: Sequence[Wave], chosen: Sequence[int]) -> tuple[Fit, Fit]:
    """Return the fits of these waves, each as one of its own: without regard to deals, and with."""
    sheets = [(f"{draw}", sheet) for draw, number in enumerate(chosen) for sheet in played[number]]
    plain = fit(Outcomes.joined(bots, [sheet.outcomes for _, sheet in sheets]), clustered=True)
    shared = [
        SharedGames(sheet.shared.outcomes, tuple(f"{draw}/{deal}" for deal in sheet.shared.deals))
        for draw, sheet in sheets
        if sheet.shared is not None
    ]
    return plain, adjusted(plain, shared)


def resampled(bots: Sequence[str], played: Sequence[Wave], repeats: int, sample: int) -> tuple[float, float]:
    """Draw tournaments of so many waves from those that were played, whose ratings are the truth then.

    Returns:
        The share of 95 % intervals that contain the truth, and the variance with regard to deals over that without.

    """
    truth, chance = drawn(bots, played, range(len(played)))[1], np.random.default_rng(3)
    inside, variances = list[bool](), list[tuple[float, float]]()
    for _ in range(repeats):
        plain, found = drawn(bots, played, chance.integers(0, len(played), sample).tolist())
        inside += [abs(found.elo[bot] - truth.elo[bot]) <= found.ci95(bot) for bot in bots]
        variances.append((float(np.trace(plain.covariance)), float(np.trace(found.covariance))))
    before, after = np.sum(variances, axis=0)
    return float(np.mean(inside)), float(after / before)
