"""`pip install lastcard` alone, without the service: the bot of the README plays with it."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import venv
from contextlib import suppress
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchRow, MatchState
from lastcard.errors import ExitCode
from referee.bots import make
from tests.index import PIP, needs_index
from tests.live.house import House, house, plan, result
from tests.patience import until

ROOT = Path(__file__).parents[2]
INSTALLED = ["grpcio", "lastcard", "protobuf", "typing-extensions"]

pytestmark = [pytest.mark.thorough, needs_index]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs of a new environment into which pip has installed the wheel of this tree, and nothing more.

    What the wheel needs comes from the index, as for anybody.
    """
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = (folder / "dist").glob("*.whl")
    venv.create(folder / "venv", symlinks=True)
    programs = folder / "venv" / "bin"
    done = subprocess.run(
        [*PIP, "--python", str(programs / "python"), "install", str(wheel)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return programs


def first_bot() -> str:
    """Return the program of the README."""
    (program,) = re.findall(
        r"```python\n(from lastcard import Bot, run\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL
    )
    return str(program)


async def test_the_bot_of_the_readme_plays_on_the_library_alone(store: Store, tmp_path: Path, bare: Path) -> None:
    """In an environment with grpcio, protobuf and what they need: it connects, plays a match and makes no fault."""
    (tmp_path / "my_first_bot.py").write_text(first_bot(), "utf-8")
    async with house(store, tmp_path) as home:
        ben = await home.join("ben", make("first", 1))
        (tmp_path / "my-first-bot.token").write_text(await home.token("my-first-bot"), "ascii")
        await asyncio.to_thread((tmp_path / "my-first-bot.token").chmod, 0o600)
        words = (str(bare / "python"), "my_first_bot.py", "--server", home.server, "--token-file", "my-first-bot.token")
        environ = {"PATH": os.defpath, "HOME": str(tmp_path)}
        bot = await asyncio.create_subprocess_exec(*words, cwd=tmp_path, env=environ, stderr=asyncio.subprocess.PIPE)
        try:
            await until(lambda: bot.returncode is not None or "my-first-bot@1" in store.presence.online())
            await home.plan(plan("t.1.1.0", "my-first-bot@1", ben))
            row = await _played(home, bot)
        finally:
            with suppress(ProcessLookupError):
                bot.terminate()
            said = (await bot.communicate())[1].decode()
    assert row, said
    assert result(row)["faults"] == [0, 0]


def test_nothing_more_is_installed(bare: Path) -> None:
    """No part of what the service needs, and no tool."""
    listed = subprocess.run([str(bare / "python"), "-c", LISTED], capture_output=True, text=True, check=True).stdout
    assert listed.split() == INSTALLED


def test_a_command_of_the_service_says_what_to_install(bare: Path) -> None:
    """In a sentence, with the exit code of what cannot be done as it was typed."""
    done = subprocess.run([str(bare / "lastcard"), "tournament", "list"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (ExitCode.BAD_INPUT, "")
    assert done.stderr == "lastcard: `lastcard tournament list` needs the server part: pip install 'lastcard[server]'\n"


LISTED = """
from importlib.metadata import distributions
print(*sorted(one.metadata["Name"].lower().replace("_", "-") for one in distributions()))
"""


async def _played(home: House, bot: asyncio.subprocess.Process) -> MatchRow | None:
    """Wait until the match is over; None where the bot is."""
    await until(lambda: bot.returncode is not None or home.store.matches.get("t.1.1.0").state is MatchState.CLOSED)
    row = home.store.matches.get("t.1.1.0")
    return row if row.state is MatchState.CLOSED else None
