from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import duality
from ridgeline.laboratory.duality import dual_prices

POSITIVE = st.floats(1e-3, 1e3)


@given(POSITIVE, POSITIVE, POSITIVE, POSITIVE)
def test_at_the_break_even_both_cost_the_same(
    price: float, flop_per_s: float, capacity: float, per_byte: float
) -> None:
    hold_s = duality.break_even_hold_s(flop_per_byte=per_byte, flop_per_s=flop_per_s, capacity_bytes=capacity)
    held = hold_s * duality.usd_per_byte_s(usd_per_chip_s=price, capacity_bytes=capacity)
    again = per_byte * duality.usd_per_flop(usd_per_chip_s=price, flop_per_s=flop_per_s)
    assert held == pytest.approx(again)
    worth = duality.flop_worth_per_byte_s(flop_per_s=flop_per_s, capacity_bytes=capacity)
    assert hold_s == pytest.approx(per_byte / worth)


@given(POSITIVE, POSITIVE, POSITIVE, POSITIVE)
def test_a_reversible_network_pays_from_two_thirds_of_memory(
    params: float, tokens: float, flop_per_s: float, capacity: float
) -> None:
    """Activations that take the fraction wait half of a step; held they cost what the second forward pass does."""
    part = duality.reversible_break_even_fraction()
    held_chip_s = part * (6 * params * tokens / flop_per_s) / 2
    assert held_chip_s == pytest.approx(2 * params * tokens / flop_per_s)


def test_each_machine_lies_on_the_side_of_a_line_that_its_break_even_says() -> None:
    found = dual_prices(filled_fractions=(0.1, 1.0))
    _, kv, shallow, deep = found.techniques
    for one in found.machines:
        assert (one.kv_hold_s > kv.held_s) == (one.flop_worth_per_byte_s < kv.flop_per_byte_s)
        if one.usd_per_flop is not None and one.usd_per_byte_s is not None:
            assert one.usd_per_byte_s / one.usd_per_flop == pytest.approx(one.flop_worth_per_byte_s)
    reference = next(one for one in found.machines if one.machine == found.reference)
    # Full memory is beyond the break-even of two thirds, a tenth is not.
    assert deep.flop_per_byte_s < reference.flop_worth_per_byte_s < shallow.flop_per_byte_s
