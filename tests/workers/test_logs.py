"""Logs are one line an event, and no secret gets into them, whoever logs."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from ladder.store import logs

TOKEN = "lcb1_abcdefghij_" + "x" * 43


@pytest.fixture
def stream(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Log into memory, or into what a test brings, and put everything back."""
    root = logging.getLogger()
    handlers, level, before = root.handlers[:], root.level, structlog.get_config()
    text: io.StringIO = getattr(request, "param", None) or io.StringIO()
    logs.configure(text)
    yield text
    structlog.configure(**before)
    root.handlers[:] = handlers
    root.setLevel(level)


def test_our_own_events_and_those_of_libraries_look_alike(stream: io.StringIO) -> None:
    """Each is a JSON object with event, logger, level and time."""
    structlog.get_logger("workers.test").info("planned", matches=3)
    logging.getLogger("celery.worker").warning("connection to %s lost", "the broker")
    ours, theirs = map(json.loads, stream.getvalue().splitlines())
    assert (ours["event"], ours["logger"], ours["level"], ours["matches"]) == ("planned", "workers.test", "info", 3)
    assert (theirs["event"], theirs["logger"], theirs["level"]) == (
        "connection to the broker lost",
        "celery.worker",
        "warning",
    )


def test_tokens_and_passwords_are_left_out(stream: io.StringIO) -> None:
    """Wherever they stand, in our words, in others' or in a traceback."""
    log = structlog.get_logger("workers.test")
    log.warning("bad token", token=TOKEN, url="redis://worker:secret@store:6379/0")
    logging.getLogger("kombu").error("cannot connect to %s", "redis://:secret@store/1")
    log.error("broken", exc_info=ValueError(TOKEN))
    assert "secret" not in stream.getvalue()
    assert "x" * 20 not in stream.getvalue()
    assert len(stream.getvalue().splitlines()) == 3


def test_a_module_logs_under_its_name_with_what_its_task_is_bound_to(stream: io.StringIO) -> None:
    """Our loggers are structlog's in all but when that is loaded; what was bound is gone with its block."""
    log = logs.logger("workers.test")
    with logs.bound(task="rate"):
        log.warning("again", matches=3)
    log.info("done")
    within, behind = map(json.loads, stream.getvalue().splitlines())
    assert (within["event"], within["logger"], within["level"]) == ("again", "workers.test", "warning")
    assert (within["matches"], within["task"]) == (3, "rate")
    assert "task" not in behind


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal()], ids=["terminal"], indirect=True)
def test_a_terminal_gets_a_plain_traceback(stream: io.StringIO) -> None:
    """Without frames, values and warnings: structlog is loaded without what draws them."""
    try:
        int("seven")
    except ValueError:
        logs.logger("workers.test").exception("broken")
    assert "ValueError: invalid literal" in stream.getvalue()
    assert "Traceback (most recent call last)" in stream.getvalue()
