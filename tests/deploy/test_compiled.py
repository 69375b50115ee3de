"""The compiled wheel plays as its source does: all scenarios, whole games, crashes and outages, the main job."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from referee import formats
from tests.index import needs_index

ROOT: Final = Path(__file__).parents[2]
BUILD_S: Final = 1_200
SCENARIOS: Final = sorted(str(path) for path in (ROOT / "tests" / "data" / "conformance").glob("*.jsonl"))
FORMATS: Final = [name for name in formats.names() if not name.endswith("-fast")]

pytestmark = [pytest.mark.thorough, pytest.mark.needs("cc"), needs_index, pytest.mark.timeout(BUILD_S + 60)]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the unpacked wheel."""
    assert not [*ROOT.glob("referee/**/*.so")], "compiled modules in the source would be compared with themselves"
    folder = tmp_path_factory.mktemp("compiled")
    made = subprocess.run(
        [ROOT / "dev", "compile", folder], capture_output=True, text=True, timeout=BUILD_S, check=False
    )
    assert made.returncode == 0, made.stderr[-3_000:]
    with ZipFile(made.stdout.strip()) as wheel:
        wheel.extractall(folder / "tree")
    return folder / "tree"


def said(first: Path, *argv: str) -> str:
    """Return what Python prints, with the packages of one of the two folders."""
    environ = os.environ | {"PYTHONPATH": f"{first}{os.pathsep}{ROOT}", "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, *argv], env=environ, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, (shlex.join(argv), first, done.stdout[-2_000:], done.stderr[-2_000:])
    return done.stdout


@pytest.fixture(scope="module")
def both(tree: Path) -> Callable[..., tuple[str, str]]:
    """Return what a module prints when it is run, from source and compiled; `{}` in a word is which of them it is."""

    def run(*words: str) -> tuple[str, str]:
        source = said(ROOT, "-m", *(word.replace("{}", "source") for word in words))
        return source, said(tree, "-m", *(word.replace("{}", "compiled") for word in words))

    return run


def test_every_module_that_is_to_be_compiled_is(tree: Path) -> None:
    """And is loaded in place of its source, which is there as well, for whoever reads a traceback."""
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    paths = configured["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["mypyc"]["include"]
    names = [path.removesuffix(".py").replace("/", ".") for path in paths]
    look = f"import importlib, json; print(json.dumps([importlib.import_module(n).__file__ for n in {names!r}]))"
    found = json.loads(said(tree, "-c", look))
    assert [path for path in found if not (path.startswith(str(tree)) and path.endswith(".so"))] == []
    assert [path for path in paths if not (tree / path).exists()] == []


def test_the_doctor_says_which_one_runs(tree: Path) -> None:
    """Nothing else differs in what it says of packages."""
    look = ("-c", "from workers.house.doctor import packages; print(packages().detail)")
    source = said(ROOT, *look)
    assert "(as source)" in source
    assert said(tree, *look) == source.replace("(as source)", "(compiled)")


def test_the_rules_are_the_same(both: Callable[..., tuple[str, str]]) -> None:
    """Every scenario of the conformance files passes."""
    source, compiled = both("referee.rules.conformance", *SCENARIOS)
    assert compiled == source
    assert compiled.splitlines()[-1].endswith(" 0 failed")


@pytest.mark.parametrize("name", FORMATS)
def test_games_are_the_same(both: Callable[..., tuple[str, str]], tmp_path: Path, name: str) -> None:
    """With one seed, every act, card and point of every game, as its record has it."""
    seats = formats.get(name).rules.seats
    bots = ",".join(("careful", "greedy", "random", "first")[seat % 4] for seat in range(seats))
    played = ("--format", name, "--bots", bots, "--meetings", "2", "--seed", "7", "--json")
    source, compiled = both("lastcard.cli", "play", *played, "--record", str(tmp_path / "{}.jsonl"))
    assert compiled == source
    records = (tmp_path / "source.jsonl").read_bytes()
    assert (tmp_path / "compiled.jsonl").read_bytes() == records
    assert len(records.splitlines()) >= 2 * seats


def test_crashes_and_outages_end_alike(both: Callable[..., tuple[str, str]]) -> None:
    """Seeded runs of real referees on a virtual clock: not one invariant is broken, and as much is played."""
    source, compiled = both("tests.simulate", "--seeds", "20", "--jobs", "2")
    assert compiled.splitlines()[-1].rpartition("; ")[0] == source.splitlines()[-1].rpartition("; ")[0]


def test_the_main_job_ends(both: Callable[..., tuple[str, str]]) -> None:
    """Store, referee, worker, beat and ladder as processes, bots over gRPC: the same table of the same seed."""
    tables = [
        json.loads(said)["standings"] for said in both("lastcard.cli", "demo", "--exit", "--json", "--meetings", "20")
    ]
    names = [
        [(row["bot"], row["wins"], row["ties"], row["losses"], row["faults"]) for row in table] for table in tables
    ]
    assert sorted(names[0]) == sorted(names[1])
    assert len(names[0]) == 4
