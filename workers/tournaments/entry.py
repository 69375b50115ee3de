"""Who takes part in a tournament: bots by name, the versions that play, and whether these owners may share deals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from ladder.errors import InvalidFieldError, UnknownNameError
from ladder.extent import listed
from ladder.readings.profiles import NEIGHBOURS
from ladder.store.registry import BotRow
from ladder.store.store import Store
from lastcard.console import counted
from lastcard.names import AT, bot_of
from workers.schedule.deal_groups import HOUSE
from workers.tournaments.draw import drawn
from workers.tournaments.spec import Deals, Kind, TournamentSpec
from workers.tournaments.terms import Terms

__all__ = [
    "Field",
    "check_deadline",
    "check_deals",
    "check_format_deals",
    "check_sides",
    "field_of",
    "missing",
    "named",
    "not_offering",
]

MOST_NAMED: Final = 5
"""Formats or bots that a sentence names; of more than that only the number is said."""


@dataclass(frozen=True, slots=True)
class Field:
    """The bots that could play now; those of one side stand together, and none of them without the others."""

    bots: tuple[BotRow, ...]
    hoped: int = 0
    """Bots by name that play or may still come: those of sides in which nobody is retired."""

    @property
    def entrants(self) -> tuple[str, ...]:
        """Their versions, `name@n`, in order."""
        return tuple(str(bot.active) for bot in self.bots)

    def without(self, placed: AbstractSet[str] | None) -> tuple[str, ...]:
        """Return the versions of bots that are not among these; None: nobody needs to be."""
        return () if placed is None else tuple(str(bot.active) for bot in self.bots if bot.name not in placed)

    @property
    def kin(self) -> dict[str, int]:
        """Their versions to the number of their owner; owners that an operator linked are one."""
        owners = sorted({bot.kin for bot in self.bots if not bot.house})
        return {str(bot.active): HOUSE if bot.house else 1 + owners.index(bot.kin) for bot in self.bots}


def named(store: Store, names: Sequence[str]) -> tuple[BotRow, ...]:
    """Return the bots of these entries, `name` or `name@n`, in order.

    Raises:
        UnknownNameError: one of them is not registered, or retired, or has no such version.
    """
    found = store.registry.entered(names)
    missing = [name for name in names if name not in found or found[name].retired]
    if missing:
        name = bot_of(missing[0])
        near = get_close_matches(
            name, [bot.name for bot in store.registry.page(NEIGHBOURS).rows if not bot.retired], n=1
        )
        hint = f"; did you mean {near[0]}? Register" if near else ": register"
        message = f"there is no bot {name!r}{hint} it first, or leave it out"
        if missing[0] in found:
            again = f"`lastcard bot retire {name} --undo` brings it back"
            message = f"bot {name!r} is retired: {again}, or leave it out"
            near = []
        raise UnknownNameError("UNKNOWN_BOT", message, field="bots", value=missing[0], allowed=near)
    for name in names:
        if AT in name and found[name].active is None:
            raise _unknown_version(store, name)
    return tuple(found[name] for name in names)


def _unknown_version(store: Store, entry: str) -> UnknownNameError:
    """Return the error for a version that its bot never had."""
    name = bot_of(entry)
    versions = [version.id for version in store.registry.get(name).versions]
    there = f"its newest is {versions[-1]}" if versions else "it never connected; connect it first"
    sentence = f"bot {name!r} has no version {entry}: {there}"
    return UnknownNameError("UNKNOWN_VERSION", sentence, field="bots", value=entry, allowed=versions)


def field_of(store: Store, spec: TournamentSpec) -> Field:
    """Return who could play now: the named bots that ever connected, or everybody who is online in this format.

    Nobody asked for those who are merely online: where it is about a ladder, those play that have a place there.
    """
    sides = tuple((name,) for name in _online(store, spec.format)) if spec.all else spec.sides
    found = store.registry.entered([name for side in sides for name in side])
    if spec.all and not spec.unrated:
        placed = store.places.free(found.values())
        found = {name: bot for name, bot in found.items() if name in placed}
    alive = [side for side in sides if all(name in found and not found[name].retired for name in side)]
    whole = [side for side in alive if all(found[name].active is not None for name in side)]
    return Field(tuple(found[name] for side in whole for name in side), 0 if spec.all else sum(map(len, alive)))


def missing(store: Store, spec: TournamentSpec) -> tuple[str, ...]:
    """Return which bots of a tournament that begins now could not play, a sentence each; none where it begins later."""
    if spec.cron or spec.start_ms is not None:
        return ()
    there = _there(store, spec)
    lose = f"who is not there within {spec.grace_s} s loses its matches by walkover, and no ladder moves"
    sentences = []
    if there.others:
        sentences.append(
            f"connected without offering {spec.format}: {_few(there.others)} ({_some(there.offered)}); let them offer "
            f"it, or leave them out: nobody waits for them longer than {spec.grace_s} s"
        )
    if there.older:
        sentences.append(f"connected with an older version than their newest, which plays: {_few(there.older)}; {lose}")
    if there.late:
        sentences.append(f"not connected: {_few(there.late)}; {lose}")
    if there.strangers:
        sentences.append(
            f"never connected: {_few(there.strangers)}; who is not there within {spec.grace_s} s is left out, and with "
            "fewer bots than a table needs the tournament is cancelled"
        )
    if there.retired:
        sentences.append(f"retired: {_few(there.retired)}; who is so when it begins is left out")
    return tuple(sentences)


def not_offering(store: Store, spec: TournamentSpec) -> tuple[str, ...]:
    """Return which bots of a tournament are connected now, with what plays, and do not offer its format."""
    return tuple(_there(store, spec).others)


@dataclass(frozen=True, slots=True)
class _There:
    """The named bots that could not play now, by what keeps them away."""

    others: Sequence[str]
    offered: AbstractSet[str]
    """Formats that those offer."""
    older: Sequence[str]
    late: Sequence[str]
    strangers: Sequence[str]
    retired: Sequence[str]


def _there(store: Store, spec: TournamentSpec) -> _There:
    online, kept = store.presence.online(), store.registry.entered(spec.names)
    connected = {bot_of(version) for version in online}
    active = {name: str(bot.active) for name, bot in kept.items() if bot.active is not None and not bot.retired}
    others = [name for name, bot in active.items() if bot in online and spec.format not in online[bot].formats]
    away = [name for name, bot in active.items() if bot not in online]
    return _There(
        others=others,
        offered=frozenset().union(*(online[active[name]].formats for name in others)),
        older=[name for name in away if name in connected],
        late=[name for name in away if name not in connected],
        strangers=[
            name for name in spec.names if name not in kept or (kept[name].active is None and not kept[name].retired)
        ],
        retired=[name for name, bot in kept.items() if bot.retired],
    )


def _few(names: Sequence[str]) -> str:
    return listed(names, MOST_NAMED)


def _some(formats: AbstractSet[str]) -> str:
    """Say which formats are offered, or how many where they are not a few."""
    if len(formats) > MOST_NAMED:
        return f"they offer {len(formats)} others"
    return f"they offer {', '.join(sorted(formats))}" if formats else "they offer none"


def _online(store: Store, format_name: str) -> tuple[str, ...]:
    return tuple(sorted({bot_of(entrant) for entrant in store.presence.online(format_name)}))


def check_sides(spec: TournamentSpec, terms: Terms) -> None:
    """Check that the sides, or all bots one by one, fit the tables of a format.

    Raises:
        InvalidFieldError: a side has another size than its partners at a table, or there are too few bots for one.
    """
    size = terms.side
    if spec.side not in {1, size}:
        partners = f"sides of {size} (alpha+beta) or single bots" if size > 1 else "single bots, without +"
        message = f"{terms.name} is played by {partners}; {spec.bots[0]!r} is a side of {spec.side}"
        raise InvalidFieldError("BAD_SIDES", message, field="bots", value=spec.bots[0], allowed=(partners,))
    if not spec.all and len(spec.names) < terms.seats:
        message = (
            f"{counted(len(spec.names), 'bot')} cannot fill a table: {terms.name} has {terms.seats} seats; "
            f"name {terms.seats} or more"
        )
        raise InvalidFieldError(
            "BAD_BOTS", message, field="bots", value=",".join(spec.bots), allowed=(f">= {terms.seats}",)
        )


def check_format_deals(spec: TournamentSpec, terms: Terms) -> None:
    """Check that a format may be played on other deals than its own: its name does not say which already.

    Raises:
        InvalidFieldError: it does.
    """
    if terms.deals is not Deals.FRESH:
        plain = spec.format.removesuffix(f"-{terms.deals}")
        message = f"{spec.format} has {terms.deals} deals: for {spec.deals} ones take {plain}, or drop deals"
        raise InvalidFieldError("DEALS", message, field="deals", value=spec.deals, allowed=(terms.deals,))


def check_deals(spec: TournamentSpec, terms: Terms, bots: Sequence[BotRow]) -> None:
    """Check that these bots may play on such deals.

    Raises:
        InvalidFieldError: they share cards though their owners are strangers.
    """
    match terms.deals:
        case Deals.FRESH:
            return
        case Deals.FIELD:
            _check_field(spec, terms)
            if not (spec.trusted or _of_the_house(bots)):
                raise _refused(
                    "UNTRUSTED",
                    terms,
                    "deals that many tables share are for house bots, or owners you vouch for (--trusted): "
                    "two accounts of one person would know each other's cards",
                )
        case Deals.MIRRORED:
            if not (spec.trusted or _one_family(bots)):
                raise _refused(
                    "UNTRUSTED",
                    terms,
                    "one deal for all seatings is for house bots, bots of one owner, or owners you vouch for "
                    "(--trusted)",
                )


def check_deadline(spec: TournamentSpec, terms: Terms) -> None:
    """Check that a deadline is given only where tables wait for each other.

    Raises:
        InvalidFieldError: on these deals none does.
    """
    if spec.deadline_s is not None and terms.deals is not Deals.FIELD:
        message = f"nobody waits for another table with {terms.deals} deals: drop deadline, or choose field deals"
        raise InvalidFieldError("DEADLINE", message, field="deadline_seconds", value=spec.deadline_s)


def _check_field(spec: TournamentSpec, terms: Terms) -> None:
    """Check that enough tables play at once to share deals."""
    if spec.kind is Kind.GAUNTLET:
        message = "in a gauntlet one bot sits at every table and would meet a deal again: choose fresh deals"
        raise _refused("DEALS", terms, message)
    if spec.all:
        return  # who is there shows at the start, and it begins with no fewer tables
    tables = drawn(spec, terms, spec.stand_ins).pairing.tables
    if tables < terms.tables:
        message = (
            f"{counted(len(spec.names), 'bot')} make {counted(tables, 'table')} at once; sharing deals "
            f"pays from {terms.tables} tables on: "
            "name more bots, or choose fresh deals"
        )
        raise _refused("DEALS", terms, message)


def _refused(reason: str, terms: Terms, message: str) -> InvalidFieldError:
    """Return the error for deals that may not be shared; fresh ones always may be played."""
    return InvalidFieldError(reason, message, field="deals", value=terms.deals, allowed=(Deals.FRESH,))


def _one_family(bots: Sequence[BotRow]) -> bool:
    """Return whether they are all the house's, or all one owner's."""
    return _of_the_house(bots) or len({bot.kin for bot in bots}) == 1


def _of_the_house(bots: Iterable[BotRow]) -> bool:
    """Return whether they are all the house's; nobody named is nobody known."""
    house = [bot.house for bot in bots]
    return bool(house) and all(house)
