"""Kernel times beyond the roofline, held to what they count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations.kernels import split_sum_time_s


@given(
    products=st.integers(1, 64),
    rows=st.integers(1, 4096),
    columns=st.integers(1, 16_384),
    splits=st.integers(1, 16),
    split_s=st.floats(0, 1e-5),
)
def test_partial_sums_but_one_are_written_and_read_in_32_bits(
    products: int, rows: int, columns: int, splits: int, split_s: float
) -> None:
    """Part by part: its values go to the L2 cache and come back, three times as fast as from memory."""
    hbm_bytes_per_s = 3.35e12
    traffic = 0
    for _ in range(1, splits):
        written = read = 4 * products * rows * columns
        traffic += written + read
    found = split_sum_time_s(
        products=products, rows=rows, columns=columns, splits=splits, split_s=split_s, hbm_bytes_per_s=hbm_bytes_per_s
    )
    launch_s = split_s if splits > 1 else 0.0
    assert found == pytest.approx(launch_s + traffic / (3 * hbm_bytes_per_s), rel=1e-12)
