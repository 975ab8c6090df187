"""Still pictures of flows: messages over time, copies in racks, halves through rounds, quantities side by side."""

from __future__ import annotations

import textwrap

from matplotlib.axes import Axes
from matplotlib.patches import Polygon, Rectangle

from ridgeline.boards.board import View
from ridgeline.boards.flows import Crossing, Facet, Facets, Halves, Message, Passage, Strip
from ridgeline.figures.pen import MEDIUM, SMALL_POINTS, TEXT_POINTS, THIN, Pen
from ridgeline.figures.scene import quiet, write_head

__all__ = ["draw_flow"]

HIGH = 0.56
"""Height of a stay, as a part of its row."""

THINNEST = 0.003
"""Least width of a band, as a part of the axis, so that it is seen."""

ADDED, CROSS, CROSSED = 0.3, 0.48, 0.92
"""Parts of a round at which f is added, and between which the halves cross."""

COLUMNS = 2

CHARACTER_POINTS = 6.0
"""Width of a character of a strip's heading, at most."""

MOST_NAMED = 4


def draw_flow(pen: Pen, view: View, flow: Passage | Crossing | Halves | Facets, axes: Axes) -> None:
    """Drawing of a flow by its kind."""
    match flow:
        case Passage():
            _draw_passage(pen, view, flow, axes)
        case Crossing():
            _draw_crossing(pen, view, flow, axes)
        case Halves():
            _draw_halves(pen, view, flow, axes)
        case Facets():
            _draw_facets(pen, view, flow, axes)


def _draw_passage(pen: Pen, view: View, passage: Passage, axes: Axes) -> None:
    """Draw one strip below another, each over its own axis."""
    write_head(pen, view, passage.text, axes)
    share = 0.94 / len(passage.strips)
    for place, strip in enumerate(passage.strips):
        frame = axes.inset_axes((0.14, 1 - (place + 1) * share + 0.1, 0.84, share - 0.22))
        is_last = place == len(passage.strips) - 1
        _strip(pen, frame, strip, view.x.caption if is_last else "")


def _strip(pen: Pen, frame: Axes, strip: Strip, caption: str) -> None:
    theme = pen.theme
    frame.set_xlim(0, strip.end)
    frame.set_ylim(len(strip.places) - 0.4, -0.6)
    for stay in strip.stays:
        corner = (stay.start, stay.row - HIGH / 2)
        colour = getattr(theme, stay.colour.value)
        frame.add_patch(Rectangle(corner, stay.end - stay.start, HIGH, facecolor=colour, linewidth=0))
    for message in strip.messages:
        _message(frame, message, strip.end, getattr(theme, message.colour.value))
    for limit in strip.limits:
        frame.axvline(limit.at, color=theme.ink, linewidth=THIN, linestyle=(0, (3, 3)))
    points = frame.bbox.width / pen.pixels(1)
    heading = textwrap.fill(strip.name, int(points / CHARACTER_POINTS))
    frame.set_title(heading, loc="left", fontsize=SMALL_POINTS, color=theme.ink)
    quiet(pen, frame, caption, [tick.at for tick in strip.ticks], [tick.text for tick in strip.ticks])
    # Of places between which nothing stops the two ends are named.
    named = [place for place in range(len(strip.places)) if strip.stays or len(strip.places) <= MOST_NAMED]
    named = named or [0, len(strip.places) - 1]
    frame.set_yticks(named, [strip.places[place] for place in named])


def _message(frame: Axes, message: Message, end: float, colour: str) -> None:
    """Band of a message from its first byte to its last, down to the row where it arrives."""
    wide = max(message.long, THINNEST * end)
    start, late = message.start, message.start + message.latency
    corners = [
        (start, message.row),
        (start + wide, message.row),
        (late + wide, message.to_row),
        (late, message.to_row),
    ]
    frame.add_patch(Polygon(corners, facecolor=colour, linewidth=0))


def _draw_crossing(pen: Pen, view: View, crossing: Crossing, axes: Axes) -> None:
    """Draw two racks with the ways of a token in each, and the time of these over that of the way between them."""
    theme, count = pen.theme, min(crossing.copies, MOST_WAYS)
    write_head(pen, view, f"{crossing.ratio_text}: {crossing.so_text}", axes)
    racks = axes.inset_axes((0.0, 0.42, 1.0, 0.42))
    racks.set_xlim(0, 1)
    racks.set_ylim(1, 0)
    racks.plot([TOKEN, 1 - TOKEN], [0.5, 0.5], color=theme.also, linewidth=THIN)
    wide = THIN * min(1.0, crossing.link_ratio / crossing.copies)
    for edge, expert, token in ((0.0, EXPERT, TOKEN), (1 - RACK, 1 - EXPERT, 1 - TOKEN)):
        racks.add_patch(Rectangle((edge, 0), RACK, 1, facecolor=theme.beyond, linewidth=0))
        rows = [(one + 0.5) / count for one in range(count)]
        for row in rows:
            racks.plot([token, expert], [0.5, row], color=theme.links, linewidth=wide)
        racks.plot([expert] * count, rows, "s", color=theme.links, markersize=6)
        racks.plot([token], [0.5], "s", color=theme.also, markersize=11)
    quiet(pen, racks, "", [RACK / 2, 0.5, 1 - RACK / 2], ["rack 1", "slow link", "rack 2"])
    bars = axes.inset_axes((0.2, 0.08, 0.8, 0.2))
    for row, (long, colour) in enumerate(((crossing.inside, theme.links), (1.0, theme.also))):
        bars.barh(row, long, color=colour, height=HIGH)
    bars.set_xlim(0, crossing.end)
    bars.set_ylim(1.5, -0.5)
    quiet(pen, bars, view.x.caption, [tick.at for tick in crossing.ticks], [tick.text for tick in crossing.ticks])
    bars.set_yticks([0, 1], ["inside rack 1", "to rack 2"])


