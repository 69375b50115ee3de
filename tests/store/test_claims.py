"""Claiming: one owner, one seed, and a fence against everybody who was owner before."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256

import pytest

from ladder.store import Store
from ladder.store.errors import BadInputError, FencedError
from ladder.store.rows import Claimed, ClaimRefused, MatchState, Refusal
from lastcard.secret import Secret
from tests.fixtures_store import OpenStore
from tests.store.scenes import SEED, Host, plan

MATCH = "cup.1.1.0"


@pytest.fixture
def host(store: Store) -> Host:
    """A referee, and one match in the queue."""
    store.matches.plan([plan()], 5)
    return Host(store)


def test_first_claim_starts_epoch_one_and_writes_the_seed(store: Store, host: Host) -> None:
    """Running, owned, out of the queue, with the commitment in the open."""
    claimed = host.claim()
    assert (claimed.epoch, claimed.head[:4], claimed.seed) == (1, "1-0-", Secret(SEED))
    row = store.matches.get(MATCH)
    assert row == claimed.row
    assert (row.state, row.owner, row.claimed_ms, row.commitment) == (
        MatchState.RUNNING,
        "ref-1",
        1_000,
        sha256(SEED).hexdigest(),
    )
    assert store.matches.waiting() == {}
    assert store.matches.log(MATCH) == [(1, 0, b"ref-1")]


def test_a_seed_is_never_drawn_again(store: Store, host: Host) -> None:
    """Whoever claims later plays with the seed of the first claim: nobody can crash for another deck."""
    host.claim()
    host.die()
    claimed = Host(store, "ref-2").claim(seed=b"t" * 32)
    assert (claimed.epoch, claimed.seed, claimed.row.commitment) == (2, Secret(SEED), sha256(SEED).hexdigest())


def test_a_seed_has_32_bytes(store: Store, host: Host) -> None:
    """Anything else is refused before it is written."""
    with pytest.raises(BadInputError, match="32 bytes"):
        store.matches.claim(MATCH, "ref-1", 1, seed=b"short")


@pytest.mark.parametrize("known", [pytest.param(True, id="voided"), pytest.param(False, id="never planned")])
def test_what_cannot_be_played_is_refused(store: Store, host: Host, known: bool) -> None:
    """GONE takes the match out of the queue; UNKNOWN says that there is none."""
    host.claim()
    match = MATCH if known else "cup.9.9.0"
    host.store.matches.release(
        store.matches.calls(MATCH, me="ref-1", tournament=""), store.matches.head(MATCH), not_before_ms=1, now_ms=2
    )
    store.matches.void(MATCH, "test", "ann", 1)
    refused = store.matches.claim(match, "ref-1", 1, seed=SEED)
    assert refused == ClaimRefused(Refusal.GONE if known else Refusal.UNKNOWN)


def test_a_referee_without_a_beat_claims_nothing(store: Store, host: Host) -> None:
    """SELF: it has lapsed and does not know it yet."""
    assert store.matches.claim(MATCH, "ref-1", 1, seed=SEED) == ClaimRefused(Refusal.SELF)


def test_a_living_owner_keeps_its_match(store: Store, host: Host) -> None:
    """ALIVE, also against itself."""
    host.claim()
    store.matches.beat("ref-2", {}, fresh=True)
    assert store.matches.claim(MATCH, "ref-2", 1, seed=SEED) == ClaimRefused(Refusal.ALIVE)
    assert store.matches.claim(MATCH, "ref-1", 1, seed=SEED) == ClaimRefused(Refusal.ALIVE)


def test_of_five_racing_referees_exactly_one_wins(open_store: OpenStore) -> None:
    """Forty times; its seed is the one that counts."""
    stores = [open_store(f"ref-{number}") for number in range(5)]
    for number, store in enumerate(stores):
        store.matches.beat(f"ref-{number}", {}, fresh=True)
    matches = [f"cup.1.{table}.0" for table in range(40)]
    stores[0].matches.plan([plan(match) for match in matches], 5)

    def claim(number: int, match: str) -> Claimed | ClaimRefused:
        return stores[number].matches.claim(match, f"ref-{number}", 9, seed=bytes([number]) * 32)

    with ThreadPoolExecutor(5) as threads:
        for match in matches:
            won = [reply for reply in threads.map(partial(claim, match=match), range(5)) if isinstance(reply, Claimed)]
            assert len(won) == 1
            assert won[0].seed == stores[0].matches.seed(match)
            assert stores[0].matches.head(match) == won[0].head


def test_same_bytes_of_two_claimants_are_two_claims(store: Store, host: Host) -> None:
    """The loser of a race whose entry is the same byte for byte does not take the winner's claim for its own."""
    store.matches.beat("ref-1", {}, fresh=True)
    store.matches.beat("ref-2", {}, fresh=True)
    head, _ = store.matches._head_and_tournament(MATCH)
    assert isinstance(store.matches.claim(MATCH, "ref-1", 1, seed=SEED), Claimed)
    assert head is not None
    late = store.matches._claim(
        MATCH, "ref-2", "", (head, store.matches.head(MATCH), "1-0", "ref-2", 1, Secret(SEED), "", b"")
    )
    assert store.link.run(late) == [b"HEAD"]


# the fence


