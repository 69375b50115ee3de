"""Each import contract of pyproject.toml is broken on purpose, in a copy, and must be seen to break."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
PACKAGES = ("lastcard", "referee", "ladder", "workers")
CONTRACTS: dict[str, dict[str, Any]] = {
    contract["id"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
}
PURE = CONTRACTS["pure"]
IMPURE = ("grpc", "redis", "celery", "prometheus_client", "asyncio", "time", "os", "logging", "random", "secrets")


def module_file(root: Path, name: str) -> Path:
    path = root.joinpath(*name.split("."))
    package = path / "__init__.py"
    return package if package.exists() else path.with_suffix(".py")


def lint(root: Path, contract: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    command = [str(program), "--no-cache", "--no-logo", "--contract", contract]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def found(root: Path, contract: str) -> set[frozenset[str]]:
    """Return the imports that break the contract, each as the two modules that it joins."""
    done = lint(root, contract)
    broken = re.findall(r"^-?\s+(\S+) -> (\S+)", done.stdout, re.MULTILINE)
    assert done.returncode == bool(broken), done.stdout + done.stderr
    return {frozenset(pair) for pair in broken}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a copy of the packages and the contracts."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return tmp_path


def plant(tree: Path, module: str, imported: str) -> None:
    with module_file(tree, module).open("a", encoding="utf-8") as file:
        file.write(f"\nimport {imported}\n")


@pytest.mark.parametrize(
    ("contract", "module", "imported"),
    [
        pytest.param("layers", "lastcard", "referee", id="the SDK imports the referee"),
        pytest.param("layers", "lastcard", "ladder", id="the SDK imports the ladder"),
        pytest.param("layers", "referee", "ladder", id="the referee imports the ladder"),
        pytest.param("layers", "ladder", "referee", id="the ladder imports the referee"),
        pytest.param("layers", "referee", "workers", id="the referee imports the workers"),
        pytest.param("layers", "ladder", "workers", id="the ladder imports the workers"),
        pytest.param("sdk", "lastcard", "redis", id="the SDK imports a server library"),
        pytest.param("stdlib-only", "referee.rules", "numpy", id="the rules import numpy"),
        pytest.param(
            "schedule", "workers.schedule.pairing", "workers.tournaments.life", id="a schedule knows a tournament"
        ),
        pytest.param("wire", "referee", "lastcard.v1.play_pb2", id="the wire format is imported from anywhere"),
        pytest.param("wire", "lastcard", "lastcard.v1", id="the wire format is part of the SDK's surface"),
        pytest.param("store", "ladder.store", "ladder.errors", id="the store imports the ladder"),
        pytest.param("store", "ladder.store.keys", "referee.match", id="the store imports the referee"),
        pytest.param("trunk", "referee.trunk.link", "referee.internal.v1.trunk_pb2", id="frames are made anywhere"),
        pytest.param("workers-pull", "workers.due", "referee.hosting.host", id="a worker calls a referee"),
        pytest.param("workers-pull", "workers.engine", "referee.wire", id="a worker says what a referee says"),
        pytest.param("celery", "workers.tasks", "grpc", id="a task speaks gRPC"),
    ],
)
def test_a_breach_is_found(tree: Path, contract: str, module: str, imported: str) -> None:
    """One planted import is one more finding of its contract."""
    before = found(tree, contract)
    plant(tree, module, imported)
    assert found(tree, contract) - before


def test_the_store_is_the_one_door_between_referee_and_ladder(tree: Path) -> None:
    """The referee may import the store, and nothing else of the ladder."""
    before = found(tree, "layers")
    plant(tree, "referee.match", "ladder.store.keys")
    assert found(tree, "layers") == before
    plant(tree, "referee.match", "ladder.elo")
    assert frozenset({"referee.match", "ladder.elo"}) in found(tree, "layers")


def test_an_impure_import_is_found_in_every_pure_module(tree: Path) -> None:
    """None of those that are named has slipped out of the contract."""
    for module in PURE["source_modules"]:
        plant(tree, module, "time")
    found = re.findall(r"^(\S+) is not allowed to import time", lint(tree, "pure").stdout, re.MULTILINE)
    assert sorted(found) == sorted(PURE["source_modules"])


def test_every_impure_import_is_found(tree: Path) -> None:
    """Each name on the list of what is forbidden is looked for."""
    for imported in IMPURE:
        plant(tree, "referee.rules", imported)
    found = re.findall(r"^referee.rules is not allowed to import (\S+?):", lint(tree, "pure").stdout, re.MULTILINE)
    assert set(found) >= set(IMPURE)


def test_an_impure_import_is_found_behind_another_module(tree: Path) -> None:
    """A detour is no way out."""
    (tree / "workers" / "clockwork.py").write_text("import time\n", "utf-8")
    plant(tree, "workers.due", "workers.clockwork")
    assert "workers.due is not allowed to import time" in lint(tree, "pure").stdout


def test_no_part_of_a_running_referee_is_open_to_workers() -> None:
    """Whatever waits or listens is closed to them, but for its command, its certificates, and bots in one process."""
    running = re.compile(r"^(?:import|from) (?:asyncio|grpc)\b", re.MULTILINE)
    modules = [path.relative_to(ROOT) for path in (ROOT / "referee").rglob("*.py")]
    found = {".".join(path.with_suffix("").parts) for path in modules if running.search(path.read_text("utf-8"))}
    closed = tuple(f"{room}." for room in CONTRACTS["workers-pull"]["forbidden_modules"])
    assert {name for name in found if not f"{name}.".startswith(closed)} == {
        "referee.cli",
        "referee.local.local_bot",
        "referee.tls",
    }


def test_a_bad_contract_is_no_quiet_pass(tree: Path) -> None:
    """A module that it names and that is gone is a failure."""
    module_file(tree, "ladder.elo").unlink()
    assert lint(tree, "pure").returncode == 1


def test_every_contract_is_broken_by_a_test_here() -> None:
    """A new contract needs a breach here."""
    text = Path(__file__).read_text("utf-8")
    assert [name for name in CONTRACTS if f'"{name}"' not in text] == []
