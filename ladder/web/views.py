"""What the templates draw: rows in the chosen order with their bars, and the crosstable with its shades."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final
from urllib.parse import urlencode

from ladder.errors import InvalidFieldError
from ladder.scoreline import score_of
from ladder.standings import SAME, Z95, Standing, by_opponent
from ladder.tables import PairResult, RankRange, Table
from ladder.web.chart import Bar, Scale, bars

MOST_ROWS: Final = 200
"""Rows of a table of standings on a page."""
MOST_CROSSED: Final = 40
"""Bots of a crosstable on a page; JSON and CSV have all."""
SHADES: Final = (
    (0.65, "up3"),
    (0.57, "up2"),
    (0.52, "up1"),
    (0.48, ""),
    (0.43, "down1"),
    (0.35, "down2"),
    (0.0, "down3"),
)
SORTS: Final[dict[str, tuple[Callable[[Standing], float | str], bool]]] = {
    "rank": (lambda row: row.rank, False),
    "bot": (lambda row: row.bot, False),
    "elo": (lambda row: row.elo, True),
    "meetings": (lambda row: row.meetings, True),
    "wins": (lambda row: row.wins, True),
    "mean_points": (lambda row: row.mean_points, True),
    "faults": (lambda row: row.faults, True),
}
"""By column: its value, and whether the first click sorts downwards."""


@dataclass(frozen=True, slots=True)
class Line:
    """A standing with its bar."""

    standing: Standing
    bar: Bar
    estimated: bool
    """The bar's length is what a rating of this age usually misses, not the interval of a fit."""
    label: str
    """The bar in words."""
    rated: bool = True
    """Whether there is a rating: in a tournament only a fit tells one."""
    ranks: str = ""
    """The ranks that it may have; empty where nobody knows them."""


@dataclass(frozen=True, slots=True)
class Sorting:
    """The order of a table."""

    column: str = "rank"
    descending: bool = False

    @classmethod
    def of(cls, found: Mapping[str, str]) -> Sorting:
        """Return what the parameters of a page say.

        Raises:
            InvalidFieldError: there is no such column or order.
        """
        column, order = found.get("sort", "rank"), found.get("order", "")
        if column not in SORTS:
            sentence = f"no column {column!r} to sort by"
            raise InvalidFieldError("BAD_SORT", sentence, field="sort", value=column, allowed=SORTS)
        if order not in {"", "asc", "desc"}:
            sentence = f"no order {order!r}"
            raise InvalidFieldError("BAD_ORDER", sentence, field="order", value=order, allowed=["asc", "desc"])
        return cls(column, SORTS[column][1] if not order else order == "desc")

    def parameters(self) -> list[tuple[str, str]]:
        """Return it as parameters of an address."""
        usual = SORTS[self.column][1] == self.descending
        return [("sort", self.column), *([] if usual else [("order", "desc" if self.descending else "asc")])]

    def clicked(self, column: str) -> Sorting:
        """Return the order after a click on the heading of a column; the current one turns around."""
        return Sorting(column, SORTS[column][1] if column != self.column else not self.descending)


@dataclass(frozen=True, slots=True)
class StandingsView:
    """A table of standings as it is drawn, or a part of a long one."""

    lines: tuple[Line, ...]
    axis: Scale
    sorting: Sorting
    first: int
    """Number of its first row, from 1."""
    total: int
    """Rows in all."""
    filters: tuple[tuple[str, str], ...] = ()
    fits: bool = False
    """Only a fit tells ratings, and the order is by them."""

    @property
    def ranged(self) -> bool:
        """Whether it is said which ranks bots may have."""
        return any(line.ranks for line in self.lines)

    @property
    def by_opponent(self) -> bool:
        """Whether games are counted against each of several opponents."""
        return by_opponent(line.standing for line in self.lines)

    @property
    def undealt(self) -> bool:
        """Whether there are meetings to which somebody never came."""
        return any(line.standing.walkovers for line in self.lines)

    @property
    def estimated(self) -> bool:
        """Whether a bar is none of a fit."""
        return any(line.estimated and line.bar.high > line.bar.low for line in self.lines)

    @property
    def unsettled(self) -> bool:
        """Whether a rating is not settled."""
        return any(line.standing.provisional and line.rated for line in self.lines)

    @property
    def rated(self) -> bool:
        """Whether there is a rating to be drawn."""
        return any(line.rated for line in self.lines)

    @property
    def inverted(self) -> bool:
        """Whether in the order of ranks a rating stands above a higher one."""
        ranked = sorted(self.lines, key=lambda line: line.standing.rank)
        return not self.fits and any(other.standing.elo - one.standing.elo > SAME for one, other in pairwise(ranked))

    def href(self, column: str) -> str:
        """Return the address of the same table after a click on the heading of a column."""
        return "?" + urlencode([*self.sorting.clicked(column).parameters(), *self.filters])

    def part(self, first: int) -> str:
        """Return the address of the part that begins with a row."""
        return "?" + urlencode([*self.sorting.parameters(), *self.filters, ("from", str(first))])

    @property
    def before(self) -> int:
        """Number of the first row of the part before this one."""
        return max(1, self.first - MOST_ROWS)

    @property
    def last(self) -> int:
        """Number of its last row."""
        return self.first + len(self.lines) - 1


