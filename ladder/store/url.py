"""The address of a store: what it may be, and how it may be shown."""

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, unquote, unquote_plus, urlsplit

from ladder.store.errors import BadInputError
from lastcard.address import LOOPBACK

SCHEMES: Final = frozenset({"redis", "rediss", "unix"})
DEFAULT_PORT: Final = 6379
ALLOWED: Final = "redis://HOST:PORT/DB, rediss://HOST:PORT/DB, unix:///PATH?db=DB"
IDENTITY: Final = ("username", "password")
"""What the client would take behind the question mark, too, where nobody else looks for it."""
_OPTION: Final = re.compile(r"(?<=[?&])(?P<name>[^?&#=]*)=[^&#]*")


def check_url(url: str, field: str = "url") -> str:
    """The URL, if it can be a store's; `field` is the setting that it came from.

    Raises:
        BadInputError: BAD_STORE_URL.
    """
    wrong = _wrong(url)
    if wrong:
        shown = without_password(url)
        named = f"{shown!r}" if field == "url" else f"{field}={shown!r}"
        message = f"{named} is not the URL of a store: {wrong}; allowed: {ALLOWED}"
        raise BadInputError(message, reason="BAD_STORE_URL", field=field, value=shown, allowed=ALLOWED)
    return url


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """What the URL of a store says.

    Attributes:
        socket: path of a unix socket; empty: host and port count.
        secure: TLS.
        user, password: empty where there is none.
        options: everything else behind the question mark.
    """

    socket: str
    host: str
    port: int
    secure: bool
    user: str
    password: str = field(repr=False)
    database: int = 0
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str) -> str | None:
        """The option of this name, if it is there."""
        return dict(self.options).get(name)


def store_address(url: str) -> StoreAddress:
    """What a URL says that `check_url` let through."""
    parts = urlsplit(url)
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    socket = unquote(parts.path) if parts.scheme == "unix" else ""
    database = options.pop("db", "") or ("" if socket else parts.path.strip("/"))
    return StoreAddress(
        socket=socket,
        host=parts.hostname or "127.0.0.1",
        port=parts.port or DEFAULT_PORT,
        secure=parts.scheme == "rediss",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        database=int(database or 0),
        options=tuple(options.items()),
    )


def on_this_machine(url: str) -> bool:
    """Whether the store runs where we do: its disk can be looked at."""
    where = store_address(url)
    return bool(where.socket) or where.host in LOOPBACK


def _wrong(url: str) -> str:
    """What is wrong with a URL; empty if nothing is."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "its host or port is none"
    if parts.scheme not in SCHEMES:
        return "its scheme is another"
    if not url.isprintable() or " " in url:
        return "it has characters that no URL has"
    if any(name in parse_qs(parts.query, keep_blank_values=True) for name in IDENTITY):
        return "user and password stand before host or path, as USER:PASSWORD@"
    if parts.scheme == "unix":
        return "" if parts.path.strip("/") and _is_number(_asked(parts.query)) else "its path or database is none"
    if not host or port == 0:
        return "its host or port is none"
    return "" if _is_number(parts.path.strip("/")) and _is_number(_asked(parts.query)) else "its database is no number"


def _asked(query: str) -> str:
    return parse_qs(query).get("db", [""])[-1]


def _is_number(text: str) -> bool:
    return not text or (text.isascii() and text.isdigit() and len(text) < 5)


def without_password(url: str) -> str:
    """The URL without user and password, as it may be shown."""
    scheme, colon, rest = url.partition("://")
    return _OPTION.sub(_masked, f"{scheme}{colon}{rest.rpartition('@')[2]}")


def _masked(option: re.Match[str]) -> str:
    """An option as it may be shown, whichever way its name is written."""
    name = option["name"]
    return f"{name}=***" if unquote_plus(name).strip().lower() in IDENTITY else option[0]
