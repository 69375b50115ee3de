"""The benchmark of all games plays rounds of each of them to the end."""

import pytest

from bench import games


@pytest.mark.parametrize("name", games.FORMATS)
def test_every_cell_plays_rounds(name: str) -> None:
    """Engine and encoded view, with decisions to count."""
    for make in (games.engine, games.engine_view):
        play = make(name)
        assert all(play() > 3 for _ in range(3))


def test_rows_are_ratios_to_uno_of_two() -> None:
    """The base stands at 1, without a floor."""
    rows = games.run(1, 0.01, ["dos-2"])
    assert [row.id for row in rows] == [games.BASE, "dos-2"]
    assert rows[0].ratio == 1
    assert all(row.met and row.floor is None and row.detail["us_decision"] > 0 for row in rows)
