"""Kernels that only pass over memory, as fitted: limits and order."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ridgeline
from ridgeline.estimator.clock import kernel_timing
from ridgeline.estimator.kernels import Stream

MACHINE = ridgeline.load_machine("h100-sxm")
COUNTS = st.integers(1, 1 << 16)


def time_s(kernel: Stream) -> float:
    """On the machine as fitted."""
    return float(kernel_timing(kernel, MACHINE).time_s)


@given(rows=COUNTS, width=COUNTS, streams=st.integers(1, 4))
def test_rows_by_themselves_are_no_faster_and_none_beats_the_memory(rows: int, width: int, streams: int) -> None:
    flat = Stream(rows=rows, width=width, streams=streams)
    by_row = dataclasses.replace(flat, is_by_row=True)
    moved_s = 2.0 * rows * width * streams / MACHINE.chip.hbm_bytes_per_s
    assert moved_s < time_s(flat) < time_s(by_row)
    assert time_s(dataclasses.replace(by_row, rows=rows + 1)) > time_s(by_row)


def test_few_rows_wait_for_the_longest_and_many_for_memory() -> None:
    one, two = (time_s(Stream(rows=1, width=width, streams=2, is_by_row=True)) for width in (1 << 14, 1 << 15))
    assert MACHINE.efficiency.kernels is not None
    assert two - one == pytest.approx((1 << 14) * MACHINE.efficiency.kernels.elementwise.row_value_s, rel=0.01)
    many, twice = (time_s(Stream(rows=rows, width=4096, streams=2, is_by_row=True)) for rows in (1 << 18, 1 << 19))
    assert twice / many == pytest.approx(2, rel=0.01)


def test_a_grid_is_timed_as_its_points_are() -> None:
    rows = np.array([1.0, 100.0, 10_000.0])
    grid = kernel_timing(Stream(rows=rows, width=4096, streams=3, is_by_row=True), MACHINE).time_s
    points = [time_s(Stream(rows=one, width=4096, streams=3, is_by_row=True)) for one in rows]
    assert grid == pytest.approx(points)
