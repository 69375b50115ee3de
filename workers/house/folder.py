"""The state folder of a house on one machine: who may use it, its secrets, and where things lie in it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from lastcard.errors import InputError

SOCKET: Final = "store.sock"
"""As in `ladder/store/local.py`."""
LOOKS: Final = 4
LOOK_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class StateFolder:
    """Paths in the state folder."""

    root: Path

    @property
    def store(self) -> Path:
        """Files of the store."""
        return self.root / "store"

    @property
    def logs(self) -> Path:
        """One log per process."""
        return self.root / "logs"

    @property
    def bots(self) -> Path:
        """Tokens of house bots."""
        return self.root / "bots"

    @property
    def pepper(self) -> Path:
        """The key under which tokens are kept in the store."""
        return self.root / "pepper"

    @property
    def operator_token(self) -> Path:
        """The operator's token."""
        return self.root / "operator.token"

    def owns(self, store_url: str) -> bool:
        """Return whether this URL is that of the socket at which a store of this folder listens."""
        parts = urlsplit(store_url)
        path = Path(unquote(parts.path))
        return parts.scheme == "unix" and path.name == SOCKET and path.parent.resolve() == self.store.resolve()

    def held_by(self) -> str | None:
        """Return the number of the process that runs a house in this folder; None: nobody does."""
        try:
            with (self.root / "lock").open(encoding="ascii") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return (self.root / "lock").read_text("ascii").strip() or "?"
        except OSError:
            return None
        return None

    def prepare(self) -> None:
        """Make the folder and what it always has, readable by its owner only.

        Raises:
            InputError: it cannot be made or written.

        """
        try:
            for folder in (self.root, self.store, self.logs, self.bots):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.root.chmod(0o700)
        except OSError as error:
            message = f"the state folder {self.root} cannot be used: {error.strerror}; choose another with --state"
            raise InputError("STATE_FOLDER", message, field="state", value=str(self.root)) from None


def write_secret(path: Path, text: str) -> None:
    """Write a file that only its owner may read; it appears complete or not at all."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
    fresh.replace(path)


@contextlib.contextmanager
def alone(folder: StateFolder) -> Iterator[None]:
    """Hold the folder's lock.

    Raises:
        InputError: another supervisor holds it.

    """
    with (folder.root / "lock").open("a+", encoding="ascii") as file:
        for tries_left in reversed(range(LOOKS)):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if tries_left:  # it may be somebody who only looks, see `held_by`
                    time.sleep(LOOK_S)
                    continue
                file.seek(0)
                holder = file.read().strip() or "?"
                message = f"the state folder {folder.root} is in use by process {holder}: end that first"
                raise InputError("STATE_IN_USE", message, field="state", value=str(folder.root)) from None
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield
