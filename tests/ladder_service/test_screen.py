"""Tables for people: whatever is in them can be read to its last letter, and copied."""

from __future__ import annotations

import io

import pytest

from ladder.terminal.screen import show_table

RUN = "nightly-uno-classic-2-20261129t0200"
COLUMNS = ("match", "format", "games", "reason")
ROW = (f"{RUN}.12.3.10.r2", "uno-classic-2-mirrored", 1234567, "its table was set up with another deal " * 3)


class Terminal(io.StringIO):
    """Where a person reads."""

    def isatty(self) -> bool:
        return True


def test_on_a_narrow_terminal_words_are_folded_and_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The id of a match of a cron line is longer than its column; numbers stay in one piece."""
    monkeypatch.setenv("TERM", "dumb")  # 80 columns, and no colours
    shown = Terminal()
    show_table(COLUMNS, [ROW], shown)
    lines = shown.getvalue().splitlines()
    rule = next(number for number, line in enumerate(lines) if "─" in line)
    cells = [cell for line in lines[rule + 1 :] for cell in line.split()]
    assert max(map(len, lines)) <= 80
    assert "1234567" in cells
    letters = sorted("".join(cells))
    assert letters == sorted("".join(map(str, ROW)).replace(" ", ""))


def test_where_there_is_no_terminal_a_row_is_a_line() -> None:
    """However long it is: programs read it."""
    shown = io.StringIO()
    show_table(COLUMNS, [ROW, (f"{RUN}.1.1.0", "uno-classic-2", 2, "x" * 500)], shown)
    assert [line for line in shown.getvalue().splitlines() if line != line.rstrip()] == []
    rows = [line for line in shown.getvalue().splitlines() if line.strip().startswith(RUN)]
    assert [len(rows), rows[0].split()[0], rows[1].split()[-1]] == [2, ROW[0], "x" * 500]
