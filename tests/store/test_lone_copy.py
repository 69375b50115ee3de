"""The command that looks for a copy of a store that lies alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "ladder.store.lone_copy"]


@pytest.mark.parametrize("folders", [(), ("one", "two")])
def test_without_one_folder_it_says_what_to_type(folders: tuple[str, ...]) -> None:
    """In a sentence, and with the exit code of bad input: no unit of systemd takes that for an answer."""
    done = subprocess.run([*COMMAND, *folders], capture_output=True, text=True, check=False)
    told = "lastcard: name the folder of a store: python -m ladder.store.lone_copy FOLDER\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


def test_a_lone_copy_is_refused(tmp_path: Path) -> None:
    """And an empty folder is not."""
    assert subprocess.run([*COMMAND, str(tmp_path)], check=False).returncode == 0
    (tmp_path / "dump.rdb").touch()
    done = subprocess.run([*COMMAND, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "lies there without a log" in done.stderr
