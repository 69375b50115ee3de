"""Deals that many tables share: no owner meets one twice, and what nobody else may see stays sealed until the end."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.errors import InvalidFieldError, WrongStateError
from ladder.readings.summaries import Summaries
from ladder.results import BadResultError
from ladder.store.counters import Counter as Tally
from ladder.store.errors import WrongStateError as StateError
from ladder.store.rows import MatchRow, MatchState
from ladder.web.details import entrants, games
from lastcard.secret import Secret
from referee import formats
from referee.game_records import records
from referee.logbook import LOG_FORMAT
from referee.match_spec import MatchSpec
from referee.rules.verify import verify
from tests.store.scenes import parked
from tests.workers.house import FIELD, GROUP, NAMES, House, field, of_group, play_group, spec
from tests.workers.small_referee import playing
from workers.engine import deals_of, spec_of
from workers.records.closed_match import GameId, closed_match
from workers.schedule.deal_groups import HOUSE, groups
from workers.tournaments import sealing
from workers.tournaments.life import State, Verb
from workers.tournaments.notes import Notes
from workers.tournaments.spec import Deals, Kind, TournamentSpec

pytestmark = pytest.mark.slow

OWNERS = st.integers(HOUSE, 5)
SEED, OTHER_SEED = Secret(b"s" * 32), Secret(b"t" * 32)
DEAL_ALARMS = Tally("alarms_total", {"kind": "deal"})


@given(st.lists(st.lists(OWNERS, min_size=2, max_size=4), min_size=1, max_size=12))
def test_no_owner_meets_a_deal_twice(owners: list[list[int]]) -> None:
    """Whoever owns what: in a group of tables everybody but the house stands once, and no table is left out."""
    tables = [[f"{table}-{seat}" for seat in range(len(of_table))] for table, of_table in enumerate(owners)]
    kin = {
        bot: owner
        for table, of_table in zip(tables, owners, strict=True)
        for bot, owner in zip(table, of_table, strict=True)
    }
    found = groups(tables, kin)
    assert len(found) == len(tables)
    for group, count in Counter(found).items():
        seated = [kin[bot] for name, table in zip(found, tables, strict=True) if name == group for bot in table]
        strangers = [owner for owner in seated if owner != HOUSE]
        assert count == 1 or len(set(strangers)) == len(strangers)


def test_strangers_share_one_group() -> None:
    """With an owner each all tables play the same deals; a second bot of one owner needs another group."""
    tables = [["a", "b"], ["c", "d"], ["e", "f"]]
    alone = {bot: number for number, bot in enumerate("abcdef", 1)}
    assert groups(tables, alone) == ("g0", "g0", "g0")
    assert groups(tables, alone | {"c": alone["a"]}) == ("g0", "g1", "g0")
    assert groups(tables, alone | {"d": alone["c"]}) == ("g0", "t2", "g0")
    assert groups(tables, dict.fromkeys("abcdef", HOUSE)) == ("g0", "g0", "g0")


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("log_format", [1, LOG_FORMAT])
def test_in_a_meeting_each_deal_comes_once_in_an_order_of_the_table(seats: int, log_format: int) -> None:
    """Everybody sits in every seat; which deal that is differs from table to table and from meeting to meeting."""
    chosen = formats.get(f"uno-classic-{seats}-field")
    bots = tuple(f"b{number}@1" for number in range(seats))
    orders = set()
    for table in range(1, 20):
        name = f"cup.1.{table}.0"
        played = MatchSpec(name, chosen, bots, 3, with_nonces=False, group="cup.1.0.g0", log_format=log_format)
        assert played.deals_of == "cup.1.0.g0"
        for meeting in range(3):
            deals = [played.deal_of(meeting * seats + game, SEED) for game in range(seats)]
            assert sorted(deals) == list(range(seats))
            orders.add(tuple(deals))
    assert len(orders) == seats


def test_nobody_knows_without_the_seed_which_games_have_one_deal() -> None:
    """Ids are public: the order of a table's deals follows from them and the seed of the group, as its commitment does.

    Logs of before were in an order that followed from the ids alone, and are read so.
    """
    chosen, bots = formats.get(FIELD), ("a@1", "b@1")
    specs = [MatchSpec(f"cup.1.{table}.0", chosen, bots, 16, group="cup.1.0.g0") for table in range(1, 9)]
    orders = [[[spec.deal_of(game, seed) for game in range(32)] for spec in specs] for seed in (SEED, OTHER_SEED)]
    assert len({tuple(order) for of_seed in orders for order in of_seed}) == 16
    commitments = {spec.commitment(seed) for spec in specs for seed in (SEED, OTHER_SEED)}
    assert len(commitments) == 16
    assert sha256(SEED.reveal()).digest() not in commitments
    public = [replace(spec, log_format=1) for spec in specs]
    assert all(spec.deal_of(game, SEED) == spec.deal_of(game, OTHER_SEED) for spec in public for game in range(32))
    assert {spec.commitment(SEED) for spec in public} == {sha256(SEED.reveal()).digest()}


def test_once_a_group_is_over_its_results_say_which_deals_they_had(house: House) -> None:
    """So that ratings regard them; and the record of each game has its deal, its group's seed, and verifies."""
    house.enter(*NAMES, formats=(FIELD,))
    house.create(field(meetings=2))
    house.look()
    play_group(house)
    done = [row for row in of_group(house) if row.result]
    assert len(done) == 8
    for row in done:
        seed = house.store.matches.seed(row.id)
        assert seed is not None
        expected = [spec_of(row).deal_of(game, seed) for game in range(4)]
        assert json.loads(row.result)["deals"] == expected
        assert deals_of(row) == tuple(f"{GROUP}/{game // 2}/{deal}" for game, deal in enumerate(expected))
        assert row.commitment == spec_of(row).commitment(seed).hex()
        entries = [data for _, _, data in house.store.matches.log(row.id)]
        for game, record in records(spec_of(row), seed, entries):
            assert record["fairness"]["deal"] == expected[game]
            assert verify(record) is None
    assert len({row.commitment for row in done}) == len(done)


