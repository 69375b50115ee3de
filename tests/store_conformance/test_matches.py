"""What the scripts of a match say and do: the same on Redis and on the simulated store."""

from collections.abc import Callable

import pytest

from ladder.store import Store
from ladder.store.call import Call
from ladder.store.client import ScriptRefusedError
from ladder.store.errors import FencedError, UnknownError, WrongStateError
from ladder.store.head import next_epoch, next_head
from ladder.store.match_calls import Ending, MatchCalls
from ladder.store.rows import ClaimRefused, MatchState, Orders, Refusal
from lastcard.secret import Secret
from tests.store.scenes import SEED, Host, parked, plan, result_text
from tests.store_conformance.stands import Stand

pytestmark = pytest.mark.slow

MATCH = "cup.1.1.0"
TEXT = result_text([[[1, 2], [2, 1]]])


@pytest.fixture
def store(stand: Stand) -> Store:
    """One match in the queue, of a tournament."""
    stand.store.matches.plan([plan(tournament="cup")], 5)
    return stand.store


@pytest.fixture
def host(store: Store) -> Host:
    """A referee."""
    return Host(store)


def _calls(store: Store, me: str = "ref-1") -> MatchCalls:
    return store.matches.calls(MATCH, me=me, tournament="cup")


def _state(store: Store) -> tuple[MatchState, str, str]:
    row = store.matches.get(MATCH)
    return row.state, row.owner, row.reason


# -- CLAIM


def test_the_first_claim_draws_the_seed_and_a_later_one_keeps_it(store: Store, host: Host) -> None:
    """A second referee deals the same cards, under a later epoch."""
    first = host.claim()
    host.die()
    second = Host(store, "ref-2").claim(seed=b"t" * 32)
    assert (first.epoch, second.epoch, first.seed, second.seed) == (1, 2, Secret(SEED), Secret(SEED))
    assert first.row.commitment == second.row.commitment
    assert store.matches.waiting() == {}
    assert [(epoch, seq) for epoch, seq, _ in store.matches.log(MATCH)] == [(1, 0), (2, 0)]


def test_a_claim_sent_again_is_granted_once(store: Store, host: Host) -> None:
    """DUP: the same grant, no second epoch."""
    store.matches.beat("ref-1", {}, fresh=True)
    head = store.matches.head(MATCH)
    new = next_epoch(head, b"x")
    call = store.matches._claim(MATCH, "ref-1", "cup", (head, new, "1-0", "ref-1", 9, Secret(SEED), "", b"x"))
    first, second = store.link.run(call), store.link.run(call)
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert (first[0], second[0]) == (b"OK", b"DUP")
    assert first[1:] == second[1:]
    assert len(store.matches.log(MATCH)) == 1


def test_whose_owner_beats_is_not_claimed(store: Store, host: Host) -> None:
    """A match is its owner's as long as the owner lives."""
    host.claim()
    store.matches.beat("ref-2", {}, fresh=True)
    assert store.matches.claim(MATCH, "ref-2", 2, seed=SEED) == ClaimRefused(Refusal.ALIVE)


def test_who_does_not_beat_claims_nothing(store: Store) -> None:
    """A referee that has lapsed cannot take a match on."""
    assert store.matches.claim(MATCH, "ref-1", 2, seed=SEED) == ClaimRefused(Refusal.SELF)


def test_what_is_over_or_was_never_planned_is_not_claimed(store: Store, host: Host) -> None:
    """And which of the two it is, is said."""
    host.close(host.claim().head, TEXT, tournament="cup")
    assert store.matches.claim(MATCH, "ref-1", 2, seed=SEED) == ClaimRefused(Refusal.GONE)
    assert store.matches.claim("cup.9.9.0", "ref-1", 2, seed=SEED) == ClaimRefused(Refusal.UNKNOWN)


def test_a_claim_on_an_old_head_is_refused(store: Store, host: Host) -> None:
    """Of two that claim at once, the second learns that the log has moved on."""
    old = store.matches.head(MATCH)
    host.claim()
    host.die()
    store.matches.beat("ref-2", {}, fresh=True)
    new = next_epoch(old, b"late")
    reply = store.link.run(
        store.matches._claim(MATCH, "ref-2", "cup", (old, new, "1-0", "ref-2", 9, Secret(SEED), "", b"late"))
    )
    assert reply == [b"HEAD"]


