"""Mutants by rule: an operator, a number or a condition of the rules is changed, one place at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from tests.mutate.mutant import RULES

SWAPS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
SKIPPED: Final = frozenset({"branch.py", "conformance.py", "gametext.py", "errors.py", "vocabulary.py", "idle.py"})
"""No rules: tools around them, texts, and names."""


@dataclass(frozen=True, slots=True)
class GenericMutant:
    """One changed place of one file.

    Attributes:
        file: below referee/rules.
        place: number of the place in its file.
        line: where it stands.
        what: the change in words.
    """

    file: str
    place: int
    line: int
    what: str

    @property
    def name(self) -> str:
        """File, line and change."""
        return f"{self.file}:{self.line} {self.what}"

    @property
    def path(self) -> str:
        """The file, from the root."""
        return f"{RULES}/{self.file}"

    def applied(self, root: Path) -> str:
        """The text of the file with the change in it."""
        tree = ast.parse((root / self.path).read_text("utf-8"))
        changer = _Changer(self.place)
        return ast.unparse(changer.visit(tree))


class _Changer(ast.NodeTransformer):
    """Counts the places of a tree that can be changed, and changes one of them."""

    def __init__(self, place: int = -1) -> None:
        self.place = place
        self.found: list[tuple[int, str]] = []

    def _here(self, line: int, what: str) -> bool:
        self.found.append((line, what))
        return len(self.found) - 1 == self.place

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        for index, operator in enumerate(node.ops):
            other = SWAPS.get(type(operator))
            if other and self._here(node.lineno, _words(operator, other)):
                node.ops[index] = other()  # type: ignore[call-overload]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        other = SWAPS[type(node.op)]
        if self._here(node.lineno, _words(node.op, other)):
            node.op = other()  # type: ignore[assignment]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        other = SWAPS.get(type(node.op))
        if other and self._here(node.lineno, _words(node.op, other)):
            node.op = other()  # type: ignore[assignment]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        other = SWAPS.get(type(node.op))
        if other and self._here(node.lineno, _words(node.op, other)):
            node.op = other()  # type: ignore[assignment]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and self._here(node.lineno, "not dropped"):
            return node.operand
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool):
            if self._here(node.lineno, f"{node.value} turned"):
                return ast.copy_location(ast.Constant(not node.value), node)
        elif type(node.value) is int and self._here(node.lineno, f"{node.value} plus 1"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if self._here(node.lineno, "condition turned"):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        """Defaults and annotations of parameters are no rules."""
        return node


def _words(old: ast.AST, new: type[ast.AST]) -> str:
    return f"{type(old).__name__} to {new.__name__}"


def every(root: Path) -> Iterator[GenericMutant]:
    """All places of the rules that can be changed."""
    folder = root / RULES
    for path in sorted(folder.rglob("*.py")):
        file = path.relative_to(folder).as_posix()
        if path.name in SKIPPED or file.startswith("luck/"):
            continue
        changer = _Changer()
        changer.visit(ast.parse(path.read_text("utf-8")))
        for place, (line, what) in enumerate(changer.found):
            yield GenericMutant(file, place, line, what)


def sample(root: Path, count: int, seed: int) -> list[GenericMutant]:
    """So many of them, evenly over all places."""
    mutants = list(every(root))
    return sorted(Random(seed).sample(mutants, min(count, len(mutants))), key=lambda one: (one.file, one.line))
