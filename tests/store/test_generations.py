"""Ladders computed anew: what was declared void counts for nothing, everything else as if it had never been there."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from ladder.elo import MICRO
from ladder.readings.boards import Boards
from ladder.readings.histories import Histories
from ladder.store import Store
from ladder.store.applied import Applied, Duplicate
from ladder.store.errors import UnknownError, WrongStateError
from ladder.store.generations import Generations, Renewed
from ladder.store.ladder_log import RatedMatch, Voided
from ladder.store.local import LocalStore
from ladder.store.ratings import MatchResult
from ladder.store.rows import MatchState
from tests.store.scenes import LADDER, Host, parked, plan, result, result_text

FORMAT = LADDER.format
BOTS = {"ann@1": None, "bob@1": None, "cat@1": None}
WIN, LOSS, EVEN = [[1, 2], [1, 2]], [[2, 1], [2, 1]], [[1, 2], [2, 1]]


def played(store: Store, match: str, entrants: Sequence[str], games: list[list[int]]) -> MatchResult:
    """Plan, play and close a match of one meeting; returns what is to be applied."""
    store.matches.plan([plan(match, entrants, meetings=1)], 5)
    host = Host(store)
    host.close(host.claim(match).head, result_text([games]), match)
    return result(match, entrants, [games])


def applied(store: Store, match: str, entrants: Sequence[str], games: list[list[int]]) -> None:
    """The same, and apply and settle it."""
    done = store.ratings.apply(played(store, match, entrants, games))
    assert isinstance(done, Applied)
    assert store.matches.settle(match, seq=done.seq)


@pytest.fixture
def ladder(store: Store) -> Store:
    """Four matches, and a version that enters between them."""
    store.ratings.enter(LADDER, BOTS)
    applied(store, "cup.1.1.0", ("ann@1", "bob@1"), WIN)
    applied(store, "cup.1.2.0", ("ann@1", "cat@1"), WIN)
    store.ratings.enter(LADDER, {"ann@2": "ann@1"})
    applied(store, "cup.2.1.0", ("bob@1", "cat@1"), EVEN)
    applied(store, "cup.2.2.0", ("ann@2", "bob@1"), LOSS)
    return store


@pytest.fixture
def elsewhere(store_server: LocalStore, tenant: str) -> Iterator[Store]:
    """A house of its own."""
    with Store.open(store_server.url, tenant=f"{tenant}-b", role="test") as store:
        yield store


def numbers(store: Store) -> object:
    """Everything that a ladder serves."""
    tallies, histories = store.ratings.tallies(FORMAT), Histories(store.ratings)
    return tallies, [histories.opponents(FORMAT, tally.bot) for tally in tallies]


def test_a_new_generation_leaves_the_void_match_out(ladder: Store) -> None:
    """It equals its rebuild, other matches keep their numbers, and the log says what is void and why."""
    assert ladder.matches.annul("cup.1.1.0", "a wrong deal", 9).renews
    assert ladder.generations.due() == [FORMAT]
    assert ladder.ratings.counted(FORMAT) == 3
    assert ladder.generations.renew(FORMAT, "one") == Renewed(generation=1, matches=4, voids=1)
    assert ladder.generations.due() == []
    rebuilt = ladder.ratings.rebuild(FORMAT)
    assert (rebuilt.equal, rebuilt.seq, rebuilt.matches) == (True, 4, 3)
    assert ladder.ratings.counted(FORMAT) == Boards(ladder.ratings).get(FORMAT).matches == 3
    assert ladder.ratings.sum_check(FORMAT).equal
    assert ladder.ratings.seq(FORMAT) == 4
    log = list(ladder.ratings.log(FORMAT))
    assert [(entry.seq, entry.match) for entry in log if isinstance(entry, RatedMatch)] == [
        (2, "cup.1.2.0"),
        (3, "cup.2.1.0"),
        (4, "cup.2.2.0"),
    ]
    assert [entry.reason for entry in log if isinstance(entry, Voided)] == ["a wrong deal"]


def test_the_others_are_as_if_it_had_never_been(ladder: Store, elsewhere: Store) -> None:
    """Number by number, those of a ladder where the match was not played, entry ratings included."""
    ladder.matches.annul("cup.1.1.0", "a wrong deal", 9)
    ladder.generations.renew(FORMAT, "one")
    elsewhere.ratings.enter(LADDER, BOTS)
    applied(elsewhere, "cup.1.2.0", ("ann@1", "cat@1"), WIN)
    elsewhere.ratings.enter(LADDER, {"ann@2": "ann@1"})
    applied(elsewhere, "cup.2.1.0", ("bob@1", "cat@1"), EVEN)
    applied(elsewhere, "cup.2.2.0", ("ann@2", "bob@1"), LOSS)
    assert numbers(ladder) == numbers(elsewhere)


def test_it_goes_on_after_that(ladder: Store) -> None:
    """New matches and new bots are added to the new generation, and a second one can follow."""
    ladder.matches.annul("cup.1.1.0", "a wrong deal", 9)
    ladder.generations.renew(FORMAT, "one")
    ladder.ratings.enter(LADDER, {"dan@1": None})
    applied(ladder, "cup.3.1.0", ("dan@1", "ann@2"), WIN)
    assert ladder.ratings.seq(FORMAT) == 5
    assert ladder.ratings.rebuild(FORMAT).equal
    ladder.matches.annul("cup.3.1.0", "and another", 10)
    assert ladder.generations.renew(FORMAT, "two") == Renewed(generation=2, matches=5, voids=2)
    assert ladder.ratings.rebuild(FORMAT).equal
    assert ladder.ratings.elo(FORMAT, ["dan@1"]) == {"dan@1": 1500.0}


def test_all_void_is_a_ladder_of_entries(ladder: Store) -> None:
    """Where nothing counts any more, everybody stands where everybody begins."""
    for match in ("cup.1.1.0", "cup.1.2.0", "cup.2.1.0", "cup.2.2.0"):
        ladder.matches.annul(match, "all wrong", 9)
    ladder.generations.renew(FORMAT, "one")
    assert {tally.micro for tally in ladder.ratings.tallies(FORMAT)} == {1500 * MICRO}
    assert [Histories(ladder.ratings).opponents(FORMAT, bot) for bot in (*BOTS, "ann@2")] == [()] * 4
    assert ladder.ratings.rebuild(FORMAT).equal


def test_a_void_match_is_never_applied(ladder: Store) -> None:
    """A worker that had read it before the void is refused; one that had applied it hears that it was."""
    late = played(ladder, "cup.3.1.0", ("ann@2", "cat@1"), WIN)
    assert ladder.matches.annul("cup.3.1.0", "too late", 9).renews
    with pytest.raises(WrongStateError, match="declared void"):
        ladder.ratings.apply(late)
    assert not ladder.matches.settle("cup.3.1.0", seq=5)
    assert ladder.generations.renew(FORMAT, "one") == Renewed(generation=1, matches=4, voids=0)
    before = result("cup.1.1.0", ("ann@1", "bob@1"), [WIN])
    ladder.matches.annul("cup.1.1.0", "a wrong deal", 9)
    ladder.generations.renew(FORMAT, "two")
    assert isinstance(ladder.ratings.apply(before), Duplicate)


def test_what_comes_in_meanwhile_is_covered(ladder: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that is applied while the new ladder is computed is in it, and a bot that enters, too."""
    ladder.matches.annul("cup.1.1.0", "a wrong deal", 9)
    write = ladder.generations._write_rows
    came: list[str] = []

    def slow(building: object) -> None:
        write(building)  # type: ignore[arg-type]
        if len(came) < 3:
            came.append(f"cup.{len(came) + 3}.1.0")
            ladder.ratings.enter(LADDER, {f"new-{len(came)}@1": "ann@2"})
            applied(ladder, came[-1], (f"new-{len(came)}@1", "ann@2"), WIN)

    monkeypatch.setattr(type(ladder.generations), "_write_rows", lambda _, building: slow(building))
    assert ladder.generations.renew(FORMAT, "one") == Renewed(generation=1, matches=7, voids=1)
    assert ladder.ratings.rebuild(FORMAT).equal


