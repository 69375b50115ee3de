"""The games there are, and how a ruleset is made. A new game is one line here, its options, and its round."""

from collections.abc import Mapping
from typing import Final

from referee.rules.dos.round import DosRound
from referee.rules.duo.round import DuoRound
from referee.rules.options import Rules, check_seats, check_teams, find_preset, read_options
from referee.rules.presets import OPTIONS, PRESETS
from referee.rules.round import Round
from referee.rules.spin.round import SpinRound
from referee.rules.uno.round import UnoRound

GAMES: Final[dict[str, type[Round]]] = {kind.GAME: kind for kind in (UnoRound, SpinRound, DosRound, DuoRound)}


def points_of(rules: Rules) -> tuple[int, ...]:
    """What each card counts when it is left in a hand, by card."""
    return GAMES[rules.game].facts_of(rules).points


def resolve(preset: str, overrides: Mapping[str, object] | None = None, seats: int = 2) -> Rules:
    """The ruleset of a preset with these options, for this many seats; everything is checked.

    Raises:
        UnknownPresetError: no such preset.
        UnknownOptionError: the game has no such option.
        InvalidOptionError: an option does not take this value, or not with these seats.
    """
    found = find_preset(preset, {name: found for name, found in PRESETS.items() if found.game in GAMES})
    kind = GAMES[found.game]
    check_seats(seats, *kind.SEATS)
    options = read_options(found, OPTIONS[found.game], overrides or {})
    check_teams(options, seats)
    rules = Rules(found.game, found.name, seats, options)
    kind.check(rules)
    return rules
