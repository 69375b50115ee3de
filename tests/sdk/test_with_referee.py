"""Bots' own scripts against a real referee on a real store: the third party's way, in Python and in JavaScript."""

from __future__ import annotations

import asyncio
import itertools
import os
import subprocess
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard import Option, Turn
from referee import formats
from referee.fold import fold
from referee.match_spec import MatchSpec
from tests.live.house import FORMAT, House, house, plan, result
from tests.patience import PATIENCE_S
from tests.sdk.bots import Greedy

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GREEDY = [sys.executable, str(ROOT / "examples" / "greedy.py")]
FUNCTION = [sys.executable, str(ROOT / "examples" / "function_bot.py")]
NODE = ["node", str(ROOT / "bots" / "node" / "bot.js")]


@asynccontextmanager
async def playing(home: House, name: str, command: list[str]) -> AsyncIterator[str]:
    """Run a bot's script as the bot `name`; yields its `name@n` once the referee has welcomed it."""
    env = os.environ | {"LASTCARD_SERVER": home.server, "LASTCARD_TOKEN": await home.token(name)}
    process = await asyncio.create_subprocess_exec(*command, env=env, stderr=PIPE)
    try:
        yield await welcomed(process)
    finally:
        process.terminate()
        await process.communicate()


async def welcomed(process: Process) -> str:
    """Return the `name@n` that a script says it plays as."""
    assert process.stderr
    async with asyncio.timeout(PATIENCE_S):
        while line := (await process.stderr.readline()).decode():
            if "playing as " in line:
                return line.partition("playing as ")[2].split()[0]
    raise AssertionError("the bot ended without a welcome")


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param((GREEDY, FUNCTION), id="two in Python"),
        pytest.param((GREEDY, NODE), marks=[pytest.mark.needs("node", "npm"), pytest.mark.slow], id="Python and JS"),
    ],
)
async def test_scripts_play_a_match_without_a_fault(
    store: Store, tmp_path: Path, request: pytest.FixtureRequest, commands: tuple[list[str], list[str]]
) -> None:
    """Every game has a result, both nonces are in the deal, nobody was late or illegal."""
    if NODE in commands:
        request.getfixturevalue("installed")
    async with house(store, tmp_path) as home, AsyncExitStack() as stack:
        names = [
            await stack.enter_async_context(playing(home, f"bot-{number}", command))
            for number, command in enumerate(commands)
        ]
        assert names == ["bot-0@1", "bot-1@1"]
        await home.plan(plan("t.1.1.0", *names, meetings=8))
        row = await home.ended("t.1.1.0")
        assert row.state is MatchState.CLOSED
        assert result(row)["faults"] == [0, 0]
        assert len(result(row)["meetings"]) == 8
        seed = store.matches.seed("t.1.1.0")
        assert seed is not None
        spec = MatchSpec("t.1.1.0", formats.get(FORMAT), tuple(names), 8)
        played = fold(spec, seed, [data for _, _, data in store.matches.log("t.1.1.0")])
        assert all(nonce is not None for nonce in played.nonces.values())


async def test_a_fast_bot_gets_more_open_decisions_in_the_middle_of_a_match(store: Store, tmp_path: Path) -> None:
    """It comes back as the same instance; nobody is late, nothing is answered twice."""
    async with house(store, tmp_path) as home:
        names = [await home.join(name, Greedy()) for name in ("ann", "ben")]
        await home.plan(*(plan(f"t.1.{number}.0", *names, meetings=16) for number in range(3)))
        rows = await asyncio.gather(*(home.ended(f"t.1.{number}.0") for number in range(3)))
        assert [result(row)["faults"] for row in rows] == [[0, 0]] * 3
        assert [link._player.pace.open for link in home.links.values()] == [64, 64]


class Thoughtful(Greedy):
    """Thinks for a while, from one question to another; else it is quick."""

    def __init__(self, first: int, last: int, seconds: float) -> None:
        """Think for so long about these questions, counted from 0."""
        super().__init__()
        self.thinks = range(first, last)
        self.seconds = seconds
        self.asked = itertools.count()

    def choose(self, turn: Turn) -> Option:
        """Choose as the greedy one."""
        if next(self.asked) in self.thinks:
            time.sleep(self.seconds)
        return super().choose(turn)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("thinker", "meetings"),
    [
        pytest.param(Thoughtful(0, 24, 0.2), (4,), id="from the first question on"),
        pytest.param(Thoughtful(700, 760, 0.1), (16, 16, 16), id="once it has as many open as there are rounds"),
    ],
)
async def test_a_bot_that_thinks_is_never_late_for_what_waits_behind_it(
    store: Store, tmp_path: Path, thinker: Thoughtful, meetings: tuple[int, ...]
) -> None:
    """A fifth of its clock for each question, as one second of five, and many rounds at once: no fault."""
    fast = "uno-classic-2-fast"
    async with house(store, tmp_path) as home:
        names = []
        for name, bot in (("ann", thinker), ("ben", Greedy())):
            bot.formats = (fast,)
            names.append(await home.join(name, bot))
        matches = [
            plan(f"t.1.{number}.0", *names, meetings=count, format_name=fast) for number, count in enumerate(meetings)
        ]
        await home.plan(*matches)
        rows = await asyncio.gather(*(home.ended(match.id) for match in matches))
        assert [result(row)["faults"] for row in rows] == [[0, 0]] * len(rows)
        assert next(thinker.asked) > thinker.thinks.stop


@pytest.mark.needs("node", "npm")
@pytest.mark.parametrize(
    ("env", "said"),
    [
        pytest.param({}, "there is no token;", id="none"),
        pytest.param(
            {"LASTCARD_TOKEN_FILE": "/no/such.token"}, "LASTCARD_TOKEN_FILE names /no/such.token", id="no file"
        ),
    ],
)
@pytest.mark.usefixtures("installed")
def test_the_bot_in_javascript_says_where_a_token_comes_from(env: dict[str, str], said: str) -> None:
    """In one line, without a stack."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_")}
    done = subprocess.run(NODE, env=bare | env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)
    assert "lastcard bot register" in done.stderr
    assert done.stderr.count("\n") == 1
