"""Requests that arrive at random: the closed form of plans beside the simulator, which plays each of them.

The closed form is of first principles, and nothing in it was fitted to these loads.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from ridgeline.serving.open_curves import open_pools
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import most_sequences
from ridgeline.specs.workload import Workload
from ridgeline.traces.requests import Requests
from ridgeline.verbs import deploy, simulate

QUANTILES = (0.5, 0.9)

NOISE = 0.05
"""Largest standard error of a simulated 90th percentile, over itself, of a run that anything is held against: where
memory is nearly full, it waits for once in a run, and no run of this length knows it."""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """A load by the closed form, over what the simulator found: time per token, and first tokens at ``QUANTILES``."""

    tpot: float
    first: tuple[float, float]
    noise: float


def beside(model: str, machine: str, layout: str, lengths: tuple[int, int], part: float, count: int) -> Beside:
    """Both at a part of what a replica can answer; the first fifth and the last tenth of a run are left out."""
    deployment = deploy(model, machine, layout)
    workload = Workload(prompt_tokens=lengths[0], output_tokens=lengths[1])
    times = pool_times([deployment], workload, most_sequences(deployment, workload))
    pools = open_pools(times, [deployment], workload)
    rate = part * pools.most_per_s
    _, served = simulate(
        deployment,
        Requests(
            arrivals_s=np.cumsum(np.random.default_rng(1).exponential(1 / rate[0], count)),
            prompt_tokens=np.full(count, lengths[0]),
            output_tokens=np.full(count, lengths[1]),
        ),
        has_bands=False,
    )
    kept = slice(count // 5, count - count // 10)
    first_s, tpot_s = served.ttft_s[kept], served.tpot_s[kept]
    found = [pools.curves([rate], quantile)[0] for quantile in QUANTILES]
    ratios = [
        float(closed_s[0] / np.quantile(first_s, quantile))
        for (_, closed_s), quantile in zip(found, QUANTILES, strict=True)
    ]
    late_s = [np.quantile(part_s, 0.9) for part_s in np.array_split(first_s, 8)]
    return Beside(
        tpot=float(found[0][0].tpot_s[0] / tpot_s.mean()),
        first=(ratios[0], ratios[1]),
        noise=float(np.std(late_s) / np.mean(late_s) / np.sqrt(len(late_s))),
    )


def test_first_tokens_near_capacity_are_not_promised_too_soon() -> None:
    """At nine tenths of the load that plans give a replica at most; a run this short is off by some percent itself."""
    found = beside("llama-3.1-8b", "h100-sxm", "tp1", (2000, 300), 0.9, 2500)
    assert found.noise < NOISE
    assert 0.9 < found.first[1] < 1.3
    assert found.tpot == pytest.approx(1, abs=0.05 + found.noise)


CASES = [
    ("llama-3.1-8b", "h100-sxm", "tp1", (1000, 200)),
    ("llama-3.1-8b", "h100-sxm", "tp1", (4000, 500)),
    ("llama-3.1-70b", "h100-sxm", "tp8", (4000, 1000)),
    ("llama-3.1-70b", "h100-sxm", "tp4", (500, 1000)),
    ("llama-3.1-70b", "h100-sxm", "tp4,pp2", (4000, 1000)),
    ("qwen3-32b", "h100-sxm", "tp2", (2000, 500)),
    ("deepseek-v3", "h200-sxm", "tp8", (4000, 500)),
    ("deepseek-v3", "h200-sxm", "ep8,dp8", (8000, 100)),
    ("deepseek-v3", "b200-sxm", "ep8,dp8", (4000, 1000)),
]


@pytest.mark.slow
def test_loads_of_all_kinds_from_a_third_to_nine_tenths_of_capacity() -> None:
    """Medians within 3 % (they were 1 %); near capacity no first token is promised too soon by more than a tenth."""
    found = [(part, beside(*case, part, 12_000)) for case in CASES for part in (0.3, 0.6, 0.9)]
    quiet = [(part, one) for part, one in found if one.noise < NOISE]
    assert len(quiet) > 0.8 * len(found)
    for ratios in ([one.tpot for _, one in quiet], *zip(*[one.first for _, one in quiet], strict=True)):
        assert np.median(np.abs(np.log(ratios))) < 0.03
    near = [one for part, one in quiet if part == 0.9]
    assert all(0.9 < one.first[1] < 1.3 for one in near)
    assert all(abs(np.log(one.tpot)) < 0.1 for _, one in quiet)  # steep near capacity: 1 % of load is 5 % of a token


@pytest.mark.parametrize(
    ("model", "machine", "layout", "lengths", "part"),
    [
        ("llama-3.1-8b", "h100-sxm", "pp2,dp2", (4000, 300), 0.6),
        ("deepseek-v3", "h200-sxm", "pp4,ep4,dp4", (4000, 300), 0.4),
    ],
)
def test_groups_of_a_pipeline_read_prompts_in_as_many_passes_as_there_are_stages(
    model: str, machine: str, layout: str, lengths: tuple[int, int], part: float
) -> None:
    """Times per token were up to 3.5 times too short where prompts of several stages were read as one of each group.

    Prompts of one group are not yet spread by chance: with eight groups a token takes up to a third longer.
    """
    found = beside(model, machine, layout, lengths, part, 3000)
    assert found.tpot == pytest.approx(1, abs=0.15)
