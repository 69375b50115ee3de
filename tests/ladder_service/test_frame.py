"""What surrounds every call: tokens, limits, errors, health; seen from outside."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from prometheus_client import CollectorRegistry

from ladder.errors import InvalidFieldError, NotAllowedError, RequestError, WrongStateError
from ladder.rpc.identity import Identity, caller
from ladder.rpc.options import SERVER_OPTIONS
from ladder.rpc.server import RpcServer
from ladder.rpc.status import Refusal, decode
from ladder.settings import LadderSettings
from ladder.store.errors import BadInputError, StoreUnavailableError
from lastcard.secret import Secret
from lastcard.v1 import ladder_pb2 as pb
from tests.ladder_running import Running, running_ladder

pytestmark = pytest.mark.slow

SECRET = "the hand of the other bot"
GOOD = "good-token"
Behaviour = Callable[[bytes, Any], Awaitable[bytes]]


class Book:
    """Knows one token."""

    def __init__(self) -> None:
        self.looked_up = 0

    def identify(self, token: Secret) -> Identity | None:
        """Return whose token it is."""
        self.looked_up += 1
        return Identity("Ada", "greedy", frozenset({"play"})) if token.text() == GOOD else None


class Desk:
    """A server with one method whose behaviour a test chooses."""

    def __init__(self) -> None:
        self.port = 0
        self.book = Book()
        self.registry = CollectorRegistry()
        self.server = RpcServer(self.book, self.registry)
        self.behaviour: Behaviour = self.who
        self.server.add("test.Desk", self._register)

    async def who(self, _request: bytes, _context: object) -> bytes:
        """Say who calls."""
        return caller().owner.encode()

    def _register(self, server: grpc.aio.Server) -> None:
        async def call(request: bytes, context: object) -> bytes:
            return await self.behaviour(request, context)

        async def stream(request: bytes, context: object) -> AsyncIterator[bytes]:
            yield await self.behaviour(request, context)

        handlers: dict[str, Any] = {
            "Call": grpc.unary_unary_rpc_method_handler(call, request_deserializer=pb.GetBotRequest.FromString),
            "Stream": grpc.unary_stream_rpc_method_handler(stream, request_deserializer=pb.GetBotRequest.FromString),
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Desk", handlers),))


@pytest_asyncio.fixture
async def desk() -> AsyncIterator[Desk]:
    """A desk that listens."""
    found = Desk()
    found.port = await found.server.start("127.0.0.1:0")
    yield found
    await found.server.stop()


async def ask(desk: Desk, token: str | None = None, method: str = "Call", request: bytes = b"") -> bytes | Refusal:
    """Return what one call is answered with."""
    metadata = (("authorization", f"Bearer {token}"),) if token is not None else ()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{desk.port}") as channel:
        try:
            if method == "Stream":
                stream: Any = channel.unary_stream("/test.Desk/Stream")
                return b"".join([answer async for answer in stream(request, metadata=metadata)])
            call: Any = channel.unary_unary(f"/test.Desk/{method}")
            answer: bytes = await call(request, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            return decode(error.code(), error.details() or "", error.trailing_metadata())
    return answer


@pytest.mark.parametrize("option", [pytest.param(name, id=name) for name, _ in SERVER_OPTIONS])
def test_each_server_option_is_one_that_the_library_knows(option: str) -> None:
    """A misspelt option has no effect and no error; the library's own strings are looked at instead."""
    library = find_spec("grpc._cython.cygrpc")
    assert library
    assert library.origin
    assert option.encode() in Path(library.origin).read_bytes()


@pytest.mark.parametrize("method", ["Call", "Stream"])
async def test_a_call_without_a_token_is_nobodys(desk: Desk, method: str) -> None:
    """Public reading needs no token."""
    assert await ask(desk, method=method) == b""
    assert desk.book.looked_up == 0


@pytest.mark.parametrize("method", ["Call", "Stream"])
async def test_a_good_token_makes_the_caller_known(desk: Desk, method: str) -> None:
    """What serves the call can ask who it is."""
    assert await ask(desk, GOOD, method) == b"Ada"


