"""Numbers of the chapter on pipelines."""

from __future__ import annotations

from ridgeline.boards.constant import filled_in, implied, said

__all__ = [
    "ACTIVE_EXPERTS",
    "BACKWARD_RATIO",
    "CHIPS_PER_STAGE",
    "LAYERS",
    "LAYERS_PER_STAGE",
    "MICRO_BATCHES",
    "MORE_MICRO_BATCHES",
    "STAGES_ASSUMED",
    "STAGES_DRAWN",
    "TRILLION_BYTES",
    "TRILLION_PARAMS",
    "USUAL_BACKWARD_RATIO",
]

LAYERS = said(100.0, "0:48:00", hedge="a hundred more layers", name="layers")
"""Layers of a model, above the one that was drawn."""

STAGES_DRAWN = said(4, "0:57:01", hedge="maybe", name="stages")
"""Racks of the pipeline that is drawn."""

MICRO_BATCHES = said(4, "1:09:30", name="micro_batches")
"""Micro-batches that keep the stages busy: batches zero to three of the drawing."""

MORE_MICRO_BATCHES = filled_in(
    2 * STAGES_DRAWN.value, why="twice the stages: with as many micro-batches as stages every schedule keeps as much"
)
"""Micro-batches of a training step that schedules are compared on: more than stages, so that what they keep differs."""

LAYERS_PER_STAGE = filled_in(LAYERS.value / STAGES_DRAWN.value, why="a hundred layers over four racks")
"""Layers of a stage where a hundred lie over four racks; the lecture also has racks of one layer and of two."""

ACTIVE_EXPERTS = said(8.0, "0:52:00", hedge="it could be 8 by itself", name="active_experts")
"""Experts that a token is sent to."""

BACKWARD_RATIO = implied(1, "0:59:00")
"""Backward time over forward time; their blocks are drawn alike."""

USUAL_BACKWARD_RATIO = 2.0
"""Backward time over forward time where gradients take two products for each of the forward pass."""

TRILLION_PARAMS = said(1e12, "1:02:00", name="total_params")
"""Parameters of the model that is said to fit a rack many times."""

TRILLION_BYTES = said(1e12, "1:02:00", claim="B12")
"""Bytes of these parameters, one each."""

CHIPS_PER_STAGE = said(64, "1:06:00", hedge="for example", name="chips_per_stage")
"""Chips of a rack, over which the experts of a stage are spread."""

STAGES_ASSUMED = said(4, "1:06:20", hedge="maybe 4 or something like that", name="stages")
"""Racks of a pipeline where memory is divided."""
