"""Bands of a law whose paper prints errors."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import ridgeline
from ridgeline.catalog.scaling_laws import power_law
from ridgeline.lifecycle.asked import Asked
from ridgeline.lifecycle.budget import solve
from ridgeline.lifecycle.constraints import MostParams, UniqueText
from ridgeline.lifecycle.costs import flop_costs
from ridgeline.lifecycle.demand import Learning, ServedTokens
from ridgeline.lifecycle.goal import AsGoodAs, AtCost, AtLoss
from ridgeline.lifecycle.uncertainty import Bands, bands_of, drawn

LAW = power_law("besiroglu-2024")
ASKED = Asked(
    goal=AsGoodAs(params=100e9, tokens=200e12),
    costs=flop_costs(rl_flop_per_param=3.0, relative_efficiency_fraction=1 / 3),
    served=ServedTokens(output_tokens=200e12),
    learning=Learning(tokens=0.0),
)


def _bands(asked: Asked, *, draws: int = 2000, seed: int = 0) -> Bands:
    found = bands_of(LAW, asked, draws=draws, seed=seed)
    assert found is not None
    return found


def test_draws_scatter_by_the_printed_errors() -> None:
    """A tenth of an error, of 20,000 draws."""
    law, errors = drawn(LAW, draws=20_000, seed=3), LAW.errors
    assert errors is not None
    for name in ("irreducible_loss", "params_power", "tokens_power"):
        values = np.asarray(getattr(law, name))
        assert values.std() == pytest.approx(getattr(errors, name), rel=0.03)
        assert values.mean() == pytest.approx(getattr(LAW.coefficients, name), abs=0.03 * getattr(errors, name))
    logs = np.log(np.asarray(law.params_factor))
    assert logs.std() == pytest.approx(errors.params_factor / LAW.coefficients.params_factor, rel=0.03)
    assert np.corrcoef(logs, np.asarray(law.params_power))[0, 1] == pytest.approx(1)


@pytest.mark.parametrize(
    "goal", [ASKED.goal, AtLoss(loss=1.9), AtLoss(loss=2.0), AtCost(cost=1e26)], ids=lambda goal: type(goal).__name__
)
def test_a_band_lies_around_the_answer(goal: AsGoodAs | AtLoss | AtCost) -> None:
    asked = dataclasses.replace(ASKED, goal=goal)
    best, bands = solve(LAW, asked).best, _bands(asked)
    assert best is not None
    for name in ("active_params", "tokens", "loss", "total_cost", "over_training"):
        band = getattr(bands, name)
        assert band.low <= getattr(best, name) * (1 + 1e-9)
        assert getattr(best, name) <= band.high * (1 + 1e-9)
    assert bands.pretraining.low < best.shares.pretraining < bands.pretraining.high
    assert 0.5 < bands.answered_fraction <= 1


def test_bands_are_reproducible_and_settle() -> None:
    assert _bands(ASKED) == _bands(ASKED)
    some, other = (_bands(ASKED, draws=4000, seed=seed).tokens for seed in (1, 2))
    width = some.high - some.low
    assert [some.low, some.high] == pytest.approx([other.low, other.high], abs=0.1 * width)


def test_a_bound_holds_in_every_draw() -> None:
    bounded = dataclasses.replace(ASKED, bounds=(MostParams(total=110e9, why="a room"),))
    assert _bands(bounded).active_params.high == pytest.approx(110e9)
    assert _bands(bounded).tokens.median > _bands(ASKED).tokens.median


def test_there_is_no_band_without_errors_or_where_text_is_read_again() -> None:
    assert bands_of(power_law("hoffmann-2022"), ASKED, draws=10, seed=0) is None
    assert bands_of(LAW, dataclasses.replace(ASKED, unique=UniqueText(tokens=1e13)), draws=10, seed=0) is None
    with pytest.raises(ridgeline.RidgelineError, match="prints no errors"):
        drawn(power_law("hoffmann-2022"), draws=10, seed=0)


def test_laws_that_disagree_are_shown_to() -> None:
    found = ridgeline.budget(laws=["hoffmann-2022", "besiroglu-2024", "clark-2022"], rl_tokens=0)
    ratio = found.answers[0].solved.best, found.answers[1].solved.best
    assert ratio[0] is not None
    assert ratio[1] is not None
    assert found.spread["tokens"] == pytest.approx(ratio[0].tokens / ratio[1].tokens)
    assert ridgeline.budget(laws=["hoffmann-2022"]).spread == {}
