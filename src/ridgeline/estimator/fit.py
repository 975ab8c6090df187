"""Whether a layout divides a model and a machine, and where its groups of chips lie."""

from __future__ import annotations

from collections.abc import Iterator

from ridgeline.estimator.kernels import Group
from ridgeline.estimator.parameters import layer_matrices
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup, Model

__all__ = ["groups_of", "layout_faults", "require_divides"]


def layout_faults(model: Model, machine: Machine, layout: Layout) -> tuple[str, ...]:
    """One clause for every number that does not divide as the layout needs; none where it fits both."""
    # Groups of layers share most of their numbers, and so their faults.
    return tuple(dict.fromkeys(_faults(model, machine, layout)))


def _faults(model: Model, machine: Machine, layout: Layout) -> Iterator[str]:
    if layout.pp > 1 or layout.cp > 1:
        yield f"pp={layout.pp}, cp={layout.cp}: pipeline and context parallel layouts are not estimated; use 1"
    yield from _domain_faults(machine, layout)
    for group in model.groups:
        yield from _layer_faults(group, model.hidden, layout)


def _domain_faults(machine: Machine, layout: Layout) -> Iterator[str]:
    domain = machine.scale_up_chips
    domains = -(-layout.chips // domain)
    if domains > 1 and len(machine.fabric) == 1:
        yield f"{layout.chips} chips do not fit the {domain} of {machine.id}, which has no links beyond them"
    if layout.chips % domains:
        yield (
            f"{layout.chips} chips do not divide evenly over the {domains} domains of up to {domain} chips"
            f" of {machine.id} that they need"
        )
        return
    per_domain = layout.chips // domains
    if per_domain % layout.tp and layout.tp % per_domain:
        yield f"tp={layout.tp} neither divides nor is a multiple of the {per_domain} chips in each domain"


def _layer_faults(group: LayerGroup, hidden: int, layout: Layout) -> Iterator[str]:
    block, tp = group.feed_forward, layout.tp
    for matrix in layer_matrices(group, hidden):
        whole = matrix.parts == 1 or matrix.parts % tp == 0
        if not whole and not (matrix.is_copied and tp % matrix.parts == 0):
            other = "neither divides nor is a multiple of" if matrix.is_copied else "does not divide"
            yield f"tp={tp} {other} {matrix.parts_of}={matrix.parts}"
    if isinstance(block, RoutedExperts):
        if block.experts % layout.ep:
            yield f"ep={layout.ep} does not divide experts={block.experts}"
        sharing = layout.expert_tp
        if block.expert_hidden % sharing:
            yield f"tp*dp/ep={sharing} chips share an expert, but do not divide expert_hidden={block.expert_hidden}"


def require_divides(model: Model, machine: Machine, layout: Layout) -> None:
    """Refuse a layout that does not divide the model or the machine.

    Raises:
        LayoutError: says which number does not divide which.
    """
    if not any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups) and layout.ep > 1:
        raise LayoutError(f"layout {layout}: ep={layout.ep}, but {model.id} has no experts to spread; leave ep out")
    if faults := layout_faults(model, machine, layout):
        raise LayoutError(f"layout {layout} for {model.id} on {machine.id}: " + "; ".join(faults))


def groups_of(machine: Machine, layout: Layout) -> tuple[Group, Group]:
    """Where the chips of one ``tp`` group lie, and where all chips of a replica lie.

    Chips of a ``tp`` group are neighbours; a replica spreads evenly over the fewest domains that hold it.
    """
    domains = -(-layout.chips // machine.scale_up_chips)
    per_domain = layout.chips // domains
    tp_inner = min(layout.tp, per_domain)
    return Group(ranks=(tp_inner, layout.tp // tp_inner)), Group(ranks=(per_domain, domains))
