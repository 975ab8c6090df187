"""Traffic over a life, prices and hardware that change in it, a smaller model, and models as they were published."""

from __future__ import annotations

import math

import pytest

import ridgeline
from ridgeline.boards.lecture.training.over_training import BOARD as OVER_TRAINING
from ridgeline.catalog import load_model
from ridgeline.catalog.scaling_laws import power_law
from ridgeline.lifecycle.costs import flop_costs
from ridgeline.lifecycle.demand import Served
from ridgeline.lifecycle.flows import Traffic, revenue_of, served_by
from ridgeline.lifecycle.named import implied_by, published_models, reference_of
from ridgeline.lifecycle.sweeps import level_lines, over_training_curves, share_curves, size_curves

DAY_S = 86400.0
COSTS = flop_costs(rl_flop_per_param=3.0, relative_efficiency_fraction=1 / 3)


@pytest.mark.parametrize(("rate", "tokens"), [(500e6, 2.592e15), (50e6, 259.2e12)])
def test_two_months_of_traffic(rate: float, tokens: float) -> None:
    """C7 and C8."""
    assert served_by(Traffic(tokens_per_s=rate, lifetime_s=60 * DAY_S)).output_tokens == pytest.approx(tokens)


def test_cheaper_hardware_wants_a_smaller_share_of_serving() -> None:
    kept, cheaper = (
        ridgeline.budget(tokens_per_s=50e6, lifetime_s=720 * DAY_S, cheaper_per_year=times, laws=["besiroglu-2024"])
        for times in (1.0, 2.0)
    )
    assert cheaper.asked.served.cost_fraction == pytest.approx(0.545, abs=1e-3)
    assert kept.first is not None
    assert cheaper.first is not None
    assert cheaper.first.active_params > kept.first.active_params
    assert cheaper.first.total_cost < kept.first.total_cost
    assert any("on the mean of the life" in note for note in cheaper.notes)


def test_a_distilled_model_pays_back_by_what_a_token_saves() -> None:
    found = ridgeline.budget(distil=(20e9, 2e12), laws=["besiroglu-2024"])
    best, small = found.first, found.distilled
    assert best is not None
    assert small is not None
    cost = 6 * 20e9 * 2e12 + 2 * best.active_params * 2e12
    assert small.training_cost == pytest.approx(cost)
    assert small.break_even_tokens == pytest.approx(cost / (6 * (best.active_params - 20e9)))
    assert small.break_even_fraction == pytest.approx(small.break_even_tokens / 200e12)


def test_a_distilled_model_saves_on_what_it_reads_too() -> None:
    """At its break-even, with two of each three tokens read: all of its costs equal the teacher's."""
    found = ridgeline.budget(
        served_input_tokens=200e12, served_output_tokens=100e12, distil=(20e9, 2e12), laws=["besiroglu-2024"]
    )
    best, small = found.first, found.distilled
    assert best is not None
    assert small is not None
    read, written = 2 / 3 * small.break_even_tokens, small.break_even_tokens / 3
    costs_of_a_param = 2 * read + 6 * written
    assert small.training_cost + 20e9 * costs_of_a_param == pytest.approx(best.active_params * costs_of_a_param)
    assert small.break_even_fraction == pytest.approx(small.break_even_tokens / 300e12)


def test_tokens_bring_in_their_falling_price_where_the_model_is_deployed() -> None:
    best = ridgeline.budget(laws=["besiroglu-2024"]).first
    assert best is not None
    served = Served(output_tokens=1e12, deployed_fraction=0.5)
    kept, falling = (
        revenue_of(best, served, usd_per_token=2e-6, falls_per_year=times, lifetime_s=365 * DAY_S) for times in (1, 3)
    )
    assert kept.usd == pytest.approx(0.5 * 1e12 * 2e-6)
    assert kept.cost_fraction == pytest.approx(best.total_cost / kept.usd)
    # The mean of 3**-t over a year.
    assert falling.mean_usd_per_token / kept.mean_usd_per_token == pytest.approx((1 - 1 / 3) / math.log(3), rel=2e-3)


