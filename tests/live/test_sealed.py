"""What a bot is told at the end of a round whose deal is played again: places, and nothing of the cards."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ladder.store import Store
from lastcard import Bot, Turn
from lastcard.result import MatchResult, RoundResult
from tests.live.house import house, plan


class Listening(Bot):
    """Plays what comes first and keeps what it is told."""

    def __init__(self, format_name: str) -> None:
        self.formats = (format_name,)
        self.rounds: list[RoundResult] = []
        self.matches: list[MatchResult] = []

    def choose(self, turn: Turn) -> int:
        """Play the first option."""
        return 0

    def on_round_end(self, result: RoundResult) -> None:
        """Keep it."""
        self.rounds.append(result)

    def on_match_end(self, result: MatchResult) -> None:
        """Keep it."""
        self.matches.append(result)


@pytest.mark.parametrize(
    ("deals", "hands", "seed"),
    [
        pytest.param("fresh", True, True, id="fresh deals are shown"),
        pytest.param("mirrored", False, True, id="mirrored ones when the match is over"),
        pytest.param("field", False, False, id="field ones when the last table is"),
    ],
)
async def test_a_deal_that_is_played_again_is_not_shown(
    store: Store, tmp_path: Path, deals: str, hands: bool, seed: bool
) -> None:
    """The ledger has the points; the bots are told them where nobody plays these cards again."""
    name = "uno-classic-2" if deals == "fresh" else f"uno-classic-2-{deals}"
    async with house(store, tmp_path) as home:
        ann, ben = Listening(name), Listening(name)
        versions = [await home.join("ann", ann), await home.join("ben", ben)]
        planned = plan("t.1.1.0", *versions, meetings=2, format_name=name, nonces=deals != "field")
        await home.plan(replace(planned, deals=deals, trusted=True, group="t.1.0.g0" if deals == "field" else ""))
        row = await home.ended("t.1.1.0")
    assert any(game["points"] != [0, 0] for meeting in json.loads(row.result)["meetings"] for game in meeting["games"])
    for bot in (ann, ben):
        assert len(bot.rounds) == 4
        for result in bot.rounds:
            assert len(result.places) == 2
            assert [bool(told) for told in (result.hands, result.points, result.left)] == [hands] * 3
        (ended,) = bot.matches
        assert (bool(ended.seed), ended.proven) == ((True, True) if seed else (False, None))