def test_three_deaths_without_an_act_park_a_match_and_an_act_clears_them(store: Store) -> None:
    """What kills its referees is not given to a fourth."""
    for number, acts in enumerate((0, 0, 1, 0, 0)):
        host = Host(store, f"ref-{number}")
        claimed = host.claim()
        if acts:
            host.append(claimed.head, b"act", tournament="cup")
        host.die()
    assert store.matches.get(MATCH).strikes == 1
    Host(store, "ref-7").claim()
    store.matches.leave("ref-7")
    store.matches.beat("ref-8", {}, fresh=True)
    assert store.matches.claim(MATCH, "ref-8", 2, seed=SEED) == ClaimRefused(Refusal.PARKED)
    assert _state(store) == (MatchState.PARKED, "", "strikes")


# -- APPEND


def test_an_entry_sent_again_is_written_once(store: Store, host: Host) -> None:
    """It is a success each time, told apart by its word."""
    head = host.claim().head
    call = _calls(store).append(head, next_head(head, b"act"), b"act")
    assert [store.link.run(call) for _ in range(3)] == [b"OK", b"DUP", b"DUP"]
    assert [data for _, _, data in store.matches.log(MATCH)] == [b"ref-1", b"act"]
    assert store.matches.head(MATCH) == next_head(head, b"act")


@pytest.mark.parametrize("late", ["append", "close", "release"])
def test_who_was_taken_for_dead_writes_nothing(store: Store, host: Host, late: str) -> None:
    """A foreign head refuses whatever the old owner still wants to write, and names the head that there is."""
    head = host.append(host.claim().head, b"act", tournament="cup")
    host.die()
    now = Host(store, "ref-2").claim().head
    writes: dict[str, Callable[[], object]] = {
        "append": lambda: store.matches.append(_calls(store), head, b"more"),
        "close": lambda: store.matches.close(_calls(store), head, b"end", now_ms=9, result=TEXT),
        "release": lambda: store.matches.release(_calls(store), head, not_before_ms=9, now_ms=9),
    }
    before = store.matches.get(MATCH), store.matches.log(MATCH)
    with pytest.raises(FencedError):
        writes[late]()
    assert (store.matches.get(MATCH), store.matches.log(MATCH), store.matches.head(MATCH)) == (*before, now)


def test_the_refusal_of_an_append_names_the_head(store: Store, host: Host) -> None:
    """So that its sender sees what is there instead."""
    head = host.claim().head
    foreign = next_head(head, b"other")
    with pytest.raises(ScriptRefusedError) as refused:
        store.link.run(_calls(store).append(foreign, next_head(foreign, b"x"), b"x"))
    assert (refused.value.code, refused.value.detail) == ("HEAD", head)


# -- CLOSE and RELEASE


@pytest.mark.parametrize("ending", list(Ending))
def test_a_match_is_ended_once(store: Store, host: Host, ending: Ending) -> None:
    """Closed, void or parked: sent again it changes nothing; a worker sees to all but what may be put back."""
    head = host.claim().head
    call = _calls(store).close(
        head, next_head(head, b"end"), b"end", now_ms=9, ending=ending, reason="why", result=TEXT, games_done=4
    )
    assert [store.link.run(call) for _ in range(2)] == [b"OK", b"DUP"]
    state, owner, reason = _state(store)
    closed = ending is Ending.CLOSED
    assert (state.value, owner, reason) == (ending.value, "", "" if closed else "why")
    assert store.matches.waiting_for_worker() == ({} if ending is Ending.PARKED else {MATCH: 9})
    assert (MATCH in store.matches.open_ids()) == closed


def test_a_released_match_waits_in_the_queue(store: Store, host: Host) -> None:
    """Until its time has come; a release is no strike."""
    head = host.claim().head
    call = _calls(store).release(head, next_epoch(head, b""), b"", not_before_ms=77, now_ms=78, absent=True)
    assert [store.link.run(call) for _ in range(2)] == [b"OK", b"DUP"]
    assert _state(store) == (MatchState.READY, "", "")
    assert (store.matches.waiting(), store.matches.get(MATCH).releases) == ({MATCH: 77}, 1)
    again = Host(store, "ref-2").claim()
    assert (again.epoch, again.row.strikes) == (3, 0)


# -- orders, and the queue


