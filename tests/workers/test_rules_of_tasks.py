"""What the code of the workers may not contain, whoever writes it."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from ladder.metrics import WORKER_COUNTERS
from workers.tasks import TASKS, LedgerTask

pytestmark = pytest.mark.slow

ROOM = Path(__file__).parents[2] / "workers"
CANVAS = {"chain", "chord", "chunks", "group", "maybe_signature", "signature", "starmap", "subtask", "xmap", "xstarmap"}
"""What Celery makes workflows of, by whatever module it is imported from."""
SIGNING = {"apply_async", "chunks", "retry", "s", "si", "signature", "signature_from_request", "starmap", "subtask"}
"""Methods that make a signature of a task, or send it with a time of its own."""
DELAYS = {"eta", "countdown", "link", "link_error"}
CLIENTS = {"redis", "valkey"}
SCRIPTS = {"ladder.store.call", "ladder.store.lua", "ladder.store.scripts"}
"""What writes are made of; who holds a `Store` asks its ports for them."""
RAW = {"eval", "evalsha", "execute_command", "pipeline", "register_script", "run_all"}
MODULES = sorted(ROOM.rglob("*.py"))
TREES = {path.relative_to(ROOM).as_posix(): ast.parse(path.read_text()) for path in MODULES}


def imported(node: ast.AST) -> list[str]:
    """Return the full names that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{node.module or ''}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []


def called(node: ast.AST) -> str:
    """Return the name of the method that is called on something, or nothing."""
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def workflows(tree: ast.AST) -> list[int]:
    """Return the lines in which there is canvas, or a task with a time of its own."""
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr) and _of_canvas(node)]


def _of_canvas(node: ast.AST) -> bool:
    for name in imported(node):
        package, last = name.partition(".")[0], name.rpartition(".")[2]
        if package == "celery" and (".canvas" in name or last in {*CANVAS, "canvas"}):
            return True
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "celery":
        return node.attr in {*CANVAS, "canvas"}
    if isinstance(node, ast.Dict):  # what `**options` would unpack
        return any(isinstance(key, ast.Constant) and key.value in DELAYS for key in node.keys)
    return isinstance(node, ast.Call) and (
        called(node) in SIGNING or bool({keyword.arg for keyword in node.keywords} & DELAYS)
    )


def writes(tree: ast.AST) -> list[int]:
    """Return the lines that reach for the ledger past the ports of its store."""
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr) and _past_the_ports(node)]


def _past_the_ports(node: ast.AST) -> bool:
    names = imported(node)
    if any(name.partition(".")[0] in CLIENTS for name in names):
        return True
    if any(name == room or name.startswith(f"{room}.") for name in names for room in SCRIPTS):
        return True
    held = isinstance(node, ast.Attribute) and node.attr in {"link", "_link"}  # `store.link`: the connection itself
    return held or called(node) in RAW


def everywhere(found: Callable[[ast.AST], list[int]]) -> list[str]:
    """Return what is found in all of the workers, as `room/module.py:line`."""
    return [f"{name}:{line}" for name, tree in TREES.items() for line in found(tree)]


def test_no_canvas_and_no_delays() -> None:
    """No chords, groups, chains or signatures, no ETA and no countdown: due times are state in the ledger."""
    assert everywhere(workflows) == []


def test_the_store_is_written_by_its_own_room() -> None:
    """No Redis client, no script and no connection of the store is used here: all writes are asked of its ports."""
    assert everywhere(writes) == []


@pytest.mark.parametrize(
    "line",
    [
        "from celery import chord",
        "from celery import Celery, chain as one_after_the_other",
        "from celery.canvas import group",
        "from celery import canvas",
        "import celery.canvas",
        "celery.signature('lastcard.plan')",
        "celery.canvas",
        "Plan.s('spring')",
        "Plan.si('spring')",
        "app.signature('lastcard.plan')",
        "task.subtask(('spring',))",
        "Rate.chunks(matches, 10)",
        "Plan.apply_async(('spring',))",
        "app.send_task('lastcard.plan', countdown=10)",
        "app.send_task('lastcard.plan', eta=moment)",
        "app.send_task('lastcard.plan', link=other)",
        "app.send_task('lastcard.plan', **{'eta': moment})",
        "self.retry(countdown=3)",
    ],
)
def test_planted_workflows_are_seen(line: str) -> None:
    """Each way to make Celery remember what comes when."""
    assert 2 in workflows(ast.parse(f"def plan():\n    {line}\n"))


@pytest.mark.parametrize(
    "line",
    [
        "import redis",
        "import redis.asyncio as store",
        "from valkey import Valkey",
        "from ladder.store.scripts import CLAIM",
        "from ladder.store.call import Call",
        "from ladder.store import scripts",
        "store.link.read('HSET', key, 'state', 'rated')",
        "self.store._link.run(call)",
        "link.run_all(calls)",
        "client.execute_command('SET', key, 1)",
        "client.pipeline()",
        "client.eval(script, 1, key)",
    ],
)
def test_planted_writes_are_seen(line: str) -> None:
    """Each way around the ports of the store."""
    assert 2 in writes(ast.parse(f"def plan():\n    {line}\n"))


def test_one_module_holds_a_connection_and_asks_whether_it_is_there() -> None:
    """The one that waits for the broker at the start; nothing else here has one of its own."""
    link = "ladder.store.client.Link"
    assert [name for name, tree in TREES.items() if any(link in imported(n) for n in ast.walk(tree))] == ["startup.py"]
    calls = {called(node) for node in ast.walk(TREES["startup.py"])}
    assert calls & {"ping", "read", "run"} == {"ping"}


def test_the_scan_looks_through_all_rooms() -> None:
    """What moved into a room of its own is looked at, too."""
    rooms = {path.parent.relative_to(ROOM).as_posix() for path in MODULES}
    assert rooms >= {".", "house", "local", "local/person", "records", "schedule", "tournaments"}


@pytest.mark.parametrize("task", [pytest.param(task, id=str(task.name)) for task in TASKS])
def test_a_task_is_short(task: type[LedgerTask]) -> None:
    """A task parses its ids and calls one plain function."""
    (function,) = ast.parse(textwrap.dedent(inspect.getsource(task.run))).body
    assert isinstance(function, ast.FunctionDef)
    body = function.body[1:]
    assert sum((statement.end_lineno or 0) - statement.lineno + 1 for statement in body) <= 8


def counters(tree: ast.AST) -> set[str]:
    """Return the names that counters of the store are made with."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    made = (call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Counter")
    return {name.value for name in made if isinstance(name, ast.Constant) and isinstance(name.value, str)}


def test_every_counter_of_the_workers_is_declared() -> None:
    """One that is not would be left out by the exporter, and named in its log at every look."""
    added = {name for tree in TREES.values() for name in counters(tree)}
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
