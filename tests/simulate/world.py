"""A run: referees, a store, bots and a seed, from the first beat to the last goodbye."""

from collections.abc import Callable, MutableMapping
from functools import cache
from random import Random
from typing import Any, Final

import structlog

from ladder.store import Store
from ladder.store.checks import Checks
from ladder.store.errors import WrongStateError
from ladder.store.keys import Keys
from ladder.store.rows import MatchPlan
from referee import formats
from referee.rules.options import RULES_VERSION
from tests.simulate.bot import Bot
from tests.simulate.link import SimulatedLink
from tests.simulate.manners import draw_orders
from tests.simulate.process import Process
from tests.simulate.scenario import Fault, Kind, Scenario, empty
from tests.simulate.server import TENANT, Server
from tests.simulate.slot import Slot
from tests.simulate.stream import Caller, Stream
from tests.simulate.timeline import Timeline
from tests.simulate.trace import Trace

PEPPER: Final = bytes(range(32))
TOURNAMENT: Final = "cup"
BOTS_START_S: Final = 0.1
PLANNED_S: Final = 0.35
PATIENCE_S: Final = 600.0
"""Virtual seconds after the last fault in which every match must end."""
ARRIVAL_S: Final = 0.003
SETTLE_S: Final = 1.5
AGE_MS: Final = 60_000
SOON: Final = 0.02
"""Of its seconds, that a fault still waits after the writes that it waited for."""
GOODBYE_S: Final = 1.0
DRAIN_S: Final = 40.0
SKEW_MS: Final = 3_600_000
GOOD: Final = Checks(version="7.2.0", aof=True, fsync="always", policy="noeviction", open_to_all=False)
ALARMS: Final = frozenset({"error", "critical"})
EXPECTED_ALARMS: Final = frozenset({"lapsed"})


