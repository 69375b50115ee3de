"""What the tests of running houses share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.running import Running, short_folder


@pytest.fixture
def home() -> Iterator[Path]:
    """A home for one run, with a name that leaves room for a socket in it."""
    folder = short_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def demo() -> Iterator[Running]:
    """A demo whose tournament is over and that stays up; it ends with the file, since a house works when idle, too."""
    folder = short_folder()
    try:
        with Running("demo", "--json", "--meetings", "1", home=folder) as running:
            running.until_said("Ctrl-C stops everything")
            yield running
            assert running.stop() == 130
            assert "nothing runs any more" in running.story()
            assert running.left() == []
    finally:
        shutil.rmtree(folder, ignore_errors=True)
