from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import caching

USD = st.floats(min_value=1e-12, max_value=1e3)
BYTES = st.floats(min_value=1e9, max_value=1e15)
RATES = st.floats(min_value=1e8, max_value=1e13)


@given(USD, USD, st.floats(min_value=0.01, max_value=100), st.floats(min_value=0.01, max_value=0.99))
def test_both_tiers_cost_the_same_at_break_even(retrieve: float, hold: float, dearer: float, cheaper: float) -> None:
    slower_retrieve, slower_hold = retrieve * (1 + dearer), hold * cheaper
    even_s = caching.break_even_s(
        retrieve_usd=retrieve,
        hold_usd_per_s=hold,
        slower_retrieve_usd=slower_retrieve,
        slower_hold_usd_per_s=slower_hold,
    )
    one = caching.cost_usd(retrieve_usd=retrieve, hold_usd_per_s=hold, held_s=even_s)
    other = caching.cost_usd(retrieve_usd=slower_retrieve, hold_usd_per_s=slower_hold, held_s=even_s)
    assert one == pytest.approx(other)
    longer = {"held_s": 2 * even_s}
    assert caching.cost_usd(retrieve_usd=retrieve, hold_usd_per_s=hold, **longer) > caching.cost_usd(
        retrieve_usd=slower_retrieve, hold_usd_per_s=slower_hold, **longer
    )


@given(BYTES, RATES, USD, st.floats(min_value=1, max_value=1e6))
def test_on_one_bill_the_rule_is_the_drain_time(capacity: float, rate: float, usd: float, kv_bytes: float) -> None:
    """The lecture's own rule, whatever the price and the size of a token."""
    even_s = caching.break_even_s(
        retrieve_usd=0,
        hold_usd_per_s=caching.hold_usd_per_token_s(
            kv_bytes_per_token=kv_bytes, capacity_bytes=capacity, usd_per_s=usd
        ),
        slower_retrieve_usd=caching.retrieve_usd_per_token(
            kv_bytes_per_token=kv_bytes, bytes_per_s=rate, usd_per_s=usd
        ),
        slower_hold_usd_per_s=0,
    )
    assert even_s == pytest.approx(caching.drain_time_s(capacity_bytes=capacity, bytes_per_s=rate))


@given(BYTES, USD, st.floats(min_value=1, max_value=1e6))
def test_a_price_of_holding_gives_back_the_size_of_a_token(capacity: float, usd: float, kv_bytes: float) -> None:
    held = caching.hold_usd_per_token_s(kv_bytes_per_token=kv_bytes, capacity_bytes=capacity, usd_per_s=usd)
    assert held / usd * capacity == pytest.approx(kv_bytes)
