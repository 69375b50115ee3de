"""Bots of an owner who has as many rated ones as an owner may have."""

from __future__ import annotations

from typing import Final

from ladder.extent import listed
from ladder.store.places import RATED_AN_OWNER
from ladder.store.store import Store
from lastcard.names import bot_of
from workers.tournaments.spec import TournamentSpec

__all__ = ["crowded"]

MOST_NAMED: Final = 5


def crowded(store: Store, spec: TournamentSpec) -> tuple[str, ...]:
    """Say which of the named bots would move no ladder, because others of their owners have all places of theirs."""
    if spec.unrated or spec.all:
        return ()
    found = store.registry.find(dict.fromkeys(map(bot_of, spec.names))).values()
    known = [bot for bot in found if not bot.retired]
    placed = store.places.free(known)
    left = [bot.name for bot in known if bot.name not in placed]
    if not left:
        return ()
    move = "moves" if len(left) == 1 else "move"
    sentence = (
        f"an owner has {RATED_AN_OWNER} rated bots at most, so {listed(left, MOST_NAMED)} {move} no ladder; one that "
        "is retired (`lastcard bot retire`) leaves its place to another"
    )
    return (sentence,)
