"""A run: referees, a store, bots and a seed, from the first beat to the last goodbye."""

import traceback
from collections.abc import Callable
from functools import cache, partial
from hashlib import blake2b
from random import Random
from typing import Final

from ladder.store import Store
from ladder.store.checks import Checks
from ladder.store.keys import Keys
from ladder.store.rows import MatchPlan
from referee import formats
from referee.rules.options import RULES_VERSION
from tests.simulate.bot import Bot
from tests.simulate.invariant import Invariant, Problem
from tests.simulate.link import SimulatedLink
from tests.simulate.logs import Words, logs_into
from tests.simulate.process import Process
from tests.simulate.rest import at_rest, parted
from tests.simulate.scenario import Kind, Scenario, empty
from tests.simulate.server import TENANT, Server
from tests.simulate.slot import Slot
from tests.simulate.stream import Caller, Stream
from tests.simulate.timeline import Timeline
from tests.simulate.trace import Trace
from tests.simulate.weather import Weather

PEPPER: Final = bytes(range(32))
TOURNAMENT: Final = "cup"
BOTS_START_S: Final = 0.1
PLANNED_S: Final = 0.35
PATIENCE_S: Final = 600.0
"""Virtual seconds after the last fault in which every match must end."""
ARRIVAL_S: Final = 0.003
SETTLE_S: Final = 1.5
AGE_MS: Final = 60_000
GOODBYE_S: Final = 1.0
DRAIN_S: Final = 40.0
GOOD: Final = Checks(version="7.2.0", aof=True, fsync="always", policy="noeviction", open_to_all=False)
ALARMS: Final = frozenset({"error", "critical"})
OUR_LAG_MS: Final = 160
EXPECTED_ALARMS: Final = frozenset({"lapsed"})
HARMLESS: Final = frozenset({Kind.SKEW})
"""What no round is handed over for."""
DRAWN: Final = frozenset({"session", "incident"})
"""Names that a referee draws for its log lines: they differ in every run, and nothing hangs on them."""


