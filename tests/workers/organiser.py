"""What an organiser types, and what is printed for programs."""

from __future__ import annotations

import json

import pytest

from tests.workers.small_referee import FORMAT

CREATE = ["tournament", "create", "spring", "--format", FORMAT, "--bots", "alpha,beta,gamma", "--meetings", "3"]


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """Return the JSON document that stands alone on stdout."""
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found
