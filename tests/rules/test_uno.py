"""UNO beside the scenarios: legality against a plain reading of the rules, leaving, windows, seats of a pair."""

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import FACE, canonical, format_cards
from referee.rules.chance import ScriptedChance
from referee.rules.errors import IllegalAnswerError
from referee.rules.games import resolve
from referee.rules.gametext import parse_act
from referee.rules.notation import perform
from referee.rules.round import Round
from referee.rules.setup import load, observe
from referee.rules.uno.round import UnoRound
from referee.rules.vocabulary import Act, DecisionKind
from tests.rules.playing import play, rulesets, spelled, start

pytestmark = pytest.mark.slow

PRESETS = ("classic", "uno", "official")
FILLER = ["G0", "G1", "G2", "G3", "G4", "G6", "G7", "G8", "B0", "B1", "B2", "B3"]


def set_up(preset: str, hands: list[list[str]], options: Mapping[str, object] | None = None, **state: object) -> Round:
    """A round in the middle of the game; seat 0 is asked unless `turn` says otherwise."""
    rules = resolve(preset, options or {}, len(hands))
    orders = state.pop("orders", [])
    assert isinstance(orders, list)
    chance = ScriptedChance(orders=orders)
    return load(UnoRound, rules, chance, {"hands": hands, "draw": FILLER, "discard": ["R9"], "turn": 0} | state)


def act(round_: Round, *acts: str) -> dict[str, object]:
    """Carries out acts as lines of text and returns what may be observed then."""
    for line in acts:
        perform(round_, parse_act(line))
    return observe(round_)


# -- legality by a plain reading


class Reading:
    """The page of the rules about what a seat may play in its turn, on faces as text."""

    def __init__(self, round_: UnoRound) -> None:
        self.options = round_.rules.options
        self.hand = format_cards(round_.hands[round_.seat])
        self.top = FACE[round_.discard[-1]] if round_.discard else None
        self.color = " RYGB"[round_.color].strip()

    def fits(self, card: str) -> bool:
        """Colour, or number or symbol, or a wild; anything on nothing."""
        if card[0] == "W" or self.top is None:
            return True
        return card[0] == self.color or (self.top[0] != "W" and card[1:] == self.top[1:])

    def forbids(self, card: str) -> bool:
        """Holding this card makes a Wild Draw Four a bluff."""
        rule = self.options["wd4_rule"]
        if rule == "OFFICIAL_COLOR":
            return card[0] == self.color
        if rule == "ANY_MATCH":
            return card[0] != "W" and self.fits(card)
        return rule == "ANY_PLAYABLE" and card != "W4" and self.fits(card)

    def wilds(self) -> set[str]:
        """The wilds that may be played."""
        honest = not any(self.forbids(card) for card in self.hand)
        may_bluff = self.options["wd4_enforcement"] == "BLUFF"
        return {card for card in self.hand if card == "W" or (card == "W4" and (honest or may_bluff))}

    def plays(self) -> set[tuple[str, str, str | None]]:
        """Act, card and colour of every legal play."""
        pairs = {"OFF": "", "NUMBERS": "0123456789", "IDENTICAL_ANY": "0123456789SVD"}
        kinds = pairs[str(self.options["double_play"])]
        colored = {card for card in self.hand if card[0] != "W" and self.fits(card)}
        doubles = {card for card in colored if card[1] in kinds and self.hand.count(card) > 1}
        legal = {("PLAY", card, letter) for card in self.wilds() for letter in "RYGB"}
        return legal | {("PLAY", card, None) for card in colored} | {("PLAY_DOUBLE", card, None) for card in doubles}


