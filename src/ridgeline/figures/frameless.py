"""A panel without a frame."""

from __future__ import annotations

from matplotlib.axes import Axes

from ridgeline.figures.pen import HEADING_POINTS, SMALL_POINTS
from ridgeline.figures.theme import Theme

__all__ = ["frameless"]


def frameless(axes: Axes, theme: Theme, heading: str = "", *, pad: float = 12) -> None:
    """Remove frame and tick marks, and write the panel's heading ``pad`` points above it."""
    axes.set_facecolor(theme.background)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(colors=theme.muted, labelsize=SMALL_POINTS, length=0, which="both")
    if heading:
        axes.set_title(heading, loc="left", fontsize=HEADING_POINTS, color=theme.ink, pad=pad)
