"""Any sequence of calls: the same replies, and the same data afterwards, on Redis and on the simulated store."""

from collections.abc import Callable
from random import Random
from typing import Final

import pytest

from ladder.store import Store
from ladder.store.call import Call
from ladder.store.client import ScriptRefusedError
from ladder.store.errors import StoreError
from ladder.store.local import LocalStore
from ladder.store.match_calls import Ending
from ladder.store.presence import Online
from ladder.store.rows import Claimed
from tests.fixtures_store import OpenStore
from tests.store.scenes import plan, result_text
from tests.store_conformance.stands import RealStand, SimulatedStand, Stand

pytestmark = pytest.mark.slow

SEQUENCES: Final = 30
CALLS: Final = 60
REFEREES: Final = ("ref-1", "ref-2", "ref-3")
MATCHES: Final = {"cup.1.1.0": "cup", "cup.1.2.0": "cup", "ladder.uno-classic-2.0.0": ""}
TEXT: Final = result_text([[[1, 2], [2, 1]]])


class Caller:
    """Makes the calls that a chance draws, and remembers the heads that its referees believe in."""

    def __init__(self, stand: Stand, seed: int) -> None:
        self._store: Store = stand.store
        self._chance = Random(seed)
        self._heads: dict[tuple[str, str], str] = {}
        self._last: Call | None = None
        self.said: list[str] = []
        stand.store.matches.plan([plan(match, tournament=cup) for match, cup in MATCHES.items()], 5)
        stand.store.registry.register("ann", "Ann", "0123456789abcdef", now_ms=7)
        run = self._store.link.run

        def remembering(call: Call) -> object:
            self._last = call
            return run(call)

        self._store.link.run = remembering  # type: ignore[method-assign, assignment]

    def step(self) -> None:
        """Make a call, and note what it said."""
        name = self._chance.choice(list(DEEDS))
        me, match = self._chance.choice(REFEREES), self._chance.choice(list(MATCHES))
        number = self._chance.randrange(1_000)
        try:
            said = DEEDS[name](self, me, match, number)
        except (StoreError, ScriptRefusedError) as error:
            said = f"{type(error).__name__}: {error}"
        self.said.append(f"{name}({me}, {match}, {number}) -> {said!r}")

    def _head(self, me: str, match: str, number: int) -> str:
        """Return a head: mostly the one that the referee believes in, now and then the true one, or none."""
        if number % 10 == 0:
            return "1-1-0123456789abcdef"
        return self._heads.get((me, match)) or self._store.matches.head(match)

    def _keep(self, me: str, match: str, head: str) -> str:
        self._heads[me, match] = head
        return head

    # -- what can be done

    def beat(self, me: str, match: str, number: int) -> object:
        return self._store.matches.beat(me, {"n": number}, fresh=number % 3 > 0, games_done={match: number % 5})

    def claim(self, me: str, match: str, number: int) -> object:
        claimed = self._store.matches.claim(match, me, number, seed=bytes([number % 7]) * 32, data=b"%d" % number)
        if isinstance(claimed, Claimed):
            self._keep(me, match, claimed.head)
        return claimed

    def append(self, me: str, match: str, number: int) -> object:
        matches = self._store.matches
        calls = matches.calls(match, me=me, tournament=MATCHES[match])
        return self._keep(me, match, matches.append(calls, self._head(me, match, number), b"act %d" % number))

    def close(self, me: str, match: str, number: int) -> object:
        matches = self._store.matches
        calls = matches.calls(match, me=me, tournament=MATCHES[match])
        ending, head = list(Ending)[number % 3], self._head(me, match, number)
        return matches.close(
            calls, head, b"end", now_ms=number, ending=ending, reason="why", result=TEXT, games_done=number % 6
        )

    def release(self, me: str, match: str, number: int) -> object:
        matches = self._store.matches
        calls = matches.calls(match, me=me, tournament=MATCHES[match])
        head = self._head(me, match, number)
        return matches.release(calls, head, not_before_ms=number, now_ms=number, absent=number % 2 > 0)

    def leave(self, me: str, match: str, number: int) -> object:
        self._store.matches.leave(me)
        return None

    def void(self, me: str, match: str, number: int) -> object:
        return self._store.matches.void(match, f"reason {number}", "ann", number)

    def slow(self, me: str, match: str, number: int) -> object:
        """Order that a match be void which is with this host: now and then the one before is meant."""
        claimed_ms = self._store.matches.get(match).claimed_ms - (number % 4 == 0)
        self._store.matches.void(match, f"reason {number}", "planner", number, claimed_ms=claimed_ms)
        return self._store.matches.late(MATCHES)

    def ready(self, me: str, match: str, number: int) -> object:
        return self._store.matches.set_ready(match, number)

    def unready(self, me: str, match: str, number: int) -> object:
        return self._store.matches.unready(match)

    def plan(self, me: str, match: str, number: int) -> object:
        group = "cup.2.0.g0" if number % 3 else ""
        further = plan(f"cup.2.{number % 4}.0", tournament="cup", ready=number % 2 > 0, group=group)
        return self._store.matches.plan([further], number)

    def presence(self, me: str, match: str, number: int) -> object:
        self._store.presence.put(me, {f"bot{number % 3}@1": Online(formats=frozenset({"dos-2"}), room=number)})
        return self._store.presence.online()

    def gone(self, me: str, match: str, number: int) -> object:
        self._store.presence.drop(me, [f"bot{number % 3}@1"])
        return None

    def version(self, me: str, match: str, number: int) -> object:
        return self._store.registry.version("ann", str(number % 9), now_ms=number, per_day=6)

    def again(self, me: str, match: str, number: int) -> object:
        """Send the last call once more, as a client does whose reply was lost."""
        return self._store.link.run(self._last) if self._last is not None else None

    def look(self, me: str, match: str, number: int) -> object:
        matches = self._store.matches
        waiting, ready = matches.waiting(), matches.ready_ids(number)
        return matches.get(match), matches.log(match), waiting, ready, matches.orphans(10**6), matches.states()


DEEDS: Final[dict[str, Callable[[Caller, str, str, int], object]]] = {
    "beat": Caller.beat,
    "claim": Caller.claim,
    "claim again": Caller.claim,
    "append": Caller.append,
    "append more": Caller.append,
    "append on": Caller.append,
    "close": Caller.close,
    "release": Caller.release,
    "leave": Caller.leave,
    "void": Caller.void,
    "slow": Caller.slow,
    "ready": Caller.ready,
    "unready": Caller.unready,
    "plan": Caller.plan,
    "presence": Caller.presence,
    "gone": Caller.gone,
    "version": Caller.version,
    "again": Caller.again,
    "look": Caller.look,
}


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_both_stores_say_and_hold_the_same(
    store_server: LocalStore, open_store: OpenStore, tenant: str, seed: int
) -> None:
    """After every call the same answer, and at the end the same content of every key."""
    stands = SimulatedStand(tenant), RealStand(store_server, tenant, open_store())
    simulated, real = (Caller(stand, seed) for stand in stands)
    for _ in range(CALLS):
        simulated.step()
        real.step()
        assert simulated.said[-1] == real.said[-1], "\n".join(real.said)
    held, wanted = (stand.dump() for stand in stands)
    assert held.keys() == wanted.keys()
    different = {key: (held[key], wanted[key]) for key in held if held[key] != wanted[key]}
    assert not different, "\n".join(real.said)
