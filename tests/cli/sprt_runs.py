"""Runs of `lastcard sprt`, and bots of one's own for them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from lastcard.cli import main
from tests.patience import PATIENCE_S

HELD_S = 3 * PATIENCE_S
"""A bot whose test is gone, and its folder with it, is let go by nobody."""

OWN = f"""
import time
from pathlib import Path
from random import Random

from lastcard import Bot, run

HELD_S = {HELD_S}


class Held(Bot):
    asked = 0  # as long as somebody holds it, it stops in the middle of a batch, and says so

    def choose(self, turn):
        Held.asked += 1
        end = time.monotonic() + HELD_S
        while Held.asked > 500 and Path("hold").exists():
            if time.monotonic() > end:
                raise SystemExit(f"held for {{HELD_S:g}} s, and nobody lets go")
            Path("held").touch()
            time.sleep(0.01)
        return 0


class Kept(Held):
    def choose(self, turn):
        from workers.local import sprt
        sprt.SAVE_S = 0.0  # what was played is kept at the end of every batch, however fast they are
        return super().choose(turn)


class Hindering(Kept):
    def choose(self, turn):
        Path("run.json.new").mkdir(exist_ok=True)  # where the next state would be written
        return super().choose(turn)


class Dicing(Bot):
    def __init__(self, seed):
        self.dice = Random(seed)

    def choose(self, turn):
        return self.dice.randrange(len(turn.options)) if turn.max_picks == 1 else 0


class Broken(Bot):
    def choose(self, turn):
        raise KeyError("no plan")


run(Held())
"""
QUICK = ("sprt", "careful", "random", "--bounds", "0,60", "--seed", "3")


@pytest.fixture
def sprt_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with bots of one's own in it, and a state folder that is nobody's."""
    (tmp_path / "sprt_bots.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "sprt_bots", raising=False)
    monkeypatch.delenv("LASTCARD_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """Run a command that prints JSON and nothing else."""
    assert main([*arguments, "--json"]) == code
    out, _ = capsys.readouterr()
    value: dict[str, Any] = json.loads(out)
    return value


def kept(folder: Path) -> list[str]:
    """Return the states that are kept where nobody named a file."""
    place = folder / "state" / "lastcard"
    return sorted(path.name for path in place.iterdir()) if place.exists() else []


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run a command that is refused, and return the error."""
    assert main([*arguments, "--json"]) == 2
    out, err = capsys.readouterr()
    assert not out
    error: dict[str, Any] = json.loads(err)["error"]
    assert error["message"]
    return error
