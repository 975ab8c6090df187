"""Costs of phases on a machine: reinforcement learning through the serving estimate and the training step."""

from __future__ import annotations

import pytest

import ridgeline
from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.parameters import active_params
from ridgeline.lifecycle.answer import Budget
from ridgeline.lifecycle.bounds import domain_bound, latency_bound
from ridgeline.verbs import deploy


@pytest.fixture(scope="module")
def found() -> Budget:
    return ridgeline.budget(
        machine="h100-sxm",
        like="llama-3.1-8b",
        train_chips=64,
        batch_tokens=2**22,
        laws=["besiroglu-2024"],
        rl_tokens=0,
    )


@pytest.mark.slow
def test_phases_are_what_the_verbs_say(found: Budget) -> None:
    phases = found.phases
    assert phases is not None
    trained = ridgeline.train("llama-3.1-8b", "h100-sxm", chips=64, tokens=1e12, batch_tokens=2**22).plans[0]
    assert phases.pretraining.chip_s_per_token == pytest.approx(64 / trained.tokens_per_s)
    served = ridgeline.plan("llama-3.1-8b", "h100-sxm", prompt_tokens=4000, output_tokens=1000).plans[0]
    price = load_machine("h100-sxm").tariff
    assert price is not None
    assert served.usd_per_output_token is not None
    assert phases.output.chip_s_per_token == pytest.approx(served.usd_per_output_token / price.usd_per_chip_s)
    assert phases.pretraining.mfu_fraction > phases.output.mfu_fraction
    assert 0 < phases.rollout.mfu_fraction < phases.pretraining.mfu_fraction
    # Two forward passes to score, and the step: four thirds of that and a third more.
    assert phases.learning.chip_s_per_token == pytest.approx(5 / 3 * phases.pretraining.chip_s_per_token)


def test_costs_are_dollars_of_the_same_chip_seconds(found: Budget) -> None:
    hours = ridgeline.budget(
        machine="h100-sxm",
        like="llama-3.1-8b",
        train_chips=64,
        batch_tokens=2**22,
        laws=["besiroglu-2024"],
        rl_tokens=0,
        unit="chip_s",
    )
    assert found.first is not None
    assert hours.first is not None
    assert found.phases is not None
    assert found.phases.usd_per_chip_s is not None
    assert found.first.total_cost == pytest.approx(hours.first.total_cost * found.phases.usd_per_chip_s)
    assert found.first.active_params == pytest.approx(hours.first.active_params)
    params = float(active_params(load_model("llama-3.1-8b")))
    assert hours.asked.costs.pretraining == pytest.approx(found.phases.pretraining.chip_s_per_token / params)


def test_rl_that_trains_on_fewer_samples_is_cheaper_and_never_free(found: Budget) -> None:
    some = ridgeline.budget(
        machine="h100-sxm",
        like="llama-3.1-8b",
        train_chips=64,
        batch_tokens=2**22,
        laws=["besiroglu-2024"],
        trained_fraction=0.0,
    )
    assert some.phases is not None
    assert found.phases is not None
    assert some.phases.rl_chip_s_per_token == pytest.approx(some.phases.rollout.chip_s_per_token)
    assert found.phases.rl_flop_over_efficiency > some.phases.rl_flop_over_efficiency > 2


def test_a_domain_bounds_the_weights_and_a_time_per_token_the_depth() -> None:
    deployment = deploy("llama-3.1-70b", "h100-sxm")
    held = domain_bound(deployment)
    assert held.total == pytest.approx(0.9 * 8 * 85.5e9 / 2, rel=0.05)
    slow, fast = (latency_bound(deployment, tpot_s=tpot_s, context_tokens=1000) for tpot_s in (0.02, 0.01))
    assert fast.active < slow.active
    assert slow.active / fast.active == pytest.approx(2, rel=0.15)  # steps are nearly in proportion to depth
    with pytest.raises(ridgeline.RidgelineError, match="no model like llama"):
        latency_bound(deployment, tpot_s=1e-4, context_tokens=1000)


def test_a_model_that_is_not_served_there_is_refused() -> None:
    with pytest.raises(ridgeline.RidgelineError, match="--like"):
        ridgeline.budget(machine="a100-40-sxm", like="deepseek-v3", train_chips=2048)
