"""Decisions with several picks: house bots answer them with lists that fit together."""

from __future__ import annotations

import pytest

from lastcard.answer import compose
from lastcard.practice import turn
from lastcard.turn import Turn
from referee.bots import BOTS, get


def discards(*faces: str) -> tuple[str, ...]:
    """Return an option for every card."""
    return tuple(f"DISCARD {face}" for face in faces)


ROW = turn("DRAW", hand="G8 R4 B1", game_format="dos-2").view.hand
BY_COLOR = turn(*discards("R1", "R9", "G5"), hand="R1 R9 G5 W", kind="SPIN_DISCARD_COLOR", picks=(0, 3))
BY_NUMBER = turn(*discards("R1", "R5", "G5"), hand="R1 R5 G5 W", kind="SPIN_DISCARD_NUMBER", picks=(0, 3))
BUT_TWO = turn(*discards("R1", "R9", "G5", "W"), hand="R1 R9 G5 W", kind="SPIN_ALMOST_UNO", picks=(2, 2))
WAR = turn("WAR R1", "WAR R9", "WAR G9", "WAR G5", hand="R1 R9 G9 G5", kind="SPIN_WAR", picks=(4, 4))
MATCHES = turn(
    *("MATCH G8 ON 0", "MATCH R1+R3 ON 1", "MATCH R3+B1 ON 1", "MATCH B1 ON 2", "MATCH R1 ON 2", "DRAW"),
    hand="G8 R1 R3 B1",
    kind="DOS_TURN",
    picks=(1, 3),
    game_format="dos-2",
)
MATCHES = Turn(MATCHES.view._replace(row=ROW), MATCHES.history)  # type: ignore[attr-defined]
BONUS = turn(
    "PLACE R1", "PLACE R9", "PLACE G5", hand="R1 R9 G5", kind="DOS_PLACE_BONUS", picks=(2, 2), game_format="dos-2"
)
NO_MATCH = turn("PLACE R1", "PLACE R9", hand="R1 R9", kind="DOS_AFTER_DRAW", picks=(1, 2), game_format="dos-2")
DUMP = turn(
    *("PLAY RV", "PLAY G2", "DUMP RV R", "DISCARD R1", "DISCARD R7", "DISCARD G2", "DRAW"),
    hand="RV R1 R7 G2",
    picks=(1, 3),
    game_format="duo",
)
NO_DUMP = turn("PLAY R5", "DRAW", hand="R5 B1", picks=(1, 4), game_format="duo")
NEWER = turn("DISCARD R1", "DISCARD R9", hand="R1 R9", kind="OTHER", picks=(1, 2))

ALL = [
    pytest.param(asked, id=name)
    for name, asked in {
        "cards of one colour": BY_COLOR,
        "cards of one number": BY_NUMBER,
        "all cards but two": BUT_TWO,
        "a war": WAR,
        "matches": MATCHES,
        "bonus cards": BONUS,
        "a card placed": NO_MATCH,
        "a dump": DUMP,
        "no dump": NO_DUMP,
        "a kind that nobody knows yet": NEWER,
    }.items()
]


def picked(name: str, asked: Turn) -> list[str]:
    """Return the options that a bot picks, as they are printed."""
    chosen = get(name)(2).choose(asked)
    assert isinstance(chosen, list)
    return [str(asked.options[pick]) for pick in chosen]


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("asked", ALL)
def test_a_list_fits_its_decision(name: str, asked: Turn) -> None:
    """In number, in cards, without an option twice, and with every slot once."""
    chosen = get(name)(2).choose(asked)
    assert isinstance(chosen, list)
    assert compose(asked, chosen).picks == tuple(chosen)
    assert len(set(chosen)) == len(chosen)
    slots = [asked.options[pick].slot for pick in chosen if asked.options[pick].act == "MATCH"]
    assert len(set(slots)) == len(slots)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(BY_COLOR, ["DISCARD R1", "DISCARD R9"], id="the colour that is worth most"),
        pytest.param(BY_NUMBER, ["DISCARD G5", "DISCARD R5"], id="the number that is worth most, on top what fits"),
        pytest.param(WAR, ["WAR R9", "WAR G9", "WAR G5", "WAR R1"], id="points not rising"),
        pytest.param(BONUS, ["PLACE R9", "PLACE G5"], id="the dearest cards are placed"),
        pytest.param(NO_MATCH, ["PLACE R9"], id="one card after a draw"),
        pytest.param(DUMP, ["DUMP RV R", "DISCARD R7", "DISCARD R1"], id="a dump takes the whole colour"),
        pytest.param(NO_DUMP, ["PLAY R5"], id="one pick where lists are possible"),
    ],
)
def test_careful_picks_what_it_can_do_without(asked: Turn, expected: list[str]) -> None:
    """One kind of decision a line."""
    assert picked("careful", asked) == expected


def test_careful_keeps_a_wild_when_it_may_keep_two() -> None:
    """It always fits."""
    assert sorted(picked("careful", BUT_TWO)) == ["DISCARD G5", "DISCARD R9"]


def test_careful_matches_as_many_cards_as_it_can_and_prefers_the_color() -> None:
    """A match of colour lets it place another card."""
    assert sorted(picked("careful", MATCHES)) == ["MATCH B1 ON 2", "MATCH G8 ON 0", "MATCH R1+R3 ON 1"]
