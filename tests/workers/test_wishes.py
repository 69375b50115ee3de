"""What is said of a wish for a tournament at once: what cannot be, and who could not play."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ladder.errors import InvalidFieldError, UnknownNameError
from ladder.store.errors import NameTakenError
from tests.workers.house import START_MS, House, spec
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.life import State
from workers.tournaments.spec import Deals, Kind

pytestmark = pytest.mark.slow


def test_who_could_not_play_is_said_at_once(house: House) -> None:
    """By what keeps it away: another format, no connection now, none ever; nothing is said of a later start."""
    house.register(["alpha", "beta"])
    house.referee.seat(playing(["alpha@1"]) | playing(["beta@1"], formats=["uno-house-2"]))
    house.register(["sleeper"])
    house.store.registry.register("ghost", "nobody", now_ms=house.now_ms)
    wish = spec("spring", "alpha", "beta", "sleeper", "ghost")
    other, late, never = house.desk.create(wish, b"", "tester").warnings
    assert other == (
        f"connected without offering {FORMAT}: beta (they offer uno-house-2); let them offer it, or leave them out: "
        "nobody waits for them longer than 120 s"
    )
    assert late == (
        "not connected: sleeper; who is not there within 120 s loses its matches by walkover, and no ladder moves"
    )
    assert never.startswith("never connected: ghost; who is not there within 120 s is left out, ")
    later = replace(wish, name="autumn", start_ms=house.now_ms + 1_000_000)
    assert house.desk.create(later, b"", "tester").warnings == ()


def test_that_too_few_are_there_for_all_is_said_at_once(house: House) -> None:
    """With what becomes of it; nothing where they are enough, or it begins later."""
    wish = replace(spec("spring"), grace_s=5)
    (sentence,) = house.desk.create(wish, b"", "tester").warnings
    needed = f"no bot offers {FORMAT} now, 2 are needed"
    assert sentence == f"{needed}; where they are not there within 5 s it is cancelled"
    later = replace(wish, name="autumn", start_ms=house.now_ms + 1_000_000)
    assert house.desk.create(later, b"", "tester").warnings == ()
    house.enter("alpha", "beta")
    assert house.desk.create(replace(wish, name="summer"), b"", "tester").warnings == ()


def test_a_field_that_offers_something_else_is_one_sentence(house: House) -> None:
    """However many bots there are, and however many formats each of them offers."""
    names = [f"bot-{number}" for number in range(8)]
    house.enter(*names, formats=[f"dos-{seats}" for seats in range(2, 11)])
    (sentence,) = house.desk.create(spec("spring", *names), b"", "tester").warnings
    some = f"{', '.join(names[:5])} and 3 more"
    assert sentence.startswith(f"connected without offering {FORMAT}: {some} (they offer 9 others); ")
    house.enter("mute", "deaf", formats=[])
    (sentence,) = house.desk.create(spec("summer", "mute", "deaf"), b"", "tester").warnings
    assert sentence.startswith(f"connected without offering {FORMAT}: mute and deaf (they offer none); ")


def test_many_bots_that_are_away_are_a_few_sentences(house: House) -> None:
    """Some by name, all others by number, whatever keeps them away."""
    late, never = ([f"{word}-{number:03}" for number in range(20)] for word in ("late", "never"))
    house.register(late)
    for name in never:
        house.store.registry.register(name, f"owner of {name}", now_ms=house.now_ms)
    sentences = house.desk.create(spec("spring", *late, *never, meetings=1), b"", "tester").warnings
    assert [sentence.partition(";")[0] for sentence in sentences] == [
        "not connected: late-000, late-001, late-002, late-003, late-004 and 15 more",
        "never connected: never-000, never-001, never-002, never-003, never-004 and 15 more",
    ]


KIN = ("ann", "ben", "cat", "dan")


@pytest.mark.parametrize(
    ("bots", "changes", "said"),
    [
        pytest.param(KIN[:2], {}, "1 of 1 pair is of one owner: it moves no ladder", id="all"),
        pytest.param((*KIN[:3], "alpha"), {}, "3 of 6 pairs are of one owner: they move no ladder", id="some"),
        pytest.param(("alpha", "ann", "ben"), {"kind": Kind.GAUNTLET}, "", id="they do not meet"),
        pytest.param(
            ("ann", "ben", "alpha"),
            {"kind": Kind.GAUNTLET},
            "1 of 2 pairs is of one owner: it moves no ladder",
            id="one meets the other",
        ),
        pytest.param(("ann", "alpha"), {}, "", id="none"),
        pytest.param(("eve", "fay"), {}, "", id="house bots"),
        pytest.param(KIN[:2], {"unrated": True}, "", id="nothing is rated"),
        pytest.param(
            KIN,
            {"format": "uno-classic-4"},
            "6 of 6 pairs are of one owner: a table at which two of one owner play against each other moves no ladder",
            id="larger tables",
        ),
        pytest.param(
            ("ann+ben", "cat+alpha"),
            {"format": "uno-pairs-4"},
            "2 of 4 pairs are of one owner: a table at which two of one owner play against each other moves no ladder",
            id="partners are no opponents",
        ),
    ],
)
def test_pairs_of_one_owner_are_counted(
    house: House, bots: tuple[str, ...], changes: dict[str, Any], said: str
) -> None:
    """They are played and move no ladder, and whoever creates it is told."""
    house.register(KIN, "kim")
    house.register(["eve", "fay"], house=True)
    house.register(["alpha"])
    wish = replace(spec("spring", *bots), start_ms=house.now_ms + 1_000_000, **changes)
    assert house.desk.create(wish, b"", "tester").warnings == ((said,) if said else ())


def test_an_older_version_does_not_play(house: House) -> None:
    """The newest one is entered, and that one is not there."""
    house.enter("alpha", "beta")
    house.store.registry.version("beta", "2", now_ms=house.now_ms)
    (sentence,) = house.desk.create(spec("spring", "alpha", "beta"), b"", "tester").warnings
    assert sentence.startswith("connected with an older version than their newest, which plays: beta; ")


def test_the_same_again_is_there_whatever_became_of_its_bots(house: House) -> None:
    """It was accepted once; only a new one needs bots that play."""
    house.enter("alpha", "beta", "gamma")
    wish = spec("spring", "alpha", "beta", "gamma")
    house.create(wish)
    house.store.registry.retire("gamma", now_ms=house.now_ms)
    for same in (wish, replace(wish, deals=Deals.FRESH)):
        again = house.desk.create(same, b"", "tester")
        assert again.existed
        assert again.warnings == ("retired: gamma; who is so when it begins is left out",)
    for other in (replace(wish, meetings=4), replace(wish, deals=Deals.FIELD), replace(wish, name="autumn")):
        with pytest.raises(UnknownNameError, match="'gamma' is retired: `lastcard bot retire gamma --undo` brings"):
            house.create(other)
    with pytest.raises(NameTakenError):
        house.desk.create(wish, bytes(32), "tester")


def test_the_same_again_on_shared_deals_is_there(house: House) -> None:
    """Its format is another one than the one that was typed."""
    house.enter("alpha", "beta", formats=(f"{FORMAT}-mirrored",))
    wish = replace(spec("spring", "alpha", "beta"), deals=Deals.MIRRORED, trusted=True)
    house.create(wish)
    house.store.registry.retire("beta", now_ms=house.now_ms)
    assert house.desk.create(wish, b"", "tester").existed
    assert house.desk.create(replace(wish, format=f"{FORMAT}-mirrored", deals=None), b"", "tester").existed


def test_a_start_that_is_long_past_is_refused(house: House) -> None:
    """A typing error begins nothing at once; what was created in time may be sent again at any time."""
    house.enter("alpha", "beta")
    wish = replace(spec("spring", "alpha", "beta"), start_ms=START_MS - 120_001)
    for refused in (house.desk.plan, house.create):
        with pytest.raises(InvalidFieldError, match="is past: give a later one, or write now") as said:
            refused(wish)
        assert (said.value.reason, said.value.field, said.value.value) == (
            "BAD_START",
            "start",
            "2027-01-15T07:57:59.999Z",
        )
    assert house.create(replace(wish, start_ms=START_MS - 120_000)).state is not State.CANCELLED
    house.create(replace(wish, name="autumn", start_ms=START_MS + 1))
    house.now_ms += 1_000_000
    assert house.desk.create(replace(wish, name="autumn", start_ms=START_MS + 1), b"", "tester").existed


@pytest.mark.parametrize(
    ("format_name", "deals", "sentence"),
    [
        pytest.param(f"{FORMAT}-mirrored", Deals.FRESH, f"for fresh ones take {FORMAT}, or drop deals", id="fresh"),
        pytest.param(f"{FORMAT}-mirrored", Deals.FIELD, f"for field ones take {FORMAT}, or drop deals", id="field"),
        pytest.param(f"{FORMAT}-field", Deals.FRESH, f"{FORMAT}-field has field deals", id="of a field"),
    ],
)
def test_deals_that_contradict_the_format_are_refused(
    house: House, format_name: str, deals: Deals, sentence: str
) -> None:
    """The name of a format may say what is shared; then nothing else can be asked for."""
    house.enter("alpha", "beta")
    with pytest.raises(InvalidFieldError, match=sentence) as refused:
        house.desk.plan(replace(spec("spring", "alpha", "beta"), format=format_name, deals=deals))
    assert (refused.value.field, refused.value.reason) == ("deals", "DEALS")
