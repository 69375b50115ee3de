"""The weights that are shipped, by ruleset: what takes luck out of published results."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from ladder.luck import Correction

FOLDER: Final[Traversable] = files("ladder").joinpath("luck")


@cache
def shipped() -> dict[str, Correction]:
    """Return all of them by hash of the ruleset.

    Raises:
        BadCorrectionError: a file is not what it should be.
    """
    found = [Correction.of(file.read_text("utf-8")) for file in FOLDER.iterdir() if file.name.endswith(".json")]
    return {correction.ruleset: correction for correction in found}


def correction_for(ruleset: str) -> Correction | None:
    """Return the weights for a ruleset; None: luck stays in its results."""
    return shipped().get(ruleset)
