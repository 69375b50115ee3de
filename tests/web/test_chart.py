"""Laws of the drawings: everything is inside its frame, and order on the scale is order on the screen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.web.chart import MOST_POINTS, Scale, bars, counted, curve, scale, thinned

pytestmark = pytest.mark.slow

ELO = st.integers(-3_000_000, 6_000_000).map(lambda thousandths: thousandths / 1000)
HALF = st.none() | st.integers(0, 700_000).map(lambda thousandths: thousandths / 1000)


@settings(deadline=None)
@given(st.lists(ELO, min_size=1, max_size=40))
def test_a_scale_holds_its_values(values: list[float]) -> None:
    """Every value is within the frame, ticks are evenly spaced and few."""
    found = scale(values, 6, 194)
    assert found.low <= min(values)
    assert found.high >= max(values)
    assert all(6 <= found.at(value) <= 194 for value in values)
    assert 2 <= len(found.ticks) <= 12
    steps = [later - earlier for earlier, later in zip(found.ticks, found.ticks[1:], strict=False)]
    assert steps == pytest.approx([steps[0]] * len(steps))


@settings(deadline=None)
@given(st.lists(st.tuples(ELO, HALF), max_size=30))
def test_bars_hold_their_ratings_and_keep_the_order(ratings: list[tuple[float, float | None]]) -> None:
    """An interval is around its point; a higher rating is never further left."""
    found = bars(ratings)
    assert all(bar.low <= bar.point <= bar.high for bar in found.bars)
    drawn = sorted(zip([rating for rating, _ in ratings], [bar.point for bar in found.bars], strict=True))
    assert [point for _, point in drawn] == sorted(point for _, point in drawn)


@settings(deadline=None)
@given(st.integers(2, 3000), st.integers(1, 996))
def test_a_long_curve_keeps_its_peaks_and_its_end(length: int, factor: int) -> None:
    """At most a screen's worth of points, with the highest, the lowest and the last one among them."""
    points = [(float(number), float(number * factor % 997)) for number in range(length)]
    kept = thinned(points)
    assert len(kept) <= MOST_POINTS + 2
    assert kept[-1] == points[-1]
    assert {max(y for _, y in points), min(y for _, y in points)} <= {y for _, y in kept}
    assert kept == sorted(kept)


def test_a_curve_needs_two_points() -> None:
    """Before the first match there is nothing to draw."""
    assert curve([]) is None
    assert curve([(0, 1500)]) is None
    assert curve([(0, 1500), (1, 1500)]) is not None


def test_a_counted_axis_ends_at_the_last_count() -> None:
    """There is no empty room behind the last match, and ticks are whole."""
    found = counted(0, 21, 48, 1088)
    assert (found.at(0), found.at(21)) == (48, 1088)
    assert all(tick == int(tick) and 0 <= tick <= 21 for tick in found.ticks)


@pytest.mark.parametrize(
    ("ticks", "labels"),
    [
        pytest.param((1.0, 2.0), (1.0, 2.0), id="two"),
        pytest.param((1.0, 2.0, 3.0), (1.0, 2.0, 3.0), id="three"),
        pytest.param((1.0, 2.0, 3.0, 4.0), (1.0, 4.0), id="no middle"),
        pytest.param((1.0, 2.0, 3.0, 4.0, 5.0), (1.0, 3.0, 5.0), id="five"),
    ],
)
def test_labels_never_crowd(ticks: tuple[float, ...], labels: tuple[float, ...]) -> None:
    """The first, the last, and the middle one if there is one."""
    assert Scale(ticks[0], ticks[-1], 0, 100, ticks).labels == labels
