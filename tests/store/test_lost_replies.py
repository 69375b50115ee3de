"""A lost reply makes the client send a call again, without telling: every write counts once all the same."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from ladder.store import Store
from ladder.store.audit import Deed
from ladder.store.call import Call
from ladder.store.counters import Counter
from ladder.store.generations import Renewed
from ladder.store.local import LocalStore
from ladder.store.presence import Online
from ladder.store.rows import Claimed
from tests.fixtures_store import PEPPER
from tests.store.proxy import LossyProxy
from tests.store.scenes import LADDER, SEED, Host, parked, plan, result, result_text

pytestmark = pytest.mark.slow

MATCH = "cup.1.1.0"
DEED = Deed("ann", "verb", "target", "why", 5)
TEXT = result_text([[[1, 2], [2, 1]]])


@dataclass(frozen=True)
class Twice:
    """Two tenants of one server: in `lossy` a reply is lost, in `plain` none is."""

    lossy: Store
    plain: Store
    proxy: LossyProxy


@pytest.fixture
def twice(store_server: LocalStore, tenant: str) -> Iterator[Twice]:
    """Both prepared alike: a tournament, a match, a ladder, a bot."""
    with LossyProxy(store_server) as proxy:
        doors = (
            Store.open(url, tenant=f"{tenant}-{name}", role="test", pepper=PEPPER, clock=lambda: 7)
            for url, name in ((proxy.url, "a"), (store_server.url, "b"))
        )
        lossy, plain = doors
        with lossy, plain:
            for store in (lossy, plain):
                store.registry.pepper()
                store.registry.register("ann", "Ann", "0123456789abcdef")
                store.tournaments.create("cup", {}, deal_seed=SEED, state="running", now_ms=1)
                store.matches.plan([plan(tournament="cup"), plan("cup.1.2.0", tournament="cup")], 5)
                store.ratings.enter(LADDER, {"ann@1": None, "bob@1": None})
            yield Twice(lossy, plain, proxy)


def _claimed(store: Store) -> str:
    return Host(store).claim().head


def _closed(store: Store) -> None:
    Host(store).close(_claimed(store), TEXT, tournament="cup")


def _parked(store: Store) -> None:
    parked(store, MATCH)


def _applied_and_void(store: Store) -> None:
    _closed(store)
    store.ratings.apply(result(MATCH, ("ann@1", "bob@1"), [[[1, 2], [2, 1]]]))
    store.matches.settle(MATCH, seq=1)
    store.matches.annul(MATCH, "why", 8)


def _slow(store: Store) -> object:
    claimed_ms = store.matches.get(MATCH).claimed_ms
    return store.matches.void(MATCH, "why", "ann", 7, claimed_ms=claimed_ms, deed=DEED)


def _ordered(store: Store) -> None:
    head = _claimed(store)
    store.matches.void(MATCH, "why", "ann", 7)
    Host(store).close(head, TEXT, tournament="cup")


def _nothing(_: Store) -> None:
    pass


def _plan(store: Store) -> None:
    store.matches.plan([plan("cup.1.3.0", tournament="cup")], 6)


def _enter(store: Store) -> None:
    store.ratings.enter(LADDER, {"cat@1": None})


CALLS: list[tuple[str, Callable[[Store], object], Callable[[Store], object]]] = [
    ("plan", _nothing, _plan),
    ("set ready", lambda store: store.matches.unready(MATCH), lambda store: store.matches.set_ready(MATCH, 3)),
    ("unready", _nothing, lambda store: store.matches.unready(MATCH)),
    (
        "claim",
        lambda store: store.matches.beat("ref-1", {}, fresh=True),
        lambda store: isinstance(store.matches.claim(MATCH, "ref-1", 9, seed=SEED), Claimed),
    ),
    ("beat", _claimed, lambda store: store.matches.beat("ref-1", {}, games_done={MATCH: 3})),
    ("append", _claimed, lambda store: Host(store).append(store.matches.head(MATCH), b"act")),
    (
        "release",
        _claimed,
        lambda store: store.matches.release(
            store.matches.calls(MATCH, me="ref-1", tournament="cup"),
            store.matches.head(MATCH),
            not_before_ms=4,
            now_ms=4,
            absent=True,
        ),
    ),
    ("close", _claimed, lambda store: Host(store).close(store.matches.head(MATCH), TEXT, tournament="cup")),
    ("void", _nothing, lambda store: store.matches.void(MATCH, "why", "ann", 7)),
    ("annul", _closed, lambda store: store.matches.annul(MATCH, "why", 8)),
    ("renew", _applied_and_void, lambda store: store.generations.renew(LADDER.format, "one")),
    ("requeue", _parked, lambda store: store.matches.requeue(MATCH, 8)),
    ("settle", _closed, lambda store: store.matches.settle(MATCH, seq=1)),
    ("spoil", _closed, lambda store: store.matches.spoil(MATCH, "conflict", 8)),
    ("enter", _nothing, _enter),
    ("register", _nothing, lambda store: store.registry.register("bob", "Ann", "fedcba9876543210")),
    ("register without an id", _nothing, lambda store: store.registry.register("bob", "Ann")[0]),
    ("version", _nothing, lambda store: store.registry.version("ann", "1.0")),
    ("revoke", _nothing, lambda store: store.registry.revoke("ann")),
    ("vouch", _nothing, lambda store: store.registry.vouch("ann")),
    ("retire", _nothing, lambda store: store.registry.retire("ann")),
    (
        "create a tournament",
        _nothing,
        lambda store: store.tournaments.create("jug", {}, deal_seed=b"j" * 32, state="scheduled", now_ms=3)[0],
    ),
    ("note", _nothing, lambda store: store.tournaments.note("cup", "running", "", "{}")),
    ("move a tournament", _nothing, lambda store: store.tournaments.move("cup", {"running"}, "paused", now_ms=3)),
    ("tick", _nothing, lambda store: store.ticks.tick("tick", "100")),
    ("count", _nothing, lambda store: store.counters.add({Counter("x_total"): 2})),
    ("audit", _nothing, lambda store: store.audit.write("ann", "void", MATCH, "why", 5)),
    ("void, noted", _nothing, lambda store: store.matches.void(MATCH, "why", "ann", 7, deed=DEED)),
    ("annul, noted", _closed, lambda store: store.matches.annul(MATCH, "why", 8, deed=DEED)),
    ("requeue, noted", _parked, lambda store: store.matches.requeue(MATCH, 8, deed=DEED)),
    ("void of a claim, noted", _claimed, _slow),
    ("spoil where it is to be void", _ordered, lambda store: store.matches.spoil(MATCH, "conflict", 8)),
    ("retire, noted", _nothing, lambda store: store.registry.retire("ann", deed=DEED)),
    (
        "move a tournament, noted",
        _nothing,
        lambda store: store.tournaments.turn("cup", {"running"}, "paused", DEED),
    ),
    ("presence", _nothing, lambda store: store.presence.put("ref-1", {"ann@1": Online(frozenset({"dos-2"}), 3)})),
]


def _everything(store: Store) -> dict[str, object]:
    """All that the parts tell, without what differs by chance."""
    rows = store.matches.page().rows
    return {
        "rows": rows,
        "logs": [store.matches.log(row.id) for row in rows],
        "lists": (
            store.matches.waiting(),
            store.matches.waiting_for_worker(),
            store.matches.open_ids(),
            store.matches.states(),
        ),
        "tournaments": store.tournaments.page()[0],
        "open": store.tournaments.open_ids("cup"),
        "bots": store.registry.page().rows,
        "ladder": (
            store.ratings.tallies(LADDER.format),
            list(store.ratings.log(LADDER.format)),
        ),
        "counters": store.counters.read(),
        "audit": store.audit.tail(),
        "presence": (store.presence.by_referee(), store.matches.referees()),
    }


@pytest.mark.parametrize("calls", range(5))
def test_a_new_generation_survives_any_lost_reply(twice: Twice, monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
    """Whichever reply is lost while a ladder is computed anew, it is served once and right."""
    _applied_and_void(twice.lossy)
    run, made = twice.lossy.link.run, list[Call]()

    def losing(call: Call) -> object:
        made.append(call)
        if len(made) != calls + 1:
            return run(call)
        with twice.proxy.losing_one_reply():
            return run(call)

    monkeypatch.setattr(twice.lossy.link, "run", losing)
    assert twice.lossy.generations.renew(LADDER.format, "one") == Renewed(1, 1, 1)
    assert len(made) == 5
    assert twice.lossy.ratings.rebuild(LADDER.format).equal


@pytest.mark.parametrize(("prepare", "call"), [pytest.param(prepare, call, id=name) for name, prepare, call in CALLS])
def test_a_call_whose_reply_is_lost_counts_once(
    twice: Twice, prepare: Callable[[Store], object], call: Callable[[Store], object]
) -> None:
    """Same answer and same state as where nothing was lost."""
    prepare(twice.lossy)
    prepare(twice.plain)
    with twice.proxy.losing_one_reply():
        answer = call(twice.lossy)
    assert answer == call(twice.plain)
    assert _everything(twice.lossy) == _everything(twice.plain)


def test_a_rating_whose_reply_is_lost_is_applied_once(twice: Twice) -> None:
    """It comes back as a duplicate: that is a success, too."""
    match = result(MATCH, ("ann@1", "bob@1"), [[[1, 2], [2, 1]]])
    with twice.proxy.losing_one_reply():
        assert twice.lossy.ratings.apply(match).seq == 1
    twice.plain.ratings.apply(match)
    assert _everything(twice.lossy) == _everything(twice.plain)


def test_a_rotation_whose_reply_is_lost_gives_one_token(twice: Twice) -> None:
    """The token that is returned is valid, and the one before it is, too."""
    before = twice.lossy.registry.register("ann", "Ann", "0123456789abcdef")[1]
    with twice.proxy.losing_one_reply():
        token = twice.lossy.registry.rotate("ann")
    for valid in (before, token):
        assert twice.lossy.registry.authenticate(valid).bot == "ann"
