"""Faults that others made and no scenario tells of (docs/mutation.md)."""

from tests.rules.family import act, table


def test_a_penalty_is_not_drawn_until_something_fits() -> None:
    """Where turns draw until a card fits, who owes two draws two, also if the first of them fits (C22)."""
    round_ = table("classic", "RD R1 R2", "Y1 Y2", draw="R5 R6 R7 R8", draw_until_max=5)
    assert act(round_, "0 PLAY RD")["hands"] == [2, 4]
