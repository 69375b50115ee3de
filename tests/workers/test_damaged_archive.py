"""A settled match of which something cannot be read: archive, luck and tables of all others go on."""

from __future__ import annotations

from typing import cast

import pytest

from ladder.store import Store
from ladder.store.counters import Counter
from ladder.store.rows import MatchState
from tests.workers.house import House, spec
from tests.workers.ledger_damage import Damage, damage, replaced
from workers.archive import AGAIN_MS, Archiver
from workers.engine import gifts_of
from workers.fortune import Fortune

pytestmark = pytest.mark.slow

MINUTE_MS = 60_000
AFTER_MS = 10 * MINUTE_MS
BAD = "spring.1.1.0"
OF_A_ROW = [
    pytest.param(damage("HSET", f"m:{BAD}", "meetings", "x"), id="meetings are no number"),
    pytest.param(damage("HSET", f"m:{BAD}", "games_done", "x"), id="games are no number"),
    pytest.param(damage("HSET", f"m:{BAD}", "reason", b"\xff"), id="the reason is no text"),
    pytest.param(replaced(f"m:{BAD}"), id="a text stands in its place"),
]
OF_A_LOG = [
    pytest.param(damage("DEL", f"h:{BAD}"), id="its head is gone"),
    pytest.param(damage("SET", f"h:{BAD}", b"\xff"), id="its head is no text"),
    pytest.param(replaced(f"shown:log:{BAD}"), id="its log is none"),
]


@pytest.fixture
def store(archiving_store: Store) -> Store:
    """Everything here happens in one that archives."""
    return archiving_store


@pytest.fixture
def played(house: House) -> House:
    """A tournament of three matches that is over."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.play("spring")
    house.bell.jobs.clear()
    return house


@pytest.mark.parametrize("break_it", [*OF_A_ROW, *OF_A_LOG])
def test_the_others_are_archived(played: House, break_it: Damage) -> None:
    """The damaged one raises the alarm, stands behind all others, and is archived once it is mended."""
    store = played.store
    for match, _ in store.gifts.waiting():
        store.gifts.give_up(match, "spring")
    kept = {key: cast("bytes", store.link._execute("DUMP", key)) for key in keys(store)}
    break_it(store)
    archiver = Archiver(store, played.bell, MINUTE_MS, AFTER_MS)
    now_ms = played.now_ms + AFTER_MS
    assert archiver.run(now_ms).written == 2
    assert archiver.run(now_ms + MINUTE_MS).trimmed == 2
    assert store.shelf.count() == 1
    assert store.counters.read()[Counter("alarms_total", {"kind": "archive"})] == 1
    for key, value in kept.items():
        store.link._execute("RESTORE", key, 0, value, "REPLACE")
    assert archiver.run(now_ms + AGAIN_MS).written == 1
    assert archiver.run(now_ms + AGAIN_MS + MINUTE_MS).trimmed == 1
    assert store.matches.get(BAD).state is MatchState.TRIMMED


@pytest.mark.parametrize("break_it", [*OF_A_ROW, OF_A_LOG[-1]])
def test_the_luck_of_the_others_is_computed(played: House, break_it: Damage) -> None:
    """The damaged one is left without, with an alarm."""
    break_it(played.store)
    waiting = [match for match, _ in played.store.gifts.waiting()]
    assert len(waiting) == 3
    assert Fortune(played.store, gifts_of).compute(waiting) == 2
    assert played.store.gifts.pending() == set()
    assert played.store.counters.read()[Counter("alarms_total", {"kind": "luck"})] == 1


def test_luck_that_cannot_be_read_is_not_known(played: House) -> None:
    """The fit and the table are computed without it."""
    store = played.store
    Fortune(store, gifts_of).compute([match for match, _ in store.gifts.waiting()])
    damage("SET", f"luck:{BAD}", '{"te')(store)
    found = store.gifts.find(store.matches.ids_of("spring"))
    assert (len(found), BAD in found) == (2, False)
    assert len(played.desk.get("spring").table.standings) == 3


@pytest.mark.parametrize("break_it", OF_A_ROW)
def test_a_table_is_computed_without_what_cannot_be_read(played: House, break_it: Damage) -> None:
    """And with it once it is mended, without a restart."""
    store, key = played.store, played.store.keys.match(BAD)
    kept = cast("bytes", store.link._execute("DUMP", key))
    break_it(store)
    assert sum(row.meetings for row in played.desk.get("spring").table.standings) == 4
    store.link._execute("RESTORE", key, 0, kept, "REPLACE")
    assert sum(row.meetings for row in played.desk.get("spring").table.standings) == 6


def keys(store: Store) -> list[str]:
    """Return where something of the match stands."""
    return [store.keys.match(BAD), store.keys.head(BAD), store.keys.shown_log(BAD)]
