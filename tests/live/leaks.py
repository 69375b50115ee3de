"""Planted leaks that tests of what may be seen have to find."""

from __future__ import annotations

import pytest

from referee.rules.uno.round import UnoRound


def tell_the_card(patch: pytest.MonkeyPatch) -> None:
    """A drawn card stands in the event that everybody sees."""
    draw = UnoRound._draw

    def leaking(self: UnoRound, seat: int) -> bool:
        at, card = len(self.events), self.draw[-1] if self.draw else 0
        asked = draw(self, seat)
        self.events[at + 2] = card
        return asked

    patch.setattr(UnoRound, "_draw", leaking)