@pytest.mark.parametrize("token", [pytest.param("wrong", id="unknown"), pytest.param("good-tokeN", id="nearly right")])
async def test_bad_tokens_all_get_the_same_answer(desk: Desk, token: str) -> None:
    """Nobody learns from the answer how near a guess was."""
    refusal = await ask(desk, token)
    sentence = "the token is not valid; check LASTCARD_TOKEN or LASTCARD_TOKEN_FILE, or have a new one"
    assert refusal == Refusal(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_BAD", sentence)


async def test_metadata_that_is_no_bearer_token_is_refused(desk: Desk) -> None:
    """Another scheme is an error, not nobody."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{desk.port}") as channel:
        call: Any = channel.unary_unary("/test.Desk/Call")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(b"", metadata=(("authorization", "Basic Zm9v"),))
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_after_ten_bad_tokens_no_more_are_looked_at(desk: Desk) -> None:
    """Guessing ends after ten tries a minute; then tokens from there are not even looked up."""
    answers = [await ask(desk, f"guess-{number}") for number in range(15)]
    codes = [answer.code for answer in answers if isinstance(answer, Refusal)]
    assert codes == [grpc.StatusCode.UNAUTHENTICATED] * 10 + [grpc.StatusCode.RESOURCE_EXHAUSTED] * 5
    assert desk.book.looked_up == 10


async def test_a_neighbours_bad_tokens_lock_nobody_out_who_was_there_before(desk: Desk) -> None:
    """A token that was good before stays good from the same address, and so does public reading."""
    await ask(desk, GOOD)
    for number in range(12):
        await ask(desk, f"guess-{number}")
    assert (await ask(desk, GOOD), await ask(desk)) == (b"Ada", b"")


@pytest.mark.parametrize("method", ["Call", "Stream"])
@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ValueError(SECRET), id="value error"),
        pytest.param(AssertionError(SECRET), id="assertion"),
        pytest.param(KeyError(SECRET), id="key error"),
        pytest.param(ExceptionGroup(SECRET, [OSError(SECRET)]), id="group"),
        pytest.param(
            UnicodeDecodeError("utf-8", SECRET.encode(), 0, 1, SECRET), id="an error with a reason of its own"
        ),
        pytest.param(BaseExceptionGroup(SECRET, [ValueError(SECRET)]), id="base group of exceptions"),
    ],
)
async def test_nothing_of_an_unexpected_error_reaches_the_caller(desk: Desk, method: str, error: Exception) -> None:
    """A bug of ours is an id, whatever it says itself."""

    async def fail(_request: bytes, _context: object) -> bytes:
        raise error

    desk.behaviour = fail
    refusal = await ask(desk, method=method)
    assert isinstance(refusal, Refusal)
    assert refusal.code is grpc.StatusCode.INTERNAL
    assert re.fullmatch(r"internal error [0-9a-f]{8}", refusal.message)
    assert SECRET not in repr(refusal)


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        pytest.param(InvalidFieldError("BAD_X", "no", field="x", value=1), "INVALID_ARGUMENT", "BAD_X", id="invalid"),
        pytest.param(NotAllowedError("SCOPE_MISSING", "no"), "PERMISSION_DENIED", "SCOPE_MISSING", id="not allowed"),
        pytest.param(WrongStateError("WRONG_STATE", "no"), "FAILED_PRECONDITION", "WRONG_STATE", id="state"),
        pytest.param(BadInputError("no", reason="BAD_URL"), "INVALID_ARGUMENT", "BAD_URL", id="of the store"),
        pytest.param(
            StoreUnavailableError(f"redis://{SECRET} is down"), "UNAVAILABLE", "STORE_UNAVAILABLE", id="store down"
        ),
    ],
)
async def test_typed_errors_keep_their_reason(desk: Desk, error: Exception, code: str, reason: str) -> None:
    """A refusal arrives with its status, reason and field; the address of the store stays inside."""

    async def fail(_request: bytes, _context: object) -> bytes:
        raise error

    desk.behaviour = fail
    refusal = await ask(desk)
    assert isinstance(refusal, Refusal)
    assert (refusal.code.name, refusal.reason) == (code, reason)
    assert SECRET not in repr(refusal)


async def test_bytes_that_are_no_message_are_an_invalid_argument(desk: Desk) -> None:
    """What cannot be parsed is the caller's fault and is said so, without a traceback."""
    refusal = await ask(desk, request=b"\xff\xff\xff\xff")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")


async def test_calls_are_counted_by_method_and_status(desk: Desk) -> None:
    """The labels are methods that exist and statuses, nothing that a caller chooses."""

    async def fail(_request: bytes, _context: object) -> bytes:
        raise WrongStateError("WRONG_STATE", "no")

    await ask(desk)
    await ask(desk, method="NoSuchMethod")
    desk.behaviour = fail
    await ask(desk)
    counted = {
        (sample.labels["method"], sample.labels["code"]): sample.value
        for family in desk.registry.collect()
        for sample in family.samples
        if sample.name == "lastcard_rpc_total"
    }
    assert counted == {("test.Desk/Call", "OK"): 1, ("test.Desk/Call", "FAILED_PRECONDITION"): 1}


@pytest.mark.parametrize("method", ["/test.Desk/Peek", "/lastcard.v1.PlayService/Play", f"/{'x' * 200}/Call"])
@pytest.mark.parametrize("token", ["", "wrong"])
async def test_who_calls_what_there_is_not_is_told_what_there_is(desk: Desk, method: str, token: str) -> None:
    """With ErrorInfo, as a referee does, and no more of the name than a line has room for; no token is looked at."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{desk.port}") as channel:
        call: Any = channel.unary_unary(method)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(b"x", metadata=metadata)
    refusal = decode(caught.value.code(), caught.value.details() or "", caught.value.trailing_metadata())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_METHOD")
    assert refusal.message.startswith(f"there is no method {method[:100]}; here are grpc.health.v1.Health, test.Desk,")
    assert (refusal.metadata, desk.book.looked_up) == ({"method": method[:100]}, 0)


async def test_scopes_are_checked_and_admin_has_all(desk: Desk) -> None:
    """A verb that needs a scope is refused without it, with the scope that it needs."""
    with pytest.raises(RequestError) as missing:
        Identity().require("organiser")
    with pytest.raises(NotAllowedError) as lacking:
        Identity("Ada", "", frozenset({"play"})).require("organiser")
    Identity("op", "", frozenset({"admin"})).require("organiser")
    assert (missing.value.reason, lacking.value.reason) == ("TOKEN_MISSING", "SCOPE_MISSING")
    assert "organiser" in lacking.value.allowed


async def test_a_request_beyond_64_kib_is_refused(desk: Desk) -> None:
    """One message never costs more memory than its limit."""
    refusal = await ask(desk, request=pb.GetBotRequest(name="x" * 70_000).SerializeToString())
    assert isinstance(refusal, Refusal)
    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_health_is_served_for_the_whole_and_each_service(empty_ladder: Running) -> None:
    """Probes of the standard health protocol are answered."""
    stub: Any = health_pb2_grpc.HealthStub(empty_ladder.channel)
    for service in ("", "lastcard.v1.LadderService"):
        answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def reflected(running: Running) -> set[str]:
    """Return the services that reflection names."""
    channel: Any = running.channel
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    answers = [answer async for answer in stub.ServerReflectionInfo(iter([request]))]
    return {service.name for service in answers[0].list_services_response.service}


async def test_reflection_is_off_by_default(empty_ladder: Running) -> None:
    """Who is not a developer cannot ask what there is."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await reflected(empty_ladder)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_reflection_is_on_for_developers(store: object, ladder_settings: LadderSettings) -> None:
    """With `dev` tools can list the services."""
    async with running_ladder(ladder_settings, dev=True) as running:
        assert "lastcard.v1.LadderService" in await reflected(running)


def test_the_public_service_has_no_verbs_of_operators() -> None:
    """What the ladder offers to everybody is this list and no more."""
    methods = {method.name for method in pb.DESCRIPTOR.services_by_name["LadderService"].methods}
    assert methods == {
        "RegisterBot", "RotateToken",
        "GetBot", "ListBots", "ListStandings", "ListMatches", "GetMatch", "WatchStandings", "WatchMatch",
    }  # fmt: skip
