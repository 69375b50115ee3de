"""The formats that are built in. A name says all: ruleset, target, seats, clock and what shares cards.

`<rules>[-<target>][-<seats>][-fast][-mirrored|-field]`, for example `uno-classic-2` or `dos-200-2-fast`. Every name of
this grammar is a format; `offered()` are those that are shown.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.formats.format import DEALS, FAST, NORMAL, Format, outcome_of
from referee.rules.errors import RulesError
from referee.rules.games import GAMES, resolve
from referee.rules.presets import PRESETS


@dataclass(frozen=True, slots=True)
class Base:
    """What the first part of a name stands for: a preset, options on top of it, and the seats if they are fixed.

    Attributes:
        preset: name of the preset.
        options: fixed options.
        by_seats: options that depend on the number of seats; None if that number cannot play.
        seats: the only number of seats; the name does not say it then.
    """

    preset: str
    options: Mapping[str, object]
    by_seats: Callable[[int], Mapping[str, object] | None] = lambda _: {}
    seats: int = 0


def _pairs(seats: int) -> Mapping[str, object] | None:
    """Partners sit opposite each other (002 L5)."""
    return {"team_of": [seat % (seats // 2) for seat in range(seats)]} if seats >= 4 and seats % 2 == 0 else None


# With the numbers of seed 002 a challenge by the victim never costs more than accepting, so that rated play takes the
# sheet's; a Duo pile that is turned over unshuffled tells a bot with memory its order.
BASES: Final[dict[str, Base]] = {
    "uno-classic": Base("classic", {}),
    "uno-house": Base("uno", {"challenge_guilty_extra": 0, "challenge_innocent_extra": 2}),
    "uno-official": Base("official", {}),
    "uno-pairs": Base("classic", {}, _pairs),
    "spin": Base("spin", {}),
    "dos": Base("dos", {}),
    "duo": Base("duo", {"recycle": "SHUFFLE"}, seats=2),
}

OFFERED: Final = (
    "uno-classic-2",
    "uno-classic-4",
    "uno-classic-500-2",
    "uno-house-2",
    "uno-house-4",
    "uno-official-2",
    "uno-official-4",
    "uno-official-10",
    "uno-pairs-4",
    "spin-2",
    "spin-4",
    "dos-2",
    "dos-3",
    "dos-4",
    "dos-200-2",
    "duo",
    "duo-200",
)

GRAMMAR: Final = (
    "<rules>[-<target>][-<seats>], rules one of uno-classic, uno-house, uno-official, uno-pairs, spin, dos and duo, "
    "target 200 or 500, seats 2 to 10 (dos 2 to 4, uno-pairs an even number from 4, duo none), as uno-classic-200-3"
)
"""In words which names are formats, but for what may follow."""
_NAME: Final = re.compile(
    rf"(?P<base>{'|'.join(BASES)})(-(?P<target>200|500))?(-(?P<seats>[2-9]|10))?(?P<fast>-fast)?(-(?P<deals>mirrored|field))?"
)


def offered() -> list[str]:
    """Return the names of the formats that are offered."""
    return [name for name in OFFERED if (found := _NAME.fullmatch(name)) and _known(BASES[found["base"]])]


def reserved(name: str) -> bool:
    """Return whether a name is of the grammar, so that nobody else may use it."""
    return _NAME.fullmatch(name) is not None


def find(name: str) -> Format | None:
    """Return the format of a name; None if it is none."""
    found = _NAME.fullmatch(name)
    if found is None or not _known(BASES[found["base"]]):
        return None
    base = BASES[found["base"]]
    if bool(found["seats"]) == bool(base.seats):
        return None
    seats = base.seats or int(found["seats"])
    by_seats = base.by_seats(seats)
    if by_seats is None:
        return None
    target = int(found["target"] or 0)
    try:
        rules = resolve(base.preset, {**base.options, **by_seats, "target_score": target, "rounds": 1}, seats)
    except RulesError:
        return None
    return Format(name, rules, FAST if found["fast"] else NORMAL, found["deals"] or DEALS[0], outcome_of(rules))


def _known(base: Base) -> bool:
    return PRESETS[base.preset].game in GAMES