def test_an_order_of_deals_that_only_the_seed_tells_is_not_invented(house: House) -> None:
    """Where a result does not say it; logs of before it was hidden do without."""
    house.enter(*NAMES, formats=(FIELD,))
    house.create(field(meetings=2))
    house.look()
    row = of_group(house)[0]
    silent = json.dumps({"meetings": []})
    for result in ("", silent, "[]", "{"):
        with pytest.raises(BadResultError, match=re.escape(row.id)):
            deals_of(replace(row, result=result))
    old = replace(row, log_format=LOG_FORMAT - 1)
    expected = [spec_of(old).deal_of(game, SEED) for game in range(4)]
    for result in ("", silent):
        assert deals_of(replace(old, result=result)) == tuple(
            f"{GROUP}/{game // 2}/{deal}" for game, deal in enumerate(expected)
        )


@pytest.mark.parametrize(
    "wish",
    [
        pytest.param(replace(spec("spring"), deals=Deals.FIELD, trusted=True, grace_s=5), id="of all"),
        pytest.param(replace(field(), grace_s=5), id="of bots by name, one of whom never came"),
    ],
)
def test_with_fewer_tables_than_share_deals_nothing_begins(house: House, wish: TournamentSpec) -> None:
    """Those who are there are known only then; it waits as it does for the bots of a table, and says what it lacked."""
    house.enter(*NAMES[1:], formats=(FIELD,))
    house.store.registry.register(NAMES[0], "nobody", now_ms=house.now_ms)
    house.create(wish)
    house.look()
    assert not house.state("spring").over
    assert house.desk.get("spring").plan.fewest == 16
    house.look(6_000)
    shown = house.desk.get("spring")
    assert (shown.state, shown.entrants) == (State.CANCELLED, ())
    assert shown.reason == "15 bots were there, 16 are needed for the 8 tables that share deals at least"


def test_with_enough_tables_a_tournament_of_all_shares_deals(house: House) -> None:
    """As soon as they are there; the plan says how many are needed."""
    wish = replace(spec("spring", meetings=1), deals=Deals.FIELD, trusted=True)
    house.enter(*NAMES[1:], formats=(FIELD,))
    assert house.desk.plan(wish).fewest == 16
    (sentence,) = house.desk.create(wish, b"", "tester").warnings
    assert sentence.startswith(f"15 bots offer {FIELD} now, 16 are needed; ")
    house.look()
    house.register(NAMES[:1])
    house.referee.seat(playing([f"{name}@1" for name in NAMES], formats=(FIELD,)))
    house.look()
    assert house.state("spring") is State.RUNNING
    assert {row.group for row in of_group(house)} == {GROUP}
    assert len(of_group(house)) == 8


@pytest.fixture
def begun(house: House) -> list[str]:
    """Begin such a tournament and play a part of it; returns the matches that were played."""
    house.enter(*NAMES, formats=(FIELD,))
    house.create(field(meetings=2))
    house.look()
    played = house.referee.play(house.now_ms, 3)
    house.look()
    return played


def rows(house: House) -> list[MatchRow]:
    """Return all matches of the tournament."""
    return list(house.store.matches.page(tournament="spring", limit=500).rows)


