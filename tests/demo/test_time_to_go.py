"""The time to go that real processes show of a tournament, against what it took."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import httpx
import pytest

from tests.patience import PATIENCE_S, until_true

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(1_200)]

MEETINGS: Final = 3_000
"""Of each of six pairings: some minutes, so that in the first tenth matches end and are rated, as later on."""
GAMES: Final = 6 * 2 * MEETINGS
WITHIN: Final = 0.15
LOOK_S: Final = 0.5
TICKS: Final = os.sysconf("SC_CLK_TCK")
NAME: Final = "demo"
PAGES: Final = re.compile(r"pages\s+(http://\S+)")


@dataclass(frozen=True, slots=True)
class Look:
    """What the ladder said at one moment."""

    at_s: float
    spent_s: float
    """CPU seconds of the whole house."""
    played: float
    """Share of the games."""
    eta_s: float | None
    over: bool


def spent_s(pid: int) -> float:
    """Return the CPU seconds of a process and of all that it started."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except FileNotFoundError:  # it has just ended
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(spent_s(int(child)) for child in children)


def looked(pages: str, pid: int) -> Look | None:
    """Ask the ladder; None before the tournament is created."""
    answer = httpx.get(f"{pages}api/v1/tournaments/{NAME}", timeout=60)
    if answer.status_code == httpx.codes.NOT_FOUND:
        return None
    told = answer.raise_for_status().json()
    over = told["state"] in {"finished", "cancelled"}
    return Look(time.monotonic(), spent_s(pid), told["games_done"] / GAMES, told["eta_seconds"], over)


def watched(log: Path, house: subprocess.Popen[bytes]) -> list[Look]:
    """Look at the tournament of a demo until it is over."""
    until_true(lambda: PAGES.search(log.read_text("utf-8")) or house.poll() is not None)
    found = PAGES.search(log.read_text("utf-8"))
    assert found, log.read_text("utf-8")
    looks = list[Look]()
    while not (looks and looks[-1].over):
        assert house.poll() is None, log.read_text("utf-8")
        if look := looked(found[1], house.pid):
            looks.append(look)
        time.sleep(LOOK_S)
    return looks


def test_the_time_to_go_is_known_after_a_tenth_of_a_real_tournament(tmp_path: Path) -> None:
    """Between a tenth and a fifth of the games what is shown is right within 15 %, as a median of all looks.

    With referee, workers, beat, ladder and house bots as they are shipped. By the processor time of all of them: what
    comes and goes beside them on the machine meanwhile makes the rest last longer or shorter, and nobody foresees it.
    """
    command = [sys.executable, "-m", "lastcard.cli", "demo", "--json", "--meetings", str(MEETINGS)]
    log = tmp_path / "demo.log"
    with log.open("wb") as said, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said) as house:
        try:
            looks = watched(log, house)
        finally:
            house.send_signal(signal.SIGINT)
            house.wait(PATIENCE_S)
    begun, over = [look for look in looks if not look.played][-1], looks[-1]
    told = [look for look in looks if 0.1 <= look.played <= 0.2 and look.eta_s is not None]
    shown = [f"{look.played:.2f}: {look.eta_s:.0f} of {over.at_s - look.at_s:.0f} s" for look in told]
    assert len(told) >= 5, [f"{look.at_s - begun.at_s:.0f} s: {look.played:.3f}" for look in looks]
    assert median(foretold(look, begun, over) for look in told) == pytest.approx(1.0, abs=WITHIN), shown


def foretold(look: Look, begun: Look, over: Look) -> float:
    """Return the time to go that was shown, at the processor time that a second took so far, over what it took."""
    assert look.eta_s is not None
    busy = (look.spent_s - begun.spent_s) / (look.at_s - begun.at_s)
    return look.eta_s * busy / (over.spent_s - look.spent_s)
