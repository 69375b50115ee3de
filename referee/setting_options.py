"""Options that are settings of the environment, too, and stronger than those: certificates, and proxies in front."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, TypeVar

import click

from lastcard.proxies import TRUSTED_PROXIES
from referee.settings import CERTIFICATE, KEY, TRUNK


@dataclass(frozen=True, slots=True)
class SettingOption:
    """An option and the setting that it stands for."""

    name: str
    setting: str
    help: str
    metavar: str = "FILE"

    @property
    def argument(self) -> str:
        """Its name as an argument of the command."""
        return self.name.removeprefix("--").replace("-", "_")


PLAY_OPTIONS: Final = (
    SettingOption("--tls-cert", CERTIFICATE, "Speak TLS: the certificate with its chain, as PEM."),
    SettingOption("--tls-key", KEY, "The key of that certificate, as PEM without a passphrase."),
    SettingOption(
        "--trusted-proxies",
        TRUSTED_PROXIES,
        "Addresses or networks of proxies in front, with commas: their X-Forwarded-For is believed.",
        "ADDRESSES",
    ),
)
TRUNK_OPTIONS: Final = (
    SettingOption("--trunk-cert", TRUNK[0], "Speak TLS with other referees: the certificate of this one."),
    SettingOption("--trunk-key", TRUNK[1], "The key of that certificate."),
    SettingOption("--trunk-ca", TRUNK[2], "The authority that has signed the certificates of all referees."),
)
SETTINGS: Final = {option.argument: option.setting for option in (*PLAY_OPTIONS, *TRUNK_OPTIONS)}
Command = TypeVar("Command", bound=Callable[..., Any])


def setting_options(*options: SettingOption) -> Callable[[Command], Command]:
    """Return a decorator that gives a command these options; it takes them as `**settings`."""

    def decorated(command: Command) -> Command:
        made = [
            click.option(one.name, metavar=one.metavar, envvar=one.setting, show_envvar=True, help=one.help)
            for one in options
        ]
        return reduce(lambda inner, option: option(inner), reversed(made), command)

    return decorated


def named(given: Mapping[str, str | None]) -> dict[str, str]:
    """Return the settings that options have named; an empty one takes back what the environment says."""
    return {SETTINGS[argument]: value for argument, value in given.items() if value is not None}


def environment(given: Mapping[str, str | None]) -> dict[str, str]:
    """Return the environment of this process with the settings that options have named."""
    return {**os.environ, **named(given)}