def test_nothing_is_shown_or_applied_before_the_last_table_is_over(house: House, begun: list[str]) -> None:
    """Result, points, records, standings and ratings of a closed match wait for the others of its group."""
    (sealed, *_) = house.store.matches.rows(begun)
    assert (sealed.state, sealed.sealed) == (MatchState.CLOSED, True)
    assert house.store.ratings.seq(FIELD) == 0
    summaries = Summaries(house.store.matches)
    assert (summaries.of(sealed).wins, summaries.of(sealed).faults) == ((), ())
    assert [line.points for line in entrants(sealed, summaries.wins(sealed))] == [None, None]
    assert games(sealed) == ()
    with pytest.raises(WrongStateError, match="other tables still play its deals") as refused:
        closed_match(house.store, sealed.id)
    assert refused.value.reason == "SEALED"
    assert house.desk.get("spring").table.standings == ()
    of_group = [row.commitment for row in house.store.matches.rows(begun) if row.group == sealed.group]
    assert len(set(of_group)) == len(of_group) > 1  # nobody sees from them which tables share a seed


def test_when_all_is_played_all_is_shown(house: House, begun: list[str]) -> None:
    """It finishes, every match counts once, records verify, and tables of a group had the same deals."""
    assert house.play("spring") is State.FINISHED
    assert all(row.state is MatchState.RATED and not row.nonces for row in rows(house))
    assert house.store.ratings.seq(FIELD) == len(rows(house)) == 120
    assert house.store.ratings.rebuild(FIELD).equal
    one, other, *_ = [row for row in rows(house) if row.leg == 1]
    assert one.group == other.group == GROUP
    decks = [decks_of(house, row) for row in (one, other)]
    assert decks[0] == decks[1]
    later = next(row for row in rows(house) if row.leg == 2)
    assert not decks_of(house, later) & decks[0]


def decks_of(house: House, row: MatchRow) -> set[str]:
    """Return the deals of a match, whose records are sound."""
    found = closed_match(house.store, row.id)
    assert found.doubt() is None
    records = found.records(GameId(row.id))
    assert [verify(record) for record in records] == [None] * len(records)
    assert {record["fairness"]["match_id"] for record in records} == {row.group}
    return {
        json.dumps([record["fairness"]["meeting"], record["fairness"]["deal"], record["fairness"]["seed"]])
        for record in records
    }


def test_a_void_match_is_played_again_on_deals_of_its_own(house: House, begun: list[str]) -> None:
    """The others of its group are not held up by it, and its new deals are nobody else's."""
    house.desk.void(begun[0], "a wrong deal", "tester")
    again = house.desk.requeue(begun[0], "", "tester")
    assert again.group == again.id == f"{begun[0]}.r2"
    play_group(house, again.id)
    assert {row.state for row in of_group(house)} == {MatchState.RATED}
    assert house.store.ratings.seq(FIELD) == 8
    first, second = house.store.matches.rows([begun[0], again.id])
    assert (first.state, second.state) == (MatchState.VOID, MatchState.RATED)
    assert second.commitment != first.commitment or not first.commitment


def test_a_cancelled_tournament_breaks_its_seals(house: House, begun: list[str]) -> None:
    """What will never be played holds nothing back: what was played counts."""
    house.desk.turn("spring", Verb.CANCEL, "rain", "tester")
    house.look()
    house.look()
    assert {row.state for row in rows(house)} == {MatchState.RATED, MatchState.VOID}
    assert house.store.ratings.seq(FIELD) == len(begun)


def test_a_parked_match_is_not_simply_put_back(house: House, begun: list[str]) -> None:
    """Others may know its deals by then: it is void, and played again on new ones."""
    waiting = next(iter(house.store.matches.waiting()))
    parked(house.store, waiting, "strikes", house.now_ms)
    again = house.desk.requeue(waiting, "its deals are known", "tester")
    assert again.group == again.id == f"{waiting}.r2"
    before = house.store.matches.get(waiting)
    assert (before.state, before.reason) == (MatchState.VOID, "its deals are known")
    assert house.store.tournaments.get("spring").parked == 0
    lines = [(deed.verb, deed.target) for deed in reversed(house.store.audit.tail(2))]
    assert lines == [("requeue", waiting), ("replay", again.id)]
    parked(house.store, again.id, "strikes", house.now_ms)
    assert house.desk.requeue(again.id, "nobody else has its deals", "tester").state is MatchState.READY


def test_nobody_is_told_to_void_a_good_match(house: House, begun: list[str]) -> None:
    """What is not parked is not said to have shared its deals: nothing is wrong with it."""
    waiting = next(iter(house.store.matches.waiting()))
    assert house.desk.requeue(waiting, "", "tester").state is MatchState.READY
    assert house.desk.requeue(begun[0], "", "tester").state is MatchState.CLOSED
    play_group(house)
    with pytest.raises(WrongStateError, match="is rated: only a parked one is put back"):
        house.desk.requeue(begun[0], "", "tester")


