"""A bot that opens its stream anew, again and again, at a referee that does not host its match is late as ever."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from ladder.store import Store
from lastcard.v1 import play_pb2 as pb
from referee import formats
from referee.fold import fold
from referee.hosting.seats import FREE_RETURNS
from referee.match_spec import MatchSpec
from tests.hostile.raw import RawStream, bearer, dialled, stream_on
from tests.live.house import plan
from tests.patience import until
from tests.trunk.pair import Thoughtful, pair

FORMAT: Final = "uno-classic-2-fast"
MATCH: Final = "b.1.1.0"
CLOCK: Final = formats.get(FORMAT).clock
THINKS_S: Final = 0.7 * (CLOCK.decision_ms + CLOCK.bank_ms) / 1000
STREAMS: Final = 3 * (FREE_RETURNS + 1)


def _faults(store: Store, entrant: str) -> int:
    row, seed = store.matches.get(MATCH), store.matches.seed(MATCH)
    assert seed is not None
    spec = MatchSpec(row.id, formats.get(FORMAT), row.entrants, row.meetings, row.nonces)
    play = fold(spec, seed, [data for _, _, data in store.matches.log(MATCH)])
    return sum(play.fault_kinds[row.entrants.index(entrant)].values())


async def _read(stream: RawStream) -> None:
    while await stream.hear():
        pass


@pytest.mark.slow
async def test_who_opens_its_stream_anew_at_its_home_is_late(store: Store, tmp_path: Path) -> None:
    """It answers nothing, and comes back each time before its time is over."""
    hello = pb.Hello(instance="one", version="1", formats=[FORMAT], max_games=4, max_open=4)
    hello.catch = hello.challenge = hello.late_call = pb.STANDING_ORDER_NEVER
    async with pair(store, tmp_path) as two, AsyncExitStack() as stack:
        _, token = store.registry.register("ann", "owner of ann")
        version = store.registry.version("ann", "1")
        channels = [await stack.enter_async_context(dialled(one.play)) for one in two.at]
        readers = await stack.enter_async_context(asyncio.TaskGroup())

        async def dial(where: int) -> asyncio.Task[None]:
            stream = stream_on(channels[where], bearer(token))
            await stream.say(pb.PlayRequest(hello=hello))
            assert await stream.welcomed() == version
            return readers.create_task(_read(stream))

        reading = [await dial(0)]
        rival = Thoughtful()
        rival.formats = (FORMAT,)
        ben = await two.join("ben", rival, 1)
        planned = replace(plan(MATCH, version, ben, meetings=1), format=FORMAT, ruleset=formats.get(FORMAT).rules.hash)
        await asyncio.to_thread(store.matches.plan, [planned], 1)
        await two.progressed(MATCH, 2)
        home = 1 - two.host(MATCH)
        for _ in range(STREAMS):
            reading.append(await dial(home))
            await asyncio.sleep(THINKS_S)
            if _faults(store, version):
                break
        await until(lambda: _faults(store, version))
        assert len(reading) < STREAMS
        for task in reading:
            task.cancel()
