from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.demo.running import Running, clean_environment
from tests.patience import until_true

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(?:to `(?P<file>[\w./-]+)`:\n\n)?```(?P<kind>console|python)\n(?P<text>.*?)```", re.DOTALL)
ELSEWHERE = ("./dev", "pip ", "lastcard demo")
"""Commands that are there to get as far as the test begins."""


class Reader:
    """Somebody who does what a page says, in a second terminal beside a running demo."""

    def __init__(self, demo: Running, folder: Path) -> None:
        self.folder = folder
        self.first = demo.export()
        self.environment = clean_environment() | {"PATH": os.defpath}
        self.playing: list[subprocess.Popen[bytes]] = []

    def follow(self, page: Path) -> list[str]:
        """Write every file and type every command of a page; returns the commands."""
        typed = []
        for block in BLOCK.finditer(page.read_text("utf-8")):
            if block["kind"] == "python" and block["file"]:
                (self.folder / block["file"]).write_text(block["text"], "utf-8")
            if block["kind"] == "console":
                lines = [line[2:] for line in block["text"].splitlines() if line.startswith("$ ")]
                typed += [line for line in lines if not line.startswith(ELSEWHERE)]
                for line in lines:
                    self.type(line)
        return typed

    def type(self, line: str) -> None:
        """Type one command and see that it succeeds; a bot goes on playing."""
        if line.startswith(ELSEWHERE):
            return
        if line.startswith("python "):
            self.play(line.partition("#")[0].removesuffix("&").strip())
            return
        done = subprocess.run(
            self.after_export(line), cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"$ {line}\n{done.stdout}{done.stderr}"

    def play(self, line: str) -> None:
        """Start a bot and wait until a referee has let it in."""
        log = self.folder / f"bot-{len(self.playing)}.log"
        with log.open("w", encoding="utf-8") as file:
            self.playing.append(
                subprocess.Popen(
                    self.after_export(f"exec {line}"), cwd=self.folder, env=self.environment, stdout=file, stderr=file
                )
            )
        until_true(lambda: "playing as" in log.read_text("utf-8"))

    def after_export(self, line: str) -> list[str]:
        """Return the program that types a line below the one that the demo printed; PATH is that of the machine."""
        return ["bash", "-c", f"{self.first}\n{line}"]

    def leave(self) -> None:
        """End the bots that play."""
        for bot in self.playing:
            bot.terminate()
            bot.wait()


PAGES = [
    pytest.param("README.md", 3, id="readme"),
    pytest.param("docs/tutorial.md", 6, id="tutorial", marks=pytest.mark.thorough),
]


@pytest.mark.parametrize(("page", "commands"), PAGES)
def test_what_a_page_says_works(demo: Running, tmp_path: Path, page: str, commands: int) -> None:
    """A reader who types what stands there gets a bot that plays and a tournament that ends."""
    reader = Reader(demo, tmp_path)
    try:
        assert len(reader.follow(ROOT / page)) == commands
    finally:
        reader.leave()


def test_the_readme_shows_the_example_that_is_tested() -> None:
    """The bot of the README is `examples/greedy.py`, letter for letter."""
    assert (ROOT / "examples" / "greedy.py").read_text("utf-8") in (ROOT / "README.md").read_text("utf-8")
