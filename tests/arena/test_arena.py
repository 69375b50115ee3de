"""Local play: who meets whom, on which deals, and that it is the same every time."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.bot import Bot
from lastcard.errors import InputError
from referee.bots import get
from referee.formats import UnknownFormatError
from referee.local import arena
from referee.local.arena import ArenaResult
from referee.match_spec import MatchSpec
from referee.rules.verify import verify

pytestmark = pytest.mark.slow

Record = dict[str, Any]


def house(*names: str, seed: int = 1) -> list[tuple[str, Bot]]:
    """Return house bots with their names."""
    return [(name, get(name)(seed)) for name in names]


def recorded(name: str, bots: list[tuple[str, Bot]], **how: Any) -> tuple[ArenaResult, list[Record]]:  # noqa: ANN401
    """Play and keep all records."""
    records: list[Record] = []
    result = arena.play(name, bots, keep=records.append, **how)
    return result, records


def test_the_same_seed_plays_the_same() -> None:
    """Every act, every result."""
    one, first = recorded("uno-classic-2", house("random", "careful"), meetings=3, seed=11)
    other, second = recorded("uno-classic-2", house("random", "careful"), meetings=3, seed=11)
    assert first == second
    assert [match.result for match in one.matches] == [match.result for match in other.matches]


def test_another_seed_deals_other_cards() -> None:
    """Negative ones, too."""
    decks = set()
    for seed in (0, 1, -1, 2**70):
        _, records = recorded("uno-classic-2", house("first", "first"), meetings=1, seed=seed)
        decks.add(json.dumps(records[0]["rounds"][0]["deck"]))
    assert len(decks) == 4


def test_recording_changes_nothing() -> None:
    """Results are the same with and without it."""
    plain = arena.play("uno-house-2", house("random", "greedy"), meetings=4, seed=5)
    kept, _ = recorded("uno-house-2", house("random", "greedy"), meetings=4, seed=5)
    assert [match.result for match in plain.matches] == [match.result for match in kept.matches]


def test_fresh_deals_are_used_once() -> None:
    """At all tables of a run together."""
    _, records = recorded("uno-classic-2", house("first", "greedy", "careful"), meetings=20, seed=2)
    decks = {json.dumps(record["rounds"][0]["deck"]) for record in records}
    assert len(decks) == len(records) == 3 * 20 * 2


def test_a_mirrored_deal_serves_one_meeting() -> None:
    """All seatings of it."""
    _, records = recorded("uno-classic-4", house(*["first"] * 4), meetings=3, seed=2, deals="mirrored")
    decks = [json.dumps(record["rounds"][0]["deck"]) for record in records]
    assert len(set(decks)) == 3
    assert all(len(set(decks[at : at + 4])) == 1 for at in (0, 4, 8))


def test_a_format_may_ask_for_mirrored_deals_itself() -> None:
    """By its name."""
    assert arena.play("uno-classic-2-mirrored", house("first", "greedy"), meetings=1).format.deals == "mirrored"


def test_two_bots_alike_share_a_mirrored_meeting() -> None:
    """Each wins as often as the other: the cards decide, and each has them once."""
    result = arena.play("uno-classic-2", house("careful", "careful"), meetings=20, seed=3, deals="mirrored")
    for match in result.matches:
        for meeting in json.loads(match.result)["meetings"]:
            one, other = (game["ranks"] for game in meeting["games"])
            assert one == other[::-1]


def test_everybody_meets_everybody_in_all_seats() -> None:
    """At tables of two."""
    result, records = recorded("uno-classic-2", house("random", "first", "greedy", "careful"), meetings=2, seed=1)
    assert [match.entrants for match in result.matches] == list(combinations(result.bots, 2))
    assert len(records) == result.rounds == 6 * 2 * 2
    seated = [tuple(record["bots"]) for record in records]
    assert all(seated.count((a, b)) == seated.count((b, a)) == 2 for a, b in combinations(result.bots, 2))


def test_larger_tables_seat_every_set_of_bots() -> None:
    """Five bots at tables of four: five tables."""
    result = arena.play("uno-classic-4", house("random", "first", "greedy", "careful", "first"), meetings=1, seed=1)
    assert result.bots == ("random", "first", "greedy", "careful", "first#2")
    assert [match.entrants for match in result.matches] == list(combinations(result.bots, 4))


@given(st.lists(st.sampled_from(["a", "b", "a#2", "b#3"])))
def test_names_are_told_apart(names: list[str]) -> None:
    """Each keeps its own, with a number where it was taken."""
    unique = arena.numbered(names)
    assert len(set(unique)) == len(names)
    assert all(one == name or one.startswith(f"{name}#") for one, name in zip(unique, names, strict=True))


@given(st.integers(1, 5000))
def test_meetings_are_split_into_few_matches_of_like_size(meetings: int) -> None:
    """At most 16 each; 50 become 13 13 12 12."""
    parts = arena.split(meetings)
    assert sum(parts) == meetings
    assert max(parts) <= 16
    assert max(parts) - min(parts) <= 1
    assert len(parts) == -(-meetings // 16)
    assert arena.split(50) == [13, 13, 12, 12]


def test_a_game_to_a_target_has_many_rounds() -> None:
    """They are counted, and all are in its record."""
    result, records = recorded("uno-classic-500-2", house("careful", "greedy"), meetings=1, seed=4)
    assert result.rounds == sum(len(record["rounds"]) for record in records) > 4


@pytest.mark.parametrize(
    "name", ["uno-classic-2", "uno-classic-500-2", "uno-house-4", "uno-official-10", "uno-pairs-4"]
)
def test_every_record_verifies(name: str) -> None:
    """By the rules, and from the seed."""
    bots = house(*["careful", "random"] * 5)[: 10 if name.endswith("10") else int(name[-1])]
    _, records = recorded(name, bots, meetings=1, seed=9)
    for record in json.loads(json.dumps(records)):
        assert verify(record) is None
        assert record["format_id"] == name
        assert record["fairness"]["match_id"] == "local"
        assert record["fairness"]["nonces"] == [None] * len(bots)


def test_a_flipped_card_in_a_record_is_found() -> None:
    """The seed says otherwise."""
    _, records = recorded("uno-classic-2", house("careful", "random"), meetings=1, seed=9)
    deck = records[0]["rounds"][0]["deck"]
    deck[-1], deck[-2] = deck[-2], deck[-1]
    assert verify(records[0]) is not None


def test_progress_is_told_after_every_game() -> None:
    """How many are over, of how many."""
    told: list[tuple[int, int]] = []
    arena.play(
        "uno-classic-2", house("first", "greedy", "careful"), meetings=2, progress=lambda *news: told.append(news)
    )
    assert told == [(done, 12) for done in range(1, 13)]


@pytest.mark.parametrize(
    ("bots", "how", "reason", "field"),
    [
        pytest.param(["careful"], {}, "BAD_BOTS", "bots", id="too few bots"),
        pytest.param(["careful"] * 65, {}, "BAD_BOTS", "bots", id="too many bots"),
        pytest.param(["careful", "first"], {"meetings": 0}, "BAD_MEETINGS", "meetings", id="no meetings"),
        pytest.param(["careful", "first"], {"meetings": 10**9}, "BAD_MEETINGS", "meetings", id="endless meetings"),
        pytest.param(["careful", "first"], {"deals": "field"}, "BAD_DEALS", "deals", id="deals of many tables"),
        pytest.param(["careful", "first"], {"deals": "stacked"}, "BAD_DEALS", "deals", id="unknown deals"),
    ],
)
def test_what_cannot_be_played_is_refused(bots: list[str], how: dict[str, Any], reason: str, field: str) -> None:
    """With a sentence that says what can."""
    with pytest.raises(InputError) as caught:
        arena.play("uno-classic-2", house(*bots), **({"meetings": 1} | how))
    assert (caught.value.reason, caught.value.field) == (reason, field)
    assert caught.value.allowed


def test_an_unknown_format_is_refused() -> None:
    """With those there are."""
    with pytest.raises(UnknownFormatError) as caught:
        arena.play("uno-2000", house("careful", "first"), meetings=1)
    assert "uno-classic-2" in caught.value.allowed


def test_a_field_format_is_refused() -> None:
    """It needs many tables."""
    with pytest.raises(InputError, match="'field' cannot be played here"):
        arena.play("uno-classic-2-field", house("careful", "first"), meetings=1)


def test_a_match_spec_counts_its_meetings_from_the_first_by_default() -> None:
    """Only local play counts on."""
    result = arena.play("uno-classic-2", house("careful", "first"), meetings=1)
    assert MatchSpec("cup.1.1.0", result.format, ("a@1", "b@1"), 2).first_meeting == 0
    assert result.matches[0].id == "local/0"
