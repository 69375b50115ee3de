"""Tournaments from their creation to their end, over a real store, with real rules, without a broker."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.elo import MICRO
from ladder.errors import InvalidFieldError
from ladder.readings.summaries import outcome_of
from ladder.store.rows import MatchState
from ladder.tables import Walkover
from tests.workers.house import NAMES, START_MS, House, spec
from tests.workers.small_referee import FORMAT, playing
from workers.due import Job
from workers.tournaments.life import State, Verb
from workers.tournaments.spec import Deals, Kind

pytestmark = pytest.mark.slow


def test_from_creation_to_the_end(house: House) -> None:
    """A tournament is planned, played, rated and finished, and all its matches count once."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=20))
    assert house.play("spring") is State.FINISHED
    record = house.desk.get("spring")
    assert (record.matches_done, record.matches_lost, record.games_done) == (6, 0, 120)
    assert record.games_done == record.plan.summary.games
    assert {row.bot: row.meetings for row in record.table.standings} == {"alpha@1": 40, "beta@1": 40, "gamma@1": 40}
    assert len(record.table.pairs) == 3
    assert record.deal_seed
    assert house.store.ratings.rebuild(FORMAT).equal
    assert house.store.ratings.sum_check(FORMAT).equal
    assert house.store.ratings.seq(FORMAT) == 6


def test_planning_twice_is_harmless(house: House) -> None:
    """However often and from wherever the planner is called, every match exists once."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=20))
    for _ in range(5):
        house.planner.advance("spring", house.now_ms)
    assert house.store.tournaments.get("spring").planned == 6
    assert len(house.store.matches.waiting()) == 6


def test_an_old_planner_changes_nothing(house: House) -> None:
    """Notes of a planner that slept are written over newer ones; the matches stay as they are, and all are played."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=40))
    house.look()
    row = house.store.tournaments.get("spring")
    house.store.tournaments.move(
        "spring", {"running"}, "running", now_ms=house.now_ms, schedule=row.schedule.replace('"next":3', '"next":1')
    )
    assert house.play("spring") is State.FINISHED
    assert house.store.tournaments.get("spring").planned == house.store.tournaments.get("spring").done == 3


def test_it_waits_for_its_start(house: House) -> None:
    """Nothing is created before the time has come."""
    house.enter("alpha", "beta")
    house.create(replace(spec("spring", "alpha", "beta"), start_ms=START_MS + 60_000))
    house.look()
    assert house.state("spring") is State.SCHEDULED
    house.look(59_000)
    assert house.state("spring") is State.RUNNING


def test_a_bot_that_never_connected_is_waited_for(house: House) -> None:
    """A tournament stays a draft until every bot has a version, or the grace is over."""
    house.enter("alpha", "beta")
    house.store.registry.register("ghost", "nobody", now_ms=house.now_ms)
    house.create(spec("spring", "alpha", "beta", "ghost"))
    house.look()
    assert house.state("spring") is State.DRAFT
    house.look(120_000)
    assert set(house.store.tournaments.get("spring").entrants) == {"alpha@1", "beta@1"}


def test_all_means_those_that_are_online_at_the_start(house: House) -> None:
    """Who is connected when it begins takes part."""
    house.enter("alpha", "beta", "gamma")
    house.register(["sleeper"])
    house.create(spec("open-house"))
    house.look()
    assert sorted(house.store.tournaments.get("open-house").entrants) == ["alpha@1", "beta@1", "gamma@1"]


def test_nobody_comes(house: House) -> None:
    """Without two bots it is cancelled after the grace, and says why."""
    house.enter("alpha")
    house.create(spec("open-house"))
    house.look()
    assert house.state("open-house") is State.SCHEDULED
    house.look(120_000)
    assert house.state("open-house") is State.CANCELLED
    assert house.store.tournaments.get("open-house").reason == "1 bot was there, 2 are needed"


