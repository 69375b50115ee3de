"""The numbers of the rules are those of the protocol."""

import re
from enum import IntEnum
from pathlib import Path

import pytest

from referee.rules import vocabulary
from referee.rules.cards import FACE

PROTO = (Path(__file__).parents[2] / "proto" / "lastcard" / "v1" / "cards.proto").read_text("utf-8")


def numbers(name: str) -> dict[str, int]:
    """The values of an enum of the protocol, without its prefix."""
    found = re.search(rf"enum {name} \{{(.*?)\n\}}", PROTO, re.DOTALL)
    assert found is not None
    prefix = re.sub(r"(?<!^)([A-Z])", r"_\1", name).upper() + "_"
    values = re.findall(r"^  ([A-Z0-9_]+) = (\d+);", found[1], re.MULTILINE)
    return {word.removeprefix(prefix): int(number) for word, number in values}


@pytest.mark.parametrize("name", ["Color", "Act", "DecisionKind", "EventKind", "DrawReason", "RoundEnding"])
def test_enums_have_the_numbers_of_the_protocol(name: str) -> None:
    """Every word of the protocol is a word of the rules with the same number, and there is no other."""
    kind: type[IntEnum] = getattr(vocabulary, name)
    wanted = numbers(name)
    wanted.pop("UNSPECIFIED")
    assert {member.name: member.value for member in kind if member.value} == wanted


def test_cards_have_the_numbers_of_the_protocol() -> None:
    """Every face of the protocol is a face of the rules with the same number."""
    colors = {"RED": "R", "YELLOW": "Y", "GREEN": "G", "BLUE": "B"}
    signs = {"SKIP": "S", "REVERSE": "V", "DRAW_TWO": "D", "ANY": "#"}
    wilds = {
        "WILD": "W",
        "WILD_CUSTOMIZABLE": "WC",
        "WILD_SHUFFLE_HANDS": "WX",
        "WILD_DRAW_FOUR": "W4",
        "DOS_WILD_DOS": "W2",
    }
    faces = {}
    for name, number in numbers("Card").items():
        if name == "UNSPECIFIED":
            continue
        star = "*" if name.startswith("SPIN_") else ""
        color, _, sign = name.removeprefix("SPIN_").removeprefix("DOS_").partition("_")
        faces[number] = wilds.get(name) or colors[color] + signs.get(sign, sign) + star
    assert faces == FACE
