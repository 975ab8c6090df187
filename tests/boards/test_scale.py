from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.boards.scale import DURATIONS, LINEAR, LOGARITHMIC, Scale, scale
from ridgeline.quantity_text import format_quantity


@given(st.floats(1e-9, 1e9))
def test_a_linear_axis_has_few_ticks_from_zero(high: float) -> None:
    ticks = LINEAR.ticks(0.0, high)
    assert 3 <= len(ticks) <= 5
    assert ticks[0] == 0
    assert ticks[-1] <= high * (1 + 1e-9)  # rounding


@given(st.floats(1e-9, 1e6), st.floats(4, 1e8))
def test_a_logarithmic_axis_has_few_ticks_inside(low: float, ratio: float) -> None:
    ticks = LOGARITHMIC.ticks(low, low * ratio)
    assert 1 <= len(ticks) <= 9
    assert low <= ticks[0] <= ticks[-1] <= low * ratio
    assert ticks == sorted(set(ticks))


@pytest.mark.parametrize("one", [LINEAR, LOGARITHMIC, DURATIONS], ids=["linear", "logarithmic", "durations"])
@given(low=st.floats(1e-6, 1e9), ratio=st.floats(1.02, 1e6))
def test_no_axis_has_fewer_than_two_ticks_however_little_it_spans(one: Scale, low: float, ratio: float) -> None:
    ticks = one.ticks(low, low * ratio)
    assert len(ticks) >= 2
    assert low * (1 - 1e-9) <= ticks[0] < ticks[-1] <= low * ratio * (1 + 1e-9)  # rounding
    assert ticks == sorted(set(ticks))


def test_ticks_are_the_numbers_that_are_written() -> None:
    assert LOGARITHMIC.ticks(0.08, 3) == pytest.approx([0.1, 0.2, 0.5, 1, 2])
    assert LOGARITHMIC.ticks(1, 36_000) == [1, 10, 100, 1000, 10_000]


@given(st.floats(1e-3, 1.0), st.floats(1e3, 1e7))
def test_times_are_divided_at_seconds_minutes_hours_and_days(low: float, ratio: float) -> None:
    assert scale(is_logarithmic=True, dimension="duration") is DURATIONS
    ticks = DURATIONS.ticks(low, low * ratio)
    assert low <= ticks[0] < ticks[-1] <= low * ratio
    written = [format_quantity(tick, "duration") for tick in ticks]
    assert all(text.split(" ")[0] in {"1", "10", "100"} for text in written), written
