from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import roofline

RATES = st.floats(min_value=1e9, max_value=1e16)
SIZES = st.floats(min_value=1e6, max_value=1e13)
BATCHES = st.floats(min_value=1, max_value=1e6)


@given(BATCHES, SIZES, SIZES, RATES, RATES)
def test_at_the_balance_batch_computing_takes_as_long_as_reading_weights(
    batch: float, total: float, active: float, flop_per_s: float, hbm_bytes_per_s: float
) -> None:
    ratio = roofline.balance_ratio(flop_per_s=flop_per_s, hbm_bytes_per_s=hbm_bytes_per_s, bytes_per_param=2)
    balance = roofline.balance_batch(balance_ratio=ratio, expansion=total / active)
    compute_s = roofline.compute_time_s(tokens=balance, active_params=active, flop_per_s=flop_per_s)
    weights_s = roofline.memory_time_s(
        batch=batch, weight_bytes=2 * total, kv_bytes_per_sequence=0, hbm_bytes_per_s=hbm_bytes_per_s
    )
    assert compute_s == pytest.approx(weights_s, rel=1e-9)


@given(SIZES, SIZES, RATES, RATES, st.floats(min_value=0, max_value=1e9))
def test_a_step_lies_between_the_larger_and_the_sum(
    active: float, weight_bytes: float, flop_per_s: float, hbm_bytes_per_s: float, kv: float
) -> None:
    compute_s = roofline.compute_time_s(tokens=64, active_params=active, flop_per_s=flop_per_s)
    memory_s = roofline.memory_time_s(
        batch=64, weight_bytes=weight_bytes, kv_bytes_per_sequence=kv, hbm_bytes_per_s=hbm_bytes_per_s
    )
    step_s = roofline.step_time_s(
        batch=64,
        active_params=active,
        weight_bytes=weight_bytes,
        kv_bytes_per_sequence=kv,
        flop_per_s=flop_per_s,
        hbm_bytes_per_s=hbm_bytes_per_s,
    )
    assert max(compute_s, memory_s) == step_s <= compute_s + memory_s <= 2 * step_s


def test_with_kv_the_balance_batch_grows_and_then_there_is_none() -> None:
    without = roofline.balance_batch_with_kv(
        weight_time_s=1e-3, compute_time_per_sequence_s=2e-7, kv_time_per_sequence_s=0
    )
    contexts = np.array([0.5e-7, 1.9e-7, 2e-7, 3e-7])
    found = roofline.balance_batch_with_kv(
        weight_time_s=1e-3, compute_time_per_sequence_s=2e-7, kv_time_per_sequence_s=contexts
    )
    assert isinstance(found, np.ndarray)
    assert without < found[0] < found[1]
    assert math.isinf(found[2])
    assert math.isinf(found[3])
