"""What pages and services read: tables of tournaments, histories, boards."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.elo import MICRO
from ladder.readings import tournament_tables
from ladder.readings.auditing import audit_ladder
from ladder.readings.boards import Boards
from ladder.readings.changes import changes
from ladder.readings.fixtures import Fixtures
from ladder.readings.histories import MOST_STEPS, Histories, _Steps
from ladder.readings.tournament_tables import TournamentTables
from ladder.readings.voids import Voids
from ladder.readings.waits import Waits
from ladder.results import MatchResult
from ladder.store import Store
from ladder.store.rows import MatchPlan
from ladder.tables import Table, table
from tests.ladder_house import FORMAT, House

pytestmark = pytest.mark.slow

BOTS = ("a@1", "b@1", "c@1")
LIVE = dict.fromkeys(BOTS, 1500 * MICRO)


def result(entrants: tuple[str, ...], places: list[tuple[int, ...]], number: int = 0) -> MatchResult:
    """Return a match of one meeting a game."""
    seats = len(entrants)
    return MatchResult(
        match=f"t.1.1.{number}",
        format=FORMAT,
        ruleset="0" * 16,
        entrants=entrants,
        teams=tuple(range(seats)),
        ranks=tuple((game,) for game in places),
        points=(0,) * seats,
        rounds=(len(places),) * seats,
        faults=(0,) * seats,
    )


RESULTS = st.lists(
    st.tuples(
        st.sampled_from([pair for one in combinations(BOTS, 2) for pair in (one, one[::-1])]),
        st.lists(st.sampled_from([(1, 2), (2, 1), (1, 1)]), min_size=1, max_size=6),
    ).map(lambda drawn: result(drawn[0], list(drawn[1]))),
    min_size=1,
    max_size=8,
)


@settings(deadline=None)
@given(RESULTS)
def test_a_table_adds_up(results: list[MatchResult]) -> None:
    """Every game is one side's win and the other's loss; the ratings' mean is 1500; each pair is there once."""
    found = table(BOTS, results, LIVE)
    games = sum(len(one.ranks) for one in results)
    assert sum(row.wins for row in found.standings) == sum(row.losses for row in found.standings)
    assert sum(row.wins + row.ties + row.losses for row in found.standings) == 2 * games
    assert sum(pair.games for pair in found.pairs) == games
    assert all(pair.a < pair.b and 0 <= pair.score <= 1 for pair in found.pairs)
    assert len({(pair.a, pair.b) for pair in found.pairs}) == len(found.pairs)


@settings(deadline=None)
@given(RESULTS)
def test_a_table_does_not_depend_on_the_order_of_results(results: list[MatchResult]) -> None:
    """Matches end in any order."""
    turned = list(reversed(results))
    one, other = table(BOTS, results, LIVE), table(BOTS, turned, LIVE)
    rated = {row.bot: row.elo for row in other.standings}
    assert {row.bot: row.elo for row in one.standings} == pytest.approx(rated, abs=1e-6)
    assert [(pair.a, pair.b) for pair in one.pairs] == [(pair.a, pair.b) for pair in other.pairs]
    assert [pair.score for pair in one.pairs] == pytest.approx([pair.score for pair in other.pairs])


def test_the_difference_of_a_pair_is_that_of_the_ratings() -> None:
    """`elo` of a pair is a minus b, and the winner is ahead."""
    found = table(BOTS[:2], [result(("b@1", "a@1"), [(1, 2), (1, 2), (2, 1)])], LIVE)
    elo = {row.bot: row.elo for row in found.standings}
    (pair,) = found.pairs
    assert (pair.a, pair.b, pair.games) == ("a@1", "b@1", 3)
    assert pair.score == pytest.approx(1 / 3)
    assert pair.elo == pytest.approx(elo["a@1"] - elo["b@1"])
    assert pair.elo < 0


def test_before_the_first_result_there_is_no_table() -> None:
    """Nobody has a place before something was played."""
    assert table(BOTS, [], LIVE) == Table()


def test_a_tournaments_table_grows_with_its_matches(house: House) -> None:
    """Each new result is read once and counted, and a second look gives the same table."""
    tables = TournamentTables(house.store.matches, house.store.ratings)
    tournaments = house.store.tournaments
    before = tables.get(tournaments.get("spring-cup"))
    assert tables.get(tournaments.get("spring-cup")) is before
    house.play_row(house.store.matches.get("spring-cup.12.1.1"))
    after = tables.get(tournaments.get("spring-cup"))
    assert [sum(pair.games for pair in one.pairs) for one in (before, after)] == [110, 120]
    fresh = TournamentTables(house.store.matches, house.store.ratings)
    assert fresh.get(tournaments.get("spring-cup")) == after


