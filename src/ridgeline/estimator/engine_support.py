"""Whether an engine can run a layout, a model and its number formats, as far as is known."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, is_ideal
from ridgeline.specs.engine_support import EngineSupport
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Component, Precision

__all__ = ["engine_faults", "engine_notes", "format_faults"]

WHAT_PARTS_DO = {
    "tp": "cut matrices over chips",
    "pp": "cut a model into stages",
    "ep": "spread experts over chips",
    "dp": "serve sequences in groups that share experts",
    "cp": "share a context over chips that each hold the weights",
    "tp_rows": "cut matrices in two dimensions",
    "kv_dp": "keep the KV of different sequences on the chips of one tp group",
    "fsdp": "gather a layer's weights before it runs",
    "redundant_experts": "hold experts twice",
}
"""Words for what an engine does with a degree above 1, by degree."""

PLAIN_FORMATS = ("fp32", "bf16", "fp16")
"""Number formats that every engine runs on every chip."""


def engine_faults(deployment: Deployment) -> tuple[str, ...]:
    """One clause for everything that an engine is known not to run; empty where it runs all, or nothing is known."""
    support = deployment.engine.support
    return () if support is None else tuple(_faults(deployment, support))


def _faults(deployment: Deployment, support: EngineSupport) -> Iterator[str]:
    name, layout = deployment.engine.name, deployment.layout
    model, machine = deployment.model, deployment.machine
    doubts = dict.fromkeys(support.unverified, " (not verified)")
    if support.chips.get(machine.family) is False:
        yield f"{name} does not run on {machine.family} chips{doubts.get('chips', '')}"
    for kind in _attention_kinds(model):
        if support.attention.get(kind) is False:
            yield f"{name} does not run {_spoken(kind)} attention{doubts.get('attention', '')}"
    drafting = _draft_kind(deployment)
    if drafting is not None and support.drafts.get(drafting) is False:
        yield f"{name} checks no tokens drafted by {deployment.speculation.draft_name}{doubts.get('drafts', '')}"
    for part, degree in _used(layout).items():
        said = support.parts.get(part, support.other_parts)
        if said is None:
            continue
        note = doubts.get(part if part in support.parts else "others", "") + (f": {said.note}" if said.note else "")
        if not said.has:
            yield f"{name} does not {WHAT_PARTS_DO[part]} ({part}){note}"
        elif said.whole and degree != layout.tp * layout.dp:
            yield f"{name} takes {part} of 1 or tp*dp={layout.tp * layout.dp}, not {degree}{note}"
        elif beside := [other for other in said.without if other in _used(layout)]:
            yield f"{name} has no {part} beside {' and '.join(beside)}{note}"


def format_faults(engine: Engine, machine: Machine, precision: Precision) -> tuple[str, ...]:
    """One clause for every number format that an engine is not known to run on a machine's chips."""
    support = engine.support
    if support is None:
        return ()
    known = {"weights": support.weights, "KV": support.kv}
    return tuple(
        f"{engine.name} is not known to run {name} {what} on {machine.family} chips"
        for name, what in _formats(precision)
        if name not in PLAIN_FORMATS and machine.family not in known[what].get(name, ())
    )


def engine_notes(deployment: Deployment, *, any_layout: bool = False) -> tuple[str, ...]:
    """Notes on whether an engine runs the estimated deployment.

    Args:
        deployment: deployment with the engine.
        any_layout: whether its layout is only one of several to be tried, each known to run.
    """
    engine, model, machine = deployment.engine, deployment.model, deployment.machine
    layout, support = None if any_layout else deployment.layout, engine.support
    if is_ideal(engine):
        return ()
    if support is None:
        return (f"nothing is known of what {engine.name} can run",)
    unknown = [f"{_spoken(kind)} attention" for kind in _attention_kinds(model) if kind not in support.attention]
    if machine.family not in support.chips:
        unknown.append(f"{machine.family or 'unnamed'} chips")
    kind = _draft_kind(deployment)
    if kind is not None and kind not in support.drafts:
        unknown.append(f"drafts of {deployment.speculation.draft_name}")
    faults = () if layout is None else engine_faults(deployment)
    formats = (f"{name} {what}" for name, what in _formats(deployment.precision))
    relied_on = ("attention", "chips", *(("drafts",) if kind else ()), *(_used(layout) if layout else ()), *formats)
    unverified = [name for name in relied_on if name in support.unverified]
    return (
        *(f"{fault}; estimated all the same" for fault in faults),
        *format_faults(engine, machine, deployment.precision),
        *(f"whether {engine.name} runs {what} is not known" for what in unknown),
        *((f"not verified of what {engine.name} runs: {', '.join(unverified)}",) if unverified else ()),
    )


def _used(layout: Layout) -> dict[str, int]:
    """Degrees of a layout that differ from their defaults."""
    degrees = {field.name: (getattr(layout, field.name), field.default) for field in dataclasses.fields(layout)}
    return {name: degree for name, (degree, usual) in degrees.items() if degree != usual}


def _formats(precision: Precision) -> tuple[tuple[str, str], ...]:
    """Number formats with what is stored in them: each of the weights', and the KV cache's."""
    weights = dict.fromkeys(precision.of(component).weight.name for component in Component)
    return (*((name, "weights") for name in weights), (precision.kv.name, "KV"))


def _attention_kinds(model: Model) -> tuple[str, ...]:
    return tuple(dict.fromkeys(type(group.attention).__name__ for group in model.groups))


def _draft_kind(deployment: Deployment) -> str | None:
    """Kind of a deployment's draft, as in the facts of engines; None without one."""
    draft = deployment.speculation.draft
    if draft is None:
        return None
    return draft.name if draft.is_known_kind else A_MODEL


A_MODEL = "model"
"""Kind of a draft that is a separate model."""


def _spoken(kind: str) -> str:
    """Name of a record's class in words.

    >>> _spoken("GroupedQueryAttention")
    'grouped query'
    """
    return " ".join(re.findall("[A-Z][a-z]+", kind.removesuffix("Attention"))).lower()
