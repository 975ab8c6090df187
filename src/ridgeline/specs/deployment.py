"""A model on a machine, laid out and run in one way: the subject of every estimate, pool, plan and simulation."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.engine import IDEAL_ENGINE, Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision
from ridgeline.specs.speculation import NO_SPECULATION, Speculation

__all__ = ["Deployment"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A model on a machine: how it is cut, in which formats, by which engine, and how its time is modelled.

    It is a plain value: it can be hashed and pickled, and equal ones give equal numbers in any process.
    ``estimator.deploy.deploy`` makes it, and settles formats, efficiencies and engine; change the layout with
    ``dataclasses.replace(deployment, layout=...)``.

    Attributes:
        model: model that is served.
        machine: machine that it runs on, with the efficiencies that count at this fidelity.
        layout: layout of one replica.
        precision: number formats, all of which the chip has.
        engine: engine that runs it; the ideal one where only peaks count.
        fidelity: resolution of the model of time.
        correction: correction by measurements of this deployment.
        speculation: draft tokens that are proposed and verified in every step.
        notes: deviations of its formats from the published ones, shown beside its numbers; not part of the value.
    """

    model: Model
    machine: Machine
    layout: Layout
    precision: Precision
    fidelity: Fidelity
    engine: Engine = IDEAL_ENGINE
    correction: Correction = NO_CORRECTION
    speculation: Speculation = NO_SPECULATION
    notes: tuple[str, ...] = field(default=(), compare=False)
