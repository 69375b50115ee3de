"""Closed matches move their ladder once, and only if their log proves them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ladder.elo import TO_A_TARGET, EloConfig
from ladder.readings.summaries import outcome_of
from ladder.store.counters import Counter
from ladder.store.rows import MatchState
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT
from workers.engine import terms
from workers.fit import Fitter
from workers.rate import AGAIN_MS, GO_ON_MS, predecessor
from workers.tournaments.terms import Terms

pytestmark = pytest.mark.slow


@pytest.fixture
def closed(house: House) -> list[str]:
    """Play three matches and leave them unrated; returns their ids."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    house.look()
    return house.referee.play(house.now_ms)


def state(house: House, match: str) -> MatchState:
    return house.store.matches.get(match).state


def ratings(house: House) -> dict[str, int]:
    return {tally.bot: tally.micro for tally in house.store.ratings.tallies(FORMAT)}


def test_a_task_that_runs_twice_rates_once(house: House, closed: list[str]) -> None:
    """The second run finds nothing to do, and the ladder stays as it is."""
    assert house.rater.rate(closed, house.now_ms) == 3
    before = ratings(house)
    assert house.rater.rate(closed, house.now_ms) == 0
    assert ratings(house) == before
    assert house.store.ratings.seq(FORMAT) == 3
    assert {state(house, match) for match in closed} == {MatchState.RATED}


def test_a_worker_that_died_between_rating_and_settling(house: House, closed: list[str]) -> None:
    """The match was applied, the worker died, the next one applies it again: a duplicate that only settles."""
    row = house.store.matches.get(closed[0])
    house.rater._rate(row, house.rater.formats(row.format))
    before = ratings(house)
    house.rater.rate([closed[0]], house.now_ms)
    assert ratings(house) == before
    assert state(house, closed[0]) is MatchState.RATED


def test_a_result_that_the_log_does_not_prove_is_parked(house: House, closed: list[str]) -> None:
    """The alarm is raised, no rating moves, and the others are rated."""
    forged = house.store.matches.get(closed[0])
    result = json.loads(forged.result)
    for game in result["meetings"][0]["games"]:
        game["ranks"].reverse()
    text = json.dumps(result, sort_keys=True, separators=(",", ":"))
    house.store.link.read("HSET", house.store.keys.match(closed[0]), "result", text)
    house.rater.rate(closed, house.now_ms)
    assert (state(house, closed[0]), house.store.matches.get(closed[0]).reason) == (MatchState.PARKED, "unproven")
    assert house.store.ratings.seq(FORMAT) == 2
    assert house.store.counters.read()[Counter("alarms_total", {"kind": "unproven"})] == 1
    assert house.store.matches.due(house.now_ms) == []


def test_another_result_under_the_same_id_is_parked(house: House, closed: list[str]) -> None:
    """The ladder has another truth: nothing is overwritten, and an alarm says that an operator has to look."""
    row = house.store.matches.get(closed[0])
    house.rater._rate(row, house.rater.formats(row.format))
    house.store.link.read("HSET", house.store.keys.ladder(FORMAT, "seen"), closed[0], "1:another-digest")
    before = ratings(house)
    house.rater.rate([closed[0]], house.now_ms)
    assert (state(house, closed[0]), house.store.matches.get(closed[0]).reason) == (MatchState.PARKED, "conflict")
    assert ratings(house) == before
    assert house.store.counters.read()[Counter("alarms_total", {"kind": "conflict"})] == 1


def test_a_batch_that_kills_its_process_is_taken_apart(house: House, closed: list[str]) -> None:
    """Each match is rung for alone; one alone that kills again is parked with an alarm, the others are rated."""
    alarm = Counter("alarms_total", {"kind": "poison"})
    house.bell.jobs.clear()
    house.rater.isolate(closed, house.now_ms)
    assert [job.args for job in house.bell.jobs] == [((match,),) for match in closed]
    assert alarm not in house.store.counters.read()
    house.bell.jobs.clear()
    house.rater.isolate(closed[:1], house.now_ms)
    assert (state(house, closed[0]), house.store.matches.get(closed[0]).reason) == (MatchState.PARKED, "poison")
    assert (house.store.counters.read()[alarm], house.store.tournaments.get("spring").lost) == (1, 1)
    for match in closed[1:]:
        house.rater.rate([match], house.now_ms)
    assert [state(house, match) for match in closed[1:]] == [MatchState.RATED] * 2
    assert (house.store.counters.read()[alarm], house.store.ratings.seq(FORMAT)) == (1, 2)


def test_a_bug_stops_one_match_and_is_told(house: House, closed: list[str]) -> None:
    """What nobody foresaw is raised, after the other matches of the batch were applied."""
    house.store.link.read("HSET", house.store.keys.match(closed[1]), "format", "chess")
    with pytest.raises(ExceptionGroup, match="1 of 3 matches"):
        house.rater.rate(closed, house.now_ms)
    assert [state(house, match) for match in closed] == [MatchState.RATED, MatchState.CLOSED, MatchState.RATED]
    assert house.store.matches.due(house.now_ms) == []  # it stands before nobody, and is tried again
    assert house.store.matches.due(house.now_ms + AGAIN_MS) == [closed[1]]


