"""An owner has so many bots on the ladders, and who feeds one bot with others gains nothing by it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean, stdev

import pytest

from ladder import corrected, surprise
from ladder.results import MatchResult
from ladder.scoreline import score_of
from ladder.sheets import Sheets
from ladder.store.places import RATED_AN_OWNER
from ladder.store.ratings import Ladder
from ladder.store.rows import MatchPlan
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT, playing
from workers.engine import terms
from workers.tournaments.draw import schedule_of
from workers.tournaments.notes import Notes
from workers.tournaments.planned import Planned
from workers.tournaments.spec import TournamentSpec

SAMS = tuple(f"sam-{number}" for number in range(7))
LAST = frozenset({"sam-5@1", "sam-6@1"})
FEEDERS = tuple(f"feeder-{number}" for number in range(RATED_AN_OWNER))
HONEST = tuple(f"honest-{number}" for number in range(9))
TARGET = "target@1"
SEEDS = range(6)


def one_by_one(house: House, names: Sequence[str], owner: str = "") -> list[str]:
    """Register bots at different times."""
    versions = []
    for name in names:
        house.now_ms += 1
        versions += house.register([name], owner)
    return versions


def planned(house: House, description: TournamentSpec) -> list[MatchPlan]:
    """Have a tournament begin; returns all of its matches as they will be written."""
    house.create(description)
    house.look()
    row = house.store.tournaments.get(description.name)
    of_format = terms(FORMAT)
    matches = Planned(description, of_format, Notes.parse(row.schedule), None)
    return [
        matches.match(fixture, 0)
        for fixture in schedule_of(description, of_format, row.entrants, even=True, spread=True)
    ]


def unrated(plans: Sequence[MatchPlan]) -> set[str]:
    """Return who is in no match that moves a ladder."""
    return {bot for plan in plans for bot in plan.entrants} - {
        bot for plan in plans if plan.rated for bot in plan.entrants
    }


def test_those_of_an_owner_that_have_no_place_play_for_no_ladder(house: House) -> None:
    """Five are rated, the first that he registered; the others play where an organiser names them, and he is told."""
    bots = one_by_one(house, SAMS, "sam") + house.register(["gamma"])
    house.referee.seat(playing(bots))
    created = house.desk.create(spec("spring", *SAMS, "gamma"), b"", "tester")
    assert created.warnings[-1].startswith("an owner has 5 rated bots at most, so sam-5 and sam-6 move no ladder; ")
    assert unrated(planned(house, spec("again", *SAMS, "gamma"))) == LAST


def test_who_merely_is_there_and_has_no_place_stays_outside(house: House) -> None:
    """Nobody asked for it: where all who are there play for a ladder, it is not among them. Else it may play."""
    house.referee.seat(playing(one_by_one(house, SAMS, "sam") + house.register(["gamma"])))
    assert planned(house, spec("spring"))
    assert LAST.isdisjoint(house.store.tournaments.get("spring").entrants)
    assert len(house.store.tournaments.get("spring").entrants) == RATED_AN_OWNER + 1
    planned(house, replace(spec("friendly"), unrated=True))
    assert set(house.store.tournaments.get("friendly").entrants) > LAST


def test_a_bot_that_is_retired_leaves_its_place(house: House) -> None:
    """One that is only away keeps it; one that comes back takes none from whoever has it by now."""
    bots = one_by_one(house, [*SAMS, "gamma"], "")
    house.store.registry.link([f"owner of {name}" for name in SAMS])
    house.referee.seat(playing(bots))
    assert unrated(planned(house, spec("first", *SAMS, "gamma"))) == LAST
    house.referee.seat(playing(bots[1:]))
    assert unrated(planned(house, spec("second", *SAMS[1:], "gamma"))) == LAST
    house.store.registry.retire("sam-0", now_ms=house.now_ms)
    assert unrated(planned(house, spec("third", *SAMS[1:], "gamma"))) == {"sam-6@1"}
    house.store.registry.unretire("sam-0")
    assert unrated(planned(house, spec("fourth", *SAMS, "gamma"))) == {"sam-0@1", "sam-6@1"}


def test_who_merely_names_an_owner_takes_no_place_from_bots_that_are_vouched_for(house: House) -> None:
    """A stranger's seven were there first and have all places: whom an operator vouches for has one all the same."""
    bots = one_by_one(house, SAMS, "ann") + house.register(["gamma"])
    house.referee.seat(playing(bots))
    assert unrated(planned(house, spec("first", *SAMS, "gamma"))) == LAST
    anns = one_by_one(house, ["ann-0", "ann-1"], "ann")
    for name in ("ann-0", "ann-1"):
        house.store.registry.vouch(name)
    house.referee.seat(playing([*bots, *anns]))
    rows = house.store.registry.find([*SAMS, "ann-0", "ann-1"]).values()
    assert house.store.places.free(rows) == {"sam-0", "sam-1", "sam-2", "ann-0", "ann-1"}
    outside = {f"sam-{number}@1" for number in range(3, 7)}
    assert unrated(planned(house, spec("second", *SAMS, "ann-0", "ann-1", "gamma"))) == outside
    house.store.registry.retire("ann-0", now_ms=house.now_ms)
    assert unrated(planned(house, spec("third", *SAMS, "ann-1", "gamma"))) == outside - {"sam-3@1"}


