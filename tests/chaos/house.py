"""Real referees on a real store, with bots that notice everything, while things are done to them."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from ladder.store import Store
from ladder.store.errors import StoreError
from ladder.store.rows import MatchPlan
from referee import formats
from referee.rules.options import RULES_VERSION
from tests.chaos.deeds import HAND_OVERS, Deed, deeds, do
from tests.chaos.parts import BOOT_S, TENANT, Place, StoreProcess
from tests.chaos.watch import Watch
from tests.chaos.wire import GrpcWire, Wall, tell_delays
from tests.simulate.bot import Bot
from tests.simulate.invariant import Invariant, Problem
from tests.simulate.judge import judge, witness
from tests.simulate.manners import STEADY
from tests.simulate.stream import Caller
from tests.simulate.trace import Trace

FORMATS: Final = ("uno-classic-2", "uno-house-2", "uno-official-3", "dos-2", "spin-2")
PEPPER: Final = bytes(range(32))
TOURNAMENT: Final = "chaos"
EVERYWHERE: Final = 1
"""So many bots dial every referee."""
AT_ONE: Final = 3
"""So many dial one, each another one, and where that is gone the next: as behind a balancer."""
OPEN_AT_LEAST: Final = 4
ACTS_BETWEEN: Final = 40
LULL_S: Final = 8.0
ALONE: Final = 0.5
"""Of the hand-overs, so many are measured: with calm before, and nothing else until the matches go on."""
CALM_S: Final = 5.0
PATIENCE_S: Final = 90.0
GOODBYE_S: Final = 0.5
STOP_S: Final = 60.0
LAG_MS: Final = 4_000
"""Most that a bot may pay for cuts of its own network, beside what this process was late; its clock has 25 seconds."""
MANNERS: Final = replace(STEADY, think_s=(0.002, 0.03), twice=0.1, stale=0.03, max_games=6, max_open=6)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it.

    Attributes:
        problems: what was not as it must be.
        deeds: what was done, by kind.
        states: how the matches ended.
        claims, entries: in their logs.
        lost: replies of the store that were swallowed.
        far: matches of which a bot played at another referee than their host.
        resumed: by deed, seconds from the loss of a referee to the next act, for each match.
    """

    problems: list[Problem]
    deeds: Counter[str]
    states: Counter[str]
    claims: int
    entries: int
    lost: int
    far: int
    resumed: dict[str, list[float]]