def test_a_seal_that_cannot_be_looked_at_holds_up_no_other_match(house: House, closed: list[str]) -> None:
    """Whose tables share deals is asked of the format, and nobody may know it any more."""
    match, tournament = (house.store.keys.match(closed[0]), house.store.keys.tournament("spring"))
    house.store.link.read("HSET", match, "group", "spring.1.0.1")
    spec = house.store.tournaments.get("spring").spec
    house.store.link.read("HSET", tournament, "spec", spec.replace(FORMAT, "chess"))
    with pytest.raises(ExceptionGroup, match="1 of 3 matches"):
        house.rater.rate(closed, house.now_ms)
    assert [state(house, match) for match in closed] == [MatchState.CLOSED, MatchState.RATED, MatchState.RATED]


def test_results_of_a_moment_move_their_tournament_on_once_and_the_last_one_at_any_time(house: House) -> None:
    """While more is to be played it was created ahead; nobody waits for the end."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    house.look()
    first, second, last = house.referee.play(house.now_ms)
    house.bell.jobs.clear()
    rung = []
    for match in (first, second, last):
        house.rater.rate([match], house.now_ms)
        rung.append([job.task for job in house.bell.jobs])
        house.bell.jobs.clear()
    assert rung == [["plan"], [], ["plan"]]


def test_results_of_another_moment_move_their_tournament_on_again(house: House, closed: list[str]) -> None:
    """Not only the first ones."""
    house.bell.jobs.clear()
    house.rater.rate(closed[:1], house.now_ms)
    house.rater.rate(closed[1:2], house.now_ms + GO_ON_MS)
    assert [job.task for job in house.bell.jobs] == ["plan", "plan"]


def test_a_parked_result_can_be_put_back(house: House, closed: list[str]) -> None:
    """After the cause is gone an operator requeues it, and it is rated."""
    house.rater.isolate(closed[:1], house.now_ms)
    house.desk.requeue(closed[0], "new release", "tester")
    house.look()
    assert state(house, closed[0]) is MatchState.RATED


def test_rating_counts(house: House, closed: list[str]) -> None:
    """Matches, meetings and games are counted for the exporter, once."""
    house.rater.rate(closed, house.now_ms)
    house.rater.rate(closed, house.now_ms)
    counts = house.store.counters.read()
    labels = {"format": FORMAT}
    assert [counts[Counter(f"rated_{unit}_total", labels)] for unit in ("matches", "meetings", "games")] == [3, 6, 12]


def test_ratings_move_as_the_format_has_it_when_its_ladder_begins(house: House, closed: list[str]) -> None:
    """Games to a target are many rounds, and their scale is wider."""
    assert terms("uno-classic-500-2").elo == terms("dos-200-2").elo == EloConfig(64_000, 4_000, 10_000)
    assert terms("uno-classic-2").elo == terms("duo").elo == EloConfig()
    replace(house.rater, formats=to_a_target).rate(closed, house.now_ms)
    assert house.store.ratings.ladder(FORMAT).elo == TO_A_TARGET
    assert house.store.ratings.rebuild(FORMAT).equal


def test_a_ladder_that_began_otherwise_stays_as_it_is(house: House, closed: list[str]) -> None:
    """What an earlier version wrote holds: nothing is parked, and the log still leads to what is served."""
    house.rater.rate(closed[:1], house.now_ms)
    replace(house.rater, formats=to_a_target).rate(closed[1:], house.now_ms)
    assert {state(house, match) for match in closed} == {MatchState.RATED}
    assert house.store.ratings.ladder(FORMAT).elo == EloConfig()
    assert house.store.ratings.rebuild(FORMAT).equal


def to_a_target(name: str) -> Terms:
    """Return a format as if its games had a target."""
    return replace(terms(name), elo=TO_A_TARGET)


def test_who_was_not_there_is_counted_among_faults(house: House, closed: list[str]) -> None:
    """Alerts and dashboards see a bot that vanishes as they see one that is late."""
    result = json.loads(house.store.matches.get(closed[0]).result)
    text = json.dumps(result | {"forfeits": [{"entrant": 1, "reason": "ABSENT"}]})
    house.store.link.read("HSET", house.store.keys.match(closed[0]), "result", text)
    replace(house.rater, fold=lambda row, *_: row.result).rate(closed, house.now_ms)
    assert house.store.counters.read()[Counter("rated_faults_total", {"kind": "absent"})] == 1


@pytest.mark.parametrize(
    ("reason", "outcome", "counted"),
    [pytest.param("ABSENT", "rated", 1, id="left it"), pytest.param("NEVER_CAME", "walkover", 0, id="never came")],
)
def test_who_leaves_a_match_is_rated_and_who_never_came_is_not(
    house: House, closed: list[str], reason: str, outcome: str, counted: int
) -> None:
    """What was forfeited moves the ladder and is in its fit; a walkover does neither."""
    match, ratings = closed[0], house.store.ratings
    result = json.loads(house.store.matches.get(match).result)
    text = json.dumps(result | {"forfeits": [{"entrant": 1, "reason": reason}]})
    house.store.link.read("HSET", house.store.keys.match(match), "result", text)
    replace(house.rater, fold=lambda row, *_: row.result).rate([match], house.now_ms)
    assert outcome_of(house.store.matches.get(match)) == outcome
    assert (ratings.counted(FORMAT) if FORMAT in ratings.formats() else 0) == counted
    fit = Fitter(house.store).fit(FORMAT, house.now_ms) if FORMAT in ratings.formats() else None
    assert len(fit.rows if fit else ()) == 2 * counted


@pytest.mark.parametrize(
    ("bot", "before"),
    [pytest.param("a@1", None, id="a first version"), pytest.param("a@12", "a@11", id="a later one")],
)
def test_predecessors(bot: str, before: str | None) -> None:
    """A version starts from the one before it."""
    assert predecessor(bot) == before
