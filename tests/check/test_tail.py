"""Of what a bot says its end is quoted, and no more of it is kept."""

from __future__ import annotations

import shlex
import subprocess
import sys

from referee.check.tail import Tail


def test_the_end_of_what_was_written_is_kept() -> None:
    """Whoever wrote it, and however much it was."""
    with Tail(20) as tail:
        subprocess.run(["sh", "-c", "yes | head -c 5000000; echo and last words"], stdout=tail.writer, check=True)
        assert tail.end() == b"\ny\ny\nand last words\n"


def test_little_is_kept_whole() -> None:
    """It is not made longer."""
    with Tail(20) as tail:
        tail.writer.write(b"hello")
        assert tail.end() == b"hello"


def test_what_outlives_the_bot_holds_nobody_up() -> None:
    """It has the pipe open; what was said before is there."""
    with Tail(20) as tail:
        child = subprocess.Popen(["sh", "-c", "echo hello; exec sleep 60"], stdout=tail.writer)
        try:
            assert tail.end() == b"hello\n"
        finally:
            child.kill()
            child.wait()


def test_a_bot_that_says_too_much_fills_no_disk() -> None:
    """Files of more than a megabyte cannot be written here; its last words are quoted all the same."""
    says = "yes | head -c 5000000; echo last words; exit 3"
    words = [sys.executable, "-m", "lastcard.cli", "bot", "check", "--only", "plays", "--run"]
    whole = f"ulimit -f 2048; exec {shlex.join([*words, shlex.join(['sh', '-c', says])])}"
    done = subprocess.run(["sh", "-c", whole], capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("last words")