def test_a_parked_result_of_a_group_needs_no_new_deals(house: House, begun: list[str]) -> None:
    """It was played: only a worker could not go on with it."""
    house.store.matches.spoil(begun[0], "unproven", house.now_ms)
    assert house.desk.requeue(begun[0], "a new release", "tester").state is MatchState.CLOSED
    play_group(house)
    assert house.store.ratings.seq(FIELD) == 8


def test_a_parked_match_of_a_group_is_not_said_to_be_played_again_after_the_end(house: House, begun: list[str]) -> None:
    """Then a void one is lost, and nothing is gained by declaring it void."""
    waiting = next(iter(house.store.matches.waiting()))
    parked(house.store, waiting, "strikes", house.now_ms)
    house.desk.turn("spring", Verb.CANCEL, "rain", "tester")
    with pytest.raises(StateError, match="is cancelled"):
        house.desk.requeue(waiting, "", "tester")


@pytest.mark.parametrize(
    ("changed", "reason", "words"),
    [
        pytest.param({"trusted": False}, "UNTRUSTED", "owners you vouch for", id="strangers"),
        pytest.param(
            {"trusted": False, "bots": (), "all": True}, "UNTRUSTED", "owners you vouch for", id="whoever is there"
        ),
        pytest.param(
            {"trusted": False, "bots": (), "all": True, "cron": "0 2 * * *"},
            "UNTRUSTED",
            "owners you vouch for",
            id="whoever is there each night",
        ),
        pytest.param(
            {"trusted": False, "bots": (), "all": True, "format": FIELD, "deals": None},
            "UNTRUSTED",
            "owners you vouch for",
            id="by the name of the format",
        ),
        pytest.param({"bots": NAMES[:14]}, "DEALS", "14 bots make 7 tables at once", id="too few tables"),
        pytest.param({"kind": Kind.GAUNTLET}, "DEALS", "one bot sits at every table", id="a gauntlet"),
    ],
)
def test_who_may_not_share_deals(house: House, changed: dict[str, object], reason: str, words: str) -> None:
    """What would let somebody meet a deal again, or gain nothing, is refused with the reason."""
    house.enter(*NAMES, formats=(FIELD,))
    with pytest.raises(InvalidFieldError, match=words) as refused:
        house.create(replace(field(), **changed))  # type: ignore[arg-type]
    assert (refused.value.reason, refused.value.field) == (reason, "deals")


def test_house_bots_may_share_deals(house: House) -> None:
    """They remember nothing."""
    house.register(NAMES, house=True)
    assert house.create(replace(field(), trusted=False)).state is State.DRAFT


def test_owners_that_were_linked_share_no_deal(house: House) -> None:
    """The planner takes them for one: no two tables of a group have bots of both."""
    house.enter(*NAMES, formats=(FIELD,))
    house.store.registry.link([f"owner of {name}" for name in NAMES[:3]])
    house.create(field())
    house.look()
    kin = Notes.parse(house.store.tournaments.get("spring").schedule).kin
    assert len({kin[f"{name}@1"] for name in NAMES[:3]}) == 1
    assert len(set(kin.values())) == len(NAMES) - 2
    met = Counter((row.group, kin[bot]) for row in rows(house) for bot in row.entrants if not row.group.count(".t"))
    assert set(met.values()) == {1}


def test_a_planner_that_seats_an_owner_twice_at_a_deal_is_stopped_at_the_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes all owners for strangers: such a table is refused with an alarm, planned anew, and all goes on."""
    house.register(NAMES[:2], "Ann")
    house.referee.seat(playing([*house.register(NAMES[2:]), *(f"{name}@1" for name in NAMES[:2])], formats=(FIELD,)))
    monkeypatch.setattr(sealing, "groups", lambda tables, _kin: ("g0",) * len(tables))
    house.create(field())
    for _ in range(3):
        house.look()
        house.referee.play(house.now_ms, 500, {row.id for row in rows(house) if row.leg == 1})
    house.look()
    leg = {row.id: row for row in rows(house) if row.leg == 1}
    void = [row.id for row in leg.values() if row.state is MatchState.VOID]
    assert len(void) == 1
    assert leg[void[0]].reason.startswith("deal: ")
    assert house.store.counters.read()[DEAL_ALARMS] == 1
    again = leg[f"{void[0]}.r2"]
    assert (again.state, again.group) == (MatchState.RATED, again.id)
    assert sum(row.state is MatchState.RATED for row in leg.values()) == len(leg) - 1 == 8
