"""Each import contract of pyproject.toml is broken on purpose, in a copy, and must be seen to break."""

from __future__ import annotations

import os
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


Edge = frozenset[str]
BREACHES = (
    pytest.param("layers", "lastcard", "referee", id="the SDK imports the referee"),
    pytest.param("layers", "lastcard", "ladder", id="the SDK imports the ladder"),
    pytest.param("layers", "referee", "ladder", id="the referee imports the ladder"),
    pytest.param("layers", "ladder", "referee", id="the ladder imports the referee"),
    pytest.param("layers", "referee", "workers", id="the referee imports the workers"),
    pytest.param("layers", "ladder", "workers", id="the ladder imports the workers"),
    pytest.param("layers", "referee.match", "ladder.elo", id="the referee imports the ladder beside the store"),
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
    pytest.param("rooms", "referee.hosting.rooms", "referee.trunk.lodging", id="a match knows the trunk"),
    pytest.param("rooms", "referee.hosting.host", "referee.door.gate", id="a match knows the door"),
    pytest.param("rooms", "referee.trunk.link", "referee.door.hold", id="the trunk knows the door"),
    pytest.param("workers-pull", "workers.due", "referee.hosting.host", id="a worker calls a referee"),
    pytest.param("workers-pull", "workers.engine", "referee.wire", id="a worker says what a referee says"),
    pytest.param(
        "tournaments", "workers.tournaments.sealing", "workers.rate", id="what a tournament is knows who moves it on"
    ),
    pytest.param("tournaments", "workers.overtime", "workers.tournaments.desk", id="a use case knows the desk"),
    pytest.param(
        "tournaments", "workers.tournaments.life", "workers.tournaments.wire", id="a tournament knows its calls"
    ),
    pytest.param("celery", "workers.tasks", "grpc", id="a task speaks gRPC"),
)
ALLOWED = ("referee.match", "ladder.store.keys")
DETOUR = "workers.clockwork"


def lint(root: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    """Look at these contracts, in lines as long as the names of the contracts."""
    program = Path(sys.executable).with_name("lint-imports")
    command = [str(program), "--no-cache", "--no-logo"]
    command += [word for contract in contracts for word in ("--contract", contract)]
    wide = os.environ | {"COLUMNS": "1000"}
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, env=wide)


def found(root: Path, *contracts: str) -> dict[str, set[Edge]]:
    """Return the imports that break each of these contracts, each as the two modules that it joins."""
    done = lint(root, *contracts)
    _, *told = re.split(r"^(.+)\n-{3,}$", done.stdout, flags=re.MULTILINE)
    sections = dict(zip(told[::2], told[1::2], strict=True))
    broken = {
        contract: {
            frozenset(pair)
            for pair in re.findall(r"^-?\s+(\S+) -> (\S+)", sections.get(CONTRACTS[contract]["name"], ""), re.MULTILINE)
        }
        for contract in contracts
    }
    assert done.returncode == any(broken.values()), done.stdout + done.stderr
    return broken


def copied(root: Path) -> Path:
    """Return a copy of the packages and the contracts."""
    shutil.copy(ROOT / "pyproject.toml", root)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return root


def plant(tree: Path, module: str, imported: str) -> None:
    with module_file(tree, module).open("a", encoding="utf-8") as file:
        file.write(f"\nimport {imported}\n")


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[Edge]]:
    """Return what is found by each contract where all breaches are planted.

    Those of the layers are in a tree of their own: a way from anywhere to anywhere is a detour around every contract.
    """
    layers, others = (copied(tmp_path_factory.mktemp(name)) for name in ("layers", "others"))
    for row in BREACHES:
        contract, module, imported = map(str, row.values)
        plant(layers if contract == "layers" else others, module, imported)
    plant(layers, *ALLOWED)
    named = {str(row.values[0]) for row in BREACHES}
    return found(layers, "layers") | found(others, *sorted(named - {"layers"}))


