"""What a caller may be told of an error, wherever it was raised."""

from __future__ import annotations

import re
from typing import Final

from ladder import errors
from ladder.errors import RequestError
from ladder.store import errors as store

REASON: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_OF_STORE: Final[dict[type[store.StoreError], type[RequestError]]] = {
    store.BadInputError: errors.InvalidFieldError,
    store.UnknownError: errors.UnknownNameError,
    store.NameTakenError: errors.NameTakenError,
    store.ConflictError: errors.NameTakenError,
    store.BadTokenError: errors.UnauthenticatedError,
    store.LimitError: errors.TooManyError,
    store.RetiredError: errors.WrongStateError,
    store.NotEnteredError: errors.WrongStateError,
    store.WrongStateError: errors.WrongStateError,
}


def refusal_of(error: BaseException) -> RequestError | None:
    """Return what a caller may be told of an error: of ours as it is, of other rooms by their reason.

    None means a bug, or a trouble of the operator: nothing of it concerns the caller.
    """
    if isinstance(error, RequestError):
        return error
    if isinstance(error, store.DamagedError):
        return errors.WrongStateError(error.reason, error.sentence, field=error.field, value=error.value)
    if isinstance(error, store.StoreUnavailableError):  # its own words name the address of the store
        return errors.NotReachableError(
            error.reason, "the store does not answer; nothing is lost, try again in a moment"
        )
    if isinstance(error, store.StoreError):
        kind = _OF_STORE.get(type(error))
        return _copied(error, kind) if kind else None
    reason = getattr(error, "reason", None)  # also what UnicodeError and SSLError call their own words
    return _copied(error, errors.InvalidFieldError) if isinstance(reason, str) and REASON.fullmatch(reason) else None


def _copied(error: BaseException, kind: type[RequestError]) -> RequestError:
    value, allowed = getattr(error, "value", None), getattr(error, "allowed", None) or ()
    return kind(
        getattr(error, "reason", ""),
        str(error),
        field=getattr(error, "field", None) or "",
        value="" if value is None else value,
        allowed=[allowed] if isinstance(allowed, str) else allowed,
    )
