"""Who of an owner's bots has a place on the ladders."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, cast

from ladder.store.bot_rows import BotRow
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.replies import WrongKindError, spelled_hash
from ladder.store.scripts import script

RATED_AN_OWNER: Final = 5
"""Bots of one owner that are rated, at most."""


class Places:
    """An owner has so many places, the house as many as it likes; a bot keeps its own until it is retired.

    But a bot that is vouched for goes before all that merely name its owner: they take none from it.
    """

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys

    def take(self, bots: Iterable[BotRow], now_ms: int) -> frozenset[str]:
        """Gives these bots places as far as there are any, those first that were registered first.

        Returns the names of those that have one; owners that an operator linked have theirs together.
        """
        house, owned = _parted(bots)
        owners = self._owners(owned)
        return house.union(*(self._placed(owners[kin], theirs, now_ms) for kin, theirs in owned.items()))

    def free(self, bots: Iterable[BotRow]) -> frozenset[str]:
        """The names of those of these bots that have a place, or would be given one now."""
        house, owned = _parted(bots)
        owners = self._owners(owned)
        sets = [(kin, owner) for kin in owned for owner in owners[kin]]
        counts = dict.fromkeys(owned, 0)
        for (kin, _), size in zip(sets, self._link.read_each([["SCARD", owner] for _, owner in sets]), strict=True):
            counts[kin] += size if isinstance(size, int) else 0  # a damaged set has nobody
        few = {bot.name for kin, theirs in owned.items() for bot in theirs if counts[kin] <= RATED_AN_OWNER}
        many = [(owners[kin], theirs) for kin, theirs in owned.items() if counts[kin] > RATED_AN_OWNER]
        return house.union(few, *(self._placed(of_owner, theirs, 0) for of_owner, theirs in many))

    def _owners(self, owned: Mapping[str, list[BotRow]]) -> dict[str, list[str]]:
        """The sets of the bots of these owners, and of all that are one with each."""
        one_with = defaultdict(set)
        for owner, head in self._linked().items() if owned else ():
            one_with[head].add(owner)
        return {
            kin: [self._keys.owner(owner) for owner in sorted({kin, *one_with[kin], *(bot.owner for bot in theirs)})]
            for kin, theirs in owned.items()
        }

    def _linked(self) -> dict[str, str]:
        """Owners that are linked, to who stands for each; damaged links are none, as for the registry."""
        (links,) = self._link.each_hash([self._keys.kin])
        return {} if isinstance(links, WrongKindError) else spelled_hash(links)

    def _placed(self, sets: list[str], bots: list[BotRow], now_ms: int) -> frozenset[str]:
        wanting = [bot.name for bot in sorted(bots, key=lambda bot: (bot.created_ms, bot.name))]
        args: tuple[str | int, ...] = (self._keys.bot(""), RATED_AN_OWNER, now_ms, *wanting)
        reply = self._link.run(Call(script("place"), tuple(sets), args))
        return frozenset(name.decode() for name in cast("list[bytes]", reply))


def _parted(bots: Iterable[BotRow]) -> tuple[frozenset[str], dict[str, list[BotRow]]]:
    """Those of the house, and the others by who answers for them."""
    house, owned = set(), defaultdict(list)
    for bot in bots:
        if bot.house:
            house.add(bot.name)
        else:
            owned[bot.kin].append(bot)
    return frozenset(house), owned
