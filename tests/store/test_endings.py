"""How matches end: closed and settled, stopped by an operator, parked, and put back."""

import pytest

from ladder.store import Store
from ladder.store.audit import Deed
from ladder.store.call import Word
from ladder.store.client import Reply
from ladder.store.errors import LapsedError, UnknownError, WrongStateError
from ladder.store.match_calls import Ending
from ladder.store.rows import MatchState, Orders, Stop
from tests.store.scenes import Host, parked, plan, result_text

MATCH = "cup.1.1.0"
TEXT = result_text([[[1, 2], [2, 1]], [[1, 2], [1, 2]]])


@pytest.fixture
def host(store: Store) -> Host:
    """A referee, and one match of a running tournament in the queue."""
    store.tournaments.create("cup", {"n": 1}, state="running", now_ms=1)
    store.matches.plan([plan(tournament="cup")], 5)
    return Host(store)


def test_a_closed_match_carries_its_result_and_waits_for_a_worker(store: Store, host: Host) -> None:
    """One script: state, result, digest, owner, due."""
    host.close(host.claim().head, TEXT, tournament="cup")
    row = store.matches.get(MATCH)
    assert (row.state, row.result, row.owner, row.ended_ms, row.games_done) == (MatchState.CLOSED, TEXT, "", 2_000, 4)
    assert len(row.digest) == 64
    assert store.matches.due(2_000) == [MATCH]
    assert store.matches.due(1_999) == []
    assert store.matches.waiting_for_worker() == {MATCH: 2_000}
    assert store.matches.orphans(10**13) == []


def test_settling_counts_once_in_the_tournament(store: Store, host: Host) -> None:
    """Repeats change nothing; then it is out of every list."""
    host.close(host.claim().head, TEXT, tournament="cup")
    assert store.matches.settle(MATCH, seq=7)
    assert store.matches.settle(MATCH, seq=7)
    row = store.tournaments.get("cup")
    assert (row.done, row.lost, row.games_done) == (1, 0, 4)
    assert store.matches.get(MATCH).seq == 7
    assert (store.matches.due(9_999), store.matches.open_ids(), store.tournaments.open_ids("cup")) == ([], set(), set())


def test_a_match_that_is_not_closed_cannot_be_settled(store: Store, host: Host) -> None:
    """A ring too early does nothing."""
    assert not store.matches.settle(MATCH)
    assert store.matches.get(MATCH).state is MatchState.READY


def test_progress_is_told_with_the_beat(store: Store, host: Host) -> None:
    """Absolute numbers of matches that one hosts; others' are ignored."""
    host.claim()
    for games in (1, 3, 3):
        store.matches.beat("ref-1", {}, games_done={MATCH: games})
    store.matches.beat("ref-2", {}, fresh=True, games_done={MATCH: 9})
    assert (store.matches.get(MATCH).games_done, store.tournaments.get("cup").games_done) == (3, 3)


def test_a_beat_that_ran_out_is_not_renewed(store: Store, host: Host) -> None:
    """Unless the referee starts, or comes back to a store that it had lost."""
    with pytest.raises(LapsedError):
        store.matches.beat("ref-1", {})
    store.matches.beat("ref-1", {"play": "x:1"}, fresh=True)
    store.matches.beat("ref-1", {"play": "x:2"})
    assert store.matches.referees() == {"ref-1": {"play": "x:2"}}
    store.matches.leave("ref-1")
    assert store.matches.referees() == {}


def test_a_waiting_match_is_stopped_at_once(store: Store, host: Host) -> None:
    """Nobody hosts it: the script ends it, and the tournament has lost it."""
    assert store.matches.void(MATCH, "test", "ann", 7) is MatchState.VOID
    assert store.matches.void(MATCH, "test", "ann", 8) is MatchState.VOID
    row = store.matches.get(MATCH)
    assert (row.state, row.reason, row.ended_ms) == (MatchState.VOID, "test", 7)
    assert (store.tournaments.get("cup").lost, store.tournaments.open_ids("cup"), store.matches.waiting()) == (
        1,
        set(),
        {},
    )


