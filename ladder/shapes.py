"""How things look as JSON, the same behind every `--json` and every address of the API; and rows as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from ladder.commentary import names
from ladder.stand import Stand
from lastcard.faces import CARDS, COLORS, cards
from lastcard.history import Event, read_events
from lastcard.story import plain, story
from lastcard.words import ENDINGS

if TYPE_CHECKING:
    from ladder.readings.boards import Board
    from ladder.readings.fixtures import Fixture
    from ladder.readings.profiles import Profile
    from ladder.readings.reports import Report
    from ladder.readings.summaries import Summary
    from ladder.readings.watcher import Glimpse
    from ladder.standings import Standing
    from ladder.store.audit import Deed
    from ladder.store.live import LiveTable, SceneEnd
    from ladder.tables import PairResult, Table


Shape = dict[str, Any]

STANDING: Final = ("rank", "bot", "elo", "ci95", "meetings", "wins", "ties", "losses", "mean_points", "faults")
"""Columns of every table of standings."""
OF_LADDER: Final = (*STANDING, "raw_elo", "luck", "provisional")
"""Columns of ladders and tournaments: with luck left in, what was taken out, and whether the rating is settled."""
OF_TOURNAMENT: Final = (*OF_LADDER, "walkovers")
"""Columns of tournaments: with the meetings to which somebody never came."""
RANKS: Final = ("best_rank", "worst_rank")
"""Columns of CSV more: the ranks that a bot may have; in JSON they are `ranks`."""
PAIR: Final = ("a", "b", "score", "elo", "ci95", "games", "points_a", "points_b", "expected", "z", "los", "odd")
VERSIONS: Final = "lc_versions"
"""The last column of CSV with ratings, the same in every line: by which weights luck was taken out of them."""
DIGITS: Final = 9
"""Behind the point of numbers in CSV, at most."""
FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a cell must not begin, or a spreadsheet takes it for a formula."""


def standing(row: Standing, columns: Sequence[str] = STANDING) -> Shape:
    """Return a row of a table of standings."""
    return {column: getattr(row, column) for column in columns}


def pair(result: PairResult) -> Shape:
    """Return the result of a pair."""
    return {column: getattr(result, column) for column in PAIR}


def board(found: Board) -> Shape:
    """Return the standings of a ladder."""
    return {
        "format": found.format,
        "ruleset": found.ruleset,
        "seq": found.seq,
        "matches": found.matches,
        "lower_is_better": found.low,
        "weights": [
            {"lc_version": one.lc_version, "from": one.from_seq, "rounds": one.rounds, "house": one.house or None}
            for one in found.weights
        ],
        "house_rounds": found.house_rounds,
        "standings": [standing(row, OF_LADDER) for row in found.standings],
    }


def profile(bot: Profile) -> Shape:
    """Return a bot."""
    return {
        "name": bot.name,
        "owner": bot.owner,
        "created": instant(bot.created_ms),
        "online": bot.online,
        "house": bot.house,
        "retired": bot.retired,
        "versions": [
            {"id": version.id, "version": version.version, "created": instant(version.created_ms)}
            for version in bot.versions
        ],
    }


def summary(match: Summary) -> Shape:
    """Return a match."""
    return {
        "id": match.id,
        "format": match.format,
        "ruleset": match.ruleset,
        "entrants": list(match.entrants),
        "meetings": match.meetings,
        "state": match.state,
        "outcome": match.outcome or match.state,
        "reason": match.reason or None,
        "tournament": match.tournament or None,
        "commitment": match.commitment or None,
        "games_done": match.games_done,
        "wins": list(match.wins),
        "faults": list(match.faults),
        "created": instant(match.created_ms),
        "ended": instant(match.ended_ms),
    }


def glimpse(seen: Glimpse) -> Shape:
    """Return what one who watches a match is told."""
    return {
        "match": summary(seen.match),
        "live": seen.live,
        "playing": seen.playing,
        "skipped": seen.skipped,
        "tables": [live_table(table, seen.match.entrants) for table in seen.tables],
    }


def live_table(table: LiveTable, entrants: Sequence[str]) -> Shape:
    """Return a table as everybody sees it; cards are written as bots see them, hidden ones are null."""
    bots, events = names(table, entrants), events_of(table)
    return {
        "meeting": table.meeting,
        "game": table.game,
        "round": table.round,
        "seats": [
            {"bot": name, "cards": held, "score": score}
            for name, held, score in zip(bots, table.counts, table.scores, strict=True)
        ],
        "turn": table.turn,
        "top": _face(table.top),
        "color": COLORS[table.color],
        "direction": "clockwise" if table.direction == 1 else "counterclockwise",
        "draw_pile": table.draw_pile,
        "discard_pile": table.discard_pile,
        "pending": table.pending,
        "row": [str(face) for face in cards(table.row)],
        "first_event": table.first,
        "events": [
            {"number": one.number, "kind": one.kind, "seat": one.seat, "card": one.card, "arg": one.arg}
            for one in events
        ],
        "story": [plain(sentence) for sentence in story(events, bots)],
        "end": table.end and _end(table.end),
    }


def events_of(table: LiveTable) -> list[Event]:
    """Return the events of a table as a bot reads them."""
    return read_events(table.first, *table.columns())


def _face(code: int) -> str | None:
    return str(CARDS[code]) if code else None


def _end(end: SceneEnd) -> Shape:
    return {
        "ending": ENDINGS[end.ending],
        "places": list(end.places),
        "points": list(end.points),
        "game_over": bool(end.game_places),
        "game_places": list(end.game_places),
    }


