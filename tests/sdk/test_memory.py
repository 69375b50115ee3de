"""What a bot process remembers over reconnects, and what it does not."""

from __future__ import annotations

from lastcard import Match
from lastcard.link.memory import MOST_KEPT, Memory, match_of


def test_a_round_is_found_again_with_what_it_has_seen() -> None:
    """Under its id, whatever its handle is now."""
    memory = Memory()
    entered = memory.enter("m/0/0/0", 1, [0, 1], [])
    entered.history.add(0, b"\x06", b"\x00", b"\x00", b"\x01")
    assert memory.enter("m/0/0/0", 1, [0, 1], []) is entered
    assert memory.resume() == [("m/0/0/0", 1)]


def test_a_round_in_another_seat_is_another_round() -> None:
    """What one seat saw says nothing about another."""
    memory = Memory()
    entered = memory.enter("m/0/0/0", 1, [0, 1], [])
    assert memory.enter("m/0/0/0", 0, [0, 1], []) is not entered


def test_names_come_from_the_match() -> None:
    """By seat; empty where the match was never announced."""
    memory = Memory()
    memory.meet(Match("t.1.1.0", "uno-classic-2", ("ann@1", "ben@2")), lambda _match: bytes(16))
    assert memory.enter("t.1.1.0/0/1/0", 0, [1, 0], []).history.entrants == ("ben@2", "ann@1")
    assert memory.enter("other/0/1/0", 0, [1, 0], []).history.entrants == ("", "")
    assert match_of("t.1.1.0/0/1/0") == "t.1.1.0"


def test_the_end_of_a_match_ends_its_rounds() -> None:
    """Also those whose end was never told."""
    memory = Memory()
    for match in ("a", "b"):
        memory.meet(Match(match), lambda _match: bytes(16))
        memory.enter(f"{match}/0/0/0", 0, [], [])
    assert memory.leave("a") == Match("a")
    assert (list(memory.rounds), list(memory.matches), list(memory.nonces)) == (["b/0/0/0"], ["b"], ["b"])
    assert memory.leave("never met") == Match("never met")


def test_memory_is_bounded() -> None:
    """The newest are kept; a Hello lists at most 512 rounds."""
    memory = Memory()
    for number in range(MOST_KEPT + 10):
        memory.meet(Match(f"m{number}"), lambda _match: bytes(16))
        memory.enter(f"m{number}/0/0/0", 0, [], [])
    assert len(memory.matches) == len(memory.nonces) == len(memory.rounds) == MOST_KEPT
    assert len(memory.resume()) == 512
    assert memory.resume()[-1][0] == f"m{MOST_KEPT + 9}/0/0/0"
