"""The page about DOS is true: its examples are played, its tables are those of the engine."""

import re
from pathlib import Path

import pytest

from referee.rules.cards import DOS_NAMES
from referee.rules.dos.matching import fits, same_color
from referee.rules.dos.round import DosRound
from referee.rules.presets import DOS, PRESETS
from tests.rules.dos.tables import act, cards, hand, legal, table

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "dos.md").read_text("utf-8")
EXAMPLES = re.findall(r"```dos\n(.*?)```", PAGE, re.DOTALL)
VALUES = {"true": True, "false": False}


def section(title: str) -> list[list[str]]:
    """The rows of the table of a section, without its head."""
    text = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    return rows[2:]


def check(round_: DosRound, fact: str) -> None:
    """Holds one fact behind `=` against the round."""
    seen = act(round_)
    word, *rest = fact.split()
    match word:
        case "asked":
            assert seen["ask"] == ({} if rest == ["nobody"] else dict(zip(rest[::2], rest[1::2], strict=True)))
        case "hand":
            assert sorted(cards(hand(round_, int(rest[0])))) == sorted(rest[1:])
        case "row" | "discard":
            assert seen[{"row": "row", "discard": "discard_cards"}[word]] == rest
        case "bonus":
            assert [seen["bonus"]] == [int(number) for number in rest]
        case "hands" | "owes":
            assert seen[word] == [int(number) for number in rest]
        case _:
            assert word == "points"
            assert round_.result is not None
            assert list(round_.result.points) == [int(number) for number in rest]


@pytest.mark.parametrize("example", [pytest.param(text, id=text.splitlines()[0]) for text in EXAMPLES])
def test_the_examples_are_what_happens(example: str) -> None:
    """Every example, line by line."""
    given: dict[str, object] = {}
    hands: list[str] = []
    round_: DosRound | None = None
    for line in example.splitlines():
        word, _, rest = line.partition(" ")
        if word == "hands":
            hands = rest.split(" | ")
        elif word in ("row", "draw"):
            given[word] = rest
        elif word == "option":
            name, value = rest.split()
            given[name] = VALUES.get(value, value)
        else:
            round_ = round_ or table(*hands, **given)
            if word == "=":
                for fact in rest.split(", "):
                    check(round_, fact)
            elif word == "not":
                assert not legal(round_, rest)
            else:
                act(round_, line)
    assert round_ is not None


@pytest.mark.parametrize("row", [pytest.param(row, id=" ".join(row[:2])) for row in section("What matches")])
def test_the_matches_of_the_page_are_what_it_says(row: list[str]) -> None:
    """A match, a match of colour, or nothing."""
    [[on], ways, verdict] = re.findall(r"`(\S+)`", row[0]), row[1].split(", or "), row[2]
    for way in ways:
        stack = [DOS_NAMES[on], *(DOS_NAMES[card] for card in re.findall(r"`(\S+)`", way))]
        assert fits(*stack) == (not verdict.startswith("nothing"))
        if fits(*stack):
            assert same_color(*stack) == ("match of colour" in verdict)


def test_the_page_has_every_option_with_the_value_of_the_preset() -> None:
    """All of them, first value first."""
    rows = {row[0].strip("`"): row[1].replace("`", "").split(", ") for row in section("Options")}
    assert set(rows) == set(DOS)
    for name, value in PRESETS["dos"].defaults.items():
        words = [str(number) for number in value] if isinstance(value, tuple) else [str(value)]
        assert [word.lower() for word in rows[name][: len(words)]] == [word.lower() for word in words]
