from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import attention, contexts, memory, modes, roofline

TIMES = st.floats(1e-7, 1e-2)


@given(st.floats(1.01, 50), st.floats(1.01, 20))
def test_the_solver_gives_back_the_modes_it_was_given(price: float, speed: float) -> None:
    """With ``t(B) = t_w + k B`` both batches have the speeds and the prices asked for."""
    ratio = modes.batch_ratio(price_ratio=price, speed_ratio=speed)
    share = modes.sequence_share_ratio(price_ratio=price, speed_ratio=speed)
    regular, fast = 1 + share, 1 + share / ratio
    assert regular / fast == pytest.approx(speed)
    assert fast * ratio / regular == pytest.approx(price)


@given(TIMES, TIMES, TIMES, st.floats(1.01, 50), st.floats(1.01, 20))
def test_a_fast_batch_is_as_much_faster_and_dearer_as_was_asked(
    weight_s: float, compute_s: float, kv_s: float, price: float, speed: float
) -> None:
    """Whether reading or computing sets the regular step."""
    times = {"weight_time_s": weight_s, "compute_time_per_sequence_s": compute_s, "kv_time_per_sequence_s": kv_s}
    fast = modes.fast_batch(price_ratio=price, speed_ratio=speed, **times)
    regular = fast * modes.batch_ratio(price_ratio=price, speed_ratio=speed)
    fast_cost, regular_cost = (modes.cost_over_floor(batch=batch, **times) for batch in (fast, regular))
    assert fast_cost / regular_cost == pytest.approx(price)
    # A step takes its batch times a token's cost.
    assert regular * regular_cost / (fast * fast_cost) == pytest.approx(speed)


@given(st.floats(1.01, 50), st.floats(1.01, 20))
def test_no_price_buys_more_than_the_largest_speed_up(price: float, speed: float) -> None:
    most = modes.largest_speed_up(price_ratio=price, speed_ratio=speed)
    assert most > speed
    assert modes.largest_saving_fraction(price_ratio=price, speed_ratio=speed) == pytest.approx(1 / most)


@given(TIMES, TIMES, TIMES, st.floats(1, 1e5), st.floats(1, 10))
def test_larger_batches_never_cost_more_and_end_at_the_floor(
    weight_s: float, compute_s: float, kv_s: float, batch: float, more: float
) -> None:
    times = {"weight_time_s": weight_s, "compute_time_per_sequence_s": compute_s, "kv_time_per_sequence_s": kv_s}
    cost = modes.cost_over_floor(batch=batch, **times)
    assert 1 - 1e-12 <= modes.cost_over_floor(batch=batch * more, **times) <= cost * (1 + 1e-12)
    assert modes.cost_over_floor(batch=1e15, **times) == pytest.approx(1, rel=1e-5)


@given(TIMES, TIMES, TIMES, st.floats(1, 1e5))
def test_cost_is_that_of_the_step(weight_s: float, compute_s: float, kv_s: float, batch: float) -> None:
    step_s = roofline.step_time_s(
        batch=batch,
        active_params=compute_s / 2,
        weight_bytes=weight_s,
        kv_bytes_per_sequence=kv_s,
        flop_per_s=1,
        hbm_bytes_per_s=1,
    )
    found = modes.cost_over_floor(
        batch=batch,
        weight_time_s=weight_s,
        compute_time_per_sequence_s=compute_s,
        kv_time_per_sequence_s=kv_s,
    )
    assert found == pytest.approx(step_s / batch / max(compute_s, kv_s))


@given(st.floats(0.1, 100), st.floats(0.01, 100))
def test_arithmetic_is_busy_for_its_part_of_the_step(batch: float, context: float) -> None:
    """Model and chip of unit size: weights take a second, a sequence of the crossover context as long as its token."""
    balance = 1000.0
    compute_s = batch  # in units of the time that a balance batch computes
    memory_s = roofline.memory_time_s(
        batch=batch * balance,
        weight_bytes=1.0,
        kv_bytes_per_sequence=context / balance,
        hbm_bytes_per_s=1.0,
    )
    found = contexts.compute_fraction(batch_over_balance=batch, context_over_crossover=context)
    assert found == pytest.approx(compute_s / max(compute_s, memory_s))