def deed(done: Deed) -> Shape:
    """Return what an operator did."""
    return {
        "at": instant(done.at_ms),
        "who": done.who,
        "verb": done.verb,
        "target": done.target,
        "reason": done.reason or None,
    }


DESCRIPTION: Final = {
    "kind": "kind",
    "all": "all",
    "cycles": "cycles",
    "deals": "deals",
    "schedule_seed": "schedule_seed",
    "cron": "cron",
    "timezone": "timezone",
    "grace_seconds": "grace_s",
    "deadline_seconds": "deadline_s",
    "trusted": "trusted",
    "unrated": "unrated",
    "nonces": "nonces",
}
"""What is shown of a tournament's description, by the name that it is stored under."""


def fixture(found: Fixture) -> Shape:
    """Return a tournament without its table."""
    row = found.row
    stand = Stand(
        state=row.state,
        reason=row.reason,
        meetings=found.meetings,
        entrants=row.entrants,
        missing=found.awaited.bots,
        other_versions=found.awaited.others,
        not_offering=found.awaited.not_offering,
        matches=row.matches,
        created=row.created,
        done=row.done,
        lost=row.lost,
        replayed=row.again,
        parked=row.parked,
        voids=found.voids,
        games_done=row.games_done,
        games_per_second=found.games_per_second,
        eta_s=found.eta_s,
        commitment=row.commitment,
        deal_seed=row.deal_seed or b"",
        created_ms=row.created_ms,
        started_ms=row.started_ms,
        ended_ms=row.ended_ms,
    )
    return tournament(found.spec, stand)


def tournament(described: Mapping[str, Any], stand: Stand) -> Shape:
    """Return a tournament without its table, the same for whoever tells it; `described`: the fields of its spec."""
    return {
        "name": described["name"],
        "format": described["format"],
        "state": stand.state,
        "reason": stand.reason or None,
        "bots": list(described.get("bots", ())),
        "entrants": list(stand.entrants),
        "missing": list(stand.missing),
        "other_versions": list(stand.other_versions),
        "not_offering": list(stand.not_offering),
        "meetings": stand.meetings or None,
        "size": described.get("size") or None,
        "sprt": _sprt(described.get("sprt")),
        **{shown: _plain(described.get(stored)) for shown, stored in DESCRIPTION.items()},
        "matches": stand.matches,
        "matches_created": stand.created,
        "matches_done": stand.done,
        "matches_lost": stand.lost,
        "matches_replayed": stand.replayed,
        "matches_parked": stand.parked,
        "voids": [{"reason": reason, "matches": matches} for reason, matches in stand.voids],
        "games_done": stand.games_done,
        "games_per_second": round(stand.games_per_second, 3),
        "eta_seconds": stand.eta_s,
        "commitment": stand.commitment or None,
        "deal_seed": stand.deal_seed.hex() or None,
        "start": instant(described.get("start_ms") or stand.started_ms),
        "created": instant(stand.created_ms),
        "started": instant(stand.started_ms),
        "ended": instant(stand.ended_ms),
    }


def _sprt(judged: Mapping[str, Any] | None) -> Shape | None:
    """Return what `lastcard sprt` asks of a tournament."""
    return {"bounds": [judged["elo0"], judged["elo1"]], "luck": judged["luck"]} if judged else None


def of_table(table: Table) -> Shape:
    """Return the table of a tournament."""
    return {
        "format_known": table.known,
        "lc_versions": list(table.lc_versions),
        "standings": [standing(row, OF_TOURNAMENT) for row in table.standings],
        "pairs": [pair(row) for row in table.pairs],
        "ranks": [{"bot": bot, "best": best, "worst": worst} for bot, (best, worst) in table.ranges().items()],
        "groups": [list(group) for group in table.groups],
        "seats": list(table.seats),
        "walkovers": [{"bot": row.bot, "games": row.games} for row in table.walkovers],
    }


def night_report(report: Report) -> dict[str, Any]:
    """Return what a nightly look through a ladder found."""
    return {"at": instant(report.at_ms), **json.loads(report.text())}


def instant(milliseconds: int) -> str | None:
    """Return a moment as RFC 3339 in UTC; None for 0, what has not happened."""
    if not milliseconds:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def board_csv(found: Board) -> str:
    """Return the standings of a ladder as CSV."""
    return _rated_csv(OF_LADDER, (standing(row, OF_LADDER) for row in found.standings), found.lc_versions)


def standings_csv(table: Table) -> str:
    """Return the standings of a tournament as CSV."""
    may = {bot: dict(zip(RANKS, (row.best, row.worst), strict=True)) for bot, row in table.shown_ranks().items()}
    rows = (dict.fromkeys(RANKS) | standing(row, OF_TOURNAMENT) | may.get(row.bot, {}) for row in table.standings)
    return _rated_csv((*OF_TOURNAMENT, *RANKS), rows, table.lc_versions)


def pairs_csv(table: Table) -> str:
    """Return every pair of a tournament as CSV."""
    return _rated_csv(PAIR, map(pair, table.pairs), table.lc_versions)


def _rated_csv(columns: Sequence[str], rows: Iterable[Shape], versions: Sequence[str]) -> str:
    return csv_table((*columns, VERSIONS), (row | {VERSIONS: versions} for row in rows))


def csv_table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows as CSV with a line of headings; lists are joined by semicolons; `true` and `false` as in JSON."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(row[column]) for column in columns] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, list | tuple):
        value = ";".join(map(str, value))
    if isinstance(value, str) and value.startswith(FORMULAS):
        return f"'{value}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0  # no digits that come of adding, and no minus before zero
    return "" if value is None else value


def _plain(value: object) -> object:
    return None if value == "" else value
