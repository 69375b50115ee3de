"""Results of matches, as tests of tables need them."""

from __future__ import annotations

from ladder.results import MatchResult


def match_of(
    number: int, entrants: tuple[str, ...], meetings: tuple[tuple[tuple[int, ...], ...], ...], points: tuple[int, ...]
) -> MatchResult:
    """Return a match in which everybody played alone, each game was one round, and nobody made a fault."""
    seats = len(entrants)
    return MatchResult(
        match=f"cup.1.1.{number}",
        format="uno-classic-2",
        ruleset="0" * 16,
        entrants=entrants,
        teams=tuple(range(seats)),
        ranks=meetings,
        points=points,
        rounds=(sum(map(len, meetings)),) * seats,
        faults=(0,) * seats,
    )
