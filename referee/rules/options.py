"""What may be set in a ruleset: kinds of options, presets as data, and the resolved, validated, hashed result."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import Final, TypeAlias

from referee.rules.errors import InvalidOptionError, UnknownOptionError, UnknownPresetError

RULES_VERSION: Final = 1  # goes up when a change alters any recorded game

OptionValue: TypeAlias = int | bool | str | tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number, at least `least`."""

    least: int

    @property
    def allowed(self) -> str:
        """The values in words."""
        return f"a whole number from {self.least}"

    def read(self, value: object) -> OptionValue:
        """The value as kept; ValueError if it is none."""
        if type(value) is not int or value < self.least:
            raise ValueError
        return value


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    allowed: str = "true, false"

    def read(self, value: object) -> OptionValue:
        """The value as kept; ValueError if it is none."""
        if not isinstance(value, bool):
            raise ValueError  # noqa: TRY004  (one error for every unfit value)
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these words."""

    values: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The values in words."""
        return ", ".join(self.values)

    def read(self, value: object) -> OptionValue:
        """The value as kept; ValueError if it is none."""
        if not isinstance(value, str) or value not in self.values:
            raise ValueError
        return value


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list of this many whole numbers from 0; `meaning` says of what."""

    meaning: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The values in words."""
        return f"a list of {len(self.meaning)} whole numbers from 0: {', '.join(self.meaning)}"

    def read(self, value: object) -> OptionValue:
        """The value as kept; ValueError if it is none."""
        if not isinstance(value, list | tuple) or len(value) != len(self.meaning):
            raise ValueError
        if any(type(number) is not int or number < 0 for number in value):
            raise ValueError
        return tuple(value)


@dataclass(frozen=True, slots=True)
class Teams:
    """A team number by seat, or null for everybody alone."""

    allowed: str = "null, or a list with one team number from 0 for each seat and at least two teams"

    def read(self, value: object) -> OptionValue:
        """The value as kept; ValueError if it is none. How many seats there are is checked by `resolve`."""
        if value is None:
            return None
        if not isinstance(value, list | tuple) or any(type(team) is not int or team < 0 for team in value):
            raise ValueError
        if len(set(value)) < 2:
            raise ValueError
        return tuple(value)


OptionKind: TypeAlias = Whole | Flag | Choice | Numbers | Teams


@dataclass(frozen=True, slots=True)
class Option:
    """One option: what it takes, and the source of its meaning."""

    kind: OptionKind
    source: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A named option set of a game; `defaults` has a value for every option of the game."""

    name: str
    game: str
    source: str
    defaults: Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class Rules:
    """A game with all options resolved, for a number of seats.

    `hash` names it: 16 hex digits over rules version, game, seats and all options.
    """

    game: str
    preset: str
    seats: int
    options: Mapping[str, OptionValue]
    hash: str = field(default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        object.__setattr__(self, "hash", sha256(self._canonical().encode()).hexdigest()[:16])

    def _canonical(self) -> str:
        content = {
            "rules_version": RULES_VERSION,
            "game": self.game,
            "seats": self.seats,
            "options": dict(self.options),
        }
        return json.dumps(content, sort_keys=True, separators=(",", ":"))

    def __hash__(self) -> int:
        return hash((self.hash, self.preset))

    def number(self, name: str) -> int:
        """The option of this name, a whole number."""
        value = self.options[name]
        assert type(value) is int
        return value

    def flag(self, name: str) -> bool:
        """The option of this name, true or false."""
        value = self.options[name]
        assert isinstance(value, bool)
        return value

    def word(self, name: str) -> str:
        """The option of this name, a word."""
        value = self.options[name]
        assert isinstance(value, str)
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        """The option of this name, a list of numbers."""
        value = self.options[name]
        assert isinstance(value, tuple)
        return value

    @property
    def team_of(self) -> tuple[int, ...]:
        """The team by seat; everybody alone where the game or the ruleset has no teams."""
        teams = self.options.get("team_of")
        return teams if isinstance(teams, tuple) else tuple(range(self.seats))

    def as_json(self) -> dict[str, object]:
        """All options as JSON values."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in self.options.items()}


def read_options(
    preset: Preset, known: Mapping[str, Option], overrides: Mapping[str, object]
) -> dict[str, OptionValue]:
    """The preset's options with these overrides.

    Raises:
        UnknownOptionError: the game has no such option.
        InvalidOptionError: the option does not take this value.
    """
    options = dict(preset.defaults)
    for name, value in overrides.items():
        if name not in known:
            raise UnknownOptionError(name, value, sorted(known))
        try:
            options[name] = known[name].kind.read(value)
        except ValueError:
            raise InvalidOptionError(name, value, known[name].kind.allowed) from None
    return options


def check_teams(options: Mapping[str, OptionValue], seats: int) -> None:
    """Raises InvalidOptionError unless there is one team number a seat."""
    teams = options.get("team_of")
    if isinstance(teams, tuple) and len(teams) != seats:
        raise InvalidOptionError("team_of", list(teams), f"null, or a list of {seats} team numbers, one a seat")


def check_seats(seats: object, least: int, most: int) -> int:
    """The number of seats, or InvalidOptionError."""
    if type(seats) is not int or not least <= seats <= most:
        allowed = str(least) if least == most else f"{least} to {most}"
        raise InvalidOptionError("seats", seats, allowed)
    return seats


def find_preset(name: object, presets: Mapping[str, Preset]) -> Preset:
    """The preset of this name, or UnknownPresetError."""
    if not isinstance(name, str) or name not in presets:
        raise UnknownPresetError(name, presets)
    return presets[name]
