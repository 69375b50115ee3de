"""Tables for people: whatever is in them can be read to its last letter, and copied."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from ladder.readings.boards import Board
from ladder.readings.summaries import Summary
from ladder.reasons import ALL_ABSENT
from ladder.standings import BY_OPPONENT, Standing
from ladder.terminal.screen import UNCOUNTED, show_board, show_matches, show_table

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


def test_a_match_that_counts_for_nobody_says_why_in_words() -> None:
    """And below the list what is not shown of it; where all count, nothing is said."""
    match = Summary(
        "cup.1.1.0", "uno-classic-2", "x", ("ann@1", "bob@1"), 5, "void", ALL_ABSENT, "cup", "", 0, (), (), 1, 2, "void"
    )
    shown, counting = io.StringIO(), io.StringIO()
    show_matches("ann", [match], shown)
    show_matches(
        "ann", [replace(match, state="rated", outcome="rated", reason="", wins=(3, 7), faults=(0, 0))], counting
    )
    assert "none of its bots was there" in shown.getvalue()
    assert ALL_ABSENT not in shown.getvalue()
    assert UNCOUNTED in shown.getvalue()
    assert UNCOUNTED not in counting.getvalue()


def test_where_games_are_counted_against_each_opponent_a_ladder_says_so() -> None:
    """At more than two seats they are more than the games; at two they are not."""
    row = Standing(1, "ann@1", 1520.0, 20.0, 100, 110, 0, 90, 20.0, 0, 1520.0, None, provisional=False)
    for wins, said in ((110, False), (310, True)):
        shown = io.StringIO()
        show_board(Board("uno-classic-4", "x", 1, (replace(row, wins=wins),)), shown)
        assert (BY_OPPONENT in shown.getvalue()) is said
