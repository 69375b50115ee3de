"""A tournament as its organiser describes it, and what is wrong with a description."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from ladder.errors import InvalidFieldError
from ladder.extent import DEADLINE_S
from ladder.judged import Judged
from ladder.names import checked
from lastcard.console import counted
from lastcard.names import AT, BOT, TOGETHER, TOURNAMENT, VERSION, bot_of

__all__ = ["CYCLES", "DEADLINE_S", "GRACE_S", "MEETINGS", "Deals", "Kind", "Size", "TournamentSpec", "check"]

CRON_NAME: Final = 26
"""Characters of the name of a repeated tournament: its runs add their time, `-20261129t0200`."""
RESERVED: Final = "ladder"
"""Matches outside tournaments are called `ladder.…`."""
MEETINGS: Final = 50
CYCLES: Final = 1
GRACE_S: Final = 120
FEWEST_BOTS, MOST_BOTS = 2, 1000
MOST_MEETINGS: Final = 10_000
MOST_CYCLES: Final = 1_000
MOST_GRACE_S: Final = 7 * 86_400
MOST_DEADLINE_S: Final = 7 * 86_400
MOST_SEED: Final = 2**64 - 1
SEED_BYTES: Final = 32
"""Of the secret seed of the deals."""


class Kind(StrEnum):
    """How entrants are paired."""

    ROUND_ROBIN = "roundrobin"
    GAUNTLET = "gauntlet"


class Deals(StrEnum):
    """What shares cards."""

    FRESH = "fresh"
    MIRRORED = "mirrored"
    FIELD = "field"


class Size(StrEnum):
    """How much is played: error bars of quick are twice those of default, and those of default twice those of fine."""

    QUICK = "quick"
    DEFAULT = "default"
    FINE = "fine"


@dataclass(frozen=True, slots=True)
class TournamentSpec:
    """Everything that decides a tournament but the secret seed of its deals."""

    name: str
    format: str
    bots: tuple[str, ...] = ()
    """By name, which is its newest version at the start, or `name@n`; `a+b` are two that play together as a side."""
    all: bool = False
    """Instead of bots: everybody who is online at the start."""
    kind: Kind = Kind.ROUND_ROBIN
    meetings: int = MEETINGS
    """Of each pairing or table; 0: as many as the size comes to for those who play."""
    cycles: int = CYCLES
    start_ms: int | None = None
    """When it begins, in ms since 1970; None: at once."""
    cron: str = ""
    timezone: str = "UTC"
    deals: Deals | None = None
    """None: as the format says."""
    schedule_seed: int = 0
    grace_s: int = GRACE_S
    trusted: bool = False
    """The organiser vouches for all owners."""
    unrated: bool = False
    nonces: bool = True
    deadline_s: int | None = None
    """So long may a table always take while others wait for its deals; None: `DEADLINE_S`."""
    size: Size | None = None
    """Instead of meetings."""
    sprt: Judged | None = None
    """What `lastcard sprt` asks of it; None: nothing, or it was created by a version that did not keep it."""

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The bots as they are entered, those together that play together (`a+b`)."""
        return tuple(tuple(side.split(TOGETHER)) for side in self.bots)

    @property
    def names(self) -> tuple[str, ...]:
        """All bots as they are entered, `name` or `name@n`."""
        return tuple(name for side in self.sides for name in side)

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """All bots as `name@n`; where the version does not show before the start, any."""
        return tuple(name if AT in name else f"{name}{AT}1" for name in self.names)

    @property
    def side(self) -> int:
        """Bots that are paired as one."""
        return len(self.sides[0]) if self.bots else 1

    def fields(self) -> dict[str, object]:
        """Return it as plain values, ready for JSON; what older versions do not know stands there where it was said."""
        fields = asdict(self)
        if self.deadline_s is None:
            del fields["deadline_s"]
        if self.size is None:
            del fields["size"]
        if self.sprt is None:
            del fields["sprt"]
        return fields

    @classmethod
    def parse(cls, text: str) -> TournamentSpec:
        """Return the description whose `fields` are this JSON."""
        fields = json.loads(text)
        deals = fields.pop("deals")
        kind, bots = Kind(fields.pop("kind")), tuple(fields.pop("bots"))
        size = Size(fields.pop("size")) if "size" in fields else None
        sprt = Judged(**fields.pop("sprt")) if "sprt" in fields else None
        return cls(kind=kind, bots=bots, deals=Deals(deals) if deals else None, size=size, sprt=sprt, **fields)


def check(spec: TournamentSpec) -> None:
    """Check everything that can be seen without asking who exists.

    Raises:
        InvalidFieldError: the first field that is not what it may be.
    """
    _check_name(spec)
    _check_bots(spec)
    _check_meetings(spec)
    _within("cycles", spec.cycles, 1, MOST_CYCLES)
    _within("grace_seconds", spec.grace_s, 0, MOST_GRACE_S)
    if spec.deadline_s is not None:
        _within("deadline_seconds", spec.deadline_s, 1, MOST_DEADLINE_S)
    _within("schedule_seed", spec.schedule_seed, 0, MOST_SEED)
    _check_start(spec)
    _check_sprt(spec)
    if not spec.nonces and not spec.unrated:
        raise InvalidFieldError(
            "NONCES_NEEDED",
            "rated deals need the bots' nonces: add unrated, or drop no_nonces",
            field="no_nonces",
            value=True,
        )


