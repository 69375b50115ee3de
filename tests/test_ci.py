"""What fails beside other tests is named where nobody misses it: in the last lines."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
FAILED = ("tests/a/test_one.py::test_kills[cut off]", "tests/b/test_two.py::test_freezes")
DEV = """#!/bin/sh
[ "$1" = check ] && exit 0
case "$*" in *--last-failed*) echo "many lines of it"; exit {alone} ;; esac
mkdir -p .pytest_cache/v/cache
echo '{{"{first}": true, "{second}": true}}' > .pytest_cache/v/cache/lastfailed
exit {beside}
"""

PYTHON = f"""#!/bin/sh
[ "$2" = pip ] || exec {shlex.quote(sys.executable)} "$@"
"""
"""One that has pip, so that nothing is installed."""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with the script alone, and programs that are looked for and never run."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / "programs").mkdir()
    script = Path(shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci"))
    for name in re.findall(r"\[([\w-]+)\]=", script.read_text("utf-8")):
        (tmp_path / "programs" / name).symlink_to("/bin/true")
    (tmp_path / "programs" / "python3").unlink()
    (tmp_path / "programs" / "python3").write_text(PYTHON, "utf-8")
    (tmp_path / "programs" / "python3").chmod(0o755)
    return tmp_path


def run(clone: Path, *, beside: int, alone: int) -> subprocess.CompletedProcess[str]:
    """Run it over tests that end with these exit codes, together and once more."""
    text = DEV.format(beside=beside, alone=alone, first=FAILED[0], second=FAILED[1])
    (clone / "dev").write_text(text, "utf-8")
    (clone / "dev").chmod(0o755)
    told = {"PATH": f"{clone / 'programs'}:{os.environ['PATH']}"}
    return subprocess.run(["bash", clone / ".ci" / "run"], env=told, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("alone", "how"), [(0, "passed"), (1, "not all of them passed")])
def test_what_failed_beside_others_stands_last(clone: Path, alone: int, how: str) -> None:
    """It gets one more chance, whose exit code counts; its name is not lost above what that prints."""
    done = run(clone, beside=1, alone=alone)
    assert done.returncode == alone
    last = f"ci: failed beside others, and {how} alone:"
    assert done.stdout.splitlines()[-4:] == ["many lines of it", last, *FAILED]


@pytest.mark.parametrize(("beside", "code"), [(0, 0), (2, 1)])
def test_without_a_failed_test_nothing_is_named(clone: Path, beside: int, code: int) -> None:
    """Neither where all pass, nor where the tests could not even begin."""
    done = run(clone, beside=beside, alone=0)
    assert (done.returncode, done.stdout) == (code, "")
