"""Advantage of a distinguisher of a Feistel network: by rounds, and by queries beside the bound."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from ridgeline.figures.lab_panels import Part, Spread, curves_part, panels_figure
from ridgeline.figures.panel import Line
from ridgeline.figures.theme import Theme
from ridgeline.laboratory.distinguishers import Advantage
from ridgeline.laboratory.luby_rackoff import LubyRackoff

__all__ = ["luby_rackoff_figure"]

TOP = 1.15


def luby_rackoff_figure(found: LubyRackoff, *, title: str, subtitle: str, foot: str, theme: Theme) -> Figure:
    """Two panels: all tests by rounds, and the test that takes all queries on three rounds and on four."""
    names = list(dict.fromkeys(one.distinguisher for one in found.advantages))
    rounds = sorted({float(one.rounds) for one in found.advantages})
    colours = dict(zip(names, (theme.also, theme.ink, theme.estimate), strict=True))
    lines, spreads = [], []
    for name in names:
        of_name = [one for one in found.advantages if one.distinguisher == name]
        y = np.array([one.advantage for one in of_name])
        lines.append(Line(name=_broken(name), y=y, colour=colours[name]))
        spreads.append(_spread(rounds, of_name, colours[name]))
    by_rounds = curves_part(
        "By rounds",
        "advantage",
        "rounds",
        rounds,
        lines,
        spreads=spreads,
        top=TOP,
        is_whole=True,
    )
    return panels_figure((by_rounds, _by_queries(found, theme)), title=title, subtitle=subtitle, foot=foot, theme=theme)


def _spread(x: Sequence[float], of: Sequence[Advantage], colour: str) -> Spread:
    return Spread(
        x=np.array(x),
        y=np.array([one.advantage for one in of]),
        error=np.array([one.standard_error for one in of]),
        colour=colour,
    )


def _by_queries(found: LubyRackoff, theme: Theme) -> Part:
    counts = sorted({one.rounds for one in found.by_queries})
    queries = sorted({float(one.queries) for one in found.by_queries})
    lines = [Line(name="no test does\nbetter: q²/2ʰ", y=np.array(found.bounds), colour=theme.muted, floor=True)]
    spreads = []
    for count, colour in zip(counts, (theme.estimate, theme.ink), strict=True):
        of_count = [one for one in found.by_queries if one.rounds == count]
        y = np.array([one.advantage for one in of_count])
        lines.append(Line(name=f"{count} rounds", y=y, colour=colour, bold=count == counts[-1]))
        spreads.append(_spread(queries, of_count, colour))
    return curves_part(
        "By queries",
        "advantage, plaintexts until outputs meet",
        "queries",
        queries,
        lines,
        spreads=spreads,
        top=TOP,
        is_x_logarithmic=True,
    )


def _broken(name: str) -> str:
    """A name on two lines."""
    words = name.split()
    return " ".join(words[:2]) + "\n" + " ".join(words[2:]) if len(words) > 2 else name  # noqa: PLR2004  two lines
