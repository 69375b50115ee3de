"""A small fault that is planted in the rules, so that a test has to find it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

RULES = "referee/rules"


class StaleMutantError(Exception):
    """The text that a mutant changes is not there, or there more than once: write the mutant anew."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault.

    Attributes:
        name: unique, a few words with hyphens.
        file: below referee/rules.
        old: what stands there, once.
        new: what is put in its place.
        why: what the fault is; `C n` and `F n` are the lists of faults that others made (docs/mutation.md).
    """

    name: str
    file: str
    old: str
    new: str
    why: str

    @property
    def path(self) -> str:
        """The file, from the root."""
        return f"{RULES}/{self.file}"

    def applied(self, root: Path) -> str:
        """The text of the file with the fault in it.

        Raises:
            StaleMutantError: the place is not there, or not the only one.
        """
        text = (root / self.path).read_text("utf-8")
        if text.count(self.old) != 1:
            raise StaleMutantError(f"{self.name}: {text.count(self.old)} places in {self.path} are {self.old!r}")
        return text.replace(self.old, self.new)


def group(file: str, *rows: Sequence[str]) -> list[Mutant]:
    """Mutants of one file: name, old, new, why."""
    return [Mutant(name, file, old, new, why) for name, old, new, why in rows]
