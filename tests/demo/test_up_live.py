from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest

from ladder.store.client import Link
from lastcard.cli import main
from lastcard.errors import InputError
from tests.demo.running import Running, clean_environment, lastcard
from tests.patience import PATIENCE_S, until_true
from workers.house.doors import Doors

pytestmark = pytest.mark.slow


FORMAT = "uno-classic-2"


def with_room_for_two() -> Doors:
    """Return addresses for two referees, all of them free."""
    while True:
        with contextlib.suppress(InputError):
            doors = replace(Doors.free(), referees=2)
            doors.require_free()
            return doors


def bot(server: str, token: Path) -> subprocess.Popen[bytes]:
    """Run a house bot that knows one referee only."""
    words = ("referee.bots", "greedy", "--server", server, "--token-file", str(token))
    return subprocess.Popen([sys.executable, "-m", *words], env=clean_environment(), stderr=subprocess.DEVNULL)


def page(url: str) -> str:
    """Return a page."""
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        return str(answer.read(), "utf-8")


def given(doors: Doors) -> list[str]:
    """Return the options that put a house on these addresses."""
    return [
        *("--play", doors.play, "--grpc", doors.grpc, "--web", doors.web),
        *("--metrics", doors.metrics, "--referee-metrics", doors.referee_metrics),
    ]


def kept_bots(house: Running) -> list[str]:
    """Return the bots that a house knows once it is up."""
    house.until_said("Ctrl-C stops it")
    return [bot["name"] for bot in json.loads(house.lastcard("bot", "list", "--json").stdout)["bots"]]


@pytest.mark.thorough
def test_what_it_keeps_is_there_after_a_restart_and_in_a_copy(home: Path) -> None:
    """Bots, their tokens and the operator's token outlive it; the state folder is its own while it runs.

    Then as docs/operations.md restores: the `export` line in the terminal of an earlier run names a store that does
    not run, a copy of it is loaded all the same, and is not lost.
    """
    state, doors = home / "kept", given(Doors.free())
    with Running("up", "--state", str(state), "--json", *doors, home=home) as house:
        addresses = house.until_printed()
        assert kept_bots(house) == []
        registered = house.lastcard("bot", "register", "keeper", "--json")
        assert registered.returncode == 0, registered.stderr
        token = Path(addresses["operator_token_file"]).read_text("ascii")
        second = lastcard(("up", "--state", str(state), "--json", *given(Doors.free())), {})
        assert second.returncode == 2
        assert json.loads(second.stderr)["error"]["reason"] in {"STATE_IN_USE", "PORT_TAKEN"}
        assert house.stop() == 130
        assert house.left() == []
    with Running("up", "--state", str(state), "--json", *given(Doors.free()), home=home) as house:
        addresses = house.until_printed()
        assert Path(addresses["operator_token_file"]).read_text("ascii") == token
        assert kept_bots(house) == ["keeper"]
        url = addresses["store"]
        assert url.startswith("unix://")
        with Link(url, role="test") as link:
            link.read("SAVE")
        assert house.stop() == 130
    copy = (state / "store" / "dump.rdb").read_bytes()
    shutil.rmtree(state / "store")
    (state / "store").mkdir()
    (state / "store" / "dump.rdb").write_bytes(copy)
    with Running("up", "--state", str(state), "--json", *doors, home=home, LASTCARD_REDIS_URL=url) as house:
        assert house.until_printed()["store"] == url
        assert kept_bots(house) == ["keeper"]
        assert f"what the copy {state}/store/dump.rdb holds" in house.story()
        assert house.stop() == 130


def test_a_refusal_leaves_no_state_folder_behind(home: Path) -> None:
    """A port that is taken is found before anything is made."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen(1)
        doors = replace(Doors.free(), web=f"127.0.0.1:{holder.getsockname()[1]}")
        refused = lastcard(("up", "--state", str(home / "new"), "--json", *given(doors)), {})
    assert refused.returncode == 2
    assert json.loads(refused.stderr)["error"]["reason"] == "PORT_TAKEN"
    assert not (home / "new").exists()


@pytest.mark.nightly
def test_two_referees_play_one_ladder_from_a_folder_with_a_long_name(home: Path) -> None:
    """Bots at different referees meet; both are in the addresses and in the metrics, and all of it stops in order.

    No socket can lie in a folder with such a name, so its store listens on loopback.
    """
    doors, state = with_room_for_two(), home / ("long-" * 20) / "state"
    options = ["--state", str(state), "--referees", "2", "--json", *given(doors)]
    with Running("up", *options, home=home) as house:
        addresses = house.until_printed()
        assert addresses["store"].startswith("redis://127.0.0.1:")
        servers = addresses["play"].split(",")
        assert servers == [doors.play, doors.of_referee(1).play]
        assert len(addresses["metrics"]) == 3
        bots = []
        for name, server in zip(("ann", "ben"), servers, strict=True):
            token = home / f"{name}.token"
            made = house.lastcard("bot", "register", name, "--json")
            assert made.returncode == 0, made.stderr
            token.write_text(json.loads(made.stdout)["token"], "ascii")
            token.chmod(0o600)
            bots.append(bot(server, token))
        try:
            words = ("tournament", "create", "far", "--format", FORMAT, "--bots", "ann,ben", "--meetings", "4")
            played = house.lastcard(*words, "--wait")
            assert played.returncode == 0, played.stderr
            trunks = [page(url).count("\nlastcard_trunk_links 1.0\n") for url in addresses["metrics"][:2]]
            assert trunks == [1, 1]
            words = ("tournament", "create", "killed", "--format", FORMAT, "--bots", "ann,ben", "--meetings", "60")
            assert house.lastcard(*words).returncode == 0
            until_true(
                lambda: any("\nlastcard_matches_hosted 0.0\n" not in page(url) for url in addresses["metrics"][:2])
            )
            os.kill(house.pids("referee")[0], signal.SIGKILL)
            assert house.lastcard("tournament", "watch", "killed").returncode == 0
            told = json.loads(house.lastcard("tournament", "show", "killed", "--json").stdout)
            assert [row["faults"] for row in told["standings"]] == [0, 0]
        finally:
            for one in bots:
                one.terminate()
                one.wait(PATIENCE_S)
        assert house.stop() == 130
        assert house.left() == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        pytest.param(("--web", "7421"), "BAD_ADDRESS", id="no host"),
        pytest.param(("--workers", "0"), "USAGE", id="no worker"),
        pytest.param(("--redis-url", "redis://127.0.0.1:1/0"), "STORE_UNAVAILABLE", id="no store there"),
        pytest.param(("--redis-url", "mysql://127.0.0.1/"), "BAD_STORE_URL", id="no store's address"),
        pytest.param(("--no-such-option",), "USAGE", id="unknown option"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    reason: str,
) -> None:
    """Exit 2, or 3 where a store does not answer; the reason for programs, no traceback for anybody."""
    for name in set(os.environ) - set(clean_environment()):
        monkeypatch.delenv(name)
    doors = [] if "--web" in arguments else given(Doors.free())
    code = main(["up", "--state", str(home / "state"), *doors, *arguments, "--json"])
    out, err = capsys.readouterr()
    assert code == (3 if reason == "STORE_UNAVAILABLE" else 2), err
    assert json.loads(err.splitlines()[-1])["error"]["reason"] == reason
    assert out == ""
    assert "Traceback" not in err
    assert ("unset LASTCARD_REDIS_URL" in err) == (reason == "STORE_UNAVAILABLE")
