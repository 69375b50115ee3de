"""The page about ratings says what is shipped."""

from __future__ import annotations

import re
from pathlib import Path

from ladder.corrections import shipped

PAGE = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text("utf-8")
ROW = re.compile(r"^\| `([a-z0-9-]+)` \| (0\.\d\d) \| (0\.\d\d) \|", re.MULTILINE)


def test_every_shipped_correction_has_its_factors_on_the_page() -> None:
    """And no others; each lowers the variance."""
    rows = ROW.findall(PAGE)
    assert {name for name, *_ in rows} == {correction.name for correction in shipped().values()}
    assert all(float(factor) < 1 for _, *factors in rows for factor in factors)


def test_every_module_that_the_page_names_is_there() -> None:
    """Files are found by their path in this repository."""
    root = Path(__file__).parents[2]
    for path in re.findall(r"`((?:ladder|referee|workers|tests)/[\w/.]+)`", PAGE):
        assert (root / path).exists(), path
