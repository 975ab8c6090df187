"""Rows by what is new of them: whether the intervals that are shipped hold them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.load_fit import Split
from ridgeline.calibration.judge.bands import StepError
from ridgeline.calibration.judge.score import score_new

RNG = np.random.default_rng(7)
MODELS = [f"model {number}" for number in range(40)]


def error(model: str, log_ratio: float) -> StepError:
    case = Case(
        name="made",
        family="made",
        kind="closed_loop",
        quantity="tpot_s",
        machine="h100-sxm",
        model=model,
        engine="vllm-0.18.0",
        measured=1.0,
    )
    return StepError(case=case, log_ratio=log_ratio, time_s=1.0, predicted_s=math.exp(log_ratio), kernels_width=0.0)


def errors(spread: float) -> dict[str, dict[str, list[StepError]]]:
    return {"vllm": {"tpot_s": [error(model, spread * RNG.standard_normal()) for model in MODELS for _ in range(25)]}}


def test_intervals_hold_four_of_five_where_errors_are_as_large_and_fewer_where_they_are_larger() -> None:
    usual, larger = errors(0.1), errors(0.2)
    held = {
        widening: np.mean([row.is_inside for row in score_new(Split.MODEL, larger, usual, {"tpot_s": widening})])
        for widening in (1.0, 2.0)
    }
    assert held[2.0] == pytest.approx(0.8, abs=0.04)  # of a thousand rows, three deviations
    assert held[1.0] < 0.55  # half of the normal distribution lies within 0.64 deviations
    same = score_new(Split.MODEL, usual, usual, {})
    assert np.mean([row.is_inside for row in same]) == pytest.approx(0.8, abs=0.04)


def test_rows_that_are_never_left_out_are_not_scored() -> None:
    usual = errors(0.1)
    assert score_new(Split.LATER, usual, usual, {}) == []  # 0.18.0 came out before
    assert len(score_new(Split.NOTHING, usual, usual, {})) == len(usual["vllm"]["tpot_s"])
