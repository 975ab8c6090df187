"""Bills of the board of budgets as vessels that fill."""

from __future__ import annotations

from ridgeline.boards.companions import Vessel, Vessels

__all__ = ["LIFE", "TWO_COSTS"]

LIFE = Vessels(
    vessels=(
        Vessel(part="pre-training", does_text="is trained"),
        Vessel(part="RL", does_text="learns by reinforcement"),
        Vessel(part="serving", does_text="serves"),
    ),
    filler_text="model",
    text="The three bills of one model as vessels that fill",
)
"""A model's life as three vessels."""

TWO_COSTS = Vessels(
    vessels=(Vessel(part="falls", does_text=""), Vessel(part="rises", does_text="")),
    filler_text="",
    text="Two costs as vessels, of which one empties as the other fills",
)
"""Two costs of which one falls as the other rises."""
