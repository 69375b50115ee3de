"""Settings of a referee process, from the environment and the command line."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ladder.store.store import check_tenant
from ladder.store.url import check_url
from lastcard.errors import InputError

PLAY_PORT: Final = 7410
METRICS_PORT: Final = 7431
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})


@dataclass(frozen=True, slots=True)
class Address:
    """HOST:PORT to listen on; port 0 = any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    @classmethod
    def parse(cls, text: str, field: str) -> "Address":
        """Read `HOST:PORT`.

        Raises:
            InputError: BAD_ADDRESS.
        """
        host, colon, port = text.rpartition(":")
        if not colon or not host or not (port.isascii() and port.isdigit() and len(port) < 6) or int(port) > 65_535:
            raise InputError(
                "BAD_ADDRESS", f"{field} is {text!r}; write HOST:PORT, port 0-65535", field=field, value=text,
                allowed=["HOST:PORT"],
            )  # fmt: skip
        return cls(host, int(port))


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of one referee.

    Attributes:
        store_url: the ledger.
        play: where bots dial in.
        metrics: where Prometheus scrapes.
        pepper_file: secret that tokens are checked with.
        tenant: whose keys in the ledger.
        rounds: most rounds in flight.
        absent_s: seconds without a session after which a bot forfeits the rest of a match.
        drain_s: seconds to hand matches back in after SIGTERM.
        dev: serve reflection.
        allow_volatile: accept a store that may lose what it acknowledged.
        insecure: listen off loopback without TLS.
    """

    store_url: str
    play: Address
    metrics: Address
    pepper_file: Path
    tenant: str = "main"
    rounds: int = 1_024
    absent_s: float = 20.0
    drain_s: float = 20.0
    dev: bool = False
    allow_volatile: bool = False
    insecure: bool = False


def _switch(environ: Mapping[str, str], name: str) -> bool:
    text = environ.get(name, "")
    if text not in {"", "0", "1"}:
        raise InputError("BAD_SETTING", f"{name}={text!r}: allowed 0, 1", field=name, value=text, allowed=["0", "1"])
    return text == "1"


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that holds an installation's state."""
    if environ.get("LASTCARD_STATE"):
        return Path(environ["LASTCARD_STATE"])
    base = environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "lastcard"


def load(
    *,
    index: int,
    play: str | None,
    metrics: str | None,
    insecure: bool,
    dev: bool,
    environ: Mapping[str, str] = os.environ,
) -> Settings:
    """Return the settings of referee `index`.

    Raises:
        InputError: something is missing or malformed.
    """
    if not 0 <= index <= 9:
        raise InputError("BAD_INDEX", f"index is {index}; allowed: 0-9", field="index", value=index, allowed=["0-9"])
    url = environ.get("LASTCARD_REDIS_URL", "")
    if not url:
        raise InputError(
            "NO_STORE", "LASTCARD_REDIS_URL is not set; say where the ledger is, for example redis://127.0.0.1:6379/0",
            field="LASTCARD_REDIS_URL", allowed=["redis://HOST:PORT/DB", "unix:///PATH"],
        )  # fmt: skip
    pepper = environ.get("LASTCARD_PEPPER_FILE")
    address = Address.parse(play or f"127.0.0.1:{PLAY_PORT + index}", "--play")
    if not address.loopback and not insecure:
        raise InputError(
            "PLAINTEXT",
            f"--play {address} can be reached from elsewhere, and tokens would travel in plain text; listen on "
            "127.0.0.1 behind a proxy that speaks TLS, or say --insecure-i-know",
            field="--play", value=str(address), allowed=sorted(LOOPBACK),
        )  # fmt: skip
    return Settings(
        store_url=check_url(url, "LASTCARD_REDIS_URL"),
        play=address,
        metrics=Address.parse(metrics or f"127.0.0.1:{METRICS_PORT + index}", "--metrics"),
        pepper_file=Path(pepper) if pepper else state_folder(environ) / "pepper",
        tenant=check_tenant(environ.get("LASTCARD_TENANT") or "main"),
        dev=dev,
        allow_volatile=_switch(environ, "LASTCARD_ALLOW_VOLATILE"),
        insecure=insecure,
    )