def test_a_gauntlet_without_its_runner_is_cancelled(house: House) -> None:
    """When the one whom all are to meet never came, nobody takes its place."""
    house.enter("alpha", "beta", "gamma")
    house.store.registry.register("hero", "nobody", now_ms=house.now_ms)
    house.create(replace(spec("spring", "hero", "alpha", "beta"), kind=Kind.GAUNTLET))
    house.look()
    assert house.state("spring") is State.DRAFT
    house.look(121_000)
    assert house.state("spring") is State.CANCELLED
    assert house.desk.get("spring").reason == "hero, whom all others were to meet, never came"


def test_an_absent_bot_is_waited_for_and_then_decided_without(house: House) -> None:
    """Others play on; after the grace the absent bot's matches count as walkovers and are not rated."""
    versions = house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.referee.seat(playing(versions[:2]))
    house.look()
    (waiting,) = house.store.matches.rows(list(house.store.matches.waiting()))
    assert set(waiting.entrants) == {"alpha@1", "beta@1"}
    house.referee.play(house.now_ms)
    house.look(60_000)
    assert house.store.tournaments.get("spring").planned == 1
    house.look(61_000)
    assert house.play("spring") is State.FINISHED
    standings = {row.bot: row for row in house.desk.get("spring").table.standings}
    assert (standings["gamma@1"].losses, standings["gamma@1"].wins) == (12, 0)
    assert standings["gamma@1"].ci95 is None
    assert house.desk.get("spring").table.walkovers == (Walkover("gamma@1", 12),)
    assert [outcome_of(row) for row in house.store.matches.page(tournament="spring").rows] == ["walkover"] * 2 + [
        "rated"
    ]
    assert house.store.ratings.seq(FORMAT) == 1


def test_a_bot_that_comes_back_in_time_plays(house: House) -> None:
    """Within the grace nothing is lost by being away."""
    versions = house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.referee.seat(playing(versions[:1]))
    house.look()
    house.look(100_000)
    assert not house.store.matches.waiting()
    house.referee.seat(playing(versions))
    assert house.play("spring") is State.FINISHED
    assert house.desk.get("spring").table.standings[0].meetings == 3
    assert house.store.ratings.seq(FORMAT) == 1


def test_a_waiting_match_goes_back_when_its_bot_leaves(house: House) -> None:
    """What no referee has claimed yet is held back while a bot is missing, and opened when it returns."""
    versions = house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    assert len(house.store.matches.waiting()) == 1
    house.referee.seat(playing(versions[:1]))
    house.look()
    assert not house.store.matches.waiting()
    assert house.desk.get("spring").missing == ("beta@1",)
    house.referee.seat(playing(versions))
    house.look()
    assert len(house.store.matches.waiting()) == 1
    assert house.desk.get("spring").missing == ()


def test_our_outage_makes_nobody_miss_anything(house: House) -> None:
    """While no referee is alive, nobody counts as absent."""
    versions = house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    house.store.matches.leave(house.referee.me)
    house.now_ms += 300_000
    house.planner.advance("spring", house.now_ms)
    house.referee.beat(fresh=True)
    house.referee.seat(playing(versions))
    assert house.play("spring") is State.FINISHED
    assert house.store.ratings.seq(FORMAT) == 1


