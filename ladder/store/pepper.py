"""The pepper: the secret without which the stored MACs of tokens are worthless. It is never in Redis."""

import os
import secrets
import stat
from pathlib import Path
from typing import Final

from ladder.store.errors import PepperError
from lastcard.secret import Secret

BYTES: Final = 32


def load(path: Path) -> Secret:
    """The pepper in this file; a file that only its owner can read is made if there is none.

    Raises:
        PepperError: Others can read the file, it cannot be read or made, or it does not hold a pepper.
    """
    try:
        try:
            return _read(path)
        except FileNotFoundError:
            return _create(path)
    except OSError as error:
        raise PepperError(
            f"the pepper file {path} cannot be read or made: {error.strerror}",
            reason="PEPPER_UNREADABLE",
            field="pepper",
            value=str(path),
            allowed="a file of mode 0600, or a place for one",
        ) from error


def _read(path: Path) -> Secret:
    with path.open("rb") as file:
        if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
            raise PepperError(
                f"{path} can be read by others; chmod 600 it, and revoke all tokens if somebody may have",
                reason="PEPPER_EXPOSED",
                field="pepper",
                value=str(path),
                allowed="a file of mode 0600",
            )
        text = file.read().strip()
    try:
        pepper = Secret(bytes.fromhex(text.decode("ascii")))
    except ValueError:
        pepper = Secret(b"")
    if len(pepper) != BYTES:
        raise PepperError(
            f"{path} does not hold a pepper",
            reason="PEPPER_MALFORMED",
            field="pepper",
            value=str(path),
            allowed=f"{2 * BYTES} hex digits",
        )
    return pepper


def _create(path: Path) -> Secret:
    """Writes a new pepper; if another process was faster, its pepper counts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pepper = Secret(secrets.token_bytes(BYTES))
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(pepper.reveal().hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        return _read(path)
    finally:
        draft.unlink()
    return pepper
