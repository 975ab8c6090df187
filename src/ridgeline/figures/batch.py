"""The board's two pictures side by side: the time of a decode step against its batch, and the cost of a token."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.figure import Figure

from ridgeline.boards.scale import LINEAR, LOGARITHMIC, Scale
from ridgeline.estimator.curves import BatchCurves, Lines
from ridgeline.estimator.parameters import main_format
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.panel import Band, Limit, Line, Mark, Panel, show_count
from ridgeline.figures.slide import slide
from ridgeline.figures.theme import Theme
from ridgeline.quantity_text import counted, format_quantity

__all__ = ["batch_figure"]

PANELS = ((0.085, 0.24, 0.285, 0.485), (0.572, 0.24, 0.285, 0.485))
"""Left, bottom, width and height in parts of the picture; what is free at their right is for the lines' names."""
SMALLEST_PART = 0.08
"""Least part of a linear axis: a mark nearer to its origin would look as if it lay there."""


def batch_figure(curves: BatchCurves, theme: Theme) -> Figure:
    """Two panels of slide size, every line named where it ends."""
    with slide(theme, title=_title(curves), subtitle=_subtitle(curves), foot=_foot(curves)) as pen:
        for panel, where in zip((_latency(curves, theme), _cost(curves, theme)), PANELS, strict=True):
            draw_panel(pen, panel, pen.figure.add_axes(where))
    return pen.figure


def _scale(curves: BatchCurves) -> Scale:
    """Scale of the batch axis: linear, as on a blackboard, unless a mark would be lost at the origin."""
    marks = [curves.estimate_batch[curves.asked]]
    if curves.balance is not None:
        marks.append(curves.batch[curves.balance])
    return LINEAR if min(marks) >= SMALLEST_PART * curves.batch[-1] else LOGARITHMIC


def _latency(curves: BatchCurves, theme: Theme) -> Panel:
    lines, asked = curves.time_s, curves.asked

    def show(time_s: float) -> str:
        return format_quantity(float(time_s), "s")

    tpot = () if curves.tpot_s is None else (f"{show(curves.tpot_s)} TPOT",)
    return _panel(
        curves,
        theme,
        lines,
        heading="Latency against batch",
        caption="time of a decode step",
        drawn=(
            Line(name="compute", y=lines.compute, colour=theme.compute),
            Line(name="KV fetch", y=lines.kv, colour=theme.kv),
            Line(name=f"weight fetch:\nfloor {show(lines.floor)}", y=lines.weights, colour=theme.weights, floor=True),
        ),
        show=show,
        asked=(f"{show(curves.asked_step_s)} step", *tpot),
        # All of the interval, unless that would press the board's lines to the ground.
        top=max(
            1.05 * max(lines.bound[-1], lines.estimate[-1], lines.estimate_high[asked]),
            min(1.05 * lines.estimate_high[-1], 2.2 * lines.bound[-1]),
        ),
    )


def _cost(curves: BatchCurves, theme: Theme) -> Panel:
    in_usd, asked = curves.usd_per_output_token, curves.asked
    lines = curves.chip_s_per_output_token if in_usd is None else in_usd
    unit = "" if in_usd is None else "/Mtok"

    def show(cost: float) -> str:
        return format_quantity(float(cost), "s" if in_usd is None else "usd_per_token").removesuffix("/Mtok")

    paid_usd = curves.paid_usd_per_output_token
    paid = () if paid_usd is None else (f"{show(paid_usd)} with waits",)
    floor = f":\nfloor {show(lines.floor)}"
    computes = bool(lines.compute[0] > lines.kv[0])
    return _panel(
        curves,
        theme,
        lines,
        heading="Cost against batch",
        caption="chip-time of an output token" if in_usd is None else "cost of a million output tokens",
        drawn=(
            Line(name="compute" + (floor if computes else ""), y=lines.compute, colour=theme.compute, floor=computes),
            Line(name="KV fetch" + ("" if computes else floor), y=lines.kv, colour=theme.kv, floor=not computes),
            Line(name="weight fetch", y=lines.weights, colour=theme.weights),
        ),
        show=show,
        asked=(f"{show(lines.estimate[asked])}{unit}{' step' if paid else ''}", *paid),
        top=max(
            1.1 * lines.bound[-1],
            4 * lines.floor,
            0.0 if curves.balance is None else 2 * lines.bound[curves.balance],
            1.6 * lines.estimate_high[asked],
        ),
    )


