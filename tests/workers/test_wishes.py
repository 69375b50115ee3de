"""What is said of a wish for a tournament at once: what cannot be, and who could not play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.errors import InvalidFieldError
from tests.workers.house import START_MS, House, spec
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.life import State
from workers.tournaments.spec import Deals


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


def test_a_field_that_offers_something_else_is_one_sentence(house: House) -> None:
    """However many bots there are, and however many formats each of them offers."""
    names = [f"bot-{number}" for number in range(8)]
    house.enter(*names, formats=[f"dos-{seats}" for seats in range(2, 11)])
    (sentence,) = house.desk.create(spec("spring", *names), b"", "tester").warnings
    assert sentence.startswith(f"connected without offering {FORMAT}: {', '.join(names)} (they offer 9 others); ")
    house.enter("mute", "deaf", formats=[])
    (sentence,) = house.desk.create(spec("summer", "mute", "deaf"), b"", "tester").warnings
    assert sentence.startswith(f"connected without offering {FORMAT}: mute, deaf (they offer none); ")


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
