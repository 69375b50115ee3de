"""The precision that a plan promises is the one that the fit finds once all is played."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from ladder.corrected import fitted
from ladder.corrections import shipped
from ladder.results import MatchResult
from tests.workers.house import House
from workers import engine
from workers.schedule.schedule import Schedule
from workers.tournaments.draw import drawn
from workers.tournaments.precision import half_width
from workers.tournaments.spec import Deals, Kind, TournamentSpec

ROUND_ROBIN, GAUNTLET = Kind.ROUND_ROBIN, Kind.GAUNTLET


def planned(spec: TournamentSpec) -> Schedule:
    """Return the schedule of the bots by name."""
    return drawn(spec, engine.terms(spec.format), tuple(f"{bot}@1" for bot in spec.names))


def described(format_name: str, bots: int, kind: Kind, side: int, meetings: int) -> TournamentSpec:
    """Return a tournament of so many bots."""
    names = [f"bot-{number}" for number in range(bots)]
    sides = tuple("+".join(names[first : first + side]) for first in range(0, bots, side))
    return TournamentSpec("spring", format_name, bots=sides, kind=kind, meetings=meetings, deals=Deals.FRESH)


def decided_by_chance(schedule: Schedule, teams: Sequence[int] | None, seed: int) -> Iterator[MatchResult]:
    """Yield the results of a tournament in which everybody is as good as all others."""
    chance = Random(seed)
    for fixture in schedule:
        seats = len(fixture.entrants)
        team_of = tuple(teams or range(seats))
        order, none = sorted(set(team_of)), (0,) * seats
        meetings = []
        for _ in range(fixture.meetings):
            games = []
            for _ in range(seats):
                chance.shuffle(order)
                places = {team: 1 + place * (seats // len(order)) for place, team in enumerate(order)}
                games.append(tuple(places[team] for team in team_of))
            meetings.append(tuple(games))
        yield MatchResult(str(fixture.id), "f", "r" * 16, fixture.entrants, team_of, tuple(meetings), none, none, none)


@pytest.mark.parametrize(
    ("format_name", "bots", "kind", "side", "meetings"),
    [
        pytest.param("uno-classic-2", 2, ROUND_ROBIN, 1, 200, id="two bots"),
        pytest.param("uno-classic-2", 4, ROUND_ROBIN, 1, 50, id="four bots"),
        pytest.param("uno-classic-2", 20, ROUND_ROBIN, 1, 10, id="twenty bots"),
        pytest.param("uno-classic-2", 4, GAUNTLET, 1, 100, id="a small gauntlet"),
        pytest.param("uno-classic-2", 9, GAUNTLET, 1, 50, id="a gauntlet"),
        pytest.param("uno-classic-4", 4, ROUND_ROBIN, 1, 50, id="one table of four"),
        pytest.param("uno-classic-4", 16, ROUND_ROBIN, 1, 10, id="tables of four"),
        pytest.param("uno-classic-4", 9, GAUNTLET, 1, 25, id="a gauntlet at tables of four"),
        pytest.param("uno-pairs-4", 8, ROUND_ROBIN, 1, 10, id="drawn partners"),
        pytest.param("uno-pairs-4", 8, ROUND_ROBIN, 2, 40, id="partners that stay"),
    ],
)
def test_a_plan_promises_what_the_fit_finds(format_name: str, bots: int, kind: Kind, side: int, meetings: int) -> None:
    """Of bots that have fewest games, on average and within an eighth, where chance alone decides."""
    spec = described(format_name, bots, kind, side, meetings)
    schedule = planned(spec)
    found = fitted(schedule.entrants, list(decided_by_chance(schedule, engine.teams_of(format_name), seed=1)))
    leaders = side if kind is GAUNTLET else 0
    measured = fmean(found.ci95(bot) for bot in schedule.entrants[leaders:])
    assert half_width(schedule, spec) == pytest.approx(measured, rel=1 / 8)


@pytest.mark.parametrize(
    ("deals", "luck_left", "share"),
    [
        pytest.param(Deals.FRESH, 1.0, 1.0, id="every game has its own deal"),
        pytest.param(Deals.FRESH, 0.73, 0.73, id="luck is taken out"),
        pytest.param(Deals.MIRRORED, 1.0, 0.6, id="mirrored"),
        pytest.param(Deals.MIRRORED, 0.73, 0.6, id="mirrored, and luck: little of it is left to be taken out"),
        pytest.param(Deals.FIELD, 1.0, 0.63, id="eight tables of a deal"),
        pytest.param(Deals.FIELD, 0.71, 0.49, id="eight tables of a deal, and luck"),
    ],
)
def test_less_chance_is_a_shorter_interval(deals: Deals, luck_left: float, share: float) -> None:
    """By the shares of the variance that docs/ratings.md has, at two seats."""
    spec = described("uno-classic-2", 16, ROUND_ROBIN, 1, 50)
    schedule = planned(spec)
    plain, found = half_width(schedule, spec), half_width(schedule, replace(spec, deals=deals), luck_left)
    assert plain is not None
    assert found == pytest.approx(plain * math.sqrt(share), rel=0.01)


def test_at_four_seats_tables_of_a_deal_are_less_alike() -> None:
    """Eight tables leave 0.79 of the variance, and 0.75 with luck taken out besides."""
    spec = described("uno-classic-4", 32, ROUND_ROBIN, 1, 5)
    schedule = planned(spec)
    plain = half_width(schedule, spec)
    assert plain is not None
    shared = replace(spec, deals=Deals.FIELD)
    assert half_width(schedule, shared) == pytest.approx(plain * math.sqrt(0.79), rel=0.01)
    assert half_width(schedule, shared, 0.92) == pytest.approx(plain * math.sqrt(0.75), rel=0.01)


def test_what_luck_leaves_is_the_mean_of_what_was_measured() -> None:
    """Of a near and a mixed field, by ruleset, as docs/ratings.md lists them; without weights nothing is taken out."""
    text = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text("utf-8")
    listed = {name: (float(near) + float(mixed)) / 2 for name, near, mixed in re.findall(ROW, text)}
    assert {one.name: one.variance for one in shipped().values()} == pytest.approx(listed, abs=0.006)
    assert engine.terms("uno-classic-2").luck_left == pytest.approx(listed["uno-classic-2"], abs=0.006)
    assert engine.terms("uno-classic-200-2").luck_left == 1.0


def test_a_plan_counts_on_luck_only_where_workers_compute_it(house: House) -> None:
    """With LASTCARD_LUCK=0 all of it stays in the ratings."""
    spec = described("uno-classic-2", 8, ROUND_ROBIN, 1, 50)
    house.register(spec.names)
    off, on = (replace(house.desk, luck=luck).plan(spec).summary.expected_ci95 for luck in (False, True))
    assert off == half_width(planned(spec), spec)
    assert on == half_width(planned(spec), spec, engine.terms(spec.format).luck_left)


ROW = r"\| `([a-z-]+-\d+)` \| (0\.\d\d) \| (0\.\d\d) \|"