def _panel(
    curves: BatchCurves,
    theme: Theme,
    lines: Lines,
    *,
    heading: str,
    caption: str,
    drawn: tuple[Line, ...],
    show: Callable[[float], str],
    asked: tuple[str, ...],
    top: float,
) -> Panel:
    """Panel with the parts that both panels have in common."""
    scale, asked_batch = _scale(curves), float(curves.estimate_batch[curves.asked])
    marks = [
        Mark(
            x=asked_batch,
            y=float(lines.estimate[curves.asked]),
            text="\n".join((f"batch {show_count(curves.asked_batch)}", *asked)),
            colour=theme.estimate,
        )
    ]
    if curves.balance is not None:
        batch = float(curves.batch[curves.balance])
        y = float(lines.bound[curves.balance])
        marks.append(Mark(x=batch, y=y, text=f"balance\n{show_count(batch)}", colour=theme.ink))
    return Panel(
        heading=heading,
        caption=caption,
        x_caption="batch: sequences on the replica",
        x=curves.batch,
        lines=(Line(name="step at peak", y=lines.bound, colour=theme.ink, bold=True), *drawn),
        band=Band(
            x=curves.estimate_batch,
            low=lines.estimate_low,
            middle=lines.estimate,
            high=lines.estimate_high,
            name="estimate",
            colour=theme.estimate,
        ),
        limit=Limit(x=curves.room_sequences, name=f"memory full: {show_count(curves.room_sequences)}"),
        marks=tuple(marks),
        show=show,
        show_x=show_count,
        x_scale=scale,
        y_scale=scale,
        top=float(top) if scale is LINEAR else None,
    )


def _title(curves: BatchCurves) -> str:
    """Title: the model, its chips and their machine."""
    deployment = curves.deployment
    chips = counted(deployment.layout.chips, "chip")
    return f"{deployment.model.name} on {chips} of {deployment.machine.name}"


def _subtitle(curves: BatchCurves) -> str:
    """Subtitle: layout, formats and context of the deployment."""
    deployment, step = curves.deployment, curves.step
    last, spread = float(step.context_tokens), step.spread_tokens
    context = show_count(last) if spread <= 1 else f"{show_count(last - spread + 1)} to {show_count(last)}"
    formats = f"weights {main_format(deployment.model, deployment.precision)}, KV {deployment.precision.kv.name}"
    return f"Decode at {context} tokens of context; one replica of layout {deployment.layout}; {formats}"


def _foot(curves: BatchCurves) -> str:
    """Foot: meaning of the lines, and sources of the numbers."""
    fidelity, balance = curves.deployment.fidelity, curves.bounds.balance_batch_with_kv
    fetched = ", of the experts that its tokens touch" if curves.bounds.has_experts else ""
    copies = curves.kv_copies
    fetched += "" if f"{copies:.3g}" == "1" else f"; this layout keeps {copies:.3g} copies of the KV cache"
    bound = ""
    if balance is None:
        bound = " No batch is bound by compute."
    elif curves.balance is None:
        bound = f" The balance batch, {show_count(balance)}, lies far beyond what fits."
    status = fidelity.status_on(curves.deployment.machine.efficiency)
    said = status if status.startswith(fidelity.name) else f"{fidelity.name}, {status}"
    price = (
        f"{curves.price_label[0].upper()}{curves.price_label[1:]}"
        if curves.usd_per_chip_s is None
        else f"Price {format_quantity(curves.usd_per_chip_s, 'usd_per_s')} a chip ({curves.price_label})"
    )
    return (
        f"Step at peak: max(compute, weight fetch + KV fetch) of all chips at the spec sheet's peaks{fetched}.{bound}"
        f" Estimate with its 80 % interval, fidelity {said}. {price}."
    )
