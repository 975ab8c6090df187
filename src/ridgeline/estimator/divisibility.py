"""Whether a layout divides a model and a machine."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.estimator.parameters import layer_matrices
from ridgeline.estimator.placement import placement_faults
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup, Model

__all__ = ["layout_faults", "require_divides"]


def layout_faults(model: Model, machine: Machine, layout: Layout) -> tuple[str, ...]:
    """One clause for every number that does not divide as the layout needs; none where it fits both."""
    # Groups of layers share most of their numbers, and so their faults.
    return tuple(dict.fromkeys(_faults(model, machine, layout)))


def _faults(model: Model, machine: Machine, layout: Layout) -> Iterator[str]:
    if layout.pp > model.layers:
        yield f"pp={layout.pp} stages are more than layers={model.layers}"
    if not model.is_routed and (layout.ep > 1 or layout.redundant_experts):
        yield f"{model.id} has no experts to spread; leave ep and redundant out"
    for name, degree in (("fsdp", layout.fsdp), ("tp_rows", layout.tp_rows)):
        if model.is_routed and degree > 1:
            yield f"{name}={degree} is for models without experts; leave it out, and spread experts by ep"
    yield from placement_faults(machine, layout)
    for group in model.groups:
        yield from _layer_faults(group, model.hidden, layout)


def _layer_faults(group: LayerGroup, hidden: int, layout: Layout) -> Iterator[str]:
    block, tp = group.feed_forward, layout.tp // layout.tp_rows
    cut = f"tp={layout.tp}" if layout.tp_rows == 1 else f"tp/tp_rows={tp}"
    for matrix in layer_matrices(group, hidden):
        whole = matrix.parts == 1 or matrix.parts % tp == 0
        if not whole and not (matrix.is_copied and tp % matrix.parts == 0):
            other = "neither divides nor is a multiple of" if matrix.is_copied else "does not divide"
            yield f"{cut} {other} {matrix.parts_of}={matrix.parts}"
    if hidden % layout.tp_rows:
        yield f"tp_rows={layout.tp_rows} does not divide hidden={hidden}"
    if isinstance(block, RoutedExperts):
        places = block.experts + layout.redundant_experts
        if layout.redundant_experts > block.experts:
            yield f"redundant={layout.redundant_experts} is over experts={block.experts}; each is held twice at most"
        if places % layout.ep:
            held = f"experts={block.experts}" + (
                f" and {layout.redundant_experts} redundant" if places > block.experts else ""
            )
            extra = -block.experts % layout.ep
            remedy = f"; redundant{extra} makes it {block.experts + extra}" if 0 < extra <= block.experts else ""
            yield f"ep={layout.ep} does not divide {held}{remedy}"
        sharing = layout.expert_tp
        if block.expert_hidden % sharing:
            yield f"tp*dp/ep={sharing} chips share an expert, but do not divide expert_hidden={block.expert_hidden}"


def require_divides(model: Model, machine: Machine, layout: Layout) -> None:
    """Refuse a layout that does not divide the model or the machine.

    Raises:
        LayoutError: a degree does not divide; the message names both numbers.
    """
    if faults := layout_faults(model, machine, layout):
        raise LayoutError(f"layout {layout} for {model.id} on {machine.id}: " + "; ".join(faults))