@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=40, deadline=None)
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_turn_options_are_those_of_a_plain_reading(preset: str, data: st.DataObject, seed: int) -> None:
    """In every turn the plays listed are exactly those that a plain reading of the rules allows, and DRAW or PASS."""
    round_ = start(data.draw(rulesets(preset)), seed)

    def look(now: Round) -> None:
        if now.kind is not DecisionKind.TURN or now.seat < 0:
            return
        assert isinstance(now, UnoRound)
        listed = spelled(now)
        plays = Reading(now).plays()
        drawable = bool(now.draw) or len(now.discard) > 1
        rest = set()
        if drawable and (now.rules.flag("voluntary_draw") or not plays):
            rest = {("DRAW", "", None)}
        elif not plays:
            rest = {("PASS", "", None)}
        assert len(listed) == len(set(listed))
        assert set(listed) == plays | rest
        columns = now.columns(now.seat)
        cards = [c for a, c in zip(columns.act, columns.card, strict=True) if a == Act.PLAY]
        assert list(canonical(cards)) == cards

    play(round_, Random(seed), look)


# -- windows


def test_the_victim_of_a_stack_is_not_asked_without_a_card_for_it() -> None:
    """A seat that holds no Draw Two draws at once under stacking."""
    round_ = set_up("uno", [["RD", "G1", "B2"], ["Y1", "Y2"], ["B7", "B8"]], discard=["R5"])
    assert act(round_, "0 PLAY RD")["hands"] == [2, 4, 2]


def test_a_stack_of_wild_draw_fours_opened_by_a_bluff_is_judged_by_the_last_one() -> None:
    """A Wild Draw Four that answers another is never a bluff, whatever the first one was."""
    hands = [["W4", "R1", "R2"], ["W4", "R3", "R4"], ["B7", "B8"]]
    round_ = set_up("uno", hands, discard=["R5"])
    seen = act(round_, "0 PLAY W4 G", "1 STACK W4 Y", "2 PASS", "2 CHALLENGE", "0 PASS")
    assert seen["hands"] == [2, 2, 10]
    assert seen["ask"] == {"2": "TURN"}


def test_a_challenge_that_was_not_first_counts_as_accept() -> None:
    """Two challengers of an honest play: the first in the order pays, the victim then takes the four (D 22)."""
    hands = [["W4", "B1", "Y1"], ["Y3", "Y4"], ["B7", "B8"]]
    round_ = set_up("uno", hands, discard=["R5"], orders=[[2, 1, 0]])
    assert act(round_, "0 PLAY W4 G", "1 CHALLENGE", "2 CHALLENGE")["hands"] == [2, 6, 6]


def test_a_wrong_third_challenger_pays_four_also_against_eight() -> None:
    """The challenger pays 4 and the extra, the victim the whole stack without it (D 22)."""
    hands = [["W4", "B1", "Y1"], ["W4", "Y3", "Y4"], ["B7", "B8"], ["B5", "B6"]]
    options = {"challenge_innocent_extra": 1}
    round_ = set_up("uno", hands, options, discard=["R5"], draw=[*FILLER, "B9", "B9", "G9", "G9"])
    lines = ("0 PLAY W4 G", "1 STACK W4 Y", "2 PASS", "3 PASS", "0 CHALLENGE", "2 ACCEPT", "3 PASS")
    assert act(round_, *lines)["hands"] == [7, 2, 10, 2]


def test_a_stack_is_void_when_the_challenge_succeeds() -> None:
    """The victim's STACK is settled after the challenge: a bluff leaves it its card and its turn."""
    hands = [["W4", "R1", "Y1"], ["W4", "Y4"], ["B7", "B8"]]
    round_ = set_up("uno", hands, discard=["R5"])
    seen = act(round_, "0 PLAY W4 G", "1 STACK W4 B !", "2 CHALLENGE")
    assert (seen["hands"], seen["ask"], seen["color"]) == ([8, 2, 2], {"1": "TURN"}, "G")


def test_window_pays_fines_when_nobody_reacts() -> None:
    """WINDOW_PAYS: a missed call that nobody uses costs the penalty all the same (D 43)."""
    hands = [["R5", "G1"], ["Y1", "Y2"]]
    round_ = set_up("classic", hands, {"call_mode": "WINDOW_PAYS"})
    seen = act(round_, "0 PLAY R5", "0 PASS", "1 PASS")
    assert (seen["hands"], seen["ask"]) == ([3, 2], {"1": "TURN"})


