"""What a dashboard is made of: pages of rows of panels, and the queries that they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Series: TypeAlias = Mapping[str, str]
"""What a panel draws: what the series of an expression are called -> the expression."""


class Kind(StrEnum):
    """How a panel draws."""

    LINES = "lines"
    NUMBER = "number"
    BARS = "bars"


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture."""

    title: str
    unit: str
    help: str
    series: Series
    kind: Kind = Kind.LINES
    width: int = 8
    """Of 24."""
    warn: float | None = None
    """From here on it is drawn in orange."""


@dataclass(frozen=True, slots=True)
class Row:
    """Panels under one heading."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A dashboard."""

    uid: str
    title: str
    help: str
    rows: tuple[Row, ...]
    by_format: bool = False
    """Whether one chooses formats on it."""


def rates(metric: str, *labels: str) -> Series:
    """Return how fast a counter grows a second, by labels."""
    return _named(f"sum by ({', '.join(labels)}) (rate({metric}[$__rate_interval]))", labels)


def a_minute(metric: str, label: str) -> Series:
    """Return how fast a counter grows a minute, by a label."""
    return _named(f"60 * sum by ({label}) (rate({metric}[$__rate_interval]))", (label,))


def totals(metric: str, label: str) -> Series:
    """Return a gauge by a label, added up over the processes that tell different parts of it."""
    return _named(f"sum by ({label}) ({metric})", (label,))


def latest(metric: str, label: str) -> Series:
    """Return a gauge by a label, which several processes may tell alike."""
    return _named(f"max by ({label}) ({metric})", (label,))


def quantile(part: float, metric: str) -> str:
    """Return the expression of a quantile of a histogram, lately."""
    return f"histogram_quantile({part}, sum by (le) (rate({metric}_bucket[$__rate_interval])))"


def _named(expression: str, labels: tuple[str, ...]) -> Series:
    return {" ".join(f"{{{{{label}}}}}" for label in labels): expression}
