"""Ridgeline: the math of how large language models are trained and served.

The verbs of the command line as functions, and the records that they take and give. Names are loaded when first used,
so that importing the package costs nothing.

>>> import ridgeline
>>> found = ridgeline.plan(
...     ridgeline.load_model("deepseek-v3"),
...     ridgeline.load_machine("gb200-nvl72"),
...     ridgeline.Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05),
... )
>>> found.plans[0].memory.free_bytes > 0
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ridgeline.calibration.validate import validate as validate
    from ridgeline.catalog import load_engine as load_engine
    from ridgeline.catalog import load_machine as load_machine
    from ridgeline.catalog import load_model as load_model
    from ridgeline.catalog import machine_ids as machine_ids
    from ridgeline.catalog import model_ids as model_ids
    from ridgeline.estimator.estimate import FIDELITIES as FIDELITIES
    from ridgeline.estimator.estimate import estimate as estimate
    from ridgeline.estimator.grid import estimate_grid as estimate_grid
    from ridgeline.planner.plan import plan as plan
    from ridgeline.specs.layout import Layout as Layout
    from ridgeline.specs.machine import Machine as Machine
    from ridgeline.specs.model import Model as Model
    from ridgeline.specs.workload import Decode as Decode
    from ridgeline.specs.workload import Prefill as Prefill
    from ridgeline.specs.workload import Workload as Workload

_HOMES = {
    "FIDELITIES": "ridgeline.estimator.estimate",
    "Decode": "ridgeline.specs.workload",
    "Layout": "ridgeline.specs.layout",
    "Machine": "ridgeline.specs.machine",
    "Model": "ridgeline.specs.model",
    "Prefill": "ridgeline.specs.workload",
    "Workload": "ridgeline.specs.workload",
    "estimate": "ridgeline.estimator.estimate",
    "estimate_grid": "ridgeline.estimator.grid",
    "load_engine": "ridgeline.catalog",
    "load_machine": "ridgeline.catalog",
    "load_model": "ridgeline.catalog",
    "machine_ids": "ridgeline.catalog",
    "model_ids": "ridgeline.catalog",
    "plan": "ridgeline.planner.plan",
    "validate": "ridgeline.calibration.validate",
}

__all__ = [
    "FIDELITIES",
    "Decode",
    "Layout",
    "Machine",
    "Model",
    "Prefill",
    "Workload",
    "estimate",
    "estimate_grid",
    "load_engine",
    "load_machine",
    "load_model",
    "machine_ids",
    "model_ids",
    "plan",
    "validate",
]


def __getattr__(name: str) -> object:
    """Load a public name from the room where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"ridgeline has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, which are loaded when first used."""
    return list(__all__)
