"""What each house bot prefers."""

from __future__ import annotations

from collections import Counter

import pytest

from lastcard.history import History, Match
from lastcard.practice import turn
from lastcard.turn import Turn
from referee.bots import get
from referee.rules.vocabulary import EventKind


def option(
    name: str, *options: str, hand: str, counts: tuple[int, ...] = (), kind: str = "TURN", direction: int = 1
) -> str:
    """Return what a bot chooses, as it is printed."""
    asked = turn(*options, hand=hand, top="R3", color="R", kind=kind, counts=counts)
    asked = Turn(asked.view._replace(direction=direction), asked.history)  # type: ignore[attr-defined]
    chosen = get(name)(1).choose(asked)
    assert isinstance(chosen, int)
    return str(asked.options[chosen])


def test_random_takes_every_play_alike_and_never_draws() -> None:
    """A wild is listed once a colour and counts as often."""
    view = turn("PLAY R1", "PLAY R5", "PLAY W R", "PLAY W Y", "PLAY W G", "PLAY W B", "DRAW", hand="R1 R5 W").view
    bot = get("random")(5)
    seen = Counter(bot.choose(Turn(view, History("local/0/0/0", 0), act=act)) for act in range(6000))
    assert sorted(seen) == [0, 1, 2, 3, 4, 5]
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 25.7, "chi-square of 5 degrees, p = 0.0001"


def test_first_takes_the_first_play_in_canonical_order() -> None:
    """And the first option where there is no play."""
    assert option("first", "PLAY R1", "PLAY R9", "DRAW", hand="R1 R9") == "PLAY R1"
    assert option("first", "PASS", "CHALLENGE", hand="R1", kind="CHALLENGE_WINDOW") == "CHALLENGE"
    assert option("first", "ACCEPT", "CHALLENGE", hand="R1", kind="RESPOND_WILD_DRAW_FOUR") == "CHALLENGE"


def test_greedy_gets_rid_of_the_most_points() -> None:
    """A double counts twice, and a wild names the colour that is held most."""
    assert option("greedy", "PLAY R5", "PLAY RD", "DRAW", hand="R5 RD") == "PLAY RD"
    assert option("greedy", "PLAY R8", "PLAY_DOUBLE R6", "DRAW", hand="R6 R6 R8") == "PLAY_DOUBLE R6"
    assert option("greedy", "PLAY RD", "PLAY W R", "PLAY W B", hand="RD W B1 B2") == "PLAY W B"
    assert option("greedy", "PLAY R0", "DRAW", hand="R0 B1") == "PLAY R0"


@pytest.mark.parametrize(
    ("options", "hand", "counts", "expected"),
    [
        pytest.param(("PLAY R2", "PLAY R9", "DRAW"), "R2 R9 B4", (3, 7), "PLAY R9", id="sheds high cards"),
        pytest.param(("PLAY R9", "PLAY W B", "DRAW"), "R9 W B4", (3, 7), "PLAY R9", id="keeps a wild"),
        pytest.param(("PLAY R0", "PLAY W4 B", "DRAW"), "R0 W4", (2, 7), "PLAY R0", id="keeps a wild even for a nought"),
        pytest.param(
            ("PLAY W R", "PLAY W Y", "PLAY W G", "PLAY W B", "DRAW"), "W G1 G2 B1", (4, 7), "PLAY W G",
            id="a wild names the best colour",
        ),
        pytest.param(("PLAY W R", "DRAW"), "W G1", (2, 7), "PLAY W R", id="plays a wild before it draws"),
        pytest.param(("PLAY R3", "PLAY B3", "DRAW"), "R3 B3 B1 B2 B7", (5, 7), "PLAY B3", id="goes where it has many"),
        pytest.param(("PLAY R4", "PLAY R5", "DRAW"), "R4 R5 B5", (3, 7), "PLAY R4", id="keeps a link between colours"),
        pytest.param(("PLAY R9", "PLAY_DOUBLE R4", "DRAW"), "R4 R4 R9", (3, 7), "PLAY_DOUBLE R4", id="two at once"),
    ],
)  # fmt: skip
def test_careful_has_an_eye_for_its_hand(
    options: tuple[str, ...], hand: str, counts: tuple[int, ...], expected: str
) -> None:
    """One preference a line."""
    assert option("careful", *options, hand=hand, counts=counts) == expected


@pytest.mark.parametrize(
    ("counts", "direction", "expected"),
    [
        pytest.param((4, 2, 9), 1, "PLAY YS", id="the next seat is nearly out"),
        pytest.param((4, 9, 9), 1, "PLAY R9", id="it is not"),
        pytest.param((4, 9, 2), 1, "PLAY R9", id="only the last seat is"),
        pytest.param((4, 9, 2), 2, "PLAY YS", id="which is next the other way round"),
    ],
)
def test_careful_attacks_the_next_seat_only_when_it_is_nearly_out(
    counts: tuple[int, ...], direction: int, expected: str
) -> None:
    """Otherwise it stays with the colour that it holds many of."""
    hand = "YS R9 R1 R2 R4 R5 R6 R7"
    assert option("careful", "PLAY R9", "PLAY YS", hand=hand, counts=counts, direction=direction) == expected


@pytest.mark.parametrize(
    ("kind", "accused", "expected"),
    [
        pytest.param("RESPOND_WILD_DRAW_FOUR", 8, "CHALLENGE", id="a full hand is likely to bluff"),
        pytest.param("RESPOND_WILD_DRAW_FOUR", 2, "ACCEPT", id="a small one is not"),
        pytest.param("CHALLENGE_WINDOW", 8, "PASS", id="it costs too much to challenge for others"),
    ],
)
def test_careful_challenges_for_itself_where_a_bluff_is_likely(kind: str, accused: int, expected: str) -> None:
    """The accused is the seat that played last."""
    other = "PASS" if kind == "CHALLENGE_WINDOW" else "ACCEPT"
    view = turn(other, "CHALLENGE", hand="R1 R2", kind=kind, counts=(2, 3, accused)).view
    seen = History("local/0/0/0", 0, Match("local", "uno-official-4"))
    seen.add(0, bytes((EventKind.PLAYED, EventKind.DREW)), b"\2\1", b"\x38\0", b"\1\1")
    asked = Turn(view, seen)
    chosen = get("careful")(1).choose(asked)
    assert isinstance(chosen, int)
    assert str(asked.options[chosen]) == expected


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        pytest.param("W4", "KEEP", id="a wild"),
        pytest.param("BS", "KEEP", id="an action"),
        pytest.param("R7", "KEEP", id="a colour that it holds"),
        pytest.param("B7", "REJECT", id="a number of another colour"),
    ],
)
def test_careful_drafts_what_goes_together(drawn: str, expected: str) -> None:
    """In Duo."""
    asked = turn("KEEP", "REJECT", hand="R1 R2 G3", kind="DRAFT_PICK", game_format="duo")
    code = turn("DRAW", hand=drawn).view.hand[0]
    asked = Turn(asked.view._replace(drawn=code), asked.history)  # type: ignore[attr-defined]
    chosen = get("careful")(1).choose(asked)
    assert isinstance(chosen, int)
    assert str(asked.options[chosen]) == expected