class World:
    """Everything of one run.

    Attributes:
        problems: what was not as it should be, in the order in which it was noticed.
        weather: what goes wrong.
        on_kill: told which matches a killed referee had, once all that it had sent has arrived.
    """

    def __init__(self, scenario: Scenario, patience_s: float = PATIENCE_S) -> None:
        self.scenario = scenario
        self.patience_s = patience_s
        self.on_kill: Callable[[list[str]], None] = lambda _matches: None
        self.format_name = scenario.format_name
        self.timeline = Timeline()
        self.trace = Trace(lambda: self.timeline.now)
        self.problems: list[Problem] = []
        self.lag_ms = OUR_LAG_MS
        self._seed = scenario.seed
        self.server = Server(self.timeline, self.chance("server"), self.trace)
        self.ledger = self.store()
        self.slots = [self._slot(number) for number in range(scenario.slots)]
        self.bots = [self._bot(number) for number in range(len(scenario.bots))]
        self.plans = [self._plan(number) for number in range(len(scenario.matches))]
        self.weather = Weather(self, scenario.faults)

    def chance(self, purpose: str) -> Random:
        """Return a stream of chance of its own for a purpose."""
        return Random(f"{self._seed} {purpose}")

    def complain(self, invariant: Invariant, text: str) -> None:
        """Note that something is not as it should be."""
        self.trace.note("PROBLEM", invariant, text)
        self.problems.append(Problem(self.timeline.now, invariant, text))

    @property
    def voided(self) -> set[str]:
        """Matches that the operator ended."""
        return self.weather.voided

    def _calm(self) -> bool:
        """Whether nothing has gone wrong so far for which rounds are handed over."""
        return not self.server.loss and HARMLESS.issuperset(self.weather.done)

    def digest(self) -> str:
        """Return a hash of everything that happened, and of all that the bots saw and said."""
        whole = blake2b(self.trace.digest().encode(), digest_size=16)
        for bot in self.bots:
            whole.update(repr(bot.diary.told()).encode())
        return whole.hexdigest()

    # -- what it is made of

    def store(self, process: Process | None = None, chance: Random | None = None) -> Store:
        """Open the ledger: for a process, or for whoever sets up and looks on."""
        link = SimulatedLink(self.server, process, chance)
        return Store.on(link, Keys(TENANT), GOOD, pepper=PEPPER, clock=self.server.wall_ms)

    def _slot(self, number: int) -> Slot:
        return Slot(number, self, self.scenario.absent_s, self.chance(f"slot {number}"))

    def _begins_at(self, _bot: Bot, _slot: Slot) -> bool:
        """Whether a process of the bot begins at a referee."""
        return True

    def _tasks_when_idle(self) -> int:
        return tasks_when_idle()

    def _bot(self, number: int) -> Bot:
        name, manners = f"bot{number}", self.scenario.bots[number]
        _, token = self.ledger.registry.register(name, f"owner of {name}", f"the request of {name}")
        version = self.ledger.registry.version(name, "1")
        bot = Bot(name, version, token, manners, self, self.chance(name))
        bot.calm = self._calm
        return bot

    def _plan(self, number: int) -> MatchPlan:
        who, meetings = self.scenario.matches[number]
        in_tournament = self.scenario.in_tournament
        return MatchPlan(
            id=f"{TOURNAMENT}.1.{number + 1}.0" if in_tournament else f"ladder.{self.format_name}.0.{number}",
            format=self.format_name,
            ruleset=formats.get(self.format_name).rules.hash,
            rules_version=RULES_VERSION,
            entrants=tuple(self.bots[bot].version for bot in who),
            meetings=meetings,
            tournament=TOURNAMENT if in_tournament else "",
        )

    # -- the network of the bots

    def dial(self, slot: int, caller: Caller, token: str, peer: str) -> Stream | None:
        """Open a stream to a referee; None: nobody listens there."""
        target = self.slots[slot]
        process, front = target.process, target.front
        if process is None or front is None or not front.is_open:
            return None
        stream = Stream(caller, process, self.chance(peer), {"authorization": f"Bearer {token}"}, peer)
        process.on_death.append(stream.orphan)
        self.timeline.after(0.0002, lambda: front.accept(stream), process)
        return stream

    # -- a run

    def run(self) -> None:
        """Play the scenario to its end."""
        with logs_into(self._logged):
            self._begin()
            ended = self.server.ended
            if not self.timeline.run(lambda: len(ended) == len(self.plans) or bool(self.problems), self.patience_s):
                self._name_the_open()
            if self.problems:
                self._abandon()
            else:
                self._close()

    def _begin(self) -> None:
        if self.scenario.in_tournament:
            keys, link = self.ledger.keys, self.ledger.link
            link._execute("HSET", keys.tournament(TOURNAMENT), "name", TOURNAMENT, "state", "running")
            link._execute("SET", keys.deal_seed(TOURNAMENT), self.chance("deals").randbytes(32))
        timeline = self.timeline
        for slot in self.slots:
            timeline.after(0.01 * slot.index, slot.start)
            for bot in [one for one in self.bots if self._begins_at(one, slot)]:
                at = BOTS_START_S + bot.chance.uniform(0.0, 0.1)
                timeline.after(at, partial(bot.start, slot.index))
        timeline.after(PLANNED_S, self._write_plans)
        self.server.loss = self.scenario.loss

    def _write_plans(self) -> None:
        now_ms = self.server.wall_ms() - (AGE_MS if self.scenario.old else 0)
        self.ledger.matches.plan(self.plans, now_ms)
        self.weather.begin()

    def _abandon(self) -> None:
        for slot in self.slots:
            slot.closed = True
            if slot.process is not None:
                slot.process.kill()

    def killed(self, matches: list[str]) -> None:
        """Have a look at what a killed referee leaves behind, when all that it had sent has arrived."""

        def look_soon() -> None:
            self.timeline.after(ARRIVAL_S, lambda: self.on_kill(matches))

        self.server.arrive(look_soon)

    def _name_the_open(self) -> None:
        for plan in self.plans:
            if plan.id not in self.server.ended:
                row = self.ledger.matches.get(plan.id)
                self.complain(Invariant.ENDS, f"{plan.id} does not end: {row.state}, owner {row.owner!r}")

    def _at_rest(self) -> None:
        at_rest(self.slots, self.server.db, self.complain)

    def _close(self) -> None:
        timeline = self.timeline
        timeline.run(lambda: False, max(timeline.now, self.weather.calm_at) + SETTLE_S)
        self._at_rest()
        for bot in self.bots:
            for instance in bot.instances:
                instance.leave()
        timeline.run(lambda: False, timeline.now + GOODBYE_S)
        parted(self.slots, self._tasks_when_idle(), self.complain)
        for slot in self.slots:
            slot.closed = True
            slot.drain()
        if not timeline.run(lambda: all(slot.process is None for slot in self.slots), timeline.now + DRAIN_S):
            self.complain(Invariant.REST, "a referee does not stop")
            self._abandon()

    def _logged(self, level: str, words: Words) -> None:
        event = words.pop("event", "")
        bug = words.pop("exc_info", None)
        self.trace.note(
            "log", level, event, *(f"{key}={value}" for key, value in sorted(words.items()) if key not in DRAWN)
        )
        if level in ALARMS and event not in EXPECTED_ALARMS:
            trace = "".join(traceback.format_exception(bug)) if isinstance(bug, BaseException) else ""
            self.complain(Invariant.ALARM, f"alarm {event} {dict(words)} {trace}")


@cache
def tasks_when_idle() -> int:
    """Return how many tasks a referee has to which no bot ever came."""
    world = World(empty())
    with logs_into(world._logged):
        world.slots[0].start()
        world.timeline.run(lambda: False, SETTLE_S)
        process = world.slots[0].process
        assert process is not None
        count = len(process.living())
        process.kill()
    return count
