"""A deployment from what is asked: the one place that settles number formats, efficiencies and the engine."""

from __future__ import annotations

from ridgeline.errors import RidgelineError
from ridgeline.estimator.precision import precision_on, runnable
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.efficiency import IDEAL
from ridgeline.specs.engine import IDEAL_ENGINE, Engine
from ridgeline.specs.fidelity import MEASURED, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision
from ridgeline.specs.speculation import NO_SPECULATION, Speculation

__all__ = ["at_fidelity", "deploy", "require_timed"]

ONE_CHIP = Layout()


def require_timed(speculation: Speculation, fidelity: Fidelity) -> None:
    """Refuse speculation where a pass is timed as a whole.

    Raises:
        RidgelineError: says what to take instead.
    """
    if speculation and not fidelity.by_operation:
        raise RidgelineError(
            f"fidelity {fidelity.name} times a pass as a whole, and no draft beside it; take roofline or measured, or"
            f" leave speculation {speculation} out"
        )


def at_fidelity(machine: Machine, engine: Engine, fidelity: Fidelity) -> tuple[Machine, Engine]:
    """Machine and engine as a fidelity takes them; where only peaks count, all reach them and no engine takes time."""
    if not fidelity.at_peaks:
        return machine, engine
    return machine.with_efficiency(IDEAL), IDEAL_ENGINE


def deploy(
    model: Model,
    machine: Machine,
    layout: Layout = ONE_CHIP,
    *,
    fidelity: Fidelity = MEASURED,
    engine: Engine = IDEAL_ENGINE,
    weights: str | None = None,
    kv: str | None = None,
    precision: Precision | None = None,
    correction: Correction = NO_CORRECTION,
    speculation: Speculation = NO_SPECULATION,
) -> Deployment:
    """A model on a machine, with number formats that the chip has, and what counts at a fidelity.

    Args:
        model: what runs.
        machine: where.
        layout: of one replica; another one of the same is ``dataclasses.replace(deployment, layout=...)``.
        fidelity: resolution of the model of time.
        engine: that runs it; the ideal one takes no time besides its kernels.
        weights: another number format for the layers' weights than the published one.
        kv: another format for the KV cache.
        precision: all formats at once, in place of both.
        correction: by what was measured of this deployment.
        speculation: tokens that are drafted and checked in every step.

    Raises:
        RidgelineError: a number format is not known, or speculation is asked of a model of time without operations.
    """
    require_timed(speculation, fidelity)
    if precision is None:
        precision, notes = precision_on(model, machine.chip, weights=weights, kv=kv)
    else:
        precision, notes = runnable(precision, machine.chip)
    machine, engine = at_fidelity(machine, engine, fidelity)
    return Deployment(
        model=model,
        machine=machine,
        layout=layout,
        precision=precision,
        fidelity=fidelity,
        engine=engine,
        correction=correction,
        speculation=speculation,
        notes=notes,
    )
