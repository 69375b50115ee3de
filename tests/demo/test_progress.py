from __future__ import annotations

import io
import math
from dataclasses import replace
from typing import Any

import pytest

from workers.tournaments.life import State
from workers.tournaments.progress import LiveProgress, PlainProgress, ProgressView, about, progress, summed_up
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.summary import PlanSummary
from workers.tournaments.tournament_status import Plan, TournamentStatus

MATCHES, GAMES = 24, 600


def status(
    matches: int = 0, games: int = 0, speed: float = 0.0, eta_s: float | None = None, lost: int = 0
) -> TournamentStatus:
    """Return a tournament that has got so far."""
    summary = PlanSummary(
        matches=MATCHES, meetings=300, games=GAMES, meetings_per_bot=150, seconds=3.0, expected_ci95=30.0
    )
    return TournamentStatus(
        spec=TournamentSpec("nightly", "uno-classic-2", ("a", "b")),
        state=State.RUNNING,
        plan=Plan(summary),
        entrants=("a@1", "b@1"),
        matches_done=matches,
        matches_lost=lost,
        games_done=games,
        games_per_second=speed,
        eta_s=eta_s,
        commitment="",
        deal_seed=b"",
        ruleset="",
        created_ms=0,
        started_ms=0,
        ended_ms=0,
    )


@pytest.mark.parametrize(
    ("now", "words"),
    [
        pytest.param(status(), "0/24 matches, 0/600 games", id="nothing yet"),
        pytest.param(
            status(3, 100, 142.4, 3.6),
            "3/24 matches, 100/600 games, 142 rounds/s, about 0:00:04 to go",
            id="in the middle",
        ),
        pytest.param(
            replace(status(3, 100, 142.4, 3.6), rounds_a_game=20.5),
            "3/24 matches, 100/600 games, 2919 rounds/s, about 0:00:04 to go",
            id="of many rounds a game",
        ),
        pytest.param(
            replace(status(3, 100, 142.4, 3.6), state=State.PAUSED),
            "3/24 matches, 100/600 games, paused; `lastcard tournament resume nightly` has it go on",
            id="paused",
        ),
        pytest.param(status(24, 575, lost=1), "24/24 matches, 1 void, 575/600 games", id="with a void match"),
    ],
)
def test_one_line_says_how_far_it_is(now: TournamentStatus, words: str) -> None:
    """Matches, games, speed, what does not count, and how long it will take, as far as they are known."""
    assert summed_up(now) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        pytest.param(0.0, "less than a second", id="none"),
        pytest.param(0.99, "less than a second", id="less than one"),
        pytest.param(3725.4, "about 1:02:05", id="an hour"),
        pytest.param(math.inf, "an unknown time", id="nobody knows"),
    ],
)
def test_how_long_it_takes(seconds: float, words: str) -> None:
    """The same words in `plan`, `show` and `watch`."""
    assert about(seconds) == words


def test_lines_come_every_few_seconds_and_at_the_end() -> None:
    """A log is not flooded, and its last line is the last word."""
    clock, out = iter([0.0, 1.0, 4.9, 5.0, 5.1, 5.2]), io.StringIO()
    view: ProgressView = PlainProgress(out, lambda: next(clock))
    with view:
        for games in (0, 100, 200, 300, 400):
            view.show(status(games // 25, games))
        view.show(status(24, 600))
    said = [line.removeprefix("nightly: ") for line in out.getvalue().splitlines()]
    assert said == ["0/24 matches, 0/600 games", "12/24 matches, 300/600 games", "24/24 matches, 600/600 games"]


@pytest.mark.parametrize(
    "last",
    [
        pytest.param({"state": State.CANCELLED}, id="cancelled"),
        pytest.param({"matches_lost": 3}, id="with matches that are lost"),
    ],
)
def test_the_last_line_is_the_last_word_however_it_ends(last: dict[str, Any]) -> None:
    """Also where fewer matches were played than planned."""
    clock, out = iter([0.0, 0.1]), io.StringIO()
    view = PlainProgress(out, lambda: next(clock))
    view.show(status())
    view.show(replace(status(21, 525), **last))
    assert len(out.getvalue().splitlines()) == 2


def test_the_same_is_not_said_twice() -> None:
    """A tournament that waits is silent."""
    clock, out = iter([0.0, 10.0, 20.0]), io.StringIO()
    view = PlainProgress(out, lambda: next(clock))
    for _ in range(3):
        view.show(status())
    assert len(out.getvalue().splitlines()) == 1


def test_a_terminal_gets_a_bar_and_everything_else_lines() -> None:
    """What the stream is decides."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    assert isinstance(progress(io.StringIO()), PlainProgress)
    view = progress(screen)
    assert isinstance(view, LiveProgress)
    with view:
        view.show(status(3, 100, 142.0, 4.0))
    assert "3/24 matches, 100/600 games, 142 rounds/s, about 0:00:04 to go" in screen.getvalue()


def test_whoever_is_waited_for_is_named() -> None:
    """And a speed that rounds to nothing is left out."""
    line = summed_up(replace(status(3, 75, 0.2), missing=("tut@1",)))
    assert line == "3/24 matches, 75/600 games, waiting for tut"
