"""What a tournament's description may be, field by field."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.errors import InvalidFieldError
from ladder.judged import Judged
from workers.tournaments.spec import Deals, Kind, TournamentSpec, check

GOOD = TournamentSpec(name="spring", format="uno-classic-2", bots=("first", "greedy", "random"))


RIVALS = TournamentSpec("rivals", "uno-classic-2", ("alpha@2", "alpha@1"), unrated=True, sprt=Judged(0, 20))


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(GOOD, id="defaults"),
        pytest.param(replace(GOOD, bots=(), all=True), id="everybody"),
        pytest.param(replace(GOOD, kind=Kind.GAUNTLET), id="a gauntlet"),
        pytest.param(replace(GOOD, cron="0 2 * * *", timezone="Asia/Ho_Chi_Minh"), id="every night"),
        pytest.param(replace(GOOD, name="a" * 26, cron="0 2 * * *"), id="the longest name of a repeated one"),
        pytest.param(replace(GOOD, unrated=True, nonces=False), id="without nonces"),
        pytest.param(RIVALS, id="two versions"),
        pytest.param(replace(GOOD, grace_s=0), id="nobody is waited for"),
        pytest.param(replace(GOOD, bots=("first+greedy", "random+careful")), id="sides of two"),
    ],
)
def test_good_ones(spec: TournamentSpec) -> None:
    """These are accepted."""
    check(spec)


@pytest.mark.parametrize(
    ("spec", "field", "reason", "sentence"),
    [
        pytest.param(replace(GOOD, name="A"), "name", "BAD_NAME", "a-z, 0-9", id="a capital name"),
        pytest.param(replace(GOOD, name="ladder"), "name", "BAD_NAME", "another name", id="a reserved name"),
        pytest.param(
            replace(GOOD, name="a" * 27, cron="0 2 * * *"), "name", "BAD_NAME", "at most 26", id="no room for the time"
        ),
        pytest.param(replace(GOOD, bots=()), "bots", "BAD_BOTS", "neither names nor all: name", id="nobody"),
        pytest.param(replace(GOOD, bots=()), "bots", "BAD_BOTS", "(--bots a,b,c), or take all", id="how to name them"),
        pytest.param(replace(GOOD, all=True), "bots", "BAD_BOTS", "3 names and all: name", id="some and all"),
        pytest.param(replace(GOOD, bots=("first",)), "bots", "BAD_BOTS", "2 to 1000", id="one alone"),
        pytest.param(
            replace(GOOD, bots=tuple(f"bot-{n}" for n in range(1001))), "bots", "BAD_BOTS", "2 to 1000", id="too many"
        ),
        pytest.param(replace(GOOD, bots=("a-b", "first", "a-b")), "bots", "BAD_BOTS", "a-b is named twice", id="twice"),
        pytest.param(
            replace(GOOD, bots=("first+greedy", "random")),
            "bots",
            "BAD_BOTS",
            "first+greedy and random are sides of different size",
            id="one alone",
        ),
        pytest.param(
            replace(GOOD, bots=("first+greedy", "random+first")),
            "bots",
            "BAD_BOTS",
            "first is named twice",
            id="on two",
        ),
        pytest.param(replace(GOOD, bots=("first+", "random+x")), "bots", "BAD_NAME", "a-z, 0-9", id="half a side"),
        pytest.param(
            replace(GOOD, bots=("bot1@+1", "random+x")),
            "bots",
            "BAD_NAME",
            "'bot1@' in 'bot1@+1' is not",
            id="whole",
        ),
        pytest.param(
            replace(RIVALS, sprt=Judged(20, 0)),
            "sprt",
            "BAD_BOUNDS",
            "smaller one first",
            id="wrong way round",
        ),
        pytest.param(replace(RIVALS, sprt=Judged(0, math.nan)), "sprt", "BAD_BOUNDS", "smaller", id="no number"),
        pytest.param(replace(RIVALS, unrated=False), "sprt", "BAD_SPRT", "unrated", id="a rated comparison"),
        pytest.param(replace(RIVALS, bots=("alpha@2", "beta")), "sprt", "BAD_SPRT", "like alpha@2", id="no version"),
        pytest.param(replace(RIVALS, cron="0 2 * * *"), "sprt", "BAD_SPRT", "cron", id="a comparison every night"),
        pytest.param(replace(GOOD, bots=("first", "<b>")), "bots", "BAD_NAME", "a-z, 0-9", id="markup for a name"),
        pytest.param(
            replace(GOOD, bots=(), all=True, kind=Kind.GAUNTLET), "bots", "BAD_BOTS", "by name", id="a gauntlet of all"
        ),
        pytest.param(replace(GOOD, meetings=0), "meetings", "OUT_OF_RANGE", "1 to 10000", id="no meetings"),
        pytest.param(replace(GOOD, cycles=1001), "cycles", "OUT_OF_RANGE", "1 to 1000", id="too many cycles"),
        pytest.param(replace(GOOD, grace_s=604_801), "grace_seconds", "OUT_OF_RANGE", "0 to 604800", id="a long grace"),
        pytest.param(replace(GOOD, schedule_seed=-1), "schedule_seed", "OUT_OF_RANGE", "0 to", id="a negative seed"),
        pytest.param(
            replace(GOOD, cron="0 2 * * *", start_ms=1),
            "cron",
            "START_TWICE",
            "'0 2 * * *' and a start",
            id="start and cron",
        ),
        pytest.param(
            replace(GOOD, timezone="Asia/Ho_Chi_Minh"),
            "timezone",
            "BAD_TIMEZONE",
            "Asia/Ho_Chi_Minh",
            id="a zone for nothing",
        ),
        pytest.param(replace(GOOD, nonces=False), "no_nonces", "NONCES_NEEDED", "unrated", id="rated without nonces"),
    ],
)
def test_bad_ones(spec: TournamentSpec, field: str, reason: str, sentence: str) -> None:
    """A bad description is refused by the field to blame, a stable reason, and a sentence that says what to change."""
    with pytest.raises(InvalidFieldError, match=re.escape(sentence)) as refused:
        check(spec)
    assert (refused.value.field, refused.value.reason) == (field, reason)


@given(
    st.builds(
        TournamentSpec,
        name=st.text(),
        format=st.text(),
        bots=st.lists(st.text()).map(tuple),
        kind=st.sampled_from(Kind),
        start_ms=st.none() | st.integers(0, 2**43),
        deals=st.none() | st.sampled_from(Deals),
        schedule_seed=st.integers(0, 2**64 - 1),
        nonces=st.booleans(),
    )
)
def test_json_and_back(spec: TournamentSpec) -> None:
    """A description survives being written as JSON and read again."""
    assert TournamentSpec.parse(json.dumps(spec.fields())) == spec
