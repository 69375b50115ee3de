"""Fields of bots that differ in style and strength, and rounds between them with what chance gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ladder.bradley_terry import Fit, Outcomes, fit
from ladder.house import UsualScores
from ladder.luck import HOUSE_TERM, Correction, centred, weights
from lastcard.bot import Bot
from lastcard.turn import Turn
from lastcard.words import ACTS, Act
from referee import formats
from referee.bots import Careful, Greedy
from referee.bots import Random as Uniform
from referee.bots.sense import Weights
from referee.formats.format import Format
from referee.house_games import house_name, house_scores
from referee.local.arena import MATCH_ID
from referee.local.local_bot import LocalBot
from referee.local.local_match import LocalMatch
from referee.luck import Gifts, given
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.chance import play_seed
from referee.rules.luck.watch import WatchedGame, terms_of
from referee.table import Table

Floats = NDArray[np.float64]


class Wavering(Careful):
    """Plays by weights of its own, and now and then at random."""

    def __init__(self, seed: int, share: float, own: Weights) -> None:
        super().__init__(seed)
        self._share = share
        self._own = own
        self._other = Uniform(seed + 1)

    def weights(self, turn: Turn) -> Weights:
        """Return the weights of this bot alone."""
        return self._own

    def choose(self, turn: Turn) -> int | list[int]:
        """Return the best option, or any."""
        astray = Random(self.dice(turn)).random() < self._share
        return self._other.choose(turn) if astray else super().choose(turn)


class Preferring(Careful):
    """`careful`, but where it may do one of these acts it does it, so many times of a hundred."""

    def __init__(self, seed: int, acts: Sequence[Act], percent: int) -> None:
        super().__init__(seed)
        self._acts = {ACTS.index(act) for act in acts}
        self._percent = percent

    def choose(self, turn: Turn) -> int | list[int]:
        """Return such an act, or the best option."""
        found = [place for place, act in enumerate(turn.view.option_act) if act in self._acts]
        if found and turn.view.max_picks < 2 and self.dice(turn) % 100 < self._percent:
            return found[0]
        return super().choose(turn)


STYLES: Final[dict[str, Callable[[int], Bot]]] = {
    "greedy": Greedy,
    "random": Uniform,
    "drawer": lambda seed: Preferring(seed, [Act.DRAW], 25),
    "keeper": lambda seed: Preferring(seed, [Act.KEEP], 100),
    "challenger": lambda seed: Preferring(seed, [Act.CHALLENGE], 100),
}
"""Five ways to play: luck must be none for each of them."""


def near(seed: int, size: int = 10) -> dict[str, Bot]:
    """Return bots of nearly one strength: weights a little different, up to 15 % of moves at random."""
    chance = Random(seed)
    return {f"near{n}": Wavering(seed + n, 0.15 * n / (size - 1), _moved(chance, 0.25)) for n in range(size)}


def mixed(seed: int, size: int = 10) -> dict[str, Bot]:
    """Return bots from hardly any skill to all of it, with very different weights, and the five styles."""
    chance = Random(seed)
    bots: dict[str, Bot] = {f"mixed{n}": Wavering(seed + n, n / (size - 1), _moved(chance, 1.0)) for n in range(size)}
    return bots | {name: make(seed) for name, make in STYLES.items()}


def _moved(chance: Random, spread: float) -> Weights:
    """Return weights around the shipped ones, each times or through e to a normal number."""
    base = Weights()
    factors = {field.name: np.exp(chance.gauss(0, spread)) for field in fields(Weights) if field.name != "near"}
    return Weights(**{name: getattr(base, name) * factor for name, factor in factors.items()}, near=base.near)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round that was played: who sat where, who was how good, and what chance gave each, by entrant."""

    meeting: int
    entrants: tuple[str, ...]
    seats: tuple[int, ...]
    ranks: tuple[int, ...]
    given: Gifts

    @property
    def seat_of(self) -> list[int]:
        """Seat by entrant."""
        return [self.seats.index(entrant) for entrant in range(len(self.seats))]

    def beyond(self, mu: Sequence[float]) -> Gifts:
        """Return what chance gave, the last term less what it usually is in the seat; empty: as it is."""
        if not mu:
            return self.given
        return tuple(
            (*row[:-1], row[-1] - round(1e6 * mu[seat])) for row, seat in zip(self.given, self.seat_of, strict=True)
        )


def rounds(
    format_name: str, bots: Mapping[str, Bot], meetings: int, seed: int, house: int = 0, deals: str = "fresh"
) -> Iterator[Dealt]:
    """Play meetings between bots drawn at random, by default on fresh deals, and yield every round.

    With `house` games of the house on the same cards, whose scores are the last term of what chance gave.
    """
    chosen, chance = formats.get(format_name, deals), Random(seed)
    players = {name: LocalBot(name, bot) for name, bot in bots.items()}
    for meeting in range(meetings):
        names = tuple(chance.sample(sorted(players), chosen.seats))
        spec = MatchSpec(MATCH_ID, chosen, names, 1, with_nonces=False, first_meeting=meeting)
        yield from _meeting(spec, [players[name] for name in names], seed, house)
    wrong = {name: player.first_error for name, player in players.items() if player.errors}
    assert not wrong, f"bots of a field must not fail, or it is another field: {wrong}"


