"""Bad requests for every method of a service, made from its descriptor: one field wrong at a time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import grpc
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from ladder.rpc.status import Refusal, decode
from lastcard.v1 import ladder_pb2, tournament_pb2
from tests.patience import PATIENCE_S

SERVICES: Final[tuple[ServiceDescriptor, ...]] = (
    ladder_pb2.DESCRIPTOR.services_by_name["LadderService"],
    tournament_pb2.DESCRIPTOR.services_by_name["TournamentService"],
)
METHODS: Final[tuple[MethodDescriptor, ...]] = tuple(method for service in SERVICES for method in service.methods)
TEXTS: Final = (
    *("", " ", "\x00", "\n", "x" * 60_000, "../../etc/passwd", "<script>alert(1)</script>", "{main}:bots", "*"),
    *(
        "a" * 41,
        "\u202ereversed",
        "\N{CYRILLIC SMALL LETTER A}dmin",
        "%s%n",
        "' OR 1=1 --",
        "nobody-here",
        "nobody.1.1.0",
    ),
)

BYTES: Final = (b"\x00", bytes(31), bytes(33), bytes(60_000))
ENUMS: Final = (99, -1, 2**31 - 1)
DEADLINE_S: Final = PATIENCE_S
KINDS: Final = FieldDescriptor


@dataclass(frozen=True)
class Bad:
    """A request that something is wrong with, and what."""

    what: str
    data: bytes


def bad_requests(method: MethodDescriptor, good: Message) -> Iterator[Bad]:
    """Yield a good request with one thing wrong, for every field, and some that are no requests."""
    yield Bad("empty", b"")
    yield Bad("no message", b"\xff" * 40)
    yield Bad("a group that never ends", b"\x0b" * 1_000)
    yield Bad("too large", good.SerializeToString() + b"\xfa\x7f" + b"\xf0\xa2\x04" + bytes(70_000))
    yield Bad("far too large", bytes(140_000))
    yield Bad("bad UTF-8", b"\x0a\x04\xff\xfe\xfd\xfc")
    for path, change in _changes(good.DESCRIPTOR):
        request = _copied(good)
        change(request)
        yield Bad(path, request.SerializeToString())


def _copied(message: Message) -> Message:
    made = type(message)()
    made.CopyFrom(message)
    return made


def _changes(kind: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, Callable[[Message], None]]]:  # noqa: ANN401 - a descriptor, of which protobuf has two types
    for field in kind.fields:
        if field.type == KINDS.TYPE_MESSAGE and not field.is_repeated:
            yield from _changes(field.message_type, (*at, field.name))
            continue
        for number, value in enumerate(_values(field)):
            yield f"{'.'.join((*at, field.name))} {number}", _setter(at, field, value)


def _values(field: FieldDescriptor) -> Iterator[Any]:
    if field.is_repeated:
        yield from ([value] for value in TEXTS[:8])
        yield [f"b{number}" for number in range(5_000)]
        yield ["greedy"] * 50
    elif field.type == KINDS.TYPE_STRING:
        yield from TEXTS
    elif field.type == KINDS.TYPE_BYTES:
        yield from BYTES
    elif field.type == KINDS.TYPE_ENUM:
        yield from ENUMS
    elif field.type == KINDS.TYPE_BOOL:
        yield from (False, True)
    elif field.type in {KINDS.TYPE_UINT32, KINDS.TYPE_UINT64}:
        yield from (0, 1, 2**31, 2**32 - 1 if field.type == KINDS.TYPE_UINT32 else 2**64 - 1)
    else:
        yield from (0, -1, 2**31 - 1, -(2**31))


def _setter(at: tuple[str, ...], field: FieldDescriptor, value: Any) -> Callable[[Message], None]:  # noqa: ANN401
    def change(request: Message) -> None:
        inside: Any = request
        for name in at:
            inside = getattr(inside, name)
        if field.is_repeated:
            inside.ClearField(field.name)
            getattr(inside, field.name).extend(value)
        else:
            setattr(inside, field.name, value)

    return change


def ask(channel: grpc.Channel, method: MethodDescriptor, data: bytes, metadata: tuple[tuple[str, str], ...]) -> Refusal:
    """Call a method with these bytes and return how it ended; of a stream the first message is enough."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    try:
        if method.server_streaming:
            stream: Any = channel.unary_stream(path)
            call = stream(data, timeout=DEADLINE_S, metadata=metadata)
            next(call, None)
            call.cancel()
        else:
            unary: Any = channel.unary_unary(path)
            unary(data, timeout=DEADLINE_S, metadata=metadata)
    except grpc.RpcError as error:
        told: Any = error
        return decode(told.code(), told.details() or "", told.trailing_metadata() or ())
    return Refusal(grpc.StatusCode.OK, "", "")


def request_of(method: MethodDescriptor, **fields: Any) -> Message:  # noqa: ANN401 - of any method
    """Return a request of a method."""
    return GetMessageClass(method.input_type)(**fields)
