"""Each run of a cron line is a tournament of its own, and nothing else takes its place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from ladder.errors import NameTakenError
from ladder.store.counters import Counter
from tests.workers.house import House, spec
from workers.tournaments.life import Verb
from workers.tournaments.spec import TournamentSpec

RUN = "nightly-20270115t0900"


def lined(house: House, name: str = "nightly") -> None:
    """Create a tournament that is to be played every hour."""
    house.enter("alpha", "beta")
    house.create(replace(spec(name, "alpha", "beta"), cron="0 * * * *"))


def runs(house: House) -> list[str]:
    """Return the names of all tournaments but those with a cron line, oldest first."""
    rows = house.store.tournaments.page()[0]
    return [row.name for row in reversed(rows) if not TournamentSpec.parse(row.spec).cron]


@pytest.mark.parametrize("name", [RUN, "nightly-20991231t2359", f"{RUN}-2"])
def test_no_tournament_may_be_called_as_a_run_of_a_cron_line(house: House, name: str) -> None:
    """It would stand in the place of that run; where the line is over, or there is none, the name is free."""
    lined(house)
    with pytest.raises(NameTakenError, match="which has a cron line: choose another name") as refused:
        house.create(spec(name, "alpha", "beta"))
    assert (refused.value.reason, refused.value.field, refused.value.value) == ("NAME_TAKEN", "name", name)
    with pytest.raises(NameTakenError, match="which has a cron line: choose another name"):
        house.desk.plan(spec(name, "alpha", "beta"))
    assert runs(house) == []
    house.create(spec(name.replace("nightly", "daily"), "alpha", "beta"))
    house.desk.turn("nightly", Verb.CANCEL, "", "tester")
    house.create(spec(name, "alpha", "beta"))


def test_a_run_whose_name_another_tournament_has_takes_the_next_one(house: House) -> None:
    """And is created once; the other one, older than the line, is left alone."""
    house.register(["gamma", "delta"])
    house.create(spec(RUN, "gamma", "delta", meetings=1))
    house.create(spec(f"{RUN}-2", "gamma", "delta", meetings=1))
    lined(house)
    for _ in range(4):
        house.look(20 * 60_000)
    assert runs(house) == [RUN, f"{RUN}-2", f"{RUN}-3"]
    assert house.store.tournaments.get(f"{RUN}-3").spec != house.store.tournaments.get(RUN).spec
    assert house.desk.get(f"{RUN}-3").spec.meetings == 3


def test_a_run_that_finds_no_name_is_an_alarm(house: House) -> None:
    """The longest name of a line leaves no room for a number: that run is left out, said once; the next one is not."""
    long = "n" * 26
    house.register(["gamma", "delta"])
    house.create(spec(f"{long}-20270115t0900", "gamma", "delta", meetings=1))
    lined(house, long)
    with capture_logs() as told:
        for _ in range(4):
            house.look(20 * 60_000)
    assert [line["run"] for line in told if line["event"] == "run left out"] == [f"{long}-20270115t0900"]
    assert house.store.counters.read()[Counter("alarms_total", {"kind": "name_taken"})] == 1
    house.look(20 * 60_000)
    house.look(20 * 60_000)
    assert runs(house) == [f"{long}-20270115t0900", f"{long}-20270115t1000"]


def test_a_run_that_cannot_be_read_is_not_played_twice(house: House) -> None:
    """Nobody can say that it is another one."""
    lined(house)
    house.look(61 * 60_000)
    house.store.link._execute("HSET", house.store.keys.tournament(RUN), "spec", "{")
    house.look(60_000)
    house.planner.advance("nightly", house.now_ms)
    assert house.store.link.ranked("ZRANGE", house.store.keys.tournaments, 0, -1) == ["nightly", RUN]


def test_a_line_that_cannot_be_read_holds_no_name(house: House) -> None:
    """It makes no runs; who names a tournament so meets no error of ours."""
    lined(house)
    house.store.link.read("HSET", house.store.keys.tournament("nightly"), "spec", "{}")
    assert house.create(spec(RUN, "alpha", "beta")).spec.name == RUN
