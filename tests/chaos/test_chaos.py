"""The command itself, short: real processes are killed, frozen, stopped and cut off, and everything holds."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.chaos.__main__ import FOR_EVER, _options, main
from tests.chaos.deeds import Deed, deeds

ROOT = Path(__file__).parents[2]


def _chaos(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.chaos", *options]
    return subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False)


def test_every_match_ends_as_if_nothing_had_happened() -> None:
    """Every kind of deed once: no invariant breaks, the summary says so, and how soon matches went on elsewhere."""
    done = _chaos("--seed", "4", "--faults", str(len(Deed)))
    *lines, summary = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr[-3_000:]
    assert [deed for deed in Deed if not any(f" {deed.value} " in line for line in lines)] == []
    assert summary.startswith("chaos: seed 4: ")
    assert f"{len(Deed)} deeds" in summary
    assert re.search(r"\b[1-9]\d* lost replies", summary)
    assert re.search(r"\b[1-9]\d* with bots of two referees", summary)
    assert re.search(r"[1-9]\d* matches went on elsewhere after p50 \d+\.\d\d s, p99 \d+\.\d\d s", summary)
    assert "0 invariants broken" in summary


@pytest.mark.thorough
def test_a_planted_bug_is_found_and_named() -> None:
    """Who lets effects out before the log has them is found out as soon as the way to the store is held up.

    When exactly a deed hits is up to the machine: one that hits between two acts shows nothing, twenty-two will not.
    """
    done = _chaos("--seed", "4", "--faults", "22", "--deeds", "hold", "cut", "--bug", "effect before append")
    assert done.returncode == 1, done.stdout + done.stderr[-3_000:]
    assert "[seen]" in done.stdout
    kept = re.search("logs of all processes: (.*); again: ", done.stdout)
    assert kept
    shutil.rmtree(kept[1])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(["--faults", "-1"], "--faults is at least 1, and not -1", id="fewer than no deeds"),
        pytest.param(["--faults", "0"], "--faults is at least 1, and not 0", id="no deeds"),
        pytest.param(["--faults", "many"], "invalid int value: 'many'", id="no number of deeds"),
        pytest.param(["--faults", "3", "--minutes", "1"], "not allowed with argument --faults", id="two lengths"),
        pytest.param(["--minutes", "0"], "--minutes is a number above 0, and not 0.0", id="no time"),
        pytest.param(["--minutes", "nan"], "--minutes is a number above 0, and not nan", id="no number of minutes"),
        pytest.param(["--minutes", "inf"], "--minutes is a number above 0, and not inf", id="for ever"),
        pytest.param(["--seed", "today"], "invalid int value: 'today'", id="no seed"),
        pytest.param(["--referees", "0"], "--referees is at least 1, and not 0", id="nobody to hit"),
        pytest.param(["--bug", "rain"], "there is no bug 'rain'; ./dev simulate --bugs lists them", id="no such bug"),
        pytest.param(["--bug", "lanes stay"], "there is no bug 'lanes stay'", id="a bug of another world"),
        pytest.param(["--deeds", "rain"], "invalid choice: 'rain' (choose from", id="no such deed"),
        pytest.param(["--deeds"], "expected at least one argument", id="no deed"),
        pytest.param(["--weather", "rain"], "unrecognized arguments: --weather rain", id="what it does not know"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2 before anything is started."""
    with pytest.raises(SystemExit) as ended:
        main(options)
    assert ended.value.code == 2
    assert f"./dev chaos: error: {said}" in re.sub(r"argument --\w+: ", "", capsys.readouterr().err)


def test_without_a_store_to_kill_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Exit 2, and no folder is left behind."""
    monkeypatch.setenv("LASTCARD_REDIS_SERVER", "/nonexistent")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert main(["--faults", "1"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("./dev chaos: error: there is no Redis or Valkey server of version 7.0 or newer")
    assert (said.out, [*tmp_path.iterdir()]) == ("", [])


@pytest.mark.parametrize(
    ("options", "faults"),
    [
        pytest.param([], 2 * len(Deed), id="each twice"),
        pytest.param(["--faults", "3"], 3, id="so many"),
        pytest.param(["--minutes", "0.5"], FOR_EVER, id="as many as fit"),
    ],
)
def test_so_much_is_done(options: list[str], faults: int) -> None:
    """Where nothing is said, every kind twice."""
    chosen = _options(options)
    assert (chosen.seed, chosen.faults, chosen.deeds) == (1, faults, [*Deed])


def test_only_the_kinds_that_are_named_are_done() -> None:
    """Each once, in whatever order they are named, and however often."""
    assert _options(["--deeds", "hold", "store-kill", "hold"]).deeds == [Deed.HOLD, Deed.STORE_KILL]
    done = list(islice(deeds(Random(1), [Deed.HOLD, Deed.STORE_KILL]), 20))
    assert {*done[:2]} == {*done[-2:]} == {*done} == {Deed.HOLD, Deed.STORE_KILL}


def test_a_seed_is_an_order_of_deeds_in_which_every_kind_comes_before_one_comes_again() -> None:
    """The same one every time; another seed has another one."""
    one, again, other = (list(islice(deeds(Random(seed), [*Deed]), 3 * len(Deed))) for seed in (7, 7, 8))
    assert one == again != other
    for first in range(0, len(one), len(Deed)):
        assert {*one[first : first + len(Deed)]} == {*Deed}
