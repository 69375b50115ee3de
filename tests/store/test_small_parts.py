"""Presence, counters, ticks and the audit log."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from ladder.store import Store
from ladder.store.audit import Deed
from ladder.store.counters import Counter
from ladder.store.presence import Online

CLASSIC, SPIN = "uno-classic-2", "spin-2"


def _online(*formats: str, room: int = 64) -> Online:
    return Online(frozenset(formats), room)


def test_who_is_connected_counts_while_its_referee_is_alive(store: Store) -> None:
    """A dead referee's list is worth nothing."""
    store.matches.beat("ref-1", {}, fresh=True)
    store.presence.put("ref-1", {"ann@1": _online(CLASSIC), "bob@2": _online(SPIN)})
    store.presence.put("ref-2", {"cat@1": _online(CLASSIC)})
    assert store.presence.online() == {"ann@1": _online(CLASSIC), "bob@2": _online(SPIN)}
    assert list(store.presence.online(SPIN)) == ["bob@2"]
    store.matches.leave("ref-1")
    assert store.presence.online() == {}


def test_room_of_several_processes_adds_up(store: Store) -> None:
    """A version that dialled two referees has the room of both."""
    for me, formats, room in (("ref-1", {CLASSIC}, 10), ("ref-2", {CLASSIC, SPIN}, 5)):
        store.matches.beat(me, {}, fresh=True)
        store.presence.put(me, {"ann@1": Online(frozenset(formats), room)})
    assert store.presence.online() == {"ann@1": _online(CLASSIC, SPIN, room=15)}
    assert store.presence.online(SPIN) == {"ann@1": _online(CLASSIC, SPIN, room=5)}
    assert store.presence.by_referee()["ref-1"] == {"ann@1": _online(CLASSIC, room=10)}


def test_who_leaves_is_dropped_and_the_dead_are_swept(store: Store) -> None:
    """Sweeping forgets what nobody will take back."""
    store.matches.beat("ref-1", {}, fresh=True)
    store.presence.put("ref-1", {"ann@1": _online(CLASSIC), "bob@1": _online(CLASSIC)})
    store.presence.drop("ref-1", ["bob@1"])
    store.presence.drop("ref-1", [])
    assert list(store.presence.online()) == ["ann@1"]
    assert store.presence.sweep() == 0
    store.matches.leave("ref-1")
    assert store.presence.sweep() == 1
    assert store.link.members(store.keys.referees) == set()


def test_counters_add_up_by_name_and_labels(store: Store) -> None:
    """Labels are a set: their order does not matter."""
    store.counters.add({Counter("tasks_total", {"task": "rate", "outcome": "done"}): 2, Counter("ticks_total"): 1})
    store.counters.add({Counter("tasks_total", {"outcome": "done", "task": "rate"}): 3})
    store.counters.add({})
    assert store.counters.read() == {
        Counter("tasks_total", {"task": "rate", "outcome": "done"}): 5,
        Counter("ticks_total"): 1,
    }


@pytest.mark.parametrize("value", ["plain", 'say "x"', "back\\slash", "line\nbreak", "{a=b,c}", ""])
def test_a_counter_is_read_as_it_was_written(value: str) -> None:
    """Whatever stands in a label."""
    counter = Counter("x_total", {"a": value, "b": "c"})
    assert Counter.of(str(counter)) == counter


def test_counters_of_many_workers_lose_nothing(store: Store) -> None:
    """400 additions by 8 threads."""
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: store.counters.add({Counter("x_total"): 1}), range(400)))
    assert store.counters.read() == {Counter("x_total"): 400}


def test_a_slot_is_acted_on_once(store: Store) -> None:
    """Whatever number of beats ring; another slot or job is another matter."""
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda _: store.ticks.tick("tick", "100"), range(8))).count(True) == 1
    assert not store.ticks.tick("tick", "100")
    assert store.ticks.tick("tick", "105")
    assert store.ticks.tick("reconcile", "100")


def test_operators_verbs_are_kept_newest_first(store: Store) -> None:
    """With who, what and why."""
    store.audit.write("ann", "void", "cup.1.1.0", "wrong format", 5)
    store.audit.write("bob", "pause", "cup", "", 6)
    assert store.audit.tail(1) == [Deed("bob", "pause", "cup", "", 6)]
    assert store.audit.tail() == [
        Deed("bob", "pause", "cup", "", 6),
        Deed("ann", "void", "cup.1.1.0", "wrong format", 5),
    ]
