"""Sizes by name: the same name is the same effort of each bot, whatever the number of seats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workers.engine import messages, terms
from workers.tournaments.draw import drawn
from workers.tournaments.spec import Kind, Size, TournamentSpec
from workers.tournaments.summary import PlanSummary, summarise
from workers.tournaments.traffic import decisions, games_per_second, rounds_a_game


def spec(format_name: str, count: int, kind: Kind = Kind.ROUND_ROBIN, size: int = 1) -> TournamentSpec:
    names = [f"bot-{number}" for number in range(count)]
    sides = tuple("+".join(names[first : first + size]) for first in range(0, count, size))
    return TournamentSpec("spring", format_name, bots=sides, kind=kind)


def planned(description: TournamentSpec) -> PlanSummary:
    format_terms = terms(description.format)
    return summarise(description, drawn(description, format_terms, tuple(f"{bot}@1" for bot in description.names)), 1.0)


@pytest.mark.parametrize(
    ("description", "quick", "default", "fine"),
    [
        pytest.param(spec("uno-classic-2", 20), 10, 50, 200, id="two seats"),
        pytest.param(spec("uno-classic-2", 2), 10, 50, 200, id="one pair"),
        pytest.param(spec("uno-classic-4", 20), 5, 25, 100, id="four seats: as many games of each bot"),
        pytest.param(spec("uno-classic-4", 8), 2, 8, 29, id="all combinations: fewer of each"),
        pytest.param(spec("uno-classic-4", 4), 50, 250, 1000, id="a single table"),
        pytest.param(spec("dos-3", 12), 7, 34, 134, id="three seats"),
        pytest.param(spec("uno-classic-4", 9, Kind.GAUNTLET), 5, 25, 100, id="a gauntlet"),
        pytest.param(spec("uno-pairs-4", 8, size=2), 5, 25, 100, id="sides of two"),
    ],
)
def test_meetings_of_sizes(description: TournamentSpec, quick: int, default: int, fine: int) -> None:
    """Quick, default and fine: 20, 100 and 400 games a pairing, or the same effort of each bot at larger tables."""
    sized = [planned(replace(description, meetings=0, size=size)) for size in Size]
    assert [summary.per_pairing for summary in sized] == [quick, default, fine]
    assert sized == [planned(replace(description, meetings=meetings)) for meetings in (quick, default, fine)]


def test_at_larger_tables_each_bot_plays_a_thousand_games() -> None:
    """The default size is 1,000 games of each bot at least, and no fewer than at two seats."""
    for count in (4, 6, 8, 12, 13, 40):
        description = replace(spec("uno-classic-4", count), meetings=0, size=Size.DEFAULT)
        games = 4 * planned(description).meetings_per_bot
        assert max(1000, 100 * (count - 1)) <= games < 1.3 * max(1000, 100 * (count - 1))


@pytest.mark.parametrize(
    ("format_name", "measured"),
    [
        ("uno-classic-2", 27.9),
        ("uno-classic-4", 38.4),
        ("uno-classic-10", 75.0),
        ("spin-4", 44.1),
        ("dos-2", 9.1),
        ("dos-4", 12.1),
        ("duo", 37.9),
        ("uno-classic-500-2", 590),
        ("dos-200-2", 200),
        ("duo-200", 280),
    ],
)
def test_messages_are_about_as_measured(format_name: str, measured: float) -> None:
    """What a plan says about messages is what house bots exchanged, within a fifth."""
    assert messages(format_name, 1000) == pytest.approx(1000 * measured, rel=0.2)


def test_rounds_of_a_game_are_exact_without_a_target_and_else_about_as_usual() -> None:
    """A speed in rounds needs them before anything was played."""
    assert (terms("uno-classic-4").rounds_a_game, rounds_a_game("uno", 2, 0, 3)) == (1, 3)
    assert terms("uno-classic-500-2").rounds_a_game == pytest.approx(21.7, abs=0.1)


def test_messages_of_a_format_that_is_not_here() -> None:
    """A command without the server's own formats says nothing rather than something wrong."""
    assert messages("somebodys-own", 10) is None


def test_longer_games_are_played_more_slowly() -> None:
    """Games per second fall with the decisions of a game, and rise with the referees."""
    short, long = decisions("dos", 2, 0), decisions("uno", 2, 500)
    assert games_per_second(short, 2) == 2 * games_per_second(short, 1) > 50 * games_per_second(long, 1)
    assert decisions("uno", 2, 0, 3) == 3 * decisions("uno", 2, 0)
