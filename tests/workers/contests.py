"""Matches of a contest between two versions, as a ladder lists them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ladder.readings.summaries import Summary
from ladder.sprt import Bounds
from tests.workers.small_referee import FORMAT
from workers.tournaments.contest import Contest
from workers.tournaments.played_match import GameResult, PlayedMatch

MIRRORED = f"{FORMAT}-mirrored"
NEW, OLD = "alpha@2", "alpha@1"
COMMAND = ["sprt", NEW, OLD, "--bounds", "0,60", "--name", "rivals"]


# counting


def contest(*, luck: bool = False) -> Contest:
    """Return a question about two versions."""
    return Contest(NEW, OLD, FORMAT, "fresh" if luck else "mirrored", Bounds(0, 60), luck=luck)


def played(part: int, *wins: int, luck: float | None = None, **changes: Any) -> PlayedMatch:  # noqa: ANN401 (of many kinds)
    """Return a match of meetings of which the new version, which is the second entrant, won so many games."""
    of_luck = () if luck is None else (-luck, luck)
    games = {
        won: tuple(GameResult((2, 1) if game < won else (1, 2), (0, 40), 1, of_luck) for game in range(2))
        for won in range(3)
    }
    summary = Summary(
        f"rivals.1.1.{part}", FORMAT, "", (OLD, NEW), len(wins), "rated", "", "rivals", "", 2 * len(wins), (), (1, 2),
        0, 0, "played",
    )  # fmt: skip
    result = PlayedMatch(summary, tuple(games[won] for won in wins), "" if luck is None else "lc-1")
    return replace(result, **changes)


def ended(result: PlayedMatch, state: str, outcome: str) -> PlayedMatch:
    """Return a match in whose state there is no result that counts."""
    return replace(result, match=replace(result.match, state=state, outcome=outcome))