def _check_name(spec: TournamentSpec) -> None:
    checked(TOURNAMENT, spec.name, "name")
    if spec.name == RESERVED:
        message = f"{RESERVED!r} is what matches outside tournaments are called: choose another name"
        raise InvalidFieldError("BAD_NAME", message, field="name", value=spec.name)
    if spec.cron and len(spec.name) > CRON_NAME:
        message = (
            f"tournament name {spec.name!r}: with a cron line at most {CRON_NAME} characters, its runs add their time"
        )
        raise InvalidFieldError("BAD_NAME", message, field="name", value=spec.name)


def _check_bots(spec: TournamentSpec) -> None:
    if spec.all == bool(spec.bots):
        given = f"{counted(len(spec.bots), 'name')} and all" if spec.all else "neither names nor all"
        message = f"{given}: name the bots (--bots a,b,c), or take all that are online (--all): one of both"
        raise _bots(message, spec.bots)
    if spec.all:
        if spec.kind is Kind.GAUNTLET:
            raise _bots("a gauntlet needs its bots by name: the first one meets the others", ())
        return
    for entry, side in zip(spec.bots, spec.sides, strict=True):
        for name in side:
            _check_entry(name, entry)
    _check_once(spec.names)
    if not FEWEST_BOTS <= len(spec.names) <= MOST_BOTS:
        raise _bots(f"{counted(len(spec.names), 'bot')}: allowed {FEWEST_BOTS} to {MOST_BOTS}", spec.bots)
    if len(set(map(len, spec.sides))) > 1:
        one = spec.bots[0]
        other = next(side for side in spec.bots if side.count(TOGETHER) != one.count(TOGETHER))
        message = f"{one} and {other} are sides of different size: write all of them like alpha+beta, or none"
        raise _bots(message, (one, other))


def _check_entry(name: str, entry: str) -> None:
    """Check the name of a bot or a version; `entry`: what was typed, which may be several that play together."""
    try:
        checked(VERSION if AT in name else BOT, name, "bots")
    except InvalidFieldError as error:
        if name == entry:
            raise
        rule = error.allowed[0]
        message = f"bots must be {rule}, those that play together like alpha+beta; {name!r} in {entry!r} is not"
        raise InvalidFieldError(error.reason, message, field="bots", value=entry, allowed=error.allowed) from error


def _check_once(names: Sequence[str]) -> None:
    """Check that nobody is entered twice: a bot by its name, or versions of it by their numbers."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        one = "a version" if AT in twice[0] else "a bot"
        raise _bots(f"{twice[0]} is named twice: {one} enters once", twice)
    both = [name for name in names if bot_of(name) != name and bot_of(name) in names]
    if both:
        name = bot_of(both[0])
        message = (
            f"{name} stands for its newest version, which may be {both[0]}: name all its versions, or {name} alone"
        )
        raise _bots(message, (name, both[0]))


def _check_meetings(spec: TournamentSpec) -> None:
    if spec.size is None:
        _within("meetings", spec.meetings, 1, MOST_MEETINGS)
    elif spec.meetings:
        message = f"size {spec.size} and {counted(spec.meetings, 'meeting')}: a size stands for meetings; give one"
        raise InvalidFieldError("SIZE_TWICE", message, field="size", value=spec.size)


def _check_start(spec: TournamentSpec) -> None:
    if spec.cron and spec.start_ms is not None:
        message = f"cron line {spec.cron!r} and a start: the line has starts of its own; give one of them, not both"
        raise InvalidFieldError("START_TWICE", message, field="cron", value=spec.cron)
    if spec.timezone != "UTC" and not spec.cron:
        message = (
            f"timezone {spec.timezone!r} without a cron line, to which one belongs: leave it out; "
            "a start carries its own offset"
        )
        raise InvalidFieldError("BAD_TIMEZONE", message, field="timezone", value=spec.timezone)


def _check_sprt(spec: TournamentSpec) -> None:
    """Check that what `lastcard sprt` asks can be tested, and is asked of two versions that meet in no ladder."""
    if spec.sprt is None:
        return
    bounds = spec.sprt.bounds
    if len(spec.bots) != FEWEST_BOTS or not all(AT in name for name in spec.names) or not spec.unrated or spec.cron:
        message = (
            f"sprt of {','.join(bounds.typed)} asks which of two versions is stronger: name two, like alpha@2 and "
            "alpha@1, in an unrated tournament without a cron line"
        )
        raise InvalidFieldError("BAD_SPRT", message, field="sprt", value=str(spec.sprt))


def _within(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        message = f"{field} {value}: allowed {least} to {most}"
        raise InvalidFieldError("OUT_OF_RANGE", message, field=field, value=value, allowed=(f"{least} to {most}",))


def _bots(message: str, value: Iterable[str]) -> InvalidFieldError:
    return InvalidFieldError("BAD_BOTS", message, field="bots", value=",".join(value))
