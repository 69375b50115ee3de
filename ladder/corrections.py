"""What is shipped to take luck out of published results, by ruleset: weights, and what the house usually scores."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from ladder.house import HouseTable
from ladder.luck import Correction

FOLDER: Final[Traversable] = files("ladder").joinpath("luck")
EARLIER_FOLDER: Final[Traversable] = FOLDER.joinpath("earlier")
"""Weights that an earlier release shipped: whatever was rated by them keeps them."""
HOUSE_FOLDER: Final[Traversable] = FOLDER.joinpath("house")


@cache
def shipped() -> dict[str, Correction]:
    """Return all of them by hash of the ruleset.

    Raises:
        BadCorrectionError: a file is not what it should be.
    """
    return {correction.ruleset: correction for correction in _in(FOLDER)}


@cache
def earlier(ruleset: str) -> tuple[Correction, ...]:
    """Return the weights that earlier releases shipped for a ruleset, the newest first.

    Each knows terms that those before it do not: so a match has the weights of the release that computed its luck.

    Raises:
        BadCorrectionError: a file is not what it should be.
    """
    found = (correction for correction in _in(EARLIER_FOLDER) if correction.ruleset == ruleset)
    return tuple(sorted(found, key=lambda correction: len(correction.terms), reverse=True))


def _in(folder: Traversable) -> list[Correction]:
    return [Correction.of(file.read_text("utf-8")) for file in folder.iterdir() if file.name.endswith(".json")]


def correction_for(ruleset: str) -> Correction | None:
    """Return the weights for a ruleset; None: luck stays in its results."""
    return shipped().get(ruleset)


@cache
def house_tables() -> dict[str, HouseTable]:
    """Return what the house usually scores, by hash of the ruleset, as far as enough is known of it.

    Raises:
        BadHouseTableError: a file is not what it should be.
    """
    names = (file for file in HOUSE_FOLDER.iterdir() if file.name.endswith(".json"))
    found = [HouseTable.of(file.read_text("utf-8")) for file in names]
    return {table.ruleset: table for table in found if table.known}


def house_table_for(ruleset: str) -> HouseTable | None:
    """Return what the house usually scores under a ruleset; None: nobody knows, and house games are not played."""
    return house_tables().get(ruleset)
