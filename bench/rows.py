"""Rows of a benchmark: a ratio with its floor and goal, from interleaved repeats."""

import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench import build
from bench.aims import AIMS


@dataclass(frozen=True, slots=True)
class Row:
    """One result; its floor and goal are those of its name.

    Attributes:
        id: stable name.
        what: what is compared with what.
        ratio: median of same-repeat ratios; higher is better.
        repeats: number of interleaved repeats.
        detail: absolute figures of this machine, for the reader.
    """

    id: str
    what: str
    ratio: float
    repeats: int
    detail: dict[str, float] = field(default_factory=dict)

    @property
    def floor(self) -> float | None:
        """Below it the benchmark fails."""
        return AIMS[self.id].floor if self.id in AIMS else None

    @property
    def goal(self) -> float | None:
        """What we are after."""
        return AIMS[self.id].goal if self.id in AIMS else None

    @property
    def met(self) -> bool:
        """Whether the floor is met."""
        return self.floor is None or self.ratio >= self.floor


def paired(ours: Sequence[float], peers: Sequence[float]) -> float:
    """Return the median of the ratios of the same repeat."""
    return statistics.median(our / peer for our, peer in zip(ours, peers, strict=True))


def report(rows: Sequence[Row], *, as_json: bool) -> int:
    """Print the rows; return 1 if a floor is missed."""
    if as_json:
        shown = [
            {"id": row.id, "what": row.what, "ratio": round(row.ratio, 3), "floor": row.floor, "goal": row.goal,
             "repeats": row.repeats, **{key: round(value, 3) for key, value in row.detail.items()}}
            for row in rows
        ]  # fmt: skip
        sys.stdout.write(json.dumps({"build": build.name(), "rows": shown}) + "\n")
    else:
        _print_table(rows)
    return 0 if all(row.met for row in rows) else 1


def _print_table(rows: Sequence[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "id", "ratio", "floor", "goal", "repeats", "figures", title=f"{build.name()}; higher is better in every ratio"
    )
    for row in rows:
        style = "" if row.met else "bold red"
        figures = "  ".join(f"{key} {value:,.3g}" for key, value in row.detail.items())
        table.add_row(
            row.id, f"{row.ratio:.2f}x", f"{row.floor}x" if row.floor else "-", f"{row.goal}x" if row.goal else "-",
            str(row.repeats), figures, style=style,
        )  # fmt: skip
    Console().print(table)
