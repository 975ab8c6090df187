"""What a pool's time is spent on, prompts or tokens: the split that dollars, joules and elasticities are by."""

from __future__ import annotations

import numpy as np
import pytest
from tests.agreement.test_simulator_loop import in_loop

from ridgeline.estimator.timing import Cause
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.pool import causes_per_request, pool_curves
from ridgeline.specs.workload import Workload
from ridgeline.verbs import deploy

SPREAD = 0.08
"""Part of the time by which both may differ: the closed form takes the mean batch and prompts as they come on the mean,
and was up to 0.065 above the simulator, whose first prompts are read together."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "machine", "layout", "of_a_group", "prompt", "output", "waits"),
    [
        ("llama-3.1-8b", "h100-sxm", "tp1", 64, 1000, 300, False),
        ("llama-3.1-70b", "h100-sxm", "tp4,pp2", 64, 2000, 500, False),
        ("llama-3.1-70b", "h100-sxm", "tp8", 1, 100_000, 1000, False),
        ("llama-3.1-70b", "h100-sxm", "tp8", 2, 100_000, 1000, False),
        ("deepseek-v3", "h200-sxm", "tp8,ep8", 64, 2000, 500, False),
        ("deepseek-v3", "gb200-nvl72", "ep8,dp8", 17, 4000, 1000, True),
        ("deepseek-v3", "h200-sxm", "ep16,dp16", 16, 4000, 500, True),
    ],
)
def test_prompts_take_the_part_of_the_time_that_they_take_when_each_request_is_played(
    model: str, machine: str, layout: str, of_a_group: int, prompt: int, output: int, *, waits: bool
) -> None:
    deployment = deploy(model, machine, layout, engine="vllm")
    workload = Workload(prompt_tokens=prompt, output_tokens=output)
    times = pool_times([deployment], workload, float(of_a_group))
    (curve,) = pool_curves(times, [deployment], workload, [np.array([float(of_a_group)])])
    passes = pool_passes(deployment, workload, float(of_a_group))
    rate = float(curve.requests_per_s[0])
    decode, prefill = causes_per_request(passes, times, curve, 0, requests_per_s=rate)
    played, *_ = in_loop(deployment, of_a_group * deployment.layout.dp, prompt, output)
    assert rate * sum(prefill.values()) == pytest.approx(played.reading_fraction, abs=SPREAD)
    assert sum(decode.values()) + sum(prefill.values()) == pytest.approx(1 / rate, rel=1e-12)
    assert 1 - curve.decode_fraction(passes.decode_steps)[0] == pytest.approx(rate * sum(prefill.values()), rel=1e-12)
    assert (prefill[Cause.GROUPS] > 0) == waits
