"""How far a tournament is, in the words that pages and commands share."""

from __future__ import annotations

import pytest

from ladder.extent import (
    extent,
    left_out,
    listed,
    missing,
    never_met,
    unplayed,
    waiting,
    waiting_for,
    were_missing,
    why_void,
)
from ladder.tables import Walkover
from lastcard.console import counted


@pytest.mark.parametrize(
    ("state", "done", "lost", "total", "created", "words"),
    [
        pytest.param("draft", 0, 0, 0, 0, "not begun yet", id="before the start"),
        pytest.param("running", 0, 0, 1, 1, "0 of 1 match", id="one match"),
        pytest.param("finished", 24, 1, 24, 24, "24 of 24 matches, 1 void", id="one is void"),
        pytest.param("cancelled", 72, 74, 260, 146, "72 played, 188 void or never begun", id="cancelled"),
        pytest.param("cancelled", 58, 6, 120, 64, "58 played, 62 void or never begun", id="cancelled in the middle"),
        pytest.param("cancelled", 0, 0, 0, 0, "never begun", id="cancelled before it began"),
    ],
)
def test_how_far_it_is(state: str, done: int, lost: int, total: int, created: int, words: str) -> None:
    """What is played, and what is not, however much was played again; what an end made void was seldom begun."""
    assert extent(state, done, lost, total, created) == words


@pytest.mark.parametrize(
    ("lost", "again", "parked", "words"),
    [
        pytest.param(0, 0, 0, "24 of 24 matches", id="nothing lost"),
        pytest.param(1, 1, 0, "24 of 24 matches, 1 void, played again", id="played again"),
        pytest.param(3, 1, 0, "24 of 24 matches, 3 void, 1 of them played again", id="one of three"),
        pytest.param(2, 0, 0, "24 of 24 matches, 2 void", id="not played again"),
        pytest.param(2, 0, 2, "24 of 24 matches, 2 parked", id="parked"),
        pytest.param(4, 3, 1, "24 of 24 matches, 3 void, played again, 1 parked", id="both"),
    ],
)
def test_what_became_of_the_others_is_said(lost: int, again: int, parked: int, words: str) -> None:
    """A match that was replaced is no loss, and one that is parked waits for an operator."""
    assert extent("finished", 24, lost, 24, 24, again=again, parked=parked) == words


@pytest.mark.parametrize(
    ("lost", "again", "parked", "words"),
    [
        pytest.param(3, 0, 2, "9 played, 13 void or never begun, 2 parked", id="parked"),
        pytest.param(9, 6, 0, "9 played, 15 void or never begun", id="six were played again"),
        pytest.param(
            2, 3, 0, "9 played, 12 void or never begun, 3 still to be ended or rated", id="a replay that was put back"
        ),
    ],
)
def test_of_a_cancelled_tournament_each_match_counts_once(lost: int, again: int, parked: int, words: str) -> None:
    """What was played again is not void, too: the numbers come to those of the schedule."""
    assert extent("cancelled", 9, lost, 24, 12, again=again, parked=parked) == words


@pytest.mark.parametrize(("games", "words"), [(1, "1 game"), (10, "10 games")])
def test_who_was_missing(games: int, words: str) -> None:
    """The bot, its games, and that no ladder moved."""
    assert were_missing([Walkover("tut@1", games)]) == (f"tut was missing: {words} by walkover, no ladder moved",)


@pytest.mark.parametrize(
    ("bots", "last"),
    [
        pytest.param(3, "bot2 was missing: 1 game by walkover, no ladder moved", id="three"),
        pytest.param(4, "1 more was missing, with walkovers that moved no ladder, either", id="four"),
        pytest.param(1000, "997 more were missing, with walkovers that moved no ladder, either", id="a thousand"),
    ],
)
def test_many_who_were_missing_are_a_few_sentences(bots: int, last: str) -> None:
    """However many there were."""
    said = were_missing([Walkover(f"bot{number}@1", 1) for number in range(bots)])
    assert len(said) <= 4
    assert said[-1] == last


def test_one_of_a_kind_has_no_plural() -> None:
    """A noun follows its number."""
    assert [counted(number, "match", "matches") for number in (0, 1, 2)] == ["0 matches", "1 match", "2 matches"]
    assert counted(3, "bot") == "3 bots"


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        pytest.param(["tut@1"], "tut", id="one"),
        pytest.param(["tut@1", "ann@2"], "tut and ann", id="two"),
        pytest.param(["tut@1", "ann@2", "ben@1"], "tut, ann and ben", id="three"),
        pytest.param([f"bot{number}@1" for number in range(40)], "bot0, bot1, bot2 and 37 more", id="many"),
    ],
)
def test_who_is_waited_for(bots: list[str], words: str) -> None:
    """A few by name, the others by number."""
    assert waiting(bots) == f"waiting for {words}"


