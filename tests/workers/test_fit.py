"""The fit of a ladder: made from its log, without luck once that is known, again when there is more, served at once."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest

from ladder.corrections import correction_for
from ladder.elo import MICRO
from ladder.readings.boards import Board, Boards
from ladder.readings.tournament_tables import TournamentTables
from ladder.readings.weighing import Weighing
from ladder.shapes import board_csv
from ladder.standings import Fitted
from ladder.store import Store
from ladder.store.fits import FitState, LadderFit
from ladder.tables import Table
from ladder.terminal.screen import show_board
from ladder.wire import board_of, board_to
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT
from workers.engine import gifts_of, terms
from workers.fit import PERIOD_MS, SHARE, Fitter, stale
from workers.fortune import Fortune

pytestmark = pytest.mark.slow

FIT = LadderFit(generation=0, seq=3, at_ms=1_000, took_ms=10, pending=0, rows={"a@1": Fitted(1510.0, 20.0)})


@pytest.fixture
def played(house: House) -> House:
    """Play and rate a small tournament, and nothing else: no fit, no luck."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=6))
    house.play("spring")
    house.answer()
    house.store.link.read("DEL", house.store.keys.ladder(FORMAT, "fit"))
    return house


def board(store: Store) -> Board:
    """Return the ladder as it is served now."""
    return Boards(store.ratings, store.fits, weighing=Weighing.of(store)).get(FORMAT)


def table(store: Store) -> Table:
    """Return the table of the one tournament, whose games are all that the ladder has."""
    return TournamentTables(store.matches, store.ratings, weighing=Weighing.of(store)).get(
        store.tournaments.get("spring")
    )


@pytest.mark.parametrize(
    ("state", "now_ms", "expected"),
    [
        pytest.param(FitState(FORMAT, 0, 0, None), 0, False, id="nothing was played"),
        pytest.param(FitState(FORMAT, 0, 1, None), 0, True, id="the first match"),
        pytest.param(FitState(FORMAT, 0, 3, FIT), 10**9, False, id="nothing new"),
        pytest.param(FitState(FORMAT, 0, 4, FIT), 1_000 + PERIOD_MS - 1, False, id="new matches, too early"),
        pytest.param(FitState(FORMAT, 0, 4, FIT), 1_000 + PERIOD_MS, True, id="new matches"),
        pytest.param(FitState(FORMAT, 0, 3, replace(FIT, pending=1)), 1_000 + PERIOD_MS, True, id="luck is to come"),
        pytest.param(FitState(FORMAT, 1, 3, FIT), 1_001, True, id="matches were declared void"),
        pytest.param(FitState(FORMAT, 0, 3, replace(FIT, since=None)), 1_001, True, id="by which weights is not said"),
        pytest.param(
            FitState(FORMAT, 0, 4, replace(FIT, took_ms=PERIOD_MS)), 1_000 + 19 * PERIOD_MS, False, id="a dear fit"
        ),
        pytest.param(
            FitState(FORMAT, 0, 4, replace(FIT, took_ms=PERIOD_MS)),
            1_000 + SHARE * PERIOD_MS,
            True,
            id="a dear fit, later",
        ),
    ],
)
def test_when_a_fit_is_due(state: FitState, now_ms: int, expected: bool) -> None:
    """New games or new luck, and not more often than it may cost."""
    assert stale(state, now_ms) is expected


def test_before_a_fit_ratings_are_live_and_provisional(played: House) -> None:
    """Without one there is no interval."""
    live = {tally.bot: tally.micro / MICRO for tally in played.store.ratings.tallies(FORMAT)}
    found = board(played.store)
    assert {row.bot: row.elo for row in found.standings} == live
    assert all(row.ci95 is None and row.provisional for row in found.standings)
    assert found.fitted_ms == 0


def test_a_fit_is_that_of_all_games(played: House) -> None:
    """It says what the table of a tournament of the same games says, raw while luck is to come, then corrected."""
    store = played.store
    raw = Fitter(store).fit(FORMAT, played.now_ms)
    assert raw is not None
    assert raw.pending == 3
    assert all(row.provisional for row in raw.rows.values())
    same(board(store), table(store))
    assert Fortune(store, gifts_of).compute(played.referee.played) == 3
    later = played.now_ms + PERIOD_MS
    corrected = Fitter(store).fit(FORMAT, later)
    assert corrected is not None
    assert corrected.pending == 0
    same(board(store), table(store))
    assert all(row.luck is not None and row.ci95 is not None for row in board(store).standings)
    assert board(store).fitted_ms == later
    assert Fitter(store).fit(FORMAT, later + 10**9) is None


def test_a_board_as_csv_names_the_weights_where_luck_is_taken_out(played: House) -> None:
    """In the last column of every line; it is empty as long as luck is in the ratings."""
    store, shipped = played.store, correction_for(terms(FORMAT).ruleset)
    assert shipped is not None
    Fitter(store).fit(FORMAT, played.now_ms)
    assert last_cells(board(store)) == ["lc_versions", "", "", ""]
    Fortune(store, gifts_of).compute(played.referee.played)
    Fitter(store).fit(FORMAT, played.now_ms + PERIOD_MS)
    assert last_cells(board(store)) == ["lc_versions", *[shipped.version] * 3]
    both = replace(board(store), lc_versions=("one", "other"))
    assert last_cells(both) == ["lc_versions", *["one;other"] * 3]


