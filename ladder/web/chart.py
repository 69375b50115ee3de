"""Where things are in a drawing: rating bars on one scale, and a rating over time. Numbers in, numbers out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

FLAT: Final = 0.01
"""A smaller difference is none that could be seen."""
STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight map from values to pixels, with round ticks."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]

    @property
    def labels(self) -> tuple[float, ...]:
        """The first and the last tick, and the middle one if there is one, for where there is little room."""
        middle = self.ticks[len(self.ticks) // 2 : len(self.ticks) // 2 + len(self.ticks) % 2]
        return (self.ticks[0], *(middle if len(self.ticks) > 2 else ()), self.ticks[-1])

    def at(self, value: float) -> float:
        """Return the pixel of a value, to a tenth; outside values stay at the border."""
        inside = min(max(value, self.low), self.high)
        part = (inside - self.low) / (self.high - self.low)
        return round(self.start + part * (self.end - self.start), 1)


def scale(values: Iterable[float], start: float, end: float, ticks: int = 5) -> Scale:
    """Return a scale that holds all values, with about so many ticks at round numbers."""
    known = [value for value in values if math.isfinite(value)] or [0.0]
    low, high = min(known), max(known)
    step = _step(high - low if high - low > FLAT else max(abs(high) * 0.02, 1.0), ticks)
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    marks = tuple(index * step for index in range(first, last + 1))
    return Scale(marks[0], marks[-1], start, end, marks)


def counted(low: float, high: float, start: float, end: float, ticks: int = 8) -> Scale:
    """Return a scale that ends exactly at both values, with ticks at round numbers between them."""
    step = max(_step((high - low) or 1.0, ticks), 1.0)
    first, last = math.ceil(low / step), math.floor(high / step)
    return Scale(low, high, start, end, tuple(index * step for index in range(first, last + 1)))


def _step(span: float, ticks: int) -> float:
    raw = span / ticks
    power = math.pow(10.0, math.floor(math.log10(raw)))
    return next(power * step for step in STEPS if power * step >= raw - 1e-12)


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating as a point with its 95 % interval, in pixels; without an interval both ends are the point."""

    low: float
    point: float
    high: float


@dataclass(frozen=True, slots=True)
class Bars:
    """The rating bars of a table, all on one scale."""

    axis: Scale
    bars: tuple[Bar, ...]


def bars(
    ratings: Sequence[tuple[float, float | None]],
    whole: Sequence[bool] = (),
    width: float = 200.0,
    margin: float = 6.0,
) -> Bars:
    """Return the bars of (rating, half width or None) on one common scale.

    `whole`: by rating, whether all of its bar has to be on the scale (empty: all of them); of another only the rating
    is, and its bar ends at the border.
    """
    wide = whole or [True] * len(ratings)
    kept = [
        (rating, (ci95 or 0.0) if all_of_it else 0.0) for (rating, ci95), all_of_it in zip(ratings, wide, strict=True)
    ]
    ends = [rating + sign * ci95 for rating, ci95 in kept for sign in (-1, 1)]
    axis = scale(ends, margin, width - margin, ticks=4)
    drawn = (
        Bar(axis.at(rating - (ci95 or 0)), axis.at(rating), axis.at(rating + (ci95 or 0))) for rating, ci95 in ratings
    )
    return Bars(axis, tuple(drawn))


@dataclass(frozen=True, slots=True)
class Curve:
    """A line over counted steps, in pixels."""

    width: float
    height: float
    across: Scale
    up: Scale
    path: str
    """The `d` of an SVG path."""
    area: str
    """The `d` of the area under it."""
    last: tuple[float, float]
    """Where it ends."""


MOST_POINTS: Final = 400


def curve(points: Sequence[tuple[float, float]], width: float = 1100.0, height: float = 260.0) -> Curve | None:
    """Return the curve through (x, y) in the order of x; None for fewer than two points."""
    if len(points) < 2:
        return None
    thin = thinned(points)
    across = counted(thin[0][0], thin[-1][0], 48.0, width - 12.0)
    up = scale((y for _, y in points), height - 26.0, 12.0, ticks=4)
    pixels = [(across.at(x), up.at(y)) for x, y in thin]
    line = "M" + "L".join(f"{x:g} {y:g}" for x, y in pixels)
    floor = up.start
    area = f"{line}L{pixels[-1][0]:g} {floor:g}L{pixels[0][0]:g} {floor:g}Z"
    return Curve(width, height, across, up, line, area, pixels[-1])


def thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return at most a screen's worth of points: of each stretch its lowest and highest, and the very last one."""
    if len(points) <= MOST_POINTS:
        return list(points)
    stretch = math.ceil(len(points) / (MOST_POINTS // 2))
    kept: list[tuple[float, float]] = []
    for begin in range(0, len(points), stretch):
        part = points[begin : begin + stretch]
        ends = {min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])}
        kept.extend(sorted(ends))
    return kept if kept[-1] == points[-1] else [*kept, points[-1]]
