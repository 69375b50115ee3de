"""The referee's rules as the workers use them: what a format is, and what a log proves."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.store.rows import MatchRow
from referee import formats
from referee.fold import fold
from referee.logbook import CorruptLogError
from referee.match import EngineMismatchError, MatchSpec, canonical
from referee.rules.options import RULES_VERSION
from workers.rate import UnprovenResultError
from workers.spec import Deals
from workers.terms import Terms

__all__ = ["prove", "terms"]


def terms(name: str) -> Terms:
    """Return a format.

    Raises:
        UnknownFormatError: there is none of this name.
    """
    found = formats.get(name)
    team_of = found.rules.team_of
    teams = team_of if len(set(team_of)) < found.seats else None
    return Terms(found.name, found.rules.hash, RULES_VERSION, found.seats, Deals(found.deals), teams)


def prove(row: MatchRow, seed: bytes, entries: Sequence[bytes]) -> str:
    """Return the result that the log of a match leads to, as canonical JSON.

    Raises:
        UnprovenResultError: this engine cannot follow the log.
    """
    spec = MatchSpec(row.id, formats.get(row.format, deals=row.deals), row.entrants, row.meetings, row.nonces)
    try:
        return canonical(fold(spec, seed, entries).result())
    except (CorruptLogError, EngineMismatchError) as error:
        raise UnprovenResultError(f"the log of {row.id} cannot be followed: {error}") from error
