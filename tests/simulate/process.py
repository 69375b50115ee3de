"""A simulated process: an event loop of its own on the common timeline, that can be killed, frozen and thawed."""

import asyncio
import contextvars
import heapq
import weakref
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any, Final, TypeVar, TypeVarTuple, cast

from greenlet import GreenletExit, getcurrent, greenlet

from tests.simulate.timeline import Event, Step, Timeline

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
LIMBO_STEPS: Final = 20_000
DEFAULT_LANES: Final = 4


class NumberedTask(asyncio.Task[T]):
    """A task whose hash is its number, so that sets of tasks are walked in the same order in every run."""

    def __init__(self, coro: Coroutine[Any, Any, T], *, loop: "Process", **options: Any) -> None:  # noqa: ANN401  (as asyncio has it)
        loop.tasks.append(weakref.ref(self))
        self._number = len(loop.tasks)
        super().__init__(coro, loop=loop, **options)

    def __hash__(self) -> int:
        return self._number


class Lane:
    """The threads of one executor: so many blocking calls at once, the others wait.

    Attributes:
        idle: threads whose call is done, for the next ones.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.running: dict[greenlet, None] = {}
        self.idle: list[greenlet] = []
        self.waiting: deque[Callable[[], None]] = deque()


class Process(asyncio.AbstractEventLoop):
    """One process. What runs in it sees an ordinary event loop.

    Blocking calls (`run_in_executor`) are greenlets: `pause` inside one gives the time to the others, as a thread that
    waits for a reply does.

    Attributes:
        steps: steps done, for faults at a step.
        tasks: all that there ever were, oldest first.
        die_at: kill it after this step.
        uncaught: what the loop was told that nobody caught.
    """

    def __init__(self, name: str, timeline: Timeline, offset: float = 0.0) -> None:
        self.name = name
        self.timeline = timeline
        self.dead = False
        self.frozen = False
        self.busy_until = 0.0
        self.steps = 0
        self.tasks: list[weakref.ref[NumberedTask[Any]]] = []
        self.die_at = -1
        self.uncaught: list[str] = []
        self.on_death: list[Callable[[], object]] = []
        self.connect: Callable[..., Coroutine[Any, Any, tuple[asyncio.Transport, asyncio.Protocol]]] | None = None
        self._offset = offset
        self._backlog: deque[Step] = deque()
        self._lanes: dict[int, Lane] = {}
        self._limbo: list[tuple[float, int, asyncio.Handle]] | None = None
        self._limbo_number = 0

    # -- fate

    def enter(self) -> None:
        """Be the running event loop; asking for it asks the system, so that not every step does."""
        asyncio._set_running_loop(self)

    def leave(self) -> None:
        """Be it no more."""
        asyncio._set_running_loop(None)

    def perform(self, step: Step) -> None:
        """Do a step of this process."""
        self.steps += 1
        step._run()
        if self.steps == self.die_at:
            self.kill()

    def backlog(self, step: Step) -> None:
        """Keep a step until the thaw."""
        self._backlog.append(step)

    def freeze(self) -> None:
        """Stop it where it stands (SIGSTOP)."""
        self.frozen = True

    def thaw(self) -> None:
        """Let it go on; everything that it missed happens now (SIGCONT)."""
        if not self.frozen or self.dead:
            return
        self.frozen = False
        while self._backlog:
            self.timeline.put(self.timeline.now, self._backlog.popleft(), self)

    def kill(self) -> None:
        """End it at once (SIGKILL): nothing that it would still do is seen by anybody."""
        if self.dead:
            return
        self.dead = True
        self.frozen = False
        self._bury()
        for told in self.on_death:
            told()

    def _bury(self) -> None:
        """Unwind what was running, with nobody listening, so that no coroutine is left for the collector to find."""
        self._limbo = []
        for step in (*self._backlog, *self.timeline.waiting(self)):
            if isinstance(step, asyncio.Handle):
                self._put(0.0, step)
        self._backlog.clear()
        for lane in self._lanes.values():
            lane.waiting.clear()
            for thread in (*lane.running, *lane.idle):
                thread.throw(GreenletExit)
        self.timeline.step_out()
        self.enter()
        try:
            for task in self.living():
                task.cancel()
            for _ in range(LIMBO_STEPS):
                if not self._limbo:
                    break
                handle = heapq.heappop(self._limbo)[2]
                if not handle.cancelled():
                    handle._run()
        finally:
            self.leave()
        assert not self.living(), f"{self.name} cannot be unwound: {self.living()}"
        self.uncaught.clear()

    def living(self) -> list["asyncio.Task[Any]"]:
        """Return its unfinished tasks, oldest first."""
        return [task for one in self.tasks if (task := one()) is not None and not task.done()]

    @property
    def calls(self) -> int:
        """Blocking calls under way."""
        return sum(len(lane.running) + len(lane.waiting) for lane in self._lanes.values())

    # -- the event loop as asyncio knows it

    def time(self) -> float:
        """Return this process's own monotonic clock."""
        return self.timeline.now + self._offset

    def get_debug(self) -> bool:
        """Return False."""
        return False

    def is_running(self) -> bool:
        """Return whether it lives."""
        return not self.dead

    def is_closed(self) -> bool:
        """Return whether it is dead."""
        return self.dead and self._limbo is None

    def call_soon(
        self, callback: "Callable[[*Ts], object]", *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Do a step as soon as those before it are done."""
        handle = asyncio.Handle(callback, args, self, context)
        self._put(self.timeline.now, handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(
        self, delay: float, callback: "Callable[[*Ts], object]", *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Do a step after so many seconds."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: "Callable[[*Ts], object]", *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Do a step at a time of this process's clock."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._put(when - self._offset, handle)
        return handle

    def _put(self, when: float, handle: asyncio.Handle) -> None:
        if self._limbo is None:
            self.timeline.put(max(when, self.busy_until), handle, self)
        else:
            self._limbo_number += 1
            heapq.heappush(self._limbo, (when, self._limbo_number, handle))

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Do nothing: a cancelled step is passed over when its time comes."""

    def create_future(self) -> "asyncio.Future[Any]":
        """Return a future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(
        self,
        coro: "Coroutine[Any, Any, T] | Generator[Any, None, T]",
        **options: Any,  # noqa: ANN401  (as asyncio has it)
    ) -> "asyncio.Task[T]":
        """Return a task of this loop."""
        return NumberedTask(cast("Coroutine[Any, Any, T]", coro), loop=self, **options)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Note what nobody caught."""
        self.uncaught.append(f"{context.get('message')}: {context.get('exception')!r}")

    async def create_connection(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401  (as asyncio has it)
        """Connect to the store."""
        assert self.connect is not None
        return await self.connect(*args, **options)

    # -- blocking calls

    def run_in_executor(self, executor: object, func: "Callable[[*Ts], T]", *args: *Ts) -> "asyncio.Future[T]":
        """Run a blocking call beside the loop."""
        future: asyncio.Future[T] = self.create_future()
        width = getattr(executor, "_max_workers", DEFAULT_LANES)
        lane = self._lanes.setdefault(id(executor), Lane(width))

        def begin() -> None:
            thread = lane.idle.pop() if lane.idle else greenlet(partial(self._work, lane))
            lane.running[thread] = None
            thread.switch(future, partial(func, *args))

        if len(lane.running) < lane.width:
            self._put_event(begin)
        else:
            lane.waiting.append(begin)
        return future

    def _put_event(self, action: Callable[[], object]) -> None:
        if self._limbo is None:
            self.timeline.put(self.timeline.now, Event(action), self)

    def _work(self, lane: Lane, future: "asyncio.Future[Any]", func: Callable[[], Any]) -> None:
        """Be a thread: one call after the other."""
        me = getcurrent()
        while True:
            self._call(lane, future, func)
            lane.idle.append(me)
            future, func = me.parent.switch()

    def _call(self, lane: Lane, future: "asyncio.Future[T]", func: Callable[[], T]) -> None:
        try:
            result, problem = func(), None
        except Exception as error:  # noqa: BLE001  (it goes to whoever awaits the call)
            result, problem = None, error
        finally:
            lane.running.pop(getcurrent())
        self.call_soon(self._settle, future, result, problem)
        if lane.waiting:
            self._put_event(lane.waiting.popleft())

    @staticmethod
    def _settle(future: "asyncio.Future[Any]", result: object, problem: Exception | None) -> None:
        if future.cancelled():
            return
        if problem is None:
            future.set_result(result)
        else:
            future.set_exception(problem)

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        """Have something happen to this process that is no step of its event loop."""
        self.timeline.after(seconds, action, self)

    def pause(self, arrange: Callable[[Callable[[object], None]], None]) -> object:
        """Wait inside a blocking call; `arrange` is given what to call with the value to go on with."""
        me = getcurrent()

        def resume(value: object) -> None:
            me.switch(value)

        arrange(resume)
        return me.parent.switch()
