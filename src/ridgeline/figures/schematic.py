"""Sheets and schematics: a table as it is written on a blackboard, and parts with what connects them."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from ridgeline.boards.board import View
from ridgeline.boards.picture import Box, Cable, Schematic, Sheet
from ridgeline.figures.pen import HEADING_POINTS, SMALL_POINTS, TEXT_POINTS, Pen

__all__ = ["bare", "draw_schematic", "draw_sheet"]

EDGE_POINTS = 1.2
ARROW_POINTS = 11
INSET_POINTS = 4
"""Inset of a frame's text from its upper edge, in points."""
PADDING_POINTS, LEAST_PADDING_POINTS = 14, 5
"""Padding between a cell's text and the next column, and the least before letters become smaller, in points."""
MOST_ROW_POINTS = 44
"""Largest distance of a sheet's rows, in points, where there are few."""


def draw_sheet(pen: Pen, view: View, sheet: Sheet, axes: Axes) -> None:
    """Draw columns as wide as their widest cell, a rule under the headings, and the largest letters that fit."""
    theme, room = pen.theme, axes.bbox.width
    bare(pen, view.heading, sheet.text, axes)
    table = (sheet.columns, *sheet.rows)
    widths = [max(_width(pen, row[column]) for row in table) for column in range(len(sheet.columns))]
    gaps = len(widths) - 1
    air = max(pen.pixels(LEAST_PADDING_POINTS), min(pen.pixels(PADDING_POINTS), (room - sum(widths)) / gaps))
    shrunk = min(1.0, (room - air * gaps) / sum(widths))
    widths = [shrunk * width for width in widths]
    stretch = (room - air * gaps - sum(widths)) / len(widths)
    row_pixels = min(axes.bbox.height / len(table), pen.pixels(MOST_ROW_POINTS))
    axes.set_xlim(0, room)
    axes.set_ylim(axes.bbox.height, 0)
    left = 0.0
    for column, width in enumerate(widths):
        for place, row in enumerate(table):
            is_bold = place - 1 in sheet.bold
            axes.text(
                left,
                (place + 0.5) * row_pixels,
                row[column],
                fontsize=shrunk * TEXT_POINTS,
                fontweight="bold" if is_bold or not place else "normal",
                color=theme.ink if place and (is_bold or not column) else theme.muted,
                verticalalignment="center",
            )
        left += width + air + stretch
    axes.plot([0, axes.get_xlim()[1]], [row_pixels, row_pixels], color=theme.muted, linewidth=1)


def _width(pen: Pen, words: str) -> float:
    """Width of a text in a sheet, in pixels, in bold, the wider of its two styles."""
    text = pen.figure.text(0, 0, words, fontsize=TEXT_POINTS, fontweight="bold")
    width, _ = pen.size(text)
    text.remove()
    return width


def draw_schematic(pen: Pen, heading: str, schematic: Schematic, axes: Axes) -> None:
    """Draw frames at the back, cables over them, filled boxes in front."""
    bare(pen, heading, schematic.text, axes)
    axes.set_xlim(0, schematic.width)
    axes.set_ylim(schematic.height, 0)
    axes.set_aspect("equal", anchor="NW")
    # As artists and not as patches, which would move the ends of both axes, set above: of a thousand, most of the time.
    for box in schematic.boxes:
        _box(pen, box, axes)
    for cable in schematic.cables:
        _cable(pen, cable, axes)


def _box(pen: Pen, box: Box, axes: Axes) -> None:
    theme = pen.theme
    colour = getattr(theme, box.colour.value)
    axes.add_artist(
        Rectangle(
            (box.x, box.y),
            box.width,
            box.height,
            facecolor="none" if box.is_frame else colour,
            edgecolor=colour if box.is_frame else theme.background,
            linewidth=EDGE_POINTS,
            zorder=1 if box.is_frame else 3,
        )
    )
    if not box.text:
        return
    at = (box.x + box.width / 2, box.y if box.is_frame else box.y + box.height / 2)
    axes.annotate(
        box.text,
        at,
        xytext=(0, -INSET_POINTS if box.is_frame else 0),
        textcoords="offset points",
        fontsize=SMALL_POINTS,
        color=colour if box.is_frame else theme.background,
        horizontalalignment="center",
        verticalalignment="top" if box.is_frame else "center",
        linespacing=1.1,
        zorder=4,
    )


def _cable(pen: Pen, cable: Cable, axes: Axes) -> None:
    colour = getattr(pen.theme, cable.colour.value)
    axes.add_artist(
        FancyArrowPatch(
            (cable.x, cable.y),
            (cable.to_x, cable.to_y),
            arrowstyle="-|>" if cable.is_arrow else "-",
            mutation_scale=ARROW_POINTS,
            shrinkA=0,
            shrinkB=0,
            linewidth=cable.width,
            linestyle=(0, (4, 3)) if cable.is_dashed else "-",
            color=colour,
            zorder=2,
        )
    )
    if cable.text:
        axes.annotate(
            cable.text,
            ((cable.x + cable.to_x) / 2, (cable.y + cable.to_y) / 2),
            xytext=(INSET_POINTS, INSET_POINTS),
            textcoords="offset points",
            fontsize=SMALL_POINTS,
            color=colour,
            zorder=4,
        )


def bare(pen: Pen, heading: str, text: str, axes: Axes) -> None:
    """Remove axes, and write heading and summary as high above as panels have them."""
    axes.set_axis_off()
    axes.set_facecolor("none")
    for points_above, words, points, weight, colour in (
        (50, heading, HEADING_POINTS, "bold", pen.theme.ink),
        (27, text, TEXT_POINTS, "normal", pen.theme.muted),
    ):
        axes.annotate(
            words,
            (0, 1),
            xycoords="axes fraction",
            xytext=(0, points_above),
            textcoords="offset points",
            fontsize=points,
            fontweight=weight,
            color=colour,
            annotation_clip=False,
        )