def odd_cup(store: Store, matches: int, meetings: int = 1) -> tuple[House, list[MatchPlan]]:
    """Return a house with a tournament of two bots whose matches are planned and not played."""
    house = House(store)
    versions = house.register("alpha-bot", "beta-bot")
    house.enter(versions)
    house.tournament("odd-cup", versions, matches)
    return house, [house.match(f"odd-cup.1.1.{part}", versions, meetings, "odd-cup") for part in range(matches)]


def test_a_tournament_that_begins_while_its_table_is_read_has_none_yet(store: Store) -> None:
    """It was read before anybody took part; then matches were over that it knows nothing of."""
    house, plans = odd_cup(store, 1)
    early = replace(store.tournaments.get("odd-cup"), entrants=(), planned=0)
    house.play(plans[0])
    tables = TournamentTables(store.matches, store.ratings)
    assert tables.get(early) == Table()
    assert tables.get(store.tournaments.get("odd-cup")).pairs[0].games == 2


def test_a_match_out_of_order_is_not_missed(store: Store) -> None:
    """An old match that ends last is counted though newer ones were read before."""
    house, plans = odd_cup(store, 3)
    tables = TournamentTables(store.matches, store.ratings)
    seen = []
    for plan in (plans[2], plans[1], plans[0]):
        house.play(plan)
        seen.append(sum(pair.games for pair in tables.get(store.tournaments.get("odd-cup")).pairs))
    assert seen == [2, 4, 6]


def test_a_void_match_leaves_the_table(store: Store) -> None:
    """What an operator declares void does not count, also if it had been read."""
    house, plans = odd_cup(store, 2)
    house.play(plans[0])
    tables = TournamentTables(store.matches, store.ratings)
    assert tables.get(store.tournaments.get("odd-cup")).pairs[0].games == 2
    store.matches.void(plans[1].id, "a power cut", "operator", house.tick())
    assert tables.get(store.tournaments.get("odd-cup")).pairs[0].games == 2


def hashes_read(store: Store) -> int:
    """Return how many whole hashes the server has handed out."""
    said = cast("dict[str, dict[str, int]]", store.link.read("INFO", "commandstats"))
    return said["cmdstat_hgetall"]["calls"]


def test_a_match_that_was_read_is_not_read_again(store: Store) -> None:
    """Though an old match stays open, a look reads three: the open ones and what is new, or what was declared void."""
    house, plans = odd_cup(store, 20)
    for plan in plans[1:18]:
        house.play(plan)
    tables = TournamentTables(store.matches, store.ratings)

    def look() -> tuple[int, int]:
        row = store.tournaments.get("odd-cup")
        before = hashes_read(store)
        return tables.get(row).pairs[0].games, hashes_read(store) - before

    games, read = look()
    others = read - 20  # hashes that are not matches, whatever their number
    assert (games, look()) == (34, (34, 0))
    house.play(plans[18])
    assert look() == (36, others + 3)
    store.matches.annul(plans[5].id, "a wrong deal", house.tick())
    assert look() == (34, others + 3)
    fresh = TournamentTables(store.matches, store.ratings).get(store.tournaments.get("odd-cup"))
    assert fresh == tables.get(store.tournaments.get("odd-cup"))


