"""A step of reinforcement learning: what each part follows, and what waits for what."""

from __future__ import annotations

import dataclasses

import pytest
from tests.training.jobs import job

from ridgeline.catalog import load_machine, load_model
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.specs.layout import Layout
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
