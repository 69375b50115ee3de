"""What a bot author may rely on, and what importing it costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import lastcard

PUBLIC = {
    "Act",
    "Answer",
    "Bot",
    "Card",
    "Color",
    "DrawReason",
    "Ending",
    "Event",
    "EventKind",
    "GameResult",
    "History",
    "Kind",
    "LastcardError",
    "Match",
    "MatchResult",
    "Option",
    "Order",
    "RoundResult",
    "Turn",
    "card",
    "run",
}
SERVER = {"celery", "click", "fsspec", "jinja2", "kombu", "numpy", "prometheus_client", "redis", "rich", "starlette"}
SERVER |= {"structlog", "uvicorn", "referee", "ladder", "workers"}
WIRE = {"grpc", "google"}


def loaded_by(code: str) -> set[str]:
    """Return the top-level packages that a fresh Python has loaded after `code`."""
    names = "import sys; print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{names}"], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_all_is_the_public_surface() -> None:
    """A name is added or removed on purpose, here, too."""
    assert set(lastcard.__all__) == PUBLIC
    assert all(hasattr(lastcard, name) for name in PUBLIC)


def test_everything_public_says_what_it_is() -> None:
    """Every public name has a docstring of its own."""
    assert all(getattr(lastcard, name).__doc__ for name in PUBLIC)


def test_type_checkers_see_the_names_that_are_loaded() -> None:
    """From the same modules: what they read is not what runs."""
    tree = ast.parse(Path(lastcard.__file__ or "").read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = {name.name: node.module or "" for node in imports for name in node.names}
    assert seen.keys() == PUBLIC
    assert all(getattr(lastcard, name) is getattr(import_module(module), name) for name, module in seen.items())


def test_a_name_is_loaded_when_it_is_asked_for() -> None:
    """The package alone is nothing but its names, however they are asked for; what is none is a fault of types, too."""
    code = "import lastcard, sys; print(*[name for name in sys.modules if name.startswith('lastcard.')])"
    ways = "from lastcard import *; import lastcard; print(Bot is lastcard.Bot, lastcard.errors.ExitCode.DONE)"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{ways}"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["", "True 0"]
    assert set(dir(lastcard)) >= PUBLIC
    with pytest.raises(AttributeError, match="no attribute 'Bod'"):
        lastcard.Bod  # type: ignore[attr-defined]  # noqa: B018 (asking is the test)


@pytest.mark.parametrize(
    ("code", "forbidden"),
    [
        pytest.param("import lastcard", SERVER | WIRE | {"typing"}, id="import lastcard"),
        pytest.param("from lastcard import *", SERVER | WIRE, id="all that is in it"),
        pytest.param("import lastcard.link", SERVER, id="the link that plays"),
        pytest.param("import lastcard.practice", SERVER | WIRE, id="turns to practise with"),
        pytest.param(
            "from lastcard.cli import main; main(['--help'])",
            SERVER | WIRE | {"asyncio"},
            id="lastcard --help",
        ),
        pytest.param("from lastcard.cli import main; main(['bot', '--help'])", SERVER | WIRE, id="help of a group"),
    ],
)
def test_nothing_of_the_server_is_loaded(code: str, forbidden: set[str]) -> None:
    """Grpcio and protobuf are enough to play; `--help` needs not even them."""
    rooms = {"referee", "ladder", "workers"} if "cli" in code else set()  # their tables of commands
    assert loaded_by(code) & forbidden <= rooms
