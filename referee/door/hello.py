"""Checks a Hello and agrees on what a session may do."""

from typing import Final

from lastcard.v1 import play_pb2 as pb
from referee import formats
from referee.door.errors import RefusedStreamError
from referee.hosting.sessions import Greeting

MINOR: Final = 0
OLDEST_MINOR: Final = 0
DEFAULT_GAMES: Final = 64
MOST_GAMES: Final = 256
DEFAULT_OPEN: Final = 8
MOST_OPEN: Final = 256
MOST_FORMATS: Final = 64
MOST_RESUMES: Final = 512
TEXT: Final = 64


def introduced(first: pb.PlayRequest | None) -> Greeting:
    """Return what the first message of a stream says; None: it could not be read.

    Raises:
        RefusedStreamError: INVALID_ARGUMENT BAD_HELLO, or as `greet`.
    """
    if first is None or not first.HasField("hello") or first.answers or first.nonces or first.HasField("heartbeat"):
        sentence = "the first message carries hello and nothing else"
        raise RefusedStreamError("INVALID_ARGUMENT", "BAD_HELLO", sentence)
    return greet(first.hello)


def greet(hello: pb.Hello) -> Greeting:
    """Return what a valid Hello says.

    Raises:
        RefusedStreamError: INVALID_ARGUMENT BAD_HELLO, or FAILED_PRECONDITION UPGRADE.
    """
    _text("instance", hello.instance)
    _text("version", hello.version)
    if len(hello.sdk) > TEXT:
        raise _bad("sdk", hello.sdk[:TEXT] + "…", f"at most {TEXT} characters")
    return Greeting(
        instance=hello.instance,
        version=hello.version,
        formats=_formats(list(hello.formats)),
        max_games=_number("max_games", hello.max_games, DEFAULT_GAMES, MOST_GAMES),
        max_open=_number("max_open", hello.max_open, DEFAULT_OPEN, MOST_OPEN),
        orders=(
            _order("catch", hello.catch),
            _order("challenge", hello.challenge),
            _order("late_call", hello.late_call),
        ),
        resume=_resume(hello),
        minor=_minor(hello),
    )


def _bad(field: str, value: object, allowed: str) -> RefusedStreamError:
    return RefusedStreamError(
        "INVALID_ARGUMENT",
        "BAD_HELLO",
        f"hello.{field} is {value!r}; allowed: {allowed}",
        field=f"hello.{field}",
        value=str(value)[:200],
        allowed=allowed,
    )


def _text(field: str, value: str) -> None:
    if not 1 <= len(value) <= TEXT or not value.isascii() or not value.isprintable():
        raise _bad(field, value[:TEXT], f"1-{TEXT} printable ASCII characters")


def _number(field: str, value: int, default: int, most: int) -> int:
    if value > most:
        raise _bad(field, value, f"1-{most}, or 0 for {default}")
    return value or default


def _order(field: str, value: int) -> int:
    if value not in (pb.STANDING_ORDER_ASK, pb.STANDING_ORDER_ALWAYS, pb.STANDING_ORDER_NEVER):
        raise _bad(field, value, "STANDING_ORDER_ASK, _ALWAYS or _NEVER")
    return value


def _formats(names: list[str]) -> frozenset[str]:
    if not 1 <= len(names) <= MOST_FORMATS:
        raise _bad("formats", len(names), f"1-{MOST_FORMATS} format names")
    for name in names:
        try:
            formats.get(name)
        except formats.UnknownFormatError as error:
            raise _bad("formats", name[:TEXT], ", ".join(formats.names())) from error
    return frozenset(names)


def _resume(hello: pb.Hello) -> dict[str, int]:
    if len(hello.resume) > MOST_RESUMES:
        raise _bad("resume", len(hello.resume), f"at most {MOST_RESUMES} rounds")
    return {one.round_id: one.next_event for one in hello.resume}


def _minor(hello: pb.Hello) -> int:
    if hello.min_minor > MINOR or hello.max_minor < OLDEST_MINOR:
        raise RefusedStreamError(
            "FAILED_PRECONDITION",
            "UPGRADE",
            f"this client speaks protocol minors {hello.min_minor}-{hello.max_minor}, "
            f"this referee {OLDEST_MINOR}-{MINOR}: "
            "install the current lastcard package",
            field="hello.max_minor",
            value=str(hello.max_minor),
            allowed=f"{OLDEST_MINOR}-{MINOR}",
        )
    return min(MINOR, hello.max_minor)