def test_a_lost_reply_is_answered_dup(store: Store, host: Host) -> None:
    """The identical append again is a success that adds nothing."""
    head = host.claim().head
    new = host.append(head, b"one")
    assert host.append(head, b"one") == new
    assert store.matches.log(MATCH) == [(1, 0, b"ref-1"), (1, 1, b"one")]


def test_other_bytes_at_the_same_place_are_refused(store: Store, host: Host) -> None:
    """Two histories cannot share a sequence number."""
    head = host.claim().head
    host.append(head, b"one")
    with pytest.raises(FencedError):
        host.append(head, b"two")
    assert [data for _, _, data in store.matches.log(MATCH)] == [b"ref-1", b"one"]


def test_a_gap_is_refused(store: Store, host: Host) -> None:
    """An entry whose predecessor is not there is not written."""
    head = host.claim().head
    missing = f"1-1-{'0' * 16}"
    with pytest.raises(FencedError):
        host.append(missing, b"two")
    assert store.matches.head(MATCH) == head


def test_a_thawed_owner_is_refused(store: Store, host: Host) -> None:
    """A referee that slept while another claimed its match can neither append nor release nor close."""
    head = host.append(host.claim().head, b"one")
    host.die()
    other = Host(store, "ref-2")
    taken = other.claim().head
    calls = store.matches.calls(MATCH, me="ref-1", tournament="")
    with pytest.raises(FencedError):
        store.matches.append(calls, head, b"two")
    with pytest.raises(FencedError):
        store.matches.release(calls, head, not_before_ms=1, now_ms=2)
    with pytest.raises(FencedError):
        store.matches.close(calls, head, b"end", now_ms=1, result="{}")
    row = store.matches.get(MATCH)
    assert (row.state, row.owner, row.result, store.matches.head(MATCH)) == (MatchState.RUNNING, "ref-2", "", taken)
    assert other.append(taken, b"two")


def test_log_is_binary_and_ordered(store: Store, host: Host) -> None:
    """Bytes come back as they were, by epoch and sequence."""
    head = host.claim().head
    parts = [bytes(range(256)), b"", b"\0\r\n*3"]
    for part in parts:
        head = host.append(head, part)
    assert store.matches.log(MATCH) == [(1, 0, b"ref-1"), *((1, seq, part) for seq, part in enumerate(parts, 1))]


# strikes


def test_three_deaths_without_an_act_park_the_match(store: Store, host: Host) -> None:
    """The fourth referee does not try it; the match is out of every list and waits for an operator."""
    for number in range(1, 4):
        claimed = Host(store, f"ref-{number}").claim()
        assert claimed.row.strikes == number - 1
        store.matches.leave(f"ref-{number}")
    store.matches.beat("ref-4", {}, fresh=True)
    assert store.matches.claim(MATCH, "ref-4", 1, seed=SEED) == ClaimRefused(Refusal.PARKED)
    row = store.matches.get(MATCH)
    assert (row.state, row.reason, row.owner) == (MatchState.PARKED, "strikes", "")
    assert store.matches.open_ids() == set()


def test_a_parked_match_is_fenced_against_its_last_host(store: Store, host: Host) -> None:
    """The referee that froze and was counted dead cannot write to it."""
    heads = []
    for number in range(1, 4):
        heads.append(Host(store, f"ref-{number}").claim().head)
        store.matches.leave(f"ref-{number}")
    store.matches.beat("ref-4", {}, fresh=True)
    store.matches.claim(MATCH, "ref-4", 1, seed=SEED)
    with pytest.raises(FencedError):
        Host(store, "ref-3").append(heads[-1], b"late")


def test_an_act_clears_the_strikes(store: Store, host: Host) -> None:
    """Progress in an epoch: its death is nobody's fault."""
    host.claim()
    host.die()
    second = Host(store, "ref-2")
    second.append(second.claim().head, b"an act")
    second.die()
    assert Host(store, "ref-3").claim().row.strikes == 0


def test_a_release_is_no_strike_but_is_counted(store: Store, host: Host) -> None:
    """Seats that were not there are counted until somebody plays."""
    for times in range(1, 4):
        calls = store.matches.calls(MATCH, me="ref-1", tournament="")
        store.matches.release(calls, host.claim().head, not_before_ms=times, now_ms=times, absent=True)
        row = store.matches.get(MATCH)
        assert (row.releases, row.strikes, row.owner, row.state) == (times, 0, "", MatchState.READY)
        assert store.matches.waiting() == {MATCH: times}
    head = host.append(host.claim().head, b"an act")
    store.matches.release(store.matches.calls(MATCH, me="ref-1", tournament=""), head, not_before_ms=9, now_ms=9)
    assert store.matches.get(MATCH).releases == 0


def test_a_released_match_goes_on_in_a_new_epoch(store: Store, host: Host) -> None:
    """RELEASE and CLAIM each open one; the log keeps the order."""
    head = host.append(host.claim().head, b"one")
    store.matches.release(
        store.matches.calls(MATCH, me="ref-1", tournament=""), head, not_before_ms=1, now_ms=2, data=b"bye"
    )
    host.append(Host(store, "ref-1").claim().head, b"two")
    assert store.matches.log(MATCH) == [
        (1, 0, b"ref-1"),
        (1, 1, b"one"),
        (2, 0, b"bye"),
        (3, 0, b"ref-1"),
        (3, 1, b"two"),
    ]
