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
    """What was given where it is the record already, else what its name names."""
    if isinstance(given, kind):
        return given
    if isinstance(given, str | os.PathLike):
        return read(os.fspath(given))
    raise RidgelineError(f"{kind.__name__} {given!r} is neither a {kind.__name__} nor a name; give {accepted}")


def load_model(model: Model | Name, *, ignore_unknown: bool = False) -> Model:
    """A model by catalog id, by path to a ``config.json``, its folder or a ``.toml`` file, or by ``hf:org/name``.

    Args:
        model: its name, a path or the record itself.
        ignore_unknown: whether keys of a configuration that are not known are left out of account, and named.

    Raises:
        CatalogError: there is none of that name (lists the nearest), or its file is not of the form.
    """
    read = partial(catalog.load_model, ignore_unknown=ignore_unknown)
    return _record(model, Model, read, 'a catalog id ("deepseek-v3") or a path to a config.json')


def load_machine(machine: Machine | Name, *, kernels: Name | None = None, market: str | None = None) -> Machine:
    """A machine by catalog id, or by path to a ``.toml`` file.

    Args:
        machine: its name, a path or the record itself.
        kernels: profile or folder of one's own calibration, in place of the catalog's numbers of what it has measured.
        market: of a name, whose newest price a chip is taken at: "on-demand", "list", "spot", "contract", or
            "contract@2025-10" for the newest up to then; left out, the first of these that is known.

    Raises:
        CatalogError: there is none of that name (lists the nearest), its file is not of the form, or no price of that
            market is known.

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
    """An engine by its catalog name, as somebody runs it.

    Args:
        engine: its name or the record itself.
        kernels: profile or folder of one's own calibration, in place of the catalog's numbers where it has them; for
            a name, since a record has its numbers.
        memory_fraction: part of a chip's memory that it may use, in place of its default: vLLM's
            ``gpu_memory_utilization``, SGLang's ``mem_fraction_static``, TensorRT-LLM's ``free_gpu_memory_fraction``.
        max_sequences: most sequences of a group in a step (``max_num_seqs``).
        max_step_tokens: most prompt tokens of a group in a step (``max_num_batched_tokens``).
        options: further ones by the engine's own names, such as ``{"enforce_eager": True}``.

    Raises:
        CatalogError: there is none of that name, or it has no such option; lists those that are.
        RidgelineError: ``kernels`` beside a record, or a limit that is none.
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
        RidgelineError: it is none; says how to make one.
    """
    if isinstance(deployment, Deployment):
        return deployment
    raise RidgelineError(
        f'{verb}: {deployment!r} is no Deployment; give deploy("llama-3.1-8b", "h100-sxm", "tp1"), with your own model,'
        " machine and layout"
    )


def with_expert_imbalance(machine: Machine, expert_imbalance: float | None) -> Machine:
    """A machine on which the busiest group of experts gets so many times the tokens that even choices give it.

    Raises:
        RidgelineError: it is no number, or below 1, where the busiest would have less than the others.
    """
    if expert_imbalance is None:
        return machine
    return machine.with_efficiency(dataclasses.replace(machine.efficiency, expert_imbalance=expert_imbalance))


def with_expert_load(model: Model, expert_load: ExpertLoad | str | None) -> Model:
    """A model whose tokens choose their experts unevenly.

    Args:
        model: with routed experts.
        expert_load: a record, or "uniform", "zipf:0.5" or a path; None for even choices.

    Raises:
        RidgelineError: the model has no routed experts, or not as many as loads are given of.
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
    """Refuse what a fidelity at the spec sheet's peaks would ignore.

    Args:
        fidelity: resolution of the model of time.
        given: names of what was given and holds of measured machines and of engines alone.

    Raises:
        RidgelineError: there is such a one; says what to leave out.
    """
    if given and fidelity.at_peaks:
        raise RidgelineError(
            f"fidelity {fidelity.name} knows the spec sheet's peaks alone, no engine, kernels or imbalance; leave"
            f" {' and '.join(given)} out, or take fidelity measured"
        )


def folder_of(kernels: Name | None) -> str | None:
    """Own kernels' folder as text; None where none was named."""
    return None if kernels is None else os.fspath(kernels)


def layout_of(layout: Layout | str) -> Layout:
    """A layout, or what its text says: "tp8,ep8".

    Raises:
        LayoutError: the text is none.
    """
    return _record(layout, Layout, Layout.from_text, 'degrees of parallelism ("tp8,ep8")')


def fidelity_of(fidelity: Fidelity | str) -> Fidelity:
    """A resolution of the model of time by its name.

    Raises:
        RidgelineError: there is none of that name; lists those that are.
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
    """The workload that was given, in one of the two ways."""
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
