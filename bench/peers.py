"""The peers: RLCard's UNO, and a raw grpc.aio bidirectional ping-pong."""

import asyncio
import multiprocessing
import os
import random
import time
from collections.abc import AsyncIterator, Callable
from multiprocessing.connection import Connection

MESSAGE = b"x" * 200


def rlcard_run() -> Callable[[], int]:
    """Return a function that plays one two-seat round with RLCard's `env.run` and returns its decisions."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("uno")
    env.set_agents([RandomAgent(env.num_actions)] * 2)

    def play() -> int:
        return sum(len(trajectory) // 2 for trajectory in env.run(is_training=False)[0])

    return play


def rlcard_game() -> Callable[[], int]:
    """Return a function that plays one round with RLCard's inner game alone (no observations)."""
    import rlcard

    game = rlcard.make("uno").game

    def play() -> int:
        game.init_game()
        decisions = 0
        while not game.is_over():
            game.step(random.choice(game.get_legal_actions()))
            decisions += 1
        return decisions

    return play


class PingPong:
    """A raw grpc.aio echo server in a process of its own, pinned to a core."""

    def __init__(self, core: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_echo_server, args=(theirs, core), daemon=True)
        self._process.start()
        self.port: int = self._ours.recv()

    def cpu_s(self) -> float:
        """Return CPU seconds that the server has used."""
        self._ours.send("cpu")
        return float(self._ours.recv())

    def measure(self, seconds: float) -> tuple[float, float]:
        """Return round trips a second and server CPU seconds a round trip, one in flight."""
        before = self.cpu_s()
        trips, wall = asyncio.run(_ping(self.port, seconds))
        return trips / wall, (self.cpu_s() - before) / trips

    def close(self) -> None:
        """End the process."""
        self._ours.send("stop")
        self._process.join(5)
        self._process.kill()


def _echo_server(pipe: Connection, core: int) -> None:
    pin(core)
    asyncio.run(_serve_echo(pipe))


async def _serve_echo(pipe: Connection) -> None:
    import grpc

    async def echo(requests: AsyncIterator[bytes], _context: object) -> AsyncIterator[bytes]:
        async for message in requests:
            yield message

    server = grpc.aio.server()
    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(echo)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Raw", {"Echo": method}),))
    pipe.send(server.add_insecure_port("127.0.0.1:0"))
    await server.start()
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, pipe.recv) == "cpu":
        pipe.send(time.process_time())
    await server.stop(0)


async def _ping(port: int, seconds: float) -> tuple[int, float]:
    import grpc

    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream("/bench.Raw/Echo")()
        await call.write(MESSAGE)
        await call.read()
        trips, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            await call.write(MESSAGE)
            await call.read()
            trips += 1
        wall = time.perf_counter() - began
        await call.done_writing()
    return trips, wall


def pin(core: int) -> None:
    """Pin this process to a core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[core % len(cores)]})
