"""Tournaments as tables for people; plain lines where there is no terminal."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import TextIO

from ladder.extent import deadline, left_out, listed, never_met, too_few, unplayed, waiting_for, were_missing, withheld
from ladder.scoreline import percent
from ladder.standings import BY_OPPONENT, Standing, by_opponent
from ladder.tables import PairResult, RankRange, Table
from ladder.terminal.screen import LOWER, say, show_table, when
from lastcard.console import counted
from workers.engine import correctable, lower_is_better, messages, weighed
from workers.tournaments.forecast import LEAST_GAMES, LEAST_S
from workers.tournaments.life import State
from workers.tournaments.moments import moment
from workers.tournaments.progress import about, between, games, how_far, shortage
from workers.tournaments.spec import Kind, TournamentSpec
from workers.tournaments.tournament_status import Plan, TournamentStatus, finish_ms

__all__ = [
    "UNMEASURED",
    "other_than",
    "pairs_without",
    "show_pairs",
    "show_plan",
    "show_tournament",
    "show_tournaments",
]

STANDING = ("rank", "bot", "elo", "±95 %", "ranks", "meetings", "W/T/L", "mean points", "faults")
PAIR = ("bot", "other bot", "score", "expected", "z", "points", "other points", "games", "elo", "±95 %", "LOS")
MOST_ODD = 5
"""Pairs whose scores ratings do not explain that are named below a table."""
COUNTED = "games count as soon as they are played, matches once all of their games are, and they are rated"
UNMEASURED = (
    "nothing was measured here lately, which takes a tournament of {}, or other matches of it, "
    f"with {LEAST_GAMES} games and {counted(LEAST_S, 'second')} of play"
)
WALKOVERS = ("by walkover",)
"""A column more where somebody never came: meetings that count in a row and were not dealt."""
LUCK = ("raw elo", "luck")
"""Columns more where luck was taken out: the rating with it, and how much of a game it was on average."""


def show_plan(plan: Plan, spec: TournamentSpec, now_ms: int, stream: TextIO | None = None) -> None:
    """Say what a tournament would play."""
    if short := too_few(spec.format, plan.bots, plan.fewest):
        say(f"nothing to play as it is: {short}", stream)
        _show_starts(spec, plan.next_starts, stream)
        return
    summary, sent = plan.summary, messages(spec.format, plan.summary.games)
    matches = counted(summary.matches, "match", "matches")
    say(f"{matches}, {counted(summary.meetings, 'meeting')}, {counted(summary.games, 'game')}", stream)
    if sent is not None:
        say(f"about {counted(sent, 'decision')} to be sent and answered", stream)
    each = _meetings(plan, spec)
    say(f"{each}; size {spec.size}: {summary.per_pairing} of each pairing or table" if spec.size else each, stream)
    for line in _duration(plan, spec, now_ms):
        say(line, stream)
    if summary.expected_ci95 is not None:
        say(f"ratings to about ±{summary.expected_ci95:.0f} Elo (95 %)", stream)
    _show_starts(spec, plan.next_starts, stream)


def _meetings(plan: Plan, spec: TournamentSpec) -> str:
    """Return in words how many meetings each bot plays."""
    summary = plan.summary
    fewest = counted(summary.meetings_per_bot, "meeting")
    if summary.meetings_per_bot * plan.bots == summary.games:  # in a meeting everybody at the table leads one game
        return f"each bot plays {fewest}"
    if spec.kind is Kind.GAUNTLET:
        first = listed(spec.bots[: spec.side])
        return f"{first} plays {counted(summary.meetings, 'meeting')}, each of the others {fewest}"
    return f"each bot plays at least {fewest}"


def _duration(plan: Plan, spec: TournamentSpec, now_ms: int) -> tuple[str, ...]:
    """Return in words how long it takes, how sure that is, and when it is over; of an older ladder the first only."""
    summary = plan.summary
    if not summary.most_s:
        return (about(summary.seconds),)
    known = f"as {counted(summary.measured, 'game')} of {spec.format} took here lately"
    whence = known if summary.measured else f"where bots answer at once: {UNMEASURED.format(spec.format)}"
    ends = (finish_ms(plan, spec, now_ms, seconds) for seconds in (summary.least_s, summary.most_s))
    first, last = (end and moment(end, spec.timezone) for end in ends)
    over = (f"over between {first} and {last}",) if first and last else ()
    return (f"{about(summary.seconds)}, {between(summary.least_s, summary.most_s)}, {whence}", *over)


def other_than(asked: TournamentSpec, status: TournamentStatus) -> tuple[str, ...]:
    """Say so where it is not quite what was typed: its deals make it another format, or the ladder knows no sizes."""
    spec = status.spec
    sentences = []
    if spec.format != asked.format:
        ladder = "" if spec.unrated else f"; its ladder is another one than that of {asked.format}"
        sentences.append(f"with {spec.deals} deals this is the format {spec.format}{ladder}")
    if spec.size != asked.size:
        played = counted(spec.meetings, "meeting")
        sentences.append(
            f"the ladder is of an older version, which knows no sizes: this is {played} of each pairing; cancel it, "
            "and create another one with --meetings"
        )
    return tuple(sentences)


def show_tournament(status: TournamentStatus, stream: TextIO | None = None) -> None:
    """Show a tournament, with its standings once there are any."""
    _show_progress(status, stream)
    if status.table.standings:
        _show_standings(status, stream)
        _show_remarks(status.table, status.entrants, stream)


def _show_progress(status: TournamentStatus, stream: TextIO | None) -> None:
    """Say who plays what, how far it is, and what its schedule and its deals come from."""
    spec, bots = status.spec, len(status.entrants) or len(status.spec.bots)
    say(f"{spec.name}: {status.state}, {spec.format}, {counted(bots, 'bot') if bots else 'all bots'}", stream)
    if status.reason:
        say(f"{status.state}: {status.reason}", stream)
    say(_extent(status), stream)
    if status.games_done and not (status.state.over or spec.cron):
        say(COUNTED, stream)
    if spec.sprt is not None:
        say(f"sprt: {spec.bots[0]} against {spec.bots[1]}, {spec.sprt.words}", stream)
    if not status.ruleset:
        say(_gone(status), stream)
    for sentence in _away(status):
        say(sentence, stream)
    if status.eta_s is not None and not status.state.over:
        say(f"{about(status.eta_s)} to go", stream)
    if due := starting(status, now_ms()):
        say(due, stream)
    _show_starts(spec, status.plan.next_starts, stream)
    if not spec.cron:
        _show_seeds(status, stream)


def _away(status: TournamentStatus) -> Iterable[str]:
    """Yield who takes no part, who was waited for in vain, and who is waited for."""
    if never := left_out(status.spec.bots, status.entrants):
        yield never
    yield from were_missing(status.table.walkovers, status.entrants)
    if status.missing:
        yield waiting_for(status.missing, status.other_versions, status.not_offering, status.entrants)
    if short := shortage(status):
        yield f"waiting for bots: {short}"


def _show_seeds(status: TournamentStatus, stream: TextIO | None) -> None:
    """Say what its schedule and its deals come from, and how long tables wait for one another."""
    spec = status.spec
    say(f"schedule seed {spec.schedule_seed}", stream)
    seed = f"of seed {status.deal_seed.hex()}, " if status.deal_seed else ""
    say(f"{spec.deals} deals, {seed}committed to by {status.commitment}", stream)
    if status.state is State.FINISHED and not status.deal_seed and (secret := withheld(status.matches_parked)):
        say(secret, stream)
    if limit := deadline(spec.deals or "", spec.deadline_s):
        say(f"deadline {limit}", stream)


def starting(status: TournamentStatus, at_ms: int) -> str:
    """Say when a tournament is to begin that has not begun; nothing where that is as soon as its bots are there.

    `at_ms`: wall time; where the start is past it waits for a worker, for its bots, or to be resumed.
    """
    due = status.spec.start_ms
    if due is None or status.entrants or status.state.over:
        return ""
    return f"{'due since' if due < at_ms else 'starts'} {moment(due, status.spec.timezone)}"


def now_ms() -> int:
    """Return the wall time."""
    return time.time_ns() // 1_000_000


def _show_starts(spec: TournamentSpec, moments: Iterable[int], stream: TextIO | None) -> None:
    for start_ms in moments:
        say(f"starts {moment(start_ms, spec.timezone)}", stream)


def _show_standings(status: TournamentStatus, stream: TextIO | None) -> None:
    rows, ranks = status.table.standings, status.table.shown_ranks()
    rated = not status.spec.unrated and any(row.ci95 is not None for row in rows)
    say(f"{'rated by' if rated else 'not rated,'} ruleset {status.ruleset}", stream)
    corrected, undealt = status.table.corrected, any(row.walkovers for row in rows)
    columns = (*STANDING, *(WALKOVERS if undealt else ()), *(LUCK if corrected else ()))
    lines = (
        (
            *_standing(row, ranks.get(row.bot)),
            *((str(row.walkovers),) if undealt else ()),
            *(_luck(row) if corrected else ()),
        )
        for row in rows
    )
    show_table(columns, lines, stream)
    if by_opponent(rows):
        say(f"W/T/L: {BY_OPPONENT}", stream)
    if undealt:
        say("by walkover: so many of the meetings, to which somebody never came; no card of them was dealt", stream)
    if corrected:
        say("luck: the share of a game that chance gave; elo is without it, raw elo with it (docs/ratings.md)", stream)
        if versions := status.table.lc_versions:
            say(f"luck: weights {', then '.join(versions)}", stream)
    else:
        say(_with_luck(status), stream)
    if lower_is_better(status.spec.format):
        say(LOWER, stream)
    if any(row.provisional and row.ci95 is not None for row in rows):
        say("? = not settled: few meetings, a wide interval, or luck that is still to be taken out", stream)


def _extent(status: TournamentStatus) -> str:
    """Return in words how far it is, or what each run of a cron line is."""
    summary, spec = status.plan.summary, status.spec
    if spec.cron:
        size = f"{counted(summary.matches, 'match', 'matches')}, {counted(summary.games, 'game')}"
        each = size if summary.matches else "with who is there"
        return f"at {spec.cron!r} ({spec.timezone}), each time {each}{_size(status)}"
    return f"{how_far(status)}, {games(status)}{_size(status)}"


def _size(status: TournamentStatus) -> str:
    """Return in words what a size comes to; nothing where the organiser gave the meetings."""
    spec, reckoned = status.spec, counted(status.spec.meetings, "meeting")
    if spec.size is None:
        return ""
    if not spec.meetings:
        return f"; size {spec.size}: its meetings are reckoned when it begins"
    now = "" if status.entrants else ", with the bots that would play now"
    return f"; size {spec.size}: {reckoned} of each pairing or table{now}"


def _gone(status: TournamentStatus) -> str:
    """Return in words what follows where nobody there knows its format any more."""
    sentence = f"the ladder knows no format {status.spec.format} any more, and cannot read results without it"
    further = "put it back into the file of formats to go on, or cancel the tournament"
    return sentence if status.state.over else f"{sentence}: {further}"


def show_pairs(table: Table, stream: TextIO | None = None, without: Sequence[str] = ()) -> None:
    """Show every pair that met: its score beside what ratings let expect; and those `without` a row, in words."""
    if not table.pairs:
        say("no pair has a result: no game was dealt that counts", stream)
        return
    show_table(PAIR, map(_pair, table.pairs), stream)
    say("z: deviations of chance between score and expectation; LOS: likelihood that the first is stronger", stream)
    if without:
        few, have = counted(len(without), "pair"), "has" if len(without) == 1 else "have"
        say(f"{few} {have} no row, since no game of theirs was dealt that counts: {listed(without)}", stream)


def pairs_without(status: TournamentStatus) -> list[str]:
    """Return the pairs of opponents that have no result, in words; sides that stay together are no opponents."""
    side, entrants = status.spec.side, status.entrants
    sides = [entrants[start : start + side] for start in range(0, len(entrants), side)]
    meet = ((sides[0], other) for other in sides[1:]) if status.spec.kind is Kind.GAUNTLET else combinations(sides, 2)
    met = {frozenset((pair.a, pair.b)) for pair in status.table.pairs}
    pairs = (pair for one, other in meet for pair in product(one, other))
    return [f"{one} against {other}" for one, other in pairs if frozenset((one, other)) not in met]


def _show_remarks(table: Table, entrants: Sequence[str], stream: TextIO | None) -> None:
    """Say who is in no row, who never met, what seats are worth, and whose scores ratings do not explain."""
    if away := unplayed((row.bot for row in table.standings), entrants):
        say(away, stream)
    if apart := never_met(table.groups, entrants):
        say(apart, stream)
    if table.seats:
        say(f"score by seat, first to last: {', '.join(f'{score:.1%}' for score in table.seats)}", stream)
    for pair in table.odd_pairs[:MOST_ODD]:
        say(
            f"{pair.a} scored {pair.score:.1%} against {pair.b}, ratings let expect {pair.expected:.1%} "
            f"(z {pair.z:+.1f}): strength alone does not explain it",
            stream,
        )


def _with_luck(status: TournamentStatus) -> str:
    """Return in words which rating a table shows that has luck in it."""
    if all(row.ci95 is None for row in status.table.standings):
        return "no elo: nothing was played that says who is stronger; the order is by score"
    if not correctable(status.spec.format):
        return "elo is of the games as they were played: under these rules luck stays in it (docs/ratings.md)"
    if not status.luck:
        return "elo is of the games as they were played: nobody computes luck here (LASTCARD_LUCK=0)"
    if not weighed(status.spec.format):
        return "elo is of the games as they were played: no weights are shipped for these rules, so luck stays in it"
    again = f"lastcard tournament show {status.spec.name}"
    return f"elo has the luck of the cards in it; `{again}` has it without, once workers have computed that"


def show_tournaments(statuses: Iterable[TournamentStatus], stream: TextIO | None = None) -> None:
    """List tournaments."""
    rows = (
        (
            status.spec.name,
            ", ".join(filter(None, (status.state, starting(status, now_ms())))),
            status.spec.format,
            len(status.entrants) or len(status.spec.bots) or "all",
            f"at {status.spec.cron!r}" if status.spec.cron else how_far(status),
            when(status.created_ms),
        )
        for status in statuses
    )
    show_table(("tournament", "state", "format", "bots", "matches", "created"), rows, stream)


def _pair(pair: PairResult) -> tuple[str, ...]:
    return (
        pair.a,
        pair.b,
        f"{pair.score:.1%}",
        percent(pair.expected),
        f"{_signed(pair.z, 1)}{'!' if pair.odd else ''}",
        f"{pair.points_a:.1f}",
        f"{pair.points_b:.1f}",
        str(pair.games),
        _signed(pair.elo, 0),
        f"{pair.ci95:.0f}",
        percent(pair.los),
    )


def _standing(row: Standing, ranks: RankRange | None) -> tuple[str, ...]:
    return (
        str(row.rank),
        row.bot,
        "-" if row.ci95 is None else f"{row.elo:.0f}{'?' if row.provisional else ''}",
        "-" if row.ci95 is None else f"{row.ci95:.0f}",
        "-" if ranks is None else str(ranks),
        str(row.meetings),
        f"{row.wins}/{row.ties}/{row.losses}",
        f"{row.mean_points:.1f}",
        str(row.faults),
    )


def _signed(value: float, digits: int) -> str:
    """Return a number with its sign; what rounds to zero has no minus."""
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def _luck(row: Standing) -> tuple[str, str]:
    return "-" if row.ci95 is None else f"{row.raw_elo:.0f}", "-" if row.luck is None else _signed(row.luck, 3)
