"""Names and paths into records: a model, a machine, an engine, a layout, a resolution."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from ridgeline import catalog
from ridgeline.catalog import engines as catalog_engines
from ridgeline.catalog.engine_options import options_named, run_with
from ridgeline.catalog.expert_load import load_expert_load
from ridgeline.catalog.kernels import with_own_kernels
from ridgeline.errors import RidgelineError
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.engine_options import EngineOptions
from ridgeline.specs.expert_load import ExpertLoad
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.fidelity import FIDELITIES, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.workload import Workload

__all__ = [
    "Name",
    "deployment_given",
    "fidelity_of",
    "folder_of",
    "layout_of",
    "load_engine",
    "load_machine",
    "load_model",
    "refuse_beside_peaks",
    "with_expert_imbalance",
    "with_expert_load",
    "workload_given",
]

Name = str | os.PathLike[str]
Record = TypeVar("Record")


def _record(given: object, kind: type[Record], read: Callable[[str], Record], accepted: str) -> Record:
    """The record that was given, or the one that the given name refers to."""
    if isinstance(given, kind):
        return given
    if isinstance(given, str | os.PathLike):
        return read(os.fspath(given))
    if isinstance(given, list | tuple | set):
        name = kind.__name__.lower()
        raise RidgelineError(
            f"{name} is a {type(given).__name__} of {len(given)}, and one is taken; call once for each:"
            f" [verb({name}, ...) for {name} in {name}s]"
        )
    raise RidgelineError(f"{kind.__name__} {given!r} is neither a {kind.__name__} nor a name; give {accepted}")


def load_model(model: Model | Name, *, ignore_unknown: bool = False) -> Model:
    """A model by catalog id, by path to a ``config.json``, its folder or a ``.toml`` file, or by ``hf:org/name``.

    Args:
        model: name, path or record of the model.
        ignore_unknown: whether unknown keys of a configuration are ignored, and named, instead of refused.

    Raises:
        CatalogError: the name is unknown (the message lists the nearest), or its file is malformed.
    """
    read = partial(catalog.load_model, ignore_unknown=ignore_unknown)
    return _record(model, Model, read, 'a catalog id ("deepseek-v3") or a path to a config.json')


def load_machine(machine: Machine | Name, *, kernels: Name | None = None, market: str | None = None) -> Machine:
    """A machine by catalog id, or by path to a ``.toml`` file.

    Args:
        machine: name, path or record of the machine.
        kernels: profile or folder of the user's own calibration, in place of the catalog's numbers that it has
            measured.
        market: kind of price of a chip, for a machine given by name: "on-demand", "list", "spot", "contract", or
            "contract@2025-10" for the newest up to then; left out, the first of these that is known.

    Raises:
        CatalogError: the name is unknown (the message lists the nearest), its file is malformed, or the market has no
            known price.

    >>> round(load_machine("h100-sxm", market="contract@2025").tariff.usd_per_chip_s * 3600, 2)
    1.7
    """
    read = partial(catalog.load_machine, market=market)
    found = _record(machine, Machine, read, 'a catalog id ("h100-sxm") or a path to a .toml file')
    return found if kernels is None else with_own_kernels(found, os.fspath(kernels))


def load_engine(
    engine: Engine | str,
    *,
    kernels: Name | None = None,
    memory_fraction: float | None = None,
    max_sequences: int | None = None,
    max_step_tokens: int | None = None,
    options: Mapping[str, object] | None = None,
) -> Engine:
    """An engine by its catalog name, with the options of an operator.

    Args:
        engine: name or record of the engine.
        kernels: profile or folder of the user's own calibration, in place of the catalog's numbers where it has them;
            only for an engine given by name.
        memory_fraction: part of a chip's memory that it may use, in place of its default: vLLM's
            ``gpu_memory_utilization``, SGLang's ``mem_fraction_static``, TensorRT-LLM's ``free_gpu_memory_fraction``.
        max_sequences: maximum sequences of a group in a step (``max_num_seqs``).
        max_step_tokens: maximum prompt tokens of a group in a step (``max_num_batched_tokens``).
        options: further options by the engine's own names, such as ``{"enforce_eager": True}``.

    Raises:
        CatalogError: the name or an option is unknown; the message lists the known ones.
        RidgelineError: ``kernels`` is given with a record, or a limit is invalid.
    """
    if isinstance(engine, Engine) and kernels is not None:
        raise RidgelineError(
            f"engine {engine.name} is a record, which kernels={os.fspath(kernels)!r} does not change; give its name"
        )
    read = partial(catalog_engines.load_engine, kernels=folder_of(kernels))
    found = _record(engine, Engine, read, f"one of {', '.join(catalog_engines.engine_ids())}")
    limits = EngineOptions(memory_fraction=memory_fraction, sequences=max_sequences, step_tokens=max_step_tokens)
    named = options_named(found.name, options or {})
    for field in sorted(limits.given.keys() & named.given.keys()):
        raise RidgelineError(f"engine {found.name}: {field} is set in two ways; keep one")
    return run_with(found, dataclasses.replace(limits, **named.given))


def deployment_given(deployment: object, verb: str) -> Deployment:
    """The deployment of a verb that takes one, and no names of a model and a machine.

    Raises:
        RidgelineError: a value of another type is given; the message says how to make a deployment.
    """
    if isinstance(deployment, Deployment):
        return deployment
    raise RidgelineError(
        f'{verb}: {deployment!r} is no Deployment; give deploy("llama-3.1-8b", "h100-sxm", "tp1"), with your own model,'
        " machine and layout"
    )


def with_expert_imbalance(machine: Machine, expert_imbalance: float | None) -> Machine:
    """A machine whose busiest group of experts gets a multiple of its expected tokens under even routing.

    Raises:
        RidgelineError: it is no number, or below 1, which would give the busiest group less than the others.
    """
    if expert_imbalance is None:
        return machine
    return machine.with_efficiency(dataclasses.replace(machine.efficiency, expert_imbalance=expert_imbalance))


def with_expert_load(model: Model, expert_load: ExpertLoad | str | None) -> Model:
    """A model whose tokens are unevenly distributed over experts.

    Args:
        model: a model with routed experts.
        expert_load: a record, or "uniform", "zipf:0.5" or a path; None for even routing.

    Raises:
        RidgelineError: the model has no routed experts, or their number differs from that of the loads.
    """
    load = load_expert_load(expert_load) if isinstance(expert_load, str) else expert_load
    if load is None:
        return model
    groups = tuple(
        dataclasses.replace(group, feed_forward=dataclasses.replace(group.feed_forward, load=load))
        if isinstance(group.feed_forward, RoutedExperts)
        else group
        for group in model.groups
    )
    if groups == model.groups:
        raise RidgelineError(f"{model.name} has no routed experts, whose load {load.name!r} would be; leave it out")
    return dataclasses.replace(model, groups=groups)


def refuse_beside_peaks(fidelity: Fidelity, given: Sequence[str]) -> None:
    """Refuse options that a fidelity at the spec sheet's peaks would ignore.

    Args:
        fidelity: resolution of the model of time.
        given: names of the options that were given and that apply only to measured machines and engines.

    Raises:
        RidgelineError: there is such an option; the message says what to leave out.
    """
    if given and fidelity.at_peaks:
        raise RidgelineError(
            f"fidelity {fidelity.name} knows the spec sheet's peaks alone, no engine, kernels or imbalance; leave"
            f" {' and '.join(given)} out, or take fidelity measured"
        )


def folder_of(kernels: Name | None) -> str | None:
    """Folder of the user's own calibration as text; None where none was named."""
    return None if kernels is None else os.fspath(kernels)


