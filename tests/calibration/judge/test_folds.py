"""Rows are predicted by fits that have not seen them, and bands hold four of five."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from ridgeline.calibration.calibrate import calibrate
from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.blocks import START
from ridgeline.calibration.fit.chip_fit import fit_chips
from ridgeline.calibration.judge.bands import (
    StepError,
    growth_beyond,
    half_width,
    inside_bands,
    own_bands,
    step_width,
    strangers_bands,
)
from ridgeline.calibration.judge.folds import Held, Left, folds, held_out, of_kernels, with_fit
from ridgeline.calibration.judge.score import score
from ridgeline.calibration.kinds.kernel_kinds import gemm, timed_kernel
from ridgeline.calibration.kinds.run import Run
from ridgeline.catalog import load_machine
from ridgeline.catalog.machines import kernels_reference
from ridgeline.estimator.interval import total_s
from ridgeline.numeric import INTERVAL_FRACTION
from ridgeline.specs.band import STEP
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.evidence import Evidence
from ridgeline.specs.fidelity import MEASURED

SHAPES = [(m, n, k) for m in (1, 16, 64, 512, 2048) for n in (1024, 4096, 8192) for k in (1024, 8192)]
NOISE = 0.1


def made(machine: str) -> list[Case]:
    """Products as a machine's kernels would take, and some noise."""
    rng = np.random.default_rng(7)
    cases = []
    for m, n, k in SHAPES:
        case = Case(
            name=f"{m}-{n}-{k}",
            family="made",
            kind="gemm",
            quantity="latency_s",
            machine=machine,
            measured=1.0,
            m=m,
            n=n,
            k=k,
            weight_dtype="bf16",
            activation_dtype="bf16",
        )
        run = Run(case=case, machine=load_machine(machine), fidelity=MEASURED, models={}, engine=IDEAL_ENGINE)
        measured = float(total_s(timed_kernel(run, kernel) for kernel in gemm(run))) * math.exp(
            NOISE * rng.standard_normal()
        )
        cases.append(dataclasses.replace(case, measured=measured))
    return cases


CASES = [*made("h100-sxm"), *made("a100-80-sxm")]


def test_every_row_is_left_out_once_with_its_shape_and_once_with_its_family() -> None:
    found = folds(CASES)
    for left, count in ((Left.SHAPES, 5), (Left.FAMILY, 2)):
        parts = [fold.held for fold in found if fold.left is left]
        assert len(parts) <= count
        assert sorted(place for part in parts for place in part) == list(range(len(CASES)))
    # The same shape on two machines is left out together: one would tell of the other.
    for fold in found:
        if fold.left is Left.SHAPES:
            assert {place + len(SHAPES) for place in fold.held if place < len(SHAPES)} <= fold.held


def test_a_held_row_is_what_the_rest_predicts() -> None:
    fold = folds(CASES)[0]
    rest = [case for place, case in enumerate(CASES) if place not in fold.held]
    machines = with_fit(*fit_chips(rest, reference=kernels_reference))
    for row in held_out(CASES, fold):
        case = CASES[row.place]
        run = Run(case=case, machine=machines(case.machine), fidelity=MEASURED, models={}, engine=IDEAL_ENGINE)
        assert row.predicted == pytest.approx(
            float(total_s(timed_kernel(run, kernel) for kernel in gemm(run))), rel=1e-12
        )
        assert row.time_s == pytest.approx(case.measured)


