"""The draw: which pairing and which order of entrants a tournament's description stands for."""

from __future__ import annotations

from workers.schedule.balanced import balanced
from workers.schedule.gauntlet import Gauntlet
from workers.schedule.pairing import Pairing, RoundRobin
from workers.schedule.schedule import Schedule, order
from workers.tournaments.size import meetings_of
from workers.tournaments.spec import Kind, TournamentSpec
from workers.tournaments.terms import Terms

__all__ = ["drawn", "schedule_of"]


def drawn(spec: TournamentSpec, terms: Terms, entrants: tuple[str, ...]) -> Schedule:
    """Return the schedule of a tournament that begins: the public seed shuffles its entrants.

    The side named first stays first in a gauntlet.
    """
    first = entrants[: spec.side] if spec.kind is Kind.GAUNTLET else ()
    shuffled = first + order(entrants[len(first) :], spec.schedule_seed, spec.side)
    return schedule_of(spec, terms, shuffled, even=True, spread=True)


def schedule_of(spec: TournamentSpec, terms: Terms, entrants: tuple[str, ...], *, even: bool, spread: bool) -> Schedule:
    """Return the schedule of a tournament whose entrants are fixed, in their order; a size is reckoned by them.

    Args:
        spec: its description.
        terms: of its format.
        entrants: of it.
        even: as its notes say; see `balanced`.
        spread: the same, of a gauntlet; see `Schedule`.
    """
    teams = terms.teams or ()
    pairing = _pairing(spec, terms, len(entrants) // spec.side, even=even)
    meetings = meetings_of(spec.size, spec, pairing, terms.seats) if spec.size else spec.meetings
    spread = spread and spec.kind is Kind.GAUNTLET
    return Schedule(spec.name, pairing, entrants, meetings, spec.cycles, spec.side, teams, spread)


def _pairing(spec: TournamentSpec, terms: Terms, sides: int, *, even: bool) -> Pairing:
    seats = terms.seats // spec.side
    if spec.kind is Kind.GAUNTLET:
        return Gauntlet(sides, seats)
    if seats == 2:
        return RoundRobin(sides)
    return balanced(sides, seats, terms.teams if spec.side == 1 else None, even=even)
