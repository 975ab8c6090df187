"""The interval of a time comes from what it is made of."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each import of_each

from ridgeline.catalog import load_machine, load_model, machine_ids
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.interval import Part, interval_factors, total_s
from ridgeline.specs.band import STEP, Band
from ridgeline.specs.fidelity import MEASURED, ROOFLINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import decode

BANDS = {
    "gemm": Band(below=0.1, above=0.2, longest_s=1e-3, growth=0.1),
    "collectives": Band(below=0.3, above=0.3),
    STEP: Band(below=0.05, above=0.4),
}


def part(kind: str, time_s: float, once_s: float = 1e-4) -> Part:
    return Part(kind=kind, time_s=time_s, once_s=once_s)


def test_a_kernel_by_itself_has_the_band_of_its_kind() -> None:
    assert interval_factors([part("gemm", 1.0)], BANDS, is_step=False) == pytest.approx((math.exp(-0.1), math.exp(0.2)))


def test_a_kind_that_was_never_measured_has_the_band_of_a_step() -> None:
    assert interval_factors([part("experts", 1.0)], BANDS, is_step=False) == pytest.approx(
        (math.exp(-0.05), math.exp(0.4))
    )


def test_kernels_of_a_kind_err_together_and_kinds_apart() -> None:
    halves = [part("gemm", 0.5), part("gemm", 0.5)]
    assert interval_factors(halves, BANDS, is_step=False)[1] == pytest.approx(math.exp(0.2))
    mixed = [part("gemm", 0.5), part("collectives", 0.5)]
    assert interval_factors(mixed, BANDS, is_step=False)[1] == pytest.approx(math.exp(math.hypot(0.1, 0.15)))
    low, high = interval_factors(mixed, BANDS, is_step=True)
    assert high == pytest.approx(math.exp(math.hypot(0.1, 0.15, 0.4)))
    assert low == pytest.approx(math.exp(-math.hypot(0.05, 0.15, 0.05)))


def test_beyond_the_longest_measured_it_widens_for_each_factor_of_e() -> None:
    far = [part("gemm", 1.0, once_s=math.exp(2) * 1e-3)]
    assert interval_factors(far, BANDS, is_step=False)[1] == pytest.approx(math.exp(0.2 + 2 * 0.1))


@given(st.lists(st.tuples(st.sampled_from(["gemm", "collectives", ""]), st.floats(1e-6, 1.0)), min_size=1, max_size=6))
def test_a_grid_has_the_intervals_of_its_points(parts: list[tuple[str, float]]) -> None:
    grid = [Part(kind=kind, time_s=np.array([time_s, 2e-3]), once_s=np.array([time_s, 2e-3])) for kind, time_s in parts]
    low, high = interval_factors(grid, BANDS, is_step=True)
    alone = interval_factors([part(kind, time_s, time_s) for kind, time_s in parts], BANDS, is_step=True)
    assert np.broadcast_to(low, (2,))[0] == pytest.approx(alone[0], rel=1e-12)
    assert np.broadcast_to(high, (2,))[0] == pytest.approx(alone[1], rel=1e-12)
    assert np.all(np.asarray(low) <= 1)
    assert np.all(np.asarray(high) >= 1)


def test_parts_of_a_time_add_up() -> None:
    assert total_s([part("gemm", 0.5), part("collectives", 0.25)]) == 0.75
    assert total_s([]) == 0


def test_no_band_is_made_of_nonsense() -> None:
    for wrong in ({"below": -0.1}, {"above": math.nan}, {"growth": math.inf}, {"longest_s": 0.0}):
        with pytest.raises(ValueError, match=r"Band: \w+="):
            Band(**{"below": 0.1, "above": 0.1, **wrong})


def test_what_was_measured_is_surer_than_its_family_and_that_than_a_stranger() -> None:
    def width(machine: str) -> float:
        found = estimate(
            deploy(load_model("llama-3.1-70b"), load_machine(machine), Layout(tp=8)),
            decode(batch=64, context_tokens=4000),
        )
        return math.log(found.high_s / found.low_s)

    assert width("h100-sxm") < width("h200-sxm") < width("mi300x")


@of_each("name", machine_ids())
def test_every_machine_says_how_sure_it_is(name: str) -> None:
    measured, roofline = (
        deploy(load_model("llama-3.1-8b"), load_machine(name), fidelity=fidelity).machine.efficiency
        for fidelity in (MEASURED, ROOFLINE)
    )
    bands = measured.bands
    assert 0 < bands[STEP].below < 2
    kernels = measured.kernels
    assert set(bands) == ({STEP} if kernels is None else {STEP, *type(kernels).__dataclass_fields__})
    assert roofline.bands[STEP].below == 0  # no step is faster than its roofline