def test_window_pays_lets_a_late_call_save() -> None:
    """WINDOW_PAYS: the late call saves the seat if it counts."""
    round_ = set_up("classic", [["R5", "G1"], ["Y1", "Y2"]], {"call_mode": "WINDOW_PAYS"})
    assert act(round_, "0 PLAY R5", "0 CALL", "1 PASS")["hands"] == [1, 2]


def test_calls_may_be_off() -> None:
    """OFF: nobody calls, nobody pays."""
    round_ = set_up("classic", [["R5", "G1"], ["Y1", "Y2"]], {"call_mode": "OFF"})
    assert act(round_, "0 PLAY R5")["ask"] == {"1": "TURN"}


@pytest.mark.parametrize(
    ("lines", "hands"),
    [
        pytest.param(("0 PLAY RS",), [1, 2, 2], id="a Skip acts after the window"),
        pytest.param(("0 PLAY RD",), [1, 4, 2], id="a Draw Two acts after the window"),
    ],
)
def test_the_effect_follows_the_call_window(lines: tuple[str, ...], hands: list[int]) -> None:
    """Order of a play: cards down, the call, then what the card does (D 20)."""
    round_ = set_up("classic", [[lines[0].split()[-1], "G1"], ["Y1", "Y2"], ["B7", "B8"]], discard=["R5"])
    assert act(round_, *lines)["hands"] == [1, 2, 2]
    assert act(round_, "0 PASS", "1 PASS", "2 PASS")["hands"] == hands
    assert act(round_)["ask"] == {"2": "TURN"}


# -- leaving


def test_the_victim_of_a_stack_leaves() -> None:
    """What it owed is dropped, the next seat moves (D 16)."""
    hands = [["RD", "G1", "B2"], ["GD", "Y1"], ["B7", "B8"]]
    round_ = set_up("uno", hands, discard=["R5"])
    seen = act(round_, "0 PLAY RD", "1 FORFEIT")
    assert (seen["ask"], seen["pending"], seen["hands"]) == ({"2": "TURN"}, 0, [2, 0, 2])


def test_the_victim_of_a_wild_draw_four_leaves_and_the_window_goes_on() -> None:
    """A challenge by a third seat is judged; guilty: the bluffer draws, the seat behind the leaver moves (D 16)."""
    hands = [["W4", "R1", "Y1"], ["Y3", "Y4"], ["B7", "B8"], ["B5", "B6"]]
    round_ = set_up("uno", hands, discard=["R5"])
    seen = act(round_, "0 PLAY W4 G", "1 FORFEIT")
    assert seen["ask"] == {"2": "CHALLENGE_WINDOW", "3": "CHALLENGE_WINDOW"}
    seen = act(round_, "2 CHALLENGE", "3 PASS")
    assert (seen["hands"], seen["ask"]) == ([8, 0, 2, 2], {"2": "TURN"})


def test_nobody_challenges_after_the_victim_left() -> None:
    """The cards owed are dropped and the seat behind the leaver moves."""
    hands = [["W4", "R1", "Y1"], ["Y3", "Y4"], ["B7", "B8"]]
    round_ = set_up("uno", hands, discard=["R5"])
    seen = act(round_, "0 PLAY W4 G", "2 PASS", "1 FORFEIT")
    assert (seen["hands"], seen["ask"], seen["pending"]) == ([2, 0, 2], {"2": "TURN"}, 0)


def test_a_challenge_of_a_seat_that_left_fails() -> None:
    """The accused leaves an open window: a bluff is treated as honest (A6, D 16)."""
    hands = [["W4", "R1", "Y1"], ["Y3", "Y4"], ["B7", "B8"]]
    round_ = set_up("official", hands, {"wd4_challengers": "ANYONE"}, discard=["R5"], draw=FILLER)
    seen = act(round_, "0 PLAY W4 G", "0 FORFEIT", "1 CHALLENGE", "2 PASS")
    assert seen["hands"] == [0, 8, 2]
    single = set_up("official", hands, discard=["R5"])
    assert act(single, "0 PLAY W4 G", "0 FORFEIT", "1 CHALLENGE")["hands"] == [0, 8, 2]


