"""What an organiser types, and what is printed for programs."""

from __future__ import annotations

import json
import signal
import threading

import pytest

from lastcard.cli import main
from tests.patience import PATIENCE_S
from tests.workers.small_referee import FORMAT

CREATE = ["tournament", "create", "spring", "--format", FORMAT, "--bots", "alpha,beta,gamma", "--meetings", "3"]

AGAIN_S = 5.0
"""Until somebody who has typed Ctrl-C in vain types it again."""


def heard(capsys: pytest.CaptureFixture[str], words: str) -> None:
    """Wait until these words stand on stderr."""
    said, pause = "", threading.Event()
    while words not in said:
        said += capsys.readouterr().err
        pause.wait(0.02)


def interrupted(
    capsys: pytest.CaptureFixture[str], line: list[str], words: str, number: signal.Signals = signal.SIGINT
) -> int:
    """Type a line, and Ctrl-C, or send another signal, once these words stand on stderr; returns the exit code."""
    typing, ended = threading.get_ident(), threading.Event()

    def interrupt() -> None:
        heard(capsys, words)
        while not ended.is_set():  # one that comes while a callback of gRPC's runs is lost
            signal.pthread_kill(typing, number)
            ended.wait(AGAIN_S)

    hand = threading.Thread(target=interrupt)
    hand.start()
    code = main(line)
    ended.set()  # long before the next one
    hand.join(PATIENCE_S)
    return code


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """Return the JSON document that stands alone on stdout."""
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found
