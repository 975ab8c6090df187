"""Layouts searched for a workload in two pools, one for prefill and one for decode."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.expert_load import ExpertLoad
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.speculation import Speculation
from ridgeline.specs.workload import Workload
from ridgeline.verbs.deploying import deploy
from ridgeline.verbs.names import Name, layout_of, workload_given
from ridgeline.verbs.speculations import speculations_of

if TYPE_CHECKING:
    from ridgeline.planner.two_pools.outcome import TwoPools

__all__ = ["pair_pools", "plan_two_pools"]


def plan_two_pools(
    model: Model | Name,
    machines: Machine | Name | Sequence[Machine | Name],
    workload: Workload | None = None,
    *,
    prompt_tokens: int | None = None,
    output_tokens: int | None = None,
    tpot_s: float | None = None,
    ttft_s: float | None = None,
    hit_fraction: float | None = None,
    chips: int | None = None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    usd_per_chip_s: float | None = None,
    weights: str | None = None,
    kv: str | None = None,
    expert_imbalance: float | None = None,
    expert_load: ExpertLoad | str | None = None,
    why_not: tuple[Layout | str, Layout | str] | None = None,
    speculate: Speculation | str | Sequence[Speculation | str] | None = None,
) -> TwoPools:
    """Search for a prefill pool and a decode pool, as ``ridgeline plan --pools 2`` does.

    Args:
        model: catalog id, path or record of the model; arguments not listed here are those of ``plan``.
        machines: machines that either pool may run on; one, or several.
        workload: lengths of requests and limits on their latency; or the next five instead.
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        tpot_s: longest time per output token, s; None for no limit.
        ttft_s: longest time to the first token, transfer of the cache included, s; None for no limit.
        hit_fraction: part of a prompt that the prefix cache has, so that it is not computed; left out, none.
        chips: budget of both pools; left out, one scale-up domain of the first machine, or what the load needs or the
            power feeds.
        demand: load to serve; a batch is that of a decode replica.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record.
        kernels: profile or folder of the user's own calibration.
        usd_per_chip_s: price of a chip of any machine, $/s; left out, the catalog's of each.
        weights: number format of the layers' weights instead of the published one; "auto" searches all that chip and
            engine have, for each pool separately.
        kv: number format of the KV cache instead of the published one.
        expert_imbalance: tokens of the busiest group of experts, over its expected tokens with even, independent
            routing.
        expert_load: distribution of tokens over experts: "uniform", "zipf:0.5", a path or a record.
        why_not: layouts of both pools, prefill first, for which to state why they are not the plan.
        speculate: kind of draft and number of draft tokens, as in ``plan``; of several, the cheapest.

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.

    >>> found = plan_two_pools("llama-3.1-8b", "h100-sxm", prompt_tokens=1000, output_tokens=200, chips=8)
    >>> found.plans[0].prefill.chips + found.plans[0].decode.chips <= 8
    True
    """
    named = [machines] if isinstance(machines, (Machine, str, os.PathLike)) else list(machines)
    deployments = [
        deploy(
            model,
            machine,
            fidelity=fidelity,
            engine=engine,
            kernels=kernels,
            weights=None if weights == "auto" else weights,
            kv=kv,
            expert_imbalance=expert_imbalance,
            expert_load=expert_load,
        )
        for machine in named
    ]
    return pair_pools(
        deployments,
        workload_given(workload, prompt_tokens, output_tokens, tpot_s, ttft_s, hit_fraction),
        speculations_of(speculate, deployments[0].model, deployments[0].machine),
        weights=weights,
        chips=chips,
        demand=demand,
        usd_per_chip_s=usd_per_chip_s,
        why_not=None if why_not is None else (layout_of(why_not[0]), layout_of(why_not[1])),
    )


def pair_pools(
    deployments: Sequence[Deployment],
    workload: Workload,
    speculations: Sequence[Speculation],
    *,
    weights: str | None = None,
    chips: int | None = None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    usd_per_chip_s: float | None = None,
    why_not: tuple[Layout, Layout] | None = None,
) -> TwoPools:
    """``plan_two_pools`` of given deployments, such as of machines with different engines.

    Args:
        deployments: deployments that either pool may use, one per machine.
        workload: lengths of requests and limits on their latency.
        speculations: drafts to search; of several, the cheapest.
        weights: number format as in ``plan_two_pools``; arguments not listed here are the same, too.
        chips: budget of both pools.
        demand: load to serve; a batch is that of a decode replica.
        usd_per_chip_s: price of a chip of any machine, $/s; left out, the catalog's of each.
        why_not: layouts of both pools, prefill first, for which to state why they are not the plan.

    Raises:
        RidgelineError: a number or a combination is invalid; the message says what to give instead.
    """
    from ridgeline.planner.two_pools.drafts import with_each_draft  # noqa: PLC0415
    from ridgeline.planner.two_pools.search import plan_two_pools as search  # noqa: PLC0415

    return with_each_draft(
        deployments,
        speculations,
        lambda each: search(
            each,
            each,
            workload,
            weights=weights,
            chips=chips,
            demand=demand,
            usd_per_chip_s=usd_per_chip_s,
            why_not=why_not,
        ),
        has_load=demand.has_load,
    )