def _meeting(spec: MatchSpec, at_table: Sequence[LocalBot], seed: int, house: int) -> Iterator[Dealt]:
    play, gifts = MatchPlay(spec, play_seed(seed), WatchedGame), list[Gifts]()

    def keep(table: Table) -> None:
        gifts.append(given(table, spec.seating(table.index)))

    LocalMatch(play, at_table).run(keep)
    for game, (result, gift) in enumerate(zip(play.results, gifts, strict=True)):
        assert result is not None
        if house:
            scores = house_scores(spec, play_seed(seed), {}, game, house)
            gift = tuple((*row, score) for row, score in zip(gift, scores, strict=True))  # noqa: PLW2901
        yield Dealt(spec.first_meeting, spec.entrants, result.seats, result.ranks, gift)


def teams_of(chosen: Format) -> tuple[int, ...] | None:
    """Return the teams by entrant; None: everybody alone."""
    teams = chosen.rules.team_of
    return teams if len(set(teams)) < chosen.seats else None


def outcomes(played: Sequence[Dealt], teams: Sequence[int] | None, taken: Correction | None) -> Outcomes:
    """Return the scores of rounds, by meeting, with luck taken out or not."""
    found = Outcomes(sorted({bot for one in played for bot in one.entrants}))
    by_meeting: dict[int, list[Dealt]] = {}
    for one in played:
        by_meeting.setdefault(one.meeting, []).append(one)
    for of_meeting in by_meeting.values():
        luck = None
        if taken is not None:
            mu = taken.house.mu if taken.house is not None else ()
            places = places_of(taken)
            gifts = ([[row[place] for place in places] for row in one.beyond(mu)] for one in of_meeting)
            of_games = (taken.luck(one, teams) for one in gifts)
            luck = [sum(column) for column in zip(*of_games, strict=True)]
        found.add(of_meeting[0].entrants, [one.ranks for one in of_meeting], teams, luck)
    return found


def places_of(taken: Correction) -> list[int]:
    """Return where the terms of these weights stand in what chance gave."""
    known = _known(taken.ruleset)
    return [known.index(term) for term in taken.terms]


@cache
def _known(ruleset: str) -> tuple[str, ...]:
    """Return the terms of what chance gave under these rules, in order."""
    rules = next(found.rules for found in map(formats.get, formats.names()) if found.rules.hash == ruleset)
    return (*terms_of(rules), HOUSE_TERM)


def taken_away(gifts: Floats, taken: Correction) -> Floats:
    """Return the luck that these weights see in what chance gave, by entrant and round."""
    luck: Floats = gifts[:, places_of(taken)] @ np.array(list(taken.beta.values()))
    return luck


def surprises(
    played: Sequence[Dealt], fitted: Fit, teams: Sequence[int] | None, mu: Sequence[float] = ()
) -> tuple[Floats, Floats]:
    """Return, one row an entrant and round: what chance gave, centred, and score minus expected score.

    `mu` is the mean of the last term by seat, where that is the score of the house.
    """
    rows, errors = [], []
    for one in played:
        rows += centred(one.beyond(mu), teams)
        errors += [_surprise(one, entrant, fitted, teams) for entrant in range(len(one.entrants))]
    return np.array(rows), np.array(errors)


def _surprise(one: Dealt, entrant: int, fitted: Fit, teams: Sequence[int] | None) -> float:
    rivals = [e for e in range(len(one.entrants)) if e != entrant and (teams is None or teams[e] != teams[entrant])]
    ranks = one.ranks
    scored = sum(1.0 if ranks[entrant] < ranks[e] else 0.5 if ranks[entrant] == ranks[e] else 0.0 for e in rivals)
    expected = sum(fitted.expected(one.entrants[entrant], one.entrants[e]) for e in rivals)
    return (scored - expected) / len(rivals)


def fitted_weights(format_name: str, played: Sequence[Dealt]) -> Correction:
    """Return the weights that explain these rounds best."""
    chosen = formats.get(format_name)
    teams, terms = teams_of(chosen), terms_of(chosen.rules)
    mu = usual_scores(played) if len(played[0].given[0]) > len(terms) else ()
    gifts, errors = surprises(played, fit(outcomes(played, teams, None)), teams, mu)
    named = (*terms, "h") if mu else terms
    beta = dict(zip(named, map(float, weights(gifts, errors)), strict=True))
    usual = UsualScores(house_name(), mu) if mu else None
    return Correction(chosen.name, chosen.rules.hash, beta, len(played), house=usual)


def usual_scores(played: Sequence[Dealt]) -> tuple[float, ...]:
    """Return the mean score of the house by seat."""
    by_seat = [[one.given[one.seats[seat]][-1] for one in played] for seat in range(len(played[0].seats))]
    return tuple(float(np.mean(scores)) / 1e6 for scores in by_seat)


def variance_factor(format_name: str, played: Sequence[Dealt], taken: Correction) -> float:
    """Return the mean variance of the ratings with luck taken out, over that without."""
    teams = teams_of(formats.get(format_name))
    corrected, raw = (fit(outcomes(played, teams, one), clustered=True) for one in (taken, None))
    return float(np.diagonal(corrected.covariance).mean() / np.diagonal(raw.covariance).mean())


def residual_factor(format_name: str, played: Sequence[Dealt], taken: Correction) -> float:
    """Return what is left of the variance of what nobody expected of a game, with luck taken out.

    With few meetings a bot it is surer than `variance_factor`, of which it is the part that luck can lower.
    """
    teams = teams_of(formats.get(format_name))
    mu = taken.house.mu if taken.house is not None else ()
    gifts, errors = surprises(played, fit(outcomes(played, teams, None)), teams, mu)
    left = errors - taken_away(gifts, taken)
    return float(left @ left / (errors @ errors))
