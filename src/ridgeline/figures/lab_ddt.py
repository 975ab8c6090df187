"""A cipher differentiated: the table of an S-box, trails by round, and the success of an attack."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ridgeline.boards.board import View
from ridgeline.boards.picture import Axis, Table
from ridgeline.figures.cells import draw_table
from ridgeline.figures.lab_panels import Part, Spread, curves_part, panels_figure
from ridgeline.figures.panel import Line
from ridgeline.figures.pen import Pen
from ridgeline.figures.theme import Theme
from ridgeline.laboratory.ciphers import difference_table
from ridgeline.laboratory.cryptanalysis import Cryptanalysis

__all__ = ["cryptanalysis_figure"]

MOST_SHOWN, MOST_WRITTEN = 64, 16
"""Largest numbers of rows and columns of a table that are shown, and that have room for numbers."""
TABLE_WIDTH = 0.25
TOP = 1.15


def cryptanalysis_figure(
    found: Cryptanalysis, s_box: Sequence[int], *, title: str, subtitle: str, foot: str, theme: Theme
) -> Figure:
    """Three panels."""
    parts = (_table(s_box), _trails(found, theme), _attack(found, theme))
    return panels_figure(parts, title=title, subtitle=subtitle, foot=foot, theme=theme)


def _table(s_box: Sequence[int]) -> Part:
    """Table of differences, without the row of no change."""
    counts = np.array(difference_table(s_box=s_box), dtype=np.float64)
    counts[0] = 0
    largest, shown = counts.max(), counts[:MOST_SHOWN, :MOST_SHOWN]
    part = "" if len(counts) <= MOST_SHOWN else f", the first {MOST_SHOWN} shown"
    table = Table(
        values=shown,
        is_written=len(shown) <= MOST_WRITTEN,
        text=f"at most {largest:.0f} of {len(s_box)} inputs{part}",
    )
    view = View(
        heading="Difference distribution table",
        x=Axis(caption="change of the output", dimension="count"),
        y=Axis(caption="change of the input", dimension="count"),
        compute=lambda _: table,
    )

    def draw(pen: Pen, axes: Axes) -> None:
        where = axes.get_position()
        axes.set_position((where.x0, where.y0, TABLE_WIDTH, where.height))
        draw_table(pen, view, table, axes)

    return draw


def _trails(found: Cryptanalysis, theme: Theme) -> Part:
    rounds = [float(one.rounds) for one in found.trails]
    lines = (
        Line(name="parities", y=np.array([one.parity_correlation for one in found.trails]), colour=theme.also),
        Line(name="counted", y=np.array([one.measured_chance for one in found.trails]), colour=theme.estimate),
        Line(name="best trail", y=np.array([one.trail_chance for one in found.trails]), colour=theme.ink, bold=True),
    )
    return curves_part(
        "What is foretold",
        "chance, or a parity's correlation",
        "rounds",
        rounds,
        lines,
        is_logarithmic=True,
        is_whole=True,
        top=1.0,
        bottom=0.3 * found.trails[-1].trail_chance,
        show=_power,
    )


def _attack(found: Cryptanalysis, theme: Theme) -> Part:
    texts = np.array([float(one.chosen_plaintexts) for one in found.recoveries])
    y = np.array([one.success_fraction for one in found.recoveries])
    errors = np.array([one.standard_error for one in found.recoveries])
    return curves_part(
        "The last key, recovered",
        "part of all keys",
        "chosen plaintexts",
        texts.tolist(),
        (Line(name="found", y=y, colour=theme.estimate, bold=True),),
        spreads=(Spread(x=texts, y=y, error=errors, colour=theme.estimate),),
        top=TOP,
        is_x_logarithmic=True,
    )


def _power(value: float) -> str:
    """A power of ten."""
    return (
        f"10{str(round(np.log10(value))).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}" if value < 1 else "1"
    )
