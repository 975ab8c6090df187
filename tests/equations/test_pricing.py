from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import contexts, pricing, roofline

CONTEXTS = st.floats(min_value=1, max_value=1e8)
BATCHES = st.floats(min_value=0.01, max_value=1e4)
SIZES = st.floats(min_value=1e8, max_value=1e13)
KV = st.floats(min_value=10, max_value=1e6)


@given(SIZES, KV, st.floats(min_value=50, max_value=1000), st.floats(min_value=1.01, max_value=1e4))
def test_bytes_a_token_and_crossover_are_one_equation(
    active: float, kv_bytes: float, ratio: float, batches: float
) -> None:
    context = contexts.crossover_context_tokens(
        active_params=active,
        bytes_per_param=1,
        balance_ratio=ratio,
        kv_bytes_per_token=kv_bytes,
        balance_batches=batches,
    )
    found = pricing.kv_bytes_at_crossover(
        active_params=active, bytes_per_param=1, balance_ratio=ratio, context_tokens=context, balance_batches=batches
    )
    assert found == pytest.approx(kv_bytes)


@given(SIZES, KV, st.floats(min_value=1.01, max_value=1e4))
def test_at_the_crossover_the_step_reads_as_long_as_it_computes(active: float, kv_bytes: float, batches: float) -> None:
    """Against the step time itself: dense, in bytes, on a chip with a ratio of 300."""
    flop_per_s, hbm_bytes_per_s = 600e12, 1e12
    context = contexts.crossover_context_tokens(
        active_params=active,
        bytes_per_param=1,
        balance_ratio=300,
        kv_bytes_per_token=kv_bytes,
        balance_batches=batches,
    )
    batch = 300 * batches
    compute_s = roofline.compute_time_s(tokens=batch, active_params=active, flop_per_s=flop_per_s)
    memory_s = roofline.memory_time_s(
        batch=batch,
        weight_bytes=active,
        kv_bytes_per_sequence=context * kv_bytes,
        hbm_bytes_per_s=hbm_bytes_per_s,
    )
    assert compute_s == pytest.approx(memory_s)


def test_below_the_balance_batch_no_context_is_the_crossover() -> None:
    found = contexts.crossover_context_tokens(
        active_params=1e11, bytes_per_param=1, balance_ratio=300, kv_bytes_per_token=2e3, balance_batches=0.5
    )
    assert found == 0


@given(CONTEXTS, CONTEXTS, BATCHES)
def test_decode_never_costs_less_than_prefill(context: float, crossover: float, batches: float) -> None:
    found = pricing.decode_over_prefill(context_tokens=context, crossover_tokens=crossover, balance_batches=batches)
    longer = pricing.decode_over_prefill(
        context_tokens=2 * context, crossover_tokens=crossover, balance_batches=batches
    )
    assert 1 <= found <= longer


@given(BATCHES, st.floats(min_value=0.0, max_value=3))
def test_the_batch_at_a_ratio_has_that_ratio(batches: float, over: float) -> None:
    ratio = contexts.memory_over_compute(context_over_crossover=over, batch_over_balance=batches)
    found = pricing.balance_batches_at_ratio(ratio=ratio, context_tokens=over, crossover_tokens=1)
    assert found == pytest.approx(batches, rel=1e-6)


def test_a_context_that_reads_longer_by_itself_has_no_batch() -> None:
    found = pricing.balance_batches_at_ratio(ratio=5, context_tokens=np.array([1.0, 5.0, 6.0]), crossover_tokens=1)
    assert isinstance(found, np.ndarray)
    assert found[0] == 0.25
    assert math.isinf(found[1])
    assert math.isinf(found[2])


@given(st.floats(min_value=1, max_value=3), st.floats(min_value=0, max_value=0.9))
def test_at_that_many_hits_a_write_has_paid(write: float, read: float) -> None:
    hits = pricing.hits_to_pay_back(write_ratio=write, read_ratio=read)
    assert write + hits * read == pytest.approx(1 + hits)


def test_a_step_by_a_half_covers_half_as_much_again() -> None:
    reach = pricing.price_step_reach_tokens(crossover_tokens=200e3, price_ratio=1.5)
    assert pricing.decode_over_prefill(context_tokens=reach, crossover_tokens=200e3) == pytest.approx(1.5)


@given(SIZES, st.floats(min_value=1, max_value=1e9))
def test_at_parity_attention_computes_as_much_as_the_parameters(active: float, pair: float) -> None:
    tokens = pricing.attention_parity_tokens(active_params=active, flop_per_pair=pair)
    assert tokens * pair == pytest.approx(roofline.FLOP_PER_PARAM * active)