@pytest.fixture(scope="module")
def impure(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what is told of pure modules that all import time, one of them all that is impure, one by a detour."""
    tree = copied(tmp_path_factory.mktemp("impure"))
    for module in PURE["source_modules"]:
        plant(tree, module, "time")
    for imported in IMPURE:
        plant(tree, "referee.rules", imported)
    module_file(tree, DETOUR).write_text("import random\n", "utf-8")
    plant(tree, "workers.due", DETOUR)
    return lint(tree, "pure").stdout


def test_as_it_is_nothing_is_broken(tmp_path: Path) -> None:
    """What is found below was planted."""
    assert not any(found(copied(tmp_path), *CONTRACTS).values())


@pytest.mark.parametrize(("contract", "module", "imported"), BREACHES)
def test_a_breach_is_found(broken: dict[str, set[Edge]], contract: str, module: str, imported: str) -> None:
    """A planted import is a finding of its contract."""
    assert frozenset({module, imported}) in broken[contract]


def test_the_store_is_the_one_door_between_referee_and_ladder(broken: dict[str, set[Edge]]) -> None:
    """The referee may import the store, and nothing else of the ladder, as a breach above shows."""
    assert frozenset(ALLOWED) not in broken["layers"]


def test_an_impure_import_is_found_in_every_pure_module(impure: str) -> None:
    """None of those that are named has slipped out of the contract."""
    seen = re.findall(r"^(\S+) is not allowed to import time", impure, re.MULTILINE)
    assert sorted(seen) == sorted(PURE["source_modules"])


def test_every_impure_import_is_found(impure: str) -> None:
    """Each name on the list of what is forbidden is looked for."""
    seen = re.findall(r"^referee.rules is not allowed to import (\S+?):", impure, re.MULTILINE)
    assert set(seen) >= set(IMPURE)


def test_an_impure_import_is_found_behind_another_module(impure: str) -> None:
    """A detour is no way out."""
    assert "workers.due is not allowed to import random" in impure


def test_no_part_of_a_running_referee_is_open_to_workers() -> None:
    """Whatever waits or listens is closed to them, but for its certificates, and bots in one process."""
    running = re.compile(r"^\s*(?:import|from) (?:asyncio|grpc)\b", re.MULTILINE)
    modules = [path.relative_to(ROOT) for path in (ROOT / "referee").rglob("*.py")]
    found = {".".join(path.with_suffix("").parts) for path in modules if running.search(path.read_text("utf-8"))}
    closed = tuple(f"{room}." for room in CONTRACTS["workers-pull"]["forbidden_modules"])
    assert {name for name in found if not f"{name}.".startswith(closed)} == {
        "referee.local.local_bot",
        "referee.tls",
    }


def test_a_match_knows_neither_door_nor_trunk_by_name() -> None:
    """Not for a type either, which no contract sees."""
    elsewhere = re.compile(r"^\s*(?:import|from) (referee\.(?:door|trunk)\S*)", re.MULTILINE)
    files = sorted((ROOT / "referee/hosting").rglob("*.py"))
    assert {file.name: found for file in files if (found := elsewhere.findall(file.read_text("utf-8")))} == {}


def test_every_module_about_tournaments_has_its_layer() -> None:
    """A new one is put beside those who ask for tournaments, or those that say what one is."""
    layers = [name for layer in CONTRACTS["tournaments"]["layers"] for name in layer.split(" : ")]
    files = (ROOT / "workers" / "tournaments").glob("[a-z]*.py")
    assert {name for name in layers if "tournaments" in name} == {f"workers.tournaments.{file.stem}" for file in files}


def test_a_bad_contract_is_no_quiet_pass(tmp_path: Path) -> None:
    """A module that it names and that is gone is a failure."""
    tree = copied(tmp_path)
    module_file(tree, "ladder.elo").unlink()
    assert lint(tree, "pure").returncode == 1


def test_every_contract_is_broken_by_a_test_here() -> None:
    """A new contract needs a breach here."""
    text = Path(__file__).read_text("utf-8")
    assert [name for name in CONTRACTS if f'"{name}"' not in text] == []
