"""Avalanche of one changed bit in ciphers and in networks, on one axis; and a network's advantage on a cipher."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from ridgeline.boards.board import View
from ridgeline.boards.picture import Axis, Table
from ridgeline.figures.cells import draw_table
from ridgeline.figures.lab_panels import Part, curves_part, panels_figure
from ridgeline.figures.panel import Line
from ridgeline.figures.theme import Theme
from ridgeline.laboratory.avalanches import Avalanche
from ridgeline.laboratory.judged import Learned

__all__ = ["avalanche_figure", "matrix_figure"]

ROUNDS = 8
"""Rounds or layers that are drawn."""


def avalanche_figure(
    found: Sequence[Avalanche], told: Sequence[Learned], *, title: str, subtitle: str, foot: str, theme: Theme
) -> Figure:
    """Three panels: bits that change, how far from the strict criterion, and learning."""
    rounds = list(map(float, range(ROUNDS + 1)))
    drawn = [one for one in found if _name(one) and len(one.changed_fraction) > ROUNDS]
    changed = curves_part(
        "Avalanche",
        "part of the output's bits that change",
        "rounds, or layers",
        rounds,
        (
            Line(name="one half", y=np.full(ROUNDS + 1, 0.5), colour=theme.muted, floor=True),
            *(_line(one, one.changed_fraction, theme) for one in drawn),
        ),
        top=0.6,
        is_whole=True,
    )
    chance = found[0].chance_deviation
    strict = curves_part(
        "Strict avalanche",
        "distance of each chance from one half",
        "rounds, or layers",
        rounds,
        (
            Line(name="coins", y=np.full(ROUNDS + 1, chance), colour=theme.muted, floor=True),
            *(_line(one, one.deviation, theme) for one in drawn),
        ),
        top=0.6,
        is_whole=True,
    )
    return panels_figure(
        (changed, strict, _learning(told, theme)), title=title, subtitle=subtitle, foot=foot, theme=theme
    )


def matrix_figure(one: Avalanche, after: int, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """The chance that each bit of the input changes each of the output, after a number of rounds or layers."""
    mean, deviation = one.changed_fraction[after], one.deviation[after]
    table = Table(
        values=one.matrices[after],
        is_written=False,
        text=f"on the mean {mean:.3f}, off one half by {deviation:.3f}; the darkest is 1",
    )
    view = View(
        heading=f"{one.name}, after {after}",
        x=Axis(caption="bit of the output", dimension="count"),
        y=Axis(caption="changed bit of the input", dimension="count"),
        compute=lambda _: table,
    )
    return panels_figure(
        (lambda pen, axes: draw_table(pen, view, table, axes),), title=title, subtitle=subtitle, foot=foot, theme=theme
    )


def _learning(told: Sequence[Learned], theme: Theme) -> Part:
    rounds = [float(one.rounds) for one in told]
    return curves_part(
        "A cipher to learn",
        "part of the bits that are foretold",
        "rounds of the cipher",
        rounds,
        (
            Line(name="a guess", y=np.full(len(told), 0.5), colour=theme.muted, floor=True),
            Line(name="best bit", y=np.array([one.best_bit_fraction for one in told]), colour=theme.also),
            Line(name="all bits", y=np.array([one.right_fraction for one in told]), colour=theme.estimate, bold=True),
        ),
        top=1.1,
        is_whole=True,
    )


def _name(one: Avalanche) -> str:
    """Name of a line; empty for lines that lie on others."""
    if one.kind == "cipher":
        return "" if one.name == "Feistel" else one.name
    if one.name == "signs":
        return "random signs"
    first = one.kind.partition(" ")[0]
    return {"plain": f"{first}\nplain", "residual and norm": f"{first}\nresidual, norm"}.get(one.name, "")


def _line(one: Avalanche, values: Sequence[float], theme: Theme) -> Line:
    by_kind = {"cipher": theme.ink, "random network": theme.also, "trained network": theme.estimate}
    return Line(
        name=_name(one),
        y=np.array(values[: ROUNDS + 1]),
        colour=by_kind[one.kind],
        bold=one.name == "AES",
    )