class World:
    """Everything of one run.

    Attributes:
        problems: what was not as it should be, in the order in which it was noticed.
        voided: matches that the operator ended.
        on_kill: told which matches a killed referee had, once all that it had sent has arrived.
    """

    def __init__(self, scenario: Scenario, patience_s: float = PATIENCE_S) -> None:
        self.scenario = scenario
        self.patience_s = patience_s
        self.on_kill: Callable[[list[str]], None] = lambda _matches: None
        self.format_name = scenario.format_name
        self.timeline = Timeline()
        self.trace = Trace(lambda: self.timeline.now)
        self.problems: list[str] = []
        self.voided: set[str] = set()
        self._faults = list(scenario.faults)
        self._writes_until = 0
        self._calm_at = 0.0
        self._seed = scenario.seed
        self.server = Server(self.timeline, self.chance("server"), self.trace)
        self.ledger = self.store()
        self.slots = [Slot(n, self, scenario.absent_s, self.chance(f"slot {n}")) for n in range(scenario.slots)]
        self.bots = [self._bot(number) for number in range(len(scenario.bots))]
        self.plans = [self._plan(number) for number in range(len(scenario.matches))]

    def chance(self, purpose: str) -> Random:
        """Return a stream of chance of its own for a purpose."""
        return Random(f"{self._seed} {purpose}")

    def complain(self, problem: str) -> None:
        """Note that something is not as it should be."""
        self.trace.note("PROBLEM", problem)
        self.problems.append(f"{self.timeline.now:.6f} s: {problem}")

    # -- what it is made of

    def store(self, process: Process | None = None, chance: Random | None = None) -> Store:
        """Open the ledger: for a process, or for whoever sets up and looks on."""
        link = SimulatedLink(self.server, process, chance)
        return Store.on(link, Keys(TENANT), GOOD, pepper=PEPPER, clock=self.server.wall_ms)

    def _bot(self, number: int) -> Bot:
        name, manners = f"bot{number}", self.scenario.bots[number]
        _, token = self.ledger.registry.register(name, f"owner of {name}", f"the request of {name}")
        version = self.ledger.registry.version(name, "1")
        return Bot(name, version, token, manners, self, self.chance(name))

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
        with _logs_into(self._logged):
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
            for bot in self.bots:
                at = BOTS_START_S + bot.chance.uniform(0.0, 0.1)
                timeline.after(at, lambda bot=bot, index=slot.index: bot.start(index))
        timeline.after(PLANNED_S, self._write_plans)
        self.server.loss = self.scenario.loss
        self.server.on_write = self._written

    def _write_plans(self) -> None:
        now_ms = self.server.wall_ms() - (AGE_MS if self.scenario.old else 0)
        self.ledger.matches.plan(self.plans, now_ms)
        self._await_next_fault()

    def _await_next_fault(self) -> None:
        if not self._faults:
            self.server.loss = 0.0
        elif self._faults[0].writes:
            self._writes_until = len(self.server.journal) + self._faults[0].writes
        else:
            self.timeline.after(self._faults[0].seconds, self._next_fault)

    def _written(self) -> None:
        if self._writes_until and len(self.server.journal) >= self._writes_until:
            self._writes_until = 0
            self.timeline.after(self._faults[0].seconds * SOON, self._next_fault)

    def _next_fault(self) -> None:
        fault = self._faults.pop(0)
        if len(self.server.ended) < len(self.plans):
            self._calm_at = max(self._calm_at, self.timeline.now + fault.size)
            self._do(fault)
        self._await_next_fault()

    def _abandon(self) -> None:
        for slot in self.slots:
            slot.closed = True
            if slot.process is not None:
                slot.process.kill()

    def killed(self, matches: list[str]) -> None:
        """Have a look at what a killed referee leaves behind, when all that it had sent has arrived."""
        self.server.arrive(lambda: self.timeline.after(ARRIVAL_S, lambda: self.on_kill(matches)))

    def _name_the_open(self) -> None:
        for plan in self.plans:
            if plan.id not in self.server.ended:
                row = self.ledger.matches.get(plan.id)
                self.complain(f"{plan.id} does not end: {row.state}, owner {row.owner!r}")

    def _close(self) -> None:
        timeline = self.timeline
        timeline.run(lambda: False, max(timeline.now, self._calm_at) + SETTLE_S)
        self._look_at_rest()
        for bot in self.bots:
            for instance in bot.instances:
                instance.leave()
        timeline.run(lambda: False, timeline.now + GOODBYE_S)
        self._look_at_parted()
        for slot in self.slots:
            slot.closed = True
            slot.drain()
        if not timeline.run(lambda: all(slot.process is None for slot in self.slots), timeline.now + DRAIN_S):
            self.complain("a referee does not stop")
            self._abandon()

    # -- what must be back to nothing

    def _look_at_rest(self) -> None:
        """All matches are over and the bots are still connected: nothing of a match may be left."""
        if len(self.server.ended) < len(self.plans):
            return
        for slot in self.slots:
            process, referee = slot.process, slot.referee
            if process is None or referee is None or process.frozen:
                continue
            players = referee.roster.players.values()
            sessions = referee.roster.sessions
            left = {
                "matches": len(referee.host.matches),
                "unwritten": int(not referee.log.idle),
                "scripts": len(referee.log._calls),
                "seats": sum(len(player.seats) for player in players),
                "handles": sum(len(session.handles) for session in sessions),
                "open": sum(len(session.open) for session in sessions),
                "waiting": sum(len(session.waiting) for session in sessions),
                "stamps": sum(len(session.stamps) for session in sessions),
            }
            if any(left.values()):
                self.complain(f"{process.name} keeps {({name: n for name, n in left.items() if n})} after the end")
        owned = [key for key in self.server.db.keys() if b":owned:" in key]
        if owned:
            self.complain(f"the store keeps {owned} after the end")

    def _look_at_parted(self) -> None:
        """The bots are gone: no session, stream or task of theirs may be left."""
        for slot in self.slots:
            process, referee, front = slot.process, slot.referee, slot.front
            if process is None or referee is None or front is None or front.half_open:
                continue
            tasks = [task.get_name() for task in process.living()]
            if referee.roster.sessions or front.streams or len(tasks) > tasks_of_an_idle_referee():
                self.complain(
                    f"{process.name} keeps {len(referee.roster.sessions)} sessions, {front.streams} streams and the "
                    f"tasks {tasks} after the bots have left"
                )

    # -- what goes wrong

    def _do(self, fault: Fault) -> None:
        slot = self._slot(fault.target)
        bot = self.bots[fault.target % len(self.bots)]
        self.trace.note("fault", fault.kind.value, fault.target)
        match fault.kind:
            case Kind.KILL:
                slot.kill(fault.steps)
            case Kind.KILL_IN_STALL:
                self.server.stall(fault.size)
                self.timeline.after(fault.size / 2, lambda: slot.kill(fault.steps % 20))
            case Kind.PARTITION:
                slot.part(fault.size)
            case Kind.FREEZE:
                slot.freeze(fault.size)
            case Kind.DRAIN:
                slot.drain()
            case Kind.STALL:
                self.server.stall(fault.size)
            case Kind.RESTART:
                self.server.restart(fault.size)
            case Kind.CUT_LOG:
                for connection in list(self.server.connections):
                    connection.cut()
            case Kind.SKEW:
                self._skew(slot, fault)
            case Kind.STORE_SKEW:
                self.server.jump_ms += SKEW_MS  # it expires every beat at once; a clock that goes back is not ours to mend
            case Kind.VOID:
                self._void(fault.target)
            case _:
                self._do_to_bot(bot, fault)

    def _slot(self, target: int) -> Slot:
        """Return a referee, one that hosts something if there is one."""
        hosts = [slot for slot in self.slots if slot.referee is not None and slot.referee.host.matches] or self.slots
        return hosts[target % len(hosts)]

    def _skew(self, slot: Slot, fault: Fault) -> None:
        slot.jump_ms = SKEW_MS if fault.target % 2 else -SKEW_MS

        def put_right() -> None:
            slot.jump_ms = 0

        self.timeline.after(fault.size, put_right)

    def _void(self, target: int) -> None:
        plan = self.plans[target % len(self.plans)]
        try:
            self.ledger.matches.void(plan.id, "operator", "ann", self.server.wall_ms())
        except WrongStateError:
            return
        self.voided.add(plan.id)
        if self.ledger.matches.get(plan.id).state == "void":
            self.server.ended.add(plan.id)

    def _do_to_bot(self, bot: Bot, fault: Fault) -> None:
        one = bot.instances[fault.target % len(bot.instances)]
        match fault.kind:
            case Kind.BOT_CUT | Kind.BOT_HALF_OPEN:
                one.half_open = one.half_open or fault.kind is Kind.BOT_HALF_OPEN
                one.cut(min(fault.size, 0.3), silent=fault.kind is Kind.BOT_HALF_OPEN)
            case Kind.BOT_CUT_IN_OUTAGE:
                self.server.restart(fault.size)
                one.cut(min(fault.size / 2, 0.3), silent=fault.steps % 2 == 1)
            case Kind.BOT_FORGETS:
                bot.blamable = bot.blamable or one.half_open
                one.forget()
            case Kind.BOT_TWICE:
                one.dial()
            case Kind.BOT_AWAY:
                bot.blamable = True
                for each in bot.instances:
                    each.cut(fault.size)
            case Kind.BOT_DEAF:
                bot.blamable = True
                if one.line is not None and one.line.stream is not None:
                    one.line.deaf = True
                    one.line.stream.stop_reading()
                    self.timeline.after(fault.size, one.line.stream.read_on)
            case Kind.BOT_ORDERS:
                bot.steady = False
                bot.orders = draw_orders(bot.chance)
                for each in bot.instances:
                    each.cut(0.01)
            case _:
                raise AssertionError(fault.kind)

    def _logged(self, level: str, words: MutableMapping[str, Any]) -> None:
        event = words.pop("event", "")
        bug = words.pop("exc_info", None)
        self.trace.note("log", level, event, *(f"{key}={value}" for key, value in sorted(words.items())))
        if level in ALARMS and event not in EXPECTED_ALARMS:
            self.complain(f"alarm {event} {words} {_told(bug)}")


@cache
def tasks_of_an_idle_referee() -> int:
    """Return how many tasks a referee has to which no bot ever came."""
    world = World(empty())
    with _logs_into(world._logged):
        world.slots[0].start()
        world.timeline.run(lambda: False, SETTLE_S)
        process = world.slots[0].process
        assert process is not None
        count = len(process.living())
        process.kill()
    return count


def _told(bug: object) -> str:
    if not isinstance(bug, BaseException):
        return ""
    import traceback

    return "".join(traceback.format_exception(bug))


class _logs_into:  # noqa: N801  (reads like a function at its only use)
    """Sends what the referees log to a function instead of the terminal."""

    def __init__(self, note: Callable[[str, MutableMapping[str, Any]], None]) -> None:
        self._note = note

    def __enter__(self) -> None:
        self._before = structlog.get_config()
        structlog.configure(processors=[self._take], cache_logger_on_first_use=False)

    def __exit__(self, *_: object) -> None:
        structlog.configure(**self._before)

    def _take(self, _logger: object, level: str, words: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        self._note(level, words)
        raise structlog.DropEvent
