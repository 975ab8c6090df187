"""A deployment from names and options, and estimates of one step of it, singly or over a grid."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from ridgeline.catalog import engines as catalog_engines
from ridgeline.errors import RidgelineError
from ridgeline.estimator import estimate as steps
from ridgeline.estimator import grid
from ridgeline.estimator.deploy import deploy as settle
from ridgeline.estimator.estimate import Estimate
from ridgeline.estimator.grid import StepGrid
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, is_ideal
from ridgeline.specs.expert_load import ExpertLoad
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass
from ridgeline.specs.speculation import Speculation
from ridgeline.verbs.names import (
    Name,
    fidelity_of,
    folder_of,
    layout_of,
    load_engine,
    load_machine,
    load_model,
    refuse_beside_peaks,
    with_expert_imbalance,
    with_expert_load,
)
from ridgeline.verbs.speculations import speculation_of

__all__ = ["deploy", "engine_for", "estimate", "estimate_grid"]


def engine_for(
    machine: Machine, fidelity: Fidelity, asked: Engine | str | None = None, *, kernels: Name | None = None
) -> Engine:
    """The engine asked for, else the machine's default; the ideal one at the spec sheet's peaks.

    For an engine given by name, or by default, ``kernels`` replaces its numbers; a record keeps its own.

    Raises:
        RidgelineError: an engine is given where only peaks count, or its name is unknown.
    """
    engine = None if asked is None else load_engine(asked, kernels=None if isinstance(asked, Engine) else kernels)
    if not fidelity.at_peaks:
        return engine or catalog_engines.default_engine(machine, kernels=folder_of(kernels))
    if engine is not None and engine != IDEAL_ENGINE:
        what = "has limits" if is_ideal(engine) else "takes time"
        raise RidgelineError(
            f"engine {engine.name} {what} that fidelity {fidelity.name} leaves out; take fidelity measured"
        )
    return IDEAL_ENGINE


def deploy(
    model: Model | Name,
    machine: Machine | Name,
    layout: Layout | str = "tp1",
    *,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    weights: str | None = None,
    kv: str | None = None,
    expert_imbalance: float | None = None,
    expert_load: ExpertLoad | str | None = None,
    correction: Correction = NO_CORRECTION,
    speculate: Speculation | str | None = None,
) -> Deployment:
    """A model on a machine, laid out and run in one way: the subject of every estimate and plan.

    Args:
        model: catalog id, path or record of the model.
        machine: catalog id, path or record of the machine.
        layout: layout of one replica: a record, or text such as "tp8,ep8".
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, the command line's default: "vllm" where numbers of kernels are known, else
            "ideal".
        kernels: profile or folder of the user's own calibration, for the machine, and for an engine given by name.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.
        expert_imbalance: tokens of the busiest group of experts, over its expected tokens with even, independent
            routing.
        expert_load: distribution of tokens over experts: "uniform", "zipf:0.5", a path or a record.
        correction: correction by measurements of this deployment.
        speculate: kind of draft and number of draft tokens: "mtp:3", "eagle3:3=2.4" (``speculation_of``).

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.

    >>> found = deploy("llama-3.1-8b", "h100-sxm", "tp2")
    >>> found.engine.name, found.precision.kv.name
    ('vllm', 'bf16')
    """
    fidelity = fidelity_of(fidelity)
    given = {"kernels": kernels, "expert_imbalance": expert_imbalance, "expert_load": expert_load}
    refuse_beside_peaks(fidelity, [name for name, value in given.items() if value is not None])
    machine = with_expert_imbalance(load_machine(machine, kernels=kernels), expert_imbalance)
    model = with_expert_load(load_model(model), expert_load)
    return settle(
        model,
        machine,
        layout_of(layout),
        fidelity=fidelity,
        engine=engine_for(machine, fidelity, engine, kernels=kernels),
        weights=weights,
        kv=kv,
        correction=correction,
        speculation=speculation_of(speculate, model, machine),
    )


def estimate(
    model: Model | Name,
    machine: Machine | Name,
    layout: Layout | str,
    pass_: Pass,
    *,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    weights: str | None = None,
    kv: str | None = None,
    expert_imbalance: float | None = None,
    expert_load: ExpertLoad | str | None = None,
    correction: Correction | None = None,
    speculate: Speculation | str | None = None,
) -> Estimate:
    """Estimate one step operation by operation, as ``ridgeline estimate`` does.

    Args:
        model: catalog id, path or record of the model.
        machine: catalog id, path or record of the machine.
        layout: layout of one replica: a record, or text such as "tp8,ep8"; its degrees must divide model and machine.
        pass_: ``decode(...)``, ``prefill(...)``, ``chunk(...)`` or ``verify(...)``, or several ``together(...)``.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, the command line's default, which the notes of the result name.
        kernels: profile or folder of the user's own calibration, for the machine, and for an engine given by name.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.
        expert_imbalance: tokens of the busiest group of experts, over its expected tokens with even, independent
            routing.
        expert_load: distribution of tokens over experts: "uniform", "zipf:0.5", a path or a record.
        correction: correction by measurements of this deployment.
        speculate: source of the draft tokens that ``verify(...)`` checks: "mtp:3", "eagle3:3=2.4" (``speculation_of``).

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead. A step that
            does not fit in memory is a result whose ``fits`` is false.

    >>> from ridgeline import decode
    >>> found = estimate("llama-3.1-8b", "h100-sxm", "tp1", decode(batch=64, context_tokens=4096))
    >>> found.fits, found.low_s < found.step_time_s < found.high_s
    (True, True)
    """
    if not isinstance(pass_, Pass):
        raise RidgelineError(
            f"estimate: {pass_!r} is no pass; give decode(batch=..., context_tokens=...) or"
            " prefill(batch=..., prompt_tokens=...)"
        )
    deployment = deploy(
        model,
        machine,
        layout,
        fidelity=fidelity,
        engine=engine,
        kernels=kernels,
        weights=weights,
        kv=kv,
        expert_imbalance=expert_imbalance,
        expert_load=expert_load,
        correction=NO_CORRECTION if correction is None else correction,
        speculate=speculate,
    )
    return steps.estimate(deployment, pass_)


def estimate_grid(
    model: Model | Name,
    machine: Machine | Name,
    layouts: Sequence[Layout | str] | Layout | str,
    *,
    batch: ArrayLike,
    context_tokens: ArrayLike,
    phase: str = "decode",
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    weights: str | None = None,
    kv: str | None = None,
) -> StepGrid:
    """Estimate a step at every point of a grid; each point equals the result of ``estimate``.

    Args:
        model: catalog id, path or record of the model.
        machine: catalog id, path or record of the machine.
        layouts: one or several layouts of one replica, as records or text.
        batch: sequences of the whole replica; numbers from 1 up.
        context_tokens: tokens of each sequence, or of each prompt; numbers from 1 up.
        phase: "decode" or "prefill"; long prompts are read in several passes, as in a plan.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, the command line's default.
        kernels: profile or folder of the user's own calibration, for the machine, and for an engine given by name.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.

    >>> found = estimate_grid("llama-3.1-8b", "h100-sxm", ["tp1", "tp2"], batch=[1, 8], context_tokens=4096)
    >>> found.step_time_s.shape
    (2, 2, 1)
    """
    if phase not in ("decode", "prefill"):
        raise RidgelineError(f"estimate_grid: phase {phase!r} is neither 'decode' nor 'prefill'")
    several = [layouts] if isinstance(layouts, Layout | str) else layouts
    return grid.estimate_grid(
        deploy(model, machine, fidelity=fidelity, engine=engine, kernels=kernels, weights=weights, kv=kv),
        [layout_of(one) for one in several],
        batch=batch,
        context_tokens=context_tokens,
        is_prompt=phase == "prefill",
    )
