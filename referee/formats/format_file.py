"""Reads an organiser's formats from a TOML file (docs/formats.md): each is a preset, seats and what differs from it.

    [format.evening-3]
    preset = "uno"
    seats = 3
    options = { stacking = "OFF", hand_size = 5 }
    clock = { decision_ms = 10_000, bank_ms = 60_000 }

Nothing is guessed: what is unknown, contradictory or without effect is refused with its line and with what is allowed.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from lastcard.errors import InputError
from referee.clock import ClockRule
from referee.formats import builtin_formats
from referee.formats.format import DEALS, FAST, NORMAL, Format, outcome_of
from referee.formats.toml_lines import line_of
from referee.rules.errors import InvalidOptionError, UnknownPresetError
from referee.rules.games import GAMES, resolve
from referee.rules.idle import SEATS, TEAMS, idle, plainly
from referee.rules.options import OptionValue, Rules
from referee.rules.presets import OPTIONS, PRESETS

MOST: Final = 12
"""Formats in a file: a bot names at most 64 formats, and the house's name all of them."""
NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST_NAME: Final = 40
HIGHEST: Final = 1_000_000
"""Highest number of an option: points are added up, and the protocol has 32 bits for a sum."""
KEYS: Final = ("preset", "seats", "options", "clock", "deals", "outcome")
CLOCKS: Final[dict[str, ClockRule]] = {"normal": NORMAL, "fast": FAST}
CLOCK_KEYS: Final[dict[str, tuple[int, int]]] = {
    "decision_ms": (100, 600_000),
    "bank_ms": (0, 3_600_000),
    "round_ms": (1_000, 86_400_000),
}


class FormatFileError(InputError):
    """A format file is not what it may be; the sentence begins with file and line."""


