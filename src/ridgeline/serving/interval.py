"""Intervals of a pool's latency and throughput: its kernels' bands, and its engine's measured spread under load."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ridgeline.estimator.attention import small_kernels_of
from ridgeline.estimator.deploy import at_fidelity
from ridgeline.estimator.interval import interval_factors
from ridgeline.estimator.timed import parts_of_step, time_step, timed_operations
from ridgeline.serving.admission import chunks_per_prompt
from ridgeline.serving.passes import PoolPasses
from ridgeline.specs.correction import NO_CORRECTION
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import is_ideal
from ridgeline.specs.engine_options import AS_BY_DEFAULT
from ridgeline.specs.evidence import Asked
from ridgeline.specs.fidelity import ROOFLINE
from ridgeline.specs.passes import Pass
from ridgeline.specs.workload import Workload

__all__ = [
    "asked_of",
    "least_step_s",
    "least_ttft_s",
    "load_interval",
    "load_width",
    "reading_interval",
    "surest_widths",
    "tpot_interval",
    "ttft_interval",
    "width_by_kernels",
]

LEAST_SURE = {"tpot_s": math.log(2), "ttft_s": 1.56}
"""Half-widths, in logarithms, for an engine never measured under load, by the latency whose errors a quantity has.

Without any engine overhead, four of five of 1,141 first tokens measured under load lie within this, most of them later
than predicted, and four of five of 1,132 times per token within 0.30; plain rooflines are off by up to a factor of
three on those.
"""


def load_width(passes: PoolPasses, quantity: str) -> float:
    """Half-width of a quantity's 80 % interval, in logarithms.

    Args:
        passes: passes of the pool, by an engine with its measured spread under load.
        quantity: key of ``Engine.widths``.
    """
    deployment, latency = passes.deployment, _latency_of(quantity)
    widths, evidence = deployment.engine.widths, deployment.engine.evidence
    if quantity in widths:
        width = widths[quantity]
    else:
        # An unmeasured quantity is as uncertain as the least certain measured one; passes say nothing about loads.
        width = max([*widths.values(), *([] if latency in widths else [LEAST_SURE[latency]])])
    farther = evidence.widening(asked_of(passes), latency)
    return farther * math.hypot(width_by_kernels(surest_widths(passes), quantity), width)


def width_by_kernels(widths: tuple[float, float], quantity: str) -> float:
    """Half-width that a quantity takes, of those of a decode step and of a prompt."""
    of_step, of_prompt = widths
    return of_prompt if _latency_of(quantity) == "ttft_s" else of_step


def _latency_of(quantity: str) -> str:
    """Latency whose errors a quantity under load has."""
    return "ttft_s" if quantity.endswith("ttft_s") else "tpot_s"


def surest_widths(passes: PoolPasses) -> tuple[float, float]:
    """Half-widths of a decode step and of a prompt from their kernels; for unmeasured options, at least the default's.

    Host time, which such options add to the kernels' time, has no band, so that kernels weigh less beside it; yet it is
    no more certain than they are.
    """
    found, engine = passes.kernel_widths, passes.deployment.engine
    if not engine.options.unmeasured:
        return found
    by_default = passes.run_by(dataclasses.replace(engine, options=AS_BY_DEFAULT)).kernel_widths
    return max(found[0], by_default[0]), max(found[1], by_default[1])


def asked_of(passes: PoolPasses) -> Asked:
    """A pool under load as far as its distance from measured deployments goes.

    Users count as far as the pool's passes have room for them.
    """
    deployment = passes.deployment
    kinds = (small_kernels_of(group.attention) for group in deployment.model.groups)
    return Asked(
        model=deployment.model.id,
        machine=deployment.machine.id,
        layer_kinds=tuple(sorted({name for names in kinds for name in names})),
        chips=float(deployment.layout.chips),
        users=float(passes.sequences[-1]) * deployment.layout.dp,
        released=deployment.engine.release.date,
        is_run_as_measured=not deployment.engine.options.unmeasured,
        drafts=bool(deployment.speculation),
    )


def tpot_interval(passes: PoolPasses) -> tuple[float, float]:
    """Factors on a time per output token for both ends of its 80 % interval."""
    width = passes.deployment.correction.tpot_width
    if width is not None:
        return passes.deployment.speculation.interval(math.exp(-width), math.exp(width))
    return load_interval(passes, "tpot_s")


def ttft_interval(passes: PoolPasses) -> tuple[float, float]:
    """Factors on a time to the first token for both ends of its 80 % interval."""
    return load_interval(passes, "ttft_s")


def reading_interval(passes: PoolPasses) -> tuple[float, float]:
    """Factors on the chip-time of prompts for both ends of its 80 % interval.

    Throughput under load gives it, and not the time to the first token, whose errors are those of queues.
    """
    _, of_prompt = surest_widths(passes)
    engine = passes.deployment.engine
    if is_ideal(engine):
        return math.exp(-of_prompt), math.exp(of_prompt)
    of_loads = engine.widths.get("requests_per_s", max([*engine.widths.values(), LEAST_SURE["tpot_s"]]))
    width = engine.evidence.widening(asked_of(passes), "tpot_s") * math.hypot(of_prompt, of_loads)
    return math.exp(-width), math.exp(width)


def least_ttft_s(deployment: Deployment, workload: Workload) -> float:
    """Time of a lone prompt at the spec sheet's peaks, s: no first token comes sooner; 0 where prompts differ."""
    if workload.lengths is not None:
        return 0.0
    return _at_peaks_s(deployment, workload.prompt_pass(1.0, chunks_per_prompt(deployment, workload)))


