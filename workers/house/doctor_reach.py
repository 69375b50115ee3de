"""What `lastcard doctor` finds where commands and bots of this environment dial: what they need, or something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import grpc
from grpc_health.v1 import health_pb2

from lastcard.errors import BadTokenError, InputError
from lastcard.link.ending import plain
from lastcard.link.refusal import NO_GRPC
from lastcard.secret import Secret
from lastcard.settings import Server, find_token, servers
from lastcard.tls import authority
from workers.house.doctor import Check, Status

CHECK: Final = "/grpc.health.v1.Health/Check"
READING: Final = "/lastcard.v1.LadderService/ListBots"
"""A call that is for everybody, and refused to who sends a token that is none."""
NO_TOKEN: Final = (Secret(b""), "")
ANSWER_S: Final = 5.0
SILENT: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})


@dataclass(frozen=True, slots=True)
class Kind:
    """What a variable names the address of."""

    noun: str
    variable: str
    service: str
    usual: str

    @property
    def find(self) -> str:
        """How to find the right address."""
        return f"set {self.variable} to one of a {self.noun}, which `lastcard up` prints ({self.usual} by default)"


LADDER: Final = Kind("ladder", "LASTCARD_LADDER", "lastcard.v1.LadderService", "127.0.0.1:7420")
REFEREE: Final = Kind("referee", "LASTCARD_SERVER", "lastcard.v1.PlayService", "127.0.0.1:7410")
OTHER: Final = {LADDER: REFEREE, REFEREE: LADDER}


def looks(environ: Mapping[str, str], up: int | None) -> Iterator[Callable[[], Check]]:
    """Yield a check for every address that is set; `up` is the process of the `lastcard up` that runs here."""
    for kind in (LADDER, REFEREE):
        text = environ.get(kind.variable)
        if not text:
            continue
        try:
            trusted = authority(None, environ)
            named = servers(text)
        except InputError as error:
            sentence = error.message if error.reason == "CA_FILE" else f"{kind.variable}={text!r} is no address"
            wrong = Check(kind.noun, Status.FAILED, sentence, f"{kind.find}, or unset it")
            yield lambda wrong=wrong: wrong  # type: ignore[misc]
            continue
        token = _token(environ) if kind is LADDER else NO_TOKEN
        yield from (partial(look, kind, server, trusted, up, token) for server in named)


def look(
    kind: Kind, server: Server, trusted: bytes | None, up: int | None, token: tuple[Secret, str] = NO_TOKEN
) -> Check:
    """Return whether what should be at an address answers there, and knows the token that it would be sent, if any."""
    with channel(server, trusted) as line:
        try:
            serves = asked(line, kind)
            if serves and not _knows(line, token[0]):
                fix = "have a new one (`lastcard bot token`, or an operator), or name the file of another"
                return Check(
                    kind.noun, Status.FAILED, f"answers at {server}, and the token of {token[1]} is not valid", fix
                )
            return _there(kind, server, serves=serves)
        except grpc.RpcError as error:
            code, details = error.code(), error.details() or ""
        stranger = any(words in details for words in NO_GRPC)
        if code in SILENT and not stranger:
            return _silent(kind, server, plain(details), up)
        what = "and no gRPC either" if stranger else _other(line, kind)
    detail = f"what answers at {server} is no {kind.noun}, {what}"
    return Check(kind.noun, Status.FAILED, detail, f"{kind.find}, or unset it")


def channel(server: Server, trusted: bytes | None) -> grpc.Channel:
    """Return a connection of its own."""
    if server.secure:
        return grpc.secure_channel(server.address, grpc.ssl_channel_credentials(trusted))
    return grpc.insecure_channel(server.address)


def asked(line: grpc.Channel, kind: Kind) -> bool:
    """Return whether the service says that it serves.

    Raises:
        RpcError: nobody answers, or somebody else.
    """
    call: Callable[..., bytes] = line.unary_unary(CHECK)
    answer = call(health_pb2.HealthCheckRequest(service=kind.service).SerializeToString(), timeout=ANSWER_S)
    return health_pb2.HealthCheckResponse.FromString(answer).status == health_pb2.HealthCheckResponse.SERVING


def _token(environ: Mapping[str, str]) -> tuple[Secret, str]:
    """Return the token that commands would send, and where it came from; what cannot be read has a check of its own."""
    try:
        found, source = find_token(None, None, None, environ)
    except (InputError, BadTokenError):
        return NO_TOKEN
    return Secret(found), source


def _knows(line: grpc.Channel, token: Secret) -> bool:
    """Return whether a ladder takes a token; one that has none to send is fine."""
    if not len(token):
        return True
    call: Callable[..., bytes] = line.unary_unary(READING)
    try:
        call(b"", timeout=ANSWER_S, metadata=(("authorization", "Bearer " + token.text()),))
    except grpc.RpcError as error:
        return error.code() is not grpc.StatusCode.UNAUTHENTICATED
    return True


def _there(kind: Kind, server: Server, *, serves: bool) -> Check:
    if serves:
        return Check(kind.noun, Status.OK, f"answers at {server}")
    detail = f"answers at {server} that it is stopping"
    return Check(kind.noun, Status.WARNING, detail, "wait until it runs again, and look again")


def _other(line: grpc.Channel, kind: Kind) -> str:
    """Return what it is instead, of which only the other kind is known."""
    other = OTHER[kind]
    try:
        asked(line, other)
    except grpc.RpcError:
        return "another service that speaks gRPC"
    return f"a {other.noun}"


def _silent(kind: Kind, server: Server, said: str, up: int | None) -> Check:
    """Return that nobody answers: no failure where it is a matter of starting what runs on this machine."""
    status = Status.WARNING if server.local and up is None else Status.FAILED
    start = "start it (`lastcard up` runs everything), or " if server.local else ""
    fix = f"{start}{kind.find}, or unset it"
    return Check(kind.noun, status, f"no {kind.noun} answers at {server}: {said}", fix)
