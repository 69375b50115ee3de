"""`pip install lastcard` alone, without the service: the bot of the README plays with it."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import venv
from contextlib import suppress
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchRow, MatchState
from referee.bots import make
from tests.live.house import House, house, plan, result
from tests.patience import until

ROOT = Path(__file__).parents[2]
NEEDED = re.compile(r"([A-Za-z0-9._-]+)[^;]*(;.*extra)?")


def required(found: Distribution) -> set[str]:
    """Return what a distribution needs without any of its extras, and what that needs."""
    names = [match for line in found.requires or () if (match := NEEDED.match(line))]
    direct = {match[1] for match in names if not match[2]}
    return direct.union(*(required(distribution(name)) for name in direct))


def copied(found: Distribution, packages: Path) -> None:
    """Put an installed distribution into another environment, file by file."""
    for file in found.files or ():
        if not file.is_absolute() and ".." not in file.parts and "__pycache__" not in file.parts:
            there = packages / file
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(file.locate()), there)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment with the wheel of this tree, and of what it needs nothing more."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = (folder / "dist").glob("*.whl")
    venv.create(folder / "venv", symlinks=True)
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    shutil.unpack_archive(wheel, packages, "zip")
    (own,) = distributions(name="lastcard", path=[str(packages)])
    for name in required(own):
        copied(distribution(name), packages)
    return folder / "venv" / "bin" / "python"


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
        words = (str(bare), "my_first_bot.py", "--server", home.server, "--token-file", "my-first-bot.token")
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
    """No part of the service, and no tool."""
    listed = subprocess.run([str(bare), "-c", LISTED], capture_output=True, text=True, check=True).stdout.split()
    assert listed == ["grpcio", "lastcard", "protobuf", "typing-extensions"]


LISTED = """
from importlib.metadata import distributions
print(*sorted(one.metadata["Name"].lower().replace("_", "-") for one in distributions()))
"""


async def _played(home: House, bot: asyncio.subprocess.Process) -> MatchRow | None:
    """Wait until the match is over; None where the bot is."""
    await until(lambda: bot.returncode is not None or home.store.matches.get("t.1.1.0").state is MatchState.CLOSED)
    row = home.store.matches.get("t.1.1.0")
    return row if row.state is MatchState.CLOSED else None
