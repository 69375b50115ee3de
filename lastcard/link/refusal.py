"""Which endings of a stream there is no use in trying again after, and what is said then."""

from __future__ import annotations

import grpc

from lastcard.errors import BadTokenError, RefusedError, UpgradeError
from lastcard.link.ending import Ending


def refused(server: str, ended: Ending, source: str = "") -> RefusedError | None:
    """Return the error to stop with if trying again would not help, else None; `source`: where the token came from."""
    code, said = ended.code, ended.sentence.rstrip(".")
    if code in {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}:
        whose = f" that {source} gave" if source else ""
        hint = f"check the token{whose}, or make a new one with `lastcard bot rotate`"
        return BadTokenError(ended.reason or "BAD_TOKEN", f"{server} does not take this token: {said}; {hint}")
    if code is grpc.StatusCode.FAILED_PRECONDITION and ended.reason in {"", "UPGRADE"}:
        hint = "pip install --upgrade lastcard"
        return UpgradeError(ended.reason or "UPGRADE", f"{server} does not speak with this version: {said}; {hint}")
    if code in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.NOT_FOUND}:
        return RefusedError(ended.reason or code.name, f"{server} refuses this bot: {said}")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return RefusedError("NOT_A_REFEREE", f"{server} is no referee; referees listen on 7410 and up unless told else")
    return None
