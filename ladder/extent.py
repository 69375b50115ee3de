"""How far a tournament is, in words: the same on pages and in commands. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ladder.reasons import worded
from lastcard.names import bot_of

if TYPE_CHECKING:
    from ladder.tables import Walkover

__all__ = [
    "CANCELLED",
    "DEADLINE_S",
    "deadline",
    "extent",
    "left_out",
    "listed",
    "missing",
    "never_met",
    "not_with_this_format",
    "too_few",
    "unplayed",
    "waiting",
    "waiting_for",
    "were_missing",
    "why_void",
    "withheld",
]

CANCELLED = "cancelled"
FIELD = "field"
"""Deals that tables share."""
DEADLINE_S = 600
"""So long may a table always take while others wait for its deals, if nobody says otherwise: what the clock gives a
seat for a round."""
NAMED = 3
"""Bots that a line has room for."""


def extent(
    state: str, done: int, lost: int, total: int, created: int, *, again: int = 0, parked: int = 0, joint: str = " of "
) -> str:
    """Return how many matches are played, void, parked, and to come.

    Args:
        state: of the tournament.
        done: matches that count.
        lost: matches that were declared void, or parked.
        total: matches of the whole schedule; 0 before it begins.
        created: of these, matches that were created; one that was played again counts once.
        again: matches that are played in the place of a void one.
        parked: of those that are lost, matches that are parked.
        joint: between those that are played and all.
    """
    if state == CANCELLED:
        void = max(lost - parked - again, 0)  # most of them because of the end, before they were begun
        idle = f"{void + max(total - created, 0)} void or never begun"
        ended = (f"{done} played", idle, *_parked(parked), *_unsettled(created - done - void - parked))
        return ", ".join(ended) if total else "never begun"
    if not total:
        return "not begun yet"
    words = f"{done}{joint}{total} {'match' if total == 1 else 'matches'}"
    return ", ".join((words, *_void(lost - parked, again), *_parked(parked)))


def _void(void: int, again: int) -> tuple[str, ...]:
    if not void:
        return ()
    played = "played again" if again >= void else f"{again} of them played again"
    return (f"{void} void", played) if again else (f"{void} void",)


def why_void(voids: Sequence[tuple[str, int]]) -> str:
    """Return in words why matches are void, to stand behind how far a tournament is; nothing where none is.

    Args:
        voids: reasons, the commonest first, and how many matches are void for each and were not played again.
    """
    if len(voids) <= 1:
        return "".join(f" (why: {worded(reason)})" for reason, _ in voids)
    named = [f"{matches} {worded(reason)}" for reason, matches in voids[:NAMED]]
    more = sum(matches for _, matches in voids[NAMED:])
    return f" (why: {'; '.join((*named, *([f'{more} for other reasons'] if more else [])))})"


def _unsettled(matches: int) -> tuple[str, ...]:
    return (f"{matches} still to be ended or rated",) if matches > 0 else ()


def _parked(parked: int) -> tuple[str, ...]:
    return (f"{parked} parked",) if parked else ()


def withheld(parked: int) -> str:
    """Say why a tournament that ended does not show its deal seed, and what is to be done; nothing where it does.

    Args:
        parked: matches of it that may still be put back.
    """
    if not parked:
        return ""
    are = "1 match is" if parked == 1 else f"{parked} matches are"
    verbs = "`lastcard tournament requeue` plays on, `void` ends it"
    return f"the deal seed is secret while {are} parked: {verbs}"


def deadline(deals: str, seconds: int | None) -> str:
    """Say how long tables wait for one whose deals they share; nothing where none are shared."""
    if deals != FIELD:
        return ""
    limit = DEADLINE_S if seconds is None else seconds
    return f"{limit} s: a table that takes longer, and twice the median time of the others, is void and played again"


def too_few(format_name: str, bots: int, fewest: int) -> str:
    """Say that not enough bots are there for a table; nothing where they are."""
    if bots >= fewest:
        return ""
    there = {0: "no bot offers", 1: "1 bot offers"}.get(bots, f"{bots} bots offer")
    return f"{there} {format_name} now, {fewest} are needed"


def were_missing(absents: Sequence[Walkover], entrants: Iterable[str] = ()) -> tuple[str, ...]:
    """Say who was waited for in vain, and what that means: a sentence for each of a few, and one for the others."""
    called = _called([absent.bot for absent in absents], entrants)
    said = tuple(map(_was_missing, called[:NAMED], absents))
    more = len(absents) - len(said)
    if not more:
        return said
    return (*said, f"{more} more {'was' if more == 1 else 'were'} missing, with walkovers that moved no ladder, either")


def _was_missing(called: str, absent: Walkover) -> str:
    games = "1 game" if absent.games == 1 else f"{absent.games} games"
    return f"{called} was missing: {games} by walkover, no ladder moved"


def missing(notes: str, grace_ms: int, now_ms: int) -> tuple[str, ...]:
    """Return the entrants that the planner waits for, those missing longest first; after the grace it does no more.

    Args:
        notes: what the planner keeps of a running tournament, in JSON; "" before it has begun.
        grace_ms: how long an absent bot is waited for.
        now_ms: wall time.
    """
    since: dict[str, int] = json.loads(notes).get("missing", {}) if notes else {}
    return tuple(sorted((bot for bot in since if now_ms - since[bot] < grace_ms), key=lambda bot: since[bot]))


def never_met(groups: Sequence[Sequence[str]], entrants: Iterable[str] = ()) -> str:
    """Say which groups of bots never met, and what follows; nothing where all met.

    Args:
        groups: of bots, `name@n`; none where all met.
        entrants: all that take part, `name@n`.
    """
    if not groups:
        return ""
    entered = tuple(entrants)
    named = [listed(_called(group, entered)) for group in groups[:NAMED]]
    more = [f"{len(groups) - NAMED} more"] if len(groups) > NAMED else []
    apart = f"{len(groups)} groups of bots never met, directly or through others"
    return f"{apart}, so ratings of one cannot be compared with those of another: {'; '.join((*named, *more))}"


def unplayed(bots: Iterable[str], entrants: Sequence[str]) -> str:
    """Say which of all entrants are not among the bots of a table, and why; nothing where all are.

    Args:
        bots: of the table, `name@n`.
        entrants: all that take part, `name@n`.
    """
    there = set(bots)
    away = [bot for bot in entrants if bot not in there]
    return f"no match counts so far of {listed(_called(away, entrants))}" if away else ""


def left_out(bots: Sequence[str], entrants: Sequence[str]) -> str:
    """Say who of those that were asked for takes no part in what has begun; nothing where all do, or it has not.

    Args:
        bots: by name or `name@n`, as described; those that play together as `a+b`.
        entrants: `name@n`, from the start on.
    """
    there = {*entrants, *map(bot_of, entrants)}
    away = [bot for bot in bots if not there.issuperset(bot.split("+"))] if entrants else []
    was_were = "was" if len(away) == 1 else "were"
    return f"{listed(away)} {was_were} left out at the start: never connected, or retired" if away else ""


def listed(names: Sequence[str], most: int = NAMED) -> str:
    """Return names as words: a few of them, the others by number."""
    more = [f"{len(names) - most} more"] if len(names) > most else []
    *first, last = [*names[:most], *more]
    return f"{', '.join(first)} and {last}" if first else last


def waiting(bots: Sequence[str], entrants: Iterable[str] = ()) -> str:
    """Say which bots a tournament of these entrants waits for."""
    return f"waiting for {listed(_called(bots, entrants))}"


def _called(bots: Sequence[str], entrants: Iterable[str]) -> list[str]:
    """Return what bots are called: by name, but for those of which several versions take part."""
    versions = Counter(map(bot_of, {*bots, *entrants}))
    return [bot if versions[bot_of(bot)] > 1 else bot_of(bot) for bot in bots]


def not_with_this_format(bots: Sequence[str], entrants: Iterable[str] = ()) -> str:
    """Say of bots that are connected, and waited for all the same, what keeps them away."""
    verbs = "is connected and does" if len(bots) == 1 else "are connected and do"
    return f"{listed(_called(bots, entrants))} {verbs} not offer this format"


def waiting_for(
    bots: Sequence[str], others: Sequence[str], not_offering: Sequence[str], entrants: Iterable[str] = ()
) -> str:
    """Say which bots a tournament waits for, and why each of them cannot play.

    Args:
        bots: `name@n`, or `name` where a bot never connected.
        others: versions of them, `name@n`, that are connected and not entered.
        not_offering: of the bots, those that are connected and do not offer the format.
        entrants: all that take part, `name@n`, from the start on.
    """
    elsewhere, everybody = set(map(bot_of, others)), {*bots, *entrants}
    away = [bot for bot in bots if bot not in not_offering and bot_of(bot) not in elsewhere]
    reasons = []
    if away:
        why = "not connected" if _versions(away) else "never connected"
        is_are = "is" if len(away) == 1 else "are"
        whole = len(away) == len(bots)
        reasons.append(why if whole else f"{listed(_called(away, everybody))} {is_are} {why}")
    if not_offering:
        reasons.append(not_with_this_format(not_offering, everybody))
    if others:
        is_are, version = ("is", "another version") if len(others) == 1 else ("are", "other versions")
        reasons.append(f"{listed(others)} {is_are} connected, {version} than entered")
    return f"{waiting(bots, entrants)}: {'; '.join(reasons)}"


def _versions(bots: Iterable[str]) -> bool:
    """Return whether bots are named by version, as they are from the start of a tournament on."""
    return any("@" in bot for bot in bots)