def test_the_house_has_as_many_places_as_it_likes_and_play_for_nothing_takes_none(house: House) -> None:
    """What is not rated needs none."""
    house.referee.seat(playing(house.register(SAMS, house=True) + house.register(["gamma"])))
    assert unrated(planned(house, spec("spring", *SAMS, "gamma"))) == set()
    anns = one_by_one(house, [f"ann-{number}" for number in range(6)], "ann")
    house.referee.seat(playing(anns))
    planned(house, replace(spec("friendly", "ann-0"), bots=("ann-0", "ann-1"), unrated=True))
    rows = house.store.registry.find([f"ann-{number}" for number in range(2, 6)])
    assert house.store.places.free(rows.values()) == set(rows)
    assert house.store.places.take(rows.values(), house.now_ms) == set(rows)
    assert house.store.places.free(house.store.registry.find(["ann-0", "ann-1"]).values()) == {"ann-0"}


def test_links_and_sets_that_are_damaged_stop_nobody(house: House) -> None:
    """Then everybody stands for himself, as far as it can be read."""
    house.referee.seat(playing(one_by_one(house, SAMS, "sam") + house.register(["gamma"])))
    link, keys = house.store.link, house.store.keys
    link._execute("SET", keys.kin, "no hash")
    link._execute("DEL", keys.owner("sam"))
    link._execute("SET", keys.owner("sam"), "no set")
    assert planned(house, spec("spring", *SAMS, "gamma"))


# farms


@dataclass(frozen=True)
class Season:
    """A round robin of a farm and honest bots, whose results are drawn, and rated by the ledger."""

    house: House
    plans: Sequence[MatchPlan]
    bots: Sequence[str]

    @classmethod
    def of(cls, house: House) -> Season:
        """Have it begin; all bots are registered."""
        names = ("target", *FEEDERS, *HONEST)
        bots = [f"{name}@1" for name in names]
        house.referee.seat(playing(bots))
        return cls(house, planned(house, spec("season", *names, meetings=8)), bots)

    def elo(self, results: Sequence[MatchResult]) -> float:
        """Apply results to a ladder of its own; returns the target's Elo there."""
        ladder = f"ladder-{len(self.house.store.ratings.formats())}"
        self.house.store.ratings.enter(Ladder(ladder, results[0].ruleset, 2), dict.fromkeys(self.bots))
        for result in results:
            self.house.store.ratings.apply(replace(result, format=ladder))
        return self.house.store.ratings.elo(ladder, [TARGET])[TARGET]

    def drawn(self, seed: int, *, farm: bool) -> list[MatchResult]:
        """Draw the results that count; in a farm the feeders lose to the target on purpose."""
        strength = {bot: 20.0 * (number % 5) for number, bot in enumerate(self.bots)}
        rng, results = Random(seed), []
        for plan in self.plans:
            one, other = plan.entrants
            chance = score_of(strength[one] - strength[other])
            if farm and TARGET in plan.entrants and any(bot.startswith("feeder") for bot in plan.entrants):
                chance = float(one == TARGET)
            won = [[rng.random() < chance for _ in range(2)] for _ in range(plan.meetings)]
            if plan.rated:
                results.append(_result(plan, [[(1, 2) if first else (2, 1) for first in games] for games in won]))
        return results

    def gain(self) -> float:
        """Return what the farm brings its target in Elo, a mean over seeds, beside the same seasons played honestly."""
        return fmean(self.elo(self.drawn(seed, farm=True)) - self.elo(self.drawn(seed, farm=False)) for seed in SEEDS)

    def noise(self) -> float:
        """Return a standard error of the target's mean Elo in other honest seasons."""
        elos = [self.elo(self.drawn(100 + seed, farm=False)) for seed in SEEDS]
        return stdev(elos) / math.sqrt(len(elos))


def _result(plan: MatchPlan, ranks: Sequence[Sequence[tuple[int, int]]]) -> MatchResult:
    rounds = (2 * len(ranks),) * 2
    places = tuple(map(tuple, ranks))
    return MatchResult(plan.id, plan.format, plan.ruleset, plan.entrants, (0, 1), places, (0, 0), rounds, (0, 0))


@pytest.mark.slow
@pytest.mark.parametrize(
    "owner_of",
    [
        pytest.param(lambda _name: "sam", id="one owner"),
        pytest.param(lambda name: f"alias {name}", id="accounts that an operator linked"),
    ],
)
def test_a_farm_gains_no_more_than_noise(house: House, owner_of: Callable[[str], str]) -> None:
    """Five bots that lose to a sixth of their owner on purpose move no ladder by it."""
    farm = ("target", *FEEDERS)
    for bot in farm:
        house.register([bot], owner_of(bot))
    house.register(HONEST)
    if len(owners := {owner_of(bot) for bot in farm}) > 1:
        house.store.registry.link(sorted(owners))
    season = Season.of(house)
    assert season.gain() <= 2 * season.noise()


@pytest.mark.slow
def test_a_farm_of_strangers_is_named_bot_by_bot(house: House) -> None:
    """Who hides that all are his gains by it, until the nightly report names the target with each of them."""
    house.register(["target", *FEEDERS, *HONEST])
    season, sheets = Season.of(house), Sheets()
    assert season.gain() > 2 * season.noise()
    results = [replace(each, match=f"{each.match}.{seed}") for seed in SEEDS for each in season.drawn(seed, farm=True)]
    found = surprise.beyond(surprise.duels(corrected.fitted(season.bots, results, sheets=sheets), results, sheets))
    assert {one.who for one in found if one.who[0] == TARGET} == {(TARGET, f"{name}@1") for name in FEEDERS}
