"""Formats: names, and what they stand for."""

import pytest

from referee import formats
from referee.clock import ClockRule
from referee.rules.games import resolve


@pytest.mark.parametrize("name", formats.names())
def test_every_offered_name_is_a_format(name: str) -> None:
    """A name that is offered can be got, with its own name and fresh deals."""
    found = formats.get(name)
    assert found.name == name
    assert found.deals == "fresh"
    assert found.seats == found.rules.seats


@pytest.mark.parametrize(
    ("name", "preset", "options", "seats"),
    [
        pytest.param("uno-classic-2", "classic", {}, 2, id="classic"),
        pytest.param("uno-classic-500-2", "classic", {"target_score": 500}, 2, id="classic to 500"),
        pytest.param(
            "uno-house-4", "uno", {"challenge_guilty_extra": 0, "challenge_innocent_extra": 2}, 4, id="house rules"
        ),
        pytest.param("uno-official-10", "official", {}, 10, id="official"),
        pytest.param("uno-pairs-4", "classic", {"team_of": [0, 1, 0, 1]}, 4, id="two pairs"),
        pytest.param(
            "uno-pairs-200-6", "classic", {"team_of": [0, 1, 2, 0, 1, 2], "target_score": 200}, 6, id="3 pairs"
        ),
    ],
)
def test_names_stand_for_rulesets(name: str, preset: str, options: dict[str, object], seats: int) -> None:
    """A format is a preset with some options; without a target it is one round."""
    wanted = resolve(preset, {"target_score": 0, "rounds": 1, **options}, seats)
    assert formats.get(name).rules == wanted


@pytest.mark.parametrize(
    ("name", "clock", "deals", "outcome"),
    [
        ("uno-classic-2", ClockRule(), "fresh", "round_order"),
        ("uno-classic-2-fast", ClockRule(decision_ms=500, bank_ms=2_000), "fresh", "round_order"),
        ("uno-classic-2-mirrored", ClockRule(), "mirrored", "round_order"),
        ("uno-classic-500-3-fast-field", ClockRule(decision_ms=500, bank_ms=2_000), "field", "game_order"),
    ],
)
def test_suffixes_choose_clock_and_deals(name: str, clock: ClockRule, deals: str, outcome: str) -> None:
    """-fast is a shorter clock; -mirrored and -field say what shares cards; a target is rated by the game."""
    found = formats.get(name)
    assert (found.clock, found.deals, found.outcome) == (clock, deals, outcome)


def test_deals_can_be_chosen_beside_the_name() -> None:
    """What a tournament says about deals wins over the name."""
    assert formats.get("uno-classic-2", deals="mirrored").deals == "mirrored"
    assert formats.get("uno-classic-2-mirrored", deals="fresh").deals == "fresh"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "uno",
        "uno-classic",
        "uno-classic-1",
        "uno-classic-11",
        "uno-classic-02",
        "uno-classic-300-2",
        "uno-classic-2-mirrored-fast",
        "uno-classic-2-slow",
        "uno-pairs-3",
        "uno-pairs-2",
        "UNO-CLASSIC-2",
        "uno-classic-2 ",
        "uno-classic-2\n",
    ],
)
def test_unknown_names_are_refused_with_those_that_exist(name: str) -> None:
    """Whatever is not in the grammar is an error that lists what is offered."""
    with pytest.raises(formats.UnknownFormatError, match="uno-classic-2") as caught:
        formats.get(name)
    assert caught.value.allowed == formats.names()


def test_unknown_deals_are_refused() -> None:
    """Only three words say what shares cards."""
    with pytest.raises(formats.UnknownFormatError):
        formats.get("uno-classic-2", deals="stale")
