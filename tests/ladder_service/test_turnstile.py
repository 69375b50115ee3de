"""Who is let into a stream of the ladder when there are many."""

from __future__ import annotations

import pytest

from ladder.door.turnstile import Turnstile
from ladder.errors import TooManyError


def test_one_address_cannot_take_all_streams() -> None:
    """Its share is limited, and others still get in."""
    turnstile = Turnstile(most=10, most_each=2)
    with turnstile.enter("a"), turnstile.enter("a"):
        with pytest.raises(TooManyError), turnstile.enter("a"):
            pass
        with turnstile.enter("b"):
            pass
    with turnstile.enter("a"):
        assert turnstile._open.total() == 1