def test_what_was_not_looked_at_for_long_is_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory holds so many matches: the tournament that was looked at last, others as far as there is room."""
    monkeypatch.setattr(tournament_tables, "MOST_MATCHES", 5)
    house = House(store)
    versions = house.register("alpha-bot", "beta-bot")
    house.enter(versions)
    for name, matches in (("one-cup", 2), ("two-cup", 3), ("big-cup", 6)):
        house.tournament(name, versions, matches)
        for part in range(matches):
            house.play(house.match(f"{name}.1.1.{part}", versions, 1, name))
    tables = TournamentTables(store.matches, store.ratings)

    def kept_after(name: str) -> list[str]:
        tables.get(store.tournaments.get(name))
        return list(tables._kept)

    assert kept_after("one-cup") == ["one-cup"]
    assert kept_after("two-cup") == ["one-cup", "two-cup"]
    assert kept_after("big-cup") == [
        "one-cup",
        "two-cup",
        "big-cup",
    ]  # its matches are not counted before they are read
    assert kept_after("big-cup") == ["big-cup"]
    assert kept_after("two-cup") == ["two-cup"]


def test_a_history_follows_the_log(house: House) -> None:
    """New matches are added to what was read before, and the last step is the rating."""
    histories = Histories(house.store.ratings)
    before = histories.steps(FORMAT, "careful@1")
    house.play(house.match("ladder.uno-classic-2.1.1", ["careful@1", "random@1"]))
    after = histories.steps(FORMAT, "careful@1")
    rated = {tally.bot: tally.micro / MICRO for tally in house.store.ratings.tallies(FORMAT)}
    assert after[:-1] == before
    assert after[-1].elo == rated["careful@1"]
    assert Histories(house.store.ratings).steps(FORMAT, "careful@1") == after
    assert histories.steps(FORMAT, "nobody@1") == ()


def test_a_history_follows_a_new_generation(house: House) -> None:
    """After a match was declared void, the steps are those of the ladder without it, and the log says so."""
    histories, boards = Histories(house.store.ratings), Boards(house.store.ratings, clock=lambda: house.clock_ms)
    before = histories.steps(FORMAT, "careful@1")
    boards.get(FORMAT)
    plan = house.match("ladder.uno-classic-2.7.1", ["careful@1", "random@1"])
    house.play(plan)
    assert histories.steps(FORMAT, "careful@1") != before
    house.store.matches.annul(plan.id, "a wrong deal", house.tick())
    house.store.generations.renew(FORMAT, "builder")
    assert histories.steps(FORMAT, "careful@1") == before
    rated = {tally.bot: tally.micro / MICRO for tally in house.store.ratings.tallies(FORMAT)}
    assert before[-1].elo == rated["careful@1"]
    assert {row.bot: row.elo for row in boards.get(FORMAT).standings} == pytest.approx(rated)
    last = changes(house.store.ratings.log(FORMAT), "", 1)[0]
    assert (last.match, last.bots, last.words()) == (plan.id, (), "declared void")
    assert audit_ladder(house.store, FORMAT).ok


@settings(deadline=None)
@given(st.integers(1, 3 * MOST_STEPS))
def test_a_long_history_keeps_its_ends_and_its_order(played: int) -> None:
    """Memory is bounded; the entry, the last step and the order of the others stay."""
    steps = _Steps()
    for number in range(played):
        steps.add(number + 1, number * MICRO, (number + 1) * MICRO)
    found = steps.steps()
    assert len(found) <= MOST_STEPS + 1
    assert (found[0].number, found[-1].number, found[-1].elo) == (0, played, played)
    assert [step.number for step in found] == sorted({step.number for step in found})


def test_a_board_is_read_again_only_when_something_happened(house: House) -> None:
    """The same object while the log stands still, another one after a match or, later, an entry."""
    now = [0.0]
    boards = Boards(house.store.ratings, clock=lambda: now[0])
    first = boards.get(FORMAT)
    assert boards.get(FORMAT) is first
    house.play(house.match("ladder.uno-classic-2.1.1", ["careful@1", "random@1"]))
    second = boards.get(FORMAT)
    assert second.seq == first.seq + 1
    house.enter(house.register("late-comer"))
    assert boards.get(FORMAT) is second
    now[0] += 10
    assert "late-comer@1" in {row.bot for row in boards.get(FORMAT).standings}


def test_standard_errors_shrink_with_the_rounds(house: House) -> None:
    """Who never played is shown without a bar, who played more has a shorter one."""
    house.enter(house.register("late-comer"))
    board = Boards(house.store.ratings).get(FORMAT)
    played = {row.bot: row.meetings for row in board.standings}
    assert board.errors["late-comer@1"] == float("inf")
    most, least = max(played, key=played.__getitem__), min(set(played) - {"late-comer@1"}, key=played.__getitem__)
    assert board.errors[most] <= board.errors[least] < 1000


def test_the_time_to_go_is_what_the_planner_reckoned(store: Store) -> None:
    """Games a second of the last ten, and the seconds until it will be over; none once it is."""
    house, plans = odd_cup(store, 2, meetings=5)
    house.play(plans[0])
    row, tables = store.tournaments.get("odd-cup"), TournamentTables(store.matches, store.ratings)
    later_ms, waits = row.started_ms + 3_600_000, Waits(store.registry, store.presence)
    fixtures = Fixtures(store.tournaments, tables, waits, Voids(store.matches), lambda: (later_ms + 10_000) * 1_000_000)
    assert (fixtures.get("odd-cup").games_per_second, fixtures.get("odd-cup").eta_s) == (0.0, None)
    house.pace("odd-cup", (later_ms, 0), (later_ms + 5_000, 4), over_ms=later_ms + 20_000)
    found = fixtures.get("odd-cup")
    assert found.games_per_second == pytest.approx(1.0)
    assert found.eta_s == pytest.approx(10.0)
    house.play(plans[1])
    house.finish("odd-cup")
    over = fixtures.get("odd-cup")
    row = store.tournaments.get("odd-cup")
    assert over.eta_s is None
    assert over.games_per_second == pytest.approx(20_000 / (row.ended_ms - row.started_ms))
