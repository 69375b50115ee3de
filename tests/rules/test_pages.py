"""The pages about UNO, Spin and Duo are true: their examples are played, their tables are those of the engine."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from referee.rules.cards import duo_deck, spin_deck, uno_deck, uno_points
from referee.rules.presets import OPTIONS, PRESETS
from referee.rules.vocabulary import DecisionKind, Segment
from tests.rules.family import act, hand, legal, table

PAGES: Final = {
    name: (Path(__file__).parents[2] / "docs" / "rules" / f"{name}.md").read_text("utf-8")
    for name in ("uno", "spin", "duo")
}
USUAL: Final = {"uno": "classic", "spin": "spin", "duo": "duo"}
EXAMPLES: Final = [
    pytest.param(name, text, id=f"{name} {number}")
    for name, page in PAGES.items()
    for number, text in enumerate(re.findall(rf"```{name}\n(.*?)```", page, re.DOTALL), 1)
]
VALUES: Final = {"true": True, "false": False}
GIVEN: Final = ("draw", "discard", "color", "wheel")  # lines of an example that name part of the table as they are


def section(page: str, title: str) -> list[list[str]]:
    """The rows of all tables of a section, without their heads."""
    text = PAGES[page].partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    rows: list[list[str]] = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        lines = block.splitlines()[2:]
        rows += [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return rows


class Example:
    """An example of a page, line by line."""

    def __init__(self, page: str) -> None:
        self.preset = USUAL[page]
        self.hands: list[str] = []
        self.given: dict[str, Any] = {}
        self.round: Any = None

    def read(self, line: str) -> None:
        """Takes in a line: part of the table, an act, one that must be illegal, or what follows."""
        word, _, rest = line.partition(" ")
        if word == "preset":
            self.preset = rest
        elif word == "hands":
            self.hands = rest.split(" | ")
        elif word == "deck":
            self.given |= {"decks": [rest], "start": "DEAL", "seats": 2, "dealer": 0}
        elif word == "dealer":
            self.given["dealer"] = int(rest)
        elif word == "order":
            self.given["orders"] = [[int(seat) for seat in rest.split()]]
        elif word == "option":
            name, value = rest.split()
            self.given[name] = VALUES.get(value, int(value) if value.isdecimal() else value)
        elif word in GIVEN:
            self.given[word] = rest
        else:
            self._play(word, rest, line)

    def _play(self, word: str, rest: str, line: str) -> None:
        if self.round is None:
            self.round = table(self.preset, *self.hands, **self.given)
        if word == "=":
            for fact in rest.split(", "):
                self._check(fact)
        elif word == "not":
            assert not legal(self.round, rest)
        else:
            act(self.round, line)

    def _check(self, fact: str) -> None:
        word, *rest = fact.split()
        seen = act(self.round)
        if word == "asked":
            assert seen["ask"] == ({} if rest == ["nobody"] else dict(zip(rest[::2], rest[1::2], strict=True)))
        elif word == "hand":
            assert sorted(hand(self.round, int(rest[0])).split()) == sorted(rest[1:])
        elif word in ("discard", "drawpile"):
            assert seen[{"discard": "discard_cards", "drawpile": "draw_cards"}[word]] == rest
        elif word == "hands":
            assert seen["hands"] == [int(number) for number in rest]
        elif word == "points":
            assert list(self.round.result.points) == [int(number) for number in rest]
        else:
            assert word in ("top", "color", "pending", "dump_right")
            assert [str(seen[word]) if seen[word] is not None else "-"] == rest


@pytest.mark.parametrize(("page", "text"), EXAMPLES)
def test_the_examples_are_what_happens(page: str, text: str) -> None:
    """Every example, line by line."""
    example = Example(page)
    for line in text.splitlines():
        example.read(line)
    assert example.round is not None


def words(value: object) -> str:
    """A value of an option as a page writes it."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_the_page_of_uno_has_every_option_with_its_values() -> None:
    """A column for each preset."""
    rows = {row[0].strip("`"): row[2:5] for row in section("uno", "Options")}
    assert set(rows) == set(OPTIONS["uno"])
    for name, cells in rows.items():
        assert cells == [words(PRESETS[preset].defaults[name]) for preset in ("classic", "uno", "official")]


@pytest.mark.parametrize("page", ["spin", "duo"])
def test_the_pages_have_every_option_with_the_value_of_the_preset(page: str) -> None:
    """All of them, the preset's value first."""
    rows = {row[0].strip("`"): row[1].replace("`", "") for row in section(page, "Options")}
    assert set(rows) == set(OPTIONS[page])
    for name, value in PRESETS[page].defaults.items():
        assert f"{rows[name]}, ".startswith(f"{words(value)}, "), name


@pytest.mark.parametrize("page", ["uno", "spin", "duo"])
def test_the_pages_list_all_values_of_a_choice(page: str) -> None:
    """Where an option takes words, its row has all of them and no other."""
    for row in section(page, "Options"):
        kind = OPTIONS[page][row[0].strip("`")].kind
        values, listed = getattr(kind, "values", ()), row[1].replace("`", "").split(", ")
        if values and (page != "spin" or len(listed) > 1):
            assert sorted(listed) == sorted(values), row[0]


def test_the_decisions_of_the_pages_are_those_of_the_games() -> None:
    """Every decision of the UNO family has its row on one of the pages."""
    rows = {row[0].strip("`") for page in PAGES for row in section(page, "What a bot is asked")}
    assert rows == {kind.name for kind in DecisionKind if not kind.name.startswith("DOS")}


def test_the_wheel_of_the_page_is_the_wheel() -> None:
    """The segments, in the clockwise order."""
    assert [row[0].strip("`") for row in section("spin", "The wheel")] == [segment.name for segment in Segment]


@pytest.mark.parametrize(
    ("page", "deck", "points"),
    [
        pytest.param("uno", uno_deck(), (20, 50, 50), id="UNO"),
        pytest.param("spin", spin_deck(extra=False), (20, 50, 50), id="Spin"),
        pytest.param("spin", spin_deck(extra=True), (20, 50, 50), id="Spin with the swirled cards on top"),
        pytest.param("duo", duo_deck(extra=True), (10, 15, 20), id="Duo"),
    ],
)
def test_the_decks_of_the_pages_are_the_decks(page: str, deck: bytes, points: tuple[int, int, int]) -> None:
    """As many cards and points as the page says."""
    values = uno_points(*points)
    assert f"{len(deck)} cards, {sum(values[card] for card in deck):,} points" in PAGES[page]
