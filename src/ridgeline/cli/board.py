"""``ridgeline board NAME``: one of the lecture's pictures, its curves as numbers, and its claims."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from ridgeline.boards.board import Board, ControlError, Drawing, Mode
from ridgeline.boards.ledger import CLAIMS
from ridgeline.boards.shelf import board as find_board
from ridgeline.cli.arguments import json_option
from ridgeline.cli.figure import draw_board, figure_options, refuse_theme_alone
from ridgeline.cli.output import console, print_json, print_table, show, version
from ridgeline.quantity_text import QuantityError, parse_quantity

__all__ = ["command"]

ROWS = 9
"""Of the table of curves."""
SAID = {Mode.LECTURE: "The lecture's numbers", Mode.CAREFUL: "The catalog's numbers"}


@click.command("board")
@click.argument("name")
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.LECTURE.value,
    show_default=True,
    help="Start from the lecture's own constants, or from the catalog's facts.",
)
@click.option("--set", "turned", metavar="CONTROL=VALUE", multiple=True, help="Turn a control: context_tokens=50k, ...")
@figure_options("the board")
@json_option
def command(
    name: str,
    mode: str,
    turned: Sequence[str],
    figure: Path | None,
    theme: str | None,
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """Show one of the lecture's boards: its curves, the points that matter on them, and its claims."""
    refuse_theme_alone(figure, theme)
    try:
        board = find_board(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    try:
        values = board.values(Mode(mode), _turned(board, turned))
    except (ControlError, QuantityError) as error:
        raise click.BadParameter(str(error), param_hint="--set") from None
    drawing = board.compute(values)
    if as_json:
        print_json(_document(board, drawing, values, mode))
    else:
        _print(board, drawing, values, mode)
    if figure is not None:
        said = SAID[Mode(mode)] + (", some turned" if turned else "")
        draw_board(board, drawing, values, said, path=figure, theme=theme)


def _turned(board: Board, texts: Sequence[str]) -> dict[str, float]:
    """Controls and their values from ``control=value``."""
    found = {}
    for text in texts:
        name, is_set, value = text.partition("=")
        if not is_set:
            raise ControlError(f"{text!r} sets nothing; write {name}=VALUE")
        found[name] = parse_quantity(value, board.control(name).dimension)
    return found


def _print(board: Board, drawing: Drawing, values: dict[str, float], mode: str) -> None:
    out = console()
    out.print(f"[bold]{board.title}[/]: {board.question}")
    out.print(f"{board.caption}\n", markup=False)
    controls = [
        (control.name, show(values[control.name], control.dimension), control.meaning) for control in board.controls
    ]
    print_table(out, ("control", mode, "meaning"), controls, left=(0, 2))
    out.print()
    names = [line.name.replace("\n", " ") for line in drawing.lines]
    rows = [
        (
            show(float(drawing.x[place]), board.x.dimension),
            *(show(float(line.y[place]), board.y.dimension) for line in drawing.lines),
        )
        for place in _places(drawing, is_logarithmic=board.x.is_logarithmic)
    ]
    print_table(out, (board.x.caption, *names), rows, left=())
    out.print(f"{board.y.caption}\n", style="dim", markup=False)
    for mark in drawing.marks:
        at = f"{show(mark.x, board.x.dimension)}, {show(mark.y, board.y.dimension)}"
        out.print(f"{mark.name}: {at}", markup=False)
    out.print()
    claims = [(claim.id, claim.verdict.value, claim.claim) for claim in CLAIMS if claim.id in board.claims]
    print_table(out, ("id", "verdict", "claim"), claims, left=(0, 1, 2))


def _places(drawing: Drawing, *, is_logarithmic: bool) -> list[int]:
    """Of a few x, evenly over the axis."""
    x = drawing.x
    wanted = np.geomspace(x[0], x[-1], ROWS) if is_logarithmic else np.linspace(x[0], x[-1], ROWS)
    return [int(np.abs(x - at).argmin()) for at in wanted]


def _document(board: Board, drawing: Drawing, values: dict[str, float], mode: str) -> dict[str, Any]:
    return {
        "inputs": {"board": board.name, "mode": mode, "controls": values, "version": version()},
        "title": board.title,
        "question": board.question,
        "caption": board.caption,
        "controls": [
            {
                "name": control.name,
                "meaning": control.meaning,
                "dimension": control.dimension,
                "low": control.low,
                "high": control.high,
                "lecture": control.lecture,
                "careful": control.careful,
                "value": values[control.name],
            }
            for control in board.controls
        ],
        "axes": {
            name: {"caption": axis.caption, "dimension": axis.dimension, "is_logarithmic": axis.is_logarithmic}
            for name, axis in (("x", board.x), ("y", board.y))
        },
        "x": drawing.x.tolist(),
        "lines": [
            {
                "name": line.name.replace("\n", " "),
                "colour": line.colour.value,
                "is_bold": line.is_bold,
                "is_floor": line.is_floor,
                "y": line.y.tolist(),
            }
            for line in drawing.lines
        ],
        "marks": [
            {"name": mark.name, "x": mark.x, "y": mark.y, "line": mark.line, "text": mark.text.replace("\n", " ")}
            for mark in drawing.marks
        ],
        "claims": list(board.claims),
    }
