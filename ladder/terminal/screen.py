"""Tables for people; where there is no terminal, the same without folding."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ladder.readings.boards import Board, LuckWeights
from ladder.readings.profiles import Profile
from ladder.readings.summaries import Summary
from ladder.reasons import worded
from ladder.standings import BY_OPPONENT, SAME, Standing, by_opponent
from ladder.store.rows import LOST
from lastcard.console import counted

WORDS = frozenset(
    {"bot", "owner", "state", "newest", "registered", "version", "called", "first seen", "match", "change"}
    | {"ended", "as", "against", "referee", "address"}
    | {"move", "top", "cards", "hand", "tournament", "format", "when", "who", "verb", "target", "reason"}
    | {"id", "name", "scopes", "created", "ends", "used", "fault", "why"}
)
LOWER = "mean points count against a bot: lower is better"
"""Below a table of a format where that is so."""
UNCOUNTED = "a match that is void or parked counts for nobody: no games, no result and no faults of it are shown"
"""Below a list with such matches."""
PIPE_WIDTH = 100_000
"""Where there is no terminal: nothing is cut, however long it is."""


def show_board(board: Board, stream: TextIO | None = None) -> None:
    """Show the standings of a ladder."""
    say(f"{board.format} (rules {board.ruleset}): {counted(board.matches, 'match', 'matches')} rated", stream)
    columns = ("rank", "bot", "elo", "±95 %", "meetings", "W/T/L", "mean points", "faults")
    show_table(columns, map(_standing, board.standings), stream)
    if by_opponent(board.standings):
        say(f"W/T/L: {BY_OPPONENT}", stream)
    if board.low and board.standings:
        say(LOWER, stream)
    if any(row.provisional for row in board.standings):
        say("? = not settled yet: few meetings, a wide interval, or no fit yet; it may still move a lot", stream)
    if any(below.elo - above.elo > SAME for above, below in pairwise(board.standings)):
        say("the order is by rating less two standard errors: who is surely good stands above who may be", stream)
    if any(row.ci95 is not None for row in board.standings):
        say("elo: the fit of all games; `lastcard ladder history` shows live elo (docs/ratings.md)", stream)
    elif board.standings:
        say("elo: live elo, from match to match; there is no fit of all games yet (docs/ratings.md)", stream)
    if board.weights:
        say(_weights(board.weights[-1], board.weights[0]), stream)
        if not board.corrected:
            say("luck is in all ratings that are shown: these weights take it out where workers compute it", stream)
        if not board.house_rounds:
            say("no house games: nobody has measured what the house usually scores under these rules", stream)


def _weights(newest: LuckWeights, first: LuckWeights) -> str:
    """Say which weights hold now."""
    since = f"from match number {newest.from_seq} on"
    if not newest.own:
        again = "again " if newest.lc_version == first.lc_version else ""
        when = f", {again}{since}" if newest.from_seq > 1 else ""
        return f"luck: weights {newest.lc_version}, as they are shipped{when}"
    house = f", with house games of {newest.house}" if newest.house else ""
    own = f"this ladder's own, fitted on {newest.rounds:,} earlier rounds, {since}"
    return f"luck: weights {newest.lc_version}, {own}{house}"


def show_profiles(profiles: Iterable[Profile], stream: TextIO | None = None) -> None:
    """List bots."""
    rows = (
        (
            profile.name,
            profile.owner,
            state_of(profile),
            profile.versions[-1].id if profile.versions else "-",
            when(profile.created_ms),
        )
        for profile in profiles
    )
    show_table(("bot", "owner", "state", "newest", "registered"), rows, stream)


def show_profile(profile: Profile, stream: TextIO | None = None) -> None:
    """Show a bot and its versions."""
    say(
        f"{profile.name}: {state_of(profile)}, owned by {profile.owner}, registered {when(profile.created_ms)}",
        stream,
    )
    rows = ((version.id, version.version, when(version.created_ms)) for version in profile.versions)
    if profile.versions:
        show_table(("version", "called", "first seen"), rows, stream)
    else:
        say("it has not connected yet", stream)


def show_matches(bot: str, matches: Iterable[Summary], stream: TextIO | None = None) -> None:
    """List matches as one bot sees them."""
    rows = []
    for match in matches:
        mine = match.of_bot(bot)
        others = [entrant for index, entrant in enumerate(match.entrants) if index not in mine]
        won = "/".join(str(match.wins[index]) for index in mine) if match.wins else "-"
        faults = "/".join(str(match.faults[index]) for index in mine) if match.faults else "-"
        became = match.outcome or match.state
        row = (when(match.ended_ms), match.id, match.format, ", ".join(match.entrants[index] for index in mine),
               ", ".join(others), became, match.games_done, won, faults, worded(match.reason))  # fmt: skip
        rows.append(row)
    columns = ("ended", "match", "format", "as", "against", "state", "games", "won", "faults", "reason")
    show_table(columns, rows, stream)
    if any(row[5] in LOST for row in rows):
        say(UNCOUNTED, stream)


def state_of(profile: Profile) -> str:
    """Return in words whether a bot is there."""
    state = "retired" if profile.retired else "online" if profile.online else "offline"
    return f"{state}, house" if profile.house else state


def say(text: str | Text, stream: TextIO | None = None) -> None:
    """Print a line as it is."""
    _console(stream).print(_text(text))


def show_table(columns: Sequence[str], rows: Iterable[Sequence[object]], stream: TextIO | None = None) -> None:
    """Print rows under their columns."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        word = column in WORDS
        table.add_column(column, justify="left" if word else "right", no_wrap=not word, overflow="fold")
    for row in rows:
        table.add_row(*map(_text, row))
    target = stream or sys.stdout
    if target.isatty():
        _console(target).print(table)
        return
    lines = io.StringIO()
    _console(lines).print(table)
    target.writelines(f"{line.rstrip()}\n" for line in lines.getvalue().splitlines())


def when(milliseconds: int) -> str:
    """Return a moment in UTC; "-" for what has not happened."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M") if milliseconds else "-"


def _standing(row: Standing) -> tuple[str, ...]:
    return (
        str(row.rank),
        row.bot,
        f"{row.elo:.0f}{'?' if row.provisional else ''}",
        "-" if row.ci95 is None else f"{row.ci95:.0f}",
        str(row.meetings),
        f"{row.wins}/{row.ties}/{row.losses}",
        f"{row.mean_points:.1f}",
        str(row.faults),
    )


def _text(value: object) -> Text:
    """Return a value as it is printed: what has a style keeps it."""
    return value if isinstance(value, Text) else Text(str(value))


def _console(stream: TextIO | None) -> Console:
    target = stream or sys.stdout
    tty = target.isatty()
    return Console(file=target, width=None if tty else PIPE_WIDTH, soft_wrap=not tty, highlight=False)
