"""What the ladder process is told by its environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ladder.store.keys import check_tenant
from ladder.store.url import check_url
from lastcard.address import Address
from lastcard.environment import bad_setting, store_url, switch, whole
from lastcard.proxies import NOBODY, Proxies
from lastcard.state import state_folder

PEPPER: Final = "pepper"
REGISTRATION: Final = ("open", "closed")


@dataclass(frozen=True, slots=True)
class LadderSettings:
    """Everything that the ladder process is told; the defaults run on this machine alone."""

    redis_url: str = field(repr=False)
    """The ledger."""
    broker_url: str = field(default="", repr=False)
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
    proxies: Proxies = NOBODY
    """In front of the services; theirs is the word on where a caller is."""
    allow_volatile: bool = False
    """Work with a ledger that may lose what it acknowledged (tests)."""
    dev: bool = False
    """Let gRPC clients ask what there is (reflection)."""

    @classmethod
    def of(cls, environ: Mapping[str, str] | None = None) -> LadderSettings:
        """Return the settings of an environment (default: of this process).

        Raises:
            InputError: a variable is missing or is not what it may be.
        """
        env = os.environ if environ is None else environ
        found = cls(
            redis_url=check_url(store_url(env), "LASTCARD_REDIS_URL"),
            broker_url=_url(env, "LASTCARD_BROKER_URL"),
            pepper_file=Path(env.get("LASTCARD_PEPPER_FILE") or state_folder(env) / PEPPER),
            tenant=check_tenant(env.get("LASTCARD_TENANT") or "main"),
            grpc=env.get("LASTCARD_LADDER_GRPC") or "127.0.0.1:7420",
            web=env.get("LASTCARD_LADDER_WEB") or "127.0.0.1:7421",
            metrics=env.get("LASTCARD_LADDER_METRICS") or "127.0.0.1:7430",
            certificate_file=env.get("LASTCARD_TLS_CERT_FILE", ""),
            key_file=env.get("LASTCARD_TLS_KEY_FILE", ""),
            insecure=switch(env, "LASTCARD_INSECURE"),
            registration=env.get("LASTCARD_REGISTRATION") or "open",
            registrations_per_minute=whole(env, "LASTCARD_REGISTRATIONS_PER_MINUTE", 60, 0, 100_000),
            proxies=Proxies.of(env),
            allow_volatile=switch(env, "LASTCARD_ALLOW_VOLATILE"),
            dev=switch(env, "LASTCARD_DEV"),
        )
        return found.checked()

    def checked(self) -> LadderSettings:
        """Return the settings if they fit together.

        Raises:
            InputError: they do not.
        """
        if self.registration not in REGISTRATION:
            sentence = f"LASTCARD_REGISTRATION={self.registration!r}: allowed open, closed"
            raise bad_setting("LASTCARD_REGISTRATION", self.registration, sentence, *REGISTRATION)
        if bool(self.certificate_file) != bool(self.key_file):
            sentence = "LASTCARD_TLS_CERT_FILE and LASTCARD_TLS_KEY_FILE belong together: set both or neither"
            raise bad_setting("LASTCARD_TLS_KEY_FILE", self.key_file, sentence)
        for name, text in (("grpc", self.grpc), ("web", self.web), ("metrics", self.metrics)):
            address = Address.parse(text, name)
            if not address.loopback and not self.insecure and (name == "metrics" or not self.certificate_file):
                sentence = (
                    f"{name} on {address} would be open to the network without TLS: give a certificate "
                    "(LASTCARD_TLS_CERT_FILE, LASTCARD_TLS_KEY_FILE), or set LASTCARD_INSECURE=1 behind a proxy"
                )
                raise bad_setting(name, text, sentence)
        return self


def _url(env: Mapping[str, str], name: str) -> str:
    url = env.get(name, "")
    return check_url(url, name) if url else ""
