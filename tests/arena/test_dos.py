"""House bots at tables of DOS."""

import json
from typing import Any

import pytest

from referee.bots import get
from referee.local import arena
from referee.rules.verify import verify

HOUSE = ("random", "greedy", "careful", "first")


@pytest.mark.parametrize("name", ["dos-2", "dos-3", "dos-4", "dos-200-2"])
def test_house_bots_play_dos_without_a_fault(name: str) -> None:
    """Every format, with lists of matches and bonus cards in order; the records of their games verify."""
    records: list[dict[str, Any]] = []
    seats = int(name[-1])
    bots = [(bot, get(bot)(1)) for bot in HOUSE[:seats]]
    result = arena.play(name, bots, meetings=1 if "200" in name else 4, seed=2, keep=records.append)
    assert not result.mistakes
    assert all(json.loads(match.result)["faults"] == [0] * seats for match in result.matches)
    assert all(verify(record) is None for record in records)
    acts = {act["act"] for record in records for played in record["rounds"] for act in played["acts"]}
    assert acts >= {"MATCH", "DRAW", "PLACE"}
