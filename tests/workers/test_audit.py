"""What an operator does and the line that says so are one: a process that is killed leaves both or neither."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from ladder.door.registration import Registration
from ladder.rpc.identity import Identity
from ladder.store.audit import Deed
from ladder.store.rows import Claimed, MatchState
from tests.store.scenes import parked
from tests.workers.house import House, spec
from tests.workers.killing import KilledError, killed_at
from workers.tournaments.life import Verb

PLAYED, WAITING = "spring.1.1.0", "spring.2.1.0"
MOST_WRITES = 4
"""No verb writes more often than that before it answers."""


@pytest.fixture
def going(house: House) -> House:
    """Three bots: one match is rated, one void, one waits."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    house.referee.play(house.now_ms, most=1)
    house.look()
    house.store.matches.void("spring.3.1.0", "before", "nobody", house.now_ms)
    return house


def _state(house: House, match: str) -> MatchState:
    return next((row.state for row in house.store.matches.page(limit=50).rows if row.id == match), MatchState.PLANNED)


def _bot(house: House, name: str) -> bool:
    return name in house.store.registry.find([name])


def _tokens(house: House) -> list[str]:
    return (house.store.link.field(house.store.keys.bot("alpha"), "tokens") or "").split()


VERBS: dict[str, tuple[tuple[str, str], Callable[[House], object], Callable[[House], bool]]] = {
    "create": (
        ("create", "autumn"),
        lambda house: house.desk.create(spec("autumn", "alpha", "beta"), b"", "olga"),
        lambda house: bool(house.store.tournaments.find(["autumn"])),
    ),
    "pause": (
        ("pause", "spring"),
        lambda house: house.desk.turn("spring", Verb.PAUSE, "lunch", "olga"),
        lambda house: house.store.tournaments.get("spring").state == "paused",
    ),
    "cancel": (
        ("cancel", "spring"),
        lambda house: house.desk.turn("spring", Verb.CANCEL, "rain", "olga"),
        lambda house: house.store.tournaments.get("spring").state == "cancelled",
    ),
    "void of one that waits": (
        ("void", WAITING),
        lambda house: house.desk.void(WAITING, "wrong", "olga"),
        lambda house: _state(house, WAITING) is MatchState.VOID,
    ),
    "void of one that was rated": (
        ("void", PLAYED),
        lambda house: house.desk.void(PLAYED, "wrong", "olga"),
        lambda house: _state(house, PLAYED) is MatchState.VOID,
    ),
    "replay": (
        ("replay", "spring.3.1.0.r2"),
        lambda house: house.desk.requeue("spring.3.1.0", "again", "olga"),
        lambda house: any(row.id == "spring.3.1.0.r2" for row in house.store.matches.page(limit=50).rows),
    ),
    "register": (
        ("register", "rover"),
        lambda house: Registration(house.store.registry, closed=False, per_minute=0).register(
            "rover", "Ada", "", Identity(owner="olga", scopes=frozenset({"admin"})), "here"
        ),
        lambda house: _bot(house, "rover"),
    ),
    "retire": (
        ("retire", "alpha"),
        lambda house: house.store.registry.retire("alpha", deed=Deed("olga", "retire", "alpha", "", 1)),
        lambda house: house.store.registry.get("alpha").retired,
    ),
    "rotate": (
        ("rotate", "alpha"),
        lambda house: house.store.registry.rotate("alpha", deed=Deed("olga", "rotate", "alpha", "", 1)),
        lambda house: len(_tokens(house)) == 2,
    ),
    "revoke": (
        ("revoke", "alpha"),
        lambda house: house.store.registry.revoke("alpha", deed=Deed("olga", "revoke", "alpha", "", 1)),
        lambda house: not _tokens(house),
    ),
    "grant": (
        ("grant", "operator:pat"),
        lambda house: house.store.registry.operator(
            "pat", {"admin"}, deed=Deed("olga", "grant", "operator:pat", "", 1)
        ),
        lambda house: any(token.owner == "pat" for token in house.store.registry.operators()),
    ),
}


