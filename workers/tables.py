"""Tournaments as tables for people; plain lines where there is no terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import timedelta
from typing import TextIO

from ladder import shapes
from ladder.extent import never_came
from ladder.standings import Standing
from ladder.tables import PairResult, Table
from ladder.terminal import say, show_table, when
from lastcard.console import counted
from workers.engine import correctable, messages
from workers.progress import how_far
from workers.record import Plan, Record, finish_ms
from workers.spec import TournamentSpec

__all__ = ["show_pairs", "show_plan", "show_record", "show_records"]

STANDING = ("rank", "bot", "elo", "±95 %", "ranks", "meetings", "W/T/L", "mean points", "faults")
PAIR = ("bot", "other bot", "score", "expected", "z", "points", "other points", "games", "elo", "±95 %", "LOS")
MOST_ODD = 5
"""Pairs whose scores ratings do not explain that are named below a table."""
LUCK = ("raw elo", "luck")
"""Columns more where luck was taken out: the rating with it, and how much of a game it was on average."""


def show_plan(plan: Plan, spec: TournamentSpec, now_ms: int, stream: TextIO | None = None) -> None:
    """Say what a tournament would play."""
    summary, sent = plan.summary, messages(spec.format, plan.summary.games)
    matches = counted(summary.matches, "match", "matches")
    say(f"{matches}, {counted(summary.meetings, 'meeting')}, {counted(summary.games, 'game')}", stream)
    if sent is not None:
        say(f"about {counted(sent, 'decision')} to be sent and answered", stream)
    say(f"each bot plays at least {counted(summary.meetings_per_bot, 'meeting')}", stream)
    over_ms = finish_ms(plan, spec, now_ms)
    until = f", until {shapes.instant(over_ms)}" if over_ms is not None else ""
    say(f"about {_duration(summary.seconds)} of play{until}", stream)
    if summary.expected_ci95 is not None:
        say(f"ratings to about ±{summary.expected_ci95:.0f} Elo (95 %)", stream)
    for moment in plan.next_starts:
        say(f"starts {shapes.instant(moment)}", stream)


def show_record(record: Record, stream: TextIO | None = None) -> None:
    """Show a tournament, with its standings once there are any."""
    summary, bots = record.plan.summary, len(record.entrants) or len(record.spec.bots)
    who = counted(bots, "bot") if bots else "all bots"
    say(f"{record.spec.name}: {record.state}, {record.spec.format}, {who}", stream)
    if record.reason:
        say(f"{record.state}: {record.reason}", stream)
    say(f"{how_far(record)}, {record.games_done}/{counted(summary.games, 'game')}", stream)
    for absent in record.table.walkovers:
        say(never_came(absent), stream)
    if record.eta_s is not None and not record.state.over:
        say(f"about {_duration(record.eta_s)} to go", stream)
    for moment in record.plan.next_starts:
        say(f"starts {shapes.instant(moment)}", stream)
    rows = record.table.standings
    if rows:
        rated = not record.spec.unrated and any(row.ci95 is not None for row in rows)
        say(f"{'rated by' if rated else 'not rated,'} ruleset {record.ruleset}", stream)
    if not rows:
        return
    ranges = record.table.ranges()
    lines = [_standing(row, ranges[row.bot]) for row in rows]
    if any(row.luck is not None for row in rows):
        show_table((*STANDING, *LUCK), ((*line, *_luck(row)) for line, row in zip(lines, rows, strict=True)), stream)
        say("luck: the share of a game that chance gave; elo is without it, raw elo with it (docs/ratings.md)", stream)
    else:
        show_table(STANDING, lines, stream)
        say(_with_luck(record), stream)
    if any(row.provisional and row.ci95 is not None for row in rows):
        say("? = not settled: few meetings, a wide interval, or luck that is still to be taken out", stream)
    _show_remarks(record.table, stream)


def show_pairs(table: Table, stream: TextIO | None = None) -> None:
    """Show every pair that met: its score beside what ratings let expect."""
    show_table(PAIR, map(_pair, table.pairs), stream)
    say("z: deviations of chance between score and expectation; LOS: likelihood that the first is stronger", stream)


def _show_remarks(table: Table, stream: TextIO | None) -> None:
    """Say what seats are worth, and whose scores ratings do not explain."""
    if table.seats:
        say(f"score by seat, first to last: {', '.join(f'{score:.1%}' for score in table.seats)}", stream)
    for pair in table.odd_pairs[:MOST_ODD]:
        say(
            f"{pair.a} scored {pair.score:.1%} against {pair.b}, ratings let expect {pair.expected:.1%} "
            f"(z {pair.z:+.1f}): strength alone does not explain it",
            stream,
        )


def _with_luck(record: Record) -> str:
    """Return in words which rating a table shows that has luck in it."""
    if all(row.ci95 is None for row in record.table.standings):
        return "no elo: nothing was played that says who is stronger; the order is by score"
    if not correctable(record.spec.format):
        return "elo is of the games as they were played: under these rules luck stays in it (docs/ratings.md)"
    if not record.luck:
        return "elo is of the games as they were played: nobody computes luck here (LASTCARD_LUCK=0)"
    again = f"lastcard tournament show {record.spec.name}"
    return f"elo has the luck of the cards in it; `{again}` has it without, once workers have computed that"


def show_records(records: Iterable[Record], stream: TextIO | None = None) -> None:
    """List tournaments."""
    rows = (
        (
            record.spec.name,
            record.state,
            record.spec.format,
            len(record.entrants) or len(record.spec.bots) or "all",
            how_far(record),
            when(record.created_ms),
        )
        for record in records
    )
    show_table(("tournament", "state", "format", "bots", "matches", "created"), rows, stream)


def _pair(pair: PairResult) -> tuple[str, ...]:
    return (
        pair.a,
        pair.b,
        f"{pair.score:.1%}",
        f"{pair.expected:.1%}",
        f"{pair.z:+.1f}{'!' if pair.odd else ''}",
        f"{pair.points_a:.1f}",
        f"{pair.points_b:.1f}",
        str(pair.games),
        f"{pair.elo:+.0f}",
        f"{pair.ci95:.0f}",
        f"{pair.los:.1%}",
    )


def _standing(row: Standing, ranks: tuple[int, int]) -> tuple[str, ...]:
    best, worst = ranks
    return (
        str(row.rank),
        row.bot,
        "-" if row.ci95 is None else f"{row.elo:.0f}{'?' if row.provisional else ''}",
        "-" if row.ci95 is None else f"{row.ci95:.0f}",
        "-" if row.ci95 is None else str(best) if best == worst else f"{best}-{worst}",
        str(row.meetings),
        f"{row.wins}/{row.ties}/{row.losses}",
        f"{row.mean_points:.1f}",
        str(row.faults),
    )


def _luck(row: Standing) -> tuple[str, str]:
    return "-" if row.ci95 is None else f"{row.raw_elo:.0f}", "-" if row.luck is None else f"{row.luck:+.3f}"


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds))) if math.isfinite(seconds) else "an unknown time"
