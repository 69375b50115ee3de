"""Ladders: bots enter once, matches are applied once, and the log explains every number."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ladder.elo import MICRO, EloConfig
from ladder.store import Store
from ladder.store.errors import BadInputError, ConflictError, NotEnteredError, UnknownError
from ladder.store.ladder_log import Entered, Ladder, RatedMatch
from ladder.store.ratings import Applied, Duplicate
from ladder.store.rebuild import Rebuild
from tests.fixtures_store import OpenStore
from tests.ladder.reference import reference
from tests.store.scenes import LADDER, result

pytestmark = pytest.mark.slow

FORMAT = LADDER.format
TWO = [[[1, 2], [2, 1]], [[1, 2], [1, 2]]]


@pytest.fixture
def ladder(store: Store) -> Store:
    """A ladder with two bots."""
    store.ratings.enter(LADDER, {"ann@1": None, "bob@1": None})
    return store


def _state(store: Store) -> object:
    """Everything that a ladder serves, and its log."""
    return store.ratings._served(FORMAT), list(store.ratings.log(FORMAT))


@pytest.mark.parametrize("name", ["ref_elo_k32_32_1", "ref_elo_k64_4_10"])
def test_script_reproduces_every_integer_of_the_reference(store: Store, name: str) -> None:
    """60 games, ties, teams and 2 to 4 seats: compared after each of them."""
    content = reference(name)
    elo = EloConfig(content["K0"] * 1000, content["Kmin"] * 1000, content["n0"] * 1000)
    ladder = Ladder(FORMAT, "ref", 2, elo)
    store.ratings.enter(ladder, dict.fromkeys(content["final"]))
    for game, after in zip(content["games"], content["after_each_game_micro"], strict=True):
        bots = [seat["bot"] for seat in game["seats"]]
        names = {seat["team"] for seat in game["seats"]}
        teams = [sorted(names).index(seat["team"]) for seat in game["seats"]]
        ranks = [[[seat["rank"] for seat in game["seats"]]]]
        store.ratings.apply(result(game["game_id"], bots, ranks, teams=teams, ladder=ladder))
        assert store.ratings.elo(FORMAT, list(after)) == {bot: micro / MICRO for bot, micro in after.items()}
    assert store.ratings.rebuild(FORMAT).equal


def test_a_match_is_applied_once(ladder: Store) -> None:
    """Sending it again is a success that changes nothing."""
    match = result("cup.1.1.0", ("ann@1", "bob@1"), TWO)
    applied = ladder.ratings.apply(match)
    assert isinstance(applied, Applied)
    assert (applied.seq, sum(applied.deltas)) == (1, 0)
    before = _state(ladder)
    assert ladder.ratings.apply(match) == Duplicate(1)
    assert _state(ladder) == before
    assert ladder.ratings.applied(FORMAT, "cup.1.1.0") == 1
    assert ladder.ratings.applied(FORMAT, "cup.1.2.0") is None


def test_another_result_of_the_same_match_is_a_conflict(ladder: Store) -> None:
    """Nothing is overwritten; the error is there for the alarm."""
    match = result("cup.1.1.0", ("ann@1", "bob@1"), TWO)
    ladder.ratings.apply(match)
    before = _state(ladder)
    with pytest.raises(ConflictError):
        ladder.ratings.apply(replace(match, faults=(5, 5)))
    assert _state(ladder) == before


def test_deliveries_in_any_order_and_number_apply_each_match_once(open_store: OpenStore) -> None:
    """Four workers get every match four times, shuffled: 60 applied, 900 duplicates, and the log explains the rest."""
    bots = [f"bot{number}@1" for number in range(8)]
    workers = [open_store("worker") for _ in range(4)]
    workers[0].ratings.enter(LADDER, dict.fromkeys(bots))
    chance = random.Random(5)
    matches = []
    for number in range(60):
        seats = chance.sample(bots, 2)
        matches.append(
            result(
                f"cup.1.{number}.0",
                seats,
                [[chance.choice([[1, 2], [2, 1], [1, 1]]) for _ in range(2)] for _ in range(3)],
            )
        )

    def deliver(worker: Store) -> list[Applied | Duplicate]:
        mine = matches * 4
        random.Random(id(worker)).shuffle(mine)
        return [worker.ratings.apply(match) for match in mine]

    with ThreadPoolExecutor(4) as threads:
        replies = [reply for part in threads.map(deliver, workers) for reply in part]
    applied = [reply for reply in replies if isinstance(reply, Applied)]
    assert sorted(reply.seq for reply in applied) == list(range(1, 61))
    assert len(replies) - len(applied) == 900
    rebuilt = workers[0].ratings.rebuild(FORMAT)
    assert (rebuilt.equal, rebuilt.differences, rebuilt.seq) == (True, (), 60)
    assert workers[0].ratings.sum_check(FORMAT).equal


def test_meetings_are_applied_one_after_the_other(ladder: Store) -> None:
    """A match of two meetings moves ratings as two matches of one would."""
    ladder.ratings.apply(result("cup.1.1.0", ("ann@1", "bob@1"), TWO))
    whole = ladder.ratings.elo(FORMAT, ["ann@1", "bob@1"])
    other = Ladder("uno-house-2", "h", 2)
    ladder.ratings.enter(other, {"ann@1": None, "bob@1": None})
    for part, meeting in enumerate(TWO):
        ladder.ratings.apply(result(f"cup.1.1.{part}", ("ann@1", "bob@1"), [meeting], ladder=other))
    assert ladder.ratings.elo("uno-house-2", ["ann@1", "bob@1"]) == whole
    assert [tally.meetings for tally in ladder.ratings.tallies(FORMAT)] == [2, 2]


def test_counts_are_kept_with_the_ratings(ladder: Store) -> None:
    """Games against opponents, points, rounds and faults, in the same script."""
    ladder.ratings.apply(result("cup.1.1.0", ("bob@1", "ann@1"), TWO))
    ladder.ratings.apply(result("cup.1.2.0", ("ann@1", "bob@1"), [[[1, 1]]]))
    ann, bob = ladder.ratings.tallies(FORMAT)
    assert (ann.wins, ann.ties, ann.losses, ann.points, ann.rounds, ann.faults) == (1, 1, 3, 7, 5, 1)
    assert (bob.wins, bob.ties, bob.losses, bob.points, bob.rounds, bob.faults) == (3, 1, 1, 7, 5, 1)


def test_a_new_version_starts_where_its_predecessor_stands(ladder: Store) -> None:
    """And the sum of entries grows by that; entering again changes nothing."""
    ladder.ratings.apply(result("cup.1.1.0", ("ann@1", "bob@1"), TWO))
    standing = ladder.ratings.elo(FORMAT, ["ann@1"])["ann@1"]
    assert ladder.ratings.enter(LADDER, {"ann@2": "ann@1", "ann@1": None, "cat@1": "cat@0"}) == ["ann@2", "cat@1"]
    assert ladder.ratings.enter(LADDER, {"ann@2": "ann@1"}) == []
    assert ladder.ratings.elo(FORMAT, ["ann@2", "cat@1"]) == {"ann@2": standing, "cat@1": 1500.0}
    assert ladder.ratings.sum_check(FORMAT).equal
    assert ladder.ratings.rebuild(FORMAT).equal


def test_log_tells_entries_and_matches_in_order(ladder: Store) -> None:
    """Entries after a match stand between it and the next one."""
    ladder.ratings.apply(result("cup.1.1.0", ("ann@1", "bob@1"), TWO))
    ladder.ratings.enter(LADDER, {"cat@1": None})
    ladder.ratings.apply(result("cup.1.2.0", ("cat@1", "bob@1"), [[[2, 1]]]))
    told = [
        (entry.seq, entry.bot if isinstance(entry, Entered) else entry.match) for entry in ladder.ratings.log(FORMAT)
    ]
    assert told == [(0, "ann@1"), (0, "bob@1"), (1, "cup.1.1.0"), (1, "cat@1"), (2, "cup.1.2.0")]
    last = list(ladder.ratings.log(FORMAT, after_seq=1))[-1]
    assert isinstance(last, RatedMatch)
    assert last.games == (((2, 1),),)
    assert last.seats[1].new / MICRO == ladder.ratings.elo(FORMAT, ["bob@1"])["bob@1"]
    assert [entry.seq for entry in ladder.ratings.log(FORMAT, after_seq=1)] == [2]


def test_a_ladder_keeps_its_rules(ladder: Store) -> None:
    """Another rule set, number of seats or K under the same name is refused."""
    for other in (replace(LADDER, ruleset="x"), replace(LADDER, seats=3), replace(LADDER, elo=EloConfig(k0_milli=1))):
        with pytest.raises(ConflictError) as refused:
            ladder.ratings.enter(other, {"cat@1": None})
        assert refused.value.reason == "LADDER_DIFFERS"
    assert ladder.ratings.formats() == {FORMAT: LADDER.ruleset}
    assert ladder.ratings.ladder(FORMAT) == LADDER


def test_who_is_not_in_the_ladder_cannot_be_rated(ladder: Store) -> None:
    """Nothing of the match is applied."""
    before = _state(ladder)
    with pytest.raises(NotEnteredError) as refused:
        ladder.ratings.apply(result("cup.1.1.0", ("ann@1", "cat@1"), TWO))
    assert refused.value.value == "cat@1"
    assert _state(ladder) == before


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"entrants": ("ann@1", "ann@1")}, id="a bot twice"),
        pytest.param({"ranks": (((1, 11),),)}, id="place eleven"),
        pytest.param({"ranks": (((0, 1),),)}, id="place zero"),
        pytest.param({"ranks": (((1, 2),),) * 17}, id="seventeen meetings"),
        pytest.param({"entrants": ("ann@1",), "ranks": (((1,),),)}, id="one bot"),
    ],
)
def test_what_cannot_be_rated_changes_nothing(ladder: Store, changes: dict[str, object]) -> None:
    """The script validates before its first write."""
    before = _state(ladder)
    match = result("cup.1.1.0", ("ann@1", "bob@1"), TWO)
    with pytest.raises(BadInputError) as refused:
        ladder.ratings.apply(replace(match, **changes))  # type: ignore[arg-type]
    assert refused.value.reason == "BAD_RESULT"
    assert _state(ladder) == before


def test_a_ladder_that_is_not_there_is_an_error(store: Store) -> None:
    """With the ones that are."""
    store.ratings.enter(LADDER, {"ann@1": None})
    with pytest.raises(UnknownError) as unknown:
        store.ratings.tallies("dos-2")
    assert (unknown.value.reason, unknown.value.allowed) == ("UNKNOWN_FORMAT", FORMAT)
    with pytest.raises(UnknownError):
        store.ratings.apply(result("cup.1.1.0", ("ann@1", "bob@1"), TWO, ladder=replace(LADDER, format="dos-2")))
    assert store.ratings.seq("dos-2") == 0


def test_best_by_live_rating(ladder: Store) -> None:
    """For the gauge of the top, best first."""
    ladder.ratings.apply(result("cup.1.1.0", ("ann@1", "bob@1"), [[[2, 1]]]))
    assert list(ladder.ratings.top(FORMAT, 200)) == ["bob@1", "ann@1"]
    assert list(ladder.ratings.top(FORMAT, 1)) == ["bob@1"]


@pytest.mark.parametrize(
    ("command", "part"),
    [
        pytest.param(("ZADD", "rating", "1500000001", "ann@1"), "rating of ann@1", id="a rating"),
        pytest.param(("HINCRBY", "games", "#sum", "1"), "number of entries", id="the sum of entries"),
        pytest.param(("HSET", "seen", "cup.1.1.0", "1:0"), "digest of cup.1.1.0", id="a digest"),
        pytest.param(("HSET", "seen", "cup.9.9.9", "2:0"), "number of digests", id="a match that is not in the log"),
        pytest.param(("HSET", "stat", "bob@1", "1 1 1 1 1 1 1"), "counts of bob@1", id="counts"),
        pytest.param(("HSET", "games", "#seq", "5"), "number of matches", id="the number of matches"),
        pytest.param(("ZREM", "rating", "bob@1"), "rating of bob@1", id="a bot that is gone"),
    ],
)
def test_rebuild_finds_what_was_tampered_with(ladder: Store, command: tuple[str, ...], part: str) -> None:
    """One changed number is one difference, named."""
    ladder.ratings.apply(result("cup.1.1.0", ("ann@1", "bob@1"), TWO))
    verb, key, *rest = command
    ladder.link.read(verb, ladder.keys.ladder(FORMAT, key), *rest)
    rebuilt = ladder.ratings.rebuild(FORMAT)
    assert not rebuilt.equal
    assert [difference for difference in rebuilt.differences if difference.startswith(part)]


def test_rebuild_finds_a_changed_log(ladder: Store) -> None:
    """A match cut out of the log is missed in its number, and in all that follows."""
    ladder.ratings.apply(result("cup.1.1.0", ("ann@1", "bob@1"), TWO))
    ladder.ratings.apply(result("cup.1.2.0", ("ann@1", "bob@1"), TWO))
    ladder.link.read("XDEL", ladder.keys.ladder(FORMAT, "log"), "1-0")
    differences = ladder.ratings.rebuild(FORMAT).differences
    assert "number of match cup.1.2.0: 2 in the log, 1 computed" in differences
    assert any(difference.startswith("change of ann@1 in meeting 0 of match cup.1.2.0") for difference in differences)


def test_a_fresh_ladder_equals_its_rebuild(ladder: Store) -> None:
    """Also before the first match."""
    assert ladder.ratings.rebuild(FORMAT) == Rebuild(equal=True, differences=(), seq=0)
