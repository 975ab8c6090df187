"""What steps lose at scale is found within series, whatever else is predicted wrong of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from ridgeline.calibration.fit.training_scale import ScaledStep, scale_exponent
from ridgeline.specs.trainer import FITTED_CHIPS


def series(name: str, exponent: float, offset: float, doublings: range) -> Iterator[ScaledStep]:
    """Steps that take ``n ** exponent`` longer than predicted, and are all predicted wrong by an offset."""
    for doubling in doublings:
        chips = FITTED_CHIPS * 2**doubling
        yield ScaledStep(series=name, chips=chips, error=offset - exponent * math.log(chips))


def test_the_slope_within_series_is_found_and_their_levels_are_not() -> None:
    found = scale_exponent([*series("slow", 0.03, 0.4, range(5)), *series("fast", 0.03, -0.3, range(2, 4))])
    assert found.value == pytest.approx(0.03)
    assert found.rows == 7
    assert found.log_sd == pytest.approx(0, abs=1e-9)


def test_series_that_disagree_say_so() -> None:
    found = scale_exponent([*series("a", 0.02, 0.0, range(4)), *series("b", 0.04, 0.0, range(4))])
    assert found.value == pytest.approx(0.03)
    assert found.log_sd == pytest.approx(0.01 / 0.03)


@pytest.mark.parametrize(
    "steps",
    [
        (),
        tuple(series("of one size", 0.03, 0.0, range(1))),
        tuple(series("fewer chips", 0.03, 0.0, range(-4, 0))),
        tuple(series("quicker on more", -0.03, 0.0, range(4))),
    ],
)
def test_without_a_loss_there_is_none(steps: tuple[ScaledStep, ...]) -> None:
    assert scale_exponent(steps).value == 0
    assert scale_exponent(steps).rows == 0