def test_the_sealed_answer_of_a_leaver_is_void() -> None:
    """A seat that has answered and leaves no longer counts, and the window closes with the answers that are in."""
    hands = [["R5", "G1"], ["Y1", "Y2"], ["B7", "B8"]]
    round_ = set_up("classic", hands)
    seen = act(round_, "0 PLAY R5", "1 CATCH", "0 PASS", "1 FORFEIT")
    assert seen["ask"] == {"2": "CALL_WINDOW"}
    assert act(round_, "2 PASS")["hands"] == [1, 0, 2]


def test_the_offender_leaves_the_call_window() -> None:
    """The window closes without effect, and the effect of its card goes on (D 16)."""
    hands = [["RD", "G1"], ["Y1", "Y2"], ["B7", "B8"]]
    round_ = set_up("classic", hands, discard=["R5"])
    seen = act(round_, "0 PLAY RD", "1 CATCH", "0 FORFEIT")
    assert (seen["hands"], seen["ask"]) == ([0, 4, 2], {"2": "TURN"})


def test_the_seat_that_names_the_first_colour_leaves() -> None:
    """The next seat names it and begins (D 18)."""
    hands = [["R1", "G1"], ["Y1", "B2"], ["B7", "B8"]]
    round_ = set_up("official", hands, discard=[], draw=["W", "R5"], turn=None, dealer=0)
    assert act(round_, "1 FORFEIT")["ask"] == {"2": "FIRST_COLOR"}
    seen = act(round_, "2 COLOR B")
    assert (seen["ask"], seen["color"]) == ({"2": "TURN"}, "B")


def test_with_nothing_led_a_leavers_hand_goes_under_the_draw_pile() -> None:
    """The lead stays free (D 14)."""
    hands = [["R1", "G1"], ["Y1", "Y2"], ["B7", "B8"]]
    round_ = set_up("uno", hands, discard=[], draw=["G3", "G4"], turn=None, dealer=0)
    seen = act(round_, "1 FORFEIT")
    assert (seen["draw_cards"], seen["discard"]) == (["G3", "G4", "Y2", "Y1"], 0)
    assert act(round_, "2 PLAY B7 !")["top"] == "B7"


def test_reverse_is_a_skip_when_two_remain() -> None:
    """Seats that left do not count: with two in the game a Reverse gives the player another turn (D 17)."""
    hands = [["RV", "R1", "R2"], ["Y1", "Y2"], ["B7", "B8"]]
    round_ = set_up("classic", hands)
    assert act(round_, "2 FORFEIT", "0 PLAY RV")["ask"] == {"0": "TURN"}


def test_an_open_question_is_put_anew_when_another_seat_leaves() -> None:
    """There is something to draw now: an answer by place to the question of before would pick something else."""
    round_ = set_up("classic", [["G1", "B2"], ["Y1", "Y2"], ["B7"]], discard=["R3"], draw=[], turn=0)
    options, asked_at = bytes(round_.options(0)), round_.asked_at
    round_.forfeit(1)
    assert bytes(round_.options(0)) != options
    assert len(round_.options(0)) == len(options)
    assert round_.asked_at > asked_at


@pytest.mark.parametrize("seat", [-1, 3, 1], ids=["below", "beyond", "again"])
def test_only_a_seat_in_the_game_can_leave(seat: int) -> None:
    """A seat that does not exist, or left before, is refused."""
    round_ = set_up("classic", [["R1"], ["Y1"], ["B7"]])
    round_.forfeit(1)
    with pytest.raises(IllegalAnswerError, match=r"use one of \[0, 2\]"):
        round_.forfeit(seat)


def test_nobody_leaves_a_round_that_is_over() -> None:
    """After the end there is nothing to leave."""
    round_ = set_up("classic", [["R1"], ["Y1"]])
    act(round_, "0 PLAY R1")
    with pytest.raises(IllegalAnswerError) as caught:
        round_.forfeit(1)
    assert caught.value.reason == "ROUND_OVER"


