"""What the code of the workers may not contain, whoever writes it."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ladder.metrics import WORKER_COUNTERS
from workers.tasks import TASKS, LedgerTask

ROOM = Path(__file__).parents[2] / "workers"
FORBIDDEN_CALLS = {"chord", "group", "chain", "starmap", "chunks"}
FORBIDDEN_WORDS = {"eta", "countdown"}
MODULES = sorted(path for path in ROOM.glob("*.py") if not path.stem.startswith("_"))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in MODULES])
def test_no_canvas_and_no_delays(path: Path) -> None:
    """No chords, groups or chains, no ETA and no countdown: due times are state in the ledger."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "celery":
            assert not {alias.name for alias in node.names} & FORBIDDEN_CALLS
        if isinstance(node, ast.Call):
            words = {keyword.arg for keyword in node.keywords}
            assert not words & FORBIDDEN_WORDS, f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("task", [pytest.param(task, id=str(task.name)) for task in TASKS])
def test_a_task_is_short(task: type[LedgerTask]) -> None:
    """A task parses its ids and calls one plain function."""
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(task.run))).body
    assert isinstance(function, ast.FunctionDef)
    body = function.body[1:]
    assert sum((statement.end_lineno or 0) - statement.lineno + 1 for statement in body) <= 8


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in MODULES])
def test_the_store_is_written_by_its_own_room(path: Path) -> None:
    """No module here imports the Redis client: all writes are scripts of the store."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not [name for name in names if name.partition(".")[0] in {"redis", "valkey"}], path.name


def counters(tree: ast.AST) -> set[str]:
    """Return the names that counters of the store are made with."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    made = (call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Counter")
    return {name.value for name in made if isinstance(name, ast.Constant) and isinstance(name.value, str)}


def test_every_counter_of_the_workers_is_declared() -> None:
    """One that is not would be left out by the exporter, and named in its log at every look."""
    added = {name for path in MODULES for name in counters(ast.parse(path.read_text()))}
    assert {"tasks_total", "alarms_total", "ticks_total"} <= added <= set(WORKER_COUNTERS)


def test_a_worker_has_the_rules_before_it_forks() -> None:
    """A child that is started later, maybe after an upgrade of the files, works with the code of its parent."""
    code = "import sys, workers.serve_worker; print('referee.fold' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOM.parent)
    assert found.stdout.strip() == "True"


def test_a_worker_loads_no_grpc() -> None:
    """What a worker imports before it forks has no gRPC in it: its threads do not survive a fork."""
    code = "import sys, workers.app, workers.serve_worker, workers.engine; print('grpc' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOM.parent)
    assert found.stdout.strip() == "False"
