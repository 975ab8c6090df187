"""``ridgeline board NAME``: one of the lecture's pictures, its curves as numbers, and its claims."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import numpy as np
from rich.console import Console

from ridgeline.boards import lecture
from ridgeline.boards.beliefs import Beliefs, Row
from ridgeline.boards.board import Board, ControlError, Facts, Mode, Values, View
from ridgeline.boards.claim import Claim
from ridgeline.boards.documents.board import board_document, marks
from ridgeline.boards.lecture import BOARDS, CLAIMS
from ridgeline.boards.lecture.document import shown_document
from ridgeline.boards.lecture.left_open import ambiguities
from ridgeline.boards.picture import Curves, Line, Sheet
from ridgeline.boards.turned import turned_value
from ridgeline.boards.written import flat
from ridgeline.cli.arguments import MACHINE, MODEL, ignore_unknown_option, json_option
from ridgeline.cli.completion import completes
from ridgeline.cli.figure import draw_board, figure_options, refuse_theme_alone
from ridgeline.cli.output import console, print_json, print_table, print_text, show
from ridgeline.glossary import GLOSSARY
from ridgeline.quantity_text import QuantityError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

__all__ = ["command"]

ROWS = 9
"""Number of rows of the table of curves."""


@click.command("board")
@click.argument("name", shell_complete=completes(lambda: [one.name for one in BOARDS]))
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.LECTURE.value,
    show_default=True,
    help="Start from the lecture's own constants, or from the catalog's facts.",
)
@click.option("--model", type=MODEL, help="Take careful numbers from this model; implies --mode careful.")
@ignore_unknown_option
@click.option("--on", "machine", type=MACHINE, help="Take them from this machine; implies --mode careful.")
@click.option(
    "--set", "turned", metavar="CONTROL=VALUE", multiple=True, help="Turn a control: context_tokens=50k, chips=2x, ..."
)
@figure_options("the board")
@json_option
@click.pass_context
def command(
    context: click.Context,
    name: str,
    mode: str,
    model: Model | None,
    machine: Machine | None,
    turned: Sequence[str],
    figure: Path | None,
    theme: str | None,
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """Show one of the lecture's boards: its curves, the points that matter on them, and its claims."""
    refuse_theme_alone(figure, theme)
    try:
        board = lecture.board(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from None
    chosen = _mode(context, mode, has_facts=bool(model or machine))
    if (model or machine) and not board.takes_facts:
        raise click.BadParameter(
            f"board {board.name!r} has no number of a model or a machine; leave it out",
            param_hint="--model" if model else "--on",
        )
    facts = board.facts()
    facts = Facts(model=model or facts.model, machine=machine or facts.machine)
    try:
        values = board.values(chosen, _turned(board, turned, chosen, facts), facts)
        if as_json:
            inputs = {
                "board": board.name,
                "mode": chosen.value,
                "model": facts.model.id,
                "machine": facts.machine.id,
                "controls": values,
            }
            notes = facts.model.caveats if board.takes_facts else ()
            print_json(
                {"inputs": inputs, **board_document(board, values, facts), **shown_document(board), "notes": notes}
            )
        else:
            _print(console(), board, values, facts)
            for caveat in model.caveats if model else ():
                print_text(console(), f"note: {caveat}", style="dim")
    except ControlError as error:
        is_set = any(text.partition("=")[0] == error.control for text in turned)
        raise click.BadParameter(str(error), param_hint="--set" if is_set else "--model, --on") from None
    except QuantityError as error:
        raise click.BadParameter(str(error), param_hint="--set") from None
    if figure is not None:
        draw_board(board, values, board.sources(chosen, values, facts), path=figure, theme=theme)


def _mode(context: click.Context, mode: str, *, has_facts: bool) -> Mode:
    """Mode as asked for; careful where a model or a machine is named, which the lecture's constants know nothing of."""
    if not has_facts:
        return Mode(mode)
    is_said = context.get_parameter_source("mode") is click.core.ParameterSource.COMMANDLINE
    if is_said and Mode(mode) is Mode.LECTURE:
        raise click.BadParameter(
            "its numbers are of no model or machine; leave out --model and --on", param_hint="--mode"
        )
    return Mode.CAREFUL


def _turned(board: Board, texts: Sequence[str], mode: Mode, facts: Facts) -> dict[str, float]:
    """Controls and their values, from ``control=value``."""
    found = {}
    for text in texts:
        name, is_set, value = text.partition("=")
        if not is_set:
            raise ControlError(f"{text!r} sets nothing; write {name}=VALUE", control=name)
        found[name] = turned_value(board, name, value, mode, facts)
    return found


def _print(out: Console, board: Board, values: Values, facts: Facts) -> None:
    print_text(out, f": {board.question}", head=board.title)
    print_text(out, board.caption)
    out.print()
    columns: dict[str, Values] = {mode.value: found for mode, found in board.starts(facts).items()}
    if values not in columns.values():
        columns = {"here": values} | columns
    controls = [
        (
            control.name,
            *(show(found[control.name], control.dimension) for found in columns.values()),
            control.origin.value,
            GLOSSARY[control.name].symbol,
            control.meaning,
        )
        for control in board.controls
    ]
    last = len(columns) + 1
    headers = ("control", *columns, "lecture's is", "symbol", "meaning")
    print_table(out, headers, controls, left=(0, last, last + 1, last + 2))
    if board.takes_facts:
        print_text(out, f"careful: {facts.model.id} on {facts.machine.id}; --model and --on take others", style="dim")
    for view, picture in zip(board.views, board.pictures(values), strict=True):
        out.print()
        if view.heading:
            print_text(out, "", head=view.heading)
        if isinstance(picture, Curves):
            _print_curves(out, view, picture)
        else:
            print_text(out, picture.text)
            if isinstance(picture, Sheet):
                print_table(out, picture.columns, picture.rows, left=tuple(range(len(picture.columns))))
            elif isinstance(picture, Beliefs):
                _print_beliefs(out, view, picture)
    _print_marks(out, board, columns)
    out.print()
    claims = [(claim.id, claim.verdict.value, _judged(claim)) for claim in CLAIMS if claim.id in board.claims]
    print_table(out, ("id", "verdict", "claim"), claims, left=(0, 1, 2))
    open_ones = ambiguities(board.claims)
    if open_ones:
        out.print()
    for one in open_ones:
        where = ", ".join(claim for claim in one.claims if claim in board.claims)
        print_text(out, f"left open at {where}: {one.text}")


def _judged(claim: Claim) -> str:
    """Claim with its verdict in a line."""
    return f"{claim.claim} {claim.note().sentence()}"


def _print_curves(out: Console, view: View, picture: Curves) -> None:
    headers = (view.x.caption, *(flat(line.name) for line in picture.lines))
    print_table(out, headers, _rows(view, picture), left=())
    for dots in picture.dots:
        named = [
            f"{flat(label)} ({show(float(x), view.x.dimension)}, {show(float(y), view.y.dimension)})"
            for label, x, y in zip(dots.labels, dots.x, dots.y, strict=True)
            if label
        ]
        if named:
            print_text(out, f": {', '.join(named)}", head=dots.name)
    print_text(out, view.y.caption, style="dim")


def _print_beliefs(out: Console, view: View, picture: Beliefs) -> None:
    """Print a row for each belief: its quantiles, or the chance of each place."""
    if picture.is_whole:
        headers = (view.x.caption, *(tick.text for tick in picture.x_ticks), "")
        rows = [(one.name, *one.labels, one.text) for one in picture.rows]
    else:
        headers = (view.x.caption, "5 %", "50 %", "95 %", "")
        rows = [(one.name, *_quantiles(view, one), one.text.partition("; ")[2]) for one in picture.rows]
    print_table(out, headers, rows, left=(0, len(headers) - 1))
    if picture.marks:
        print_text(out, "; ".join(mark.text for mark in picture.marks))


def _quantiles(view: View, row: Row) -> tuple[str, ...]:
    """Quantiles of a row, of its points where they are known and of its interval where they are not."""
    values = [float(one) for one in np.quantile(row.points, (0.05, 0.5, 0.95))] if row.points else []
    found = values or [one for one in (row.low, row.middle, row.high) if one is not None]
    return tuple(show(float(f"{value:.2g}"), view.x.dimension) for value in found)


def _print_marks(out: Console, board: Board, of: Mapping[str, Values]) -> None:
    """Print each point that matters, in each mode; a point of one mode need not be in another."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for column, values in of.items():
        for mark in marks(board, values):
            view = board.views[mark["view"]]
            where = f"{show(mark['x'], view.x.dimension)}, {show(mark['y'], view.y.dimension)}"
            axes = f"{view.x.caption}; {view.y.caption}"
            point = flat(mark["name"])
            name = f"{view.heading}: {point}" if view.heading else point
            found.setdefault((name, axes), {})[column] = where
    if found:
        out.print()
        rows = [(name, *(where.get(column, "-") for column in of), axes) for (name, axes), where in found.items()]
        print_table(out, ("point", *of, "of"), rows, left=(0, len(of) + 1))


def _rows(view: View, picture: Curves) -> list[tuple[str, ...]]:
    """Rows of heights at a few x; where all lines stay as they are shown, one row for the range."""
    along = [show(float(x), view.x.dimension) for x in picture.x]
    lines = [[_height(line, float(y), view.y.dimension) for y in line.y] for line in picture.lines]
    heights = list(zip(*lines, strict=True))
    runs = [list(run) for _, run in itertools.groupby(range(len(along)), key=heights.__getitem__)]
    places = set(_places(picture, is_logarithmic=view.x.is_logarithmic))
    shown = []
    for run in runs:
        met = [place for place in run if place in places]
        ends = (run[0], run[-1]) if len(runs) <= ROWS or len(met) > 1 else (*met, *met)
        if ends:
            where = list(dict.fromkeys(along[place] for place in ends))
            shown.append((" to ".join(where), *heights[run[0]]))
    return shown


def _height(line: Line, y: float, dimension: str) -> str:
    """Height of a line as text, in words where it is out of reach."""
    if line.out_of_reach_from is not None and y >= line.out_of_reach_from:
        return "out of reach"
    return show(y, dimension)


def _places(drawing: Curves, *, is_logarithmic: bool) -> list[int]:
    """Indices of a few x, spread evenly over the axis."""
    x = drawing.x
    wanted = np.geomspace(x[0], x[-1], ROWS) if is_logarithmic else np.linspace(x[0], x[-1], ROWS)
    return [int(np.abs(x - at).argmin()) for at in wanted]
