"""Decode and prefill by the same chip without motion: when each reads its memory and computes, on one clock."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from ridgeline.boards.board import View
from ridgeline.boards.two_chips import Side, TwoChips
from ridgeline.figures.panel import SMALL_POINTS, Pen
from ridgeline.figures.scene import quiet, write_head

__all__ = ["draw_two_chips"]

READS, COMPUTES, HIGH = 1.0, 0.0, 0.7
"""Places of both lanes, and their height."""


def draw_two_chips(pen: Pen, view: View, chips: TwoChips, axes: Axes) -> None:
    """Draw a lane of reading and one of computing for each chip."""
    write_head(pen, view, "", axes)
    for place, side in enumerate(chips.sides):
        lanes = axes.inset_axes((0.0, 0.55 - 0.45 * place, 1.0, 0.22))
        _draw_side(pen, side, chips.end, lanes)
        is_last = place == len(chips.sides) - 1
        ticks = chips.ticks if is_last else ()
        quiet(pen, lanes, view.x.caption if is_last else "", [one.at for one in ticks], [one.text for one in ticks])


def _draw_side(pen: Pen, side: Side, end: float, lanes: Axes) -> None:
    theme = pen.theme
    starts = np.arange(0.0, end, max(side.weights + side.kv, side.compute))
    for offset, length, lane, colour in (
        (0.0, side.weights, READS, theme.weights),
        (side.weights, side.kv, READS, theme.kv),
        (0.0, side.compute, COMPUTES, theme.compute),
    ):
        lanes.broken_barh([(start + offset, length) for start in starts], (lane, HIGH), facecolors=colour, linewidth=0)
    lanes.set_xlim(0, end)
    lanes.set_ylim(0, READS + HIGH)
    lanes.text(
        0,
        1.08,
        f"{side.name}: {side.rate_text}, {side.price_text}",
        fontsize=SMALL_POINTS,
        color=theme.ink,
        transform=lanes.transAxes,
    )
