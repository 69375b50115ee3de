"""Who beats whom in a circle: the page, JSON and CSV of a tournament mark the pairs that strength does not explain."""

from __future__ import annotations

import csv
import io
import re

import pytest

from tests.circle_of_bots import BEATEN, NAME, Z, play_circle
from tests.ladder_house import House
from tests.ladder_running import Running

ODD = {frozenset({f"{winner}@1", f"{loser}@1"}) for winner, loser in BEATEN.items()}


@pytest.fixture
def circle(house: House) -> House:
    """A circle beside a tournament whose scores its ratings explain."""
    play_circle(house)
    return house


async def test_the_page_marks_what_strength_does_not_explain(circle: House, ladder: Running) -> None:
    """Both cells of each such pair, with how far off the score is; no cell of any other pair, nor without circles."""
    text = (await ladder.http.get(f"/tournaments/{NAME}")).text
    marks = re.findall(r'<abbr title="([+-][0-9.]+) deviations from what the ratings let expect">!</abbr>', text)
    assert sorted(marks) == [f"+{Z:.1f}"] * 3 + [f"-{Z:.1f}"] * 3
    assert "! marks what strength alone does not explain" in text
    assert "deviations from what" not in (await ladder.http.get("/tournaments/spring-cup")).text


async def test_json_and_csv_have_the_deviation_and_the_flag(circle: House, ladder: Running) -> None:
    """`z` and `odd` of every pair, the same in both."""
    found = (await ladder.http.get(f"/api/v1/tournaments/{NAME}")).json()["pairs"]
    assert {frozenset({pair["a"], pair["b"]}) for pair in found if pair["odd"]} == ODD
    assert [abs(pair["z"]) for pair in found if pair["odd"]] == pytest.approx([Z] * 3)
    assert [pair["z"] for pair in found if not pair["odd"]] == pytest.approx([0.0] * 3)
    text = (await ladder.http.get(f"/api/v1/tournaments/{NAME}/pairs.csv")).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["a"], row["b"], row["odd"]) for row in rows] == [
        (pair["a"], pair["b"], str(pair["odd"]).lower()) for pair in found
    ]
    assert [float(row["z"]) for row in rows] == pytest.approx([pair["z"] for pair in found])
