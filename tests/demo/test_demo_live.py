from __future__ import annotations

import json
import os
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.demo.running import Running, lastcard
from tests.patience import PATIENCE_S, until_true

pytestmark = pytest.mark.slow

COLUMNS = {"rank", "bot", "elo", "ci95", "meetings", "wins", "ties", "losses", "mean_points", "faults"}
HOUSE = {"random@1", "first@1", "greedy@1", "careful@1"}
MOMENTS = [
    pytest.param("store", signal.SIGINT, id="Ctrl-C at the store"),
    pytest.param("referee", signal.SIGTERM, id="SIGTERM at the services", marks=pytest.mark.thorough),
    pytest.param("bot", signal.SIGINT, id="Ctrl-C at the bots", marks=pytest.mark.thorough),
]


def check_standings(demo: Running, meetings: int) -> dict[str, dict[str, Any]]:
    """Check that all has been played and nobody has a fault; returns the rows by bot."""
    rows = {row["bot"]: row for row in demo.until_printed()["standings"]}
    assert {bot: (row["meetings"], row["faults"]) for bot, row in rows.items()} == dict.fromkeys(HOUSE, (meetings, 0))
    return rows


def check_ladder(demo: Running, meetings: int) -> None:
    """Check that each match was applied to the ladder once: counts, sum and a rebuild from the log."""
    said = demo.lastcard("ladder", "show", "uno-classic-2", "--json")
    assert said.returncode == 0, said.stderr
    rows = json.loads(said.stdout)["standings"]
    assert {row["bot"]: row["meetings"] for row in rows} == dict.fromkeys(HOUSE, meetings)
    audited = demo.lastcard("ladder", "audit", "--json")
    assert audited.returncode == 0, audited.stdout
    rebuilt = demo.lastcard("ladder", "rebuild", "--json")
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert json.loads(rebuilt.stdout)["equal"] is True


def test_demo_ends_with_rated_bots_and_leaves_nothing(home: Path) -> None:
    """Exit 0, one JSON object on stdout and nothing else there, no process and no folder left behind."""
    with Running("demo", "--exit", "--json", "--meetings", "5", home=home) as demo:
        assert demo.wait() == 0, demo.story()
        assert len(demo.printed) == 1
        for row in check_standings(demo, 15).values():
            assert row.keys() == COLUMNS
            assert row["wins"] + row["ties"] + row["losses"] == 30
        assert demo.left() == []
    assert list(home.glob("lastcard-*")) == []


@pytest.mark.parametrize(("moment", "number"), MOMENTS)
def test_a_signal_during_start_up_leaves_nothing(home: Path, moment: str, number: signal.Signals) -> None:
    """From the first process on, whatever is half started ends, too."""
    with Running("demo", "--json", home=home) as demo:
        until_true(lambda: demo.pids(moment) or demo.process.poll() is not None)
        assert demo.stop(number) == 128 + number, demo.story()
        assert demo.printed == []
        assert demo.left() == []
    assert list(home.glob("lastcard-*")) == []


def test_a_second_ctrl_c_ends_it_at_once(home: Path) -> None:
    """Who is in a hurry presses twice, and still nothing is left."""
    with Running("demo", "--json", home=home) as demo:
        until_true(lambda: demo.pids("worker"))
        demo.process.send_signal(signal.SIGINT)
        demo.until_said("SIGINT: stopping")
        demo.process.send_signal(signal.SIGINT)
        assert demo.wait() == 130
        assert demo.left() == []


def api(demo: Running, path: str) -> dict[str, Any]:
    """Return what the demo's ladder answers."""
    pages = next(line.split()[-1] for line in demo.said if " pages " in line)
    with urllib.request.urlopen(f"{pages}api/v1/{path}", timeout=PATIENCE_S) as answer:
        return dict(json.load(answer))


def kill_in_the_middle(demo: Running, name: str, after: int = 0) -> tuple[int, int]:
    """Kill a process once more than so many games are done, and matches run; returns its number and the games."""
    games = 0

    def in_the_middle() -> bool:
        nonlocal games
        assert not demo.printed, f"all was played before {name} was killed\n{demo.story()}"
        try:
            games = api(demo, "tournaments/demo")["games_done"]
            return games > after and bool(api(demo, "matches?tournament=demo&state=running")["matches"])
        except OSError:  # the ladder was killed before, and is not back yet
            return False

    until_true(in_the_middle, why=demo.story)
    return demo.kill(name), games


def test_what_is_killed_in_the_middle_costs_nothing(home: Path) -> None:
    """Worker, beat, referee, ladder and store, once each while games run: all is rated once, nobody has a fault.

    What the store acknowledged is in its file. And not even SIGKILL of the supervisor orphans a process, Celery's pool
    included.
    """
    with Running("demo", "--json", "--meetings", "240", home=home) as demo:
        demo.until_said("/2880 games")
        killed: dict[str, int] = {}
        for name in ("worker", "beat", "referee"):
            killed[name], games = kill_in_the_middle(demo, name)
        demo.until_said("referee runs again")
        for name in ("ladder", "store"):
            killed[name], games = kill_in_the_middle(demo, name, games)
        rows = check_standings(demo, 720)
        assert rows["careful@1"]["elo"] > rows["random@1"]["elo"]
        demo.until_said("Ctrl-C stops everything")
        until_true(lambda: not [name for name, pid in killed.items() if demo.pids(name) in ([], [pid])], why=demo.story)
        check_ladder(demo, 720)
        os.kill(demo.process.pid, signal.SIGKILL)
        demo.wait()
        until_true(lambda: not demo.left())


def test_its_addresses_answer(demo: Running) -> None:
    """After the tournament the page and every `/metrics` that it printed are there, and what others have to set."""
    assert " LASTCARD_LUCK=0" in demo.export()  # or files that are written elsewhere wait for luck
    addresses = {word for line in demo.said for word in line.split() if word.startswith("http")}
    assert len(addresses) == 3
    for address in addresses:
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
            assert answer.status == 200
            assert (b"lastcard_" in answer.read()) == address.endswith("/metrics")


def test_a_taken_port_is_named_with_its_holder(demo: Running) -> None:
    """A port that was asked for and is taken: exit 2 before anything is started."""
    taken = demo.settings()["LASTCARD_LADDER"]
    second = lastcard(("demo", "--exit", "--json", "--web", taken), {"TMPDIR": str(demo.home)})
    assert second.returncode == 2
    error = json.loads(second.stderr)["error"]
    assert (error["reason"], error["field"], error["value"]) == ("PORT_TAKEN", "web", taken)
    assert "serve ladder" in error["message"]


@pytest.mark.thorough
def test_a_bot_that_crashes_is_started_again_and_one_that_is_revoked_leaves(demo: Running) -> None:
    """Neither ends the demo: what an operator does to a bot is no reason to stop a house.

    It stops when it is told to, and leaves nothing: the fixture sees to that.
    """
    os.kill(demo.pids("bot")[0], signal.SIGKILL)
    demo.until_said("runs again")
    revoked = demo.lastcard("bot", "revoke", "greedy", "--json")
    assert (revoked.returncode, json.loads(revoked.stdout)["bot"]) == (0, "greedy"), revoked.stderr
    demo.until_said("It is not started again; all else goes on.")
    assert len(demo.pids("bot")) == len(HOUSE) - 1
