"""``ridgeline lab reversible``: a transformer whose layers can be undone, beside a plain and a checkpointed one."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.arguments import json_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.lab_options import count_option, seed_option
from ridgeline.cli.output import console, print_json, print_table, print_text, show
from ridgeline.laboratory.reversible import Comparison, compare
from ridgeline.quantity_text import QuantityError, format_number, parse_quantity

__all__ = ["command", "document"]


class DepthsType(click.ParamType[tuple[int, ...]]):
    """Numbers of layers, separated by commas."""

    name = "COUNTS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:  # noqa: ANN401
        """Numbers as read from text: 4,16."""
        if not isinstance(value, str):
            return tuple(value)
        try:
            found = tuple(int(parse_quantity(part, "count")) for part in value.split(","))
        except QuantityError as error:
            self.fail(f"{error}; write numbers of layers as 4,16", param, ctx)
        if min(found) < 1 or len(set(found)) < len(found):
            self.fail(f"{value!r}: give different numbers of layers, from 1 on, as 4,16", param, ctx)
        return found


@click.command("reversible")
@click.option(
    "--layers",
    type=DepthsType(),
    default="4,16",
    show_default=True,
    help="Of the stack that is trained, and of others whose memory is accounted.",
)
@count_option("--width", 32, "Of a stream.")
@count_option("--heads", 4, "Of attention.")
@count_option("--sequence", 32, "Tokens of a sequence.")
@count_option("--sequences", 16, "Of a batch.")
@count_option("--steps", 150, "Of training.")
@seed_option
@figure_options("memory by depth, and losses,")
@json_option
def command(
    *,
    layers: tuple[int, ...],
    width: int,
    heads: int,
    sequence: int,
    sequences: int,
    steps: int,
    seed: int,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Run a reversible transformer beside a plain and a checkpointed one: gradients, memory, FLOP, time, a training.

    All three compute the same function and are trained on the same small task. Memory is the compiler's own account;
    on an accelerator the peak of its allocator stands beside. Needs JAX: the extra "grad".
    """
    refuse_theme_alone(figure, theme)
    asked: dict[str, Any] = {
        "layers": layers,
        "width": width,
        "heads": heads,
        "sequence_tokens": sequence,
        "batch_sequences": sequences,
        "steps": steps,
        "seed": seed,
    }
    found = compare(**asked)
    if as_json:
        print_json(document(asked, found))
    else:
        _print(found)
    if figure is not None:
        _draw(found, figure, theme)


def document(asked: dict[str, Any], found: Comparison) -> dict[str, Any]:
    """JSON document of the comparison."""
    return {"inputs": asked, **asdict(found)}


def _print(found: Comparison) -> None:
    out = console()
    print_text(out, _answer(found))
    out.print()
    depths = [f"{count} layers" for count in found.layers]
    rows = [
        (
            one.form,
            *(show(held, "bytes") for held in one.temporary_bytes),
            f"{one.flop_ratio:.3f}",
            f"{one.time_ratio:.2f}",
            format_number(one.gradient_error, 2),
            f"{one.last_loss:.4f}",
            "" if one.peak_bytes is None else show(one.peak_bytes, "bytes"),
        )
        for one in found.forms
    ]
    headers = ("gradients", *depths, "FLOP", "time", "off plain's", "loss", "peak so far")
    print_table(out, headers, rows)
    print_text(
        out,
        f"On {found.device}. Memory beside weights and results, by the compiler's account; FLOP and time over plain's:"
        f" where products are all, {found.expected_flop_ratio:.3f}. Loss at the end, in nats; the task's entropy is"
        f" {found.entropy:.4f}, and the first loss was {found.forms[0].first_loss:.4f}.",
        style="dim",
    )
    out.print()
    print_text(out, "What undoing the layers loses", style="bold")
    print_table(
        out,
        ("streams", "layers", "first streams off by", "gradients off by"),
        [(one.streams, f"{one.layers}", _off(one.stream_error), _off(one.gradient_error)) for one in found.inversions],
    )


def _answer(found: Comparison) -> str:
    """Sentences on what a reversible network saves, and what it costs."""
    forms = {one.form: one for one in found.forms}
    plain, reversible = forms["plain"], forms["reversible"]
    deepest = max(range(len(found.layers)), key=found.layers.__getitem__)
    return (
        f"At {found.layers[deepest]} layers the reversible network needs"
        f" {show(reversible.temporary_bytes[deepest], 'bytes')} for its gradients where the plain one needs"
        f" {show(plain.temporary_bytes[deepest], 'bytes')}, and pays with {reversible.flop_ratio:.2f} times the FLOP."
        f" Gradients differ by {format_number(reversible.gradient_error, 2)} of the largest, and training ends at a"
        f" loss of {plain.last_loss:.3f} and {reversible.last_loss:.3f}."
    )


def _off(error: float) -> str:
    return format_number(error, 2) if error else "nothing"


def _draw(found: Comparison, path: Path, theme: str | None) -> None:
    # The drawing library is an extra.
    from ridgeline.figures.lab_reversible import comparison_figure  # noqa: PLC0415

    by_name = {one.form: one for one in found.forms}
    ratio = by_name["reversible"].flop_ratio
    words = (
        "Activations that need not be kept",
        f"A small transformer on {found.device}: the same gradients, for {ratio:.2f} times the FLOP of the plain form",
        "Memory beside weights and results by the compiler's own account. Errors over the largest value.",
    )
    draw_titled(partial(comparison_figure, found), words=words, path=path, theme=theme)