# -- drawing, passing, going out


def test_the_start_gives_up_turning_when_no_card_may_stay() -> None:
    """A pile of wilds alone, where wilds go back: nothing is turned up and the lead is free."""
    round_ = set_up("classic", [["R1", "G1"], ["Y1", "Y2"]], discard=[], draw=["W", "W4"], turn=None, dealer=0)
    seen = observe(round_)
    assert (seen["ask"], seen["discard"], seen["color"]) == ({"1": "TURN"}, 0, None)


def test_a_forbidden_wild_drawn_need_not_be_played() -> None:
    """must_play_drawn never forces a bluff (D 23)."""
    round_ = set_up("official", [["R1", "B2"], ["Y1", "Y2"]], {"must_play_drawn": True}, draw=["W4", "G1"])
    assert act(round_, "0 DRAW")["drawn"] == "W4"
    assert act(round_, "0 KEEP")["ask"] == {"1": "TURN"}


def test_a_forbidden_wild_that_ends_the_drawing_may_be_played_as_a_bluff() -> None:
    """draw_until: a Wild Draw Four that comes as the last card of the limit may still be played (D 23)."""
    options = {"draw_until_max": 2}
    round_ = set_up("official", [["R1", "B2"], ["Y1", "Y2"]], options, draw=["G3", "W4", "G1"], color="R")
    assert act(round_, "0 DRAW")["drawn"] == "W4"


def test_passes_block_only_in_a_row() -> None:
    """A play between passes begins the count anew."""
    hands = [["G1", "G2", "G3"], ["R1", "Y2", "Y3"]]
    round_ = set_up("classic", hands, draw=[], discard=["R9"])
    assert act(round_, "0 PASS", "1 PLAY R1")["ask"] == {"0": "TURN"}
    assert round_.result is None


def test_two_skips_pass_over_no_more_seats_than_there_are() -> None:
    """Two Skips at once among three seats: the player moves again."""
    hands = [["RS", "RS", "G1", "G2"], ["Y1", "Y2"], ["B7", "B8"]]
    round_ = set_up("uno", hands, {"double_play": "IDENTICAL_ANY"}, discard=["R3"])
    assert act(round_, "0 PLAY_DOUBLE RS")["ask"] == {"0": "TURN"}


def test_two_reverses_leave_the_direction() -> None:
    """Two Reverses at once: the next seat moves, in the same direction."""
    hands = [["RV", "RV", "G1", "G2"], ["Y1", "Y2"], ["B7", "B8"]]
    round_ = set_up("uno", hands, {"double_play": "IDENTICAL_ANY"}, discard=["R3"])
    seen = act(round_, "0 PLAY_DOUBLE RV")
    assert (seen["ask"], seen["dir"]) == ({"1": "TURN"}, 1)


def test_two_draw_twos_owe_four() -> None:
    """Two Draw Twos at once: the next seat takes four."""
    hands = [["RD", "RD", "G1", "G2"], ["Y1", "Y2"], ["B7", "B8"]]
    round_ = set_up("uno", hands, {"double_play": "IDENTICAL_ANY"}, discard=["R3"])
    assert act(round_, "0 PLAY_DOUBLE RD")["hands"] == [2, 6, 2]


def test_the_turn_limit_completes_the_last_turn() -> None:
    """Draws of the last turn happen, and going out in it counts (D 7, D 49)."""
    options = {"max_turns_per_round": 1}
    round_ = set_up("classic", [["RD", "G1", "B2"], ["Y1", "Y2"], ["B7", "B8"]], options, discard=["R5"])
    assert act(round_, "0 PLAY RD")["hands"] == [2, 4, 2]
    assert round_.result is not None
    assert round_.result.ending.name == "TURN_LIMIT"
    out = set_up("classic", [["RD"], ["Y1", "Y2"]], options, discard=["R5"])
    act(out, "0 PLAY RD")
    assert out.result is not None
    assert out.result.ending.name == "OUT"