def read(path: str | Path) -> dict[str, Format]:
    """Return the formats of a file by name, in its order.

    Raises:
        FormatFileError: it cannot be read, or something in it is not what it may be.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise FormatFileError("NO_FORMAT_FILE", f"{path}: {what}", field="formats", value=str(path)) from error
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        what = (
            str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a number is too long, or it nests too deep"
        )
        raise FormatFileError("BAD_TOML", f"{path}: {what}", field="formats", value=str(path)) from error
    return _File(str(path), text.splitlines()).formats(content)


class _File:
    """A file being read."""

    def __init__(self, path: str, lines: list[str]) -> None:
        self.path = path
        self.lines = lines

    def formats(self, content: Mapping[str, Any]) -> dict[str, Format]:
        self._known((), content, ("format",))
        tables = content.get("format")
        if not isinstance(tables, dict) or not tables:
            self._refuse((), "NO_FORMATS", "there is no format in it; begin one with [format.NAME]", tables)
        if len(tables) > MOST:
            message = f"{len(tables)} formats: a file holds at most {MOST}"
            self._refuse(("format",), "TOO_MANY_FORMATS", message, len(tables), (f"1 to {MOST}",))
        return {name: self._format(name, table) for name, table in tables.items()}

    def _format(self, name: str, table: object) -> Format:
        at = ("format", name)
        self._check_name(at, name)
        if not isinstance(table, dict):
            self._refuse(at, "BAD_VALUE", f"{name} is no table; write [format.{name}]", table)
        self._known(at, table, KEYS)
        rules = self._rules(at, table)
        deals = self._word((*at, "deals"), table.get("deals", DEALS[0]), DEALS)
        follows = outcome_of(rules)
        self._word((*at, "outcome"), table.get("outcome", follows), (follows,), "with this target and these rounds")
        return Format(name, rules, self._clock((*at, "clock"), table.get("clock", "normal")), deals, follows)

    def _check_name(self, at: tuple[str, ...], name: str) -> None:
        if not NAME.fullmatch(name) or not 3 <= len(name) <= LONGEST_NAME:
            allowed = (
                f"3 to {LONGEST_NAME} characters: words of a-z and 0-9, joined by hyphens, beginning with a letter"
            )
            self._refuse(at, "BAD_NAME", f"{name!r} cannot be the name of a format: {allowed}", name, (allowed,))
        if builtin_formats.reserved(name):
            self._refuse(at, "NAME_TAKEN", f"{name!r} is the name of a built-in format: choose another name", name)

    # -- rules

    def _rules(self, at: tuple[str, ...], table: Mapping[str, Any]) -> Rules:
        if "preset" not in table:
            self._refuse(
                at, "MISSING_KEY", f"preset is missing: allowed {', '.join(PRESETS)}", None, PRESETS, (*at, "preset")
            )
        options = table.get("options", {})
        if not isinstance(options, dict):
            self._refuse((*at, "options"), "BAD_VALUE", f"options is {options!r}: write a table of options", options)
        try:
            rules = resolve(table["preset"], options, self._seats(at, table))
        except UnknownPresetError as error:
            self._refuse((*at, "preset"), error.reason, str(error), error.name, error.allowed)
        except InvalidOptionError as error:
            inside = () if error.name == "seats" else ("options",)
            place = (*at, *inside, str(error.name))
            self._refuse(place, error.reason, str(error), error.value, error.allowed.split(", "))
        self._check_numbers((*at, "options"), rules, options)
        self._check_idle((*at, "options"), rules, options)
        return rules

    def _seats(self, at: tuple[str, ...], table: Mapping[str, Any]) -> int:
        """Return the seats that are named; without a name those of a game that has but one number of them."""
        preset = PRESETS.get(str(table["preset"]))
        least, most = GAMES[preset.game].SEATS if preset else (2, 2)
        if "seats" not in table and least != most:
            allowed = (f"{least} to {most}",)
            self._refuse(at, "MISSING_KEY", f"seats is missing: {allowed[0]}", None, allowed, (*at, "seats"))
        seats: int = table.get("seats", least)
        return seats

    def _check_numbers(self, at: tuple[str, ...], rules: Rules, options: Mapping[str, Any]) -> None:
        """Refuse an option with a number too high to be told to a bot."""
        for name in options:
            value = rules.options[name]
            numbers = value if isinstance(value, tuple) else (value,)
            if any(isinstance(number, int) and number > HIGHEST for number in numbers):
                message = f"option {name!r} is {_toml(options[name])}: numbers are at most {HIGHEST}"
                self._refuse((*at, name), "BAD_VALUE", message, options[name], (f"up to {HIGHEST}",))

    def _check_idle(self, at: tuple[str, ...], rules: Rules, options: Mapping[str, Any]) -> None:
        """Refuse an option that was changed though nothing asks for it, or is written in a roundabout way."""
        usual = PRESETS[rules.preset].defaults
        for name in options:
            if name == TEAMS and options[name] and len(set(rules.team_of)) == rules.seats:
                message = f"option {name!r} says nothing while everybody plays alone: leave it out, or name partners"
                self._refuse((*at, name), "IDLE_OPTION", message, options[name], ("two seats or more of one team",))
            plain = plainly(rules, name)
            if plain != rules.options[name]:
                message = (
                    f"option {name!r} is {_toml(options[name])}, which means the same as {_toml(plain)}: write that"
                )
                self._refuse((*at, name), "BAD_VALUE", message, options[name], (_toml(plain),))
            found = idle(rules, name) if rules.options[name] != usual[name] else None
            if found is not None:
                value, allowed = _setting(rules, found.other)
                message = (
                    f"option {name!r} says nothing while {found.other!r} is {_toml(value)}: leave it out, or change "
                    f"{found.other!r}; allowed there: {allowed}"
                )
                self._refuse((*at, name), "IDLE_OPTION", message, options[name], (f"{found.other}: {allowed}",))

    # -- everything else

    def _clock(self, at: tuple[str, ...], value: object) -> ClockRule:
        if not isinstance(value, dict):
            return CLOCKS[self._word(at, value, CLOCKS, f"or give a table of {', '.join(CLOCK_KEYS)}")]
        self._known(at, value, CLOCK_KEYS)
        for name, number in value.items():
            least, most = CLOCK_KEYS[name]
            if type(number) is not int or not least <= number <= most:
                allowed = f"a whole number from {least} to {most}"
                self._refuse((*at, name), "BAD_VALUE", f"{name} is {_toml(number)}: {allowed}", number, (allowed,))
        rule = ClockRule(**value)
        if rule.round_ms < rule.decision_ms:
            message = f"round_ms {rule.round_ms} is shorter than one decision: allowed from {rule.decision_ms}"
            self._refuse((*at, "round_ms"), "BAD_VALUE", message, rule.round_ms, (f"from {rule.decision_ms}",))
        return rule

    def _word(self, at: tuple[str, ...], value: object, allowed: Iterable[str], hint: str = "") -> str:
        words = tuple(allowed)
        if not isinstance(value, str) or value not in words:
            more = f" ({hint})" if hint else ""
            message = f"{at[-1]} is {_toml(value)}: allowed {', '.join(words)}{more}"
            self._refuse(at, "BAD_VALUE", message, value, words)
        return value

    def _known(self, at: tuple[str, ...], table: Mapping[str, Any], allowed: Iterable[str]) -> None:
        keys = tuple(allowed)
        for key in table:
            if key not in keys:
                message = f"unknown key {key!r}: allowed {', '.join(keys)}"
                self._refuse((*at, key), "UNKNOWN_KEY", message, key, keys)

    def _refuse(
        self,
        at: tuple[str, ...],
        reason: str,
        message: str,
        value: object,
        allowed: Iterable[str] = (),
        field: tuple[str, ...] = (),
    ) -> NoReturn:
        name = ".".join(key if key.isprintable() else repr(key) for key in field or at)
        where = f"{self.path}:{line_of(self.lines, at)}: {name}: " if name else f"{self.path}: "
        raise FormatFileError(reason, where + message, field=name or "format", value=value, allowed=allowed)


def _setting(rules: Rules, name: str) -> tuple[OptionValue, str]:
    """Return the value of an option, or of the seats, and what is allowed there."""
    if name == SEATS:
        least, most = GAMES[rules.game].SEATS
        return rules.seats, f"{least} to {most}"
    return rules.options[name], OPTIONS[rules.game][name].kind.allowed


def _toml(value: object) -> str:
    """Return a value about as it is written in the file."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case tuple():
            return str(list(value))
        case _:
            return str(value)
