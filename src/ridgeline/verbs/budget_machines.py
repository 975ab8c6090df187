"""A machine's part in a budget: costs of each phase from estimates, and bounds on a model's size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ridgeline.errors import RidgelineError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.verbs.deploying import deploy
from ridgeline.verbs.jobs import train
from ridgeline.verbs.names import Name
from ridgeline.verbs.planning import plan

if TYPE_CHECKING:
    from ridgeline.lifecycle.constraints import MostParams
    from ridgeline.lifecycle.phases import MeasuredPhases

__all__ = ["machine_bounds", "machine_phases"]


def machine_bounds(
    like: Model,
    machine: Machine | None,
    *,
    within_domain: bool,
    tpot_s: float | None,
    context: int,
    kernels: Name | None,
) -> tuple[MostParams, ...]:
    """Bounds that the machine puts on the model's size."""
    from ridgeline.lifecycle.bounds import domain_bound, latency_bound  # noqa: PLC0415

    if not within_domain and tpot_s is None:
        return ()
    if machine is None:
        raise RidgelineError("budget: a scale-up domain and a time per token are a machine's; give one: --on h100-sxm")
    deployment = deploy(like, machine, kernels=kernels)
    found = [domain_bound(deployment)] if within_domain else []
    if tpot_s is not None:
        found.append(latency_bound(deployment, tpot_s=tpot_s, context_tokens=context))
    return tuple(found)


def machine_phases(
    model: Model,
    machine: Machine,
    *,
    run: tuple[int, float],
    lengths: tuple[int, int],
    rl_lengths: tuple[int, int],
    trained_fraction: float,
    usd_per_chip_s: float | None,
    how: dict[str, Any],
) -> MeasuredPhases:
    """Cost of each phase, with the best layouts of training and of serving."""
    from ridgeline.lifecycle.phases import measured_phases  # noqa: PLC0415
    from ridgeline.planner.compare import unserved  # noqa: PLC0415
    from ridgeline.specs.workload import Workload  # noqa: PLC0415

    if not 0 <= trained_fraction <= 1:
        raise RidgelineError(f"budget: trained_fraction={trained_fraction!r} must be from 0 to 1")
    workloads = [Workload(prompt_tokens=prompt, output_tokens=output) for prompt, output in (lengths, rl_lengths)]
    plans = [plan(model, machine, workload, usd_per_chip_s=1.0, **how) for workload in workloads]
    for found in plans:
        if not found.plans:
            raise RidgelineError(
                f"budget: {model.id} is not served by one scale-up domain of {machine.id}: {unserved(found)}; take"
                " another machine, or a smaller model with --like"
            )
    timed = {name: how[name] for name in ("fidelity", "kernels")}
    trained = train(model, machine, chips=run[0], tokens=1e12, batch_tokens=run[1], count=1, **timed)
    price = usd_per_chip_s if machine.tariff is None or usd_per_chip_s is not None else machine.tariff.usd_per_chip_s
    return measured_phases(
        model,
        machine,
        trained=trained.plans[0],
        serving=plans[0].plans[0],
        rollouts=plans[1].plans[0],
        lengths=workloads[1],
        trained_fraction=trained_fraction,
        usd_per_chip_s=price,
    )
