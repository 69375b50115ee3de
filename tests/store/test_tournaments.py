"""Tournaments: created once, moved by compare-and-set, secret until they are over."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from ladder.store import Store
from ladder.store.errors import BadInputError, NameTakenError, UnknownError
from ladder.store.match_calls import Ending
from tests.store.scenes import Host, plan

SPEC = {"format": "uno-classic-2", "bots": ["ann", "bob"], "meetings": 50}
SEED = bytes(range(32))


def test_creating_the_same_again_is_a_success(store: Store) -> None:
    """Nothing changes, whatever the order of the fields, and though the server drew the seed."""
    row, new = store.tournaments.create("cup", SPEC, state="scheduled", start_ms=9, now_ms=5)
    again, renewed = store.tournaments.create(
        "cup", dict(reversed(SPEC.items())), state="scheduled", start_ms=9, now_ms=6
    )
    assert (new, renewed, again) == (True, False, row)
    assert (row.state, row.start_ms, row.created_ms, row.done, row.entrants) == (
        "scheduled",
        9,
        5,
        0,
        (),
    )
    assert row.spec == '{"bots":["ann","bob"],"format":"uno-classic-2","meetings":50}'


def test_other_content_under_a_name_is_refused(store: Store) -> None:
    """Another description, or another given seed."""
    store.tournaments.create("cup", SPEC, deal_seed=SEED, state="scheduled", now_ms=5)
    with pytest.raises(NameTakenError):
        store.tournaments.create("cup", {**SPEC, "meetings": 51}, deal_seed=SEED, state="scheduled", now_ms=5)
    with pytest.raises(NameTakenError):
        store.tournaments.create("cup", SPEC, deal_seed=b"x" * 32, state="scheduled", now_ms=5)
    assert not store.tournaments.create("cup", SPEC, deal_seed=SEED, state="scheduled", now_ms=5)[1]


def test_a_deal_seed_is_committed_first_and_shown_at_the_end(store: Store) -> None:
    """Referees read it; everybody else sees its SHA-256 until the tournament is over."""
    row, _ = store.tournaments.create("cup", SPEC, deal_seed=SEED, state="running", now_ms=5)
    assert (row.commitment, row.deal_seed) == (sha256(SEED).hexdigest(), None)
    assert store.tournaments.deal_seed("cup") == SEED
    store.tournaments.move("cup", {"running"}, "finished", now_ms=9)
    assert store.reveals.carry_out() == 1
    assert store.tournaments.get("cup").deal_seed == SEED
    assert store.tournaments.deal_seed("cup") == SEED
    assert store.reveals.carry_out() == 0


def test_a_deal_seed_is_a_secret_while_a_match_is_played(store: Store) -> None:
    """Who cancels ends no match at that moment: its deals follow from that seed."""
    store.tournaments.create("cup", SPEC, deal_seed=SEED, state="running", now_ms=5)
    store.matches.plan([plan(tournament="cup")], 5)
    head = Host(store).claim().head
    store.tournaments.move("cup", {"running"}, "cancelled", now_ms=9)
    assert store.reveals.carry_out() == 0
    assert (store.tournaments.get("cup").deal_seed, store.tournaments.page()[0][0].deal_seed) == (None, None)
    calls = store.matches.calls("cup.1.1.0", me="ref-1", tournament="cup")
    store.matches.close(calls, head, b"void", now_ms=10, ending=Ending.VOID, reason="cancelled")
    assert store.reveals.carry_out() == 1
    assert store.tournaments.get("cup").deal_seed == SEED


def test_what_cannot_be_read_of_one_keeps_no_other_secret(store: Store) -> None:
    """Nobody knows which matches it has left: it waits, and the others are shown."""
    for name, seed in (("cup", SEED), ("jug", SEED[::-1])):
        store.tournaments.create(name, SPEC, deal_seed=seed, state="running", now_ms=5)
        store.tournaments.move(name, {"running"}, "cancelled", now_ms=9)
    store.link._execute("SET", store.keys.tournament_open("cup"), "no set")
    assert store.reveals.carry_out() == 1
    assert store.tournaments.get("jug").deal_seed == SEED[::-1]
    assert not store.link.exist([store.keys.shown_deal_seed("cup")])[0]
    store.link._execute("DEL", store.keys.tournament_open("cup"))
    assert store.reveals.carry_out() == 1
    assert store.tournaments.get("cup").deal_seed == SEED


@pytest.mark.parametrize("over", [False, True])
def test_a_deal_seed_of_a_tournament_of_before_is_known_too(store: Store, over: bool) -> None:
    """A release that kept no commitments made it; a referee of this one writes down what it dealt from."""
    store.tournaments.create("cup", SPEC, deal_seed=SEED, state="running", now_ms=5)
    store.tournaments.create("jug", SPEC, state="running", now_ms=5)
    if over:
        store.tournaments.move("cup", {"running"}, "finished", now_ms=9)
        assert store.reveals.carry_out() == 1
    before = store.link.texts(store.keys.commitments)
    store.link._execute("DEL", store.keys.commitments)
    store.reveals.adopt()
    assert store.link.texts(store.keys.commitments) == before
    with pytest.raises(BadInputError, match="another tournament"):
        store.tournaments.create("pot", SPEC, deal_seed=SEED, state="scheduled", now_ms=7)


def test_commitments_that_are_damaged_stop_no_referee(store: Store) -> None:
    """They are left as they are."""
    store.tournaments.create("cup", SPEC, state="running", now_ms=5)
    store.link._execute("SET", store.keys.commitments, "no hash")
    assert store.reveals.adopt() == 0


def test_a_deal_seed_has_32_bytes(store: Store) -> None:
    """Anything else is refused."""
    with pytest.raises(BadInputError) as refused:
        store.tournaments.create("cup", SPEC, deal_seed=b"x", state="scheduled", now_ms=5)
    assert refused.value.reason == "BAD_SEED"


@pytest.mark.parametrize("state", ["running", "finished"])
def test_two_tournaments_never_have_one_deal_seed(store: Store, state: str) -> None:
    """The end of the first would show, or has shown, the deals of the second; those that are drawn are never known."""
    store.tournaments.create("cup", SPEC, deal_seed=SEED, state="running", now_ms=5)
    store.tournaments.move("cup", {"running"}, state, now_ms=6)
    with pytest.raises(BadInputError, match="another tournament") as refused:
        store.tournaments.create("jug", SPEC, deal_seed=SEED, state="scheduled", now_ms=7)
    assert refused.value.reason == "BAD_SEED"
    assert [row.name for row in store.tournaments.page()[0]] == ["cup"]
    assert store.tournaments.create("jug", SPEC, state="scheduled", now_ms=8)[1]
    assert not store.tournaments.create("cup", SPEC, deal_seed=SEED, state="running", now_ms=9)[1]


def test_a_move_fixes_what_is_given_with_it(store: Store) -> None:
    """Entrants, schedule and number of matches at the start; times by themselves."""
    store.tournaments.create("cup", SPEC, state="scheduled", now_ms=5)
    assert store.tournaments.move(
        "cup", {"scheduled"}, "running", now_ms=7, entrants=["b@2", "a@1"], matches=4, schedule='{"x":1}'
    )
    row = store.tournaments.get("cup")
    assert (row.state, row.started_ms, row.entrants, row.matches, row.schedule) == (
        "running",
        7,
        ("b@2", "a@1"),
        4,
        '{"x":1}',
    )
    assert store.tournaments.move("cup", {"running", "paused"}, "paused", now_ms=8, reason="storm")
    assert store.tournaments.move("cup", {"paused"}, "paused", now_ms=8, reason=None)
    assert store.tournaments.get("cup").reason == "storm"
    assert store.tournaments.move("cup", {"paused"}, "running", now_ms=9)
    row = store.tournaments.get("cup")
    assert (row.started_ms, row.reason, row.entrants) == (7, "", ("b@2", "a@1"))
    assert store.tournaments.move("cup", {"running"}, "cancelled", now_ms=11, reason="rain")
    assert (store.tournaments.get("cup").ended_ms, store.tournaments.get("cup").reason) == (11, "rain")


def test_a_move_from_another_state_does_nothing(store: Store) -> None:
    """False, and the row is as it was."""
    row, _ = store.tournaments.create("cup", SPEC, state="scheduled", now_ms=5)
    assert not store.tournaments.move("cup", {"running"}, "finished", now_ms=6)
    assert store.tournaments.get("cup") == row


def test_of_racing_moves_one_wins(store: Store) -> None:
    """Eight workers start a tournament: one of them did."""
    store.tournaments.create("cup", SPEC, state="scheduled", now_ms=5)
    with ThreadPoolExecutor(8) as threads:
        won = list(
            threads.map(
                lambda at: store.tournaments.move("cup", {"scheduled"}, "running", now_ms=at, matches=at), range(8)
            )
        )
    assert won.count(True) == 1
    assert store.tournaments.get("cup").matches == won.index(True)


def test_pages_run_from_the_newest_to_the_oldest(store: Store) -> None:
    """Every tournament once, also those of one moment."""
    for number in range(7):
        store.tournaments.create(f"cup-{number}", SPEC, state="scheduled", now_ms=5 + number // 4)
    names, token = [], ""
    while True:
        rows, token = store.tournaments.page(2, token)
        names += [row.name for row in rows]
        if not token:
            break
    assert sorted(names) == [f"cup-{number}" for number in range(7)]
    assert {row.name for row in store.tournaments.find(names[:3])} == {"cup-4", "cup-5", "cup-6"}


@pytest.mark.parametrize("token", ["x", "5", "5.x", "5.-1", ".1", "5." + "9" * 19, "9" * 19 + ".1"])
def test_a_page_token_is_one_of_ours(store: Store, token: str) -> None:
    """What is none is refused here; the server would choke on a number that is too large for it."""
    with pytest.raises(BadInputError) as bad:
        store.tournaments.page(2, token)
    assert (bad.value.reason, bad.value.value) == ("BAD_PAGE_TOKEN", token)


def test_states_are_counted(store: Store) -> None:
    """Whatever there is, in as many round trips as it takes."""
    assert store.tournaments.states() == {}
    for number in range(7):
        store.tournaments.create(f"cup-{number}", SPEC, state="scheduled", now_ms=5)
    store.tournaments.move("cup-1", {"scheduled"}, "finished", now_ms=20)
    assert store.tournaments.states() == {"scheduled": 6, "finished": 1}


def test_those_that_are_not_over_are_found_without_the_others(store: Store) -> None:
    """Oldest first; one that ends leaves the index by the same move, and moves in between leave it as it is."""
    for number in range(4):
        store.tournaments.create(f"cup-{number}", SPEC, state="scheduled", now_ms=9 - number)
    store.tournaments.move("cup-1", {"scheduled"}, "finished", now_ms=20)
    store.tournaments.move("cup-2", {"scheduled"}, "cancelled", now_ms=20)
    store.tournaments.move("cup-0", {"scheduled"}, "running", now_ms=20)
    store.tournaments.create("cup-1", SPEC, state="scheduled", now_ms=30)
    assert [row.name for row in store.tournaments.alive()] == ["cup-3", "cup-0"]


def test_unknown_tournaments_are_named(store: Store) -> None:
    """Wherever one is asked for."""
    with pytest.raises(UnknownError) as unknown:
        store.tournaments.get("cup")
    assert (unknown.value.reason, unknown.value.value) == ("UNKNOWN_TOURNAMENT", "cup")
    with pytest.raises(UnknownError):
        store.tournaments.move("cup", {"running"}, "paused", now_ms=1)
    with pytest.raises(UnknownError):
        store.tournaments.deal_seed("cup")
    with pytest.raises(BadInputError):
        store.tournaments.page(token="x")
