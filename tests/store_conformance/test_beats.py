"""What a referee's beat does, and scenes for those who watch: the same on Redis and on the simulated store."""

from typing import cast
from unittest.mock import patch

import pytest

from ladder.store import Store, hosting, scenes
from ladder.store.call import Call
from ladder.store.errors import LapsedError
from ladder.store.live import Scene
from ladder.store.rows import Claimed, MatchState, Orders
from ladder.store.scenes import Shown
from ladder.store.scripts import script
from tests.store.scenes import SEED, Host, plan
from tests.store_conformance.stands import Stand

pytestmark = pytest.mark.slow

MATCH = "cup.1.1.0"


@pytest.fixture
def store(stand: Stand) -> Store:
    """One match in the queue, of a tournament."""
    stand.store.matches.plan([plan(tournament="cup")], 5)
    return stand.store


@pytest.fixture
def host(store: Store) -> Host:
    """A referee."""
    return Host(store)


def test_a_beat_runs_out(stand: Stand, store: Store, host: Host) -> None:
    """Then others may claim, and who missed it is told so unless it begins anew."""
    with patch.object(hosting, "BEAT_MS", 60):
        host.claim()
        store.matches.beat("ref-1", {})
        stand.let_pass(120)
        assert store.matches.referees() == {}
        with pytest.raises(LapsedError):
            store.matches.beat("ref-1", {})
        store.matches.beat("ref-1", {"n": 1}, fresh=True)
        assert store.matches.referees() == {"ref-1": {"n": 1}}
        stand.let_pass(120)
    assert isinstance(Host(store, "ref-2").claim(), Claimed)


def test_a_beat_carries_progress_and_brings_orders(store: Store, host: Host) -> None:
    """Games done go up, and what an operator ordered comes down to the owner alone."""
    host.claim()
    store.matches.beat("ref-1", {}, games_done={MATCH: 3})
    assert store.matches.get(MATCH).games_done == 3
    assert store.matches.void(MATCH, "cheating", "ann", 8) is MatchState.RUNNING
    stop = store.matches.beat("ref-1", {}).stops[MATCH]
    assert (stop.reason, stop.who) == ("cheating", "ann")
    assert store.matches.beat("ref-2", {}, fresh=True) == Orders({}, ())


def test_a_beat_says_which_matches_somebody_watches(stand: Stand, store: Store, host: Host) -> None:
    """To their owner alone, and as long as somebody wants to."""
    host.claim()
    assert store.matches.beat("ref-1", {}).watched == ()
    store.scenes.want(MATCH)
    assert store.matches.beat("ref-1", {}).watched == (MATCH,)
    assert store.matches.beat("ref-2", {}, fresh=True).watched == ()
    with patch.object(scenes, "WATCH_MS", 1):
        store.scenes.want(MATCH)
    stand.let_pass(20)
    assert store.matches.beat("ref-1", {}).watched == ()


def test_what_somebody_wants_to_see_before_all_else_is_said_first(stand: Stand, store: Store, host: Host) -> None:
    """Of several wishes for a match the one with the fewest before it counts, and others when that is not renewed."""
    other = OTHER
    store.matches.plan([plan(other)], 5)
    host.claim()
    store.matches.claim(other, "ref-1", 6, seed=SEED)

    def watched() -> tuple[str, ...]:
        return store.matches.beat("ref-1", {}, fresh=True).watched

    store.scenes.want(MATCH, 5)
    store.scenes.want(other, 4)
    assert watched() == (other, MATCH)
    store.scenes.want(MATCH)
    store.scenes.want(MATCH, 31)
    assert watched() == (MATCH, other)
    stand.let_pass(20)
    with patch.object(scenes, "RENEWED_MS", 1):
        store.scenes.want(MATCH, 31)
    assert watched() == (other, MATCH)
    assert hosting._place(b"what") > hosting._place(b"31")


