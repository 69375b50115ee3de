"""What chance gave, beside the results of matches."""

from __future__ import annotations

from ladder.store import Store
from ladder.store.gifts import MatchGifts
from ladder.store.rows import MatchState
from tests.store.scenes import Host, plan, result_text

GIFTS = MatchGifts(("f1", "l1"), (((1_000_000, -500_000), (0, 500_000)), None))
RESULT = result_text([[[1, 2], [2, 1]]])


def closed(store: Store, match: str = "cup.1.1.0", tournament: str = "", now_ms: int = 1_000) -> str:
    """Play a match to its close; returns its id."""
    store.matches.plan([plan(match, tournament=tournament)], now_ms)
    host = Host(store)
    head = host.claim(match, now_ms).head
    host.close(head, RESULT, match, tournament)
    return match


def test_a_settled_match_waits_for_its_luck(store: Store) -> None:
    """With its number of games, and only if that is wanted."""
    one, other = closed(store, "cup.1.1.0"), closed(store, "cup.1.2.0")
    assert store.gifts.waiting() == []
    store.matches.settle(one, luck=True)
    store.matches.settle(other)
    assert store.gifts.waiting() == [(one, 4)]


def test_who_asks_for_some_matches_hears_of_those(store: Store) -> None:
    """Those that wait for their luck; not of others, and not of what is known."""
    one, other, third = (closed(store, f"cup.1.{number}.0") for number in (1, 2, 3))
    for match in (one, other, third):
        store.matches.settle(match, luck=True)
    store.gifts.put(other, "", GIFTS)
    assert store.gifts.to_come([one, other, "cup.9.9.0"]) == {one}
    assert store.gifts.to_come([]) == set()


def test_luck_is_kept_once(store: Store) -> None:
    """Then nobody waits for it; what comes later changes nothing."""
    match = closed(store)
    store.matches.settle(match, luck=True)
    assert store.gifts.put(match, "", GIFTS)
    assert store.gifts.put(match, "", MatchGifts(("f1",), ()))
    assert store.gifts.find([match, "cup.9.9.0"]) == {match: GIFTS}
    assert store.gifts.waiting() == []


def test_a_tournament_counts_its_lucky_matches_once(store: Store) -> None:
    """So that its table knows when there is more to read."""
    store.tournaments.create("cup", {}, state="running", now_ms=1)
    match = closed(store, tournament="cup")
    store.matches.settle(match, luck=True)
    for _ in range(2):
        store.gifts.put(match, "cup", GIFTS)
    assert store.tournaments.get("cup").lucky == 1


def test_a_match_that_does_not_count_has_no_luck(store: Store) -> None:
    """Not settled, or unknown: nothing is kept, and nothing waits."""
    match = closed(store)
    assert not store.gifts.put(match, "", GIFTS)
    assert not store.gifts.put("cup.9.9.0", "", GIFTS)
    assert store.gifts.find([match, "cup.9.9.0"]) == {}
    assert store.matches.get(match).state is MatchState.CLOSED


def test_what_cannot_be_computed_waits_no_longer(store: Store) -> None:
    """Its results stay."""
    match = closed(store)
    store.matches.settle(match, luck=True)
    store.gifts.give_up(match, "")
    assert store.gifts.waiting() == []
    assert store.gifts.find([match]) == {}


def test_a_second_settling_asks_for_nothing(store: Store) -> None:
    """A reply that was lost does not bring back what is done."""
    match = closed(store)
    store.matches.settle(match, luck=True)
    store.gifts.put(match, "", GIFTS)
    store.matches.settle(match, luck=True)
    assert store.gifts.waiting() == []


def test_the_longest_waiting_come_first(store: Store) -> None:
    """By the end of the match, as many as are asked for."""
    matches = [closed(store, f"cup.1.{n}.0", now_ms=1_000 + n) for n in range(3)]
    for match in reversed(matches):
        store.matches.settle(match, luck=True)
    assert [match for match, _ in store.gifts.waiting(2)] == matches[:2]


def test_its_text_reads_as_it_was_written() -> None:
    """A game that was never dealt, too."""
    assert MatchGifts.of(GIFTS.text()) == GIFTS
