"""Layouts searched for a workload in one pool, and what one layout serves."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ridgeline.errors import RidgelineError
from ridgeline.specs.correction import Correction
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
from ridgeline.verbs.names import Name, deployment_given, layout_of, workload_given
from ridgeline.verbs.speculations import speculations_of
from ridgeline.verbs.unserved import NoPlans

if TYPE_CHECKING:
    from ridgeline.planner.expect import Expectation
    from ridgeline.planner.outcome import Planning

__all__ = ["expect", "plan"]


def plan(
    model: Model | Name,
    machine: Machine | Name,
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
    why_not: Layout | str | None = None,
    corrected: Callable[[Layout], Correction] | None = None,
    speculate: Speculation | str | Sequence[Speculation | str] | None = None,
) -> Planning:
    """Search layouts and batches for the cheapest ways to serve a model, as ``ridgeline plan`` does.

    Args:
        model: catalog id, path or record of the model that is served.
        machine: catalog id, path or record of the machine; several are planned one by one, and two pools over them by
            ``plan_two_pools``.
        workload: lengths of requests and limits on their latency; or the next five instead.
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        tpot_s: longest time per output token, s; None for no limit.
        ttft_s: longest time to the first token in an idle system, s; None for no limit.
        hit_fraction: part of a prompt that the prefix cache has, so that it is not computed; left out, none.
        chips: budget of chips for all replicas together; left out, one scale-up domain, or as many as
            the load needs or the power feeds.
        demand: users or requests per second to serve with as few chips as possible, or a batch, and the certainty with
            which limits must be kept; left out, as much as the budget gives.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, the command line's default: "vllm" where numbers of kernels are known, else
            "ideal". The notes of the result name it.
        kernels: profile or folder of the user's own calibration, for the machine, and for an engine given by name.
        usd_per_chip_s: price of a chip, $/s; left out, the catalog's.
        weights: number format of the layers' weights instead of the published one, or "auto" for all that the chip has.
        kv: number format of the KV cache instead of the published one.
        expert_imbalance: tokens of the busiest group of experts, over its expected tokens with even, independent
            routing.
        expert_load: distribution of tokens over experts: "uniform", "zipf:0.5", a path or a record.
        why_not: a layout, or its text, for which to state why it is not the plan.
        corrected: function from a layout to its correction by measurements.
        speculate: kind of draft and number of draft tokens: "mtp:3", "eagle3:3=2.4" (``speculation_of``); several from
            which the search chooses, or "auto" for none and all that were measured with the model.

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.

    >>> found = plan("llama-3.1-8b", "h100-sxm", prompt_tokens=1000, output_tokens=200, chips=1)
    >>> str(found.plans[0].layout), found.notes[-1].split(" of ")[0]
    ('tp1', 'engine vllm 0.22.0')
    """
    # Imported here: other verbs load faster without these modules.
    from ridgeline.planner import plan as search  # noqa: PLC0415

    if isinstance(machine, (list, tuple)):
        raise RidgelineError(
            "plan: several machines are planned one by one, as --on A --on B does: found = {one: plan(model, one, ...)"
            " for one in machines}; the cheapest has the least found[one].usd_per_chip_s"
            " * found[one].plans[0].paid_chip_s_per_request"
        )
    if not isinstance(demand, Demand):
        raise RidgelineError(
            f"plan: demand {demand!r} is no Demand; give Demand(requests_per_s=20.0) or Demand(users=64)"
        )
    deployment = deploy(
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
    speculations = speculations_of(speculate, deployment.model, deployment.machine)
    workload = workload_given(workload, prompt_tokens, output_tokens, tpot_s, ttft_s, hit_fraction)

    def of_budget(chips: int | None) -> Planning:
        return search.plan(
            dataclasses.replace(deployment, speculation=speculations[0]),
            workload,
            weights=weights,
            chips=chips,
            demand=demand,
            usd_per_chip_s=usd_per_chip_s,
            why_not=None if why_not is None else layout_of(why_not),
            corrected=search.uncorrected if corrected is None else corrected,
            speculations=speculations,
        )

    found = of_budget(chips)
    return found if found.plans else dataclasses.replace(found, plans=NoPlans(partial(_unserved, found, of_budget)))


def _unserved(found: Planning, search: Callable[[int], Planning]) -> str:
    """Clause on the layout that is nearest to serving, and how many chips are enough where memory is all that lacks."""
    # Imported here: other verbs load faster without these modules.
    from ridgeline.planner.chip_steps import least_chips  # noqa: PLC0415
    from ridgeline.planner.compare import remedy  # noqa: PLC0415

    enough = least_chips(found, search)
    return remedy(found) + ("" if enough is None else f"; chips={enough} {'is' if enough == 1 else 'are'} enough")


def expect(
    deployment: Deployment, *, prompt_tokens: int, output_tokens: int, users: int, measured_tpot_s: float | None = None
) -> Expectation:
    """Expected times of a deployment, beside a measured time per token, as ``ridgeline expect`` has them.

    Args:
        deployment: deployment that was measured, from ``deploy``.
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        users: users of one replica, each of whom asks again as soon as answered.
        measured_tpot_s: measured mean time per output token, s; None for the expected times alone.

    Raises:
        RidgelineError: a number is invalid, or the deployment cannot run; the message says what to give instead.

    >>> found = expect(
    ...     deploy("llama-3.1-70b", "h100-sxm", "tp8"),
    ...     prompt_tokens=1000,
    ...     output_tokens=1000,
    ...     users=64,
    ...     measured_tpot_s=0.031,
    ... )
    >>> found.ratio > 1
    True
    """
    from ridgeline.planner import expect as judge  # noqa: PLC0415

    workload = Workload(prompt_tokens=prompt_tokens, output_tokens=output_tokens)
    return judge.expect(deployment_given(deployment, "expect"), workload, users=users, measured_tpot_s=measured_tpot_s)
