"""Matches of versions that no referee supports: who says so, since when, and how they end."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ladder.store import Store
from ladder.store.errors import FencedError
from ladder.store.rows import ClaimRefused, MatchState, Refusal
from ladder.store.upgrades import UNSUPPORTED, supports
from tests.store.scenes import Host, plan, result_text

MATCH = "cup.1.1.0"
PATIENCE_MS = 100


@pytest.fixture
def host(store: Store) -> Host:
    """A referee, and one match of a running tournament in the queue."""
    store.tournaments.create("cup", {"n": 1}, state="running", now_ms=1)
    store.matches.plan([plan(tournament="cup", log_format=2)], 5)
    return Host(store)


def judge(store: Store, now_ms: int, *, supported: bool = False) -> bool:
    return store.upgrades.judge(store.matches.get(MATCH), now_ms, PATIENCE_MS, supported=supported)


@pytest.mark.parametrize(
    ("beats", "supported"),
    [
        pytest.param({}, False, id="no referee"),
        pytest.param({"a": {"rules": [1], "logs": [1]}}, False, id="an older one"),
        pytest.param({"a": {"rules": [1, 2], "logs": [1]}}, False, id="rules alone"),
        pytest.param({"a": {"rules": [2], "logs": [1]}, "b": {"rules": [1], "logs": [3]}}, False, id="two halves"),
        pytest.param({"a": {"rules": [1], "logs": [1]}, "b": {"rules": [1, 2], "logs": [1, 3]}}, True, id="one of two"),
        pytest.param({"a": {}}, False, id="one that says nothing"),
        pytest.param({"a": {"rules": 2, "logs": [3]}}, False, id="one that says nonsense"),
    ],
)
def test_who_supports_what(beats: Mapping[str, Mapping[str, object]], *, supported: bool) -> None:
    """One referee has to support both; who says nothing is of the first release."""
    assert supports(beats, 2, 3) is supported
    assert supports({"old": {}}, 1, 1)


def test_a_match_waits_so_long_and_is_void_then(store: Store, host: Host) -> None:
    """From the first look that found nobody; its tournament plays it again."""
    assert not judge(store, 1_000)
    assert not judge(store, 1_000 + PATIENCE_MS - 1)
    assert store.matches.get(MATCH).unsupported_ms == 1_000
    assert judge(store, 1_000 + PATIENCE_MS)
    row = store.matches.get(MATCH)
    assert (row.state, row.reason, row.log_format) == (MatchState.VOID, UNSUPPORTED, 2)
    assert store.upgrades.again("cup") == {MATCH}
    assert (store.matches.open_ids(), store.tournaments.open_ids("cup"), store.matches.waiting()) == (set(), set(), {})
    assert (store.tournaments.get("cup").lost, store.matches.states()[MatchState.VOID]) == (1, 1)
    assert not judge(store, 9_999)
    assert store.matches.claim(MATCH, "ref-1", 9_999, seed=bytes(32)) == ClaimRefused(Refusal.GONE)


def test_a_referee_that_supports_it_begins_the_time_anew(store: Store, host: Host) -> None:
    """It came back for a moment."""
    assert not judge(store, 1_000)
    assert not judge(store, 1_050, supported=True)
    assert store.matches.get(MATCH).unsupported_ms == 0
    assert not judge(store, 1_000 + PATIENCE_MS)
    assert judge(store, 1_000 + 2 * PATIENCE_MS)


def test_what_is_played_is_left_to_its_host(store: Store, host: Host) -> None:
    """However little others can play it; once the host is gone for good, it can write nothing more."""
    head = host.append(host.claim().head, b"act", tournament="cup")
    for now_ms in (1_000, 1_000 + PATIENCE_MS):
        assert not judge(store, now_ms)
    assert store.matches.get(MATCH).unsupported_ms == 0
    store.matches.leave("ref-1")
    assert not judge(store, 2_000)
    assert judge(store, 2_000 + PATIENCE_MS)
    assert store.link.members(store.keys.owned("ref-1")) == set()
    with pytest.raises(FencedError):
        host.close(head, result_text([[[1, 2], [2, 1]]]), tournament="cup")
    assert store.matches.get(MATCH).state is MatchState.VOID


def test_an_operators_order_is_carried_out_and_played_again_by_nobody(store: Store, host: Host) -> None:
    """It stood when the last host was lost."""
    host.claim()
    store.matches.void(MATCH, "a wrong bot", "olga", 900)
    store.matches.leave("ref-1")
    assert not judge(store, 1_000)
    assert judge(store, 1_000 + PATIENCE_MS)
    assert store.matches.get(MATCH).reason == "a wrong bot"
    assert store.upgrades.again("cup") == set()
