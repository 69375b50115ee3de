"""The line at the foot of the terminal, and the log above it."""

from __future__ import annotations

import io
import logging
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from lastcard.status import LOG, Status, screen
from lastcard.thinker import Errors


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def unheard() -> Iterator[None]:
    """Take away the handlers that pytest puts on the log for every test."""
    kept = LOG.handlers, LOG.propagate, LOG.level
    LOG.handlers, LOG.propagate = [], False
    yield
    LOG.handlers, LOG.propagate, LOG.level = kept


def test_the_line_tells_what_a_bot_has_done() -> None:
    """Faults and errors only where there are some."""
    errors = Errors()
    status = Status(errors)
    status.name, status.server, status.connected, status.games, status.decisions = "greedy@1", "h:1", True, 2, 41
    line = status.line()
    assert line.startswith("greedy@1 · h:1 · 2 games · 41 decisions (")
    assert "fault" not in line
    assert "error" not in line
    status.connected, status.faults, status.round_trip_ms = False, 3, 0.44
    errors.note(ValueError("x"), "choose")
    assert (
        status.line()
        == "greedy@1 · waiting for h:1 · 2 games · 41 decisions (0/s) · 0.4 ms · 3 faults · 1 errors of the bot"
    )


def test_a_log_line_takes_the_place_of_the_live_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the live line is written again below it."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with unheard():
        screen(verbose=False).show("playing")
        LOG.info("hello")
        LOG.debug("not said")
    assert "playing\r\x1b[2K" in terminal.getvalue()
    assert terminal.getvalue().endswith("INFO hello\n")


def test_without_a_terminal_there_are_only_log_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a log file holds no control characters; one of several processes says which it is."""
    file = io.StringIO()
    monkeypatch.setattr("sys.stderr", file)
    with unheard():
        screen(verbose=True, part="2/4").show("playing")
        LOG.debug("hello")
    assert "playing" not in file.getvalue()
    assert file.getvalue().endswith("DEBUG hello [process 2/4]\n")


def test_an_author_who_has_set_up_logging_keeps_it() -> None:
    """Nothing is added where the log is already heard."""
    handler = logging.NullHandler()
    with unheard():
        LOG.addHandler(handler)
        screen(verbose=False)
        assert LOG.handlers == [handler]


def test_errors_are_logged_less_and_less_often(caplog: pytest.LogCaptureFixture) -> None:
    """The 1st, 2nd, 4th, 8th … in full; all are counted."""
    errors = Errors()
    for _ in range(100):
        errors.note(ValueError("oh"), "choose")
    assert errors.count == 100
    assert [record.args[0] for record in caplog.records if record.args] == [1, 2, 4, 8, 16, 32, 64]  # type: ignore[index]


BEHIND = """
import fcntl, os, signal, termios
from lastcard.status import screen

fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.tcsetpgrp(0, os.getpgrp())
shown = screen(verbose=False)
shown.show("in front")
if not (child := os.fork()):
    os.setpgid(0, 0)
    shown.show("behind")
    shown.clear()
    os._exit(0)
os.waitpid(child, 0)
shown.show("still in front")
"""


def test_behind_a_persons_typing_nothing_is_drawn() -> None:
    """A bot that a shell runs in its background leaves the terminal to the shell."""
    ours, its = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", BEHIND], stdin=its, stdout=its, stderr=its, start_new_session=True):
        os.close(its)
        told = b""
        with suppress(OSError):  # the end of a terminal
            while more := os.read(ours, 4096):
                told += more
    os.close(ours)
    assert told.decode().split("\r\x1b[2K") == ["", "in front", "still in front"]
