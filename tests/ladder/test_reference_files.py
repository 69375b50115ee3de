"""The reference ratings here are the published ones."""

from pathlib import Path

import pytest

HERE = Path(__file__).parents[1] / "data" / "ratings"
PUBLISHED = Path(__file__).parents[3] / "shared" / "ratings"


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published files are not beside this repository")
def test_copies_equal_the_published_files() -> None:
    """Every published reference file is here, byte for byte, and there is no other."""
    published = {path.name: path.read_bytes() for path in PUBLISHED.glob("*.json")}
    assert {path.name: path.read_bytes() for path in HERE.glob("*.json")} == published
