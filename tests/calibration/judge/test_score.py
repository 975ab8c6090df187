"""Rows by what is new of them: whether the intervals that are shipped hold them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.split import Split
from ridgeline.calibration.judge.bands import StepError
from ridgeline.calibration.judge.score import score_new
from ridgeline.specs.evidence import Asked, Evidence

RNG = np.random.default_rng(7)
MODELS = [f"model {number}" for number in range(40)]


def error(model: str, log_ratio: float, engine: str) -> StepError:
    case = Case(
        name="made",
        family="made",
        kind="closed_loop",
        quantity="tpot_s",
        machine="h100-sxm",
        model=model,
        engine=f"{engine}-0.18.0",
        measured=1.0,
    )
    asked = Asked(model=model, machine="h100-sxm")
    return StepError(
        case=case, log_ratio=log_ratio, time_s=1.0, predicted_s=math.exp(log_ratio), kernels_width=0.0, asked=asked
    )


def errors(spread: float, engine: str = "vllm") -> dict[str, dict[str, list[StepError]]]:
    rows = [error(model, spread * RNG.standard_normal(), engine) for model in MODELS for _ in range(25)]
    return {engine: {"tpot_s": rows}}


def inside(found: dict[str, dict[str, list[StepError]]]) -> float:
    rows = score_new(Split.MODEL, found, errors(0.1), Evidence(), {})
    return float(np.mean([bool(row.is_inside) for row in rows]))


@pytest.mark.slow
def test_intervals_hold_four_of_five_where_errors_are_as_large_and_fewer_where_they_are_larger() -> None:
    assert inside(errors(0.1)) == pytest.approx(0.8, abs=0.05)  # of a thousand rows
    assert inside(errors(0.2)) < 0.55  # half of the normal distribution lies within 0.64 deviations


@pytest.mark.slow
def test_rows_of_an_engine_that_is_left_out_have_the_intervals_of_its_stand_in() -> None:
    """SGLang stands in for vLLM, with errors half as large."""
    usual = errors(0.1) | errors(0.1, "sglang")
    held = [
        np.mean([bool(row.is_inside) for row in score_new(Split.ENGINE, errors(0.2), usual, Evidence(), factor)])
        for factor in ({}, {"tpot_s": 2.0})
    ]
    assert held[0] < 0.55
    assert held[1] == pytest.approx(0.8, abs=0.05)


@pytest.mark.slow
def test_rows_that_are_never_left_out_are_not_scored() -> None:
    usual = errors(0.1)
    assert score_new(Split.LATER, usual, usual, Evidence(), {}) == []  # 0.18.0 came out before
    assert len(score_new(Split.NOTHING, usual, usual, Evidence(), {})) == len(usual["vllm"]["tpot_s"])


def test_the_end_of_an_interval_is_inside_whichever_way_its_last_bits_are_rounded() -> None:
    """All errors are as large, so that each lies on the end of the interval of the others."""
    usual = {"vllm": {"tpot_s": [error(model, 0.1, "vllm") for model in MODELS]}}
    for size, is_inside in ((0.1, True), (math.nextafter(0.1, 1), True), (0.1 + 1e-8, False)):
        held = {"vllm": {"tpot_s": [error(MODELS[0], size, "vllm")]}}
        assert [row.is_inside for row in score_new(Split.MODEL, held, usual, Evidence(), {})] == [is_inside]
