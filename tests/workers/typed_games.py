"""`lastcard game …` typed in this process, and files of records for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastcard.cli import main
from referee.record_file import line_of

Type = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="run")
def typed_game(capsys: pytest.CaptureFixture[str]) -> Type:
    """Type a command; returns its exit code and what it wrote on stdout and stderr."""

    def typed(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["game", *map(str, words)])
        return (code, *capsys.readouterr())

    return typed


def write(path: Path, *records: dict[str, Any]) -> Path:
    """A file of records."""
    path.write_text("".join(map(line_of, records)), "utf-8")
    return path


def error_of(text: str) -> dict[str, Any]:
    """The error that a command wrote for programs."""
    error: dict[str, Any] = json.loads(text)["error"]
    return error