def test_a_running_match_is_stopped_by_its_host(store: Store, host: Host) -> None:
    """The order comes with the beat and is carried out by a closing entry."""
    head = host.claim().head
    assert store.matches.void(MATCH, "wrong format", "ann", 7) is MatchState.RUNNING
    order = Stop("wrong format", "ann")
    assert store.matches.beat("ref-1", {}) == Orders({MATCH: order}, ())
    calls = store.matches.calls(MATCH, me="ref-1", tournament="cup")
    store.matches.close(calls, head, b"void", now_ms=8, ending=Ending.VOID, reason=order.reason)
    assert store.matches.beat("ref-1", {}) == Orders({}, ())
    row = store.matches.get(MATCH)
    assert (row.state, row.reason, row.stop, row.result) == (MatchState.VOID, "wrong format", None, "")


def test_an_order_outlives_its_host(store: Store, host: Host) -> None:
    """The next claimant sees it in the row."""
    host.claim()
    store.matches.void(MATCH, "why", "ann", 7)
    host.die()
    assert Host(store, "ref-2").claim().row.stop == Stop("why", "ann")


def test_an_order_is_read_and_written_as_older_versions_do() -> None:
    """Ledgers hold such orders, and in an upgrade referees of two versions read them."""
    text = '{"verb":"void","reason":"wrong format","who":"ann"}'
    assert Stop.of(text) == Stop("wrong format", "ann")
    assert Stop.of(text).text() == text


def test_what_is_over_cannot_be_stopped(store: Store, host: Host) -> None:
    """Closed is too late, unknown is unknown."""
    host.close(host.claim().head, TEXT, tournament="cup")
    with pytest.raises(WrongStateError, match="closed"):
        store.matches.void(MATCH, "why", "ann", 7)
    with pytest.raises(UnknownError):
        store.matches.void("cup.9.9.0", "why", "ann", 7)


def test_an_order_is_not_lost_where_the_match_is_parked(store: Store, host: Host) -> None:
    """Its host has a bug, or a worker cannot apply it: somebody wanted it void, and nobody is to put it back."""
    store.matches.plan([plan("cup.1.2.0", tournament="cup")], 5)
    for match in (MATCH, "cup.1.2.0"):
        head = host.claim(match).head
        store.matches.void(match, "wrong format", "ann", 7)
        if match == MATCH:
            calls = store.matches.calls(match, me="ref-1", tournament="cup")
            store.matches.close(calls, head, b"park", now_ms=8, ending=Ending.PARKED, reason="engine")
        else:
            host.close(head, TEXT, match, tournament="cup")
            for _ in range(2):
                assert store.matches.spoil(match, "conflict", 8)
        row = store.matches.get(match)
        assert (row.state, row.reason, row.stop, row.ended_ms) == (MatchState.VOID, "wrong format", None, 8)
    cup = store.tournaments.get("cup")
    assert (cup.lost, cup.parked, store.matches.due(9_999)) == (2, 0, [MATCH, "cup.1.2.0"])


@pytest.mark.parametrize("order", ["garbage", "[1]", "7", '{"reason":7}', '"reason"'])
def test_an_order_that_cannot_be_read_holds_up_no_end(store: Store, host: Host, order: str) -> None:
    """The match is parked as it would be without one."""
    head = host.claim().head
    store.link._execute("HSET", store.keys.match(MATCH), "stop", order)
    calls = store.matches.calls(MATCH, me="ref-1", tournament="cup")
    store.matches.close(calls, head, b"park", now_ms=8, ending=Ending.PARKED, reason="engine")
    row = store.matches.get(MATCH)
    assert (row.state, row.reason, row.stop) == (MatchState.PARKED, "engine", None)


