"""A prefix cache's hits: what is found is not computed, but is attended to, and takes its room."""

from __future__ import annotations

import pytest

from ridgeline.errors import RidgelineError
from ridgeline.estimator.estimate import estimate
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import most_sequences
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import chunk, prefill
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy, fidelity_of, layout_of, load_machine

MODELS = [
    ("llama-3.1-8b", "tp1"),
    ("deepseek-v3", "tp8,ep8"),
    ("deepseek-v3.2", "tp8,ep8"),
    ("qwen3.5-397b-a17b", "tp8,ep8"),
]
each_model = pytest.mark.parametrize(("model", "layout"), MODELS)


def deployed(model: str, layout: str) -> Deployment:
    return deploy(model, load_machine("h200-sxm"), layout_of(layout), fidelity=fidelity_of("roofline"))


@each_model
def test_a_prompt_behind_a_hit_is_a_chunk_behind_what_was_read_before(model: str, layout: str) -> None:
    deployment = deployed(model, layout)
    found = estimate(deployment, prefill(batch=1, prompt_tokens=4000, cached_tokens=6000))
    assert found.step_time_s == estimate(deployment, chunk(batch=1, new_tokens=4000, past_tokens=6000)).step_time_s


@each_model
def test_more_hits_are_never_slower_and_take_as_much_room(model: str, layout: str) -> None:
    deployment = deployed(model, layout)
    loads = [Workload(prompt_tokens=8000, output_tokens=500, hit_fraction=part) for part in (0.0, 0.4, 0.8, 0.99)]
    lone_s = [float(pool_times([deployment], load, 1.0).lone_s[0]) for load in loads]
    assert lone_s == sorted(lone_s, reverse=True)
    assert lone_s[0] > lone_s[-1]
    assert len({most_sequences(deployment, load) for load in loads}) == 1


def test_the_last_token_of_a_prompt_is_always_computed() -> None:
    load = Workload(prompt_tokens=10, output_tokens=5, hit_fraction=0.999)
    assert (load.cached_tokens, load.read_tokens) == (9, 1)
    with pytest.raises(RidgelineError, match="the last token of a prompt is always computed"):
        Workload(prompt_tokens=10, output_tokens=5, hit_fraction=1.0)
