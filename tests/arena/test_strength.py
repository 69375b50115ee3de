"""The house bots are as strong as is said of them. The deals here were not used to tune any of them."""

from __future__ import annotations

import pytest

from tests.soak.strength import Strength, main, measure, meetings_of

pytestmark = pytest.mark.slow

SEED = 20_251


def strength(name: str, bot: str, rival: str, games: int) -> Strength:
    """Return how strong a bot is; the numbers are printed for whoever looks at a failure."""
    found = measure(name, bot, rival, meetings_of(name, games), SEED)
    print(f"seed {SEED}: {found}")
    return found


@pytest.mark.slow
def test_careful_beats_random_at_two_seats() -> None:
    """With at least 60 % of the rounds, and more than half of them with certainty."""
    found = strength("uno-classic-2", "careful", "random", 1600)
    assert found.won >= 0.60
    assert found.won - 2 * found.won_half > 0.5


@pytest.mark.slow
def test_careful_beats_three_randoms_at_four_seats() -> None:
    """With about 31 % of the rounds, where a quarter would be its share."""
    found = strength("uno-classic-4", "careful", "random", 1600)
    assert found.won + found.won_half >= 0.31
    assert found.won - found.won_half > found.fair == 0.25


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.thorough) for name in ("uno-house-2", "spin-4", "dos-4", "duo")),
        *(
            pytest.param(name, marks=pytest.mark.nightly)
            for name in ("uno-official-4", "uno-pairs-4", "spin-2", "dos-2")
        ),
    ],
)
def test_careful_beats_random_in_every_game(name: str) -> None:
    """By a margin that chance does not explain."""
    found = strength(name, "careful", "random", 800)
    assert found.score - found.half > 0.5


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "games"), [pytest.param("dos-2", 80, id="dos"), pytest.param("duo", 40, id="duo")])
def test_search_beats_careful(name: str, games: int) -> None:
    """In a game that is not UNO, even with a small budget."""
    found = strength(name, "search:150", "careful", games)
    assert found.score > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("rival", ["random", "first"])
@pytest.mark.thorough
def test_greedy_beats_those_that_look_at_nothing(rival: str) -> None:
    """By a margin that chance does not explain."""
    found = strength("uno-classic-2", "greedy", rival, 800)
    assert found.won - found.won_half > 0.5


def test_the_table_is_printed_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    """As it stands in the documentation; whoever is as strong as its rival is no alarm."""
    assert main(["--only", "dos-2", "uno-pairs-4", "--pairs", "first-first", "--games", "8", "--seed", "3"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0] == "| format | bots | games | won (fair share) | score |"
    assert lines[2].startswith("| `dos-2` | `first` - `first` | 8 | 50.0% ±")
    assert lines[3].startswith("| `uno-pairs-4` | `first` - `first` | 8 |")
    assert "nobody is weaker" in err


def test_a_bot_that_is_weaker_than_it_should_be_is_an_alarm(capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 1, and its name."""
    assert main(["--only", "uno-classic-2", "--pairs", "random-careful", "--games", "300"]) == 1
    assert "random is weaker than careful in uno-classic-2" in capsys.readouterr().err
