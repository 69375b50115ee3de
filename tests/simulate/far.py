"""Referees with trunks: every bot dials one of them, and plays bots that dialled another."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Final

from lastcard.address import Address
from referee.app import Referee
from referee.trunk.line import Line, LineLostError
from tests.simulate.bot import Bot
from tests.simulate.invariant import Invariant
from tests.simulate.process import Process
from tests.simulate.run import judged
from tests.simulate.scenario import Kind, Scenario, scenario
from tests.simulate.slot import Slot
from tests.simulate.stream import Caller, Stream
from tests.simulate.world import PATIENCE_S, World

LATENCY_S: Final = (0.0002, 0.001)
WRITE_S: Final = 0.00005
CUTS: Final = 2
"""At most so many times in a run the trunks are cut, all of them."""
LONGEST_CUT_S: Final = 8.0
STALLS: Final = 2
"""At most so many times in a run what is on its way on a trunk comes late, in its order."""
LONGEST_STALL_S: Final = 6.0
FIRST_CUT_S: Final = (0.5, 20.0)
BEFORE_TALK_S: Final = 1.5
"""Referees meet in the second after their start."""

Accept = Callable[[Line], Awaitable[None]]


class SimulatedLine:
    """One end of a trunk; messages arrive in order, and those under way are lost with it."""

    def __init__(self, process: Process, wires: "Wires") -> None:
        self.process = process
        self.other: SimulatedLine | None = None
        self._wires = wires
        self._inbox: deque[bytes] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._arrival = 0.0
        self.over = False

    async def write(self, message: bytes) -> None:
        """Send a message. Raises LineLostError."""
        self._require()
        assert self.other is not None
        self._later(partial(self.other._take, message))
        await asyncio.sleep(WRITE_S)

    async def read(self) -> bytes:
        """Wait for a message. Raises LineLostError at the end."""
        while not self._inbox:
            self._require()
            self._wake = self.process.create_future()
            await self._wake
        return self._inbox.popleft()

    def _require(self) -> None:
        if self.over:
            raise LineLostError("the line is cut")

    def _later(self, action: Callable[[], None]) -> None:
        timeline = self.process.timeline
        assert self.other is not None
        soonest = max(timeline.now, self._wires.stalled_until)
        self._arrival = max(self._arrival, soonest + self._wires.chance.uniform(*LATENCY_S))
        timeline.after(self._arrival - timeline.now, action, self.other.process)

    def _take(self, message: bytes) -> None:
        if not self.over:
            self._inbox.append(message)
            self._rouse()

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def close(self) -> None:
        """End it at both ends; the other one learns of it a moment later."""
        if not self.over:
            self.over = True
            assert self.other is not None
            self._later(self.other._end)

    def _end(self) -> None:
        self.over = True
        self._rouse()


class Wires:
    """Where the trunks of all referees listen, and what is between them.

    Attributes:
        cut: nothing gets through.
        stalled_until: nothing arrives before.
    """

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.cut = False
        self.stalled_until = 0.0
        self.lines: list[SimulatedLine] = []
        self.doors: dict[str, tuple[Process, Callable[[SimulatedLine], None]]] = {}
        self._number = 0

    def door(self, process: Process, begin: Callable[[SimulatedLine], None]) -> Address:
        """Listen; returns a new address."""
        self._number += 1
        address = Address("trunk", self._number)
        self.doors[str(address)] = process, begin
        return address

    def break_all(self) -> None:
        """Break what is open."""
        lines, self.lines = self.lines, []
        for line in lines:
            line.close()


class SimulatedCarrier:
    """The trunks of one process."""

    def __init__(self, process: Process, wires: Wires) -> None:
        self._process = process
        self._wires = wires
        self._address = ""
        self._serving: dict[asyncio.Task[None], None] = {}

    async def listen(self, accept: Accept) -> Address:
        """Take an address."""
        address = self._wires.door(self._process, partial(self._begin, accept))
        self._address = str(address)
        return address

    def _begin(self, accept: Accept, line: SimulatedLine) -> None:
        task = self._process.create_task(self._serve(accept, line), name="trunk from")
        self._serving[task] = None
        task.add_done_callback(self._serving.pop)

    @staticmethod
    async def _serve(accept: Accept, line: SimulatedLine) -> None:
        try:
            await accept(line)
        except LineLostError:
            pass  # the log says why
        finally:
            line.close()

    @asynccontextmanager
    async def dial(self, address: str) -> AsyncIterator[Line]:
        """Open a line to another process."""
        await asyncio.sleep(self._wires.chance.uniform(*LATENCY_S))
        process, begin = self._wires.doors.get(address, (None, None))
        if self._wires.cut or process is None or begin is None or process.dead:
            raise LineLostError("nobody listens there")
        mine, theirs = (SimulatedLine(one, self._wires) for one in (self._process, process))
        mine.other, theirs.other = theirs, mine
        self._wires.lines += [mine, theirs]
        self._process.on_death.append(mine.close)
        process.on_death.append(theirs.close)
        process.timeline.after(self._wires.chance.uniform(*LATENCY_S), partial(begin, theirs), process)
        try:
            yield mine
        finally:
            mine.close()

    async def close(self) -> None:
        """Listen no more, and wait for those who are served to have gone."""
        self._wires.doors.pop(self._address, None)
        if self._serving:
            await asyncio.wait(list(self._serving))


class FarSlot(Slot):
    """A place for a referee with trunks."""

    wires: Wires

    def _referee(self, process: Process) -> Referee:
        return Referee(self._settings(), self.front, self._machine(process), SimulatedCarrier(process, self.wires))


class FarWorld(World):
    """A world in which every bot has one process, at one referee; where that is gone it dials the next."""

    def __init__(self, made: Scenario, patience_s: float = PATIENCE_S) -> None:
        super().__init__(made, patience_s)
        self.wires = Wires(self.chance("trunks"))
        self._streams: dict[str, Stream] = {}
        self._cuts = 0
        for slot in self.slots:
            assert isinstance(slot, FarSlot)
            slot.wires = self.wires

    def _slot(self, number: int) -> Slot:
        return FarSlot(number, self, self.scenario.absent_s, self.chance(f"slot {number}"))

    def _begins_at(self, bot: Bot, slot: Slot) -> bool:
        return slot.index == self.bots.index(bot) % len(self.slots)

    def dial(self, slot: int, caller: Caller, token: str, peer: str) -> Stream | None:
        """Open a stream to the referee that a bot prefers, or to the next that listens."""
        count = len(self.slots)
        made = (super(FarWorld, self).dial((slot + step) % count, caller, token, peer) for step in range(count))
        stream = next((stream for stream in made if stream is not None), None)
        before = self._streams.get(peer.rpartition(".")[0])
        if stream is not None:
            self._streams[peer.rpartition(".")[0]] = stream
            if before is not None and before.process is not stream.process:
                before.cut()  # nobody is at two referees
        return stream

    def _calm(self) -> bool:
        return super()._calm() and not self._cuts and not self.wires.stalled_until

    def _begin(self) -> None:
        super()._begin()
        chance = self.chance("cuts of trunks")
        at = 0.0
        for _ in range(chance.randint(0, CUTS)):
            at += chance.uniform(*FIRST_CUT_S)
            self.timeline.after(at, partial(self._cut_trunks, chance.uniform(0.05, LONGEST_CUT_S)))

        chance = self.chance("stalls of trunks")
        at = 0.0
        for _ in range(chance.randint(0, STALLS)):
            at += chance.uniform(*FIRST_CUT_S)
            self.timeline.after(at, partial(self._stall_trunks, chance.uniform(0.05, LONGEST_STALL_S)))

    def _stall_trunks(self, seconds: float) -> None:
        if len(self.server.ended) == len(self.plans):
            return
        self.trace.note("fault", "the trunks stand still for", seconds)
        self.wires.stalled_until = self.timeline.now + seconds
        self.weather.calm_at = max(self.weather.calm_at, self.wires.stalled_until)

    def _cut_trunks(self, seconds: float) -> None:
        if len(self.server.ended) == len(self.plans):
            return
        self.trace.note("fault", "cut the trunks for", seconds)
        self._cuts += 1
        self.wires.cut = True
        self.wires.break_all()
        self.weather.calm_at = max(self.weather.calm_at, self.timeline.now + seconds)
        self.timeline.after(seconds, self._mend)

    def _mend(self) -> None:
        self.wires.cut = False

    def _tasks_when_idle(self) -> int:
        """One that follows the others; for each link three tasks more, and one for its stream."""
        return super()._tasks_when_idle() + 1 + 4 * (len(self.slots) - 1)

    def _at_rest(self) -> None:
        super()._at_rest()
        for slot in self.slots:
            process, referee = slot.process, slot.referee
            if process is None or referee is None or process.frozen or referee.switchboard is None:
                continue
            left = {what: count for what, count in _lodged(referee).items() if count}
            if left:
                self.complain(Invariant.REST, f"{process.name} keeps {left} for other hosts after the end")


def _lodged(referee: Referee) -> dict[str, int]:
    assert referee.switchboard is not None
    lodging, links = referee.lodging, referee.switchboard.links.values()
    return {
        "rooms": sum(map(len, lodging._granted.values())),
        "rounds": sum(len(lane.rounds) for lane in lodging._lanes.values()),
        "lanes of nobody": sum(lane.peer not in links for lane in lodging._lanes.values()),
        "unsaid frames": sum(not link.idle for link in links),
        "calls": sum(len(link._calls) for link in links),
        "far seats": sum(len(one.handles) for link in links for one in link.away._sessions.values()),
    }


def run_far(seed: int, kinds: tuple[Kind, ...] = (), patience_s: float = PATIENCE_S) -> FarWorld:
    """Return the world after the run of a seed with trunks; its `problems` say what was wrong."""
    return judged(FarWorld(scenario(seed, kinds), patience_s))
