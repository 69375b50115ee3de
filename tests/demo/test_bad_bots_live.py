"""A tournament with a bot that is silent, one that answers nonsense and one that vanishes: it ends all the same."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.demo.running import Running, clean_environment
from tests.demo.test_up_live import given
from tests.patience import PATIENCE_S
from workers.house.doors import Doors

pytestmark = pytest.mark.slow

BARE = Path(__file__).parents[1] / "check" / "bare_bot.py"
FAULTS = {"mute-bot": "mute", "wrong-bot": "illegal", "lost-bot": "vanishes"}
HONEST = {"ann": "none", "ben": "none"}
FORMAT = "uno-classic-2"


@contextmanager
def playing(house: Running, server: str, name: str, fault: str) -> Iterator[None]:
    """Register a bot and run it."""
    made = house.lastcard("bot", "register", name, "--json")
    assert made.returncode == 0, made.stderr
    env = {**clean_environment(), "LASTCARD_SERVER": server, "LASTCARD_TOKEN": json.loads(made.stdout)["token"]}
    process = subprocess.Popen([sys.executable, str(BARE), fault, FORMAT], env=env, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def test_the_tournament_ends_and_says_whose_faults_there_were(home: Path) -> None:
    """Nobody but the three pays for it, and the table shows it; also of the one whose clocks never ran out."""
    doors = Doors.free()
    up = ("up", "--state", str(home / "state"), "--json", *given(doors))
    with (
        Running(*up, home=home) as house,
        ExitStack() as stack,
    ):
        addresses = house.until_printed()
        house.until_said("Ctrl-C stops it")
        for name, fault in (HONEST | FAULTS).items():
            stack.enter_context(playing(house, doors.play, name, fault))
        names = ",".join(HONEST | FAULTS)
        words = ("tournament", "create", "mixed", "--format", FORMAT, "--bots", names, "--meetings", "2")
        played = house.lastcard(*words, "--grace", "5", "--wait", "--json")
        assert played.returncode == 0, played.stderr
        told = json.loads(house.lastcard("tournament", "show", "mixed", "--json").stdout)
        assert told["state"] == "finished"
        faults = {row["bot"].partition("@")[0]: row["faults"] for row in told["standings"]}
        assert {faults[name] for name in HONEST} == {0}
        assert {name for name in FAULTS if faults[name] > 0} == FAULTS.keys()
        listed = json.loads(house.lastcard("bot", "log", "lost-bot", "--faults", "--json").stdout)["matches"]
        assert sum(match["faults"][match["entrants"].index("lost-bot@1")] for match in listed) == faults["lost-bot"]
        with urllib.request.urlopen(addresses["metrics"][0], timeout=PATIENCE_S) as answer:
            metrics = answer.read().decode()
        for kind in ("late", "illegal", "absent"):
            assert f'lastcard_faults_total{{format="{FORMAT}",kind="{kind}"}}' in metrics
        between = next(pair for pair in told["pairs"] if {pair["a"], pair["b"]} == {"ann@1", "ben@1"})
        assert between["games"] == 4