@pytest.mark.parametrize(
    ("bots", "others", "silent", "words"),
    [
        pytest.param(["tut@1"], [], [], "waiting for tut: not connected", id="away"),
        pytest.param(["tut", "ann"], [], [], "waiting for tut and ann: never connected", id="before the start"),
        pytest.param(
            ["tut@1"], ["tut@2"], [], "waiting for tut: tut@2 is connected, another version than entered", id="newer"
        ),
        pytest.param(
            ["tut@1", "ann@3", "ben@1"],
            ["ann@1", "ben@2"],
            [],
            "waiting for tut, ann and ben: "
            "tut is not connected; ann@1 and ben@2 are connected, other versions than entered",
            id="both",
        ),
        pytest.param(["ann@1", "ann@2"], [], [], "waiting for ann@1 and ann@2: not connected", id="versions"),
        pytest.param(
            ["tut@1"],
            [],
            ["tut@1"],
            "waiting for tut: tut is connected and does not offer this format",
            id="without format",
        ),
        pytest.param(
            ["tut@1", "ann@1", "ben@1", "cat@1"],
            [],
            ["ann@1", "ben@1"],
            "waiting for tut, ann, ben and 1 more: "
            "tut and cat are not connected; ann and ben are connected and do not offer this format",
            id="some without format",
        ),
        pytest.param(
            ["ann@1", "ann@2"],
            [],
            ["ann@2"],
            "waiting for ann@1 and ann@2: ann@1 is not connected; ann@2 is connected and does not offer this format",
            id="versions, one without format",
        ),
    ],
)
def test_why_they_cannot_play(bots: list[str], others: list[str], silent: list[str], words: str) -> None:
    """Away, never there, there without the format, or there as somebody else."""
    assert waiting_for(bots, others, silent) == words


def test_of_two_versions_of_a_bot_it_is_said_which() -> None:
    """Also where the other one is there."""
    entrants = ["ann@1", "ann@2", "tut@1"]
    assert waiting(["ann@1", "tut@1"], entrants) == "waiting for ann@1 and tut"
    assert were_missing([Walkover("ann@2", 2)], entrants)[0].startswith("ann@2 was missing: 2 games")


@pytest.mark.parametrize(
    ("names", "entrants", "words"),
    [
        pytest.param(["ann", "tut"], ["ann@1", "tut@3"], "", id="nobody"),
        pytest.param(["ann", "tut"], [], "", id="not begun"),
        pytest.param([], ["ann@1"], "", id="everybody who was there"),
        pytest.param(["ann", "tut"], ["ann@1"], "tut was left out at the start: never connected, or retired", id="one"),
        pytest.param(
            ["ann", "ben", "tut"],
            ["ben@1"],
            "ann and tut were left out at the start: never connected, or retired",
            id="two",
        ),
        pytest.param(
            ["ann+ben", "tut+cat"],
            ["ann@1", "ben@1"],
            "tut+cat was left out at the start: never connected, or retired",
            id="a side that is not whole",
        ),
    ],
)
def test_who_was_left_out(names: list[str], entrants: list[str], words: str) -> None:
    """Who was asked for and never came is not forgotten."""
    assert left_out(names, entrants) == words


def test_names_are_few() -> None:
    """However many there are; how many is the caller's affair."""
    assert listed([f"bot{number}" for number in range(1000)]) == "bot0, bot1, bot2 and 997 more"
    assert listed(["ann", "ben"], 1) == "ann and 1 more"


def test_who_is_missing_longest_comes_first() -> None:
    """As the planner has noted, within their grace; it has noted nothing before a tournament begins."""
    noted = '{"missing": {"ann@1": 2000, "tut@1": 1000}, "next": 3}'
    assert missing(noted, 500, 1499) == ("tut@1", "ann@1")
    assert missing(noted, 500, 1500) == ("ann@1",)
    assert missing(noted, 500, 2500) == ()
    assert missing("", 500, 1000) == ()


def test_groups_that_never_met_are_named() -> None:
    """A few of them, each with a few of its bots; where all met nothing is said."""
    apart = "2 groups of bots never met, directly or through others, so ratings of one cannot be compared with those of"
    assert never_met([("ann@1", "ben@2"), ("cat@1", "dan@1")]) == f"{apart} another: ann and ben; cat and dan"
    many = [(f"a{number}@1", f"b{number}@1") for number in range(5)]
    assert never_met(many).endswith("of another: a0 and b0; a1 and b1; a2 and b2; 2 more")
    assert never_met([("ann@1", "ben@2"), ("ann@2", "dan@1")], ["ann@1", "ann@2", "ben@2", "dan@1"]).endswith(
        ": ann@1 and ben; ann@2 and dan"
    )
    assert never_met(()) == ""


def test_who_is_in_no_row_of_a_table_is_named() -> None:
    """Where all are in it nothing is said."""
    entrants = ["ann@1", "ann@2", "ben@1", "cat@1"]
    assert unplayed(["ben@1", "cat@1", "ann@1"], entrants) == "no match counts so far of ann@2"
    assert unplayed(["ann@1", "ann@2"], entrants) == "no match counts so far of ben and cat"
    assert unplayed(entrants, entrants) == ""


@pytest.mark.parametrize(
    ("voids", "words"),
    [
        pytest.param((), "", id="none is"),
        pytest.param((("all_absent", 4),), " (why: none of its bots was there)", id="for one reason"),
        pytest.param((("rain", 3), ("all_absent", 1)), " (why: 3 rain; 1 none of its bots was there)", id="for two"),
        pytest.param(
            (("a", 9), ("b", 4), ("c", 3), ("d", 2), ("e", 1)), " (why: 9 a; 4 b; 3 c; 3 for other reasons)", id="many"
        ),
    ],
)
def test_why_matches_are_void(voids: tuple[tuple[str, int], ...], words: str) -> None:
    """Words for the service's own reasons; what somebody typed stays as it is."""
    assert why_void(voids) == words
