"""What goes wrong in a run: does the faults of a scenario, one after the other."""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from ladder.store import Store
from ladder.store.errors import WrongStateError
from ladder.store.rows import MatchPlan, MatchState
from tests.simulate.bot import Bot, Instance
from tests.simulate.manners import draw_orders
from tests.simulate.scenario import Fault, Kind
from tests.simulate.server import Server
from tests.simulate.slot import Slot
from tests.simulate.stream import Stream
from tests.simulate.timeline import Timeline
from tests.simulate.trace import Trace

SKEW_MS: Final = 3_600_000
OTHER: Final = "dos-3-fast"
"""A format of no scenario."""
SOON: Final = 0.02
"""Of its seconds, that a fault still waits after the writes that it waited for."""
SHORT_CUT_S: Final = 0.3
"""So long an absence that costs nobody a fault."""
STEPS_IN_STALL: Final = 20
AFTER_S: Final = {Kind.PARTITION: 4.0}
"""So long it takes until a referee that was cut off has given up waiting for its last call."""


class Land(Protocol):
    """What the weather happens to."""

    timeline: Timeline
    trace: Trace
    server: Server
    ledger: Store
    slots: list[Slot]
    bots: list[Bot]
    plans: list[MatchPlan]


class Weather:
    """The faults of a run.

    Attributes:
        calm_at: virtual time from which on the faults that were done have passed.
        voided: matches that the operator ended.
        done: the kinds of the faults that happened.
    """

    def __init__(self, land: Land, faults: tuple[Fault, ...]) -> None:
        self.calm_at = 0.0
        self.voided: set[str] = set()
        self.done: list[Kind] = []
        self._land = land
        self._faults = list(faults)
        self._writes_until = 0
        self._deeds: dict[Kind, Callable[[Fault], object]] = {
            Kind.KILL: lambda fault: self._slot(fault).kill(fault.steps),
            Kind.KILL_IN_STALL: self._kill_in_stall,
            Kind.PARTITION: lambda fault: self._slot(fault).part(fault.size),
            Kind.FREEZE: lambda fault: self._slot(fault).freeze(fault.size),
            Kind.DRAIN: lambda fault: self._slot(fault).drain(),
            Kind.STALL: lambda fault: land.server.stall(fault.size),
            Kind.RESTART: lambda fault: land.server.restart(fault.size),
            Kind.CUT_LOG: lambda _fault: land.server.cut_connections(),
            Kind.DRAIN_IN_OUTAGE: self._drain_in_outage,
            Kind.SKEW: self._skew,
            Kind.SKEW_AND_KILL: self._skew_and_kill,
            Kind.SKEW_AND_DRAIN: self._skew_and_drain,
            Kind.STORE_SKEW: self._store_skew,
            Kind.VOID: self._void,
            Kind.BOT_CUT: lambda fault: self._instance(fault).cut(min(fault.size, SHORT_CUT_S)),
            Kind.BOT_CUT_IN_OUTAGE: self._bot_cut_in_outage,
            Kind.BOT_HALF_OPEN: self._bot_half_open,
            Kind.BOT_FORGETS: self._bot_forgets,
            Kind.BOT_TWICE: lambda fault: self._instance(fault).dial(),
            Kind.BOT_AWAY: self._bot_away,
            Kind.BOT_DEAF: self._bot_deaf,
            Kind.BOT_ORDERS: self._bot_orders,
            Kind.BOT_DROPS: self._bot_drops,
        }

    # -- when

    def begin(self) -> None:
        """Let the first fault come."""
        self._land.server.on_write = self._written
        self._await_next()

    def _await_next(self) -> None:
        if not self._faults:
            self._land.server.loss = 0.0
        elif self._faults[0].writes:
            self._writes_until = len(self._land.server.journal) + self._faults[0].writes
        else:
            self._land.timeline.after(self._faults[0].seconds, self._next)

    def _written(self) -> None:
        if self._writes_until and len(self._land.server.journal) >= self._writes_until:
            self._writes_until = 0
            self._land.timeline.after(self._faults[0].seconds * SOON, self._next)

    def _next(self) -> None:
        fault, land = self._faults.pop(0), self._land
        if len(land.server.ended) < len(land.plans):
            self.calm_at = max(self.calm_at, land.timeline.now + fault.size + AFTER_S.get(fault.kind, 0.0))
            land.trace.note("fault", fault.kind.value, fault.target)
            self.done.append(fault.kind)
            self._deeds[fault.kind](fault)
        self._await_next()

    # -- to referees and the store

    def _slot(self, fault: Fault) -> Slot:
        """Return a referee, one that hosts something if there is one."""
        slots = self._land.slots
        hosts = [slot for slot in slots if slot.referee is not None and slot.referee.host.matches] or slots
        return hosts[fault.target % len(hosts)]

    def _kill_in_stall(self, fault: Fault) -> None:
        slot = self._slot(fault)
        self._land.server.stall(fault.size)
        self._land.timeline.after(fault.size / 2, lambda: slot.kill(fault.steps % STEPS_IN_STALL))

    def _drain_in_outage(self, fault: Fault) -> None:
        slot = self._slot(fault)
        self._land.server.restart(fault.size)
        self._land.timeline.after(fault.size / 2, slot.drain)

    def _skew_and_kill(self, fault: Fault) -> None:
        self._skew(fault).kill(fault.steps)

    def _skew_and_drain(self, fault: Fault) -> None:
        self._skew(fault).drain()

    def _skew(self, fault: Fault) -> Slot:
        """Move the wall clock of a referee by an hour for a while."""
        slot = self._slot(fault)
        slot.jump_ms = SKEW_MS if fault.target % 2 else -SKEW_MS

        def put_right() -> None:
            slot.jump_ms = 0

        self._land.timeline.after(fault.size, put_right)
        return slot

    def _store_skew(self, _fault: Fault) -> None:
        """Move the store's clock ahead, which ends every beat at once. Back it never goes: that only operators mend."""
        self._land.server.jump_ms += SKEW_MS

    def _void(self, fault: Fault) -> None:
        land = self._land
        match = land.plans[fault.target % len(land.plans)].id
        try:
            state = land.ledger.matches.void(match, "operator", "ann", land.server.wall_ms())
        except WrongStateError:
            return
        self.voided.add(match)
        if state is MatchState.VOID:
            land.server.ended.add(match)

    # -- to bots

    def _bot(self, fault: Fault) -> Bot:
        return self._land.bots[fault.target % len(self._land.bots)]

    def _instance(self, fault: Fault) -> Instance:
        instances = self._bot(fault).instances
        return instances[fault.target % len(instances)]

    def _bot_cut_in_outage(self, fault: Fault) -> None:
        self._land.server.restart(fault.size)
        instance, silent = self._instance(fault), fault.steps % 2 == 1
        instance.half_open = instance.half_open or silent
        instance.cut(min(fault.size / 2, SHORT_CUT_S), silent=silent)

    def _bot_half_open(self, fault: Fault) -> None:
        instance = self._instance(fault)
        instance.half_open = True
        instance.cut(min(fault.size, SHORT_CUT_S), silent=True)

    def _bot_forgets(self, fault: Fault) -> None:
        """Restart a process. Where the old one is not known to be gone yet, questions still go there: its bad luck."""
        bot, instance = self._bot(fault), self._instance(fault)
        bot.blamable = bot.blamable or instance.half_open
        instance.forget()

    def _bot_away(self, fault: Fault) -> None:
        bot = self._bot(fault)
        bot.blamable = True
        for instance in bot.instances:
            instance.cut(fault.size)

    def _bot_deaf(self, fault: Fault) -> None:
        self._bot(fault).blamable = True
        line = self._instance(fault).line
        if line is not None and isinstance(line.stream, Stream):
            line.deaf = True
            line.stream.stop_reading()
            self._land.timeline.after(fault.size, line.stream.read_on)

    def _bot_orders(self, fault: Fault) -> None:
        bot = self._bot(fault)
        bot.steady = False
        bot.orders = draw_orders(bot.chance)
        for instance in bot.instances:
            instance.cut(0.01)

    def _bot_drops(self, fault: Fault) -> None:
        """Have the processes of a bot, or one of them, offer another format for a while."""
        bot = self._bot(fault)
        bot.blamable = True
        dropping = bot.instances if fault.steps % 2 else [self._instance(fault)]
        for instance in dropping:
            instance.offer(OTHER)
            self._land.timeline.after(fault.size, partial(instance.offer, bot.network.format_name))