@pytest.mark.parametrize(("written", "chance", "price"), [(0.0, 1.0, 1e-6), (1e12, 0.0, 1e-6), (1e12, 1.0, 0.0)])
def test_a_model_that_brings_nothing_in_has_no_revenue(written: float, chance: float, price: float) -> None:
    best = ridgeline.budget(laws=["besiroglu-2024"]).first
    assert best is not None
    served = Served(output_tokens=written, deployed_fraction=chance)
    with pytest.raises(ridgeline.RidgelineError, match="nothing is brought in"):
        revenue_of(best, served, usd_per_token=price, falls_per_year=1.0, lifetime_s=60 * DAY_S)


def test_deepseek_v3_and_llama_stand_where_they_are() -> None:
    """20 and 93 times 20 a parameter; right, by Besiroglu, for what costs 2 and 4.2 times their training.

    14.8 trillion on 37.6 billion active, and 15 trillion on 8.03 billion.
    """
    law = power_law("besiroglu-2024")
    found = {name: implied_by(law, reference_of(load_model(name)), COSTS) for name in ("deepseek-v3", "llama-3.1-8b")}
    v3, llama = found["deepseek-v3"], found["llama-3.1-8b"]
    assert v3 is not None
    assert llama is not None
    assert [v3.later_cost_over_pretraining, llama.later_cost_over_pretraining] == pytest.approx([2.03, 4.21], rel=5e-3)
    assert [v3.output_tokens, llama.output_tokens] == pytest.approx([30e12, 63e12], rel=0.01)
    assert [v3.over_training, llama.over_training] == pytest.approx([20.8, 91.3], rel=5e-3)


@pytest.mark.parametrize("name", ["deepseek-v3", "llama-3.1-8b", "llama-3.1-70b"])
def test_a_model_is_the_cheapest_of_its_loss_where_it_serves_what_it_implies(name: str) -> None:
    law = "besiroglu-2024"
    implied = implied_by(power_law(law), reference_of(load_model(name)), COSTS)
    assert implied is not None
    found = ridgeline.budget(name, served_output_tokens=implied.output_tokens, rl_tokens=0, laws=[law]).by(law).solved
    assert found.best is not None
    assert found.as_asked is not None
    assert found.best.active_params == pytest.approx(found.as_asked.active_params, rel=1e-6)
    assert found.best.over_training == pytest.approx(implied.over_training, rel=1e-5)


def test_models_below_the_optimum_of_training_imply_less_than_nothing() -> None:
    implied = implied_by(power_law("besiroglu-2024"), reference_of(load_model("gpt3-175b")), COSTS)
    assert implied is not None
    assert implied.later_cost_over_pretraining < 0
    assert implied.over_training < 1


def test_pictures_hold_the_best_and_the_models() -> None:
    found = ridgeline.budget(laws=["besiroglu-2024", "hoffmann-2022", "ludziejewski-2025"], rl_tokens=50e12)
    best = found.first
    assert best is not None
    sizes = size_curves(found)
    assert float(sizes.phases.total.min()) == pytest.approx(best.total_cost, rel=1e-4)  # type: ignore[union-attr]
    lines = level_lines(found)
    assert list(lines.costs) == [0.5, 1, 2, 4]
    shares = share_curves(found)
    assert shares.pretraining + shares.rl + shares.serving == pytest.approx(1)
    over = over_training_curves(found)
    assert list(over.by_law) == ["Besiroglu", "Hoffmann"]
    points = {one.name: one for one in over.points}
    assert points["DeepSeek-V3"].over_training == pytest.approx(19.7, abs=0.05)
    assert points["Llama 3.1 8B"].over_training == pytest.approx(93.4, abs=0.05)
    # Where a model stands on the lecture's board, too.
    assert {model.name for model in published_models()} >= set(points)
    assert OVER_TRAINING.name == "over-training"


def test_text_that_is_read_again_is_not_drawn() -> None:
    found = ridgeline.budget(unique_tokens=1e13, laws=["besiroglu-2024"])
    with pytest.raises(ridgeline.RidgelineError, match="no sum of two powers"):
        size_curves(found)