def test_with_a_doubled_context_a_finite_batch_is_less_hurt() -> None:
    """A7: at three times the balance batch 60 % of the arithmetic that was busy before is still busy, not half."""
    busy = [contexts.compute_fraction(batch_over_balance=3, context_over_crossover=over) for over in (2 / 3, 4 / 3)]
    assert busy == pytest.approx([1, 0.6])


@given(st.floats(1e3, 1e6), st.floats(1e9, 1e12), st.floats(1e12, 1e16), st.floats(1e11, 1e14))
def test_at_the_crossover_context_the_balance_batch_has_no_bound(
    kv: float, active: float, flop_per_s: float, hbm_bytes_per_s: float
) -> None:
    ratio = roofline.balance_ratio(flop_per_s=flop_per_s, hbm_bytes_per_s=hbm_bytes_per_s, bytes_per_param=2)
    crossover = contexts.crossover_context_tokens(
        active_params=active, bytes_per_param=2, balance_ratio=ratio, kv_bytes_per_token=kv
    )
    compute_s = roofline.compute_time_s(tokens=1, active_params=active, flop_per_s=flop_per_s)
    assert crossover * kv / hbm_bytes_per_s == pytest.approx(compute_s)
    half = roofline.balance_batch_with_kv(
        weight_time_s=1.0,
        compute_time_per_sequence_s=compute_s,
        kv_time_per_sequence_s=crossover / 2 * kv / hbm_bytes_per_s,
    )
    assert half == pytest.approx(2 / compute_s)


@given(st.floats(0.01, 1))
def test_two_operating_points_meet_only_where_weights_fill_the_memory(weights_fraction: float) -> None:
    """A20: a step of the balance batch reads the weights, one of the sweep's batch the whole memory."""
    balance, hbm_bytes, hbm_bytes_per_s = 2400.0, 80e9, 4e12
    sweep_s = roofline.memory_sweep_time_s(hbm_bytes=hbm_bytes, hbm_bytes_per_s=hbm_bytes_per_s)
    step_s = memory.balance_step_time_s(weights_fraction=weights_fraction, memory_sweep_time_s=sweep_s)
    assert step_s == pytest.approx(weights_fraction * hbm_bytes / hbm_bytes_per_s)
    swept = balance / weights_fraction
    # The arithmetic of a sequence takes the balance batch's part of a step.
    assert swept * step_s / balance == pytest.approx(sweep_s)
    assert swept >= balance


@given(st.floats(10, 1e6))
def test_at_a_sparse_crossover_a_token_reads_as_much_as_at_that_of_full_attention(crossover: float) -> None:
    indexed = contexts.scanned_crossover_tokens(
        crossover_context_tokens=crossover, chosen_tokens=2048, scan_fraction=132 / 1152
    )
    read = attention.indexed_tokens(context_tokens=indexed, top_k=2048, index_bytes=132, bytes_per_token=1152)
    assert read == pytest.approx(crossover)
    rooted = contexts.square_root_crossover_tokens(crossover_context_tokens=crossover)
    assert attention.square_root_tokens(context_tokens=rooted) == pytest.approx(crossover)


@given(st.floats(10, 1e6))
def test_blocks_cross_over_where_their_scan_says(crossover: float) -> None:
    """At any length; summaries come whole, so that a token may be missing."""
    found = contexts.scanned_crossover_tokens(
        crossover_context_tokens=crossover, chosen_tokens=1024, window=512, scan_fraction=1 / 16
    )
    read = attention.block_sparse_tokens(context_tokens=found, summary_stride=16, chosen_tokens=1024, window=512)
    assert read == pytest.approx(crossover, abs=1 + 1e-6)
