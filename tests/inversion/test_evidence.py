"""What is taken of lists as they are."""

from __future__ import annotations

import math

import pytest

from ridgeline.catalog.quotes import family, quote
from ridgeline.inversion.evidence import evidence_of, multipliers_of, rounding_log_sd


def test_rounding_is_that_of_the_last_digit() -> None:
    """A price of one digit leaves a whole step of the last one open, whose deviation is its width by the root of 12."""
    assert rounding_log_sd(5e-6) == pytest.approx(1 / 5 / 12**0.5)
    assert rounding_log_sd(0.25e-6) == pytest.approx(0.1 / 2.5 / 12**0.5)


def test_a_ratio_is_policy_at_four_input_prices_that_span_five_times() -> None:
    def family_of(*inputs: float) -> list[dict[str, float]]:
        return [{"input": one, "output": 5 * one} for one in inputs]

    own = {"input": 1.0, "output": 5.0}
    assert multipliers_of(own, family_of(1, 2, 3, 5))[0].is_policy
    assert not multipliers_of(own, family_of(1, 2, 3, 4))[0].is_policy  # they span four times
    assert not multipliers_of(own, family_of(1, 1, 1, 5))[0].is_policy  # one model may have many names
    found = multipliers_of({"input": 1.0, "output": 3.0}, family_of(1, 2, 3, 5))[0]
    assert (found.shared_by, found.of, found.is_policy) == (1, 4, False)


def test_a_price_of_holding_is_the_slope_between_two_writes_and_as_sure_as_both() -> None:
    opus = evidence_of(quote("anthropic/claude-opus-5-5"), family("anthropic/claude-opus-5-5"))
    assert opus.usd["hold"] * 3600e6 == pytest.approx(3 / (55 / 60))  # $8 for an hour, $5 for five minutes
    assert opus.rounding_log_sd["hold"] == pytest.approx(math.sqrt(2 / 12) / 3)
    assert opus.hold_formula == "the write for 1 h at $8 less the short one at $5, over 0.917 h"
    sol = evidence_of(quote("openai/gpt-6.1-sol"), family("openai/gpt-6.1-sol"))
    assert sol.usd["hold"] * 3600e6 == pytest.approx(2.5 / 11.5)
    assert "not verified" in sol.hold_formula


def test_two_models_of_a_vendor_are_no_policy() -> None:
    """Opus and Sonnet 5.5 sell found tokens at a twentieth; all of the vendor sell output at five times input."""
    found = {
        one.line: one
        for one in evidence_of(quote("anthropic/claude-opus-5-5"), family("anthropic/claude-opus-5-5")).multipliers
    }
    assert not found["cached_input"].is_policy
    assert found["output"].is_policy
    assert found["output"].shared_by > 5
