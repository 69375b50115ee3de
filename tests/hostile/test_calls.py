"""Every method of the ladder process, found in the descriptors, with requests and callers that are no good.

A method that is added without a good request to start from fails here.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from ladder.rpc.status import Refusal
from ladder.store.local import LocalStore
from tests.fixtures_served import Served, serving
from tests.hostile.calls import METHODS, ask, bad_requests, request_of
from tests.patience import PATIENCE_S

SPEC: Final = {"name": "good-cup", "format": "uno-classic-2", "bots": ["greedy", "careful"], "meetings": 1}
GOOD: Final[dict[str, dict[str, Any]]] = {
    "RegisterBot": {"name": "good-bot", "owner": "Ada"},
    "RotateToken": {"name": "careful"},
    "GetBot": {"name": "greedy"},
    "ListBots": {},
    "ListStandings": {"format": "uno-classic-2"},
    "ListMatches": {"tournament": "spring-cup"},
    "GetMatch": {"id": "spring-cup.1.1.0"},
    "WatchStandings": {"format": "uno-classic-2"},
    "WatchMatch": {"id": "spring-cup.1.1.0"},
    "Plan": {"spec": SPEC},
    "Create": {"spec": SPEC},
    "Get": {"name": "spring-cup"},
    "List": {},
    "Watch": {"name": "spring-cup"},
    "Pause": {"name": "spring-cup"},
    "Resume": {"name": "spring-cup"},
    "Cancel": {"name": "no-such-cup"},
    "VoidMatch": {"id": "no.1.1.0", "reason": "broken"},
    "Requeue": {"id": "no.1.1.0"},
}
WRITERS: Final = {"RotateToken", "Create", "Pause", "Resume", "Cancel", "VoidMatch", "Requeue"}
TYPED: Final = {
    "INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "UNAUTHENTICATED", "PERMISSION_DENIED", "FAILED_PRECONDITION",
    "RESOURCE_EXHAUSTED",
}  # fmt: skip
every_method = pytest.mark.parametrize("method", [pytest.param(one, id=one.name) for one in METHODS])


@pytest.fixture(scope="module")
def desk(store_server: LocalStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A ladder that this module alone asks; its log tells of nothing that it did not expect."""
    with serving(store_server, tmp_path_factory) as found:
        yield found
        said = found.log.read_text("utf-8")
        assert "internal error" not in said
        assert "Traceback" not in said
        assert not [token for token in found.tokens.values() if token in said]


@pytest.fixture(scope="module")
def channel(desk: Served) -> Iterator[grpc.Channel]:
    """One connection for all calls."""
    with desk.channel as one:
        yield one


def fits(told: Refusal) -> str:
    """Return what is wrong with the end of a call; "" if it is one that callers are promised."""
    if told.code is grpc.StatusCode.OK:
        return ""
    if told.code.name not in TYPED:
        return f"{told.code.name} {told.message}"
    if not re.fullmatch(r"[A-Z][A-Z_]+", told.reason):
        return f"no reason: {told.code.name} {told.message}"
    return "" if len(told.message) <= 500 and told.message.isprintable() else f"sentence: {told.message[:80]!r}"


def test_every_method_has_a_good_request() -> None:
    """A new method is asked for badly, too."""
    assert set(GOOD) == {method.name for method in METHODS}


@every_method
def test_a_bad_request_is_told_what_is_wrong(desk: Served, channel: grpc.Channel, method: MethodDescriptor) -> None:
    """One wrong field at a time: OK where it is none, else a status that is promised, a reason and a sentence."""
    who = desk.metadata("admin" if method.name in WRITERS else "")
    good = request_of(method, **GOOD[method.name])
    wrong = {}
    for bad in bad_requests(method, good):
        told = ask(channel, method, bad.data, who)
        if bad.what == "too large":  # the transport's own words
            assert told.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        elif problem := fits(told):
            wrong[bad.what] = problem
    assert wrong == {}


@every_method
def test_a_caller_that_may_not_is_told_so(desk: Served, channel: grpc.Channel, method: MethodDescriptor) -> None:
    """Reading needs no token; writing needs the scope; a token that is none is refused everywhere."""
    data = request_of(method, **GOOD[method.name]).SerializeToString()
    writes = method.name in WRITERS
    assert (ask(channel, method, data, ()).code.name == "UNAUTHENTICATED") == writes
    assert (ask(channel, method, data, desk.metadata("play")).code.name == "PERMISSION_DENIED") == writes
    for text in ("Bearer", "Basic eDp5", "Bearer  ", "lcb1_x"):
        told = ask(channel, method, data, (("authorization", text),))
        assert (told.code.name, told.reason) == ("UNAUTHENTICATED", "TOKEN_BAD"), (text, told)


def test_guessing_tokens_is_slowed_down(desk: Served, channel: grpc.Channel) -> None:
    """Ten wrong ones, then a minute of refusals; known tokens and calls without one go on."""
    method = next(one for one in METHODS if one.name == "GetBot")
    data = request_of(method, name="greedy").SerializeToString()
    assert ask(channel, method, data, desk.metadata("organiser")).code is grpc.StatusCode.OK
    told = [ask(channel, method, data, (("authorization", f"Bearer wrong-{number}"),)).reason for number in range(15)]
    assert set(told) == {"TOKEN_BAD", "TOKEN_RATE"}
    assert told == sorted(told)
    assert ask(channel, method, data, desk.metadata("organiser")).code is grpc.StatusCode.OK
    assert ask(channel, method, data, ()).code is grpc.StatusCode.OK


@pytest.mark.parametrize("path", ["/lastcard.v1.LadderService/Peek", "/x", "/grpc.reflection.v1.ServerReflection/X"])
def test_what_is_no_method_is_unimplemented(channel: grpc.Channel, path: str) -> None:
    """As the protocol has it; and there is no reflection unless it was asked for."""
    unary: Any = channel.unary_unary(path)
    with pytest.raises(grpc.RpcError) as told:
        unary(b"", timeout=PATIENCE_S)
    error: Any = told.value
    assert error.code() is grpc.StatusCode.UNIMPLEMENTED
