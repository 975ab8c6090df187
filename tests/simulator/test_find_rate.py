"""The rate that is found is the highest that holds, to within a hundredth, wherever it lies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.errors import RidgelineError
from ridgeline.simulator.find_rate import CLOSE, Tried, find_rate


def falling(threshold: float, scale: float) -> Tried:
    """A part within limits that falls with the rate, and is 0.9 at a threshold."""
    return Tried(
        scale=scale,
        requests_per_s=3 * scale,
        within_fraction=max(1.0 - 0.1 * scale / threshold, 0.0),
        request_times=1000.0,
    )


@given(st.floats(-4, 4))
def test_it_is_the_highest_that_holds(power: float) -> None:
    threshold = 10.0**power
    found = find_rate(lambda scale: falling(threshold, scale), 0.9)
    assert found.best.within_fraction >= 0.9
    assert threshold / CLOSE <= found.best.scale <= threshold * (1 + 1e-12)
    kept = [one.scale for one in found.tried if one.within_fraction >= 0.9]
    missed = [one.scale for one in found.tried if one.within_fraction < 0.9]
    assert max(kept) == found.best.scale < min(missed) <= CLOSE * found.best.scale
    assert len({one.scale for one in found.tried}) == len(found.tried)


def test_more_that_have_to_keep_the_limits_is_a_lower_rate() -> None:
    rates = [find_rate(lambda scale: falling(7.0, scale), share).best.scale for share in (0.5, 0.9, 0.99, 0.999)]
    assert rates == sorted(rates, reverse=True)
    assert len(set(rates)) == len(rates)


@pytest.mark.parametrize(("threshold", "said"), [(1e-12, "however slowly"), (1e12, "give --ttft or --tpot that bind")])
def test_where_there_is_none_it_says_so(threshold: float, said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        find_rate(lambda scale: falling(threshold, scale), 0.9)


def test_where_no_rate_holds_what_would_is_said() -> None:
    with pytest.raises(RidgelineError, match="have to; write --ttft 2s, or take other chips"):
        find_rate(lambda scale: falling(1e-12, scale), 0.9, remedy=lambda: "write --ttft 2s")
