"""A blocking connection to a ladder for commands: our own errors come back as what they were."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import grpc

from ladder.errors import (
    InvalidFieldError,
    NameTakenError,
    NotAllowedError,
    NotReachableError,
    RequestError,
    TooManyError,
    UnauthenticatedError,
    UnknownNameError,
    WrongStateError,
)
from ladder.rpc.options import CLIENT_OPTIONS
from ladder.rpc.status import decode
from ladder.rpc.unanswered import DEFAULT_LADDER, NO_METHOD, no_ladder, unanswered
from lastcard.errors import InputError, ProtocolError
from lastcard.secret import Secret
from lastcard.settings import Server, checked_token, one_server, read_token
from lastcard.tls import authority, meaning

CALL_S: Final = 15.0
ERRORS: Final[dict[grpc.StatusCode, type[RequestError]]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidFieldError,
    grpc.StatusCode.NOT_FOUND: UnknownNameError,
    grpc.StatusCode.ALREADY_EXISTS: NameTakenError,
    grpc.StatusCode.UNAUTHENTICATED: UnauthenticatedError,
    grpc.StatusCode.PERMISSION_DENIED: NotAllowedError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: TooManyError,
    grpc.StatusCode.FAILED_PRECONDITION: WrongStateError,
    grpc.StatusCode.UNAVAILABLE: NotReachableError,
}
SILENT: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})

Answer = TypeVar("Answer")


class Dial:
    """One connection to a ladder. A context manager.

    Every call raises `RequestError` where the ladder refuses or does not answer.
    """

    def __init__(
        self,
        server: Server,
        token: str | Secret = "",
        authority: bytes | None = None,
        source: str = "",
        *,
        call_s: float = CALL_S,
    ) -> None:
        """`source`: where the token came from, for people; `call_s`: how long an answer is waited for."""
        self._server = server
        self._token = Secret(token)
        self._source = source
        self._call_s = call_s
        self.channel = _channel(server, authority)

    @classmethod
    def of(cls, environ: Mapping[str, str] | None = None, *, reads: bool = False, call_s: float = CALL_S) -> Self:
        """Return a connection to the ladder, with the token, that an environment names (default: of this process).

        Reading needs no token: where all that is asked `reads`, a file that cannot be read is left aside.

        Raises:
            InputError: the address or the token's file is not what it may be.
            BadTokenError: the token is no text that could be one.
        """
        env = os.environ if environ is None else environ
        ladder = ladder_of(env.get("LASTCARD_LADDER") or DEFAULT_LADDER)
        token, source = _token(env, reads=reads)
        return cls(ladder, token, authority(None, env), source, call_s=call_s)

    def __enter__(self) -> Self:
        return self

    @property
    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", "Bearer " + self._token.text()),) if len(self._token) else ()

    def mark(self, purpose: str) -> str:
        """Return what stays the same for this token and a purpose, and tells nothing of the token."""
        return sha256(repr((purpose, self._metadata)).encode()).hexdigest()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connection back."""
        self.channel.close()

    def call(self, method: Callable[..., Answer], request: object) -> Answer:
        """Return the answer to one call."""
        with self._translated():
            return method(request, timeout=self._call_s, metadata=self._metadata)

    def stream(self, method: Callable[..., Iterator[Answer]], request: object) -> Iterator[Answer]:
        """Yield what a call sends until it ends."""
        with self._translated():
            yield from method(request, metadata=self._metadata)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as error:
            raise self._error(error) from None

    def _error(self, call: Any) -> Exception:  # noqa: ANN401 - grpc's error is a call, which its types do not say
        details = call.details() or ""
        refusal = decode(call.code(), details, call.trailing_metadata() or ())
        kind = ERRORS.get(refusal.code)
        if kind and refusal.reason:
            blamed = {"field": refusal.field, "value": refusal.value}
            gave = f" (it is what {self._source} gave)" if kind is UnauthenticatedError and self._source else ""
            return kind(refusal.reason, f"{refusal.message}{gave}", **blamed, allowed=refusal.allowed)
        if refusal.code in SILENT:
            why = meaning(refusal.message) if self._server.secure else None
            cannot = f"the ladder at {self._server} cannot be reached: {why}"
            return self._unreached(cannot if why else unanswered(str(self._server), details))
        if refusal.code is NO_METHOD and (sentence := no_ladder(str(self._server), details)):
            return self._unreached(sentence)
        if refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED:
            sentence = f"the ladder at {self._server} takes no request, and no token, of that size"
            return InvalidFieldError("TOO_LARGE", sentence)
        words = refusal.message or refusal.code.name
        return ProtocolError(refusal.reason or "PROTOCOL", f"the ladder at {self._server}: {words}")

    def _unreached(self, sentence: str) -> NotReachableError:
        return NotReachableError("LADDER_UNREACHABLE", sentence, field="LASTCARD_LADDER", value=self._server)


def _token(environ: Mapping[str, str], *, reads: bool) -> tuple[str, str]:
    """Return the token that an environment names, or nothing, and where it came from."""
    token, file = environ.get("LASTCARD_TOKEN", "").strip(), environ.get("LASTCARD_TOKEN_FILE", "")
    if token or not file:
        return checked_token(token, "LASTCARD_TOKEN"), "LASTCARD_TOKEN" if token else ""
    try:
        found = read_token(Path(file), "LASTCARD_TOKEN_FILE=…").strip()
    except InputError:
        if reads:
            return "", ""
        raise
    source = f"LASTCARD_TOKEN_FILE={file}"
    return checked_token(found, source), source


def ladder_of(text: str) -> Server:
    """Return the address of a ladder.

    Raises:
        InputError: it is not one.
    """
    try:
        return one_server(text)
    except InputError:
        sentence = f"{text!r} is not a ladder's address; it looks like {DEFAULT_LADDER} or tls://play.example.org:443"
        raise InputError("BAD_ADDRESS", sentence, field="LASTCARD_LADDER", value=text) from None


def _channel(server: Server, authority: bytes | None) -> grpc.Channel:
    if server.secure:
        return grpc.secure_channel(server.address, grpc.ssl_channel_credentials(authority), CLIENT_OPTIONS)
    return grpc.insecure_channel(server.address, CLIENT_OPTIONS)
