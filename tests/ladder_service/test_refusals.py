"""Errors of all rooms become what a caller may be told, or nothing."""

from __future__ import annotations

import ssl
from typing import ClassVar

import pytest

from ladder.door.refusals import refusal_of
from ladder.errors import LONGEST_SENTENCE, InvalidFieldError, Kind, NotReachableError, RequestError
from ladder.rpc.dial import ERRORS
from ladder.rpc.failures import CODES
from ladder.rpc.status import Refusal, decode, encode
from ladder.store import errors as store
from ladder.web.refusals import STATUSES

OPERATORS = {
    store.UnfitStoreError,  # the process does not even start
    store.NoServerError,
    store.PepperError,
    store.ArchiveError,
    store.LapsedError,  # between referees and the store
    store.FencedError,
}
"""Errors of the store that concern its operator only: a caller sees the id of an internal error."""


def subclasses(kind: type[BaseException]) -> set[type[BaseException]]:
    """Return all classes below a class, in the modules of this product."""
    below = set(kind.__subclasses__())
    return {one for one in below.union(*map(subclasses, below)) if one.__module__.startswith("ladder.")}


@pytest.mark.parametrize("kind", sorted(subclasses(store.StoreError), key=str))
def test_every_error_of_the_store_has_its_place(kind: type[store.StoreError]) -> None:
    """A new error of the store is shown to callers or kept from them on purpose."""
    known = refusal_of(kind("a sentence", field="name", value="x"))
    assert (known is None) == any(issubclass(kind, one) for one in OPERATORS), kind


def test_every_kind_has_a_status_on_each_side() -> None:
    """Calls and pages know all kinds, and no two kinds of trouble share a gRPC status."""
    assert set(CODES) == set(STATUSES) == set(Kind)
    assert len(set(CODES.values())) == len(Kind)
    assert {code: error.kind for code, error in ERRORS.items()} == {code: kind for kind, code in CODES.items()}


@pytest.mark.parametrize(("given", "shown"), [(0, "0"), (False, "False"), ("", ""), (None, "")])
def test_the_wrong_value_is_repeated_whatever_it_is(given: object, shown: str) -> None:
    """A zero is a value, too."""

    class InvalidOptionError(ValueError):
        reason: ClassVar = "BAD_OPTION"
        field = "rounds"
        value = given

    known = refusal_of(InvalidOptionError("rounds must be 1 or more"))
    assert known is not None
    assert (known.field, known.value) == ("rounds", shown)


def test_a_pure_modules_error_is_bad_input() -> None:
    """Who carries a stable reason is understood, whatever room it comes from."""

    class UnknownFormatError(ValueError):
        reason: ClassVar = "UNKNOWN_FORMAT"
        field = "format"
        value = "uno-9"
        allowed = ("uno-classic-2",)

    known = refusal_of(UnknownFormatError("no such format"))
    assert isinstance(known, InvalidFieldError)
    assert (known.reason, known.field, known.value, known.allowed) == (
        "UNKNOWN_FORMAT",
        "format",
        "uno-9",
        ("uno-classic-2",),
    )


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ValueError("x"), id="plain"),
        pytest.param(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), id="its reason is prose"),
        pytest.param(ssl.SSLError("x"), id="its reason is of TLS"),
    ],
)
def test_other_errors_are_ours(error: Exception) -> None:
    """Their words stay inside."""
    assert refusal_of(error) is None


def test_the_address_of_the_store_stays_inside() -> None:
    """A password in it would, too."""
    known = refusal_of(store.StoreUnavailableError("redis://user:secret@10.0.0.7 does not answer"))
    assert isinstance(known, NotReachableError)
    assert "10.0.0.7" not in known.message


def test_an_error_repeats_little_of_what_a_caller_sent() -> None:
    """A huge or hostile value cannot blow up an answer or a log line."""
    error = RequestError("BAD", "x" * 9_000, field="name", value="\x1b[31m" + "y" * 9_000, allowed=["z" * 900] * 900)
    assert len(error.message) == LONGEST_SENTENCE
    assert error.value is not None
    assert len(str(error.value)) <= 64
    assert "\x1b" not in str(error.value)
    assert len(str(error.allowed)) < 2_000


def test_details_survive_the_wire() -> None:
    """A client gets reason, field, value and what is allowed."""
    refusal = Refusal(CODES[Kind.INVALID], "BAD_NAME", "no", "name", "X Y", ("a", "b c"))
    assert decode(refusal.code, "no", refusal.trailers()) == refusal
    assert [detail.TypeName() for detail in encode(refusal).details] == [
        "google.rpc.ErrorInfo",
        "google.rpc.BadRequest",
    ]
