"""Possible deviations from the description of a deployment that is slower or faster than expected."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from ridgeline.catalog.acceptance import accepted, usual_accepted
from ridgeline.estimator.drafts import named_draft
from ridgeline.estimator.engine_support import format_faults
from ridgeline.estimator.parameters import main_format
from ridgeline.estimator.precision import precision_on
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.number_format import number_format
from ridgeline.specs.precision import Precision
from ridgeline.specs.speculation import Speculation
from ridgeline.specs.workload import Workload

__all__ = ["MORE", "SUSPECTS", "Run", "Suspect"]

WIDE = "bf16"
NARROW = "fp8"
THROTTLED = 0.8
"""Fraction of its peaks at which a chip runs when short of power or too warm."""
IMBALANCE = 1.5
"""Load of the busiest group of experts over the mean, with traffic of one kind."""
MORE = 2
DRAFTED = 3
"""Draft tokens of a step: of so many nearly all measured drafts say what a step adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A deployment under load, as described by its user.

    Attributes:
        deployment: deployment that serves.
        workload: lengths of requests.
        users: users in a closed loop, who ask again as soon as they are answered.
        reads_prompts: whether prompts are read, and not found in a prefix cache.
    """

    deployment: Deployment
    workload: Workload
    users: float
    reads_prompts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """One possible deviation.

    Attributes:
        cause: description in a few words.
        check: advice on how to find out.
        changed: run with the deviation; None where it is not possible.
    """

    cause: str
    check: str
    changed: Callable[[Run], Run | None]


def _deployed(run: Run, deployment: Deployment) -> Run | None:
    """The run with another deployment; None where that is the same one."""
    return None if deployment == run.deployment else dataclasses.replace(run, deployment=deployment)


def _formats(run: Run, *, weights: str | None = None, kv: str | None = None) -> Run | None:
    """The run with other formats; None where the chip runs them as those described, or the engine does not."""
    deployment = run.deployment
    found: Precision = precision_on(deployment.model, deployment.machine.chip, weights=weights, kv=kv)[0]
    kept = (
        dataclasses.replace(deployment.precision, kv=found.kv)
        if kv
        else dataclasses.replace(found, kv=deployment.precision.kv)
    )
    if format_faults(deployment.engine, deployment.machine, kept):
        return None
    return _deployed(run, dataclasses.replace(deployment, precision=kept))


def _narrow(run: Run) -> Run | None:
    """The run with weights of 8 bits; None where they are as narrow."""
    run_in = number_format(main_format(run.deployment.model, run.deployment.precision))
    return _formats(run, weights=NARROW) if run_in.value_bits > number_format(NARROW).value_bits else None


def _drafted(run: Run) -> Run | None:
    """The run with drafts; None where there are some, and where they are not timed: in stages, or in a whole pass."""
    deployment = run.deployment
    if deployment.speculation or deployment.layout.pp > 1 or not deployment.fidelity.by_operation:
        return None
    draft = named_draft("mtp" if deployment.model.predicts_ahead else "eagle3", deployment.model)
    added = accepted(deployment.model.id, draft.name, DRAFTED) or usual_accepted(DRAFTED)
    speculation = Speculation(draft=draft, drafted_tokens=DRAFTED, accepted_tokens=added)
    return _deployed(run, dataclasses.replace(deployment, speculation=speculation))


def _eager(run: Run) -> Run | None:
    engine = run.deployment.engine
    options = dataclasses.replace(engine.options, replays_graphs=False)
    return _deployed(run, dataclasses.replace(run.deployment, engine=dataclasses.replace(engine, options=options)))


def _not_overlapped(run: Run) -> Run | None:
    engine = run.deployment.engine
    options = dataclasses.replace(engine.options, overlaps_host=False)
    return _deployed(run, dataclasses.replace(run.deployment, engine=dataclasses.replace(engine, options=options)))


def _over_the_network(run: Run) -> Run | None:
    """The run with a replica's messages at the rate of the outermost links."""
    machine = run.deployment.machine
    inner, outer = machine.fabric[0], machine.fabric[-1]
    if run.deployment.layout.chips == 1 or outer.bytes_per_s >= inner.bytes_per_s:
        return None
    fabric = (dataclasses.replace(inner, bytes_per_s=outer.bytes_per_s), *machine.fabric[1:])
    return _deployed(run, dataclasses.replace(run.deployment, machine=dataclasses.replace(machine, fabric=fabric)))