def test_a_board_says_whether_luck_is_in_what_it_shows(played: House) -> None:
    """Whatever weights hold: before a fit, in one without luck, and no more once it was taken out."""
    store, luck_is_in = played.store, "luck is in all ratings that are shown"

    def shown() -> str:
        text = StringIO()
        show_board(board_of(board_to(board(store), 10)), text)
        assert "luck: weights " in text.getvalue()
        return text.getvalue()

    assert luck_is_in in shown()
    Fitter(store).fit(FORMAT, played.now_ms)
    assert luck_is_in in shown()
    Fortune(store, gifts_of).compute(played.referee.played)
    Fitter(store).fit(FORMAT, played.now_ms + PERIOD_MS)
    assert luck_is_in not in shown()


def test_a_fit_of_the_first_release_is_read_and_made_anew(played: House) -> None:
    """It did not say by which weights luck is taken out: until it does, nobody is told that it is not."""
    store = played.store
    Fortune(store, gifts_of).compute(played.referee.played)
    found = Fitter(store).fit(FORMAT, played.now_ms)
    assert found is not None
    text = json.dumps({name: kept for name, kept in json.loads(found.text()).items() if name != "since"})
    store.link.read("HSET", store.keys.ladder(FORMAT, "fit"), "text", text)
    assert store.fits.get(FORMAT) == replace(found, since=None)
    again = Fitter(store).fit(FORMAT, played.now_ms + 1)
    assert again is not None
    assert (again.rows, again.since) == (found.rows, found.since)
    assert Fitter(store).fit(FORMAT, played.now_ms + 10**9) is None


def last_cells(found: Board) -> list[str]:
    """Return the last column of a ladder as CSV."""
    return [line.rpartition(",")[2] for line in board_csv(found).splitlines()]


def test_where_nobody_computes_luck_no_rating_waits_for_it(house: House) -> None:
    """The table of the games as they were played is the last word, unless the luck of them is known after all."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=40))
    house.play("spring")
    store, row = house.store, house.store.tournaments.get("spring")
    waiting = TournamentTables(store.matches, store.ratings, weighing=Weighing.of(store)).get(row).standings
    final = TournamentTables(store.matches, store.ratings, weighing=Weighing.of(store), awaits=False)
    assert all(found.provisional for found in waiting)
    assert final.get(row).standings == tuple(replace(found, provisional=False) for found in waiting)
    Fortune(store, gifts_of).compute(house.referee.played)
    assert all(found.luck is not None for found in final.get(store.tournaments.get("spring")).standings)


def same(found: Board, expected: Table) -> None:
    """Compare what a ladder and a tournament say of the same games."""
    rows = {row.bot: row for row in expected.standings}
    for row in found.standings:
        other = rows[row.bot]
        assert row.elo == pytest.approx(other.elo, abs=1e-6)
        assert row.ci95 == pytest.approx(other.ci95, abs=1e-6)
        assert row.luck == pytest.approx(other.luck)
        assert row.raw_elo == pytest.approx(other.raw_elo, abs=1e-6)


def test_a_look_rings_for_it(played: House) -> None:
    """It is made without anybody asking."""
    played.look(2_000)
    assert board(played.store).fitted_ms == played.now_ms


def test_an_older_fit_does_not_replace_a_newer_one(store: Store) -> None:
    """Two workers may fit at once; the one that read more games counts."""
    assert store.fits.put(FORMAT, FIT)
    assert not store.fits.put(FORMAT, replace(FIT, seq=2, at_ms=9_000))
    assert not store.fits.put(FORMAT, replace(FIT, generation=1, seq=9))
    assert store.fits.get(FORMAT) == FIT
    assert store.fits.put(FORMAT, replace(FIT, seq=4))


def test_after_a_void_the_old_fit_is_not_served(played: House) -> None:
    """Its games are not those of the ladder any more; the next look makes another one."""
    store = played.store
    Fitter(store).fit(FORMAT, played.now_ms)
    match = played.referee.played[0]
    played.desk.void(match, "a wrong deal", "tester")
    played.renewer.renew(FORMAT)
    assert store.fits.get(FORMAT) is None
    fit = Fitter(store).fit(FORMAT, played.now_ms)
    assert fit is not None
    assert fit.generation == 1
    assert sum(row.meetings for row in board(store).standings) == 2 * 2 * 6


def test_who_is_new_stands_beside_the_fit_with_its_live_rating(played: House) -> None:
    """A version that entered after the fit has no interval yet."""
    Fitter(played.store).fit(FORMAT, played.now_ms)
    played.store.ratings.enter(played.store.ratings.ladder(FORMAT), {"late@1": None})
    rows = {row.bot: row for row in board(played.store).standings}
    assert (rows["late@1"].elo, rows["late@1"].ci95, rows["late@1"].provisional) == (1500.0, None, True)
    assert rows["alpha@1"].ci95 is not None


def test_a_ladder_that_cannot_be_read_holds_up_no_other(played: House) -> None:
    """Whatever stands in the place of its fit, or of its generation: workers see to all others."""
    store = played.store
    played.now_ms += 1000
    assert "fit" in {job.task for job in played.lookout.look(played.now_ms)}
    store.link.read("SET", store.keys.ladder(FORMAT, "fit"), "x")
    store.link.read("HSET", store.keys.formats, "uno-house-2", "0" * 16)
    store.link.read("HSET", store.keys.ladder("uno-house-2", "games"), "#seq", "3")
    store.link.read("HSET", store.keys.formats, "dos-2", "0" * 16)
    store.link.read("HSET", store.keys.ladder("dos-2", "cfg"), "generation", "x")
    played.now_ms += 1000
    jobs = played.lookout.look(played.now_ms)
    assert [job.args for job in jobs if job.task == "fit"] == [("uno-house-2",)]
