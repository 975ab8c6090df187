"""Construction of a deployment: the one place that settles number formats, efficiencies and the engine."""

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
        RidgelineError: a pass is timed as a whole; the message says what to use instead.
    """
    if speculation and not fidelity.by_operation:
        raise RidgelineError(
            f"fidelity {fidelity.name} times a pass as a whole, and no draft beside it; take roofline or measured, or"
            f" leave speculation {speculation} out"
        )


def at_fidelity(machine: Machine, engine: Engine, fidelity: Fidelity) -> tuple[Machine, Engine]:
    """Machine and engine at a fidelity; where only peaks count, chips reach them and the engine has no overhead."""
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
    """A deployment with number formats that the chip has, and machine and engine at a fidelity.

    Args:
        model: model that runs.
        machine: machine that it runs on.
        layout: layout of one replica; change it with ``dataclasses.replace(deployment, layout=...)``.
        fidelity: resolution of the model of time.
        engine: engine that runs it; the ideal one has no overhead besides its kernels.
        weights: number format of the layers' weights, in place of the published one.
        kv: number format of the KV cache, in place of the published one.
        precision: all number formats at once, in place of both.
        correction: correction by measurements of this deployment.
        speculation: draft tokens that are proposed and verified in every step.

    Raises:
        RidgelineError: a number format is unknown, or speculation is given with a fidelity without operations.
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
