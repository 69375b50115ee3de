"""Who may do what at the TournamentService: every method of its description, with every kind of token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from lastcard.v1 import tournament_pb2 as pb
from lastcard.v1 import tournament_pb2_grpc as rpc
from tests.workers.house import House, spec
from tests.workers.served import served

pytestmark = pytest.mark.slow

METHODS: Final = pb.DESCRIPTOR.services_by_name["TournamentService"].methods
READING: Final = frozenset({"Plan", "Get", "List", "ListResults", "Watch"})
OPEN: Final = frozenset({grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT})
"""Answers to an empty request of somebody who may ask."""


@pytest.fixture
def channel(house: House) -> Iterator[grpc.Channel]:
    """Serve a house with a tournament, and connect."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    with served(house) as address, grpc.insecure_channel(address) as opened:
        yield opened


def asked(channel: grpc.Channel, method: Any, token: str) -> grpc.StatusCode:  # noqa: ANN401 - a descriptor
    """Return how an empty request is answered."""
    call = getattr(rpc.TournamentServiceStub(channel), method.name)
    metadata = [("authorization", f"Bearer {token}")] if token else []
    try:
        answer = call(GetMessageClass(method.input_type)(), metadata=metadata)
        if method.server_streaming:
            next(answer)
    except grpc.RpcError as error:
        return error.code()
    return grpc.StatusCode.OK


def tokens(house: House) -> dict[str, str]:
    """Return a token of every kind that may not write."""
    _, bots = house.store.registry.register("delta", "dan", now_ms=house.now_ms)
    ended = house.store.registry.operator("otto", {"admin"}, now_ms=house.now_ms)
    house.store.registry.revoke_operator(ended.split("_")[1])
    return {"nobody": "", "a bot": bots, "one revoked": ended, "one made up": f"{ended[:-4]}AAAA"}


@pytest.mark.parametrize("method", [pytest.param(method, id=method.name) for method in METHODS])
def test_who_may_not_write_is_refused_before_anything_is_looked_at(
    house: House,
    channel: grpc.Channel,
    method: Any,  # noqa: ANN401 - a descriptor
) -> None:
    """Reading is for everybody; all else is for organisers and admins, and leaves no trace where it is refused."""
    for whose, token in tokens(house).items():
        code = asked(channel, method, token)
        if method.name in READING and whose in {"nobody", "a bot"}:
            assert code in OPEN, whose
        else:
            expected = grpc.StatusCode.PERMISSION_DENIED if whose == "a bot" else grpc.StatusCode.UNAUTHENTICATED
            assert code is expected, whose
    assert [deed.verb for deed in house.store.audit.tail(10) if deed.target == "spring"] == ["create"]


@pytest.mark.parametrize("scope", ["organiser", "admin"])
@pytest.mark.parametrize("method", [pytest.param(method, id=method.name) for method in METHODS])
def test_organisers_and_admins_may(
    house: House,
    channel: grpc.Channel,
    method: Any,  # noqa: ANN401 - a descriptor
    scope: str,
) -> None:
    """What is wrong with their request is told."""
    token = house.store.registry.operator("olga", {scope}, now_ms=house.now_ms)
    assert asked(channel, method, token) in OPEN
