"""Weights of a ladder's own: fitted on its earlier rounds when they are due, with house games where those are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import StringIO

import pytest

from ladder.corrections import correction_for, house_table_for
from ladder.house import HouseScores
from ladder.luck import HOUSE_TERM, Correction
from ladder.readings.auditing import audit_ladder
from ladder.readings.match_luck import MatchLuck, MatchLucks
from ladder.readings.reads import Reads
from ladder.readings.tournament_tables import TournamentTables
from ladder.readings.weighing import Weighing
from ladder.refit import Schedule
from ladder.shapes import board
from ladder.store.audit import Deed
from ladder.store.counters import Counter
from ladder.store.rows import MatchRow
from ladder.terminal.screen import show_board
from ladder.timeline import Change
from ladder.wire import board_of, board_to
from lastcard.secret import Secret
from referee.house_games import house_name
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT
from workers.due import HOUSE_SLICE, Job, View, due
from workers.engine import gifts_of, house_of, teams_of, terms
from workers.fit import PERIOD_MS, Fitter
from workers.fortune import Fortune
from workers.house_luck import LEASE_MS, HouseLuck
from workers.reweigh import FITTER
from workers.settings import WorkerSettings
from workers.workshop import bench_of

pytestmark = pytest.mark.slow

SCHEDULE = Schedule((24,), 24)
"""Two of the three matches below."""
DEED = Deed("tester", "weights", FORMAT, "a trial", 1)


@pytest.fixture
def played(house: House) -> House:
    """Play and rate three matches of twelve rounds, on a ladder that fits its weights after 24."""
    house.enter("alpha", "beta", "gamma")
    house.fitter = Fitter(house.store, house=house_name(), schedule=SCHEDULE)
    again(house, "spring")
    return house


def again(house: House, name: str) -> list[str]:
    """Play and rate three further matches, and fit the ladder; returns them."""
    before = len(house.referee.played)
    house.create(spec(name, "alpha", "beta", "gamma", meetings=6))
    house.play(name)
    house.look()
    later(house)
    return house.referee.played[before:]


def later(house: House) -> None:
    """Fit the ladder once it may be fitted again, however long the last fit took."""
    house.now_ms += PERIOD_MS + 600_000
    house.fitter.fit(FORMAT, house.now_ms)


def housed(house: House) -> HouseLuck:
    """Return the use case that plays house games."""
    return HouseLuck(house.store, house_of)


def lucks(house: House) -> MatchLucks:
    """Return the luck of matches as the pages show it."""
    return MatchLucks(Weighing.of(house.store), teams_of)


def luck_of(house: House, match: str) -> MatchLuck | None:
    """Return the luck of one match."""
    return lucks(house).get(house.store.matches.get(match))


def shipped() -> Correction:
    """Return the shipped weights."""
    found = correction_for(terms(FORMAT).ruleset)
    assert found is not None
    return found


def with_house() -> Correction:
    """Return weights that regard house games."""
    table, own = house_table_for(terms(FORMAT).ruleset), shipped()
    assert table is not None
    return replace(own, beta={**own.beta, HOUSE_TERM: 0.5}, house=table.usual)


def test_a_ladder_fits_its_weights_when_they_are_due(played: House) -> None:
    """On the rounds up to then, once luck and house games of them all are known; they hold from the next match."""
    store, first = played.store, played.referee.played[:2]
    assert store.house.pending() == set(first)
    Fortune(store, gifts_of).compute(played.referee.played)
    later(played)
    assert store.weights.of(FORMAT) == ()
    assert housed(played).compute(first, played.now_ms) == 2
    later(played)
    (change,) = store.weights.of(FORMAT)
    assert (change.from_seq, change.upto_seq, change.matches, change.correction.rounds) == (4, 2, 2, 24)
    assert change.gain is not None
    assert change.correction.version != shipped().version
    new = again(played, "summer")
    Fortune(store, gifts_of).compute(new)
    if change.correction.house is not None:
        housed(played).compute(new, played.now_ms)
    versions = [found.version for match in (*first, *new) if (found := luck_of(played, match))]
    assert versions == [shipped().version] * 2 + [change.correction.version] * 3
    later(played)
    assert len(store.weights.of(FORMAT)) == 1


def test_a_change_of_weights_is_in_the_audit(played: House) -> None:
    """With the version, the rounds it was fitted on and what it is worth; and it is counted."""
    Fortune(played.store, gifts_of).compute(played.referee.played)
    housed(played).compute(played.referee.played, played.now_ms)
    later(played)
    (change,) = played.store.weights.of(FORMAT)
    (deed,) = [one for one in played.store.audit.tail() if one.verb == "weights"]
    assert (deed.who, deed.target) == (FITTER, FORMAT)
    assert deed.reason.startswith(f"lc_version {change.correction.version}, fitted on 24 rounds of 2 matches")
    assert played.store.counters.read()[Counter("refitted_ladders_total", {"format": FORMAT})] == 1


def test_weights_follow_again_from_what_they_were_fitted_on(played: House) -> None:
    """The audit of a ladder fits them anew: the same matches give the same weights, and other luck does not.

    Where one of the matches was declared void since, nobody can tell any more.
    """
    store, first = played.store, played.referee.played[:2]
    Fortune(store, gifts_of).compute(played.referee.played)
    housed(played).compute(first, played.now_ms)
    later(played)
    again(played, "summer")
    (change,) = store.weights.of(FORMAT)
    assert audit_ladder(store, FORMAT).findings == ()
    gifts, key = store.gifts.find(first)[first[0]], store.keys.luck(first[0])
    games = tuple(game and tuple(tuple(2 * x for x in row) for row in game) for game in gifts.games)
    store.link.read("SET", key, replace(gifts, games=games).text())
    named = f"weights {change.correction.version} from number 4 on"
    assert audit_ladder(store, FORMAT).findings == (
        f"{named} do not follow from the 2 matches that they were fitted on",
    )
    played.desk.void(first[0], "a wrong deal", "tester")
    played.renewer.renew(FORMAT)
    assert audit_ladder(store, FORMAT).findings == ()


def test_house_games_are_played_once_and_repeat(played: House) -> None:
    """A task that runs twice finds nothing to do; whoever plays them again has the same."""
    match = played.referee.played[0]
    assert housed(played).compute([match], played.now_ms) == 1
    kept = played.store.house.find([match])[match]
    assert kept.house == house_name()
    assert [sum(game) for game in kept.games if game] == [1_000_000] * 12
    assert housed(played).compute([match], played.now_ms) == 0
    assert played.store.house.want([match]) == 0
    row, seed = played.store.matches.get(match), played.store.matches.seed(match)
    assert seed is not None
    assert house_of(row, seed, [entry for _, _, entry in played.store.matches.log(match)]) == kept
    assert played.store.counters.read()[Counter("housed_matches_total")] == 1


def test_nobody_plays_what_somebody_began_with(played: House) -> None:
    """For two minutes; whoever died with it is replaced then."""
    match = played.referee.played[0]
    slot = played.now_ms // LEASE_MS
    assert played.store.ticks.tick(f"house-{match}", str(slot))
    assert housed(played).compute([match], slot * LEASE_MS) == 0
    assert housed(played).compute([match], (slot + 1) * LEASE_MS) == 1


def test_what_cannot_be_played_goes_without(played: House) -> None:
    """With an alarm, and nobody asks again; the ladder fits its weights all the same."""

    def broken(row: MatchRow, seed: bytes | Secret, entries: Sequence[bytes]) -> HouseScores:
        raise ZeroDivisionError(row.id, seed, entries)

    Fortune(played.store, gifts_of).compute(played.referee.played)
    assert HouseLuck(played.store, broken).compute(played.referee.played, played.now_ms) == 0
    assert played.store.house.pending() == set()
    assert played.store.counters.read()[Counter("alarms_total", {"kind": "luck"})] == 2
    later(played)
    assert played.store.house.pending() == set()
    (change,) = played.store.weights.of(FORMAT)
    assert (change.gain, change.correction.house) == (None, None)


def test_a_slice_that_kills_its_process_goes_without(played: House) -> None:
    """It would otherwise come back for ever."""
    housed(played).leave(played.referee.played)
    assert played.store.house.pending() == set()
    assert played.store.house.settled(played.referee.played) == set(played.referee.played[:2])


def test_weights_with_house_games_wait_for_them(played: House) -> None:
    """Later matches are asked for, and have no luck before those are known; earlier ones have theirs as before."""
    store = played.store
    assert store.weights.add(FORMAT, 0, 0, Change(0, 3, 3, with_house(), at_ms=1), DEED)
    new = again(played, "summer")
    Fortune(store, gifts_of).compute([*played.referee.played, *new])
    assert store.house.pending() >= set(new)
    assert luck_of(played, new[0]) is None
    table = TournamentTables(store.matches, store.ratings, weighing=Weighing.of(store))
    assert all(row.provisional for row in table.get(store.tournaments.get("summer")).standings)
    housed(played).compute(new, played.now_ms)
    found = luck_of(played, new[0])
    assert found is not None
    assert found.version == with_house().version
    assert all(row.luck is not None for row in table.get(store.tournaments.get("summer")).standings)
    before = luck_of(played, played.referee.played[0])
    assert before is not None
    assert before.version == shipped().version
    versions = [table.get(store.tournaments.get(name)).lc_versions for name in ("spring", "summer")]
    assert versions == [(shipped().version,), (with_house().version,)]


def test_where_that_house_plays_no_more_the_shipped_weights_hold_again(played: House) -> None:
    """From the next match on, with a line in the audit; what was rated keeps its weights."""
    store = played.store
    store.weights.add(FORMAT, 0, 0, Change(0, 3, 3, with_house(), at_ms=1), DEED)
    played.fitter = Fitter(store, house="", schedule=SCHEDULE)
    again(played, "summer")
    changes = store.weights.of(FORMAT)
    assert [change.correction.version for change in changes] == [with_house().version, shipped().version]
    assert changes[1].upto_seq == 0
    assert any("shipped weights again" in deed.reason for deed in store.audit.tail())


def test_without_house_games_only_the_free_terms_are_fitted(house: House) -> None:
    """Switched off, nobody is asked to play them, and nobody waits."""
    house.enter("alpha", "beta", "gamma")
    house.fitter = Fitter(house.store, schedule=SCHEDULE)
    again(house, "spring")
    assert house.store.house.pending() == set()
    Fortune(house.store, gifts_of).compute(house.referee.played)
    later(house)
    (change,) = house.store.weights.of(FORMAT)
    assert change.correction.house is None


def test_of_two_workers_one_changes_the_weights(played: House) -> None:
    """The slower one has seen a ladder that is no more: other weights, or another generation."""
    one = Change(0, 3, 3, with_house(), at_ms=1)
    assert played.store.weights.add(FORMAT, 0, 0, one, DEED)
    assert not played.store.weights.add(FORMAT, 0, 0, one, DEED)
    assert not played.store.weights.add(FORMAT, 1, 1, one, DEED)
    assert [change.from_seq for change in played.store.weights.of(FORMAT)] == [4]


def test_a_void_match_takes_its_house_games_along(played: House) -> None:
    """Nothing is left of them, and nothing waits."""
    first, second = played.referee.played[:2]
    housed(played).compute([first], played.now_ms)
    for match in (first, second):
        played.desk.void(match, "a wrong deal", "tester")
    assert played.store.house.find([first]) == {}
    assert played.store.house.pending() == set()


@pytest.mark.parametrize(
    ("commands", "asked"),
    [
        pytest.param((("DEL",), ("SET", "x")), 1, id="a text stands in its place"),
        pytest.param((("HDEL", "ended_ms"),), 2, id="nobody knows when it ended"),
        pytest.param((("HSET", "ended_ms", "x"),), 2, id="its end is no number"),
    ],
)
def test_a_match_that_cannot_be_read_holds_up_no_fit(
    played: House, commands: Sequence[Sequence[str]], asked: int
) -> None:
    """House games are asked for on the cards of all others, and the ladder is fitted."""
    store, (first, second) = played.store, played.referee.played[:2]
    store.link.read("DEL", store.keys.house_due)
    for command, *words in commands:
        store.link.read(command, store.keys.match(first), *words)
    store.link.read("DEL", store.keys.ladder(FORMAT, "fit"))
    assert played.fitter.fit(FORMAT, played.now_ms) is not None
    assert store.house.pending() == {first, second} - ({first} if asked == 1 else set())


def test_weights_that_cannot_be_read_leave_the_shipped_ones(played: House) -> None:
    """The ladder is shown and fitted, and nobody writes over what stands there."""
    store, key = played.store, played.store.keys.ladder(FORMAT, "weights")
    store.link.read("SET", key, "x")
    Fortune(store, gifts_of).compute(played.referee.played)
    housed(played).compute(played.referee.played, played.now_ms)
    store.link.read("DEL", store.keys.ladder(FORMAT, "fit"))
    assert played.fitter.fit(FORMAT, played.now_ms) is not None
    assert [one.lc_version for one in Reads.of(store, teams_of).boards.get(FORMAT).weights] == [shipped().version]
    assert store.link.text(key) == "x"
    assert store.weights.unread.names == {FORMAT}


def test_house_games_have_time() -> None:
    """One small slice of them at a look, and none while results or luck wait, but in their turn."""
    waiting = [(f"m{n}", 32) for n in range(10)]
    assert due(0, View(house=waiting)) == (Job("house", (("m0", "m1"),)),)
    assert due(0, View(house=[("big", 10 * HOUSE_SLICE)])) == (Job("house", (("big",),)),)
    for busy in (View(house=waiting, closed=["c"]), View(house=waiting, luck=[("l", 4)])):
        assert "house" not in {job.task for job in due(0, busy)}
        assert Job("house", (("m0", "m1"),), in_turn=True) in due(0, replace(busy, turn=True))


def test_house_games_have_their_share_while_results_come_without_end(played: House) -> None:
    """Somebody always waits to be rated: once a minute a slice of house games is heard among them."""
    played.store.link.read("ZADD", played.store.keys.due, 0, "rate:nobody")
    rung = []
    for _ in range(40):
        played.now_ms += 5_000
        rung += [job for job in played.lookout.look(played.now_ms) if job.task == "house"]
    assert 3 <= len(rung) <= 4
    assert all(job.in_turn for job in rung)


def test_a_look_rings_for_house_games(played: House) -> None:
    """Once the luck of all is known."""
    Fortune(played.store, gifts_of).compute(played.referee.played)
    played.bell.jobs.clear()
    played.now_ms += 1_000
    jobs = played.lookout.look(played.now_ms)
    assert [sorted(job.args[0]) for job in jobs if job.task == "house"] == [sorted(played.referee.played[:2])]


def test_a_board_says_which_weights_hold_since_when(played: House) -> None:
    """Over the wire, as JSON and for people; without house games it says that nobody measured what is usual."""
    store = played.store
    assert store.weights.add(FORMAT, 0, 0, Change(0, 3, 3, with_house(), at_ms=1), DEED)
    found = Reads.of(store, teams_of).boards.get(FORMAT)
    first, own = found.weights
    assert (first.lc_version, first.from_seq, first.rounds, first.house) == (shipped().version, 1, 20_000, "")
    assert (own.lc_version, own.from_seq, own.house) == (with_house().version, 4, house_name())
    assert found.house_rounds >= 20_000
    told = board_of(board_to(found, 10))
    assert (told.weights, told.house_rounds) == (found.weights, found.house_rounds)
    assert board(told)["weights"][1] == {
        "lc_version": own.lc_version, "from": 4, "rounds": 20_000, "house": house_name(),
    }  # fmt: skip
    said = StringIO()
    show_board(told, said)
    text = " ".join(said.getvalue().split())
    assert f"luck: weights {own.lc_version}, this ladder's own, fitted on 20,000 earlier rounds, from match" in text
    assert "no house games" not in text
    show_board(replace(told, weights=told.weights[:1], house_rounds=0), said)
    text = " ".join(said.getvalue().split())
    assert f"luck: weights {first.lc_version}, as they are shipped" in text
    assert "no house games: nobody has measured what the house usually scores" in text


def test_a_board_says_where_the_shipped_weights_hold_again(played: House) -> None:
    """They are none of the ladder's own."""
    for number, change in enumerate((Change(0, 3, 3, with_house(), at_ms=1), Change(0, 0, 0, shipped(), at_ms=2))):
        assert played.store.weights.add(FORMAT, 0, number, change, DEED)
    said = StringIO()
    show_board(Reads.of(played.store, teams_of).boards.get(FORMAT), said)
    text = " ".join(said.getvalue().split())
    assert f"luck: weights {shipped().version}, as they are shipped, again from match number 4 on" in text
    assert "this ladder's own" not in text


@pytest.mark.parametrize(
    ("luck", "luck_games", "plays"),
    [
        pytest.param(True, True, True, id="as it comes"),
        pytest.param(True, False, False, id="without house games"),
        pytest.param(False, True, False, id="without luck, to which they would add"),
    ],
)
def test_a_worker_asks_for_house_games_where_it_computes_luck(
    house: House, luck: bool, luck_games: bool, plays: bool
) -> None:
    """A demo has neither, and pays for neither."""
    settings = WorkerSettings("redis://x", "redis://y", luck=luck, luck_games=luck_games)
    assert bench_of(house.store, settings, house.bell).fitter.house == (house_name() if plays else "")
