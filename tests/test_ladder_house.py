"""The house that pages, commands and metrics are tested over."""

from __future__ import annotations

from ladder.store import Store
from tests.ladder_house import ME, played_house


def test_bots_of_a_played_house_stay_connected(store: Store) -> None:
    """However slow a test is: the beat of their referee does not run out."""
    played_house(store)
    assert store.link.read("PTTL", store.keys.beat(ME)) == -1
    assert len(store.presence.online()) == 4