def _throttled(run: Run) -> Run | None:
    machine = run.deployment.machine
    rates = {name: THROTTLED * rate for name, rate in machine.chip.flop_per_s.items()}
    chip = dataclasses.replace(machine.chip, flop_per_s=rates, hbm_bytes_per_s=THROTTLED * machine.chip.hbm_bytes_per_s)
    return _deployed(run, dataclasses.replace(run.deployment, machine=dataclasses.replace(machine, chip=chip)))


def _uneven_experts(run: Run) -> Run | None:
    """The run with more than an even load on the busiest chip's experts."""
    deployment = run.deployment
    efficiency = deployment.machine.efficiency
    if not deployment.model.is_routed or deployment.layout.ep == 1 or efficiency.expert_imbalance >= IMBALANCE:
        return None
    machine = deployment.machine.with_efficiency(dataclasses.replace(efficiency, expert_imbalance=IMBALANCE))
    return _deployed(run, dataclasses.replace(deployment, machine=machine))


def _more_users(run: Run) -> Run:
    return dataclasses.replace(run, users=MORE * run.users)


def _fewer_users(run: Run) -> Run | None:
    return None if run.users < MORE else dataclasses.replace(run, users=run.users // MORE)


def _longer_prompts(run: Run) -> Run:
    workload = dataclasses.replace(run.workload, prompt_tokens=MORE * run.workload.prompt_tokens)
    return dataclasses.replace(run, workload=workload)


def _shorter_answers(run: Run) -> Run | None:
    """The run with twice as many prompts for each output token."""
    if run.workload.output_tokens < 2 * MORE:
        return None
    return dataclasses.replace(
        run, workload=dataclasses.replace(run.workload, output_tokens=run.workload.output_tokens // MORE)
    )


def _cached_prompts(run: Run) -> Run | None:
    return dataclasses.replace(run, reads_prompts=False) if run.reads_prompts else None


SUSPECTS = (
    Suspect(
        cause="steps are launched kernel by kernel",
        check="look for --enforce-eager or --disable-cuda-graph, and for batches above the largest captured one",
        changed=_eager,
    ),
    Suspect(
        cause="the host schedules while the chips wait",
        check="look whether overlapped or asynchronous scheduling is on, and whether a slow CPU or Python holds it up",
        changed=_not_overlapped,
    ),
    Suspect(
        cause=f"weights are in {WIDE}",
        check="look at the checkpoint's quantization_config and at the engine's --quantization",
        changed=lambda run: _formats(run, weights=WIDE),
    ),
    Suspect(
        cause=f"weights are in {NARROW}",
        check="look at the checkpoint's quantization_config and at the engine's --quantization",
        changed=_narrow,
    ),
    Suspect(
        cause=f"{DRAFTED} tokens are drafted in each step",
        check="look for --speculative-config or --speculative-algorithm, and for the acceptance length in the log",
        changed=_drafted,
    ),
    Suspect(
        cause=f"the KV cache is in {WIDE}",
        check="look at the engine's --kv-cache-dtype",
        changed=lambda run: _formats(run, kv=WIDE),
    ),
    Suspect(
        cause="the KV cache is in fp8",
        check="look at the engine's --kv-cache-dtype",
        changed=lambda run: _formats(run, kv="fp8"),
    ),
    Suspect(
        cause="messages take the network and not the scale-up links",
        check="nvidia-smi topo -m; NCCL_DEBUG=INFO says which transport it chose",
        changed=_over_the_network,
    ),
    Suspect(
        cause=f"chips run at {100 * THROTTLED:.0f} % of their rates",
        check="nvidia-smi -q -d PERFORMANCE,CLOCK: clocks and reasons for throttling",
        changed=_throttled,
    ),
    Suspect(
        cause=f"the busiest experts get {IMBALANCE:g} times the mean",
        check="count tokens per expert; all requests of one kind wake the same ones",
        changed=_uneven_experts,
    ),
    Suspect(
        cause="twice as many requests are under way",
        check="compare the engine's count of running requests with the users; a balancer may favour a replica",
        changed=_more_users,
    ),
    Suspect(
        cause="half as many requests are under way",
        check="compare the engine's count of running requests with the users; clients may pause between requests",
        changed=_fewer_users,
    ),
    Suspect(
        cause="prompts are twice as long",
        check="count tokens as the engine does, with its chat template and tools",
        changed=_longer_prompts,
    ),
    Suspect(
        cause="answers are half as long",
        check="count tokens of answers: they may end early, so that prompts come more often",
        changed=_shorter_answers,
    ),
    Suspect(
        cause="prompts are found in the prefix cache",
        check="look at the engine's prefix cache hit rate; benchmarks with one prompt hit it always",
        changed=_cached_prompts,
    ),
)
"""Possible deviations, each by itself; several may be true at once."""
