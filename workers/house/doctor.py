"""`lastcard doctor`: looks at this machine and says, in one line each, what is fine, what is not, and what to do.

It needs nothing but the standard library itself: on a machine where something is missing it is what still runs.
"""

from __future__ import annotations

import argparse
import enum
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final, NoReturn

from lastcard.console import print_json
from lastcard.errors import BadTokenError, ExitCode, InputError
from lastcard.parser import FAST, require_fast_parser
from lastcard.proxies import TRUSTED_PROXIES, Proxies
from lastcard.state import state_folder
from workers.house import ports
from workers.house.doors import PORTS

OLDEST_PYTHON: Final = (3, 11)
LEAST_FREE_BYTES: Final = 2 * 1024**3
LEAST_FREE_SHARE: Final = 0.1
"""As in `ladder/store/strain.py`, which needs more than the standard library."""
TOKENS: Final = ("LASTCARD_TOKEN", "LASTCARD_TOKEN_FILE")
DIALLED: Final = ("LASTCARD_LADDER", "LASTCARD_SERVER")
INSTALL: Final = "pip install 'lastcard[server]'"


class Status(enum.StrEnum):
    """How a check went."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `fix` says what to do where it is not fine."""

    name: str
    status: Status
    detail: str
    fix: str = ""


def python() -> Check:
    """Return whether this Python is new enough."""
    found = f"{sys.version.split()[0]} at {sys.executable}"
    if sys.version_info < OLDEST_PYTHON:
        return Check("python", Status.FAILED, found, "install Python 3.11 or newer")
    return Check("python", Status.OK, found)


def packages() -> Check:
    """Return whether everything that the server needs is installed."""
    names = sorted({name for name in map(_name_of, requires("lastcard") or ()) if name})
    found = {name: _version_of(name) for name in names}
    missing = [name for name, text in found.items() if not text]
    if missing:
        return Check("packages", Status.FAILED, f"missing: {', '.join(missing)}", INSTALL)
    shown = ", ".join(f"{name} {found[name]}" for name in ("grpcio", "protobuf", "celery", "redis") if name in found)
    return Check("packages", Status.OK, f"lastcard {version('lastcard')} ({_build()}), {shown}")


def _build() -> str:
    """Return whether what every move of a referee runs through is compiled, without loading it."""
    found = importlib.util.find_spec("referee.wire")
    return "as source" if found is None or str(found.origin).endswith(".py") else "compiled"


def _name_of(requirement: str) -> str:
    """Return the package of a requirement that a server on this system has; empty for others."""
    what, _, marker = requirement.partition(";")
    if "extra ==" in marker and "server" not in marker:
        return ""
    if "win32" in marker and sys.platform == "win32":
        return ""
    return what.split("[")[0].split("<")[0].split(">")[0].split("=")[0].strip()


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def protocol() -> Check:
    """Return whether protobuf runs on its fast and safe parser."""
    try:
        require_fast_parser()
    except ImportError:
        return Check("protobuf", Status.FAILED, "not installed", "pip install lastcard")
    except InputError as error:
        return Check("protobuf", Status.FAILED, error.message, "install protobuf from a wheel, which has upb")
    return Check("protobuf", Status.OK, f"runs on {FAST}")


def house(root: Path) -> int | None:
    """Return the process of the `lastcard up` that runs in a state folder, None if there is none."""
    try:
        from workers.house.folder import StateFolder
    except ImportError:  # where there is no `fcntl` there is no `lastcard up` either
        return None
    held = StateFolder(root).held_by()
    return int(held) if held and held.isdecimal() else None


def running(root: Path) -> Check:
    """Return whether `lastcard up` runs in the state folder; both is fine."""
    pid = house(root)
    found = f"runs here (process {pid}, state folder {root})" if pid else f"does not run in {root}"
    return Check("up", Status.OK, found)


