"""Racks in a row without motion: what a chip holds by their number, up to the number that is drawn in full."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from ridgeline.boards.board import View
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.figures.panel import SMALL_POINTS, Pen
from ridgeline.figures.scene import quiet, write_head

__all__ = ["draw_row_of_racks"]

FAINT = 0.4
"""Strength of the numbers of racks that are not drawn in full."""


def draw_row_of_racks(pen: Pen, view: View, row: RowOfRacks, axes: Axes) -> None:
    """Draw a bar for each number of racks: what one of their chips holds, part by part."""
    write_head(pen, view, f"a chip has {row.hbm_text}", axes)
    bars = axes.inset_axes((0.0, 0.0, 1.0, 0.75))
    shades = [1.0 if place == row.here else FAINT for place in range(len(row.counts))]
    upper = np.zeros(len(row.counts))
    for part in row.parts:
        for count, low, held, shade in zip(row.counts, upper, part.held, shades, strict=True):
            bars.bar(count, held, bottom=low, color=getattr(pen.theme, part.colour.value), alpha=shade, width=0.8)
        upper += np.array(part.held)
    for one in sorted({0, row.here, len(row.counts) - 1}):
        where = row.counts[one], upper[one]
        bars.text(*where, row.both_text[one], fontsize=SMALL_POINTS, color=pen.theme.muted, ha="center", va="bottom")
    quiet(pen, bars, "racks", row.counts, [f"{one}" for one in row.counts])
