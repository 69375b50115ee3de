"""Luck of settled matches: computed by its own task, once, and taken out of the tables of tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from ladder.corrections import correction_for
from ladder.readings.tournament_tables import TournamentTables
from ladder.readings.weighing import Weighing
from ladder.store import Store
from ladder.store.counters import Counter
from ladder.store.gifts import MatchGifts
from ladder.store.rows import MatchRow
from lastcard.secret import Secret
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT
from workers.due import MOST_SLICES, SLICE, Job, View, due, fairly, owed
from workers.engine import gifts_of, terms
from workers.fortune import Fortune

pytestmark = pytest.mark.slow


@pytest.fixture
def played(house: House) -> list[str]:
    """Play and rate a small tournament; returns its matches."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    house.play("spring")
    house.look()
    return house.referee.played


@pytest.fixture
def fortune(store: Store) -> Fortune:
    """Return the use case."""
    return Fortune(store, gifts_of)


def test_what_is_rated_waits_for_its_luck(house: House, played: list[str]) -> None:
    """Every match, with its games; a look rings for it in slices."""
    assert sorted(house.store.gifts.waiting()) == [(match, 4) for match in sorted(played)]
    house.bell.jobs.clear()
    house.now_ms += 60_000
    house.lookout.look(house.now_ms)
    jobs = [job for job in house.bell.jobs if job.task == "luck"]
    assert [sorted(job.args[0]) for job in jobs] == [sorted(played)]


def test_luck_is_computed_once(house: House, played: list[str], fortune: Fortune) -> None:
    """A task that runs twice finds nothing to do; the numbers are those of the log."""
    assert fortune.compute(played) == len(played)
    kept = house.store.gifts.find(played)
    assert fortune.compute(played) == 0
    assert house.store.gifts.find(played) == kept
    assert house.store.gifts.waiting() == []
    for gifts in kept.values():
        assert [len(game) for game in gifts.games if game] == [2] * 4
    assert house.store.counters.read()[Counter("lucky_matches_total")] == len(played)


def test_a_tournaments_table_takes_luck_out_when_nearly_all_is_known(
    house: House, played: list[str], fortune: Fortune
) -> None:
    """Before that its ratings are raw and provisional; the raw ones stand beside the corrected ones."""
    store = house.store
    tables = TournamentTables(store.matches, store.ratings, weighing=Weighing.of(store))
    before = tables.get(store.tournaments.get("spring"))
    assert all(row.provisional and row.luck is None for row in before.standings)
    fortune.compute(played[:1])
    assert [row.elo for row in tables.get(store.tournaments.get("spring")).standings] == [
        row.elo for row in before.standings
    ]
    fortune.compute(played)
    after = tables.get(store.tournaments.get("spring"))
    correction = correction_for(terms(FORMAT).ruleset)
    assert correction is not None
    assert (before.lc_versions, after.lc_versions) == ((), (correction.version,))
    raw = {row.bot: row.elo for row in before.standings}
    assert {row.bot: row.raw_elo for row in after.standings} == pytest.approx(raw)
    assert any(abs(row.elo - raw[row.bot]) > 0.1 for row in after.standings)
    assert sum(row.luck or 0.0 for row in after.standings) == pytest.approx(0, abs=1e-9)
    assert after == TournamentTables(store.matches, store.ratings, weighing=Weighing.of(store)).get(
        store.tournaments.get("spring")
    )


def test_what_cannot_be_followed_keeps_its_results(house: House, played: list[str]) -> None:
    """An alarm, and nobody waits for it; the others get their luck."""

    def broken(row: MatchRow, seed: Secret, entries: Sequence[bytes]) -> MatchGifts:
        if row.id == played[0]:
            raise ZeroDivisionError
        return gifts_of(row, seed, entries)

    assert Fortune(house.store, broken).compute(played) == len(played) - 1
    assert house.store.gifts.waiting() == []
    assert house.store.counters.read()[Counter("alarms_total", {"kind": "luck"})] == 1
    assert played[0] not in house.store.gifts.find(played)


