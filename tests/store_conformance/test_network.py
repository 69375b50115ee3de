"""What a network does to a call: the same on Redis and on the simulated store."""

import pytest

from ladder.store import Store
from ladder.store.errors import StoreUnavailableError
from ladder.store.rows import Claimed, MatchState
from tests.store.scenes import SEED, Host, plan, result_text
from tests.store_conformance.stands import Stand

MATCH = "cup.1.1.0"
TEXT = result_text([[[1, 2], [2, 1]]])


@pytest.fixture
def head(stand: Stand) -> str:
    """A match that ref-1 hosts; returns its head."""
    stand.store.matches.plan([plan()], 5)
    return Host(stand.store).claim().head


def test_a_claim_whose_reply_is_lost_is_granted(stand: Stand) -> None:
    """The claim that is sent again is the same claim."""
    stand.store.matches.plan([plan()], 5)
    stand.store.matches.beat("ref-1", {}, fresh=True)
    claimed = stand.losing_a_reply(lambda store: store.matches.claim(MATCH, "ref-1", 9, seed=SEED))
    assert isinstance(claimed, Claimed)
    assert (claimed.epoch, len(stand.store.matches.log(MATCH))) == (1, 1)


def test_an_append_whose_reply_is_lost_is_written_once(stand: Stand, head: str) -> None:
    """And the head is the one that its sender expects."""
    new = stand.losing_a_reply(lambda store: Host(store).append(head, b"act"))
    assert stand.store.matches.head(MATCH) == new
    assert [data for _, _, data in stand.store.matches.log(MATCH)] == [b"ref-1", b"act"]


def test_a_close_whose_reply_is_lost_ends_the_match_once(stand: Stand, head: str) -> None:
    """It is counted as one."""
    stand.losing_a_reply(lambda store: Host(store).close(head, TEXT))
    assert stand.store.matches.get(MATCH).state is MatchState.CLOSED
    assert stand.store.matches.states()[MatchState.CLOSED] == 1


def test_a_release_whose_reply_is_lost_gives_the_match_back_once(stand: Stand, head: str) -> None:
    """It is counted as one."""

    def release(store: Store) -> str:
        calls = store.matches.calls(MATCH, me="ref-1", tournament="")
        return store.matches.release(calls, head, not_before_ms=9, now_ms=9, absent=True)

    stand.losing_a_reply(release)
    assert stand.store.matches.get(MATCH).releases == 1


def test_an_order_whose_reply_is_lost_is_given(stand: Stand, head: str) -> None:
    """Its match is told to stop once."""
    assert stand.losing_a_reply(lambda store: store.matches.void(MATCH, "why", "ann", 8)) is MatchState.RUNNING
    assert list(stand.store.matches.beat("ref-1", {}).stops) == [MATCH]


def test_a_beat_whose_reply_is_lost_is_a_beat(stand: Stand, head: str) -> None:
    """With the latest that was said."""
    stand.losing_a_reply(lambda store: store.matches.beat("ref-1", {"n": 2}))
    assert stand.store.matches.referees() == {"ref-1": {"n": 2}}


def test_a_short_stall_is_waited_for(stand: Stand, head: str) -> None:
    """A second: within the time that a call waits."""
    new = stand.stalling(1.0, lambda store: Host(store).append(head, b"act"))
    assert stand.store.matches.head(MATCH) == new


@pytest.mark.slow
def test_a_call_that_timed_out_is_sent_again_and_counts_once(stand: Stand, head: str) -> None:
    """The store carries out both requests when it goes on: the second says DUP."""
    new = stand.stalling(2.6, lambda store: Host(store).append(head, b"act"))
    assert stand.store.matches.head(MATCH) == new
    assert len(stand.store.matches.log(MATCH)) == 2


@pytest.mark.nightly
def test_a_stall_that_is_too_long_is_an_outage(stand: Stand, head: str) -> None:
    """Six times two seconds without a reply: the caller is told; what was sent counts once all the same."""
    with pytest.raises(StoreUnavailableError):
        stand.stalling(20.0, lambda store: Host(store).append(head, b"act"))
    assert len(stand.store.matches.log(MATCH)) <= 2
