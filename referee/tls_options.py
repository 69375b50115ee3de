"""Options for certificates: the same settings as in the environment, and stronger than those."""

import os
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final, TypeVar

import click

from referee.settings import CERTIFICATE, KEY, TRUNK

PLAY_OPTIONS: Final = (
    ("--tls-cert", CERTIFICATE, "Speak TLS: the certificate with its chain, as PEM."),
    ("--tls-key", KEY, "The key of that certificate, as PEM without a passphrase."),
)
TRUNK_OPTIONS: Final = (
    ("--trunk-cert", TRUNK[0], "Speak TLS with other referees: the certificate of this one."),
    ("--trunk-key", TRUNK[1], "The key of that certificate."),
    ("--trunk-ca", TRUNK[2], "The authority that has signed the certificates of all referees."),
)
SETTINGS: Final = {
    option.removeprefix("--").replace("-", "_"): name for option, name, _ in (*PLAY_OPTIONS, *TRUNK_OPTIONS)
}
Command = TypeVar("Command", bound=Callable[..., Any])


def file_options(*options: tuple[str, str, str]) -> Callable[[Command], Command]:
    """Return a decorator that gives a command these options; it takes them as `**files`."""

    def decorated(command: Command) -> Command:
        made = [
            click.option(option, metavar="FILE", envvar=name, show_envvar=True, help=text)
            for option, name, text in options
        ]
        return reduce(lambda inner, option: option(inner), reversed(made), command)

    return decorated


def named(files: Mapping[str, str | None]) -> dict[str, str]:
    """Return the settings that options have named."""
    return {SETTINGS[option]: file for option, file in files.items() if file}


def environment(files: Mapping[str, str | None]) -> dict[str, str]:
    """Return the environment of this process with the settings that options have named."""
    return {**os.environ, **named(files)}
