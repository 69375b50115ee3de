"""The referee's rules as the workers use them: what a format is, and what a log proves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.corrections import correction_for
from ladder.elo import TO_A_TARGET, EloConfig
from ladder.errors import UnknownNameError
from ladder.house import HouseScores
from ladder.results import BadResultError
from ladder.store.rows import MatchRow
from lastcard.secret import Secret
from referee import formats, logbook, luck
from referee.fold import fold
from referee.logbook import LOG_FORMAT, CorruptLogError
from referee.match import EngineMismatchError
from referee.match_result import canonical
from referee.match_spec import MatchSpec
from referee.rules.games import GAMES
from referee.rules.options import RULES_VERSION
from workers.proof import UnprovenResultError
from workers.tournaments.spec import Deals
from workers.tournaments.terms import Terms
from workers.tournaments.traffic import decisions, rounds_a_game

if TYPE_CHECKING:
    from ladder.order import Course
    from ladder.store.gifts import MatchGifts

__all__ = [
    "correctable",
    "course_of",
    "deals_of",
    "gifts_of",
    "house_of",
    "low_of",
    "lower_is_better",
    "messages",
    "prove",
    "spec_of",
    "teams_of",
    "terms",
    "weighed",
]


def terms(name: str) -> Terms:
    """Return a format.

    Raises:
        UnknownFormatError: there is none of this name.
    """
    found = formats.get(name)
    team_of = found.rules.team_of
    teams = team_of if len(set(team_of)) < found.seats else None
    rules = found.rules
    correction = correction_for(rules.hash)
    length = (rules.game, found.seats, rules.number("target_score"), rules.number("rounds"))
    return Terms(
        name=found.name,
        ruleset=rules.hash,
        rules_version=RULES_VERSION,
        seats=found.seats,
        deals=Deals(found.deals),
        teams=teams,
        correctable=luck.correctable(rules),
        luck_left=1.0 if correction is None else correction.variance,
        decisions=decisions(*length),
        rounds_a_game=rounds_a_game(*length),
        elo=TO_A_TARGET if rules.number("target_score") else EloConfig(),
        log_format=LOG_FORMAT,
    )


def teams_of(format_name: str) -> tuple[int, ...] | None:
    """Return the teams of a format by entrant; None: everybody plays alone.

    Raises:
        UnknownNameError: this process does not know the format.
    """
    try:
        return terms(format_name).teams
    except formats.UnknownFormatError as error:
        raise UnknownNameError(
            error.reason, str(error), field=error.field, value=error.value, allowed=error.allowed
        ) from error


def messages(format_name: str, games: int) -> int | None:
    """Return about how many decisions so many games take; None where this process does not know the format."""
    try:
        return round(terms(format_name).decisions * games)
    except formats.UnknownFormatError:
        return None


def low_of(format_name: str) -> bool | None:
    """Return whether points count against whom they go to; None where the format is not known here."""
    try:
        rules = formats.get(format_name).rules
    except formats.UnknownFormatError:
        return None
    return GAMES[rules.game].facts_of(rules).low


def lower_is_better(format_name: str) -> bool:
    """Return whether points count against whom they go to; False where the format is not known here."""
    return bool(low_of(format_name))


def correctable(format_name: str) -> bool:
    """Return whether luck can be computed of results; False where this process does not know the format."""
    try:
        return terms(format_name).correctable
    except formats.UnknownFormatError:
        return False


def weighed(format_name: str) -> bool:
    """Return whether weights are shipped that take luck out of ratings; False where the format is not known here."""
    try:
        return correction_for(terms(format_name).ruleset) is not None
    except formats.UnknownFormatError:
        return False


def spec_of(row: MatchRow) -> MatchSpec:
    """Return what was played.

    Raises:
        UnknownFormatError: this process has no such format.
        UnprovenResultError: it has one of that name with other rules.
    """
    found = formats.get(row.format, deals=row.deals)
    if found.rules.hash != row.ruleset:
        raise UnprovenResultError(
            f"{row.id} was played by ruleset {row.ruleset}, but {row.format} is {found.rules.hash} here: "
            f"compare the files that {formats.VARIABLE} names"
        )
    return MatchSpec(row.id, found, row.entrants, row.meetings, row.nonces, group=row.group, log_format=row.log_format)


def deals_of(row: MatchRow) -> tuple[str, ...]:
    """Return the names of a match's deals by game, where other tables have the same; none where they are its own.

    Raises:
        UnknownFormatError: this process has no such format.
        BadResultError: its result does not say which, and they were dealt in an order that only the seed tells.
    """
    if not row.group:
        return ()
    try:
        said = json.loads(row.result).get("deals") if row.result else None
    except (AttributeError, ValueError) as error:
        raise BadResultError(f"the result of match {row.id} cannot be read: {error!r}") from error
    if said is None:
        said = _public_order(row)
    return tuple(f"{row.group}/{game // len(row.entrants)}/{deal}" for game, deal in enumerate(said))


def _public_order(row: MatchRow) -> list[int]:
    found = formats.get(row.format, deals=row.deals)
    played = MatchSpec(row.id, found, row.entrants, row.meetings, group=row.group, log_format=row.log_format)
    if played.hides_deals:
        raise BadResultError(f"match {row.id} has no result that says in which order its deals were played")
    return [played.deal_of(game, Secret(b"")) for game in range(played.games)]


def prove(row: MatchRow, seed: bytes | Secret, entries: Sequence[bytes]) -> str:
    """Return the result that the log of a match leads to, as canonical JSON.

    Raises:
        UnprovenResultError: this engine cannot follow the log.
    """
    try:
        return canonical(fold(spec_of(row), seed, entries).result())
    except (CorruptLogError, EngineMismatchError) as error:
        raise UnprovenResultError(f"the log of {row.id} cannot be followed: {error}") from error


def course_of(row: MatchRow, entries: Sequence[bytes]) -> tuple[Course, tuple[str, ...]]:
    """Return how the games of a match went, and the names of its deals as `deals_of` gives them.

    Raises:
        UnprovenResultError: this engine cannot read the log.
        BadResultError: as `deals_of`.
    """
    from ladder.order import Course  # mathematics, for those who look through ladders

    games = row.meetings * len(row.entrants)
    began, ended, acts, now_ms = [0] * games, [-1] * games, [0] * games, 0
    last: list[int] = []
    try:
        for record in (record for entry in entries for record in logbook.records(entry)):
            if isinstance(record, logbook.Stamp):
                now_ms = record.unix_ms
            elif isinstance(record, logbook.ActRecord):
                began[record.game] = began[record.game] or now_ms
                acts[record.game] += 1
            elif isinstance(record, logbook.RoundRecord):
                began[record.game] = began[record.game] or now_ms
                last = [game for game in last if game != record.game] + [record.game]
    except (CorruptLogError, IndexError) as error:
        raise UnprovenResultError(f"the log of {row.id} cannot be read: {error}") from error
    for place, game in enumerate(last):
        ended[game] = place
    return Course(tuple(began), tuple(ended), tuple(acts)), deals_of(row)


def gifts_of(row: MatchRow, seed: bytes | Secret, entries: Sequence[bytes]) -> MatchGifts:
    """Return what chance gave in a match, from its log.

    Raises:
        UnprovenResultError: this engine cannot follow the log.
    """
    from ladder.store.gifts import MatchGifts  # commands that only ask what a format is have no Redis

    try:
        found = luck.luck_of(spec_of(row), seed, entries)
    except (CorruptLogError, EngineMismatchError) as error:
        raise UnprovenResultError(f"the log of {row.id} cannot be followed: {error}") from error
    return MatchGifts(found.terms, found.games)


def house_of(row: MatchRow, seed: bytes | Secret, entries: Sequence[bytes]) -> HouseScores:
    """Return what the house scores on the cards of a match; twice the same is the same.

    Raises:
        UnprovenResultError: this engine cannot read the log.
    """
    from referee.house_games import house_play  # bots are loaded where they play

    try:
        played = house_play(spec_of(row), seed, entries)
    except CorruptLogError as error:
        raise UnprovenResultError(f"the log of {row.id} cannot be read: {error}") from error
    return HouseScores(played.house, played.games)
