"""Every option and every preset of every game, as tables. A line number after 000-004 is one of that seed file.

O1 is Mattel's 108-card sheet with the official house rules, O2 the 112-card sheet, O3 an older one; P1-P6 are the
pages consulted for Spin; D n is ruling n of the conformance decisions.
"""

from collections.abc import Mapping
from typing import Final

from referee.rules.options import Choice, Flag, Numbers, Option, OptionValue, Preset, Teams, Whole

COMMON: Final[dict[str, Option]] = {
    "hand_size": Option(Whole(1), "002 L47, 003 L8, 000: seven each; 001: seven picks"),
    "target_score": Option(Whole(0), "003 L16 L28: 500; 000: 200; 001: 200 loses; 002 and 004: none"),
    "rounds": Option(Whole(1), "used when target_score is 0"),
    "max_rounds": Option(Whole(1), "ours; the end of a game to a target that nobody reaches"),
    "max_turns_per_round": Option(Whole(1), "ours; D 7"),
    "call_mode": Option(
        Choice(("WINDOW", "AUTO", "OFF", "WINDOW_PAYS")), "002 L79, 003 L16, 000, 001: a race; 004 L69; D 43"
    ),
    "call_penalty": Option(Whole(0), "002 L79, 003 L16, 004 L69, 000, 001: two cards"),
    "late_call": Option(Flag(), "001: `and the opponent says it first`; D 4"),
}

FAMILY: Final[dict[str, Option]] = COMMON | {
    "wd4_rule": Option(Choice(("OFFICIAL_COLOR", "ANY_MATCH", "ANY_PLAYABLE", "FREE")), "O1; 003 L22; 002 L39; ours"),
    "wd4_enforcement": Option(Choice(("BLUFF", "REJECT")), "002 L39; 003 has no challenge"),
    "challenge_guilty_extra": Option(Whole(0), "002 L39: six in all; O1: four"),
    "challenge_innocent_extra": Option(Whole(0), "002 L39: four in all; O1: six"),
    "stacking": Option(Choice(("OFF", "SAME", "DRAW_TWO_ONLY")), "O2 forbids; 002 L99-113; 001"),
    "start_stacking": Option(Flag(), "001: a turned up Draw Two may not be answered; D 4"),
    "two_player_reverse": Option(Choice(("SKIP", "NO_EFFECT")), "O2: rules for two players; 001"),
    "final_draw_counts": Option(Flag(), "O1-O3: the cards owed by the last card count"),
    "points": Option(Numbers(("S V D", "W", "W4")), "002 L83-95, 003 L25-27: 20 50 50; 001: 10 15 20"),
}

UNO: Final[dict[str, Option]] = FAMILY | {
    "scoring": Option(Choice(("POINTS", "CARD_COUNT", "POINTS_LOW")), "002 L83-95, 003 L24; 002 L97, 004 L7; O1"),
    "team_of": Option(Teams(), "002 L5, 004 L5: singly, in pairs or in groups"),
    "start_mode": Option(Choice(("FLIP", "NO_FLIP")), "003 L8, 004 L57; 002 L51"),
    "start_wild": Option(Choice(("RESHUFFLE", "CHOOSE_COLOR")), "003 L13; O1, P6"),
    "start_reverse": Option(Choice(("DEALER_FIRST", "RIGHT_OF_DEALER")), "O1, O3; O2"),
    "voluntary_draw": Option(Flag(), "003 L12, 004 L65: unable or unwilling; 002 L63 is silent"),
    "must_play_drawn": Option(Flag(), "002 L63: may; 003 L12: should"),
    "draw_until_max": Option(Whole(0), "003 L12: up to ten as a variation; 0 = one card"),
    "draw_penalty_skips_turn": Option(Flag(), "003 L20 L22: the turn is lost; 002 L65-69: it is not"),
    "wd4_challengers": Option(Choice(("NEXT", "ANYONE")), "O2, O3; 002 L39"),
    "double_play": Option(Choice(("OFF", "NUMBERS", "IDENTICAL_ANY")), "O2 forbids; 002 L75; ours"),
}

SPIN: Final[dict[str, Option]] = UNO | {
    "start_spin_card": Option(Choice(("SPIN", "NUMBER_ONLY")), "P4: it concerns the first player; a blog"),
    "spin_cards_extra": Option(Flag(), "P1: inside the 108; 004 L13 L29 read literally: 128"),
    "spin_draw_stops_on_wild": Option(Flag(), "004 L37-39: no; P2, P3: yes"),
    "war_ranks": Option(Choice(("NUMBERS_ONLY", "POINTS")), "P6; 004 L41: the highest card"),
    "wheel_discards": Option(Choice(("TOP", "UNDER")), "ours; D 28"),
}

DUO: Final[dict[str, Option]] = FAMILY | {
    "extra_cards": Option(Choice(("AS_WILD", "REMOVED")), "001: 112 cards; its rules: 108"),
    "draft_discards": Option(Choice(("UNDER", "SHUFFLED_IN")), "001; ours, D 38"),
    "guilty_keeps_turn": Option(Flag(), "001 is silent; the sheet: the challenger plays; D 41"),
    "stack_any_color": Option(Flag(), "001: `a Draw Two card`"),
    "dump_last_reverse": Option(Choice(("GIVES_DUMP", "NONE")), "001, literally; D 39"),
    "recycle": Option(Choice(("FLIP", "SHUFFLE")), "001: turned over; the sheet: shuffled"),
}

