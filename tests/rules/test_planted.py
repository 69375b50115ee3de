"""Faults that other engines had, planted one by one: the scenarios find every one of them.

The lists are those of the rules pages (C for UNO and Spin, 11 for Duo). What is not here cannot be planted, because its
cause does not exist: colours are no part of a card, a colour is part of the play, no answer is judged by its time.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from referee.rules import conformance
from referee.rules.calls import KEEP
from referee.rules.cards import RANK_OF, canonical
from referee.rules.duo.round import DuoRound
from referee.rules.game import Game
from referee.rules.spin import wheel
from referee.rules.spin.round import SpinRound
from referee.rules.spin.war import War
from referee.rules.uno import effects
from referee.rules.uno.codes import OWED, WILDS
from referee.rules.uno.round import UnoRound
from referee.rules.vocabulary import DrawReason, EventKind, RoundEnding

pytestmark = pytest.mark.slow

DATA: Final = Path(__file__).parents[1] / "data" / "conformance"
Plant = Callable[[pytest.MonkeyPatch], None]


# Two scenarios that the published files do not have.
_BOARD: Final = {"draw": ["Y1", "Y2", "Y3", "Y4", "Y5"], "discard": ["G3"], "turn": 0}
OWN: Final[list[dict[str, Any]]] = [
    {
        "id": "own 1",
        "preset": "duo",
        "state": {"hands": [["GV", "GD", "GS", "B1", "B2"], ["R8", "R9"]], **_BOARD},
        "do": [{"seat": 0, "act": "PLAY", "card": "GV", "dump": ["GD", "GS"]}],
        "expect": {"hands": [2, 2], "ask": {"0": "TURN"}},
    },
    {
        "id": "own 2",
        "preset": "duo",
        "state": {"hands": [["GD", "GD", "B1", "B2"], ["R8", "R9"]], **_BOARD},
        "do": [{"seat": 0, "act": "PLAY", "card": "GD"}, {"seat": 0, "act": "PLAY", "card": "GD"}],
        "expect": {"hands": [2, 6], "pending": 0},
    },
]


def failing(name: str) -> list[str]:
    """The ids of the scenarios of a file, and of our own, that fail or crash."""
    found = []
    for scenario in [*map(json.loads, (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()), *OWN]:
        try:
            failure = conformance.run(scenario)
        except Exception as crash:  # noqa: BLE001  (a planted fault may do anything)
            failure = repr(crash)
        if failure is not None:
            found.append(scenario["id"])
    return found


def method(kind: type, name: str, fault: Callable[..., Any]) -> Plant:
    """Plants another method."""
    return lambda patch: patch.setattr(kind, name, fault)


def wrapped(kind: type, name: str, fault: Callable[..., Any]) -> Plant:
    """Plants a method that gets the right one as its first argument."""
    right = getattr(kind, name)
    return method(kind, name, lambda self, *arguments: fault(right, self, *arguments))


# -- what is planted; `self` is a round of any of the games


def reshuffles_the_top(self: Any) -> bool:  # noqa: ANN401
    """Fault 2: the top card is shuffled in, too."""
    self.draw, self.discard = self._shuffled(self.discard), bytearray(self.discard[-1:])
    return True


def forgets_what_was_paid(self: Any, victim: int, extra: int = 0) -> None:  # noqa: ANN401
    """Fault 15: what is owed is not zero after it was drawn."""
    self.take(victim, self.pending + extra, DrawReason.PENALTY)
    self._begin_turn(self.ring[victim] if self.uno.skips else victim)


def judges_after_the_play(self: Any, seat: int, code: int, call: bool) -> None:  # noqa: ANN401
    """Fault 13: a bluff is judged on the colour that the card itself names."""
    self._put_down(seat, code, call)
    self.bluff = not self._honest(seat)


def goes_out_without_drawing(self: Any, seat: int) -> None:  # noqa: ANN401
    """Fault F19: a last draw card is not drawn."""
    self._end(RoundEnding.OUT, seat)


def loses_the_cards_of_a_leaver(right: Callable[..., None], self: Any, seat: int) -> None:  # noqa: ANN401
    """Fault 25: the hand of a seat that left is nowhere."""
    right(self, seat)
    del (self.discard or self.draw)[:2]


def lets_the_flipped_two_pass(right: Callable[..., None], self: Any, card: int) -> None:  # noqa: ANN401
    """Fault 5: the first seat draws two and keeps its turn."""
    first = self.ring[self.dealer]
    if OWED[card] == 2:
        self.take(first, 2, DrawReason.PENALTY)
        self._begin_turn(first)
    else:
        right(self, card)


def trades_in_the_direction_of_play(self: Any) -> None:  # noqa: ANN401
    """Hands follow the direction instead of going left."""
    hands, masks = list(self.hands), list(self.masks)
    for seat in self.seats_in():
        self.hands[self.ring[seat]], self.masks[self.ring[seat]] = hands[seat], masks[seat]


def fights_once(orders: dict[int, list[int]], points: tuple[int, ...]) -> War:
    """A tie is won by the first seat."""
    shown = [(seat, cards[0]) for seat, cards in sorted(orders.items()) if cards]
    return War(shown, max(shown, key=lambda one: points[one[1]])[0] if shown else None)


def fights_on_below_the_top(orders: dict[int, list[int]], points: tuple[int, ...]) -> War:
    """Any tie makes everybody show a second card."""
    shown = [
        (seat, card)
        for depth in range(2)
        for seat, cards in sorted(orders.items())
        for card in cards[depth : depth + 1]
    ]
    return War(shown, max(orders, key=lambda seat: [points[card] for card in orders[seat]]))


def discards_act(right: Callable[..., None], self: Any, seat: int, cards: bytes, color: int) -> None:  # noqa: ANN401
    """A Draw Two that the wheel discards is owed."""
    right(self, seat, cards, color)
    self.take(self.ring[seat], OWED[cards[-1]], DrawReason.PENALTY)


def spins_without_a_turn(self: Any, spinner: int) -> None:  # noqa: ANN401
    """A spin is not counted."""
    self.turn = spinner
    number = self.chance.wheel()
    self._say(EventKind.SPUN, spinner, 0, 1 + number)
    self._carry_out(wheel.SEGMENT[number], spinner)


def draws_to_a_wild(self: Any, seat: int, color: int) -> None:  # noqa: ANN401
    """A wild always stops the drawing of the wheel."""
    while self.take(seat, 1, DrawReason.WHEEL):
        if 1 << self.hands[seat][-1] & (self.spin.stops[color] | WILDS):
            break
    self._move_on(seat)


def shows_to_nobody(self: Any, seat: int, cards: bytes, to: int | None, *kind: EventKind) -> None:  # noqa: ANN401
    """A hand that should be shown is not."""


def shouts_go_on_behind_the_spinner(self: Any, seat: int) -> None:  # noqa: ANN401
    """After a shout or a war the seat behind the spinner moves."""
    self._begin_turn(self.ring[self.turn])


def gives_the_whole_pile_a_turn(self: Any) -> bool:  # noqa: ANN401
    """The pile is turned over the wrong way round: the newest discard is drawn first."""
    self.draw, self.discard = self.discard[:-1], self.discard[-1:]
    return bool(self.draw)


def packs_the_draft_the_wrong_way_round(self: Any) -> None:  # noqa: ANN401
    """The last of the draft's discards would be drawn first."""
    self.draw[:0] = self.discard
    self.discard = bytearray()
    self._start()


