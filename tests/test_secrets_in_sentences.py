"""No sentence, log line or error is made of a secret: neither of one that is hidden, nor of what it reveals."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PACKAGES = ("lastcard", "referee", "ladder", "workers")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if path.parent.name != "v1")
LEVELS = {"debug", "info", "warning", "error", "critical", "exception", "echo", "print"}
TELLING = {"format", "format_map", *LEVELS}


def sentences(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield what is put into text, printed, logged or said by an error."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue):
            yield node.value
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_text(node.left):
            yield node.right
        elif isinstance(node, ast.Call) and _name(node.func) in TELLING:
            yield from (*node.args, *(keyword.value for keyword in node.keywords))
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from (*node.exc.args, *(keyword.value for keyword in node.exc.keywords))


def secrets(tree: ast.AST) -> set[str]:
    """Return the names that a module has for what it says is a `Secret`, or makes one."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation and _says(node.annotation):
            found.add(node.arg if isinstance(node, ast.arg) else _name(node.target))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _name(node.value.func) == "Secret":
            found |= {_name(target) for target in node.targets}
        elif isinstance(node, ast.FunctionDef) and node.returns and _says(node.returns):
            found.add(node.name)
    return found - {"value"}  # of the type itself


def betrayals(text: str) -> list[int]:
    """Return the lines of a module in which a sentence is made of a secret."""
    tree = ast.parse(text)
    hidden = secrets(tree)
    return sorted(expr.lineno for expr in sentences(tree) if _betrays(expr, hidden))


def _betrays(expr: ast.expr, hidden: set[str]) -> bool:
    if isinstance(expr, ast.Call):
        inner = (*expr.args, *(keyword.value for keyword in expr.keywords))
        own = _name(expr.func) == "reveal" or _name(expr.func) in hidden
        return own or (_name(expr.func) in {"repr", "str", "format"} and any(_betrays(one, hidden) for one in inner))
    if isinstance(expr, ast.Attribute) and expr.attr in {"hex", "decode"}:
        return _betrays(expr.value, hidden)
    return _name(expr) in hidden


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return _name(node.value) if node.attr in {"hex", "decode", "text"} else node.attr
    if isinstance(node, ast.Call):
        return _name(node.func)
    return node.id if isinstance(node, ast.Name) else ""


def _says(annotation: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "Secret" for node in ast.walk(annotation))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_sentence_is_made_of_a_secret(module: Path) -> None:
    """In any module that somebody runs."""
    assert betrayals(module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('f"dealt with {seed}"', id="of one that is hidden"),
        pytest.param('f"{self.seed!r}"', id="of an attribute"),
        pytest.param('f"{seed.reveal()}"', id="of what it reveals"),
        pytest.param('f"{seed.reveal().hex()}"', id="in hex"),
        pytest.param('f"{seed.text()}"', id="as its text"),
        pytest.param('"%s" % seed', id="percent"),
        pytest.param('"{}".format(seed)', id="format"),
        pytest.param('log.info("claimed", seed=seed)', id="log"),
        pytest.param('log.error("claimed", error=repr(seed.reveal()))', id="log of what it reveals"),
        pytest.param("raise ValueError(seed.reveal())", id="error"),
        pytest.param('raise ValueError("bad seed", seed)', id="error that carries it"),
        pytest.param("print(seed.text())", id="print"),
        pytest.param('f"{load()}"', id="of what returns one"),
    ],
)
def test_a_sentence_of_a_secret_is_found(line: str) -> None:
    """However it is made; its length may be said."""
    head = "class C:\n    seed: Secret\n\ndef load() -> Secret: ...\n\ndef f(self, seed: Secret, n: int):\n    "
    assert betrayals(head + line) == [7]
    assert betrayals(head + 'f"{n} of {len(seed)} {sha256(seed.reveal()).hexdigest()}"') == []