@pytest.mark.slow
def test_bands_hold_the_noise_that_rows_were_made_with() -> None:
    found = calibrate(CASES, {})
    for machine in ("h100-sxm", "a100-80-sxm"):
        band = found.chips[machine].bands["gemm"]
        # 80 % of normal noise lie within 1.28 deviations; of thirty rows, give or take a third, and a fit's own error.
        assert band.below == band.above
        assert 0.6 * 1.28 * NOISE < band.below < 1.8 * 1.28 * NOISE
        assert band.longest_s == pytest.approx(max(case.measured or 0 for case in CASES if case.machine == machine))
    assert found.shared.bands["gemm"].below >= 0.6 * 1.28 * NOISE
    assert STEP not in found.shared.bands  # no pass was measured
    rows = score(found.cases, found.held, found.steps, found.under_load, Evidence())
    assert len(rows) == len(of_kernels(CASES))
    assert 0.6 < np.mean([bool(row.is_inside) for row in rows]) < 0.95
    assert all(row.stranger_log_ratio is not None for row in rows)


def held(place: int, error: float, *, left: Left = Left.SHAPES, fold: str = "0", beyond: float = 0.0) -> Held:
    return Held(
        place=place,
        left=left,
        fold=fold,
        kind="gemm",
        predicted=1.0,
        log_error=error,
        time_s=1.0,
        beyond=beyond,
    )


def test_a_band_of_a_fold_is_made_of_the_others() -> None:
    rows = [held(place, 0.1, fold="0") for place in range(10)]
    rows += [held(place, 0.5, fold="1") for place in range(10, 20)]
    inside = inside_bands(CASES, rows)
    assert all(inside[place] for place in range(10))  # of errors of 0.5
    assert not any(inside[place] for place in range(10, 20))  # of errors of 0.1


def test_few_rows_make_no_band() -> None:
    rows = [held(place, 0.1) for place in range(9)]
    assert own_bands(CASES, rows, 0.0) == {}
    assert strangers_bands(CASES, [dataclasses.replace(row, left=Left.FAMILY) for row in rows], 0.0) == {}
    assert inside_bands(CASES, rows) == {}


def test_errors_that_grow_with_distance_widen_bands() -> None:
    grown = [
        held(place, 0.1 + 0.2 * beyond, left=Left.LONGEST, beyond=beyond) for place, beyond in enumerate((0, 1, 2))
    ]
    # As a normal error whose mean size grows by 0.2: its 80 % grow by 1.28 / 0.80 of that.
    assert growth_beyond(CASES, grown) == pytest.approx(0.2 * 1.2816 / 0.7979, rel=1e-4)  # to the digits written
    flat = [dataclasses.replace(row, log_error=0.1) for row in grown]
    assert growth_beyond(CASES, flat) == pytest.approx(0, abs=1e-12)


def test_what_a_step_adds_makes_four_of_five_fit() -> None:
    errors = [(error, 0.1) for error in np.linspace(-1, 1, 101)]
    rows = [
        StepError(case=CASES[0], log_ratio=float(error), time_s=1.0, predicted_s=1.0, kernels_width=width)
        for error, width in errors
    ]
    width = step_width({"one": rows})
    inside = np.mean([abs(error) <= math.hypot(width, kernels) + 1e-12 for error, kernels in errors])
    assert inside == pytest.approx(INTERVAL_FRACTION, abs=0.011)  # one row of 101 more or less
    sure = [dataclasses.replace(row, kernels_width=2.0) for row in rows]
    assert step_width({"one": sure}) == 0
    assert step_width({}) == 0


def test_four_of_five_errors_lie_within_the_half_width() -> None:
    errors = list(np.linspace(-1, 1, 201))
    assert np.mean(np.abs(errors) <= half_width(errors)) == pytest.approx(INTERVAL_FRACTION, abs=0.01)


def test_kernels_of_a_fit_replace_the_catalogs() -> None:
    shared, chips = fit_chips(made("h100-sxm"), reference=kernels_reference)
    machines = with_fit(shared, chips)
    assert machines("h100-sxm").efficiency.kernels == chips["h100-sxm"].kernels
    assert machines("h200-sxm").efficiency.kernels == chips["h100-sxm"].kernels
    assert machines("a100-80-sxm").efficiency.kernels == shared.kernels
    assert machines("tpu-v4").efficiency.kernels is None
    assert shared.kernels != START