def test_who_is_void_for_its_slowness_is_known(store: Store, host: Host) -> None:
    """It is whose order was about a claim, unless an operator declared it void himself."""
    others = [f"cup.1.{number}.0" for number in (2, 3, 4)]
    store.matches.plan([plan(match, tournament="cup") for match in others], 5)
    heads = {match: host.claim(match, 1_000).head for match in (MATCH, *others[1:])}
    store.matches.void(others[0], "why", "ann", 7)
    store.matches.void(others[1], "why", "ann", 7)
    for match in (MATCH, *others[1:]):
        store.matches.void(match, "slow", "planner", 7, claimed_ms=1_000)
        host.close(heads[match], TEXT, match, tournament="cup")
    store.matches.annul(MATCH, "slow", 8)
    store.matches.annul(others[1], "why", 8)
    store.matches.annul(others[2], "a wrong deal", 8, deed=Deed("ann", "void", others[2], "a wrong deal", 8))
    assert {row.state for row in store.matches.rows([MATCH, *others])} == {MatchState.VOID}
    assert store.matches.late([MATCH, *others]) == {MATCH}


def test_games_of_a_match_that_does_not_count_are_taken_off(store: Store, host: Host) -> None:
    """The progress of a tournament is that of matches that count."""
    head = host.claim().head
    store.matches.beat("ref-1", {}, games_done={MATCH: 3})
    calls = store.matches.calls(MATCH, me="ref-1", tournament="cup")
    store.matches.close(calls, head, b"park", now_ms=8, ending=Ending.PARKED, reason="engine")
    assert (store.tournaments.get("cup").games_done, store.tournaments.get("cup").lost) == (0, 1)


def test_a_parked_match_can_be_put_back(store: Store, host: Host) -> None:
    """Ready again, open again, without strikes; the tournament has it back."""
    parked(store)
    assert store.matches.requeue(MATCH, 9) is MatchState.READY
    assert store.matches.requeue(MATCH, 9) is MatchState.READY
    row = store.matches.get(MATCH)
    assert (row.state, row.reason, row.strikes, row.ended_ms) == (MatchState.READY, "", 0, 0)
    assert (store.tournaments.get("cup").lost, store.tournaments.open_ids("cup")) == (0, {MATCH})
    assert Host(store).claim().epoch == 2


def test_a_parked_match_of_a_paused_tournament_waits(store: Store, host: Host) -> None:
    """It is opened when the tournament goes on; the same again changes nothing."""
    parked(store)
    store.tournaments.move("cup", {"running"}, "paused", now_ms=8)
    for _ in range(2):
        assert store.matches.requeue(MATCH, 9) is MatchState.PLANNED
    assert (store.matches.waiting(), store.tournaments.get("cup").lost) == ({}, 0)
    assert store.tournaments.open_ids("cup") == {MATCH}
    assert store.matches.set_ready(MATCH, 9)
    assert Host(store).claim().epoch == 2


def test_only_parked_matches_of_living_tournaments_can_be_put_back(store: Store, host: Host) -> None:
    """Void is for ever, and a tournament that is over takes nothing back."""
    host.claim()
    with pytest.raises(WrongStateError, match="running"):
        store.matches.requeue(MATCH, 9)
    store.matches.plan([plan("cup.1.2.0", tournament="cup")], 5)
    parked(store, "cup.1.2.0")
    store.tournaments.move("cup", {"running"}, "cancelled", now_ms=8)
    with pytest.raises(WrongStateError, match="cancelled"):
        store.matches.requeue("cup.1.2.0", 9)