@pytest.mark.parametrize("writes", range(MOST_WRITES))
@pytest.mark.parametrize("name", VERBS)
def test_a_kill_leaves_the_deed_with_its_line_or_neither(
    going: House, monkeypatch: pytest.MonkeyPatch, name: str, writes: int
) -> None:
    """Whenever the process ends: what stands in the ledger stands in the audit, once."""
    (verb, target), act, done = VERBS[name]
    going.store.registry.pepper()  # written once, by whoever comes first
    with monkeypatch.context() as patched:
        killed_at(going, patched, writes)
        with suppress(KilledError):
            act(going)
    lines = [deed for deed in going.store.audit.tail(20, target) if deed.verb == verb and deed.who == "olga"]
    assert len(lines) == done(going)
    assert not (writes == 0 and lines)


@pytest.mark.parametrize("name", VERBS)
def test_who_is_not_killed_does_it(going: House, name: str) -> None:
    """So that the law above is one of verbs that act."""
    (verb, target), act, done = VERBS[name]
    assert not done(going)
    act(going)
    assert done(going)
    assert [deed.verb for deed in going.store.audit.tail(20, target) if deed.who == "olga"] == [verb]


# the same again


def _deed(who: str, verb: str, target: str) -> Deed:
    return Deed(who, verb, target, who, 1)


def _void(house: House, who: str, match: str) -> object:
    return house.store.matches.void(match, who, who, house.now_ms, deed=_deed(who, "void", match))


def _annul(house: House, who: str, match: str) -> object:
    return house.store.matches.annul(match, who, house.now_ms, deed=_deed(who, "void", match))


def _requeue(house: House, who: str, match: str) -> object:
    return house.store.matches.requeue(match, house.now_ms, deed=_deed(who, "requeue", match))


def _nothing(house: House) -> None:
    """Leave all as it is."""


def _running(house: House) -> None:
    assert isinstance(house.store.matches.claim(WAITING, house.referee.me, house.now_ms, seed=bytes(32)), Claimed)


def _parked(house: House) -> None:
    parked(house.store, WAITING)


def _paused(house: House) -> None:
    _parked(house)
    house.store.tournaments.move("spring", {"running"}, "paused", now_ms=house.now_ms)


def _spoilt(house: House) -> None:
    house.referee.play(house.now_ms, only=[WAITING])
    assert house.store.matches.spoil(WAITING, "unproven", house.now_ms)


@pytest.mark.parametrize(
    ("before", "act", "match", "state"),
    [
        pytest.param(_nothing, _void, WAITING, MatchState.VOID, id="void of one that waits"),
        pytest.param(_running, _void, WAITING, MatchState.RUNNING, id="void of one that is played"),
        pytest.param(_nothing, _annul, PLAYED, MatchState.VOID, id="void of one that was rated"),
        pytest.param(_parked, _annul, WAITING, MatchState.VOID, id="void of one that was parked"),
        pytest.param(_parked, _requeue, WAITING, MatchState.READY, id="put back"),
        pytest.param(_paused, _requeue, WAITING, MatchState.PLANNED, id="put back in a pause"),
        pytest.param(_spoilt, _requeue, WAITING, MatchState.CLOSED, id="put back for the workers"),
    ],
)
def test_what_two_operators_do_at_once_the_first_one_did(
    going: House,
    before: Callable[[House], None],
    act: Callable[[House, str, str], object],
    match: str,
    state: MatchState,
) -> None:
    """Both had read that it was still to be done: the second one is told the same, and nothing is noted of him."""
    before(going)
    first = act(going, "ann", match)
    assert act(going, "bob", match) == first
    assert act(going, "ann", match) == first
    assert going.store.matches.get(match).state is state
    assert [deed.who for deed in going.store.audit.tail(20, match)] == ["ann"]


def test_an_operator_who_asks_twice_is_one_line(going: House) -> None:
    """Its host has not heard of the order yet."""
    _running(going)
    for _ in range(3):
        going.desk.void(WAITING, "too slow", "olga")
    assert [deed.who for deed in going.store.audit.tail(20, WAITING)] == ["olga"]
