"""Templates to responses: everything is escaped, an unknown variable is an error, times and numbers look the same."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from typing import Final

import jinja2
from starlette.responses import HTMLResponse

from ladder.extent import extent, left_out, why_void, withheld
from ladder.reasons import worded

NONE: Final = "\N{EN DASH}"
MINUTE_MS: Final = 60_000
AGES: Final = ((86_400_000, "d"), (3_600_000, "h"), (MINUTE_MS, "min"))


def html(
    template: str,
    context: Mapping[str, object],
    *,
    status: int = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Return a page made from a template and its variables."""
    return HTMLResponse(_environment().get_template(template).render(context), status, headers)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ladder.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "count": count,
        "counted": counted,
        "due": due,
        "elo": elo,
        "extent": extent,
        "fixed": fixed,
        "left_out": left_out,
        "percent": percent,
        "seconds": seconds,
        "signed": signed,
        "span": span,
        "instant": instant,
        "when": when,
        "withheld": withheld,
        "why_void": why_void,
        "worded": worded,
    }
    return environment


def count(value: float) -> str:
    """Return a whole number with thin spaces between thousands."""
    return f"{round(value):,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def counted(value: int, one: str, many: str = "") -> str:
    """Return a whole number with its noun; without `many` an s makes the plural."""
    return f"{count(value)} {one if value == 1 else many or one + 's'}"


def fixed(value: float | None, digits: int = 1) -> str:
    """Return a number with so many digits behind the point."""
    return NONE if value is None else f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def seconds(milliseconds: int | None) -> str:
    """Return a length of time in seconds."""
    return NONE if milliseconds is None else f"{milliseconds / 1000:.2f} s"


def elo(value: float | None) -> str:
    """Return a rating, whole."""
    return fixed(value, 0)


def due(milliseconds: int) -> str:
    """Say how a tournament that has not begun stands to its start, in front of that moment."""
    return "due since" if milliseconds < time.time_ns() // 1_000_000 else "starts"


def signed(value: float | None, digits: int = 0) -> str:
    """Return a difference with its sign."""
    return NONE if value is None else f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def percent(value: float | None, digits: int = 1) -> str:
    """Return a part of one as percent."""
    return NONE if value is None else f"{100 * value:.{digits}f}\N{NARROW NO-BREAK SPACE}%"


def span(seconds: float | None) -> str:
    """Return a length of time in its largest unit."""
    if seconds is None:
        return NONE
    for size, unit in AGES:
        if seconds * 1000 >= size:
            return f"{seconds * 1000 / size:.0f}\N{NARROW NO-BREAK SPACE}{unit}"
    return f"{seconds:.0f}\N{NARROW NO-BREAK SPACE}s"


def instant(milliseconds: int) -> str:
    """Return a moment for machines, RFC 3339."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def when(milliseconds: int) -> str:
    """Return a moment for people, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M") if milliseconds else NONE
