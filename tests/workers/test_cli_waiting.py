"""Who waits for a tournament at a terminal: to its end, until Ctrl-C, or until the ladder is gone."""

from __future__ import annotations

import json
import signal
import threading

import pytest

from lastcard.cli import main
from tests.patience import PATIENCE_S
from tests.workers.house import House, spec
from tests.workers.organiser import CREATE, heard, interrupted, printed
from tests.workers.served import served
from workers.tournaments.life import State

pytestmark = pytest.mark.slow


def test_create_and_wait(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """`--wait` follows the tournament on stderr and prints the result alone on stdout."""
    player = threading.Thread(target=lambda: play_when_created(shop))
    player.start()
    assert main([*CREATE, "--wait", "--json"]) == 0
    player.join(PATIENCE_S)
    captured = capsys.readouterr()
    assert json.loads(captured.out)["state"] == "finished"
    assert "3/3 matches, 18/18 games" in captured.err


@pytest.mark.parametrize(
    ("json_too", "again"),
    [
        pytest.param([], "`lastcard tournament watch spring` follows it again", id="for people"),
        pytest.param(["--json"], "`lastcard tournament watch spring --json` follows it again", id="for machines"),
    ],
)
def test_after_control_c_the_way_on_is_printed(
    shop: House, capsys: pytest.CaptureFixture[str], json_too: list[str], again: str
) -> None:
    """The tournament goes on; the very command that follows it again stands on stderr."""
    main(CREATE)
    shop.look()
    capsys.readouterr()
    assert interrupted(capsys, ["tournament", "watch", "spring", *json_too], "0/3 matches") == 130
    captured = capsys.readouterr()
    assert again in captured.err
    assert captured.out == ""


def test_after_sigterm_the_way_on_is_printed(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """As after Ctrl-C, with the exit code of that signal."""
    main(CREATE)
    shop.look()
    capsys.readouterr()
    assert interrupted(capsys, ["tournament", "watch", "spring"], "0/3 matches", signal.SIGTERM) == 143
    assert "`lastcard tournament watch spring` follows it again" in capsys.readouterr().err


@pytest.mark.parametrize("json_too", [pytest.param([], id="for people"), pytest.param(["--json"], id="for machines")])
def test_control_c_while_create_waits_leaves_the_tournament_running(
    shop: House, capsys: pytest.CaptureFixture[str], json_too: list[str]
) -> None:
    """Exit code 130, nothing on stdout, and the very command to go on, which then comes to the end."""
    assert interrupted(capsys, [*CREATE, "--wait", *json_too], "0/3 matches") == 130
    captured = capsys.readouterr()
    again = ["tournament", "watch", "spring", *json_too]
    assert captured.err.strip() == f"lastcard: spring goes on without us; `lastcard {' '.join(again)}` follows it again"
    assert captured.out == ""
    assert not shop.state("spring").over
    assert shop.play("spring") is State.FINISHED
    assert main(again) == 0


def test_after_a_crash_of_the_ladder_the_way_on_is_printed(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever waits for the result hears that the ladder is gone, ends with 3, and can go on with that command."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    codes: list[int] = []
    with served(house) as address:
        monkeypatch.setenv("LASTCARD_LADDER", address)
        watcher = threading.Thread(target=lambda: codes.append(main(["tournament", "watch", "spring"])))
        watcher.start()
        heard(capsys, "0/3 matches")
    watcher.join(PATIENCE_S)
    assert codes == [3]
    assert "`lastcard tournament watch spring` follows it again" in capsys.readouterr().err


def play_when_created(shop: House) -> None:
    """Play the tournament as soon as it is there."""
    pause = threading.Event()
    while not shop.store.tournaments.page()[0]:
        pause.wait(0.02)
    shop.play("spring")


def test_watching_what_is_cancelled_is_a_negative_finding(shop: House, capsys: pytest.CaptureFixture[str]) -> None:
    """A tournament that was cancelled has no result: exit code 1."""
    main(CREATE)
    shop.look()
    assert main(["tournament", "cancel", "spring", "--reason", "rain"]) == 0
    assert "spring is cancelled" in capsys.readouterr().out
    assert main(["tournament", "watch", "spring", "--json"]) == 1
    assert printed(capsys)["state"] == "cancelled"
