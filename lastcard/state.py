"""Where an installation on this machine keeps what is no ledger: pepper, tokens of the house, logs, its own store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lastcard.errors import InputError


def state_folder(environ: Mapping[str, str]) -> Path:
    """Return `$LASTCARD_STATE`, else `lastcard` below `$XDG_STATE_HOME`, else below `.local/state` of the home folder.

    Raises:
        InputError: this user has no home folder, and nothing else was named.

    """
    if named := environ.get("LASTCARD_STATE"):
        return Path(named)
    if base := environ.get("XDG_STATE_HOME"):
        return Path(base) / "lastcard"
    try:
        home = Path(environ.get("HOME") or Path.home())
    except RuntimeError:
        sentence = "this user has no home folder; say where state is kept: LASTCARD_STATE=/path/to/a/folder"
        raise InputError("NO_HOME", sentence, field="LASTCARD_STATE") from None
    return home / ".local" / "state" / "lastcard"
