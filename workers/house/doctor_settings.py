"""What `lastcard doctor` finds wrong with the settings of this environment, as the processes would find it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ladder.store.errors import StoreError
from lastcard.errors import LastcardError
from lastcard.proxies import TRUSTED_PROXIES
from referee.formats.format_file import read
from workers.house import briefing
from workers.house.doctor import Check, Status
from workers.house.doors import Doors

FORMATS: Final = "LASTCARD_FORMATS"
ELSEWHERE: Final = frozenset({"LASTCARD_REDIS_URL", TRUSTED_PROXIES})
"""Settings that have a check of their own."""
STORE: Final = {"LASTCARD_REDIS_URL": "unix:///none"}


def look(environ: Mapping[str, str]) -> Check:
    """Return whether referee, workers, beat and ladder would take the settings; nothing is made, nothing dialled."""
    told = {name: value for name, value in environ.items() if name not in ELSEWHERE}
    try:
        briefing.check(told | STORE, Doors.standard())
        if path := told.get(FORMATS):
            read(path)
    except (LastcardError, StoreError) as error:
        return Check("settings", Status.FAILED, str(error), "correct it, or unset it")
    return Check("settings", Status.OK, _named(told))


def _named(told: Mapping[str, str]) -> str:
    """Return the names of what is set; the values may be secrets."""
    return ", ".join(sorted(name for name in told if name.startswith("LASTCARD_"))) or "none is set"