RACK, TOKEN, EXPERT = 0.38, 0.34, 0.05
"""Parts of the width at which the first rack ends, and the chips of its token and of experts lie."""
MOST_WAYS = 16
"""Largest number of ways to experts that are drawn."""


def _draw_halves(pen: Pen, view: View, halves: Halves, axes: Axes) -> None:
    """Draw the way there above and back below: two rails, which the halves change in each round."""
    write_head(pen, view, halves.text, axes)
    ways = (
        ("there", "+", halves.left, halves.right),
        ("back", "\N{MINUS SIGN}", halves.left_back[::-1], halves.right_back[::-1]),
    )
    for place, (name, sign, left, right) in enumerate(ways):
        frame = axes.inset_axes((0.0, 0.52 - 0.5 * place, 1.0, 0.4))
        _way(pen, frame, halves, (name, sign), (left, right))


def _way(
    pen: Pen, frame: Axes, halves: Halves, named: tuple[str, str], values: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    theme, rounds = pen.theme, len(halves.through)
    (name, sign), (left, right) = named, values
    colours = theme.also, theme.estimate
    frame.set_xlim(-0.2, rounds + 0.2)
    frame.set_ylim(1.7, -0.7)
    middle = {"horizontalalignment": "center", "verticalalignment": "center", "fontsize": SMALL_POINTS}
    paper = {"facecolor": theme.background, "edgecolor": "none", "pad": 1.0}
    for which, colour in enumerate(colours):
        x = [part for place in range(rounds) for part in (place, place + CROSS, place + CROSSED)] + [rounds]
        y = [(which + place) % 2 for place in range(rounds) for _ in (0, 1)]
        rails = [rail for place in range(rounds) for rail in (*y[2 * place : 2 * place + 2], (which + place + 1) % 2)]
        frame.plot(x, [*rails, (which + rounds) % 2], color=colour, linewidth=MEDIUM)
    for place in range(rounds):
        frame.plot([place + ADDED] * 2, [0, 1], color=theme.compute, linewidth=THIN)
        said = f"${halves.function}$" if rounds <= MOST_WRITTEN else "f"
        frame.text(place + ADDED, 0.5, said, color=theme.compute, bbox=paper, parse_math=True, **middle)  # type: ignore[arg-type]
        frame.text(place + ADDED, 1, sign, color=theme.compute, bbox=paper, **middle)  # type: ignore[arg-type]
    for place, (one, other) in enumerate(zip(left, right, strict=True)):
        frame.text(place, -0.35, f"{one}", color=colours[place % 2], **middle)  # type: ignore[arg-type]
        frame.text(place, 1.35, f"{other}", color=colours[(place + 1) % 2], **middle)  # type: ignore[arg-type]
    frame.set_title(name, loc="left", fontsize=TEXT_POINTS, color=theme.ink)
    quiet(pen, frame, "", [], [])


MOST_WRITTEN = 10
"""Largest number of rounds in which f is written out."""


def _draw_facets(pen: Pen, view: View, facets: Facets, axes: Axes) -> None:
    """Draw each facet in a small frame of its own, from zero."""
    write_head(pen, view, facets.text, axes)
    rows = -(-len(facets.facets) // COLUMNS)
    for place, facet in enumerate(facets.facets):
        column, row = place % COLUMNS, place // COLUMNS
        frame = axes.inset_axes(
            (column / COLUMNS, 0.1 + 0.86 * (rows - 1 - row) / rows, 0.9 / COLUMNS, 0.86 / rows * 0.55)
        )
        _facet(pen, frame, facets, facet)
    axes.text(0, -0.03, view.x.caption, fontsize=TEXT_POINTS, color=pen.theme.muted, transform=axes.transAxes)


def _facet(pen: Pen, frame: Axes, facets: Facets, facet: Facet) -> None:
    theme = pen.theme
    colour = getattr(theme, facet.colour.value)
    frame.set_facecolor(theme.beyond)
    frame.set_ylim(0, facet.top)
    frame.plot(facets.x, facet.y, color=colour, linewidth=MEDIUM)
    here = facets.x[facets.chosen], facet.y[facets.chosen]
    frame.plot(*([value] for value in here), "o", color=colour, markersize=5, clip_on=False)
    frame.text(
        0, 1.05, f"{facet.name}: {facet.text}", transform=frame.transAxes, fontsize=SMALL_POINTS, color=theme.ink
    )
    quiet(pen, frame, "", [tick.at for tick in facets.x_ticks], [tick.text for tick in facets.x_ticks])
