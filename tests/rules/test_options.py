"""Options, presets and rulesets."""

import pytest

from referee.rules.errors import InvalidOptionError, RulesError, UnknownOptionError, UnknownPresetError
from referee.rules.games import resolve
from referee.rules.presets import OPTIONS, PRESETS

# The table of the conformance kit; a column each for uno, classic, official, spin and duo.
TABLE = {
    "hand_size": (7, 7, 7, 7, 7),
    "rounds": (1, 1, 1, 1, 1),
    "target_score": (0, 500, 500, 0, 200),
    "max_rounds": (100, 100, 100, 100, 50),
    "max_turns_per_round": (1000,) * 5,
    "call_mode": ("WINDOW", "WINDOW", "WINDOW", "AUTO", "WINDOW"),
    "call_penalty": (2,) * 5,
    "late_call": (True,) * 5,
    "points": ((20, 50, 50),) * 4 + ((10, 15, 20),),
    "start_stacking": (True, True, True, True, False),
    "wd4_rule": ("ANY_PLAYABLE", "ANY_MATCH", "OFFICIAL_COLOR", "OFFICIAL_COLOR", "ANY_PLAYABLE"),
    "wd4_enforcement": ("BLUFF", "REJECT", "BLUFF", "BLUFF", "BLUFF"),
    "challenge_guilty_extra": (2, 0, 0, 0, 0),
    "challenge_innocent_extra": (0, 2, 2, 2, 2),
    "stacking": ("SAME", "OFF", "OFF", "OFF", "DRAW_TWO_ONLY"),
    "two_player_reverse": ("SKIP", "SKIP", "SKIP", "SKIP", "NO_EFFECT"),
    "final_draw_counts": (True,) * 5,
    "scoring": ("POINTS",) * 4,
    "team_of": (None,) * 4,
    "start_mode": ("NO_FLIP", "FLIP", "FLIP", "FLIP"),
    "start_wild": ("CHOOSE_COLOR", "RESHUFFLE", "CHOOSE_COLOR", "CHOOSE_COLOR"),
    "start_reverse": ("DEALER_FIRST",) * 4,
    "voluntary_draw": (True,) * 4,
    "must_play_drawn": (False,) * 4,
    "draw_until_max": (0,) * 4,
    "draw_penalty_skips_turn": (False, True, True, True),
    "wd4_challengers": ("ANYONE", "NEXT", "NEXT", "NEXT"),
    "double_play": ("NUMBERS", "OFF", "OFF", "OFF"),
}
OWN = {
    "spin": {
        "start_spin_card": "SPIN",
        "spin_cards_extra": False,
        "spin_draw_stops_on_wild": False,
        "war_ranks": "NUMBERS_ONLY",
        "wheel_discards": "TOP",
    },
    "duo": {
        "extra_cards": "AS_WILD",
        "draft_discards": "UNDER",
        "guilty_keeps_turn": False,
        "stack_any_color": True,
        "dump_last_reverse": "GIVES_DUMP",
        "recycle": "FLIP",
    },
}
DOS = {
    "hand_size": 7,
    "target_score": 200,
    "rounds": 1,
    "max_rounds": 50,
    "max_turns_per_round": 1000,
    "call_mode": "WINDOW",
    "call_penalty": 2,
    "late_call": True,
    "row_min": 2,
    "next_dealer": "WINNER",
    "call_scope": "TURN_END",
    "off_turn_penalty": "END_OF_OWN_TURN",
    "double_color_draw": 1,
    "bonus_mandatory": True,
    "refill": "TO_MIN",
    "final_draw": "DOUBLE_ONLY",
    "wild_points": (20, 40),
}


@pytest.mark.parametrize(("column", "preset"), list(enumerate(("uno", "classic", "official", "spin", "duo"))))
def test_presets_have_the_defaults_of_the_sources(column: int, preset: str) -> None:
    """Every option of a preset of the UNO family has the default of the published table, and there is no other."""
    wanted = {name: values[column] for name, values in TABLE.items() if column < len(values)}
    assert dict(PRESETS[preset].defaults) == wanted | OWN.get(preset, {})


def test_dos_has_the_defaults_of_its_source() -> None:
    """Every option of DOS has its published default."""
    assert dict(PRESETS["dos"].defaults) == DOS


@pytest.mark.parametrize("preset", PRESETS)
def test_defaults_are_values_that_the_options_take(preset: str) -> None:
    """Every game has a table of options with a source each, and every default is a legal value."""
    options = OPTIONS[PRESETS[preset].game]
    assert set(options) == set(PRESETS[preset].defaults)
    for name, value in PRESETS[preset].defaults.items():
        assert options[name].source
        assert options[name].kind.read(value) == value