def test_who_is_not_reached_in_time_comes_again(house: House, played: list[str]) -> None:
    """What was computed is kept; only a match that takes all the time of a task by itself is left without."""
    late = {played[1]}

    def slow(row: MatchRow, seed: Secret, entries: Sequence[bytes]) -> MatchGifts:
        if row.id in late:
            raise SoftTimeLimitExceeded
        return gifts_of(row, seed, entries)

    with pytest.raises(SoftTimeLimitExceeded):
        Fortune(house.store, slow).compute(played)
    assert played[0] in house.store.gifts.find(played)
    assert {match for match, _ in house.store.gifts.waiting()} == set(played[1:])
    assert Fortune(house.store, slow).compute(played[1:]) == len(played) - 2
    assert house.store.gifts.waiting() == []
    assert house.store.counters.read()[Counter("alarms_total", {"kind": "luck"})] == 1


def test_a_slice_that_kills_its_process_is_left_without(house: House, played: list[str], fortune: Fortune) -> None:
    """It would otherwise come back for ever."""
    fortune.leave(played)
    assert house.store.gifts.waiting() == []
    assert house.store.counters.read()[Counter("alarms_total", {"kind": "luck"})] == len(played)


def test_a_match_that_is_gone_does_not_wait(house: House, played: list[str], fortune: Fortune) -> None:
    """Somebody deleted it."""
    house.store.link.read("DEL", house.store.keys.match(played[0]))
    assert fortune.compute(played) == len(played) - 1
    assert house.store.gifts.waiting() == []


def test_luck_can_be_switched_off(house: House) -> None:
    """Then nothing is asked for."""
    object.__setattr__(house.rater, "luck", False)
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=1))
    house.play("spring")
    house.look()
    assert house.store.gifts.waiting() == []


def test_games_to_a_target_have_no_luck() -> None:
    """Formats say whether luck can be taken out; weights are shipped for those that are offered."""
    assert terms(FORMAT).correctable
    assert correction_for(terms(FORMAT).ruleset)
    assert not terms("uno-classic-500-2").correctable


def test_slices_have_few_rounds() -> None:
    """None has more than 500 but for one match alone; results go first, and a look hands out some only."""
    waiting = [(f"m{n}", 32) for n in range(1000)]
    jobs = [job for job in due(0, View(luck=waiting)) if job.task == "luck"]
    assert len(jobs) == MOST_SLICES
    assert all(32 * len(job.args[0]) <= SLICE for job in jobs)
    assert [match for job in jobs for match in job.args[0]] == [match for match, _ in waiting[: 15 * MOST_SLICES]]
    assert due(0, View(luck=[("big", 700), ("small", 2)])) == (Job("luck", (("big",),)), Job("luck", (("small",),)))


def test_while_results_wait_luck_does_not_hurry() -> None:
    """One slice of it behind many results."""
    view = View(closed=[f"c{n}" for n in range(100)], luck=[(f"m{n}", 32) for n in range(1000)])
    tasks = [job.task for job in due(0, view)]
    assert tasks == ["rate"] * 4 + ["luck"]


@pytest.mark.parametrize(
    ("waited_s", "slices"),
    [
        pytest.param(-5, 0, id="another clock"),
        pytest.param(19, 0, id="not long"),
        pytest.param(20, 1, id="long"),
        pytest.param(65, 3, id="longer"),
        pytest.param(3600, 4, id="very long: results have their part, too"),
    ],
)
def test_luck_that_has_waited_for_long_has_its_turn(waited_s: int, slices: int) -> None:
    """The more of it at once, the longer; it is heard among the results."""
    view = View(closed=[f"c{n}" for n in range(100)], luck=[(f"m{n}", 32) for n in range(1000)])
    jobs = due(0, replace(view, owed=owed(waited_s * 1000, 0)))
    assert [job.in_turn for job in jobs if job.task == "luck"] == ([True] * slices or [False])
    assert [job.task for job in jobs[:slices]] == ["luck"] * slices


def test_small_tournaments_have_their_luck_beside_large_ones() -> None:
    """One match of each in turn, the oldest first."""
    assert list(fairly(["a.1.1.0", "a.2.1.0", "b.1.1.0", "a.3.1.0", "b.2.1.0"])) == [
        *("a.1.1.0", "b.1.1.0", "a.2.1.0", "b.2.1.0", "a.3.1.0")
    ]