def picks_one_card(self: Any, seat: int, code: int) -> None:  # noqa: ANN401
    """A pick that keeps its card does not turn the next one over."""
    card = self.draw.pop()
    (self.hands[seat] if code == KEEP else self.discard).append(card)
    self.masks[seat] = sum(1 << one for one in set(self.hands[seat]))
    self._ask_pick(self.ring[seat])


def acts_on_every_card_of_a_dump(right: Callable[..., None], self: Any, seat: int, last: int) -> None:  # noqa: ANN401
    """The Draw Twos inside a dump are drawn as well."""
    self.take(self.ring[seat], sum(OWED[card] for card in self.discard[-3:-1]), DrawReason.PENALTY)
    right(self, seat, last)


def answers_only_in_its_colour(self: Any, seat: int) -> int:  # noqa: ANN401
    """A volley is for Draw Twos of one colour."""
    return UnoRound._stackable(self, seat) & sum(
        1 << card for card in canonical(self.hands[seat]) if card == self.discard[-1]
    )


def reverse_skips(self: Any, seat: int, count: int) -> None:  # noqa: ANN401
    """Fault F20, the other way round: Duo's Reverse is a Skip."""
    self._begin_turn(seat)


def reverse_does_nothing(self: Any, seat: int, count: int) -> None:  # noqa: ANN401
    """Fault 1: a Reverse with two seats lets the other one move."""
    if self.live > 2 and count == 1:
        self._turn_round()
    self._begin_turn(self.ring[seat])


def accepts_any_list(self: Any, seat: int, codes: tuple[int, ...], color: int) -> None:  # noqa: ANN401
    """Faults F3 and F12: what goes together, and whether a colour is named, is not looked at."""


def plays_on_at_the_target(right: Callable[..., Any], self: Any) -> Any:  # noqa: ANN401
    """Fault F6: exactly the target goes on."""
    target = self.rules.number("target_score")
    return None if target and max(self.scores) == target else right(self)


