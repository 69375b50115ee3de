"""What an operator does and the line that says so are one: a process that is killed leaves both or neither."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from ladder.door.registration import Registration
from ladder.luck import Correction
from ladder.rpc.identity import Identity
from ladder.store.audit import Deed
from ladder.store.rows import Claimed, MatchState
from ladder.timeline import Change
from tests.store.scenes import parked
from tests.workers.house import House, spec
from tests.workers.killing import KilledError, killed_at
from tests.workers.small_referee import FORMAT
from workers.tournaments.life import State, Verb

pytestmark = pytest.mark.slow

PLAYED, WAITING, VOIDED = "spring.1.1.0", "spring.2.1.0", "spring.3.1.0"
OWNERS = ("Ann", "Ben")
MOST_WRITES = 4
"""No verb writes more often than that before it answers."""
ROOMS = [Path(__file__).parents[2] / room for room in ("ladder", "workers")]


def _state(house: House, match: str) -> MatchState:
    return next((row.state for row in house.store.matches.page(limit=50).rows if row.id == match), MatchState.PLANNED)


def _bot(house: House, name: str) -> bool:
    return name in house.store.registry.find([name])


def _tokens(house: House) -> list[str]:
    return (house.store.link.field(house.store.keys.bot("alpha"), "tokens") or "").split()


def _operators(house: House) -> list[str]:
    return [token.keyid for token in house.store.registry.operators() if token.owner == "pat"]


def _deed(who: str, verb: str, target: str) -> Deed:
    return Deed(who, verb, target, who, 1)


# what stood before


def _nothing(house: House) -> None:
    """Leave all as it is."""


def _running(house: House) -> None:
    assert isinstance(house.store.matches.claim(WAITING, house.referee.me, house.now_ms, seed=bytes(32)), Claimed)


def _parked(house: House) -> None:
    parked(house.store, WAITING)


def _resting(house: House) -> None:
    assert house.store.tournaments.move("spring", {"running"}, "paused", now_ms=house.now_ms)


def _paused(house: House) -> None:
    _parked(house)
    _resting(house)


def _spoilt(house: House) -> None:
    house.referee.play(house.now_ms, only=[WAITING])
    assert house.store.matches.spoil(WAITING, "unproven", house.now_ms)


def _voided(house: House) -> None:
    house.store.matches.void(VOIDED, "before", "nobody", house.now_ms)


def _vouched(house: House) -> None:
    house.store.registry.vouch("alpha")


def _retired(house: House) -> None:
    house.store.registry.retire("alpha")


def _granted(house: House) -> None:
    house.store.registry.operator("pat", {"admin"})


def _owners(house: House) -> None:
    for owner in OWNERS:
        house.store.registry.register(f"{owner.lower()}-bot", owner)


def _linked(house: House) -> None:
    _owners(house)
    assert house.store.registry.link(OWNERS)


# the verbs


@dataclass(frozen=True)
class Case:
    """A verb of an operator called olga."""

    verb: str
    target: str
    act: Callable[[House], object]
    done: Callable[[House], bool]
    before: Callable[[House], None] = _nothing

    @property
    def deed(self) -> Deed:
        """What is noted where the verb takes it ready made."""
        return _deed("olga", self.verb, self.target)


def _turned(verb: Verb, state: State, before: Callable[[House], None] = _nothing) -> Case:
    return Case(
        verb,
        "spring",
        lambda house: house.desk.turn("spring", verb, "lunch", "olga"),
        lambda house: house.state("spring") is state,
        before,
    )


def _voiding(match: str, before: Callable[[House], None] = _nothing) -> Case:
    return Case(
        "void",
        match,
        lambda house: house.desk.void(match, "wrong", "olga"),
        lambda house: _state(house, match) is MatchState.VOID,
        before,
    )


def _put_back(state: MatchState, before: Callable[[House], None]) -> Case:
    return Case(
        "requeue",
        WAITING,
        lambda house: house.desk.requeue(WAITING, "again", "olga"),
        lambda house: _state(house, WAITING) is state,
        before,
    )


VERBS: dict[str, Case] = {
    "create": Case(
        "create",
        "autumn",
        lambda house: house.desk.create(spec("autumn", "alpha", "beta"), b"", "olga"),
        lambda house: bool(house.store.tournaments.find(["autumn"])),
    ),
    "pause": _turned(Verb.PAUSE, State.PAUSED),
    "resume": _turned(Verb.RESUME, State.RUNNING, _resting),
    "cancel": _turned(Verb.CANCEL, State.CANCELLED),
    "void of one that waits": _voiding(WAITING),
    "void of one that was rated": _voiding(PLAYED),
    "void of one that was parked": _voiding(WAITING, _parked),
    "void of one that is played": Case(
        "void",
        WAITING,
        lambda house: house.desk.void(WAITING, "wrong", "olga"),
        lambda house: house.store.matches.get(WAITING).stop is not None,
        _running,
    ),
    "requeue": _put_back(MatchState.READY, _parked),
    "requeue in a pause": _put_back(MatchState.PLANNED, _paused),
    "requeue for the workers": _put_back(MatchState.CLOSED, _spoilt),
    "replay": Case(
        "replay",
        f"{VOIDED}.r2",
        lambda house: house.desk.requeue(VOIDED, "again", "olga"),
        lambda house: any(row.id == f"{VOIDED}.r2" for row in house.store.matches.page(limit=50).rows),
        _voided,
    ),
    "register": Case(
        "register",
        "rover",
        lambda house: Registration(house.store.registry, closed=False, per_minute=0).register(
            "rover", "Ada", "", Identity(owner="olga", scopes=frozenset({"admin"})), "here"
        ),
        lambda house: _bot(house, "rover"),
    ),
    "retire": Case(
        "retire",
        "alpha",
        lambda house: house.store.registry.retire("alpha", deed=VERBS["retire"].deed),
        lambda house: house.store.registry.get("alpha").retired,
    ),
    "unretire": Case(
        "unretire",
        "alpha",
        lambda house: house.store.registry.unretire("alpha", deed=VERBS["unretire"].deed),
        lambda house: not house.store.registry.get("alpha").retired,
        _retired,
    ),
    "vouch": Case(
        "vouch",
        "alpha",
        lambda house: house.store.registry.vouch("alpha", deed=VERBS["vouch"].deed),
        lambda house: house.store.registry.get("alpha").vouched,
    ),
    "unvouch": Case(
        "unvouch",
        "alpha",
        lambda house: house.store.registry.vouch("alpha", vouched=False, deed=VERBS["unvouch"].deed),
        lambda house: not house.store.registry.get("alpha").vouched,
        _vouched,
    ),
    "link": Case(
        "link",
        "owner:Ann",
        lambda house: house.store.registry.link(OWNERS, deed=VERBS["link"].deed),
        lambda house: bool(house.store.registry.linked()),
        _owners,
    ),
    "unlink": Case(
        "unlink",
        "owner:Ann",
        lambda house: house.store.registry.unlink("Ann", deed=VERBS["unlink"].deed),
        lambda house: not house.store.registry.linked(),
        _linked,
    ),
    "rotate": Case(
        "rotate",
        "alpha",
        lambda house: house.store.registry.rotate("alpha", deed=VERBS["rotate"].deed),
        lambda house: len(_tokens(house)) == 2,
    ),
    "revoke": Case(
        "revoke",
        "alpha",
        lambda house: house.store.registry.revoke("alpha", deed=VERBS["revoke"].deed),
        lambda house: not _tokens(house),
    ),
    "grant": Case(
        "grant",
        "operator:pat",
        lambda house: house.store.registry.operator("pat", {"admin"}, deed=VERBS["grant"].deed),
        lambda house: bool(_operators(house)),
    ),
    "weights": Case(
        "weights",
        FORMAT,
        lambda house: house.store.weights.add(
            FORMAT, 0, 0, Change(0, 1, 1, Correction("uno", "r", {"f1": 0.1})), VERBS["weights"].deed
        ),
        lambda house: len(house.store.weights.of(FORMAT)) == 1,
    ),
    "revoke of an operator": Case(
        "revoke",
        "operator:pat",
        lambda house: house.store.registry.revoke_operator(
            *_operators(house), deed=VERBS["revoke of an operator"].deed
        ),
        lambda house: not _operators(house),
        _granted,
    ),
}


@pytest.mark.sample(24)
@pytest.mark.parametrize("writes", range(MOST_WRITES))
@pytest.mark.parametrize("name", VERBS)
def test_a_kill_leaves_the_deed_with_its_line_or_neither(
    going: House, monkeypatch: pytest.MonkeyPatch, name: str, writes: int
) -> None:
    """Whenever the process ends: what stands in the ledger stands in the audit, once."""
    case = VERBS[name]
    going.store.registry.pepper()  # written once, by whoever comes first
    case.before(going)
    with monkeypatch.context() as patched:
        killed_at(going, patched, writes)
        with suppress(KilledError):
            case.act(going)
    lines = [deed for deed in going.store.audit.tail(20, case.target) if (deed.who, deed.verb) == ("olga", case.verb)]
    assert len(lines) == case.done(going)
    assert not (writes == 0 and lines)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", VERBS)
def test_who_is_not_killed_does_it(going: House, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """So that the law above is one of verbs that act, and of every write of them."""
    case = VERBS[name]
    going.store.registry.pepper()
    case.before(going)
    assert not case.done(going)
    killed_at(going, monkeypatch, MOST_WRITES)
    case.act(going)
    assert case.done(going)
    assert [deed.verb for deed in going.store.audit.tail(20, case.target) if deed.who == "olga"] == [case.verb]


def _verbs_in(file: Path) -> set[str]:
    """Return the verbs that stand where deeds are made."""
    calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)]
    made = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in {"Deed", "deed"}]
    words = [word.value for call in made for word in call.args[:2] if isinstance(word, ast.Constant)]
    return {word for word in words if isinstance(word, str)}


def test_every_verb_that_is_noted_is_one_of_these() -> None:
    """A new one has to keep the law, too."""
    noted = set[str]().union(*(_verbs_in(file) for room in ROOMS for file in room.rglob("*.py")))
    assert noted | set(Verb) == {case.verb for case in VERBS.values()}


# the same again


def _void(house: House, who: str, match: str) -> object:
    return house.store.matches.void(match, who, who, house.now_ms, deed=_deed(who, "void", match))


def _annul(house: House, who: str, match: str) -> object:
    return house.store.matches.annul(match, who, house.now_ms, deed=_deed(who, "void", match))


def _requeue(house: House, who: str, match: str) -> object:
    return house.store.matches.requeue(match, house.now_ms, deed=_deed(who, "requeue", match))


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
