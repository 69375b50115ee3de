"""The house that pages, commands and metrics are tested over."""

from __future__ import annotations

from ladder.store import Store
from tests.ladder_house import ME, House


def test_bots_of_a_house_stay_connected(store: Store) -> None:
    """However slow a test is: the beat of their referee does not run out."""
    House(store).connect("ann@1", "bob@1")
    assert store.link.read("PTTL", store.keys.beat(ME)) == -1
    assert set(store.presence.online()) == {"ann@1", "bob@1"}