class House:
    """Everything of one run on a store that runs; a `Court` and a `Network` for the parts of the simulation."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        referees: int,
        store: StoreProcess,
        bug: str = "",
        among: Sequence[Deed] = tuple(Deed),
    ) -> None:
        self.folder = folder
        self.seed = seed
        self.lag_ms = LAG_MS
        self.voided: set[str] = set()
        self.problems: list[Problem] = []
        self.done: Counter[str] = Counter()
        self.plans: list[MatchPlan] = []
        self.format_name = self.chance("format").choice(FORMATS)
        self.timeline = Wall()
        self.trace = Trace(lambda: self.timeline.now)
        pepper = folder / "pepper"
        pepper.touch(mode=0o600)
        pepper.write_text(PEPPER.hex(), "ascii")
        self.store = store
        self.bug = bug
        self.among = among
        self.ledger = Store.open(self.store.url, tenant=TENANT, role="chaos", pepper=PEPPER)
        self.watch = Watch(self.store.url, self.ledger.keys)
        self.places = [Place(index, self, self.chance(f"place {index}")) for index in range(referees)]
        self.bots = [self._bot(number) for number in range(EVERYWHERE + AT_ONE)]
        self.lone = self.bots[EVERYWHERE:]
        self.homes: dict[str, Place] = {}
        self.far: set[str] = set()
        self._wires: dict[asyncio.Task[None], None] = {}

    def chance(self, purpose: str) -> Random:
        """Return a stream of chance of its own for a purpose."""
        return Random(f"chaos {self.seed} {purpose}")

    def complain(self, invariant: Invariant, text: str) -> None:
        """Note that something is not as it should be."""
        self.problems.append(Problem(self.timeline.now, invariant, text))

    def _bot(self, number: int) -> Bot:
        name = f"bot{number}"
        _, token = self.ledger.registry.register(name, f"owner of {name}")
        return Bot(name, self.ledger.registry.version(name, "1"), token, MANNERS, self, self.chance(name))

    def dial(self, slot: int, caller: Caller, token: str, peer: str) -> GrpcWire:
        """Open a stream to a referee."""
        place = self.places[slot]
        lone = next((bot for bot in self.lone if peer.startswith(f"{bot.name}-")), None)
        if lone is not None:
            onward = self.places[slot:] + self.places[:slot]
            place = self.homes[lone.version] = next((each for each in onward if each.ready), place)
        wire = GrpcWire(caller, place.door.address, token)
        self._wires[wire.task] = None
        wire.task.add_done_callback(self._hung_up)
        return wire

    def _hung_up(self, task: "asyncio.Task[None]") -> None:
        del self._wires[task]
        if not task.cancelled() and (bug := task.exception()) is not None:
            self.complain(Invariant.ALARM, f"a bot failed: {bug!r}")

    # -- a run

    async def run(self, faults: int, until_s: float) -> Verdict:
        """Have so many things done to it, or as many as there is time for; then see that all ends well."""
        keepers = [asyncio.create_task(place.run()) for place in self.places]
        watching = [
            asyncio.create_task(work)
            for work in (self.watch.run(), tell_delays(lambda: self.timeline.now, asyncio.sleep, self._allow_for))
        ]
        try:
            await self._begin()
            await self._suffer(faults, until_s)
            await self._end()
        finally:
            for task in (*watching, *keepers):
                task.cancel()
            await asyncio.gather(*watching, *keepers, return_exceptions=True)
            self.watch.close()
        if not self.problems:
            judge(self)
        return self._verdict()

    def _allow_for(self, longest_s: float) -> None:
        self.lag_ms = LAG_MS + int(1_000 * longest_s)

    async def _begin(self) -> None:
        keys, link = self.ledger.keys, self.ledger.link
        link._execute("HSET", keys.tournament(TOURNAMENT), "name", TOURNAMENT, "state", "running")
        link._execute("SET", keys.deal_seed(TOURNAMENT), self.chance("deals").randbytes(32))
        async with asyncio.timeout(BOOT_S):
            while not all(place.ready for place in self.places):  # noqa: ASYNC110  (processes tell nobody)
                await asyncio.sleep(0.05)
        for number, bot in enumerate(self.bots):
            for place in self.places if bot not in self.lone else [self.places[number % len(self.places)]]:
                bot.start(place.index)
        async with asyncio.timeout(BOOT_S):
            while any(bot.connected < len(bot.instances) for bot in self.bots):  # noqa: ASYNC110  (as above)
                await asyncio.sleep(0.05)

    async def _suffer(self, faults: int, until_s: float) -> None:
        chance, coming = self.chance("deeds"), deeds(self.chance("order"), self.among)
        while self.done.total() < faults and self.timeline.now < until_s:
            await self._play_on()
            if self.problems:
                return
            deed = next(coming)
            alone = deed in HAND_OVERS and chance.random() < ALONE
            if alone:
                await self._calm()
            place = chance.choice(
                [place for place in self.places if self.watch.hosted(place.incarnation)] or self.places
            )
            hosted = self.watch.hosted(place.incarnation)
            self.trace.note(deed.value, place.index)
            if alone and place.ready:
                self.watch.strike(hosted, deed.value)
            self.done[deed.value] += 1
            look = partial(witness, self, hosted)
            await do(deed, self, place, chance, look)
            look()
            await self._resumed()

    async def _calm(self) -> None:
        """Play until all that was done before has passed, so that the hand-over alone is measured."""
        async with asyncio.timeout(BOOT_S):
            while not all(place.ready for place in self.places):  # noqa: ASYNC110  (as above)
                await asyncio.sleep(0.05)
        until = self.timeline.now + CALM_S
        while self.timeline.now < until:
            await self._play_on()

    async def _resumed(self) -> None:
        """Do nothing else until the matches of a lost referee go on."""
        patience = self.timeline.now + PATIENCE_S
        while self.watch.waits and self.timeline.now < patience:  # noqa: ASYNC110  (as above)
            await asyncio.sleep(0.02)

    async def _play_on(self) -> None:
        """Let some acts be played, with enough matches to play."""
        goal = self.watch.entries + ACTS_BETWEEN
        patience = self.timeline.now + LULL_S
        while self.watch.entries < goal and self.timeline.now < patience:
            if len(self.watch.open) < OPEN_AT_LEAST:
                await self._plan()
            self._find_far()
            await asyncio.sleep(0.02)

    def _find_far(self) -> None:
        """Note which matches have a bot at another referee than their host."""
        entrants = {plan.id: plan.entrants for plan in self.plans}
        for place in (each for each in self.places if each.ready):
            for match in self.watch.hosted(place.incarnation):
                homes = [self.homes[bot] for bot in entrants[match] if bot in self.homes]
                if any(home is not place and home.ready for home in homes):
                    self.far.add(match)

    async def _plan(self) -> None:
        """Write further matches."""
        chance = self.chance(f"match {len(self.plans)}")
        found = formats.get(self.format_name)
        plans = [
            MatchPlan(
                id=f"{TOURNAMENT}.1.{len(self.plans) + number + 1}.0", format=self.format_name,
                ruleset=found.rules.hash, rules_version=RULES_VERSION,
                entrants=tuple(bot.version for bot in chance.sample(self.bots, found.seats)),
                meetings=chance.choice((1, 1, 2)), tournament=TOURNAMENT,
            )
            for number in range(OPEN_AT_LEAST)
        ]  # fmt: skip
        try:
            await asyncio.to_thread(self.ledger.matches.plan, plans, time.time_ns() // 1_000_000)
        except StoreError:
            return  # planned again: an id is written once
        self.plans += plans
        self.watch.add(plan.id for plan in plans)

    async def _end(self) -> None:
        patience = self.timeline.now + PATIENCE_S
        while self.watch.open and self.timeline.now < patience and not self.problems:  # noqa: ASYNC110  (as above)
            await asyncio.sleep(0.05)
        for match in () if self.problems else tuple(self.watch.open):
            row = self.ledger.matches.get(match)
            self.complain(Invariant.ENDS, f"{match} does not end: {row.state}, owner {row.owner!r}")
        for bot in self.bots:
            for instance in bot.instances:
                instance.leave()
        await asyncio.sleep(GOODBYE_S)
        await asyncio.gather(*(place.stop(STOP_S) for place in self.places))
        for wire in list(self._wires):
            wire.cancel()
        await asyncio.gather(*self._wires, return_exceptions=True)
        self._at_rest()

    def _at_rest(self) -> None:
        keys = self.ledger.link.read("KEYS", self.ledger.keys.owned("*"))
        if keys:
            self.complain(Invariant.REST, f"the store keeps {keys} after the end")
        for place in self.places:
            for line in place.alarms():
                self.complain(Invariant.ALARM, f"referee {place.index}: {line[:1_000]}")

    def _verdict(self) -> Verdict:
        rows = self.ledger.matches.rows([plan.id for plan in self.plans])
        logs = [self.ledger.matches.log(row.id) for row in rows]
        return Verdict(
            problems=self.problems, deeds=self.done, states=Counter(str(row.state) for row in rows),
            claims=sum(len({epoch for epoch, _, _ in log}) for log in logs), entries=sum(map(len, logs)),
            lost=sum(place.line.lost for place in self.places), far=len(self.far), resumed=self.watch.resumed,
        )  # fmt: skip

    def close(self) -> None:
        """Let go of the store."""
        self.ledger.link.close()
