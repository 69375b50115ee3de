"""A referee may have as many sockets as its port takes, whatever the shell that started it was allowed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from referee.descriptors import ENOUGH
from referee.door.front import MOST_CONNECTIONS

PROGRAM = """
import resource, sys
from referee import descriptors
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
descriptors.allow()
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("first", "after"),
    [
        pytest.param((256, 2_000), (2_000, 2_000), id="as many as the user may"),
        pytest.param((2_000, 2_000), (2_000, 2_000), id="it has all of them"),
    ],
)
def test_what_is_allowed_is_taken(first: tuple[int, int], after: tuple[int, int]) -> None:
    """Never less than before, and never more than the user may."""
    words = [sys.executable, "-c", PROGRAM, *map(str, first)]
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout.split() == [*map(str, after)]


def test_it_is_enough_for_a_port() -> None:
    """With room for the store, files and trunks."""
    assert ENOUGH > 2 * MOST_CONNECTIONS
