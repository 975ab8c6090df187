"""A step of reinforcement learning: what each part follows, and what waits for what."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.training.jobs import job

from ridgeline.catalog import load_machine, load_model
from ridgeline.equations.rollouts import decay_for_mean
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.timed import launched_operations, time_step, with_engine
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, decode, prefill
from ridgeline.training.rl_step import RlStep, rl_time, rollout_s

STEP = RlStep(
    generation=deploy(load_model("llama-3.1-8b"), load_machine("h100-sxm"), Layout.from_text("tp1")),
    generation_chips=8,
    job=job(layout="dp8", batch=256, sequence_tokens=4096),
    samples=512,
    prompt_tokens=200,
    output_tokens=1500,
    longest_tokens=4000,
)


def changed(**fields: object) -> RlStep:
    return dataclasses.replace(STEP, **fields)  # type: ignore[arg-type]


def test_a_step_is_its_parts_one_after_another_or_the_slower_side() -> None:
    time = rl_time(STEP)
    assert time.step_s == pytest.approx(time.generation_s + time.logprobs_s + time.training_s + time.refit_s)
    together = rl_time(changed(off_policy_steps=1))
    assert together.step_s == pytest.approx(
        max(together.generation_s, together.logprobs_s + together.training_s) + together.refit_s
    )
    # An engine that never runs empty does not wait for its last samples.
    assert together.generation_s < time.generation_s


def test_scoring_twice_is_two_forward_passes() -> None:
    one, two = (rl_time(changed(logprob_passes=passes)).logprobs_s for passes in (1, 2))
    assert two == pytest.approx(2 * one)
    # Forward is a third of a step, a little less beside what an optimizer takes.
    assert 0.25 < one / rl_time(STEP).training_s < 0.34


def test_more_optimizer_steps_and_longer_tails_take_longer() -> None:
    assert rl_time(changed(optimizer_steps=4)).training_s > rl_time(STEP).training_s
    # The same tokens written, with a longer longest sample.
    assert rollout_s(changed(longest_tokens=8000)) > rollout_s(STEP)
    assert rollout_s(changed(samples=1024)) > rollout_s(STEP)


def test_an_engine_that_never_runs_empty_reads_caches_of_all_ages() -> None:
    """A sample in flight has on average E[l^2] / 2 E[l] tokens: longer ones are in flight for longer.

    Lengths are drawn from the density that is cut off at the longest; half of a mean sample would be too few tokens.
    """
    steady = changed(off_policy_steps=1)
    decay = float(decay_for_mean(mean_fraction=1500 / 4000))
    ends = np.random.default_rng(1).uniform(size=400_000)
    lengths = -4000 / decay * np.log(1 - ends * (1 - np.exp(-decay)))
    assert lengths.mean() == pytest.approx(1500, rel=0.01)
    context = 200 + (lengths**2).mean() / (2 * lengths.mean())
    # A replica's 64 samples are all in flight, and each has 1,500 of its tokens written.
    each_step_s = pass_s(steady.generation, decode(batch=64.0, context_tokens=context))
    prompts_s = pass_s(steady.generation, prefill(batch=64.0, prompt_tokens=200))
    assert rollout_s(steady) == pytest.approx(prompts_s + 1500 * each_step_s, rel=2e-3)


def pass_s(deployment: Deployment, pass_: Pass) -> float:
    shares = shares_of(pass_, deployment.layout)
    time_s, _ = time_step(with_engine(launched_operations(deployment, shares), deployment, shares))
    return float(time_s)


def test_samples_that_wait_for_room_take_turns() -> None:
    """Where far more are asked for than memory holds, time is in proportion to samples."""
    many, twice = (rollout_s(changed(samples=samples)) for samples in (20_000, 40_000))
    assert twice / many == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"generation_chips": 0.5}, "no whole number of replicas"),
        ({"output_tokens": 4000}, "must be from 1 to below the longest"),
        ({"output_tokens": 0}, "must be from 1"),
    ],
)
def test_what_makes_no_step_is_refused(fields: dict[str, float], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        changed(**fields)
