"""What each user of the ledger may do, key by key; and that each can do all of its work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from deploy import make_secrets
from ladder.readings.tournament_tables import TournamentTables
from ladder.store import Store
from ladder.store.archive import Archive
from ladder.store.call import Call
from ladder.store.match_calls import Ending
from ladder.store.matches import Matches
from ladder.store.rows import LOST, Claimed, MatchState
from ladder.store.scripts import script
from ladder.store.shelf import Shelf, Trimmed
from ladder.store.tokens import Scope
from referee.hosting import takeover
from referee.machine import Machine
from tests.deploy.installation import SERVERS, Installation, binary
from tests.workers.house import FIELD, GROUP, NAMES, House, field, play, spec
from tests.workers.small_referee import SmallReferee, playing
from workers.engine import deals_of, teams_of, terms
from workers.plan import Planner
from workers.rate import SHOWN_MS
from workers.records.closed_match import record_lines
from workers.tournaments.desk import Desk
from workers.tournaments.life import State, Verb

pytestmark = pytest.mark.slow

REFEREE, WORKER, LADDER = "referee", "worker", "ladder"
EVERYBODY = {REFEREE, WORKER, LADDER}


@pytest.fixture(scope="module", params=SERVERS)
def stores(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    installation = Installation(binary(request.param), tmp_path_factory.mktemp("etc"))
    try:
        installation.start("ledger")
        yield installation
    finally:
        installation.stop()


@dataclass(frozen=True, slots=True)
class Right:
    """A command, and who may give it."""

    command: str
    roles: set[str]


RIGHTS = [
    Right("GET seed:t.1.1.0", {REFEREE}),
    Right("SET seed:t.1.1.0 x", {REFEREE}),
    Right("GET seed:t:cup", {REFEREE}),
    Right("GETRANGE seed:t:cup 0 3", {REFEREE}),
    Right("SET seed:t:cup x", EVERYBODY),
    Right("SET seed:t:cup x GET", {REFEREE}),
    Right("RENAME seed:t:cup m:cup", {REFEREE}),
    Right("COPY seed:t.1.1.0 m:cup", {REFEREE}),
    Right("RENAME seed:t.1.1.0 shown:seed:t.1.1.0", {REFEREE}),
    Right("XRANGE log:t.1.1.0 - +", {REFEREE}),
    Right("XADD log:t.1.1.0 * d x", {REFEREE, WORKER}),
    Right("RENAME log:t.1.1.0 shown:log:t.1.1.0", {REFEREE}),
    Right("GET shown:seed:t.1.1.0", EVERYBODY),
    Right("GET shown:seed:t:cup", EVERYBODY),
    Right("XRANGE shown:log:t.1.1.0 - +", EVERYBODY),
    Right("SET shown:seed:t:cup x", {REFEREE, WORKER}),
    Right("XADD shown:log:t.1.1.0 * d x", {REFEREE, WORKER}),
    Right("GET h:t.1.1.0", EVERYBODY),
    Right("SET h:t.1.1.0 1-1-x", {REFEREE, WORKER}),
    Right("SETNX h:t.1.1.0 1-1-x", EVERYBODY),
    Right("APPEND h:t.1.1.0 x", {REFEREE, WORKER}),
    Right("ZRANGE l:uno-classic-2:rating 0 -1", EVERYBODY),
    Right("ZADD l:uno-classic-2:rating 1 ann@1", {WORKER}),
    Right("HSET l:uno-classic-2:games ann@1 1", {WORKER}),
    Right("XADD l:uno-classic-2:log * op x", {WORKER}),
    Right("DEL l:uno-classic-2:rating", {WORKER}),
    Right("SET l:uno-classic-2:fit x", {WORKER}),
    Right("HSET l:uno-classic-2:void t.1.1.0 why", {WORKER, LADDER}),
    Right("HSET m:t.1.1.0 stop x", EVERYBODY),
    Right("SET beat:ref-1 x", {REFEREE, WORKER}),
    Right("HSET presence ref-1/ann@1 x", {REFEREE, WORKER}),
    Right("XADD live:t.1.1.0 * d x", {REFEREE, WORKER}),
    Right("SET deal:t.1.1.0 x", {REFEREE, WORKER}),
    Right("HSET token:abc scope admin", EVERYBODY),
    Right("SADD reveals m:t.1.1.0", EVERYBODY),
]


def asked(client: redis.Redis, command: str, *, by_script: bool) -> None:
    """Give a command, with names of keys of our own, from outside or in a script."""
    words = ["{main}:" + word if ":" in word or word in {"presence", "reveals"} else word for word in command.split()]
    if not by_script:
        client.execute_command(*words)  # type: ignore[no-untyped-call]
        return
    named = [word for word in words if word.startswith("{main}:")]
    script = client.script_load("return redis.call(unpack(ARGV))")
    client.evalsha(script, len(named), *named, *words)


def allowed(stores: Installation, role: str, command: str, *, by_script: bool) -> bool:
    """Return whether a user may give a command, on keys that are there."""
    ops = stores.user("ops")
    ops.flushall()
    ops.mset({f"{{main}}:{key}": "x" for key in ("seed:t.1.1.0", "seed:t:cup", "shown:seed:t.1.1.0", "h:t.1.1.0")})
    ops.execute_command("XADD", "{main}:log:t.1.1.0", "1-1", "d", "x")
    try:
        asked(stores.user(role), command, by_script=by_script)
    except redis.ResponseError as error:
        if "permission" in str(error).lower() or "can't access" in str(error):
            return False
        raise
    return True


@pytest.mark.parametrize("by_script", [False, True], ids=["asked", "in a script"])
@pytest.mark.parametrize("role", sorted(EVERYBODY))
def test_who_may_what(stores: Installation, role: str, *, by_script: bool) -> None:
    """A script that names a key it may not touch gets no further than its caller."""
    found = {right.command: allowed(stores, role, right.command, by_script=by_script) for right in RIGHTS}
    assert found == {right.command: role in right.roles for right in RIGHTS}


@pytest.fixture
def roles(stores: Installation) -> Iterator[dict[str, Store]]:
    """Open the ledger as each of its users."""
    stores.user("ops").flushall()
    stores.user("ops").acl_log_reset()
    pepper = bytes.fromhex((stores.folder / "pepper").read_text("ascii").strip())
    opened = {
        role: Store.open(stores.environment(role)["LASTCARD_REDIS_URL"], role=role, pepper=pepper)
        for role in sorted(EVERYBODY)
    }
    try:
        yield opened
    finally:
        for store in opened.values():
            store.link.close()


@pytest.fixture
def parted(roles: dict[str, Store]) -> House:
    """Put the house together so that each part has the rights of its process."""
    ladder, worker, referee = roles[LADDER], roles[WORKER], roles[REFEREE]
    house = House(worker, TournamentTables(ladder.matches, ladder.ratings, teams_of, deals_of=deals_of))
    house.referee = SmallReferee(referee)
    house.referee.by_secret = True
    tables = TournamentTables(ladder.matches, ladder.ratings, teams_of, deals_of=deals_of)
    planner = Planner(ladder, terms, house.bell, lambda: bytes(range(32)))
    house.desk = Desk(ladder, terms, tables.get, planner, house.bell, lambda: house.now_ms)
    return house


def connect(house: House, roles: dict[str, Store], *names: str, formats: tuple[str, ...]) -> None:
    """Register bots at the ladder and connect them to the referee."""
    versions = []
    for name in names:
        roles[LADDER].registry.register(name, f"owner of {name}", now_ms=house.now_ms)
        versions.append(roles[REFEREE].registry.version(name, "1", now_ms=house.now_ms))
    house.referee.seat(playing(versions, formats=formats))


def denied(stores: Installation) -> list[str]:
    """Return what the server refused to whom."""
    return [f"{entry['username']}: {entry['object']}" for entry in stores.user("ops").acl_log()]


def test_a_tournament_from_its_creation_to_the_archive(
    stores: Installation, roles: dict[str, Store], parted: House, tmp_path: Path
) -> None:
    """While it is played nobody but the referee can read its seeds and logs; afterwards all can."""
    ladder, worker, referee = roles[LADDER], roles[WORKER], roles[REFEREE]
    connect(parted, roles, "alpha", "beta", "gamma", formats=("uno-classic-2",))
    parted.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    parted.look()
    seed = referee.tournaments.deal_seed("spring")
    assert parted.play("spring") is State.FINISHED
    assert ladder.tournaments.get("spring").deal_seed == seed
    archive = Archive(str(tmp_path))
    shelf = Shelf(worker.link, worker.keys, Matches(worker.link, worker.keys, archive), archive)
    for row in list(worker.matches.every("spring")):
        assert row.shown
        assert ladder.matches.seed(row.id) == worker.matches.seed(row.id) == referee.matches.seed(row.id)
        assert record_lines(ladder, row.id).count("\n") == 2
        assert shelf.write([row]) == 1
        worker.gifts.give_up(row.id, "spring")
        assert shelf.trim(worker.matches.get(row.id)) is Trimmed.OK
    assert denied(stores) == []


def test_the_seed_of_a_match_that_is_played_is_not_there_for_others(roles: dict[str, Store], parted: House) -> None:
    """Nor is its log; they read as if there were none."""
    referee = roles[REFEREE]
    connect(parted, roles, "alpha", "beta", formats=("uno-classic-2",))
    parted.create(spec("spring", "alpha", "beta", meetings=1))
    parted.look()
    claimed = referee.matches.claim("spring.1.1.0", parted.referee.me, parted.now_ms, seed=bytes(range(32)))
    assert isinstance(claimed, Claimed)
    assert referee.matches.seed("spring.1.1.0") == bytes(range(32))
    assert len(referee.matches.log("spring.1.1.0")) == 1
    for role in (WORKER, LADDER):
        assert roles[role].matches.seed("spring.1.1.0") is None
        assert roles[role].matches.log("spring.1.1.0") == []


def test_a_match_that_is_void_while_it_runs_is_shown_and_put_away(
    stores: Installation, roles: dict[str, Store], parted: House
) -> None:
    """A referee shows its log, without which no worker could archive it; one of an earlier release is found, too."""
    ladder, referee, worker, match = roles[LADDER], roles[REFEREE], roles[WORKER], "spring.1.1.0"
    connect(parted, roles, "alpha", "beta", formats=("uno-classic-2",))
    parted.create(spec("spring", "alpha", "beta", meetings=1))
    parted.look()
    claimed = referee.matches.claim(match, parted.referee.me, parted.now_ms, seed=bytes(range(32)))
    assert isinstance(claimed, Claimed)
    assert parted.desk.void(match, "why", "tester").state is MatchState.RUNNING
    calls = referee.matches.calls(match, me=parted.referee.me, tournament="spring")
    end = {"now_ms": parted.now_ms, "ending": Ending.VOID, "reason": "why"}
    referee.matches.close(calls, claimed.head, b"end", **end)  # type: ignore[arg-type]
    assert worker.matches.log(match) == []
    stores.user("ops").delete(worker.keys.due)
    assert worker.shelf.void_before(9, parted.now_ms) == 1
    parted.look()
    assert worker.shelf.waiting(parted.now_ms, 9) == [match]
    assert worker.matches.seed(match) == bytes(range(32))
    assert len(worker.matches.log(match)) == 2
    assert ladder.matches.get(match).state is MatchState.VOID
    where = (worker.keys.match(match), worker.keys.head(match), worker.keys.states, worker.keys.unarchived)
    assert worker.link.run(Call(script("archived"), where, (worker.matches.head(match), "object", match))) == b"OK"
    lists = (worker.keys.shown_log(match), worker.keys.shown_seed(match), worker.keys.unarchived, worker.keys.luck_due)
    assert worker.link.run(Call(script("trim"), (*where[:3], *lists), (match,))) == b"OK"
    assert stores.user("ops").exists(worker.keys.shown_log(match), worker.keys.shown_seed(match)) == 0


def test_the_deals_of_a_group_are_shown_when_its_last_table_is_over(
    stores: Installation, roles: dict[str, Store], parted: House
) -> None:
    """A match that is closed has the seed of those that are still played: workers wait for the referee."""
    worker = roles[WORKER]
    connect(parted, roles, *NAMES, formats=(FIELD,))
    parted.create(field())
    parted.look()
    first, *others = sorted(row.id for row in worker.matches.every("spring") if row.group == GROUP)
    assert len(others) >= 5
    play(parted, [first])
    parted.look()
    assert (worker.matches.get(first).state, worker.matches.seed(first)) == (MatchState.CLOSED, None)
    play(parted, others)
    parted.look()
    assert worker.matches.get(first).opened
    parted.look(2 * SHOWN_MS)
    assert {worker.matches.get(match).state for match in (first, *others)} == {MatchState.RATED}
    (seed,) = {worker.matches.seed(match).reveal() for match in (first, *others)}  # type: ignore[union-attr]
    assert seed == roles[REFEREE].matches.seed(first)
    assert denied(stores) != []


def park(house: House, referee: Store, match: str) -> None:
    """Park a match as a referee does that cannot host it; it was not begun."""
    seed = takeover.seed_of(referee.matches.get(match), referee, Machine())
    assert isinstance(referee.matches.claim(match, house.referee.me, house.now_ms, seed=seed), Claimed)
    assert takeover.park(match, referee, house.referee.me, house.now_ms, "engine")


def test_the_seed_of_a_tournament_that_ended_with_a_parked_match_is_not_there_for_others(
    stores: Installation, roles: dict[str, Store], parted: House
) -> None:
    """That match may still be played: whoever had the key would know its cards. With it void the seed is shown."""
    ladder, referee, ops = roles[LADDER], roles[REFEREE], stores.user("ops")
    connect(parted, roles, "alpha", "beta", "gamma", formats=("uno-classic-2",))
    parted.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    parted.look()
    stuck, put_back = sorted(referee.matches.ids_of("spring"))[:2]
    for match in (stuck, put_back):
        park(parted, referee, match)
    assert parted.play("spring") is State.FINISHED
    secret, shown = ladder.keys.deal_seed("spring"), ladder.keys.shown_deal_seed("spring")
    parted.look()
    assert (referee.reveals.carry_out(), referee.reveals.adopt()) == (0, 0)
    assert (ops.exists(secret), ops.exists(shown)) == (1, 0)
    parted.desk.requeue(put_back, "mended", "tester")
    assert parted.play("spring") is State.FINISHED
    assert (ops.exists(secret), ops.exists(shown)) == (1, 0)
    parted.desk.void(stuck, "not worth it", "tester")
    parted.look()
    assert (ops.exists(secret), ops.exists(shown)) == (0, 1)
    assert ladder.tournaments.get("spring").deal_seed


def test_every_verb_of_the_ladder(stores: Installation, roles: dict[str, Store], parted: House) -> None:
    """Bots, their tokens, and whatever an organiser may ask for."""
    ladder, desk = roles[LADDER], parted.desk
    connect(parted, roles, "alpha", "beta", "gamma", formats=("uno-classic-2",))
    parted.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    for verb in (Verb.PAUSE, Verb.RESUME):
        desk.turn("spring", verb, "why", "tester")
    parted.look()
    void, rated, broken = sorted(parted.store.matches.ids_of("spring"))
    desk.void(void, "why", "tester")
    parted.referee.play(parted.now_ms, 500, {rated})
    parted.look()
    assert parted.store.matches.get(rated).state is MatchState.RATED
    assert desk.void(rated, "why", "tester").state in LOST
    stores.user("ops").hset(ladder.keys.match(broken), "meetings", "none")
    assert desk.void(broken, "why", "tester").state in LOST
    assert desk.requeue(void, "why", "tester").id == f"{void}.r2"
    assert desk.turn("spring", Verb.CANCEL, "why", "tester").state is State.CANCELLED
    ladder.registry.link(["owner of alpha", "owner of beta"])
    ladder.registry.unlink("owner of alpha")
    token = ladder.registry.rotate("alpha")
    assert ladder.registry.authenticate(token).bot == "alpha"
    ladder.registry.revoke("alpha")
    ladder.registry.retire("alpha")
    ladder.registry.unretire("alpha")
    ladder.registry.vouch("alpha")
    ladder.registry.operator("tester", [Scope.ORGANISER], now_ms=parted.now_ms)
    ladder.ticks.probe("ladder")
    ladder.scenes.want(rated)
    assert denied(stores) == []


def test_who_comes_from_before_is_shown_by_the_next_referee(
    stores: Installation, roles: dict[str, Store], parted: House
) -> None:
    """A ledger in which all of it stands under one key is read as ever, once a referee has begun."""
    connect(parted, roles, "alpha", "beta", formats=("uno-classic-2",))
    parted.create(spec("spring", "alpha", "beta", meetings=1))
    assert parted.play("spring") is State.FINISHED
    keys, match, ops = roles[REFEREE].keys, "spring.1.1.0", stores.user("ops")
    before = roles[WORKER].matches.log(match), roles[WORKER].matches.seed(match)
    ops.rename(keys.shown_log(match), keys.log(match))
    ops.rename(keys.shown_seed(match), keys.seed(match))
    ops.rename(keys.shown_deal_seed("spring"), keys.deal_seed("spring"))
    ops.hdel(keys.match(match), "shown")
    assert (roles[WORKER].matches.seed(match), roles[LADDER].tournaments.get("spring").deal_seed) == (None, None)
    assert roles[WORKER].shelf.write([roles[WORKER].matches.get(match)]) == 0
    assert roles[REFEREE].reveals.adopt() == 2
    assert roles[REFEREE].reveals.adopt() == 0
    assert (roles[WORKER].matches.log(match), roles[WORKER].matches.seed(match)) == before
    assert roles[LADDER].tournaments.get("spring").deal_seed
    assert roles[WORKER].matches.get(match).shown


def test_a_store_reads_the_rights_of_this_release_while_it_runs(stores: Installation) -> None:
    """It need not be started again."""
    file = stores.folder / "ledger.acl"
    made = file.read_text("utf-8")
    file.write_text(made.replace("%W~{main}:seed:t:*", "~{main}:seed:t:*"), "utf-8")
    ops = stores.user("ops")
    ops.acl_load()
    assert allowed(stores, LADDER, "SET seed:t:cup x GET", by_script=False)
    assert make_secrets.main([str(stores.folder)]) == 0
    ops.acl_load()
    assert not allowed(stores, LADDER, "SET seed:t:cup x GET", by_script=False)