def test_a_match_that_cannot_be_applied_is_parked_and_goes_back_to_the_workers(store: Store, host: Host) -> None:
    """It was played: putting it back never plays it again."""
    host.close(host.claim().head, TEXT, tournament="cup")
    assert store.matches.spoil(MATCH, "conflict", 3_000)
    assert store.matches.spoil(MATCH, "conflict", 3_000)
    assert (store.matches.get(MATCH).state, store.matches.due(9_999), store.tournaments.get("cup").lost) == (
        MatchState.PARKED,
        [],
        1,
    )
    assert store.matches.requeue(MATCH, 4_000) is MatchState.CLOSED
    assert (store.matches.due(9_999), store.tournaments.get("cup").games_done, store.matches.ready_ids(9_999)) == (
        [MATCH],
        4,
        [],
    )
    assert store.matches.settle(MATCH)
    assert not store.matches.spoil(MATCH, "conflict", 3_000)


def test_one_that_was_parked_before_there_was_a_list_is_shown_once_it_is_put_back(store: Store, host: Host) -> None:
    """A ledger of before has its seed where only referees read, and nobody lists what is parked."""
    host.close(host.claim().head, TEXT, tournament="cup")
    store.matches.spoil(MATCH, "conflict", 3_000)
    keys = store.keys
    store.link.read("RENAME", keys.shown_seed(MATCH), keys.seed(MATCH))
    store.link.read("RENAME", keys.shown_log(MATCH), keys.log(MATCH))
    store.link.read("HDEL", keys.match(MATCH), "shown")
    assert (store.reveals.adopt(), store.reveals.carry_out()) == (0, 0)
    assert store.matches.requeue(MATCH, 4_000) is MatchState.CLOSED
    assert store.reveals.carry_out() == 1
    assert store.matches.get(MATCH).shown
    assert store.link.exist([keys.seed(MATCH), keys.shown_seed(MATCH), keys.shown_log(MATCH)]) == [False, True, True]


def test_what_is_shown_between_two_looks_is_read(store: Store, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A referee puts it under another key after that one was found empty: a log and a seed that are there are read."""
    host.close(host.claim().head, TEXT, tournament="cup")
    keys, log, seed = store.keys, store.matches.log_here(MATCH), store.matches.seed(MATCH)
    assert log
    assert seed is not None
    plain = store.link._execute

    def looking(*words: Word) -> Reply:
        reply = plain(*words)
        if words[1] in {keys.shown_log(MATCH), keys.shown_seed(MATCH)}:
            plain("SADD", keys.reveals, f"m:{MATCH}")
            monkeypatch.undo()
            assert store.reveals.carry_out() == 1
        return reply

    for read, shown in ((store.matches.log_here, log), (store.matches.seed, seed)):
        plain("RENAME", keys.shown_seed(MATCH), keys.seed(MATCH))
        plain("RENAME", keys.shown_log(MATCH), keys.log(MATCH))
        monkeypatch.setattr(store.link, "_execute", looking)
        assert read(MATCH) == shown
    assert store.link.exist([keys.log(MATCH), keys.seed(MATCH)]) == [False, False]


def test_counts_by_state_follow_every_step(store: Store, host: Host) -> None:
    """At every moment they sum to the number of matches."""
    store.matches.plan([plan("cup.1.2.0", tournament="cup"), plan("cup.1.3.0", tournament="cup", ready=False)], 5)
    host.close(host.claim().head, TEXT, tournament="cup")
    store.matches.void("cup.1.2.0", "why", "ann", 7)
    counts = {state: count for state, count in store.matches.states().items() if count}
    assert counts == {MatchState.CLOSED: 1, MatchState.VOID: 1, MatchState.PLANNED: 1}


def test_orphans_are_matches_that_nobody_will_take(store: Store, host: Host) -> None:
    """A dead host's match a beat after its claim, and a ready one that fell out of the queue."""
    host.claim(now_ms=1_000)
    assert store.matches.orphans(9_000) == []
    host.die()
    assert store.matches.orphans(3_999) == []
    assert store.matches.orphans(4_000) == [MATCH]
    store.matches.set_ready(MATCH, 4_000)
    assert store.matches.orphans(9_000) == []
    assert Host(store, "ref-2").claim().epoch == 2
