"""Who is told to stop stops: nobody catches a `CancelledError` and goes on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
PACKAGES = ("lastcard", "referee", "ladder", "workers")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if path.parent.name != "v1")
CANCELLED = {"CancelledError", "BaseException"}


def swallowed(text: str) -> Iterator[int]:
    """Yield the lines of a module that catch it and never raise, or suppress it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ExceptHandler) and (node.type is None or _names(node.type) & CANCELLED):
            if not any(isinstance(one, ast.Raise) for one in ast.walk(node)) and not _handed_on(node):
                yield node.lineno
        elif (
            isinstance(node, ast.Call)
            and _names(node.func) == {"suppress"}
            and any(_names(one) & CANCELLED for one in node.args)
        ):
            yield node.lineno


def _names(node: ast.expr) -> set[str]:
    if isinstance(node, ast.Tuple):
        return set().union(*map(_names, node.elts))
    return {node.id} if isinstance(node, ast.Name) else {node.attr} if isinstance(node, ast.Attribute) else set()


def _handed_on(node: ast.ExceptHandler) -> bool:
    """Whether a thread gives what it caught to whoever waits for it."""
    return any(
        isinstance(one, ast.Call) and any(isinstance(arg, ast.Name) and arg.id == node.name for arg in ast.walk(one))
        for one in ast.walk(node)
    )


def test_nobody_goes_on_when_told_to_stop() -> None:
    """A handler that looks at it raises it, or something that ends as much."""
    found = {str(path.relative_to(ROOT)): list(swallowed(path.read_text("utf-8"))) for path in MODULES}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("handler", "lines"),
    [
        pytest.param("except asyncio.CancelledError:\n    pass", [3], id="swallowed"),
        pytest.param("except (OSError, CancelledError):\n    return", [3], id="among others"),
        pytest.param("except:\n    pass", [3], id="whatever it is"),
        pytest.param("except BaseException:\n    log()", [3], id="everything"),
        pytest.param("except asyncio.CancelledError:\n    tidy()\n    raise", [], id="raised"),
        pytest.param("except BaseException as error:\n    put(error)", [], id="handed on"),
        pytest.param("except Exception:\n    pass", [], id="no cancellation"),
    ],
)
def test_planted_ones_are_seen(handler: str, lines: list[int]) -> None:
    """Each by itself."""
    assert list(swallowed(f"try:\n    work()\n{handler}")) == lines


def test_suppressing_it_is_the_same() -> None:
    """By whatever name the module is imported."""
    assert list(swallowed("with contextlib.suppress(asyncio.CancelledError):\n    work()")) == [1]
