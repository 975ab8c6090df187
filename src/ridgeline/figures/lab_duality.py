"""Prices of a byte and of a FLOP: a dot a machine, a line a technique that trades the one for the other."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ridgeline.figures.lab_panels import curves_part, panels_figure
from ridgeline.figures.panel import Line, Points
from ridgeline.figures.theme import Theme
from ridgeline.laboratory.duality import Duality
from ridgeline.quantity_text import format_quantity
from ridgeline.seconds import HOUR_S

__all__ = ["duality_figure"]

BESIDE = 1.6
"""Room beside the dots, as a factor."""
EFLOP, GB_MONTH = 1e-18, 1 / (1e9 * 730 * HOUR_S)
"""Dollars that a dot's numbers are counted in: one for 1e18 FLOP, and for a gigabyte held a month of 730 hours."""


def duality_figure(found: Duality, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """One panel, both axes logarithmic: the lines are parallel."""
    priced = [
        (one.machine, float(one.usd_per_flop), float(one.usd_per_byte_s))
        for one in found.machines
        if one.usd_per_flop is not None and one.usd_per_byte_s is not None
    ]
    x = np.array([one[1] / EFLOP for one in priced])
    y = np.array([one[2] / GB_MONTH for one in priced])
    ends = np.geomspace(x.min() / BESIDE, x.max() * BESIDE, 50)
    colours = {"memory": theme.kv, "compute": theme.estimate}
    lines = [
        Line(
            name=f"{_broken(one.name)} {format_quantity(one.held_s, 'duration')}",
            y=one.flop_per_byte_s * ends * EFLOP / GB_MONTH,
            colour=colours[one.spends],
        )
        for one in found.techniques
    ]
    part = curves_part(
        "Shadow prices",
        "of a GB of HBM held for a month",
        "of 10¹⁸ FLOP",
        ends.tolist(),
        lines,
        points=(Points(name="", x=x, y=y, labels=tuple(one[0] for one in priced), colour=theme.ink),),
        top=BESIDE**2 * float(y.max()),
        bottom=float(y.min()) / BESIDE,
        is_x_logarithmic=True,
        is_logarithmic=True,
        show=_dollars,
        show_x=_dollars,
    )
    return panels_figure((part,), title=title, subtitle=subtitle, foot=foot, theme=theme)


def _dollars(value: float) -> str:
    return format_quantity(value, "usd")


def _broken(name: str) -> str:
    """Name broken over lines."""
    return name.replace("KV cache of ", "KV cache of\n").replace(", ", "\n") + ","
