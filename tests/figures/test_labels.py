from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.path import Path
from matplotlib.transforms import Bbox

from ridgeline.figures.labels import Obstacles, around, place, spread

FRAME = Bbox.from_extents(0, 0, 100, 100)


@given(
    st.lists(st.tuples(st.floats(-50, 150), st.floats(1, 15)), min_size=1, max_size=6),
)
def test_spread_labels_stay_in_the_column_in_order_and_do_not_touch(labels: list[tuple[float, float]]) -> None:
    wanted, heights = [place for place, _ in labels], [height for _, height in labels]
    centres = spread(wanted, heights, low=0, high=100)
    by_wish = sorted(range(len(labels)), key=lambda label: wanted[label])
    for below, above in itertools.pairwise(by_wish):
        gap = centres[above] - centres[below] - (heights[above] + heights[below]) / 2
        assert gap >= -1e-9  # rounding
    for centre, height in zip(centres, heights, strict=True):
        assert height / 2 - 1e-9 <= centre <= 100 - height / 2 + 1e-9


@given(st.lists(st.floats(0, 9), min_size=1, max_size=6))
def test_labels_that_do_not_touch_stay_where_they_are_wanted(offsets: list[float]) -> None:
    wanted = [20.0 * number + offset for number, offset in enumerate(offsets)]
    assert spread(wanted, [10.0] * len(wanted), low=-10, high=200) == pytest.approx(wanted)


def test_a_label_takes_the_nearest_clear_place() -> None:
    rising, taken = Path([(0, 0), (100, 100)]), Bbox.from_extents(52, 20, 90, 48)
    obstacles = Obstacles(frame=FRAME, lines=[rising], boxes=[taken])
    box = place((20, 10), around(50, 50, (20, 10), gap=2), obstacles)
    assert not box.overlaps(taken)
    assert not rising.intersects_bbox(box, filled=False)
    assert box.y0 > box.x1 or box.x1 <= 50  # above the line, or below it at its left


def test_without_a_clear_place_it_crosses_a_line_rather_than_a_label() -> None:
    lines = [Path([(x, 0), (x, 100)]) for x in range(0, 101, 5)]
    left = Bbox.from_extents(0, 0, 45, 100)
    obstacles = Obstacles(frame=FRAME, lines=lines, boxes=[left])
    box = place((30, 10), around(50, 50, (30, 10), gap=2), obstacles, point=(50, 50))
    assert not box.overlaps(left)
    assert box.x1 <= 100
