"""How far long work is, as people see it."""

from __future__ import annotations

from io import StringIO

import pytest

from workers.work_progress import WorkProgress


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def shown(stream: StringIO, seconds: list[float], *, quiet: bool = False) -> str:
    """Play ten games, one at each of these moments; returns what was written."""
    moments = iter([0.0, *seconds])
    with WorkProgress(stream, "games", quiet=quiet, clock=lambda: next(moments)) as progress:
        for done in range(1, len(seconds) + 1):
            progress.show(done, 10)
    return stream.getvalue()


def test_without_a_terminal_it_writes_a_line_now_and_then() -> None:
    """At most one in five seconds, with the pace and what is left."""
    assert (
        shown(StringIO(), [1, 2, 4, 6, 10, 12])
        == "4/10 games, 0.7 games/s, 9 s to go\n6/10 games, 0.5 games/s, 8 s to go\n"
    )


def test_what_is_over_soon_is_not_talked_about() -> None:
    """Not even on a terminal."""
    assert shown(StringIO(), [0.1] * 10) == ""
    assert shown(Terminal(), [0.1] * 10) == ""


def test_a_terminal_gets_a_bar() -> None:
    """Which is taken away in the end."""
    assert "5/10" in shown(Terminal(), [0.5, 1.2, 2.5, 3.8, 5.0])


@pytest.mark.parametrize(
    ("stream", "silent"),
    [pytest.param(StringIO(), True, id="a file"), pytest.param(Terminal(), False, id="a terminal")],
)
def test_for_programs_only_a_terminal_is_told(stream: StringIO, *, silent: bool) -> None:
    """With `--json` nothing else goes to a file."""
    assert (shown(stream, [6.0, 12.0, 18.0], quiet=True) == "") is silent
