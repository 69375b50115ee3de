"""What an organiser types, and what is printed for programs."""

from __future__ import annotations

import json
import threading

import pytest

from tests.workers.small_referee import FORMAT

CREATE = ["tournament", "create", "spring", "--format", FORMAT, "--bots", "alpha,beta,gamma", "--meetings", "3"]


def heard(capsys: pytest.CaptureFixture[str], words: str) -> None:
    """Wait until these words stand on stderr."""
    said, pause = "", threading.Event()
    while words not in said:
        said += capsys.readouterr().err
        pause.wait(0.02)


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """Return the JSON document that stands alone on stdout."""
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found
