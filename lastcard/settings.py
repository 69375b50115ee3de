"""Where a bot plays and who it is: from the command line, the call, or the environment."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from lastcard.address import LOOPBACK
from lastcard.bot import MOST_PROCESSES
from lastcard.errors import BadTokenError, InputError
from lastcard.secret import Secret
from lastcard.tls import authority

DEFAULT_SERVER: Final = "127.0.0.1:7410"
SECURE: Final = frozenset({"https", "grpcs", "tls"})
HOST: Final = re.compile(r"[A-Za-z0-9._:\[\]%-]+")
PLAIN: Final = frozenset({"http", "grpc"})
OPTIONS: Final = ("--server", "--token-file", "--ca", "--processes", "--verbose", "--help")
LIKE_A_TOKEN: Final = re.compile(r"lcb\d_\S*")
LOOKS_LIKE: Final = 0.8  # of 1: how near a word must come to one of them to be a slip of the finger
HOW_TO_GIVE_IT: Final = (
    "there is no token: name its file with --token-file or LASTCARD_TOKEN_FILE, or set LASTCARD_TOKEN;"
    " `lastcard bot register NAME` makes one"
)


@dataclass(frozen=True, slots=True)
class Server:
    """One address of a referee."""

    address: str  # host:port
    secure: bool = False  # TLS

    @property
    def local(self) -> bool:
        """Whether it is on this machine."""
        return self.address.rpartition(":")[0].strip("[]") in LOOPBACK

    def __str__(self) -> str:
        return self.address


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything about a run that is not the bot itself."""

    servers: tuple[Server, ...]
    token: Secret
    processes: int | None = None
    verbose: bool = False
    patience: float | None = None  # seconds without a referee after which to give up; None = never
    source: str = ""  # where the token came from, for people
    authority: bytes | None = None  # PEM of the authorities to trust; None = those of gRPC


def settings(
    argv: Sequence[str],
    environment: Mapping[str, str],
    *,
    server: str | None = None,
    token: str | None = None,
    token_file: str | os.PathLike[str] | None = None,
    patience: float | None = None,
) -> Settings:
    """Return the settings of a run; the command line wins over the call, the call over the environment.

    Raises:
        InputError: one of them is not what it may be.
        BadTokenError: there is no token.

    """
    typed, others = parser().parse_known_args(argv)
    _refuse_mistyped(others)
    if typed.token is not None:
        raise InputError(
            "TOKEN_ON_COMMAND_LINE", "a token on the command line is seen by everybody; use --token-file", field="token"
        )
    if typed.processes is not None and not 1 <= typed.processes <= MOST_PROCESSES:
        message = f"--processes {typed.processes} is not possible; it may be 1 to {MOST_PROCESSES}"
        raise InputError("BAD_PROCESSES", message, field="processes", value=typed.processes)
    found, source = find_token(typed.token_file, token, token_file, environment)
    return Settings(
        servers=servers(typed.server or server or environment.get("LASTCARD_SERVER") or DEFAULT_SERVER),
        token=Secret(found),
        source=source,
        processes=typed.processes,
        verbose=typed.verbose,
        patience=patience,
        authority=authority(typed.ca, environment),
    )


def _refuse_mistyped(words: Sequence[str]) -> None:
    """A script may have options of its own, but hardly any that look like ours.

    Raises:
        InputError: one of the words does.

    """
    for word in words:
        option = word.partition("=")[0]
        if near := get_close_matches(option, OPTIONS, 1, LOOKS_LIKE) if option.startswith("--") else []:
            message = f"there is no option {option}; did you mean {near[0]}?"
            raise InputError("UNKNOWN_OPTION", message, field=option, value=word, allowed=OPTIONS)


def parser() -> argparse.ArgumentParser:
    """Return the parser of what every bot's own script understands."""
    options = argparse.ArgumentParser(allow_abbrev=False)
    options.add_argument("--server", metavar="HOST:PORT", help="a referee, or several with commas; tls://… for TLS")
    options.add_argument("--token-file", metavar="FILE", help="file that holds the bot's token")
    options.add_argument("--ca", metavar="FILE", help="certificates of the authorities to trust, for tls://…")
    options.add_argument("--token", help=argparse.SUPPRESS)
    options.add_argument("--processes", metavar="N", type=int, help="processes that think in parallel, 1 to 8")
    options.add_argument("--verbose", action="store_true", help="log more")
    return options


def servers(text: str) -> tuple[Server, ...]:
    """Return the referees that `text` names: `host:port`, with `tls://` before it for TLS, separated by commas.

    Raises:
        InputError: one is not that.

    """
    return tuple(one_server(part.strip()) for part in text.split(","))


def one_server(text: str) -> Server:
    """Return the referee that `text` names.

    Raises:
        InputError: it is not `host:port` with or without a scheme.

    """
    message = f"{text!r} is not a referee's address; it looks like 127.0.0.1:7410 or tls://play.example.org:443"
    refused = InputError("BAD_SERVER", message, field="server", value=text)
    try:
        parts = urlsplit(text if "://" in text else f"grpc://{text}")
        whole = parts.scheme in SECURE | PLAIN and parts.hostname and parts.port and parts.path in {"", "/"}
    except ValueError:
        raise refused from None
    if not whole or not HOST.fullmatch(parts.netloc):
        raise refused
    return Server(parts.netloc, secure=parts.scheme in SECURE)


def find_token(
    typed: str | None, token: str | None, file: str | os.PathLike[str] | None, environment: Mapping[str, str]
) -> tuple[str, str]:
    """Return the token that comes first, and where it came from.

    The order is: typed file, given token, given file, the environment's token, its file.

    Raises:
        InputError: a file cannot be read.
        BadTokenError: there is no token, or it is no text that could be one.

    """
    places = (
        (None, typed, "--token-file=…"),
        (token, None, "run(token=…)"),
        (None, file, "run(token_file=…)"),
        (environment.get("LASTCARD_TOKEN"), None, "LASTCARD_TOKEN"),
        (None, environment.get("LASTCARD_TOKEN_FILE"), "LASTCARD_TOKEN_FILE=…"),
    )
    for given, path, name in places:
        if given or path:
            text = (given or read_token(Path(path or ""), name)).strip()
            source = name.replace("…", str(path)) if path else name
            if not text:
                raise BadTokenError(
                    "NO_TOKEN", f"the token that {source} gave is empty; `lastcard bot register NAME` makes one"
                )
            return checked_token(text, source), source
    raise BadTokenError("NO_TOKEN", HOW_TO_GIVE_IT)


def checked_token(text: str, source: str = "") -> str:
    """Return a token, or nothing, if it is text that could be one; `source`: where it came from, for people.

    Raises:
        BadTokenError: it is not.

    """
    if not text.isascii() or (text and not text.isprintable()) or " " in text:
        which = f"the token that {source} gave" if source else "the token"
        raise BadTokenError("BAD_TOKEN", f"{which} holds characters that no token has; is it the right one?")
    return text


def read_token(path: Path, source: str = "") -> str:
    """Return what a token file holds; `source`: who names it, for people.

    Raises:
        InputError: it cannot be read, or is no file but a token.

    """
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        namer = source.removesuffix("=…")
        if LIKE_A_TOKEN.fullmatch(str(path)):
            sentence = f"{namer or 'the name of the token file'} holds a token; write it into a file, and name that"
            raise InputError("TOKEN_FILE", sentence, field="token_file") from None
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        by = f"; {namer} names it" if namer else ""
        raise InputError(
            "TOKEN_FILE", f"the token file {path} cannot be read: {why}{by}", field="token_file", value=str(path)
        ) from error
