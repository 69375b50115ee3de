"""What commands do with a token that is shown only once: print it, or write it to a file that is made before it is."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from lastcard.errors import InputError

TOKEN_FILE: Final[Callable[[Callable[..., Any]], Callable[..., Any]]] = click.option(
    "--token-file", type=click.Path(path_type=Path), help="Write the token there instead of printing it."
)


@contextlib.contextmanager
def reserved(path: Path | None) -> Iterator[None]:
    """Create the file for a token before there is one, so that a token is never lost for want of a place."""
    if path is None:
        yield
        return
    _create(path)
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def keep(token: str, path: Path | None) -> None:
    """Write the token to its file, if it has one.

    Raises:
        InputError: it cannot be written.
    """
    if path is None:
        return
    try:
        path.write_text(token + "\n", "utf-8")
    except OSError as error:
        raise _bad(path, error) from error


def say_token(token: str, path: Path | None, sentence: str) -> None:
    """Say what was done on stderr, and print the token on stdout unless it is in a file."""
    sys.stderr.write(f"{sentence}\n")
    if path is None:
        click.echo(token)


def _create(path: Path) -> None:
    try:
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        sentence = f"{path} exists already; name another file"
        raise InputError("FILE_EXISTS", sentence, field="token_file", value=str(path)) from None
    except OSError as error:
        raise _bad(path, error) from error


def _bad(path: Path, error: OSError) -> InputError:
    sentence = f"{path} cannot be written: {error.strerror}"
    return InputError("BAD_FILE", sentence, field="token_file", value=str(path))
