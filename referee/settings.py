"""Settings of a referee process, from the environment and the command line."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ladder.store.keys import check_tenant
from ladder.store.url import check_url
from lastcard.address import LOOPBACK, Address
from lastcard.environment import store_url, switch
from lastcard.errors import InputError
from lastcard.proxies import NOBODY, Proxies
from lastcard.state import state_folder
from referee.tls import KeyPair, PlayFiles, TrunkFiles, read_pem

PLAY_PORT: Final = 7410
TRUNK_ABOVE: Final = 100
"""Where other referees dial in, counted from where bots do: 7510."""
NO_TRUNK: Final = "none"
EVERYWHERE: Final = frozenset({"0.0.0.0", "::", "*"})  # noqa: S104  (refused)
METRICS_PORT: Final = 7431
CERTIFICATE: Final = "LASTCARD_TLS_CERT_FILE"
KEY: Final = "LASTCARD_TLS_KEY_FILE"
TRUNK: Final = ("LASTCARD_TRUNK_CERT_FILE", "LASTCARD_TRUNK_KEY_FILE", "LASTCARD_TRUNK_CA_FILE")


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
        play_files: certificate for bots; None: plain text.
        trunk: where other referees dial in; None: there are none.
        trunk_files: certificates of the trunk; None: plain text.
        proxies: in front of `play`; theirs is the word on where a bot calls from.
    """

    store_url: str = field(repr=False)  # it may have a password
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
    play_files: PlayFiles | None = None
    trunk: Address | None = None
    trunk_files: TrunkFiles | None = None
    proxies: Proxies = NOBODY


def load(
    *,
    index: int,
    play: str | None,
    metrics: str | None,
    insecure: bool,
    dev: bool,
    trunk: str | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Settings:
    """Return the settings of referee `index`.

    Raises:
        InputError: something is missing or malformed.
    """
    if not 0 <= index <= 9:
        raise InputError("BAD_INDEX", f"index is {index}; allowed: 0-9", field="index", value=index, allowed=["0-9"])
    pepper = environ.get("LASTCARD_PEPPER_FILE")
    play_files, trunk_files = _play_files(environ), _trunk_files(environ)
    address = _play(play or f"127.0.0.1:{PLAY_PORT + index}", secure=insecure or play_files is not None)
    return Settings(
        store_url=check_url(store_url(environ), "LASTCARD_REDIS_URL"),
        play=address,
        metrics=Address.parse(metrics or f"127.0.0.1:{METRICS_PORT + index}", "--metrics"),
        pepper_file=Path(pepper) if pepper else state_folder(environ) / "pepper",
        tenant=check_tenant(environ.get("LASTCARD_TENANT") or "main"),
        dev=dev,
        allow_volatile=switch(environ, "LASTCARD_ALLOW_VOLATILE"),
        insecure=insecure,
        play_files=play_files,
        trunk=_trunk(trunk, address, secure=insecure or trunk_files is not None),
        trunk_files=trunk_files,
        proxies=Proxies.of(environ),
    )


def _play(text: str, *, secure: bool) -> Address:
    """Return where bots dial in."""
    address = Address.parse(text, "--play")
    if not address.loopback and not secure:
        raise InputError(
            "PLAINTEXT",
            f"--play {address} can be reached from elsewhere, and tokens would travel in plain text; give a "
            f"certificate with {CERTIFICATE} and {KEY}, listen on 127.0.0.1 behind a proxy that speaks TLS, "
            "or say --insecure-i-know to `lastcard serve referee`",
            field="--play", value=str(address), allowed=sorted(LOOPBACK),
        )  # fmt: skip
    return address


def _trunk(text: str | None, play: Address, *, secure: bool) -> Address | None:
    """Return where other referees dial in; a referee that takes any port for bots takes any for them."""
    if text == NO_TRUNK:
        return None
    port = play.port + TRUNK_ABOVE
    address = (
        Address.parse(text, "--trunk") if text else Address("127.0.0.1", port if play.port and port < 65_536 else 0)
    )
    if address.host in EVERYWHERE:
        raise InputError(
            "BAD_TRUNK",
            f"--trunk {address} is no address that other referees could dial; write the one by which they reach this "
            f"machine, or {NO_TRUNK} where there are no others",
            field="--trunk", value=str(address), allowed=["HOST:PORT", NO_TRUNK],
        )  # fmt: skip
    if not address.loopback and not secure:
        raise InputError(
            "PLAINTEXT",
            f"--trunk {address} can be reached from elsewhere, and hands would travel in plain text; give certificates "
            f"with {', '.join(TRUNK)}, or say --insecure-i-know to `lastcard serve referee` on a network of your own",
            field="--trunk", value=str(address), allowed=sorted(LOOPBACK),
        )  # fmt: skip
    return address


def _play_files(environ: Mapping[str, str]) -> PlayFiles | None:
    named = _together(environ, (CERTIFICATE, KEY))
    return PlayFiles(_pair(named, CERTIFICATE, KEY)) if named else None


def _trunk_files(environ: Mapping[str, str]) -> TrunkFiles | None:
    named = _together(environ, TRUNK)
    if not named:
        return None
    files = TrunkFiles(_pair(named, TRUNK[0], TRUNK[1]), Path(named[TRUNK[2]]), TRUNK[2])
    read_pem(files.authority, files.named)
    return files


def _pair(named: Mapping[str, str], certificate: str, key: str) -> KeyPair:
    pair = KeyPair(Path(named[certificate]), Path(named[key]), (certificate, key))
    pair.read()
    return pair


def _together(environ: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Return the values of settings of which all are set, or none."""
    named = {name: environ[name] for name in names if environ.get(name)}
    missing = [name for name in names if name not in named]
    if named and missing:
        sentence = f"{', '.join(names)} belong together: {missing[0]} is not set"
        raise InputError("BAD_SETTING", sentence, field=missing[0], allowed=["all of them", "none of them"])
    return named
