"""Which endings of a stream there is no use in trying again after, and what is said then."""

from __future__ import annotations

from typing import Final

import grpc

from lastcard.errors import BadTokenError, RefusedError, UpgradeError
from lastcard.link.ending import Ending

NO_GRPC: Final = ("Failed parsing HTTP/2", "http1.x server", "missing selected ALPN")
"""What gRPC says of those who answer a connection with something else, or agree to nothing that it speaks."""
FIND: Final = (
    "name a referee's port with --server or LASTCARD_SERVER: `lastcard up` prints it"
    " (127.0.0.1:7410 by default; the ladder and its pages have other ports)"
)


def refused(server: str, ended: Ending, source: str = "") -> RefusedError | None:
    """Return the error to stop with if trying again would not help, else None; `source`: where the token came from."""
    code, said = ended.code, ended.sentence.rstrip(".")
    if code in {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}:
        whose = f" that {source} gave" if source else ""
        new = "with a good one `lastcard bot token` makes another, an operator with `lastcard bot rotate`"
        hint = f"check the token{whose}; {new}"
        return BadTokenError(ended.reason or "BAD_TOKEN", f"{server} does not take this token: {said}; {hint}")
    if code is grpc.StatusCode.FAILED_PRECONDITION and ended.reason in {"", "UPGRADE"}:
        hint = "pip install --upgrade lastcard"
        return UpgradeError(ended.reason or "UPGRADE", f"{server} does not speak with this version: {said}; {hint}")
    if code in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.NOT_FOUND}:
        return RefusedError(ended.reason or code.name, f"{server} refuses this bot: {said}")
    return None


def stranger(server: str, ended: Ending) -> RefusedError | None:
    """Return what to say where the one who answered is no referee, else None."""
    if ended.code is grpc.StatusCode.UNIMPLEMENTED:
        what = "is no referee"
    elif any(words in ended.sentence for words in NO_GRPC):
        what = "is no referee, and no gRPC either"
    else:
        return None
    return RefusedError("NOT_A_REFEREE", f"what answers at {server} {what}: {FIND}", field="server", value=server)