def store(url: str | None, root: Path) -> Check:
    """Return whether there is a store: the given one is asked, or one is started for a moment."""
    if url and house(root) is None and _is_own(url, root):
        url = None  # `lastcard up` brings it along
    try:
        from ladder.store import local
    except ImportError:
        return Check("store", Status.FAILED, "the server part is not installed", INSTALL)
    with tempfile.TemporaryDirectory(prefix="lastcard-doctor-") as directory:
        try:
            with local.choose(url, Path(directory)) as found:
                return Check("store", Status.OK, found.chosen.removeprefix("store: "))
        except Exception as error:
            if not isinstance(getattr(error, "reason", None), str):
                raise
            return Check("store", Status.FAILED, str(error), _mended(error, url))


def _mended(error: Exception, url: str | None) -> str:
    """Return what to do about a store that cannot be used; one that loads its files has what another would lack."""
    from ladder.store.errors import StoreLoadingError

    if isinstance(error, StoreLoadingError):
        return "wait until it has, and look again"
    return "start it, correct LASTCARD_REDIS_URL, or unset it: `lastcard up` brings a store along" if url else INSTALL


def _is_own(url: str, root: Path) -> bool:
    """Return whether it is the URL of the store that `lastcard up` brings along, as its `export` line says it."""
    from workers.house.folder import StateFolder

    return StateFolder(root).owns(url)


def port(name: str, number: int, up: int | None = None) -> Check:
    """Return whether `lastcard up` could listen on one of its ports, or does: `up` is its process."""
    if ports.is_free(ports.LOOPBACK, number):
        return Check(f"port {number}", Status.OK, f"free ({name})")
    pid = ports.holding(number) if up else None
    if up and pid and ports.is_of(pid, up):
        return Check(f"port {number}", Status.OK, f"{name}: of the `lastcard up` that runs here (process {up})")
    fix = "end that program, or give `lastcard up` another address; `lastcard demo` takes free ports"
    return Check(f"port {number}", Status.WARNING, f"{name}: taken by {ports.holder(number)}", fix)


def state(root: Path) -> Check:
    """Return whether the state folder can be written and has room."""
    there = next(path for path in (root, *root.resolve().parents) if path.exists())
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        return Check("state", Status.FAILED, f"{there} cannot be written", "choose another with --state")
    disk = shutil.disk_usage(there)
    detail = f"{root}, {disk.free / 1024**3:.1f} GiB free"
    if is_full(disk.free, disk.total):
        fix = "make room: with less than 2 GiB, or 10 % of a smaller disk, referees claim no matches"
        return Check("state", Status.WARNING, detail, fix)
    return Check("state", Status.OK, detail)


def named_state(root: Path, environ: Mapping[str, str]) -> Check:
    """Return how the state folder is, and whether one that is named is there: that of a demo goes with it."""
    if environ.get("LASTCARD_STATE") != str(root) or root.exists():
        return state(root)
    fix = "type the `export` line of the house that runs, or unset LASTCARD_STATE; `lastcard up` would make it"
    return Check("state", Status.WARNING, f"{root}, which LASTCARD_STATE names, is not there", fix)


def token(environ: Mapping[str, str]) -> Check:
    """Return whether the token that this environment names can be read; whether it is good its ladder knows."""
    try:
        from lastcard.settings import find_token
    except ImportError:
        return Check("token", Status.FAILED, "it cannot be looked at", INSTALL)
    if not any(environ.get(name) for name in TOKENS):
        return Check("token", Status.OK, "none is set: reading needs none")
    try:
        _, source = find_token(None, None, None, environ)
    except (InputError, BadTokenError) as error:
        return Check("token", Status.FAILED, error.message, f"correct {' or '.join(TOKENS)}, or unset it")
    return Check("token", Status.OK, f"of {source}")


def is_full(free: int, total: int) -> bool:
    """Return whether referees would claim no matches with so many bytes free on a disk."""
    return free < min(LEAST_FREE_BYTES, LEAST_FREE_SHARE * total)


