"""Mutants that no test can find, each with the reason: they change nothing that anybody could see."""

from typing import Final

SPARED: Final[dict[str, str]] = {}