def test_what_waits_is_stopped_at_once_and_what_is_over_not_at_all(store: Store) -> None:
    """The same order again is a success; one about a match that was parked, or an unknown one, is an error."""
    assert store.matches.void(MATCH, "why", "ann", 8) is MatchState.VOID
    assert store.matches.void(MATCH, "why", "ann", 8) is MatchState.VOID
    assert _state(store) == (MatchState.VOID, "", "why")
    store.matches.plan([plan("cup.1.2.0", tournament="cup")], 5)
    parked(store, "cup.1.2.0")
    with pytest.raises(WrongStateError):
        store.matches.void("cup.1.2.0", "why", "ann", 8)
    with pytest.raises(UnknownError):
        store.matches.void("cup.9.9.0", "why", "ann", 8)


def test_an_order_about_a_claim_ends_no_other_one(store: Store, host: Host) -> None:
    """Nothing is done where the match waits, or has another host; the first order stands, and again is a success."""
    with pytest.raises(WrongStateError, match="ready"):
        store.matches.void(MATCH, "slow", "planner", 8, claimed_ms=0)
    claimed = host.claim().row.claimed_ms
    with pytest.raises(WrongStateError, match="running"):
        store.matches.void(MATCH, "slow", "planner", 8, claimed_ms=claimed - 1)
    assert store.matches.beat("ref-1", {}) == Orders({}, ())
    for reason in ("slow", "slower"):
        assert store.matches.void(MATCH, reason, "planner", 8, claimed_ms=claimed) is MatchState.RUNNING
    assert store.matches.beat("ref-1", {}).stops[MATCH].reason == "slow"
    assert store.matches.late([MATCH]) == {MATCH}


@pytest.mark.parametrize(
    ("order", "left"),
    [
        pytest.param('{"verb":"void","reason":"cheating","who":"ann"}', (MatchState.VOID, "cheating"), id="an order"),
        pytest.param("garbage", (MatchState.PARKED, "engine"), id="garbage"),
        pytest.param("[1]", (MatchState.PARKED, "engine"), id="no order"),
        pytest.param('{"reason":1}', (MatchState.PARKED, "engine"), id="no reason"),
    ],
)
def test_an_order_is_not_lost_where_the_match_is_parked(
    store: Store, host: Host, order: str, left: tuple[MatchState, str]
) -> None:
    """Its host has a bug; one that cannot be read holds up nothing."""
    head = host.claim().head
    store.link._execute("HSET", store.keys.match(MATCH), "stop", order)
    store.matches.close(_calls(store), head, b"park", now_ms=9, ending=Ending.PARKED, reason="engine")
    row = store.matches.get(MATCH)
    assert (row.state, row.reason, row.stop, row.owner) == (*left, None, "")


def test_a_match_is_planned_once_and_leaves_and_enters_the_queue(store: Store) -> None:
    """Each may be asked for again, and the first time to wait for counts."""
    assert store.matches.plan([plan(tournament="cup")], 6) == 0
    assert store.matches.unready(MATCH)
    assert (store.matches.waiting(), _state(store)[0]) == ({}, MatchState.PLANNED)
    assert store.matches.set_ready(MATCH, 40)
    assert store.matches.set_ready(MATCH, 50)
    assert store.matches.waiting() == {MATCH: 40}
    assert not store.matches.set_ready("cup.9.9.0", 50)


def test_a_match_of_a_paused_tournament_is_planned_and_waits(store: Store) -> None:
    """Nothing begins in a pause; what is played again is counted apart."""
    cup = store.keys.tournament("cup")
    store.link.read("HSET", cup, "state", "paused")
    ids = ("cup.1.2.0", "cup.1.2.0.r2", "cup.1.2.0.r11", "cup.1.3.0")
    assert store.matches.plan([plan(match, tournament="cup") for match in ids], 6) == 4
    assert {row.state for row in store.matches.rows(ids)} == {MatchState.PLANNED}
    assert store.matches.waiting().keys() == {MATCH}
    assert (store.link.hash(cup)["planned"], store.link.hash(cup)["again"]) == ("5", "2")


# -- scripts that the server does not know


def test_a_script_is_taught_again_after_a_restart(stand: Stand, store: Store, host: Host) -> None:
    """NOSCRIPT is nobody's business but the connection's."""
    head = host.claim().head
    stand.restart()
    call: Call = _calls(store).append(head, next_head(head, b"act"), b"act")
    assert store.link.run(call) == b"OK"
    stand.restart()
    assert store.link.run_all([call, call]) == [b"DUP", b"DUP"]