def least_step_s(deployment: Deployment, workload: Workload, sequences: float) -> float:
    """Time of a decode step at the spec sheet's peaks, s; 0 with stages, which decode several batches at once.

    Args:
        deployment: deployment that decodes.
        workload: lengths of requests.
        sequences: mean sequences of the replica that decode.
    """
    if deployment.layout.pp > 1:
        return 0.0
    drafted = deployment.speculation.drafted_tokens
    return _at_peaks_s(deployment, workload.decode_step(max(sequences, 1.0), drafted_tokens=drafted))


def _at_peaks_s(deployment: Deployment, pass_: Pass) -> float:
    """Time of a pass at the spec sheet's peaks without an engine, s."""
    machine, engine = at_fidelity(deployment.machine, deployment.engine, ROOFLINE)
    ideal = dataclasses.replace(deployment, machine=machine, engine=engine, fidelity=ROOFLINE, correction=NO_CORRECTION)
    return float(time_step(timed_operations(ideal, pass_))[0])


def load_interval(passes: PoolPasses, quantity: str) -> tuple[float, float]:
    """Factors on a time under load for both ends of its 80 % interval.

    A time per token combines the intervals of its step and of the tokens that a step adds.

    Args:
        passes: passes of the pool, by an engine with its measured spread under load. The ideal engine's time per token
            has its kernels' interval, and its first token that of an engine never measured under load.
        quantity: key of ``Engine.widths``.
    """
    low, high = _step_interval(passes, quantity)
    return (low, high) if quantity.endswith("ttft_s") else passes.deployment.speculation.interval(low, high)


def _step_interval(passes: PoolPasses, quantity: str) -> tuple[float, float]:
    deployment = passes.deployment
    if not is_ideal(deployment.engine) or _latency_of(quantity) == "ttft_s":
        width = load_width(passes, quantity)
        return math.exp(-width), math.exp(width)
    operations, _ = passes.run_steps
    low, high = interval_factors(parts_of_step(operations), deployment.machine.efficiency.bands, is_step=True)
    return _middle(low), _middle(high)


def _middle(values: object) -> float:
    flat = np.asarray(values, dtype=float).reshape(-1)
    return float(flat[len(flat) // 2])
