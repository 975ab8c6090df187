"""An attack's success by the size of the change, and how differences spread: networks beside a cipher."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from ridgeline.figures.lab_panels import Array, Part, curves_part, panels_figure
from ridgeline.figures.panel import Line
from ridgeline.figures.theme import Theme
from ridgeline.laboratory.adversarial import Adversarial, Propagated

__all__ = ["adversarial_figure"]

TOP = 1.15


def adversarial_figure(found: Adversarial, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Draw three panels: success, distance, and the prediction of the derivative."""
    apart = _by_depth(
        found,
        "Driven apart",
        "distance over unrelated inputs'",
        [one.distance_fraction for one in found.propagated],
        theme,
    )
    foretold = _by_depth(
        found,
        "What the derivative foretells",
        "cosine, or a difference's chance",
        [one.foretold_fraction for one in found.propagated],
        theme,
    )
    return panels_figure(
        (_success(found, theme), apart, foretold), title=title, subtitle=subtitle, foot=foot, theme=theme
    )


def _colours(theme: Theme) -> dict[str, str]:
    """Colours of networks: one with residual connections, another without."""
    return {
        "plain": theme.estimate,
        "norm": theme.estimate,
        "residual": theme.also,
        "residual and norm": theme.also,
    }


def _success(found: Adversarial, theme: Theme) -> Part:
    colours = _colours(theme)
    lines = [
        Line(name="", y=np.array(one.random_fraction), colour=theme.muted, floor=True) for one in found.attacked[1:]
    ]
    lines.append(
        Line(name="random\nsigns, all", y=np.array(found.attacked[0].random_fraction), colour=theme.muted, floor=True)
    )
    lines += [
        Line(name=_broken(one.network), y=np.array(one.gradient_fraction), colour=colours[one.network])
        for one in found.attacked
    ]
    return curves_part(
        "Attacked",
        "part of images that turn",
        "change of every dot, in ink",
        found.attacked[0].epsilons,
        lines,
        top=TOP,
        is_x_logarithmic=True,
    )


def _by_depth(found: Adversarial, heading: str, caption: str, values: Sequence[Sequence[float]], theme: Theme) -> Part:
    depth = min(map(len, values))
    lines = [
        _line(one, np.array(y[:depth]), theme)
        for one, y in zip(found.propagated, values, strict=True)
        if one.change != "random signs" or one.name == "residual and norm"
    ]
    return curves_part(
        heading, caption, "rounds, or layers", list(map(float, range(depth))), lines, top=TOP, is_whole=True
    )


def _line(one: Propagated, y: Array, theme: Theme) -> Line:
    if one.change == "one bit":
        return Line(name="cipher", y=y, colour=theme.ink, bold=True)
    if one.change == "random signs":
        return Line(name="random\nsigns", y=y, colour=theme.muted, floor=True)
    return Line(name=_broken(one.name), y=y, colour=_colours(theme)[one.name])


def _broken(name: str) -> str:
    return name.replace(" and ", "\nand ")
