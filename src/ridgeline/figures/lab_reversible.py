"""Memory by depth of three ways to compute gradients, and the error of undoing layers."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ridgeline.figures.lab_panels import Part, curves_part, panels_figure
from ridgeline.figures.panel import Line, Mark
from ridgeline.figures.theme import Theme
from ridgeline.laboratory.reversible import Comparison
from ridgeline.quantity_text import format_quantity

__all__ = ["comparison_figure"]


def comparison_figure(found: Comparison, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Two panels: memory by depth, and FLOP beside it."""
    return panels_figure(
        (_memory(found, theme), _price(found, theme)), title=title, subtitle=subtitle, foot=foot, theme=theme
    )


def _colours(theme: Theme) -> dict[str, str]:
    return {"plain": theme.estimate, "checkpointed": theme.also, "reversible": theme.ink}


def _memory(found: Comparison, theme: Theme) -> Part:
    order = np.argsort(found.layers)
    layers = np.array(found.layers, dtype=float)[order]
    lines = [
        Line(
            name=one.form,
            y=np.array(one.temporary_bytes)[order],
            colour=_colours(theme)[one.form],
            bold=one.form == "reversible",
        )
        for one in found.forms
    ]
    return curves_part(
        "Memory by depth",
        "beside weights and results",
        "layers",
        layers.tolist(),
        lines,
        top=1.15 * max(max(one.temporary_bytes) for one in found.forms),
        is_whole=True,
        show=_bytes,
    )


def _price(found: Comparison, theme: Theme) -> Part:
    """Memory at the greatest depth over FLOP."""
    deepest = int(np.argmax(found.layers))
    marks = [
        Mark(
            x=one.flop_ratio,
            y=one.temporary_bytes[deepest],
            text=f"{one.form}: {_bytes(one.temporary_bytes[deepest])}",
            colour=_colours(theme)[one.form],
        )
        for one in found.forms
    ]
    expected = found.expected_flop_ratio
    ends = np.array([0.95, 1.45])
    line = Line(
        name="",
        x=np.array([expected, expected]),
        y=np.array([1.0, 1e15]),
        colour=theme.muted,
        floor=True,
    )
    highest = max(one.temporary_bytes[deepest] for one in found.forms)
    return curves_part(
        "Its price",
        f"memory at {found.layers[deepest]} layers; dashed: a forward pass more",
        "FLOP over the plain form's",
        ends.tolist(),
        (line,),
        marks=marks,
        top=1.3 * highest,
        show=_bytes,
        show_x=lambda value: f"{value:.1f}",
    )


def _bytes(value: float) -> str:
    return format_quantity(value, "bytes")
