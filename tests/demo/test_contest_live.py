"""`lastcard sprt` at a running house: two versions of an author's bot, each a process of its own, on a real referee."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.demo.running import Running, clean_environment, lastcard, short_folder
from tests.demo.test_up_live import given
from tests.patience import PATIENCE_S, until_true
from workers.house.doors import Doors

pytestmark = pytest.mark.slow

BOT = """
import sys
from lastcard import run
from referee.bots import make

strategy, version, *formats = sys.argv[1:]
bot = make(strategy, 1)
bot.version, bot.formats, bot.max_games = version, formats, 4
sys.argv[1:] = []
run(bot)
"""
WATCHED = """
import sys
from lastcard.cli import main
from workers.local import trial_view
from workers.tournaments import contest_run

trial_view.BETWEEN_S, contest_run.POLL_S = 0.0, 0.05
sys.exit(main(sys.argv[1:]))
"""
FORMATS = ("uno-classic-2", "uno-classic-2-mirrored")
COMMAND = ("sprt", "mybot@2", "mybot@1", "--json")


@pytest.fixture(scope="module")
def author() -> Iterator[dict[str, str]]:
    """Stand a house up in which both versions of a bot are connected; returns the settings of their author."""
    home = short_folder()
    words = ("up", "--state", str(home / "kept"), "--json", *given(Doors.free()))
    try:
        with Running(*words, home=home) as house, ExitStack() as bots:
            house.until_said("Ctrl-C stops it")
            told = {name: house.settings()[name] for name in ("LASTCARD_LADDER", "LASTCARD_SERVER")}
            registered = lastcard(("bot", "register", "mybot", "--owner", "Ann", "--json"), told)
            assert registered.returncode == 0, registered.stderr
            settings = told | {"LASTCARD_TOKEN": json.loads(registered.stdout)["token"]}
            for version, strategy in enumerate(("random", "careful"), 1):
                joined(settings, strategy, version, bots)
            yield settings
            bots.close()
            assert house.stop() == 130
    finally:
        shutil.rmtree(home, ignore_errors=True)


def joined(settings: dict[str, str], strategy: str, version: int, bots: ExitStack) -> None:
    """Connect a version of the bot, and wait until it is known."""
    words = [sys.executable, "-c", BOT, strategy, str(version), *FORMATS]
    bot = bots.enter_context(subprocess.Popen(words, env=clean_environment() | settings, stderr=subprocess.DEVNULL))
    bots.callback(bot.kill)
    until_true(lambda: f"mybot@{version}" in shown(settings))


def shown(settings: dict[str, str]) -> list[str]:
    """Return the versions that the ladder knows of the bot."""
    found = lastcard(("bot", "show", "mybot", "--json"), settings)
    assert found.returncode == 0, found.stderr
    return [version["id"] for version in json.loads(found.stdout)["versions"]]


def compared(settings: dict[str, str], *more: str) -> dict[str, Any]:
    """Compare them to the end; returns what is printed."""
    done = lastcard((*COMMAND, *more), settings)
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def checks(said: Path) -> list[tuple[int, float]]:
    """Return what a command has said: meetings and the ratio after them, line by line."""
    lines = [line.split() for line in said.read_text().splitlines() if line.startswith("LLR")]
    return [(int(line[7]), float(line[1])) for line in lines]


@pytest.mark.nightly
def test_killed_in_the_middle_it_goes_on_to_the_same_decision(author: dict[str, str], tmp_path: Path) -> None:
    """The better version is found, and the rest is never played; who asks once more is told the same, every step."""
    bounds = ("--bounds", "0,40")
    said = tmp_path / "said"
    with said.open("w") as errors:
        words = [sys.executable, "-c", WATCHED, *COMMAND[:-1], *bounds]
        process = subprocess.Popen(words, env=clean_environment() | author, stdout=errors, stderr=errors)
    until_true(lambda: checks(said)[-1:] > [(0, 1.0)] or process.poll() is not None)
    process.kill()
    assert process.wait(PATIENCE_S) == -signal.SIGKILL, said.read_text()
    resumed = compared(author, *bounds)
    assert (resumed["decision"], resumed["state"], resumed["left_out"]) == ("H1", "cancelled", [])
    path = dict(resumed["path"])
    for meetings, ratio in checks(said):
        assert ratio == pytest.approx(path.get(meetings, 0.0), abs=0.005)
    assert max(path) == resumed["meetings"] > checks(said)[-1][0]
    assert compared(author, *bounds) == resumed
    found = json.loads(lastcard(("tournament", "show", resumed["tournament"], "--json"), author).stdout)
    assert found["reason"] == f"decided after {resumed['meetings']} meetings: H1 of 0,40"
    assert found["entrants"] == ["mybot@1", "mybot@2"]


@pytest.mark.nightly
def test_luck_is_taken_out_by_the_workers(author: dict[str, str]) -> None:
    """On fresh deals; the scores are those of the games, less luck, and the same again."""
    words = ("--deals", "fresh", "--luck", "--bounds", "0,60")
    found = compared(author, *words)
    assert (found["decision"], found["left_out"]) == ("H1", [])
    assert found["lc_version"]
    games = found["wins"] + found["ties"] + found["losses"]
    assert games == found["rounds"] == 2 * found["meetings"]
    assert found["score"] != pytest.approx((found["wins"] + found["ties"] / 2) / games, abs=1e-9)
    assert compared(author, *words) == found
