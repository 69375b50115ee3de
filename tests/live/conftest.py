"""What the tests of damaged matches share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ladder.store import Store
from tests.live.damage import write


@pytest.fixture
def mended(store: Store) -> Iterator[None]:
    """Leave no seed behind that is none: who looks for them in what was logged reads them all."""
    yield
    write("DEL", "seed:")(store)