@pytest.mark.parametrize(
    ("options", "seats", "allowed"),
    [
        pytest.param({"hand_size": 0}, 2, "a whole number from 1", id="hand of nothing"),
        pytest.param({"hand_size": 50}, 2, "1 to 49", id="no card left to turn up"),
        pytest.param({"hand_size": 10}, 10, "1 to 9 with 10 seats", id="too many seats for the hand"),
        pytest.param({"rounds": 0}, 2, "a whole number from 1", id="no round"),
        pytest.param({"max_rounds": 0}, 2, "a whole number from 1", id="no round allowed"),
        pytest.param({"max_turns_per_round": 0}, 2, "a whole number from 1", id="no turn"),
        pytest.param({"target_score": -1}, 2, "a whole number from 0", id="negative target"),
        pytest.param({"call_penalty": True}, 2, "a whole number from 0", id="a truth value is no number"),
        pytest.param({"call_penalty": 2.0}, 2, "a whole number from 0", id="a fraction is no number"),
        pytest.param({"late_call": 1}, 2, "true, false", id="a number is no truth value"),
        pytest.param({"stacking": "same"}, 2, "OFF, SAME, DRAW_TWO_ONLY", id="another spelling"),
        pytest.param({"points": [20, 50]}, 2, "3 whole numbers", id="points missing"),
        pytest.param({"points": [20, 50, -1]}, 2, "3 whole numbers", id="negative points"),
        pytest.param({"team_of": [0, 0]}, 2, "at least two teams", id="one team"),
        pytest.param({"team_of": [0, 1, 0]}, 4, "4 team numbers", id="a seat without a team"),
        pytest.param({"team_of": [0, -1]}, 2, "one team number from 0", id="negative team"),
    ],
)
def test_values_that_do_not_fit_are_refused(options: dict[str, object], seats: int, allowed: str) -> None:
    """A wrong value is an error with name, value and what is allowed."""
    with pytest.raises(InvalidOptionError, match=allowed) as caught:
        resolve("classic", options, seats)
    assert caught.value.name in options
    assert caught.value.reason == "INVALID_OPTION"
    assert allowed in caught.value.allowed


def test_a_deal_may_use_the_whole_deck_where_nothing_is_turned_up() -> None:
    """NO_FLIP needs no card left over; FLIP needs nine, since eight wilds may have to go back."""
    assert resolve("uno", {"hand_size": 54}, 2).number("hand_size") == 54
    assert resolve("classic", {"hand_size": 49}, 2).number("hand_size") == 49
    with pytest.raises(InvalidOptionError):
        resolve("uno", {"hand_size": 55}, 2)


@pytest.mark.parametrize("seats", [0, 1, 11, True, "2"])
def test_seats_that_do_not_fit_are_refused(seats: int) -> None:
    """UNO is for 2 to 10 seats."""
    with pytest.raises(InvalidOptionError, match="2 to 10"):
        resolve("classic", {}, seats)


def test_unknown_names_are_refused_with_those_that_exist() -> None:
    """An unknown preset or option is an error that lists the known ones."""
    with pytest.raises(UnknownPresetError, match="classic") as caught:
        resolve("clasic", {}, 2)
    assert "classic" in caught.value.allowed
    with pytest.raises(UnknownOptionError, match="wd4_rule") as refused:
        resolve("classic", {"row_min": 2}, 2)
    assert refused.value.reason == "UNKNOWN_OPTION"
    assert isinstance(refused.value, RulesError)


def test_the_hash_names_game_seats_and_options() -> None:
    """Equal rulesets have equal hashes; any option or the seats change it, the name of the preset does not."""
    classic = resolve("classic", {}, 2)
    assert classic.hash == resolve("classic", {"stacking": "OFF"}, 2).hash
    assert len(classic.hash) == 16
    differing = [
        resolve("classic", {}, 3),
        resolve("classic", {"call_penalty": 3}, 2),
        resolve("classic", {"team_of": [0, 1]}, 2),
        resolve("official", {}, 2),
    ]
    assert len({rules.hash for rules in (classic, *differing)}) == 5
    assert classic.hash == resolve("official", classic.as_json(), 2).hash


def test_resolving_written_out_options_changes_nothing() -> None:
    """What a ruleset writes as JSON resolves to the same ruleset."""
    rules = resolve("uno", {"team_of": [0, 1, 0, 1], "points": [1, 2, 3]}, 4)
    assert resolve("uno", rules.as_json(), 4) == rules
    assert rules.team_of == (0, 1, 0, 1)
