"""Whoever only listens knows the table: row, sizes of hands and piles follow from the public events alone."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.rules.dos.turn import IN_COLOR
from referee.rules.games import resolve
from referee.rules.round import Round
from referee.rules.vocabulary import EventKind
from tests.rules.playing import play, rulesets, start
from tests.rules.watching import public

ROW = frozenset({EventKind.TURNED_UP, EventKind.REFILLED})


class Listener:
    """Somebody who hears what everybody may hear, and counts."""

    def __init__(self, seats: int) -> None:
        self.hands = [0] * seats
        self.row: list[int] = []
        self.draw = 108
        self.used = 0  # discarded, or lying on matched cards of the row
        self.heard = 0
        self.matched: set[int] = set()  # places in the row of the act that is being told

    def listen(self, round_: Round) -> None:
        """Takes in what was told since the last time; every single event leaves 108 cards on the table."""
        columns = public(round_, self.heard)
        for kind, seat, card, arg in zip(*columns, strict=True):
            if kind not in (EventKind.MATCHED, EventKind.DREW, EventKind.RESHUFFLED):
                self._stacks_leave()
            self._hear(kind, seat, card, arg)
            assert sum(self.hands) + len(self.row) + self.draw + self.used == 108
        self._stacks_leave()
        self.heard += len(columns.kind)

    def _stacks_leave(self) -> None:
        for place in sorted(self.matched, reverse=True):
            del self.row[place]
        self.used += len(self.matched)
        self.matched.clear()

    def _hear(self, kind: int, seat: int, card: int, arg: int) -> None:
        if kind == EventKind.DEALT:
            self.hands[seat] += arg
            self.draw -= arg
        elif kind in ROW:
            self.row.append(card)
            self.draw -= 1
        elif kind == EventKind.MATCHED:
            self.hands[seat] -= 1
            self.used += 1
            self.matched.add(arg & ~IN_COLOR)
        elif kind == EventKind.DREW:
            self.hands[seat] += 1
            self.draw -= 1
        elif kind == EventKind.PLACED:
            self.hands[seat] -= 1
            self.row.append(card)
        elif kind == EventKind.RESHUFFLED:
            if arg > self.used:
                self._stacks_leave()
            self.used -= arg
            self.draw += arg
        elif kind == EventKind.FORFEITED:
            self.used += self.hands[seat]
            self.hands[seat] = 0


@pytest.mark.parametrize("full", [False, True], ids=["some hands", "hands of nearly the whole deck"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_public_events_tell_the_whole_public_state(full: bool, data: st.DataObject, seed: int) -> None:
    """After every act, and 108 cards are somewhere after every event; also where the discards are shuffled again."""
    rules = data.draw(rulesets("dos"))
    if full:
        most = (108 - rules.number("row_min")) // rules.seats
        rules = resolve("dos", rules.as_json() | {"hand_size": most}, rules.seats)
    round_ = start(rules, seed)
    heard = Listener(round_.n)

    def look(now: Round) -> None:
        heard.listen(now)
        assert heard.hands == [len(hand) for hand in now.hands]
        assert heard.row == list(now.row)
        assert (heard.draw, heard.used) == (len(now.draw), len(now.discard))

    play(round_, Random(seed), look)
    look(round_)
