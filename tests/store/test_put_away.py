"""What is void for good goes the way of what was settled: shown, archived, dropped; and it stays void at every step."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.archive import Archive
from ladder.store.errors import FencedError
from ladder.store.local import LocalStore
from ladder.store.match_calls import Ending
from ladder.store.rows import ClaimRefused, MatchRow, MatchState, Refusal
from ladder.store.shelf import Trimmed
from tests.store.proxy import LossyProxy
from tests.store.scenes import SEED, Host, parked, plan, result_text

pytestmark = pytest.mark.slow

MATCH = "cup.1.1.0"
TEXT = result_text([[[1, 2], [2, 1]]])
NOW_MS = 5_000


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """A folder that is not there yet."""
    return Archive(str(tmp_path / "archive"))


@pytest.fixture
def kept(store_server: LocalStore, tenant: str, archive: Archive) -> Iterator[Store]:
    """A store with an archive, and a match."""
    with Store.open(store_server.url, tenant=tenant, role="test", archive=archive) as store:
        store.matches.plan([plan(MATCH)], 5)
        yield store


def by_its_host(store: Store) -> None:
    """It is ordered while it runs, and its host carries that out."""
    host = Host(store)
    head = host.append(host.claim(MATCH).head, b"act")
    store.matches.void(MATCH, "why", "ann", 7)
    calls = store.matches.calls(MATCH, me=host.me, tournament="")
    store.matches.close(calls, head, b"end", now_ms=9, ending=Ending.VOID, reason="why")


def given_back(store: Store) -> None:
    """It was begun, and waits for another host when it is ordered."""
    host = Host(store)
    head = host.append(host.claim(MATCH).head, b"act")
    store.matches.release(store.matches.calls(MATCH, me=host.me, tournament=""), head, not_before_ms=0, now_ms=8)
    store.matches.void(MATCH, "why", "ann", 9)


def while_given_back(store: Store) -> None:
    """Its host gives it back and has not heard of the order."""
    host = Host(store)
    head = host.append(host.claim(MATCH).head, b"act")
    store.matches.void(MATCH, "why", "ann", 7)
    store.matches.release(store.matches.calls(MATCH, me=host.me, tournament=""), head, not_before_ms=0, now_ms=9)


def was_parked(store: Store) -> None:
    """Its host had a bug, and nobody wants it put back."""
    parked(store, MATCH)
    store.matches.annul(MATCH, "why", 9)


def was_closed(store: Store) -> None:
    """It was played, and not yet applied."""
    host = Host(store)
    host.close(host.append(host.claim(MATCH).head, b"act"), TEXT)
    store.matches.annul(MATCH, "why", 9)


def was_rated(store: Store) -> None:
    """It counted."""
    host = Host(store)
    host.close(host.append(host.claim(MATCH).head, b"act"), TEXT)
    store.matches.settle(MATCH)
    store.matches.annul(MATCH, "why", 9)


def was_archived(store: Store) -> None:
    """It counted, and the archive has it."""
    host = Host(store)
    host.close(host.append(host.claim(MATCH).head, b"act"), TEXT)
    store.matches.settle(MATCH)
    assert store.shelf.write([store.matches.get(MATCH)]) == 1
    store.matches.annul(MATCH, "why", 9)


WAYS = [by_its_host, given_back, while_given_back, was_parked, was_closed, was_rated, was_archived]


def put_away(store: Store) -> MatchRow:
    """A worker puts it away, and a referee shows it; returns it."""
    assert store.shelf.put_away(store.matches.get(MATCH), NOW_MS)
    store.reveals.carry_out()
    return store.matches.get(MATCH)


def left(store: Store) -> list[str]:
    """What is left of its log and its seed, wherever they may stand."""
    keys = store.keys
    names = ("log", "seed", "shown_log", "shown_seed")
    there = store.link.exist([getattr(keys, name)(MATCH) for name in names])
    return [name for name, stands in zip(names, there, strict=True) if stands]


@pytest.mark.parametrize("way", WAYS)
def test_a_void_match_leaves_the_ledger_as_a_rated_one_does(kept: Store, way: Callable[[Store], None]) -> None:
    """Its log is read from here as long, then from the archive; seed and log are dropped, and it is void throughout."""
    way(kept)
    log, head = kept.matches.log(MATCH), kept.matches.head(MATCH)
    assert len(log) > 1
    assert kept.matches.due(NOW_MS) == [MATCH]
    row = put_away(kept)
    assert kept.matches.due(NOW_MS) == []
    assert (kept.shelf.waiting(NOW_MS - 1, 9), kept.shelf.waiting(NOW_MS, 9)) == ([], [MATCH])
    assert left(kept) == ["shown_log", "shown_seed"]
    if row.settled:
        assert kept.shelf.write([row]) == 1
    row = kept.matches.get(MATCH)
    assert (row.state, row.reason, row.archived) == (MatchState.VOID, "why", True)
    assert kept.shelf.trim(row) is Trimmed.OK
    assert left(kept) == []
    assert kept.shelf.count() == 0
    assert (kept.matches.log(MATCH), kept.matches.head(MATCH)) == (log, head)
    seed = kept.matches.seed(MATCH)
    assert seed is not None
    assert seed.reveal() == SEED
    assert {state: count for state, count in kept.matches.states().items() if count} == {MatchState.VOID: 1}
    assert 0 < kept.link.read("TTL", kept.keys.deal(MATCH)) <= 7 * 86_400  # type: ignore[operator]


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_nothing_brings_it_back(kept: Store, steps: int) -> None:
    """Neither a host that comes late, nor the same again, whichever step it has come to."""
    host = Host(kept)
    claimed = host.claim(MATCH)
    old = host.append(claimed.head, b"act")
    calls = kept.matches.calls(MATCH, me=host.me, tournament="")
    kept.matches.close(calls, old, b"end", now_ms=9, ending=Ending.VOID, reason="why")
    for step in (put_away, lambda store: store.shelf.write([store.matches.get(MATCH)]), _trimmed)[:steps]:
        step(kept)
    before = kept.matches.get(MATCH), left(kept), kept.shelf.waiting(NOW_MS, 9)
    with pytest.raises(FencedError):
        kept.matches.append(calls, old, b"late")
    with pytest.raises(FencedError):
        kept.matches.close(calls, old, b"late", now_ms=9, result=TEXT)
    kept.matches.close(calls, old, b"end", now_ms=9, ending=Ending.VOID, reason="why")  # its reply was lost
    assert kept.matches.claim(MATCH, host.me, 9, seed=bytes(32)) == ClaimRefused(Refusal.GONE)
    assert kept.matches.void(MATCH, "again", "bob", 11) is MatchState.VOID
    kept.matches.annul(MATCH, "again", 11)
    kept.matches.plan([plan(MATCH)], 12)
    assert (kept.matches.get(MATCH), left(kept), kept.shelf.waiting(NOW_MS, 9)) == before


def _trimmed(store: Store) -> None:
    assert store.shelf.trim(store.matches.get(MATCH)) is Trimmed.OK


def test_every_step_twice_is_once(kept: Store) -> None:
    """A worker that was cut off does it all again."""
    by_its_host(kept)
    assert put_away(kept) == put_away(kept)
    row = kept.matches.get(MATCH)
    assert (kept.shelf.write([row]), kept.shelf.write([row])) == (1, 0)
    row = kept.matches.get(MATCH)
    assert (kept.shelf.trim(row), kept.shelf.trim(row)) == (Trimmed.OK, Trimmed.DUP)
    assert kept.shelf.put_away(row, NOW_MS)
    assert (kept.shelf.count(), kept.matches.due(NOW_MS), left(kept)) == (0, [], [])


def test_what_is_not_put_away_is_not_archived(kept: Store) -> None:
    """It may be of a group whose tables still play."""
    by_its_host(kept)
    assert kept.shelf.write([kept.matches.get(MATCH)]) == 0
    kept.link.read("HSET", kept.keys.match(MATCH), "shown", 1)
    assert kept.shelf.write([kept.matches.get(MATCH)]) == 0
    assert not kept.matches.get(MATCH).archive


def test_nothing_is_left_to_do_where_nothing_was_written(kept: Store) -> None:
    """Nobody ever claimed it."""
    kept.matches.void(MATCH, "why", "ann", 9)
    assert kept.matches.due(NOW_MS) == [MATCH]
    put_away(kept)
    assert (kept.matches.due(NOW_MS), kept.shelf.count(), left(kept)) == ([], 0, [])


def test_what_was_dropped_before_it_was_void_is_not_archived_again(kept: Store) -> None:
    """The archive has had it since it counted."""
    was_rated_and_trimmed(kept)
    log = kept.matches.log(MATCH)
    kept.matches.annul(MATCH, "why", 9)
    put_away(kept)
    assert (kept.matches.due(NOW_MS), kept.shelf.count(), left(kept)) == ([], 0, [])
    assert kept.matches.log(MATCH) == log


def was_rated_and_trimmed(store: Store) -> None:
    """It counted, and only the archive has its log."""
    host = Host(store)
    host.close(host.append(host.claim(MATCH).head, b"act"), TEXT)
    store.matches.settle(MATCH)
    store.shelf.write([store.matches.get(MATCH)])
    _trimmed(store)


def test_one_that_is_parked_stays(kept: Store) -> None:
    """It may be put back, and goes on from its log then."""
    parked(kept, MATCH)
    assert kept.matches.due(NOW_MS) == []
    assert not kept.shelf.put_away(kept.matches.get(MATCH), NOW_MS)
    kept.reveals.carry_out()
    assert (kept.shelf.count(), left(kept)) == (0, ["log", "seed"])


def test_one_of_a_group_is_put_away_when_the_group_is_over(kept: Store) -> None:
    """Before that other tables play its deals: seed and log are for referees, whoever asks."""
    match = "cup.1.2.0"
    kept.matches.plan([plan(match, group="cup.1.0.g0", deals="field", tournament="cup")], 5)
    host = Host(kept)
    head = host.claim(match).head
    calls = kept.matches.calls(match, me=host.me, tournament="cup")
    kept.matches.close(calls, head, b"end", now_ms=9, ending=Ending.VOID, reason="why")
    assert not kept.shelf.put_away(kept.matches.get(match), NOW_MS)
    kept.link.read("SADD", kept.keys.reveals, f"m:{match}")
    kept.reveals.carry_out()
    kept.reveals.adopt()
    secret = [kept.keys.log(match), kept.keys.seed(match)]
    assert (kept.link.exist(secret), kept.shelf.count()) == ([True, True], 0)
    assert kept.seals.open([match], "cup") == []
    assert kept.shelf.put_away(kept.matches.get(match), NOW_MS)
    kept.reveals.carry_out()
    assert (kept.link.exist(secret), kept.shelf.count()) == ([False, False], 1)


def test_void_matches_of_an_earlier_release_are_found_once(kept: Store) -> None:
    """It put none away; each match is looked at once, when it is over, in their order and so many at a time."""
    kept.matches.plan([plan(f"cup.1.{table}.0") for table in range(2, 6)], 5)
    by_its_host(kept)
    _void_before(kept, "cup.1.3.0")  # what stood in `due` is gone with it
    assert [kept.shelf.void_before(9, NOW_MS) for _ in range(2)] == [1, 0]
    assert kept.matches.due(NOW_MS) == [MATCH]
    assert put_away(kept).shown
    _void_before(kept, "cup.1.2.0")
    assert [kept.shelf.void_before(1, NOW_MS) for _ in range(3)] == [1, 1, 0]
    assert sorted(kept.matches.due(NOW_MS)) == ["cup.1.2.0", "cup.1.3.0"]
    for table in (4, 5):
        _void_before(kept, f"cup.1.{table}.0")
    assert [kept.shelf.void_before(9, NOW_MS) for _ in range(2)] == [2, 0]


def _void_before(store: Store, match: str) -> None:
    """Have a match made void by a release that put none away."""
    store.matches.void(match, "why", "ann", 9)
    store.link.read("DEL", store.keys.due)


STEPS: list[Callable[[Store], object]] = [
    lambda store: store.shelf.void_before(9, NOW_MS),
    lambda store: store.shelf.put_away(store.matches.get(MATCH), NOW_MS),
    lambda store: store.reveals.carry_out(),
    lambda store: store.shelf.write([store.matches.get(MATCH)]),
    lambda store: store.shelf.trim(store.matches.get(MATCH)),
]


@pytest.mark.parametrize("lost", range(len(STEPS)))
def test_a_lost_reply_changes_nothing(store_server: LocalStore, tenant: str, archive: Archive, lost: int) -> None:
    """A call that is sent again because its reply was lost finds what it did."""
    with (
        LossyProxy(store_server) as proxy,
        Store.open(proxy.url, tenant=tenant, role="test", archive=archive) as store,
    ):
        store.matches.plan([plan(MATCH)], 5)
        by_its_host(store)
        log = store.matches.log(MATCH)
        proxy.losing(lost, (partial(step, store) for step in STEPS))
        assert (store.matches.get(MATCH).state, left(store), store.shelf.count()) == (MatchState.VOID, [], 0)
        assert store.matches.log(MATCH) == log
