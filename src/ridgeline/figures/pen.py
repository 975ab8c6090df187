"""Sizes of words and lines, and what every part of a drawing is drawn with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.axis import XAxis, YAxis
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ridgeline.figures.theme import Theme

__all__ = [
    "BOLD",
    "DOT_POINTS",
    "GAP_POINTS",
    "HEADING_POINTS",
    "INDENT_POINTS",
    "MEDIUM",
    "POINT_POINTS",
    "SMALL_POINTS",
    "TEXT_POINTS",
    "THIN",
    "Pen",
    "mark_ticks",
    "two_sides",
]

HEADING_POINTS, TEXT_POINTS, SMALL_POINTS = 17, 13, 12
INDENT_POINTS = 53
"""Distance of a panel's axis from its heading, in points: room for the numbers at its ticks."""
GAP_POINTS = 6
DOT_POINTS, POINT_POINTS = 10, 5
THIN, MEDIUM, BOLD = 1.8, 2.6, 4.2
"""Widths of lines, in points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """Figure, colours and measurements that every part of a drawing needs."""

    figure: Figure
    theme: Theme

    def size(self, text: Text) -> tuple[float, float]:
        """Width and height of a text, in pixels."""
        extent = text.get_window_extent()
        return extent.width, extent.height

    def pixels(self, points: float) -> float:
        """A length in pixels."""
        return points * self.figure.dpi / 72

    def head(self, axes: Axes, heading: str, caption: str) -> None:
        """Write a heading above a panel, and a caption below it."""
        for points_above, text, points, weight, colour in (
            (50, heading, HEADING_POINTS, "bold", self.theme.ink),
            (27, caption, TEXT_POINTS, "normal", self.theme.muted),
        ):
            axes.annotate(
                text,
                (0, 1),
                xycoords="axes fraction",
                xytext=(-INDENT_POINTS, points_above),
                textcoords="offset points",
                fontsize=points,
                fontweight=weight,
                color=colour,
            )


def mark_ticks(axis: XAxis | YAxis, ticks: Sequence[float], show: Callable[[float], str]) -> None:
    """Ticks at these values and no others, each with its text; zero is plain."""
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: show(value) if value else "0"))


def two_sides(axes: Axes, theme: Theme) -> None:
    """A quiet frame: the left side and the bottom."""
    axes.tick_params(length=4, width=1, color=theme.muted, labelcolor=theme.muted, labelsize=SMALL_POINTS)
    for side, spine in axes.spines.items():
        spine.set_visible(side in {"left", "bottom"})
        spine.set_color(theme.muted)
