"""Margins that are learnt from models of known size."""

from __future__ import annotations

import numpy as np
import pytest
from frozendict import frozendict
from tests.inversion.lists import DAY

from ridgeline.inversion.assumed import Assumed
from ridgeline.inversion.machines import candidates
from ridgeline.inversion.market import Market, learnt, residuals_at, written
from ridgeline.inversion.priors import priors

LINES = ("input", "output")
BEFORE = Market(lines=LINES, mean=np.array([1.0, 1.0]), covariance=np.eye(2))
TRUE_MEAN, TRUE_COVARIANCE = np.array([0.5, 2.0]), np.array([[0.5, 0.3], [0.3, 0.8]])


def test_many_models_outweigh_what_was_written() -> None:
    drawn = np.random.default_rng(0).multivariate_normal(TRUE_MEAN, TRUE_COVARIANCE, size=4000)
    found = learnt([dict(zip(LINES, row, strict=True)) for row in drawn], BEFORE, models=1.0, freedom=4.0)
    # Three standard errors: 0.9 of the deviation by the root of 4,000.
    np.testing.assert_allclose(found.mean, TRUE_MEAN, atol=0.045)
    np.testing.assert_allclose(found.covariance, TRUE_COVARIANCE, atol=0.055)


def test_a_line_that_half_do_not_sell_is_filled_in_by_what_it_goes_with() -> None:
    """Models with a high first line sell no second one: its mean is not that of those which do."""
    drawn = np.random.default_rng(1).multivariate_normal(TRUE_MEAN, TRUE_COVARIANCE, size=4000)
    rows = [{"input": a} if a > 0.5 else {"input": a, "output": b} for a, b in drawn]
    found = learnt(rows, BEFORE, models=1.0, freedom=4.0)
    there = np.mean([row["output"] for row in rows if "output" in row])
    assert there < 1.8
    np.testing.assert_allclose(found.mean, TRUE_MEAN, atol=0.09)  # of half as many, extrapolated


def test_no_model_leaves_what_was_written_but_for_its_own_doubt() -> None:
    """One model at the written mean: a covariance of four parts of five of the written one, and half as much more."""
    found = learnt([{"input": 1.0, "output": 1.0}], BEFORE, models=1.0, freedom=4.0)
    np.testing.assert_allclose(found.mean, BEFORE.mean)
    np.testing.assert_allclose(found.covariance, np.eye(2) * 4 / 5 * 1.5)


def test_a_residual_is_the_margin_at_the_middle_of_the_priors() -> None:
    known = priors()
    machine = candidates(known.machines_of(""), DAY, known.chances.eight_bits).likeliest()
    assert machine.ids == ("h100-sxm",)
    truth = Assumed(values=frozendict(active_params=1e11, kv_bytes_per_token=1e5), kind="dense")
    cost = 2e11 / (float(machine.flop_per_s[0]) * 0.2100**0.5) * float(machine.usd_per_chip_s[0]) / 0.597494
    found = residuals_at(truth, {"input": 3 * cost}, known, machine)
    assert found["input"] == pytest.approx(np.log(3), abs=1e-3)  # the fractions above have four digits


def test_what_is_written_is_wider_than_margins_alone() -> None:
    known = priors()
    of = candidates(known.machines_of(""), DAY, known.chances.eight_bits)
    found = written(("input", "cached_input"), known, of, of.likeliest())
    margins = np.array([0.6678**2 + 0.3075**2, 0.6678**2 + 0.9446**2])
    assert np.all(np.diag(found.covariance) > 1.1 * margins)