def test_cancel_voids_what_is_left(house: House) -> None:
    """Cancelled: what was played stays rated, the rest is void."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    house.referee.play(house.now_ms, most=1)
    assert house.desk.turn("spring", Verb.CANCEL, "rain", "tester").state is State.CANCELLED
    house.look()
    states = [row.state for row in house.store.matches.page(tournament="spring").rows]
    assert sorted(states) == [MatchState.RATED, MatchState.VOID, MatchState.VOID]
    assert house.store.matches.open_ids() == set()


def test_bots_of_one_owner_are_not_rated_against_each_other(house: House) -> None:
    """Their match counts in the tournament and moves no rating."""
    house.register(["alpha", "beta"], owner="sam")
    house.register(["gamma"])
    house.referee.seat(playing(["alpha@1", "beta@1", "gamma@1"]))
    house.create(spec("spring", "alpha", "beta", "gamma"))
    assert house.play("spring") is State.FINISHED
    rated = {row.entrants: row.rated for row in house.store.matches.page(tournament="spring").rows}
    assert {frozenset(pair): value for pair, value in rated.items()}[frozenset({"alpha@1", "beta@1"})] is False
    assert house.store.ratings.seq(FORMAT) == 2


def test_house_bots_are_rated_against_each_other(house: House) -> None:
    """The house is not an owner who could gain by it."""
    house.referee.seat(playing(house.register(["alpha", "beta"], house=True)))
    house.create(spec("spring", "alpha", "beta"))
    assert house.play("spring") is State.FINISHED
    assert house.store.ratings.seq(FORMAT) == 1


def test_unrated_means_no_ladder(house: House) -> None:
    """A tournament of no consequence leaves no ladder behind."""
    house.enter("alpha", "beta")
    house.create(replace(spec("spring", "alpha", "beta"), unrated=True, nonces=False))
    assert house.play("spring") is State.FINISHED
    assert house.store.ratings.formats() == {}
    assert house.desk.get("spring").table.standings


def test_a_new_version_starts_where_its_predecessor_stands(house: House) -> None:
    """The rating of name@1 becomes the entry rating of name@2."""
    house.enter("alpha", "beta")
    house.create(spec("first-one", "alpha", "beta", meetings=16))
    house.play("first-one")
    before = {tally.bot: tally.micro for tally in house.store.ratings.tallies(FORMAT)}
    house.referee.seat(playing([house.store.registry.version("alpha", "2", now_ms=house.now_ms), "beta@1"]))
    house.create(spec("second-one", "alpha", "beta", meetings=1))
    house.play("second-one")
    entries = house.store.ratings.sum_check(FORMAT)
    assert entries.equal
    assert entries.entries == 2 * 1500 * MICRO + before["alpha@1"]


def test_a_cron_line_creates_one_run_each_time(house: House) -> None:
    """At each time there is one new tournament, named by the time; the template stays; missed times count once."""
    house.enter("alpha", "beta")
    house.create(replace(spec("nightly", "alpha", "beta"), cron="0 * * * *"))
    for _ in range(3):
        house.look(20 * 60_000)
    assert house.state("nightly") is State.SCHEDULED
    runs = [row.name for row in house.store.tournaments.page()[0] if row.name != "nightly"]
    assert runs == ["nightly-20270115t0900"]
    house.play(runs[0])
    assert house.state(runs[0]) is State.FINISHED
    house.look(10 * 3_600_000)
    house.planner.advance("nightly", house.now_ms)
    assert len(house.store.tournaments.page()[0]) == 3


def test_a_paused_cron_line_makes_up_for_one_run(house: House) -> None:
    """Three hours of pause: at the end of it there is one run, that of the last time, and then one each hour again."""
    house.enter("alpha", "beta")
    house.create(replace(spec("nightly", "alpha", "beta"), cron="0 * * * *"))
    house.look()
    house.desk.turn("nightly", Verb.PAUSE, "holidays", "tester")
    for _ in range(3):
        house.look(3_600_000)
    assert len(house.store.tournaments.page()[0]) == 1
    assert house.desk.turn("nightly", Verb.RESUME, "", "tester").state is State.SCHEDULED
    house.look()
    runs = [row.name for row in house.store.tournaments.page()[0] if row.name != "nightly"]
    assert runs == ["nightly-20270115t1100"]


@pytest.mark.parametrize("part", [pytest.param(0.3, id="a third"), pytest.param(0.8, id="most")])
def test_lost_doorbells_lose_nothing(house: House, part: float) -> None:
    """A broker that forgets rings delays a tournament and changes nothing."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=20))
    house.bell.jobs.clear()
    house.bell.loses = part
    for _ in range(60):
        house.look(16_000)
        house.reconciler.reconcile(house.now_ms)
        house.answer()
        house.referee.play(house.now_ms, most=2)
    assert house.state("spring") is State.FINISHED
    assert house.store.ratings.seq(FORMAT) == 6
    assert house.store.ratings.rebuild(FORMAT).equal