def test_a_further_void_begins_again(ladder: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is declared void while the new ladder is computed is left out of it, too."""
    ladder.matches.annul("cup.1.1.0", "a wrong deal", 9)
    write = ladder.generations._write_rows

    def slow(building: object) -> None:
        write(building)  # type: ignore[arg-type]
        ladder.matches.annul("cup.2.2.0", "another", 10)

    monkeypatch.setattr(type(ladder.generations), "_write_rows", lambda _, building: slow(building))
    assert ladder.generations.renew(FORMAT, "one") == Renewed(generation=1, matches=4, voids=2)


def test_of_many_builders_one_is_enough(ladder: Store) -> None:
    """However many try at once, the ladder is right, and nothing of theirs is left behind."""
    ladder.matches.annul("cup.1.1.0", "a wrong deal", 9)
    with ThreadPoolExecutor(6) as threads:
        done = [found for found in threads.map(lambda n: ladder.generations.renew(FORMAT, f"b{n}"), range(6)) if found]
    assert {found.voids for found in done} == {1}
    assert ladder.ratings.rebuild(FORMAT).equal
    assert leftovers(ladder) == []


def test_a_builder_that_dies_leaves_nothing(ladder: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it wrote has a time to live, the served ladder is untouched, and the next one begins afresh."""
    ladder.matches.annul("cup.1.1.0", "a wrong deal", 9)
    before = numbers(ladder)
    with monkeypatch.context() as patched:
        patched.setattr(type(ladder.generations), "_switch", lambda _, building: (_ for _ in ()).throw(MemoryError))
        with pytest.raises(MemoryError):
            ladder.generations.renew(FORMAT, "dies")
    assert numbers(ladder) == before
    assert leftovers(ladder)
    assert all(ladder.link.read("PTTL", key) > 0 for key in leftovers(ladder))  # type: ignore[operator]
    assert ladder.generations.renew(FORMAT, "next") is None
    ladder.link.read("DEL", ladder.keys.ladder(FORMAT, "builder"))
    assert ladder.generations.renew(FORMAT, "next") == Renewed(generation=1, matches=4, voids=1)
    assert leftovers(ladder) == []


def leftovers(store: Store) -> list[str]:
    """Keys of a generation in the making."""
    parts = ("builder", *(f"new:{part}" for part in ("rating", "games", "log", "stat", "pair")))
    keys = [store.keys.ladder(FORMAT, part) for part in parts]
    return [key for key in keys if store.link.read("EXISTS", key)]


def test_all_parts_in_the_making_live_as_long_as_their_builder(ladder: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that went while others were still written would leave the ladder without it, its log for example."""
    log, write, switch = ladder.keys.ladder(FORMAT, "new:log"), Generations._write_rows, Generations._switch
    lives: list[object] = []

    def slow(self: Generations, building: object) -> None:
        ladder.link.read("EXPIRE", log, 30)  # as after 30 s of writing
        write(self, building)  # type: ignore[arg-type]

    def look(self: Generations, building: object) -> list[str]:
        lives.append(ladder.link.read("PTTL", log))
        return switch(self, building)  # type: ignore[arg-type]

    monkeypatch.setattr(Generations, "_write_rows", slow)
    monkeypatch.setattr(Generations, "_switch", look)
    ladder.matches.annul("cup.1.1.0", "a wrong deal", 9)
    assert ladder.generations.renew(FORMAT, "one")
    assert [30_000 < int(str(life)) <= 60_000 for life in lives] == [True]


def test_a_ladder_that_nobody_entered_is_forgotten(store: Store) -> None:
    """A void match whose ladder never came to be leaves nothing to do."""
    played(store, "cup.1.1.0", ("ann@1", "bob@1"), WIN)
    assert store.matches.annul("cup.1.1.0", "why", 9).renews
    assert store.generations.renew(FORMAT, "one") is None
    assert store.generations.due() == []


def test_a_match_that_was_never_rated_needs_no_new_ladder(store: Store) -> None:
    """Unrated matches only leave their tournament."""
    store.matches.plan([plan("cup.1.1.0", rated=False, meetings=1)], 5)
    host = Host(store)
    host.close(host.claim("cup.1.1.0").head, result_text([WIN]), "cup.1.1.0")
    assert store.matches.settle("cup.1.1.0")
    assert not store.matches.annul("cup.1.1.0", "why", 9).renews
    assert store.generations.due() == []


def test_annulling_keeps_the_counts_of_a_tournament(store: Store) -> None:
    """What was done is lost; the same again changes nothing."""
    store.tournaments.create("cup", {}, state="running", now_ms=1)
    store.matches.plan([plan("cup.1.1.0", tournament="cup", meetings=1)], 5)
    host = Host(store)
    host.close(host.claim("cup.1.1.0").head, result_text([WIN]), "cup.1.1.0", "cup", games=2)
    store.matches.settle("cup.1.1.0", seq=1)
    for _ in range(2):
        store.matches.annul("cup.1.1.0", "why", 9)
        row = store.tournaments.get("cup")
        assert (row.done, row.lost, row.games_done) == (0, 1, 0)
        assert store.matches.states()[MatchState.VOID] == 1


def test_a_parked_match_can_be_declared_void(store: Store) -> None:
    """It was lost before; now nobody will requeue it."""
    store.matches.plan([plan("cup.1.1.0")], 5)
    parked(store, "cup.1.1.0", "poison")
    store.matches.annul("cup.1.1.0", "never mind", 9)
    row = store.matches.get("cup.1.1.0")
    assert (row.state, row.reason) == (MatchState.VOID, "never mind")


def test_what_is_to_be_played_is_not_annulled(store: Store) -> None:
    """A match that has no result is stopped, not annulled; an unknown one is named."""
    store.matches.plan([plan("cup.1.1.0")], 5)
    with pytest.raises(WrongStateError):
        store.matches.annul("cup.1.1.0", "why", 9)
    with pytest.raises(UnknownError):
        store.matches.annul("cup.9.9.9", "why", 9)
