"""What the ladder process is told by its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ladder.errors import InvalidFieldError
from ladder.store.store import check_tenant
from ladder.store.url import check_url
from lastcard.state import state_folder

PEPPER: Final = "pepper"
LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
REGISTRATION: Final = ("open", "closed")


@dataclass(frozen=True, slots=True)
class LadderSettings:
    """Everything that the ladder process is told; the defaults run on this machine alone."""

    redis_url: str
    """The ledger."""
    broker_url: str = ""
    """Celery's broker, whose queues are counted; empty: they are not."""
    pepper_file: Path = Path(PEPPER)
    """The secret that guards the tokens."""
    tenant: str = "main"
    grpc: str = "127.0.0.1:7420"
    """Where the services listen; port 0 takes a free one, as for the next two."""
    web: str = "127.0.0.1:7421"
    """Where pages and API listen."""
    metrics: str = "127.0.0.1:7430"
    """Where Prometheus looks."""
    certificate_file: str = ""
    """PEM chain; with it gRPC and pages speak TLS."""
    key_file: str = ""
    insecure: bool = False
    """Listen on other addresses than this machine's own without TLS, because a proxy in front has it."""
    registration: str = "open"
    """`open`: anybody may register a bot; `closed`: a token of scope `owner` is needed."""
    registrations_per_minute: int = 60
    """From one address; 0: any number."""
    allow_volatile: bool = False
    """Work with a ledger that may lose what it acknowledged (tests)."""
    dev: bool = False
    """Let gRPC clients ask what there is (reflection)."""

    @classmethod
    def of(cls, environ: Mapping[str, str] | None = None) -> LadderSettings:
        """Return the settings of an environment (default: of this process).

        Raises:
            InvalidFieldError: a variable is missing or is not what it may be.
        """
        env = os.environ if environ is None else environ
        found = cls(
            redis_url=check_url(_needed(env, "LASTCARD_REDIS_URL"), "LASTCARD_REDIS_URL"),
            broker_url=_url(env, "LASTCARD_BROKER_URL"),
            pepper_file=Path(env.get("LASTCARD_PEPPER_FILE") or state_folder(env) / PEPPER),
            tenant=check_tenant(env.get("LASTCARD_TENANT") or "main"),
            grpc=env.get("LASTCARD_LADDER_GRPC") or "127.0.0.1:7420",
            web=env.get("LASTCARD_LADDER_WEB") or "127.0.0.1:7421",
            metrics=env.get("LASTCARD_LADDER_METRICS") or "127.0.0.1:7430",
            certificate_file=env.get("LASTCARD_TLS_CERT_FILE", ""),
            key_file=env.get("LASTCARD_TLS_KEY_FILE", ""),
            insecure=_switch(env, "LASTCARD_INSECURE"),
            registration=env.get("LASTCARD_REGISTRATION") or "open",
            registrations_per_minute=_number(env, "LASTCARD_REGISTRATIONS_PER_MINUTE", 60, 0, 100_000),
            allow_volatile=_switch(env, "LASTCARD_ALLOW_VOLATILE"),
            dev=_switch(env, "LASTCARD_DEV"),
        )
        return found.checked()

    def checked(self) -> LadderSettings:
        """Return the settings if they fit together.

        Raises:
            InvalidFieldError: they do not.
        """
        if self.registration not in REGISTRATION:
            sentence = f"LASTCARD_REGISTRATION={self.registration!r}: allowed open, closed"
            raise _bad("LASTCARD_REGISTRATION", self.registration, sentence, *REGISTRATION)
        if bool(self.certificate_file) != bool(self.key_file):
            sentence = "LASTCARD_TLS_CERT_FILE and LASTCARD_TLS_KEY_FILE belong together: set both or neither"
            raise _bad("LASTCARD_TLS_KEY_FILE", self.key_file, sentence)
        for field, address in (("grpc", self.grpc), ("web", self.web), ("metrics", self.metrics)):
            host, _ = address_of(address, field)
            if host not in LOOPBACK and not self.insecure and (field == "metrics" or not self.certificate_file):
                sentence = (
                    f"{field} on {address} would be open to the network without TLS: give a certificate "
                    "(LASTCARD_TLS_CERT_FILE, LASTCARD_TLS_KEY_FILE), or set LASTCARD_INSECURE=1 behind a proxy"
                )
                raise _bad(field, address, sentence)
        return self


def address_of(address: str, field: str) -> tuple[str, int]:
    """Return host and port of `HOST:PORT`.

    Raises:
        InvalidFieldError: it is not that.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit() and len(port) < 6) or int(port) > 65_535:
        sentence = f"{field} must be HOST:PORT with a port from 0 to 65535, for example 127.0.0.1:7420"
        raise InvalidFieldError("BAD_ADDRESS", sentence, field=field, value=address)
    return host.removeprefix("[").removesuffix("]"), int(port)


def _needed(env: Mapping[str, str], name: str) -> str:
    value = env.get(name, "")
    if not value:
        way = "run `lastcard up`, which brings one and prints the line to export"
        sentence = f"{name} is not set: give the store's URL, or {way}"
        raise InvalidFieldError("NO_STORE", sentence, field=name, value="")
    return value


def _url(env: Mapping[str, str], name: str) -> str:
    url = env.get(name, "")
    return check_url(url, name) if url else ""


def _switch(env: Mapping[str, str], name: str) -> bool:
    text = env.get(name, "")
    if text not in {"", "0", "1"}:
        raise _bad(name, text, f"{name}={text!r}: allowed 0, 1", "0", "1")
    return text == "1"


def _number(env: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = env.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10) or not least <= int(text) <= most:
        raise _bad(name, text, f"{name}={text!r}: allowed {least} to {most}", f"{least} to {most}")
    return int(text)


def _bad(field: str, value: str, sentence: str, *allowed: str) -> InvalidFieldError:
    return InvalidFieldError("BAD_SETTING", sentence, field=field, value=value, allowed=allowed)
