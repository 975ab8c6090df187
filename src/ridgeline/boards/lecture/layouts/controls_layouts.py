"""Shared parts of boards on layouts: controls, and how counts are written."""

from __future__ import annotations

from ridgeline.boards.board import Control, Facts
from ridgeline.boards.constant import Constant
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.layouts import numbers
from ridgeline.quantity_text import format_number
from ridgeline.specs.topology import Torus

__all__ = [
    "active_experts",
    "axes",
    "cables_per_chip",
    "chips",
    "copies",
    "count_text",
    "dispatch_bytes",
    "expert_hidden",
    "experts",
    "layers_per_stage",
    "racks",
]

IN_FULL = 1000.0
"""Counts from here on are written to their last digit."""

RACKS_IN_A_PIPELINE = 4

USUAL_AXES = 3.0
"""Axes of a torus beside a machine that has switches: as in the large pods of TPUs."""


def dispatch_bytes(*, lecture: Constant) -> Control:
    """Bytes of a value on its way to an expert."""
    return Control(
        name="dispatch_bytes",
        meaning="per value sent to experts",
        short="value sent",
        dimension="bytes",
        low=0.5,
        high=4,
        lecture=lecture,
        careful=lambda facts: facts.model.precision.experts.operand.bytes_per_value,
    )


def layers_per_stage() -> Control:
    """A model's layers over four racks."""
    return Control(
        name="layers_per_stage",
        meaning="layers per stage",
        dimension="count",
        low=1,
        high=100,
        lecture=numbers.LAYERS_PER_STAGE,
        careful=lambda facts: -(-facts.model.layers // RACKS_IN_A_PIPELINE),
        is_whole=True,
    )


def experts() -> Control:
    """Routed experts of a layer."""
    return Control(
        name="experts",
        meaning="experts",
        dimension="count",
        low=8,
        high=1024,
        lecture=numbers.EXPERTS,
        careful=lambda facts: block.experts if (block := controls.routed_block(facts.model)) else None,
        is_whole=True,
    )


def active_experts() -> Control:
    """Experts that a token visits."""
    return Control(
        name="active_experts",
        meaning="active",
        called="experts per token",
        dimension="count",
        low=1,
        high=64,
        lecture=numbers.ACTIVE_EXPERTS,
        careful=lambda facts: block.active_experts if (block := controls.routed_block(facts.model)) else None,
        is_whole=True,
    )


def expert_hidden(*, low: float, high: float) -> Control:
    """Width inside an expert; inside the block of a model without."""
    return Control(
        name="expert_hidden",
        meaning="wide inside an expert",
        called="hidden size of an expert",
        short="expert width",
        dimension="count",
        low=low,
        high=high,
        lecture=numbers.EXPERT_HIDDEN,
        careful=_width,
    )


def chips(*, low: float, meaning: str, lecture: Constant = numbers.CHIPS, high: float = 16384) -> Control:
    """Number of chips of a scale-up domain."""
    return Control(
        name="chips",
        meaning=meaning,
        dimension="count",
        low=low,
        high=high,
        lecture=lecture,
        careful=lambda facts: min(high, max(low, facts.machine.scale_up_chips)),
        is_whole=True,
    )


def copies() -> Control:
    """Experts that are held a second time."""
    return Control(
        name="redundant_experts",
        meaning="copies",
        called="extra copies of experts",
        short="extra copies",
        dimension="count",
        low=0,
        high=1024,
        lecture=numbers.NO_COPIES,
        careful=numbers.PRODUCTION_COPIES,
        is_whole=True,
    )


def racks(high: float) -> Control:
    """Number of racks that share the experts of a layer."""
    return Control(
        name="racks",
        meaning="racks",
        dimension="count",
        low=1,
        high=high,
        lecture=numbers.RACKS,
        careful=2,
        is_whole=True,
    )


def cables_per_chip(lecture: Constant = numbers.CABLES_PER_TRAY) -> Control:
    """Wires of all links of a chip, where the catalog knows how many a link has; else its links."""
    return Control(
        name="cables_per_chip",
        meaning="cables per chip",
        dimension="count",
        low=1,
        high=256,
        lecture=lecture,
        careful=_cables,
        is_whole=True,
    )


def axes(*, lecture: Constant, high: float) -> Control:
    """Number of axes of the torus that the chips form, or would form if they had no switches."""
    return Control(
        name="axes",
        meaning="axes",
        dimension="count",
        low=1,
        high=high,
        lecture=lecture,
        careful=_axes,
        is_whole=True,
    )


def count_text(value: float) -> str:
    """Text of a count: to three digits if it is large, in full otherwise.

    >>> count_text(0.5), count_text(11592.5)
    ('0.5', '11,592')
    """
    return format_number(value) if value < IN_FULL else f"{value:,.0f}"


def _cables(facts: Facts) -> float | None:
    inside = facts.machine.fabric[0]
    return None if inside.links is None else inside.links * (inside.cables_per_link or 1)


def _axes(facts: Facts) -> float:
    topology = facts.machine.fabric[0].topology
    return len(topology.sides) if isinstance(topology, Torus) else USUAL_AXES


def _width(facts: Facts) -> float:
    block = controls.routed_block(facts.model)
    if block is not None:
        return block.expert_hidden
    return max(getattr(group.feed_forward, "ffn_hidden", 0) for group in facts.model.groups)
