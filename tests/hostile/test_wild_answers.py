"""Answers that are none, at every decision of every game: refused without a trace, and never anybody else's trouble."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.rules.errors import IllegalAnswerError
from referee.rules.round import Round
from tests.hostile.made_up import wild_answers
from tests.hostile.target import Target
from tests.rules.playing import AVAILABLE, play, rulesets, start

pytestmark = pytest.mark.slow

MOST_PICK = 2**32 - 1
FORMATS = (
    ("uno-classic-4", 4), ("uno-house-2", 2), ("uno-official-4", 4), ("uno-pairs-4", 4), ("spin-4", 4), ("dos-3", 3),
    ("duo", 2),
)  # fmt: skip


def _wild(rng: Random, options: int) -> int | tuple[int, ...]:
    """Return picks as a stranger sends them: too many, too large, twice, none; now and then legal ones."""
    near = max(1, options + 2)
    size = rng.choice((0, 1, 1, 2, 3, near, 512))
    picks = tuple(rng.choice((rng.randrange(near), rng.randrange(near), MOST_PICK, 5_000)) for _ in range(size))
    return picks[0] if size == 1 else picks


@pytest.mark.sample(3)
@pytest.mark.parametrize("preset", AVAILABLE)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_no_answer_at_all_breaks_a_round(preset: str, data: st.DataObject, seed: int) -> None:
    """Whatever is picked, called and coloured: legal, or refused as illegal with nothing changed."""
    round_ = start(data.draw(rulesets(preset)), seed)
    rng = Random(seed)

    def look(now: Round) -> None:
        for seat in list(now.asked):
            other = now.copy()
            before = other.digest()
            try:
                other.apply(seat, _wild(rng, len(now.options(seat))), rng.random() < 0.5, rng.randrange(5))
            except IllegalAnswerError:
                assert other.digest() == before

    play(round_, rng, look)


FEW = {"uno-house-4", "dos-4"}


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("format_name", "seats"),
    [pytest.param(*one, id=one[0], marks=() if one[0] in FEW else pytest.mark.nightly) for one in FORMATS],
)
async def test_a_wild_bot_harms_nobody_at_its_tables(target: Target, format_name: str, seats: int) -> None:
    """It is shown out of many games at once; the match is closed, not void, and the others have no fault."""
    async with target.honest():
        await wild_answers(target, format_name, seats)
    await target.settles()
    assert target.betrayed() == []