def layout_of(layout: Layout | str) -> Layout:
    """A layout from its record or its text, such as "tp8,ep8".

    Raises:
        LayoutError: the text is no layout.
    """
    return _record(layout, Layout, Layout.from_text, 'degrees of parallelism ("tp8,ep8")')


def fidelity_of(fidelity: Fidelity | str) -> Fidelity:
    """A resolution of the model of time by its name.

    Raises:
        RidgelineError: the name is unknown; the message lists the known ones.
    """
    if isinstance(fidelity, str) and fidelity not in FIDELITIES:
        raise RidgelineError(f"{fidelity!r} is not a fidelity; there are {', '.join(FIDELITIES)}")
    return _record(fidelity, Fidelity, FIDELITIES.__getitem__, f"one of {', '.join(FIDELITIES)}")


def workload_given(
    workload: Workload | None,
    prompt_tokens: int | None,
    output_tokens: int | None,
    tpot_s: float | None,
    ttft_s: float | None,
    hit_fraction: float | None,
) -> Workload:
    """The workload, given as a record or by its lengths and limits."""
    if workload is None:
        if prompt_tokens is None or output_tokens is None:
            raise RidgelineError("plan: give a workload, or prompt_tokens and output_tokens of a request")
        return Workload(
            prompt_tokens=prompt_tokens,
            output_tokens=output_tokens,
            tpot_s=tpot_s,
            ttft_s=ttft_s,
            hit_fraction=0.0 if hit_fraction is None else hit_fraction,
        )
    if not isinstance(workload, Workload):
        raise RidgelineError(
            f"plan: workload {workload!r} is no Workload; give prompt_tokens=... and output_tokens=..."
        )
    if any(given is not None for given in (prompt_tokens, output_tokens, tpot_s, ttft_s, hit_fraction)):
        raise RidgelineError("plan: lengths and limits are given twice; give a workload, or them")
    return workload