def test_without_any_look_the_reconciler_is_enough(house: House) -> None:
    """Where no tick ever gets through, the reconciler alone brings a tournament to its end."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=20))
    house.bell.jobs.clear()
    for _ in range(20):
        house.now_ms += 16_000
        house.reconciler.reconcile(house.now_ms)
        house.answer()
        house.referee.play(house.now_ms)
    assert house.state("spring") is State.FINISHED


def test_a_hundred_looks_at_once_act_once(house: House) -> None:
    """Any number of beats may ring: each slot is looked at once."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.bell.jobs.clear()
    looked = [bool(house.lookout.look(house.now_ms)) for _ in range(100)]
    assert sum(looked) == 1


def test_a_tournament_that_cannot_be_read_holds_up_no_other(house: House) -> None:
    """Its time zone is not known on this machine: the look rings for it and for all else, and its own task says why."""
    house.enter("alpha", "beta")
    nowhere = replace(spec("nowhere", "alpha", "beta"), cron="0 2 * * *", timezone="Atlantis/Sunken", deals=Deals.FRESH)
    house.store.tournaments.create("nowhere", nowhere.fields(), state=State.SCHEDULED, now_ms=house.now_ms)
    house.create(spec("spring", "alpha", "beta"))
    house.bell.jobs.clear()
    jobs = house.lookout.look(house.now_ms + 1000)
    assert set(jobs) == {Job("plan", ("nowhere",)), Job("plan", ("spring",))}
    with pytest.raises(InvalidFieldError, match="Atlantis/Sunken"):
        house.planner.advance("nowhere", house.now_ms)


def test_a_tournament_whose_format_is_gone_is_still_listed(house: House) -> None:
    """An organiser took it out of the file: its runs of last year hide no other tournament."""
    house.enter("alpha", "beta")
    mine = replace(spec("mine", "alpha", "beta"), format="uno-mine-2", deals=Deals.FRESH)
    house.store.tournaments.create("mine", mine.fields(), state=State.SCHEDULED, now_ms=house.now_ms)
    house.store.tournaments.move(
        "mine", {State.SCHEDULED}, State.FINISHED, now_ms=house.now_ms, entrants=("alpha@1", "beta@1"), matches=4
    )
    house.create(spec("spring", "alpha", "beta"))
    listed = {status.spec.name: status for status in house.desk.list(10).statuses}
    assert listed.keys() == {"mine", "spring"}
    assert (listed["mine"].ruleset, listed["mine"].plan.summary.matches) == ("", 4)
    assert listed["spring"].ruleset


def test_a_task_is_rung_for_many_matches(house: House) -> None:
    """Planning, rating and all looks of 190 matches ask for far fewer tasks than there are matches."""
    names = [f"bot-{number:02}" for number in range(20)]
    house.enter(*names)
    house.create(spec("spring", *names, meetings=1))
    assert house.play("spring") is State.FINISHED
    assert house.store.tournaments.get("spring").done == 190
    assert house.bell.rung <= 40


@pytest.mark.parametrize("most", [pytest.param(1, id="slow"), pytest.param(3, id="faster")])
def test_the_time_to_go_is_known_after_a_tenth(house: House, most: int) -> None:
    """Once a tenth is played, the time to go that is shown is right within 15 %."""
    names = NAMES[:10]
    house.enter(*names)
    house.create(spec("spring", *names, meetings=1))
    told: list[tuple[int, float]] = []
    for _ in range(80):
        house.look(5000)
        if house.state("spring").over:
            break
        if not told:
            record = house.desk.get("spring")
            if record.eta_s is not None and record.games_done * 10 >= record.plan.summary.games:
                told.append((house.now_ms, record.eta_s))
        house.referee.play(house.now_ms, most=most)
    assert house.state("spring") is State.FINISHED
    ((first_ms, eta_s),) = told
    assert eta_s == pytest.approx((house.now_ms - first_ms) / 1000, rel=0.15)
