"""Commands as they are typed, against a running ladder and its store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ladder.settings import LadderSettings
from lastcard.cli import main
from tests.ladder_running import Running


@dataclass
class Said:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - what it is, tests say
        """What it wrote for programs."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The error that it wrote for programs."""
        error: dict[str, Any] = json.loads(self.err)["error"]
        return error


Type = Callable[..., Awaitable[Said]]


@pytest.fixture
def run(
    ladder: Running,
    ladder_settings: LadderSettings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Type:
    """Types a command."""
    environment = {
        "LASTCARD_LADDER": ladder.addresses.grpc,
        "LASTCARD_REDIS_URL": ladder_settings.redis_url,
        "LASTCARD_TENANT": ladder_settings.tenant,
        "LASTCARD_PEPPER_FILE": str(ladder_settings.pepper_file),
        "LASTCARD_ALLOW_VOLATILE": "1",
        "LASTCARD_OWNER": "Ada",
    }
    for name in ("LASTCARD_TOKEN", "LASTCARD_TOKEN_FILE", "LASTCARD_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    async def typed(*words: str) -> Said:
        code = await asyncio.to_thread(main, words)
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return typed
