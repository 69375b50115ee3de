"""Files of formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referee.format_texts import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file of formats."""

    def written(text: str) -> Path:
        path = tmp_path / "formats.toml"
        path.write_text(text, "utf-8")
        return path

    return written
