"""Bots of one owner in a tournament: what they play against each other is shown, and moves no ladder."""

from __future__ import annotations

from collections import Counter
from math import comb

from ladder.store.registry import BotRow
from ladder.store.store import Store
from lastcard.console import counted
from workers.tournaments.entry import field_of
from workers.tournaments.spec import Kind, TournamentSpec
from workers.tournaments.terms import Terms

__all__ = ["relatives"]


def relatives(store: Store, spec: TournamentSpec, terms: Terms) -> tuple[str, ...]:
    """Say how many pairs of opponents are of one owner who is not the house, as far as it is known who plays."""
    if spec.unrated or (spec.all and (spec.cron or spec.start_ms is not None)):
        return ()
    sides = _sides(store, spec)
    leads = spec.kind is Kind.GAUNTLET and terms.seats == 2 * len(sides[0]) if sides else False
    kin, pairs = _against_the_first(sides) if leads else _against_each_other(sides)
    if not kin:
        return ()
    of_one = f"{kin} of {counted(pairs, 'pair')} {'is' if kin == 1 else 'are'} of one owner"
    if terms.seats == 2:
        return (f"{of_one}: {'it moves' if kin == 1 else 'they move'} no ladder",)
    return (f"{of_one}: a table at which two of one owner play against each other moves no ladder",)


def _sides(store: Store, spec: TournamentSpec) -> list[list[BotRow]]:
    if spec.all:
        return [[bot] for bot in field_of(store, spec).bots]
    found = store.registry.entered(spec.names)
    return [[found[name] for name in side] for side in spec.sides if all(name in found for name in side)]


def _against_the_first(sides: list[list[BotRow]]) -> tuple[int, int]:
    """Return the pairs of one owner, and all pairs, of which one plays in the first side."""
    first, others = sides[0], [bot for side in sides[1:] for bot in side]
    owners = Counter(bot.kin for bot in others if not bot.house)
    return sum(owners[bot.kin] for bot in first if not bot.house), len(first) * len(others)


def _against_each_other(sides: list[list[BotRow]]) -> tuple[int, int]:
    """Return the pairs of one owner, and all pairs, whose two do not play in one side."""
    bots = [bot for side in sides for bot in side]
    kin, pairs = _kin(bots), comb(len(bots), 2)
    return kin - sum(map(_kin, sides)), pairs - sum(comb(len(side), 2) for side in sides)


def _kin(bots: list[BotRow]) -> int:
    return sum(comb(count, 2) for count in Counter(bot.kin for bot in bots if not bot.house).values())
