"""Ridgeline: the math of how large language models are trained and served.

The verbs of the command line as functions, with its defaults; models and machines are catalog ids, paths or records.
Whatever is refused raises a ``RidgelineError`` that says what to write instead. Names are loaded when first used, so
that importing the package costs nothing.

>>> import ridgeline
>>> found = ridgeline.plan("deepseek-v3", "gb200-nvl72", prompt_tokens=4000, output_tokens=1000, tpot_s=0.05)
>>> found.plans[0].memory.free_bytes > 0
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ridgeline.calibration.cases import CaseError as CaseError
    from ridgeline.catalog import machine_ids as machine_ids
    from ridgeline.catalog import model_ids as model_ids
    from ridgeline.catalog.engines import engine_ids as engine_ids
    from ridgeline.catalog.facts import CatalogError as CatalogError
    from ridgeline.errors import RidgelineError as RidgelineError
    from ridgeline.glossary import ImplausibleError as ImplausibleError
    from ridgeline.quantity_text import QuantityError as QuantityError
    from ridgeline.simulator.player import PromptReplicas as PromptReplicas
    from ridgeline.specs.cache_tier import CacheTier as CacheTier
    from ridgeline.specs.demand import Demand as Demand
    from ridgeline.specs.deployment import Deployment as Deployment
    from ridgeline.specs.engine import Engine as Engine
    from ridgeline.specs.fidelity import FIDELITIES as FIDELITIES
    from ridgeline.specs.fidelity import Fidelity as Fidelity
    from ridgeline.specs.layout import Layout as Layout
    from ridgeline.specs.layout import LayoutError as LayoutError
    from ridgeline.specs.machine import Machine as Machine
    from ridgeline.specs.model import Model as Model
    from ridgeline.specs.passes import Lane as Lane
    from ridgeline.specs.passes import Pass as Pass
    from ridgeline.specs.passes import chunk as chunk
    from ridgeline.specs.passes import decode as decode
    from ridgeline.specs.passes import prefill as prefill
    from ridgeline.specs.passes import together as together
    from ridgeline.specs.passes import verify as verify
    from ridgeline.specs.workload import Workload as Workload
    from ridgeline.traces import Trace as Trace
    from ridgeline.traces import TraceError as TraceError
    from ridgeline.traces import classed as classed
    from ridgeline.traces import open_trace as open_trace
    from ridgeline.traces import read_trace as read_trace
    from ridgeline.traces import synthetic as synthetic
    from ridgeline.traces import workload_of as workload_of
    from ridgeline.traces.requests import Requests as Requests
    from ridgeline.verbs import budget as budget
    from ridgeline.verbs import cache as cache
    from ridgeline.verbs import deploy as deploy
    from ridgeline.verbs import estimate as estimate
    from ridgeline.verbs import estimate_grid as estimate_grid
    from ridgeline.verbs import expect as expect
    from ridgeline.verbs import infer as infer
    from ridgeline.verbs import load_engine as load_engine
    from ridgeline.verbs import load_machine as load_machine
    from ridgeline.verbs import load_model as load_model
    from ridgeline.verbs import plan as plan
    from ridgeline.verbs import plan_two_pools as plan_two_pools
    from ridgeline.verbs import price as price
    from ridgeline.verbs import query as query
    from ridgeline.verbs import simulate as simulate
    from ridgeline.verbs import sweep as sweep
    from ridgeline.verbs import train as train
    from ridgeline.verbs import validate as validate

__version__: str

_HOMES = {
    "FIDELITIES": "ridgeline.specs.fidelity",
    "CacheTier": "ridgeline.specs.cache_tier",
    "CaseError": "ridgeline.calibration.cases",
    "CatalogError": "ridgeline.catalog.facts",
    "Demand": "ridgeline.specs.demand",
    "Deployment": "ridgeline.specs.deployment",
    "Engine": "ridgeline.specs.engine",
    "Fidelity": "ridgeline.specs.fidelity",
    "ImplausibleError": "ridgeline.glossary",
    "Lane": "ridgeline.specs.passes",
    "Layout": "ridgeline.specs.layout",
    "LayoutError": "ridgeline.specs.layout",
    "Machine": "ridgeline.specs.machine",
    "Model": "ridgeline.specs.model",
    "Pass": "ridgeline.specs.passes",
    "PromptReplicas": "ridgeline.simulator.player",
    "QuantityError": "ridgeline.quantity_text",
    "RidgelineError": "ridgeline.errors",
    "Requests": "ridgeline.traces.requests",
    "Trace": "ridgeline.traces",
    "TraceError": "ridgeline.traces",
    "Workload": "ridgeline.specs.workload",
    "budget": "ridgeline.verbs",
    "cache": "ridgeline.verbs",
    "chunk": "ridgeline.specs.passes",
    "classed": "ridgeline.traces",
    "decode": "ridgeline.specs.passes",
    "deploy": "ridgeline.verbs",
    "engine_ids": "ridgeline.catalog.engines",
    "estimate": "ridgeline.verbs",
    "estimate_grid": "ridgeline.verbs",
    "expect": "ridgeline.verbs",
    "infer": "ridgeline.verbs",
    "load_engine": "ridgeline.verbs",
    "load_machine": "ridgeline.verbs",
    "load_model": "ridgeline.verbs",
    "machine_ids": "ridgeline.catalog",
    "model_ids": "ridgeline.catalog",
    "open_trace": "ridgeline.traces",
    "plan": "ridgeline.verbs",
    "plan_two_pools": "ridgeline.verbs",
    "prefill": "ridgeline.specs.passes",
    "price": "ridgeline.verbs",
    "query": "ridgeline.verbs",
    "read_trace": "ridgeline.traces",
    "simulate": "ridgeline.verbs",
    "sweep": "ridgeline.verbs",
    "train": "ridgeline.verbs",
    "synthetic": "ridgeline.traces",
    "together": "ridgeline.specs.passes",
    "validate": "ridgeline.verbs",
    "verify": "ridgeline.specs.passes",
    "workload_of": "ridgeline.traces",
}

__all__ = [
    "FIDELITIES",
    "CacheTier",
    "CaseError",
    "CatalogError",
    "Demand",
    "Deployment",
    "Engine",
    "Fidelity",
    "ImplausibleError",
    "Lane",
    "Layout",
    "LayoutError",
    "Machine",
    "Model",
    "Pass",
    "PromptReplicas",
    "QuantityError",
    "Requests",
    "RidgelineError",
    "Trace",
    "TraceError",
    "Workload",
    "__version__",
    "budget",
    "cache",
    "chunk",
    "classed",
    "decode",
    "deploy",
    "engine_ids",
    "estimate",
    "estimate_grid",
    "expect",
    "infer",
    "load_engine",
    "load_machine",
    "load_model",
    "machine_ids",
    "model_ids",
    "open_trace",
    "plan",
    "plan_two_pools",
    "prefill",
    "price",
    "query",
    "read_trace",
    "simulate",
    "sweep",
    "synthetic",
    "together",
    "train",
    "validate",
    "verify",
    "workload_of",
]


def __getattr__(name: str) -> object:
    """Load a public name from the room where it lives."""
    if name == "__version__":
        return import_module("ridgeline.release").version()
    if name not in _HOMES:
        raise AttributeError(f"ridgeline has no {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, which are loaded when first used."""
    return list(__all__)
