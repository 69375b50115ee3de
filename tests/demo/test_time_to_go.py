"""The time to go that real processes show of a tournament, against what it took."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import httpx
import pytest

from tests.patience import PATIENCE_S, until_true

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(1_200)]

MEETINGS: Final = 1_200
"""Of each of six pairings: long enough that the pace is known after a tenth; a minute or two."""
GAMES: Final = 6 * 2 * MEETINGS
WITHIN: Final = 0.15
LOOK_S: Final = 0.5
NAME: Final = "demo"
PAGES: Final = re.compile(r"pages\s+(http://\S+)")


@dataclass(frozen=True, slots=True)
class Look:
    """What the ladder said at one moment."""

    at_s: float
    played: float
    """Share of the games."""
    eta_s: float | None
    over: bool


def looked(pages: str) -> Look | None:
    """Ask the ladder; None before the tournament is created."""
    answer = httpx.get(f"{pages}api/v1/tournaments/{NAME}", timeout=60)
    if answer.status_code == httpx.codes.NOT_FOUND:
        return None
    told = answer.raise_for_status().json()
    over = told["state"] in {"finished", "cancelled"}
    return Look(time.monotonic(), told["games_done"] / GAMES, told["eta_seconds"], over)


def watched(log: Path, ended: Callable[[], bool]) -> list[Look]:
    """Look at the tournament of a demo until it is over."""
    until_true(lambda: PAGES.search(log.read_text("utf-8")) or ended())
    found = PAGES.search(log.read_text("utf-8"))
    assert found, log.read_text("utf-8")
    looks = list[Look]()
    while not (looks and looks[-1].over):
        assert not ended(), log.read_text("utf-8")
        if look := looked(found[1]):
            looks.append(look)
        time.sleep(LOOK_S)
    return looks


def test_the_time_to_go_is_known_after_a_tenth_of_a_real_tournament(tmp_path: Path) -> None:
    """Between a tenth and a fifth of the games what is shown is right within 15 %, as a median of all looks.

    By wall time, with referee, workers, beat, ladder and house bots as they are shipped: other work on the machine that
    comes or goes meanwhile is not foreseen. So it is one for quiet nights.
    """
    command = [sys.executable, "-m", "lastcard.cli", "demo", "--json", "--meetings", str(MEETINGS)]
    log = tmp_path / "demo.log"
    with log.open("wb") as said, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said) as house:
        try:
            looks = watched(log, lambda: house.poll() is not None)
        finally:
            house.send_signal(signal.SIGINT)
            house.wait(PATIENCE_S)
    end_s = looks[-1].at_s
    told = [look for look in looks if 0.1 <= look.played <= 0.2 and look.eta_s is not None]
    ratios = [look.eta_s / (end_s - look.at_s) for look in told if look.eta_s is not None]
    shown = [f"{look.played:.2f}: {look.eta_s:.0f} of {end_s - look.at_s:.0f} s" for look in told]
    assert len(ratios) >= 5, [f"{look.at_s - looks[0].at_s:.0f} s: {look.played:.3f}" for look in looks]
    assert median(ratios) == pytest.approx(1.0, abs=WITHIN), shown
