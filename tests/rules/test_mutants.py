"""Faults planted in the rules are found; `./dev mutate` plants all of them (docs/mutation.md)."""

import ast
import re
from pathlib import Path

import pytest

from tests.mutate.generic import every
from tests.mutate.kill import ROOT, Copy
from tests.mutate.mutant import Mutant, StaleMutantError
from tests.mutate.named import NAMED, SMOKE
from tests.mutate.spared import SPARED

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "mutation.md").read_text("utf-8")


def test_every_mutant_still_has_its_place() -> None:
    """The text that it changes stands there once, and what comes of it is a program."""
    stale = []
    for name, mutant in NAMED.items():
        try:
            ast.parse(mutant.applied(ROOT))
        except (StaleMutantError, SyntaxError) as error:
            stale.append(f"{name}: {error}")
    assert not stale, "\n".join(stale)


def test_a_mutant_without_a_place_is_an_error() -> None:
    """Rules that are written anew need their mutants written anew."""
    with pytest.raises(StaleMutantError, match="0 places in referee/rules/cards"):
        Mutant("lost", "cards.py", "no such text", "", "").applied(ROOT)


def test_the_page_tells_of_every_fault_that_others_made() -> None:
    """Each one is planted by name, or there is a reason why it cannot be; so is each mutant that is spared."""
    planted = {number for mutant in NAMED.values() for number in re.findall(r"\b[CF]\d+[a-z]?\b", mutant.why)}
    for number in [*(f"C{n}" for n in range(1, 31)), *(f"F{n}" for n in range(1, 24)), "F10b", "F10c", "F10d"]:
        assert number in planted or re.search(rf"\b{number}\b", PAGE), number
    for name in SPARED:
        assert f"`{name}`" in PAGE


def test_changes_by_rule_are_programs() -> None:
    """Every place of the rules can be changed, one at a time, and the file is a program still."""
    mutants = list(every(ROOT))
    assert len(mutants) > 2_000
    for mutant in mutants[::97]:
        changed = mutant.applied(ROOT)
        assert changed != ast.unparse(ast.parse((ROOT / mutant.path).read_text("utf-8"))), mutant.name
        ast.parse(changed)


@pytest.mark.slow
@pytest.mark.nightly
def test_a_few_faults_are_found(tmp_path: Path) -> None:
    """Scenarios, records and golden numbers notice each of ten; without a fault they notice nothing."""
    copy = Copy(tmp_path / "tree")
    copy.check(thorough=False)
    fates = [copy.try_out(NAMED[name], thorough=False) for name in SMOKE]
    assert [fate.name for fate in fates if not fate.killed] == []
