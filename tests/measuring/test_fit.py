"""What is fitted on times of a known machine is what the machine was given."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ridgeline.calibration.judge.folds import SHAPES
from ridgeline.catalog import load_machine
from ridgeline.catalog.kernels import numbers_of
from ridgeline.measuring.measure import Measurement, fit_timed, time_machine

H100 = "h100-sxm"
NOISE = 0.03
"""Standard deviation of a time's logarithm: repeats of one kernel on a GPU differ by 1 to 3 %."""

FRACTIONS = {"bf16": 0.7, "fp8": 0.6}
GIVEN: dict[str, dict[str, float]] = {
    "gemm": {"hbm_fraction": 0.75, "launch_s": 3e-6},
    "decode_attention": {"hbm_fraction": 0.6, "launch_s": 8e-6},
    "prefill_attention": {"fraction": 0.7},
    "elementwise": {"hbm_fraction": 0.85, "row_hbm_fraction": 0.7, "isolated_launch_s": 2.2e-6},
    "collectives": {"launch_s": 7e-6, "simple_fraction": 0.6},
}
"""Numbers of the known machine, a tenth to a half away from the catalog's."""


@pytest.fixture(scope="module")
def known(bench: Any) -> Any:  # noqa: ANN401
    """A bench of a known machine with 8 chips."""
    fractions = load_machine(H100).efficiency.fitted.gemm.fraction
    gemm = {**GIVEN["gemm"], "fraction": {**fractions, **FRACTIONS}}
    return bench({**GIVEN, "gemm": gemm}, noise=NOISE, chips=8)


@pytest.fixture(scope="module")
def found(known: Any) -> Measurement:  # noqa: ANN401
    timed = time_machine(known, load_machine(H100), H100, until_s=1000.0, clock=known.clock)
    return fit_timed(timed, checks=True)


@pytest.mark.slow
@pytest.mark.xdist_group("measured machine")
def test_a_fit_finds_what_the_machine_was_given(known: Any, found: Measurement) -> None:  # noqa: ANN401
    numbers = {one.name: one for one in found.found.machines[H100].parameters}
    given = numbers_of(known.machine.efficiency.fitted)
    catalog = numbers_of(load_machine(H100).efficiency.fitted)
    for name, one in numbers.items():
        error = abs(math.log(one.value / given[name]))
        # Its own uncertainty, which is wide: a prior and a loss for outliers are part of it.
        assert error < one.log_sd, name
        if abs(math.log(catalog[name] / given[name])) > 2 * NOISE:
            # Tens of rows bind it, so that it is known better than by one of them alone.
            assert error < 2 * NOISE, name
    assert {f"{block}.{name}" for block, fields in GIVEN.items() for name in fields} <= set(numbers)
    assert {f"gemm.fraction.{name}" for name in FRACTIONS} <= set(numbers)


@pytest.mark.slow
@pytest.mark.xdist_group("measured machine")
def test_the_checks_error_is_the_noise(found: Measurement) -> None:
    assert found.check is not None
    assert found.check.total.rows == sum(one.rows for one in found.check.kinds)
    kinds = {one.kind: one.rows for one in found.check.kinds}
    for kind, rows in kinds.items():
        assert rows == sum(case.kind == kind for case in found.timed.cases) // SHAPES
    # The median of |x| of a normal distribution is 0.6745 of its deviation; of 67 rows it scatters by 15 %.
    assert found.check.total.median_abs_log_error == pytest.approx(0.6745 * NOISE, rel=0.4)
    assert found.check.total.catalog_median_abs_log_error > 3 * found.check.total.median_abs_log_error
    # Four of five errors of a normal distribution are within 1.2816 deviations; bands are of 40 rows and more.
    bands = found.found.machines[H100].bands
    assert bands["gemm"].below == pytest.approx(1.2816 * NOISE, rel=0.3)