def standings_view(
    rows: Sequence[Standing],
    sorting: Sorting,
    errors: Mapping[str, float] | None = None,
    *,
    first: int = 1,
    filters: Iterable[tuple[str, str]] = (),
    fits: bool = False,
    ranks: Mapping[str, RankRange] | None = None,
) -> StandingsView:
    """Return standings in an order.

    Args:
        rows: The standings.
        sorting: Their order.
        errors: Standard errors by bot, for those that no fit has an interval of.
        first: Number of the first row to show.
        filters: What else the address of the table says.
        fits: Only a fit tells ratings, as in a tournament.
        ranks: That a bot may have, by bot, where that is known.
    """
    ordered = sorted(rows, key=SORTS[sorting.column][0], reverse=sorting.descending)
    shown = ordered[first - 1 : first - 1 + MOST_ROWS]
    settled = {row.bot for row in rows if not row.provisional} or {row.bot for row in rows}
    widths = [(row.elo, half_width(row, errors or {})) for row in shown]
    drawn = bars(widths, [row.bot in settled for row in shown])
    may = {bot: str(found) for bot, found in (ranks or {}).items()}
    lines = (
        Line(
            row,
            bar,
            row.ci95 is None,
            _label(row),
            rated=row.ci95 is not None or not fits,
            ranks=may.get(row.bot, ""),
        )
        for row, bar in zip(shown, drawn.bars, strict=True)
    )
    return StandingsView(tuple(lines), drawn.axis, sorting, first, len(rows), tuple(filters), fits)


def half_width(row: Standing, errors: Mapping[str, float]) -> float | None:
    """Return how far a rating may be off: by its fit, else what is usual after so many rounds; None if unknown."""
    if row.ci95 is not None:
        return row.ci95
    usual = Z95 * errors.get(row.bot, math.inf)
    return usual if math.isfinite(usual) else None


def _label(row: Standing) -> str:
    if row.ci95 is not None:
        return f"{row.elo:.0f}, 95 % between {row.elo - row.ci95:.0f} and {row.elo + row.ci95:.0f}"
    return f"{row.elo:.0f}, not settled"


@dataclass(frozen=True, slots=True)
class Cell:
    """One pair in the crosstable, seen from the row."""

    opponent: str
    games: int
    score: float
    expected: float
    shade: str
    z: float = 0.0
    """Deviations of chance between the two; beyond 3 strength alone does not explain the score."""


@dataclass(frozen=True, slots=True)
class CrossLine:
    """One row of the crosstable; None is the bot itself."""

    bot: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Cross:
    """A crosstable, best first."""

    names: tuple[str, ...]
    lines: tuple[CrossLine, ...]
    hidden: int
    """Bots that there was no room for."""


def crosstable(table: Table) -> Cross:
    """Return every pair from both sides, in the order of the standings."""
    names = tuple(row.bot for row in table.standings)
    shown = names[:MOST_CROSSED]
    known = {(pair.a, pair.b): pair for pair in table.pairs}
    lines = (CrossLine(bot, tuple(_cell(bot, other, known) for other in shown)) for bot in shown)
    return Cross(shown, tuple(lines), len(names) - len(shown))


def _cell(bot: str, other: str, known: dict[tuple[str, str], PairResult]) -> Cell | None:
    if bot == other:
        return None
    straight, turned = known.get((bot, other)), known.get((other, bot))
    if straight:
        return _shaded(other, straight.games, straight.score, straight.elo, straight.z)
    if turned:
        return _shaded(other, turned.games, 1 - turned.score, -turned.elo, -turned.z)
    return Cell(other, 0, 0.0, 0.0, "")


def _shaded(opponent: str, games: int, score: float, elo: float, z: float) -> Cell:
    shade = next(shade for least, shade in SHADES if score >= least)
    return Cell(opponent, games, score, score_of(elo), shade, z)
