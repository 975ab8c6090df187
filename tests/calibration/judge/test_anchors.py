"""What a user measured moves predictions of the same deployment, the more the more there is of it."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.calibration.cases import Case
from ridgeline.calibration.judge.anchors import Anchors, anchored_errors, anchors_of, log_factor, spread_of
from ridgeline.calibration.kinds.predict import predict
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import error_spreads, load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.planner.plan import plan
from ridgeline.specs.correction import NO_CORRECTION
from ridgeline.specs.engine import Spread
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import decode
from ridgeline.specs.workload import Workload

SPREAD = Spread(deployment=0.1, layout=0.1, row=0.05)
VLLM = load_engine("vllm")


def row(quantity: str = "tpot_s", factor: float = 1.2, **facts: Any) -> Case:  # noqa: ANN401  columns
    """A closed loop that took ``factor`` of what is predicted."""
    facts = {
        "model": "llama-3.1-8b",
        "chips": "1",
        "tp": "1",
        "batch": "32",
        "engine": "vllm-0.12",
        "prompt_tokens": "1000",
        "output_tokens": "500",
        "kv_dtype": "bf16",
        **facts,
    }
    case = Case(
        name="mine",
        family="mine",
        kind="closed_loop",
        quantity=quantity,
        machine="h100-sxm",
        measured=1.0,
        **facts,
    )
    engine = None if facts["engine"] else VLLM
    return dataclasses.replace(case, measured=factor * predict(case, {}, MEASURED, engine=engine).value)


def anchors(*cases: Case) -> Anchors:
    return anchors_of(
        cases,
        models={},
        deployment=deploy(load_model("llama-3.1-8b"), load_machine("h100-sxm"), engine=VLLM),
        spreads={"tpot_s": SPREAD, "ttft_s": SPREAD},
    )


@given(st.floats(-1, 1), st.integers(1, 50))
def test_rows_that_agree_move_a_prediction_towards_them_and_never_beyond(moved: float, rows: int) -> None:
    found, left = log_factor(SPREAD, np.ones(rows), np.full(rows, moved), np.ones((rows, rows)))
    # Of one effect known by n rows: its variance over that and a row's n-th part (the mean of normals).
    effect = SPREAD.deployment**2 + SPREAD.layout**2
    assert found == pytest.approx(moved * effect / (effect + SPREAD.row**2 / rows), abs=1e-9)
    assert left == pytest.approx(math.sqrt(1 / (1 / effect + rows / SPREAD.row**2)), rel=1e-6)


def test_another_layout_is_moved_less() -> None:
    same, _ = log_factor(SPREAD, np.ones(2), np.full(2, 0.2), np.ones((2, 2)))
    other, left = log_factor(SPREAD, np.zeros(2), np.full(2, 0.2), np.ones((2, 2)))
    assert 0 < other < same < 0.2
    assert left > log_factor(SPREAD, np.ones(2), np.full(2, 0.2), np.ones((2, 2)))[1]


def test_nothing_measured_moves_nothing() -> None:
    found, left = log_factor(SPREAD, np.empty(0), np.empty(0), np.empty((0, 0)))
    assert found == 0
    assert left == pytest.approx(math.hypot(0.1, 0.1))


def test_the_parts_of_errors_are_told_apart() -> None:
    rng = np.random.default_rng(3)
    errors = []
    for deployment in range(60):
        common = 0.3 * rng.standard_normal()
        for layout in range(4):
            own = 0.15 * rng.standard_normal()
            errors += [(deployment, layout, common + own + 0.05 * rng.standard_normal()) for _ in range(8)]
    found = spread_of(errors)
    # Sixty deployments tell a deviation to about 1/sqrt(2*60) = 9 %; three deviations, the median being less sure.
    assert found.deployment == pytest.approx(0.3, rel=0.35)
    assert found.layout == pytest.approx(0.15, rel=0.35)
    # Medians of eight lie nearer to their rows than means do.
    assert found.row == pytest.approx(0.05, rel=0.2)


def test_anchored_rows_err_less_than_alone() -> None:
    rng = np.random.default_rng(4)
    errors = [(one, 0, 0.3 + 0.05 * rng.standard_normal()) for one in range(10) for _ in range(6)]
    after = [abs(error) for _, error in anchored_errors(errors, lambda _: SPREAD, 3)]
    assert len(after) == len(errors)
    assert np.median(after) < 0.25 * np.median([abs(error) for _, _, error in errors])
    assert anchored_errors(errors[:3], lambda _: SPREAD, 3) == []  # nothing is left to predict


def test_measured_rows_correct_their_own_layout_most() -> None:
    found = anchors(row(), row(batch="64"), row(quantity="ttft_s", factor=0.8))
    one = found.correction(Layout())
    assert 1.15 < one.tpot_factor < 1.2
    assert 0.8 < one.ttft_factor < 0.85
    assert one.rows == 3
    assert one.tpot_width is not None
    assert 1 < found.correction(Layout(tp=2)).tpot_factor < one.tpot_factor
    assert found.unused == ()


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (row(model="llama-3.1-70b", tp="8", chips="8"), "model 'llama-3.1-70b' is not"),
        (row(engine="sglang-0.5.9"), "engine 'sglang' is not 'vllm'"),
        (dataclasses.replace(row(), machine="h200-sxm"), "machine 'h200-sxm' is not"),
        (dataclasses.replace(row(), quantity="total_tokens_per_s"), "corrects no time; closed_loop tpot_s"),
        (dataclasses.replace(row(), measured=None), "nothing was measured"),
        (dataclasses.replace(row(), prompt_tokens=None), "closed_loop rows need prompt_tokens"),
    ],
)
def test_rows_of_something_else_are_named_and_not_used(case: Case, why: str) -> None:
    found = anchors(row(), case)
    assert len(found.moved["tpot_s"]) == 1
    (unused,) = found.unused
    assert re.search(why, unused)


def test_a_row_without_an_engine_is_of_the_one_asked_about() -> None:
    assert anchors(row(engine="")).correction(Layout()).tpot_factor == pytest.approx(
        anchors(row()).correction(Layout()).tpot_factor
    )


def test_a_corrected_estimate_is_so_many_times_the_plain_one() -> None:
    correction = anchors(row(), row(batch="64")).correction(Layout())
    step = decode(batch=32, context_tokens=1250)
    model, machine = load_model("llama-3.1-8b"), load_machine("h100-sxm")
    plain, moved = (
        estimate(deploy(model, machine, Layout(), engine=VLLM, correction=one), step)
        for one in (NO_CORRECTION, correction)
    )
    assert moved.step_time_s == pytest.approx(correction.tpot_factor * plain.step_time_s)
    assert sum(moved.causes.values()) == pytest.approx(moved.step_time_s)
    assert correction.tpot_width is not None
    assert moved.high_s == pytest.approx(moved.step_time_s * math.exp(correction.tpot_width))
    assert moved.high_s / moved.low_s < plain.high_s / plain.low_s  # measuring makes sure


def test_an_imbalance_is_in_what_is_predicted_of_measured_rows_and_not_counted_twice() -> None:
    """Steps that took what is predicted with an imbalance of 3 need no correction at it, and one without it."""
    model, even, layout = load_model("deepseek-v3"), load_machine("h200-sxm"), Layout(dp=8, ep=8)
    uneven = dataclasses.replace(even, efficiency=dataclasses.replace(even.efficiency, expert_imbalance=3.0))
    step = estimate(deploy(model, uneven, layout, engine=VLLM), decode(batch=2048, context_tokens=1000))
    measured = Case(
        name="mine",
        family="mine",
        kind="decode_step",
        quantity="latency_s",
        machine=even.id,
        measured=step.step_time_s,
        model=model.id,
        chips=8,
        dp=8,
        ep=8,
        batch=2048,
        context_tokens=1000,
    )
    moved = [
        anchors_of(
            [measured],
            models={},
            deployment=deploy(model, machine, layout, engine=VLLM),
            spreads={"tpot_s": SPREAD, "ttft_s": SPREAD},
        ).correction(layout)
        for machine in (uneven, even)
    ]
    assert moved[0].tpot_factor == pytest.approx(1)
    assert moved[1].tpot_factor > 1.05


def test_a_plan_takes_what_was_measured_of_each_layout() -> None:
    found = anchors(row())
    workload = Workload(prompt_tokens=1000, output_tokens=500)
    model, machine = load_model("llama-3.1-8b"), load_machine("h100-sxm")
    plain, moved = (
        plan(deploy(model, machine, engine=VLLM), workload, chips=1, corrected=corrected)
        for corrected in (lambda _: NO_CORRECTION, found.correction)
    )
    factor = moved.plans[0].correction.tpot_factor
    assert factor > 1
    at = {one.batch: one.tpot_s for one in plain.front}
    both = [(one.tpot_s, at[one.batch]) for one in moved.front if one.batch in at]
    assert both
    assert [one / other for one, other in both] == pytest.approx([factor] * len(both))


def test_the_catalog_says_what_errors_are_made_of() -> None:
    found = error_spreads()
    assert set(found) == {"tpot_s", "ttft_s"}
    # First tokens hang on queues, which are known less well than steps.
    assert 0 < found["tpot_s"].row < found["ttft_s"].row < 1