def settings(environ: Mapping[str, str]) -> Check:
    """Return whether the processes would take the settings of this environment."""
    try:
        from workers.house.doctor_settings import look
    except ImportError:
        return Check("settings", Status.FAILED, "they cannot be looked at", INSTALL)
    return look(environ)


def proxies(environ: Mapping[str, str]) -> Check:
    """Return whether callers are told apart where the settings say that a proxy is in front."""
    try:
        trusted = Proxies.of(environ).networks
    except InputError as error:
        return Check("proxies", Status.FAILED, error.message, f"correct {TRUSTED_PROXIES}, or unset it")
    if trusted:
        return Check("proxies", Status.OK, f"X-Forwarded-For of {', '.join(map(str, trusted))} is believed")
    if environ.get("LASTCARD_INSECURE") == "1":
        detail = (
            "LASTCARD_INSECURE=1 is for a proxy in front, and none is trusted: all who come through it count as one"
        )
        return Check("proxies", Status.WARNING, detail, f"name its address in {TRUSTED_PROXIES}")
    return Check("proxies", Status.OK, "none in front is trusted")


def reached(environ: Mapping[str, str], up: int | None) -> Iterator[Callable[[], Check]]:
    """Yield a check for every address where commands and bots of this environment dial; none where none is set."""
    named = [name for name in DIALLED if environ.get(name)]
    if not named:
        return
    try:
        from workers.house.doctor_reach import looks
    except ImportError:
        yield lambda: Check("dialled", Status.FAILED, f"{' and '.join(named)} cannot be looked at", INSTALL)
        return
    yield from looks(environ, up)


def orphans() -> Check:
    """Return whether the system ends children whose supervisor was killed."""
    if sys.platform == "linux":
        return Check("supervisor", Status.OK, "its processes end with it, even when it is killed")
    detail = f"{sys.platform} cannot end processes whose supervisor was killed"
    return Check("supervisor", Status.WARNING, detail, "after a `kill -9` of `lastcard up` end its processes by hand")


def every(root: Path, url: str | None) -> Iterator[Callable[[], Check]]:
    """Yield the checks in the order in which they are shown."""
    yield from (
        python,
        packages,
        protocol,
        lambda: store(url, root),
        lambda: named_state(root, os.environ),
        lambda: running(root),
        orphans,
        lambda: settings(os.environ),
        lambda: proxies(os.environ),
        lambda: token(os.environ),
    )
    up = house(root)
    yield from reached(os.environ, up)
    for name, number in PORTS.items():
        yield lambda name=name, number=number: port(name, number, up)  # type: ignore[misc]


def show(check: Check) -> None:
    """Write one line for a person, and a second one where there is something to do."""
    marks = {Status.OK: "ok     ", Status.WARNING: "warning", Status.FAILED: "FAILED "}
    print(f"{marks[check.status]}  {check.name:<12} {check.detail}", flush=True)  # noqa: T201 (a command)
    if check.fix:
        print(f"{'':21} → {check.fix}", flush=True)  # noqa: T201 (a command)


class Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments like every other command."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        raise InputError("USAGE", f"{message}; `{self.prog} --help` shows how it is used")


def doctor(arguments: Sequence[str]) -> int:
    """Run every check; returns 1 when one failed."""
    parser = Parser(prog="lastcard doctor", description="Look at this machine: is all there that lastcard needs?")
    parser.add_argument("--state", type=Path, default=state_folder(os.environ), help="the state folder to look at")
    parser.add_argument("--redis-url", default=os.environ.get("LASTCARD_REDIS_URL"), help="the store to look at")
    parser.add_argument("--json", action="store_true", help='print {"ok": …, "checks": […]}')
    args = parser.parse_args(arguments)
    checks = []
    for look in every(args.state, args.redis_url):
        checks.append(look())
        if not args.json:
            show(checks[-1])
    good = all(check.status is not Status.FAILED for check in checks)
    if args.json:
        print_json({"ok": good, "checks": [asdict(check) for check in checks]})
    return ExitCode.DONE if good else ExitCode.NEGATIVE