def gives_a_whole_turn_after_a_draw(right: Callable[..., bytes], self: Any, seat: int) -> bytes:  # noqa: ANN401
    """Fault 23: after a draw any card may be played."""
    return bytes(self._plays(self.masks[seat] & self.ok)) + bytes((KEEP,))


PLANTED: Final[dict[str, tuple[str, Plant]]] = {
    "1: Reverse with two seats does nothing": ("uno", method(UnoRound, "_reverse", reverse_does_nothing)),
    "2: the top is shuffled in": ("uno", method(UnoRound, "_recycle", reshuffles_the_top)),
    "5: a flipped Draw Two keeps the turn": ("uno", wrapped(UnoRound, "_started", lets_the_flipped_two_pass)),
    "13: a bluff is judged after the play": ("uno", method(UnoRound, "_play", judges_after_the_play)),
    "15: what was paid is owed again": ("uno", method(UnoRound, "_pay", forgets_what_was_paid)),
    "20: the last card owes nothing": ("uno", method(UnoRound, "_go_out", goes_out_without_drawing)),
    "23: a whole turn after a draw": ("uno", wrapped(UnoRound, "_drawn_options", gives_a_whole_turn_after_a_draw)),
    "25: a leaver's cards vanish": ("uno", wrapped(UnoRound, "_leave", loses_the_cards_of_a_leaver)),
    "Spin: a swirled card does not spin": ("spin", method(SpinRound, "_effect", effects.UnoEffects._effect)),
    "Spin: a spin is no turn": ("spin", method(SpinRound, "_spin", spins_without_a_turn)),
    "Spin: hands follow the direction": ("spin", method(SpinRound, "_trade", trades_in_the_direction_of_play)),
    "Spin: a tie in war is won": ("spin", lambda patch: patch.setattr(wheel, "fight", fights_once)),
    "Spin: ties below the top count": ("spin", lambda patch: patch.setattr(wheel, "fight", fights_on_below_the_top)),
    "Spin: discards act": ("spin", wrapped(SpinRound, "_lay_on_top", discards_act)),
    "Spin: lists are not looked at": ("spin", method(SpinRound, "_compose", accepts_any_list)),
    "Spin: a wild stops the drawing": ("spin", method(SpinRound, "_draw_to", draws_to_a_wild)),
    "Spin: a challenged hand is not shown": ("spin", method(SpinRound, "_show", shows_to_nobody)),
    "Spin: always behind the spinner": ("spin", method(SpinRound, "_move_on", shouts_go_on_behind_the_spinner)),
    "Spin: a bluff is judged after the play": ("spin", method(SpinRound, "_play", judges_after_the_play)),
    "Duo: the draft packet upside down": ("match", method(DuoRound, "_end_draft", packs_the_draft_the_wrong_way_round)),
    "Duo: a pick takes one card": ("match", method(DuoRound, "_pick", picks_one_card)),
    "Duo: lists are not looked at": ("duo", method(DuoRound, "_compose", accepts_any_list)),
    "Duo: cards inside a dump act": ("duo", wrapped(DuoRound, "_dumped", acts_on_every_card_of_a_dump)),
    "Duo: the pile upside down": ("duo", method(DuoRound, "_recycle", gives_the_whole_pile_a_turn)),
    "Duo: volleys of one colour": ("duo", method(DuoRound, "_stackable", answers_only_in_its_colour)),
    "F6: exactly the target goes on": ("duo", wrapped(Game, "_ending", plays_on_at_the_target)),
    "F11: a bluff is judged after the play": ("duo", method(DuoRound, "_play", judges_after_the_play)),
    "F13: the volley is not reset": ("duo", method(DuoRound, "_pay", forgets_what_was_paid)),
    "F19: the last card owes nothing": ("duo", method(DuoRound, "_go_out", goes_out_without_drawing)),
    "F20: Reverse is a Skip": ("duo", method(DuoRound, "_reverse", reverse_skips)),
}


@pytest.mark.sample(15)
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the fault in place a scenario fails that passes without it."""
    name, plant = PLANTED[fault]
    assert failing(name) == []
    plant(monkeypatch)
    assert failing(name)


def test_a_dropped_call_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fault F16: the extra turn begins before the window."""
    monkeypatch.setattr(
        DuoRound,
        "_call_missed",
        lambda self, seat, then, *arguments: getattr(self, then)(*arguments),
    )
    assert failing("duo")


def test_every_rank_has_its_effect() -> None:
    """The table of effects: no action without one, no number with one."""
    for card in range(1, 57):
        acts = RANK_OF[card] in (10, 11, 12) or card == 56
        assert (effects.EFFECTS[card] is not effects.Effect.NONE) is acts
