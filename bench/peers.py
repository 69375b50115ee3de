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
    """A raw grpc.aio echo server on core 0 and its client on core 1, each a process, as a referee and its bots are."""

    def __init__(self) -> None:
        self._server, self._served = _started(_echo_server)
        self._client, self._dialled = _started(_echo_client)
        self._client.send(self._server.recv())

    def cpu_s(self) -> float:
        """Return CPU seconds that the server has used."""
        self._server.send("cpu")
        return float(self._server.recv())

    def measure(self, seconds: float) -> tuple[float, float]:
        """Return round trips a second and server CPU seconds a round trip, one in flight."""
        before = self.cpu_s()
        self._client.send(seconds)
        trips, wall = self._client.recv()
        return trips / wall, (self.cpu_s() - before) / trips

    def close(self) -> None:
        """End both processes."""
        self._client.send(0.0)
        self._server.send("stop")
        for process in (self._dialled, self._served):
            process.join(5)
            process.kill()


def _started(work: Callable[[Connection], None]) -> tuple[Connection, multiprocessing.process.BaseProcess]:
    """Start a process that does this; return it with our end of its pipe."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), daemon=True)
    process.start()
    return ours, process


def _echo_server(pipe: Connection) -> None:
    pin(0)
    asyncio.run(_serve_echo(pipe))


def _echo_client(pipe: Connection) -> None:
    """Measure so many seconds whenever told to; 0 ends it."""
    pin(1)
    port = pipe.recv()
    while seconds := pipe.recv():
        pipe.send(asyncio.run(_ping(port, seconds)))


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