DOS: Final[dict[str, Option]] = COMMON | {
    "row_min": Option(Whole(1), "000: always at least two; D 32"),
    "next_dealer": Option(Choice(("WINNER", "LEFT")), "000; gamerules.com"),
    "call_scope": Option(Choice(("TURN_END", "EVER_TWO")), "000; the sheet; D 35"),
    "off_turn_penalty": Option(Choice(("END_OF_OWN_TURN", "AT_ONCE")), "000; the sheet; D 35"),
    "double_color_draw": Option(Whole(0), "000: one card each"),
    "bonus_mandatory": Option(Flag(), "000: must; its first wording: may; D 34"),
    "refill": Option(Choice(("TO_MIN", "ONE_PER_MATCH")), "000, second statement; first statement; D 32"),
    "final_draw": Option(Choice(("DOUBLE_ONLY", "ANY_COLOR")), "the sheet; 000's loose sentence; D 33"),
    "wild_points": Option(Numbers(("W2", "#")), "000: 20 and 40"),
}

OPTIONS: Final[dict[str, Mapping[str, Option]]] = {"uno": UNO, "spin": SPIN, "dos": DOS, "duo": DUO}

_COMMON: Final[dict[str, OptionValue]] = {
    "hand_size": 7,
    "target_score": 0,
    "rounds": 1,
    "max_rounds": 100,
    "max_turns_per_round": 1000,
    "call_mode": "WINDOW",
    "call_penalty": 2,
    "late_call": True,
}

_OFFICIAL: Final[dict[str, OptionValue]] = _COMMON | {
    "target_score": 500,  # 003 L28, P1
    "wd4_rule": "OFFICIAL_COLOR",  # O1
    "wd4_enforcement": "BLUFF",  # O1
    "challenge_guilty_extra": 0,  # O1
    "challenge_innocent_extra": 2,  # O1
    "stacking": "OFF",  # O2
    "start_stacking": True,
    "two_player_reverse": "SKIP",  # O2
    "final_draw_counts": True,  # O1-O3
    "points": (20, 50, 50),  # 003 L25-27
    "scoring": "POINTS",
    "team_of": None,
    "start_mode": "FLIP",
    "start_wild": "CHOOSE_COLOR",  # O1
    "start_reverse": "DEALER_FIRST",  # O1
    "voluntary_draw": True,
    "must_play_drawn": False,
    "draw_until_max": 0,
    "draw_penalty_skips_turn": True,
    "wd4_challengers": "NEXT",
    "double_play": "OFF",
}

_CLASSIC: Final[dict[str, OptionValue]] = _OFFICIAL | {
    "start_wild": "RESHUFFLE",  # 003 L13
    "wd4_rule": "ANY_MATCH",  # 003 L22
    "wd4_enforcement": "REJECT",  # 003 has no challenge
}

_HOUSE: Final[dict[str, OptionValue]] = _OFFICIAL | {
    "target_score": 0,  # 002 has none
    "start_mode": "NO_FLIP",  # 002 L47, L51
    "draw_penalty_skips_turn": False,  # 002 L65-69
    "wd4_rule": "ANY_PLAYABLE",  # 002 L39
    "wd4_challengers": "ANYONE",  # 002 L39
    "challenge_guilty_extra": 2,  # 002 L39
    "challenge_innocent_extra": 0,  # 002 L39
    "stacking": "SAME",  # 002 L99-113
    "double_play": "NUMBERS",  # 002 L75
}

_SPIN: Final[dict[str, OptionValue]] = _OFFICIAL | {
    "target_score": 0,  # 004 has none
    "call_mode": "AUTO",  # 004 L69, D 43
    "start_spin_card": "SPIN",  # P4
    "spin_cards_extra": False,  # P1
    "spin_draw_stops_on_wild": False,  # 004 L37
    "war_ranks": "NUMBERS_ONLY",  # P6
    "wheel_discards": "TOP",
}

_DUO: Final[dict[str, OptionValue]] = _COMMON | {
    "target_score": 200,
    "max_rounds": 50,
    "wd4_rule": "ANY_PLAYABLE",
    "wd4_enforcement": "BLUFF",
    "challenge_guilty_extra": 0,
    "challenge_innocent_extra": 2,
    "stacking": "DRAW_TWO_ONLY",
    "start_stacking": False,
    "two_player_reverse": "NO_EFFECT",
    "final_draw_counts": True,
    "points": (10, 15, 20),
    "extra_cards": "AS_WILD",
    "draft_discards": "UNDER",
    "guilty_keeps_turn": False,
    "stack_any_color": True,
    "dump_last_reverse": "GIVES_DUMP",
    "recycle": "FLIP",
}

_DOS: Final[dict[str, OptionValue]] = _COMMON | {
    "target_score": 200,
    "max_rounds": 50,
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

PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset("uno", "uno", "seed 002: UNO with its house rules", _HOUSE),
        Preset("classic", "uno", "seed 003: UNO, classic", _CLASSIC),
        Preset("official", "uno", "Mattel's sheet", _OFFICIAL),
        Preset("spin", "spin", "seed 004: UNO Spin", _SPIN),
        Preset("duo", "duo", "seed 001: UNO Duo", _DUO),
        Preset("dos", "dos", "seed 000: DOS", _DOS),
    )
}