def test_scenes_are_few_and_of_the_newest_host(stand: Stand, store: Store) -> None:
    """One sent again, and one of a host that was replaced, change nothing; the oldest go, and all of them in time."""
    key = store.keys.live(MATCH).encode()
    with patch.object(scenes, "KEPT", 2):
        for epoch, number in ((1, 1), (1, 2), (1, 2), (3, 1), (2, 7), (3, 2)):
            store.scenes.put([Shown(MATCH, epoch, number, Scene((), playing=number, rounds=epoch))])
    entries = cast("tuple[list[Kept], bool]", stand.dump()[key])[0]
    assert [(number, Scene.of(fields[b"d"]).rounds) for number, fields in entries] == [(b"3-1", 3), (b"3-2", 3)]
    with patch.object(scenes, "KEPT_MS", 1):
        store.scenes.put([Shown(MATCH, 3, 3, Scene((), 1, 3))])
    stand.let_pass(20)
    assert key not in stand.dump()


def test_what_stands_where_scenes_belong_is_thrown_away(stand: Stand, store: Store) -> None:
    """Nothing depends on it."""
    store.link.run(Call(script("watch"), (store.keys.live(MATCH),), (60_000, 0, 0)))
    store.scenes.put([Shown(MATCH, 1, 1, Scene((), 1, 0))])
    assert len(cast("tuple[list[Kept]]", stand.dump()[store.keys.live(MATCH).encode()])[0]) == 1


Kept = tuple[bytes, dict[bytes, bytes]]
OTHER = "cup.1.2.0"
Damage = tuple[str, ...]


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        pytest.param(("SET", "m:", "x"), MATCH, id="its row is none"),
        pytest.param(("HSET", "m:", "stop", "garbage"), MATCH, id="its order is garbage"),
        pytest.param(("HSET", "m:", "stop", "[1]"), MATCH, id="its order is no order"),
        pytest.param(("HSET", "m:", "games_done", "many"), MATCH, id="its games are no number"),
        pytest.param(("SET", "t:", "x"), MATCH, id="its tournament is none"),
        pytest.param(("SET", "owned", "x"), "owned", id="what the referee owns is no set"),
        pytest.param(("SET", "referees", "x"), "referees", id="the set of referees is none"),
    ],
)
def test_what_is_damaged_costs_nobody_else_his_orders(store: Store, host: Host, damage: Damage, named: str) -> None:
    """It is named, the beat is written, and progress of the other match is noted. What is mended is not named again."""
    keys = store.keys
    spelled = {"m:": keys.match(MATCH), "t:": keys.tournament("cup"), "owned": keys.owned("ref-1"),
               "referees": keys.referees}  # fmt: skip
    store.matches.plan([plan(OTHER)], 5)
    host.claim()
    store.matches.claim(OTHER, "ref-1", 6, seed=SEED)
    store.matches.void(OTHER, "cheating", "ann", 8)
    store.link._execute(*(spelled.get(word, word) for word in damage))
    orders = store.matches.beat("ref-1", {"n": 2}, games_done={MATCH: 2, OTHER: 1})
    assert orders.damaged == (spelled.get(named, named),)
    assert list(orders.stops) == ([] if named == "owned" else [OTHER])
    assert store.link.text(keys.beat("ref-1")) == '{"n":2}'
    assert store.matches.get(OTHER).games_done == 1


def test_progress_of_a_match_that_somebody_else_has_does_not_count(store: Store, host: Host) -> None:
    """A referee that comes back to life cannot write over its successor."""
    host.claim()
    host.die()
    Host(store, "ref-2").claim()
    store.matches.beat("ref-1", {}, fresh=True, games_done={MATCH: 9})
    assert store.matches.get(MATCH).games_done == 0


def test_who_leaves_beats_no_more(store: Store, host: Host) -> None:
    """Leaving twice is leaving once, and no beat revives it."""
    host.claim()
    host.die()
    host.die()
    with pytest.raises(LapsedError):
        store.matches.beat("ref-1", {})
