"""Moments for people."""

from __future__ import annotations

import pytest

from workers.tournaments.moments import moment


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        pytest.param("UTC", "2027-01-15 19:00:00 UTC", id="UTC"),
        pytest.param("Asia/Ho_Chi_Minh", "2027-01-16 02:00:00 Asia/Ho_Chi_Minh (2027-01-15 19:00:00 UTC)", id="there"),
        pytest.param("Nowhere/Atall", "2027-01-15 19:00:00 UTC (Nowhere/Atall is not known here)", id="nowhere"),
    ],
)
def test_moments_have_a_zone_and_no_milliseconds(zone: str, words: str) -> None:
    """In the zone that was asked for, UTC beside it; that it could not be done is said."""
    assert moment(1_800_039_600_999, zone) == words
