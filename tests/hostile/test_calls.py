"""Every method of the ladder process, found in the descriptors, with requests and callers that are no good.

A method that is added without a good request to start from fails here.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from grpc_health.v1 import health_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.rpc.status import Refusal
from ladder.store.local import LocalStore
from tests.fixtures_served import Served, serving
from tests.hostile.calls import METHODS, ask, bad_requests, request_of
from tests.hostile.mutants import RAW, mutants
from tests.hostile.target import rss_mib
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

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
    "ListResults": {"tournament": "spring-cup"},
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
HEALTH: Final = cast("tuple[MethodDescriptor, ...]", tuple(health_pb2.DESCRIPTOR.services_by_name["Health"].methods))
MOST_GROWTH_MIB: Final = 60
SOME, MANY = 100, 20_000
"""Requests of each kind, in every run and in a night."""
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
        if bad.what == "far too large":  # the transport's own words
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


# -- anything at all


@cache
def reasons() -> frozenset[str]:
    """Return every word of the code that may be a reason: callers are told one of them, never an error's text."""
    root, found = Path(__file__).parents[2], set()
    for package in ("ladder", "workers", "referee", "lastcard"):
        for file in (root / package).rglob("*.py"):
            nodes = ast.walk(ast.parse(file.read_text("utf-8")))
            found |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(word for word in found if re.fullmatch(r"[A-Z][A-Z_]+", word))


def odd(told: Refusal, *, health: bool = False) -> str:
    """Return what is wrong with the end of a call; "" if it is one that callers are promised."""
    if health and told.code is grpc.StatusCode.UNIMPLEMENTED:
        return "" if told.reason == "UNKNOWN_METHOD" else told.reason
    if told.code is grpc.StatusCode.RESOURCE_EXHAUSTED and not told.reason:
        return ""  # above what gRPC takes
    return fits(told) or ("" if told.reason in {"", *reasons()} else f"not in the catalogue: {told.reason}")


def bombard(desk: Served, channel: grpc.Channel, method: MethodDescriptor, count: int, *, fixed: bool) -> None:
    """Send a method bytes that are nothing, and good requests with up to three fields changed."""
    health = method in HEALTH
    good = request_of(method, **({} if health else GOOD[method.name]))
    who = desk.metadata("admin" if method.name in WRITERS else "")

    @settings(max_examples=count, derandomize=fixed, print_blob=True, database=None, deadline=None)
    @given(st.one_of(RAW, mutants(lambda: type(good).FromString(good.SerializeToString()))))
    def send(data: bytes) -> None:
        assert not odd(ask(channel, method, data, who), health=health)

    before = rss_mib(desk.pid)
    send()
    assert rss_mib(desk.pid) - before < MOST_GROWTH_MIB
    assert ask(channel, HEALTH[0], b"", ()).code is grpc.StatusCode.OK


@pytest.mark.slow
@pytest.mark.parametrize("method", [pytest.param(one, id=one.name) for one in (*METHODS, *HEALTH)])
def test_anything_at_all_is_told_what_is_wrong(desk: Served, channel: grpc.Channel, method: MethodDescriptor) -> None:
    """No mistake of ours, no word that is not in the catalogue; the process stays alive and as large as it was."""
    bombard(desk, channel, method, SOME, fixed=True)


@pytest.mark.nightly
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("method", [pytest.param(one, id=one.name) for one in (*METHODS, *HEALTH)])
def test_much_of_anything_is_told_what_is_wrong(desk: Served, channel: grpc.Channel, method: MethodDescriptor) -> None:
    """As above, other requests every night; a failure prints how to see it again."""
    bombard(desk, channel, method, MANY, fixed=False)
