"""`lastcard top`, as a terminal shows it."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from ladder.readings.census import Census
from ladder.terminal.top_cli import Look, shown


def test_an_address_is_shown_whole() -> None:
    """Brackets of IPv6 are no markup, whatever stands between them."""
    census = Census({}, 0, 0.0, 0, 0.0, {}, 0, 0, 1)
    look = Look(0.0, census, {"r-1": {"play": "[fd00::7]:7410", "strained": ["[/disk]"]}}, ())
    screen = StringIO()
    Console(file=screen, width=120).print(shown(look, None))
    assert "[fd00::7]:7410" in screen.getvalue()
    assert "no new matches: [/disk]" in screen.getvalue()
