"""A small run of `./dev soak tournament`: real processes, two formats, and a script that kills."""

from __future__ import annotations

import shutil
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.running import short_folder
from tests.soak.tournament import VICTIMS, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def home() -> Iterator[Path]:
    """A home with a name that leaves room for a socket in it."""
    folder = short_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_tournaments_under_fire_end_as_planned(home: Path) -> None:
    """Eight bots at four seats and at two; each kind of process dies once, and every result is there once.

    With as many kills as there are kinds, `run` finds fault with every kind that was spared.
    """
    options = Namespace(bots=8, meetings=4, every=1.0, kills=len(VICTIMS), seed=97, within=400.0)
    assert run(home, options) == []
