"""Traffic that a stage hands on to the next: controls of several boards, and how its numbers are written."""

from __future__ import annotations

from ridgeline.boards.board import Control, Facts
from ridgeline.boards.constant import Constant
from ridgeline.boards.lecture import controls
from ridgeline.equations import experts
from ridgeline.estimator.stage_cuts import engine_cut, layer_counts
from ridgeline.specs.engine import IDEAL_ENGINE

__all__ = ["MOST_STAGES", "copies_per_token", "layers_of_a_stage", "stages", "times"]

MOST_STAGES = 16
"""Largest number of stages that a picture has room for."""


def stages(lecture: Constant, careful: float) -> Control:
    """Number of stages: groups of chips, each with some of the layers."""
    return Control(
        name="stages",
        meaning="stages",
        dimension="count",
        low=2,
        high=MOST_STAGES,
        lecture=lecture,
        careful=careful,
        is_whole=True,
    )


def copies_per_token(facts: Facts) -> float:
    """Chips of a domain that a token visits: one copy goes to each, however many of its experts lie there."""
    block = controls.routed_block(facts.model)
    if block is None:
        return 1.0
    found = experts.groups_visited(
        experts=block.experts,
        active_experts=block.active_experts,
        groups=min(facts.machine.scale_up_chips, block.experts),
        routing_groups=block.routing_groups,
        routed_groups=block.routed_groups,
    )
    return max(1.0, float(found))  # one expert is one chip, but for rounding


def layers_of_a_stage(layers: int, stages: int) -> int:
    """Layers of the fullest stage, as engines cut them."""
    return max(layer_counts(engine_cut(IDEAL_ENGINE.spare_layers, layers=layers, stages=min(stages, layers))))


def times(count: float, what: str) -> str:
    """Text of a count with its noun.

    >>> times(1, "layer"), times(25, "layer")
    ('1 layer', '25 layers')
    """
    return f"{count:,.0f} {what}{'' if count == 1 else 's'}"
