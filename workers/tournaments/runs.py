"""The runs of a tournament with a cron line: what each is, what it is called, and whether it is there already."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from ladder.errors import NameTakenError
from ladder.store.errors import DamagedError, UnknownError
from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from lastcard.names import TOURNAMENT
from workers.tournaments.life import State
from workers.tournaments.spec import TournamentSpec

__all__ = ["check_no_run", "run_at"]

STAMP: Final = "%Y%m%dt%H%M"
_RUN: Final = re.compile(r"(?P<line>.+)-\d{8}t\d{4}(?:-\d)?")
LAST: Final = 9
"""Of the numbers behind the time, where others have the names without."""
UNREADABLE: Final = (KeyError, TypeError, ValueError)
"""What a description raises that is none."""


def run_at(store: Store, line: TournamentSpec, moment: datetime) -> tuple[TournamentSpec, bool]:
    """Return the run of a cron line at a moment, under the first name that no other tournament has; and if it is there.

    What has its name and another description is no run of this line: somebody gave that name to something else. One
    that cannot be read counts as the run, since a second one would play everything twice.

    Raises:
        NameTakenError: it has no name that is free.
    """
    name, start_ms = f"{line.name}-{moment:{STAMP}}", int(moment.timestamp()) * 1000
    for called in (name, *(f"{name}-{number}" for number in range(2, LAST + 1))):
        spec = replace(line, name=called, cron="", timezone="UTC", start_ms=start_ms)
        if not TOURNAMENT.fullmatch(spec.name):
            break
        try:
            found = TournamentSpec.parse(store.tournaments.get(spec.name).spec)
        except UnknownError:
            return spec, False
        except (DamagedError, *UNREADABLE):
            return spec, True
        if found == spec:
            return spec, True
    message = f"another tournament is called {name}, as the run of {line.name} at this time would be: it is left out"
    raise NameTakenError("NAME_TAKEN", message, field="name", value=name)


def check_no_run(store: Store, spec: TournamentSpec) -> None:
    """Check that a tournament is not called as a run of another one's cron line.

    Raises:
        NameTakenError: it is; it would stand where that run is to be.
    """
    found = _RUN.fullmatch(spec.name)
    rows = store.tournaments.find([found["line"]]) if found else []
    if rows and not State(rows[0].state).over and _repeats(rows[0]):
        message = f"{spec.name!r} is what runs of {rows[0].name} are called, which has a cron line: choose another name"
        raise NameTakenError("NAME_TAKEN", message, field="name", value=spec.name)


def _repeats(row: TournamentRow) -> bool:
    """Return whether a tournament has a cron line; one whose description cannot be read makes no runs."""
    try:
        return bool(TournamentSpec.parse(row.spec).cron)
    except UNREADABLE:
        return False
