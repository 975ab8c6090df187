"""``--figure FILE`` and ``--theme``, which are checked before anything is computed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridgeline.estimator.curves import BatchCurves
from ridgeline.extras import installing
from ridgeline.figures.theme import LIGHT, THEMES

if TYPE_CHECKING:
    from ridgeline.boards.board import Board, Control, Values
    from ridgeline.boards.claim import Claim
    from ridgeline.boards.picture import Schematic
    from ridgeline.planner.fronts import Front

__all__ = [
    "draw_argument",
    "draw_board",
    "draw_bridge",
    "draw_figure",
    "draw_front",
    "draw_titled",
    "figure_options",
    "picture_option",
    "refuse_theme_alone",
]

SUFFIXES = (".png", ".svg")
PICTURES = ("front", "batch")


class FigureFile(click.ParamType[Path]):
    """Path of a figure: its folder exists, and its suffix is a known format."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401
        """Path as checked; refused where the drawing would fail later."""
        path = Path(value)
        if path.is_dir():
            self.fail(f"{str(path)!r} is a folder; name a file in it: {str(path / 'figure.svg')!r}", param, ctx)
        if path.suffix.lower() not in SUFFIXES:
            named = str(path.with_suffix(SUFFIXES[-1]))
            self.fail(f"{str(path)!r} does not end in {' or '.join(SUFFIXES)}; write {named!r}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {str(path.parent)!r}; make it first, or name another", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"nothing can be written into the folder {str(path.parent)!r}; name another", param, ctx)
        if find_spec("matplotlib") is None:
            raise click.UsageError(f"--figure needs matplotlib: {installing('plot')}", ctx)
        return path


def figure_options(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add both options to a command that can draw ``what``."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        command = click.option(
            "--theme", type=click.Choice(list(THEMES)), help=f"Colours of the figure.  [default: {LIGHT.name}]"
        )(command)
        return click.option("--figure", type=FigureFile(), help=f"Draw {what} into a .png or .svg file.")(command)

    return add


def picture_option(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option for the picture of a plan to draw."""
    return click.option(
        "--picture",
        type=click.Choice(PICTURES),
        default=PICTURES[0],
        show_default=True,
        help="What --figure draws: cost against speed of all layouts, or time and cost of the best plan by its batch.",
    )(command)


def draw_front(
    fronts: Sequence[Front], *, words: tuple[str, str, str], output_tokens: float, path: Path, theme: str | None
) -> None:
    """Draw what speed costs, write and say where; title, subtitle and foot are ``words``."""
    from ridgeline.figures.file import write_figure  # noqa: PLC0415
    from ridgeline.figures.front import front_figure  # noqa: PLC0415

    title, subtitle, foot = words
    with _said(path):
        figure = front_figure(
            fronts,
            title=title,
            subtitle=subtitle,
            foot=foot,
            output_tokens=output_tokens,
            theme=THEMES[theme or LIGHT.name],
        )
        write_figure(figure, path)


def draw_titled(make: Callable[..., Any], *, words: tuple[str, str, str], path: Path, theme: str | None) -> None:
    """Draw the figure that ``make`` makes of title, subtitle, foot and theme; write and say where."""
    from ridgeline.figures.file import write_figure  # noqa: PLC0415

    title, subtitle, foot = words
    with _said(path):
        write_figure(make(title=title, subtitle=subtitle, foot=foot, theme=THEMES[theme or LIGHT.name]), path)


def refuse_theme_alone(figure: Path | None, theme: str | None) -> None:
    """Refuse a theme that would be ignored."""
    if theme is not None and figure is None:
        raise click.BadParameter("there is no figure to colour; add --figure FILE", param_hint="--theme")


def draw_figure(curves: BatchCurves, path: Path, theme: str | None) -> None:
    """Draw the board's two pictures, write and say where."""
    # The drawing library is an extra, and slow to import.
    from ridgeline.figures.batch import batch_figure  # noqa: PLC0415
    from ridgeline.figures.file import write_figure  # noqa: PLC0415

    with _said(path):
        write_figure(batch_figure(curves, THEMES[theme or LIGHT.name]), path)


def draw_board(
    board: Board, values: Values, sources: Mapping[str, Sequence[Control]], *, path: Path, theme: str | None
) -> None:
    """Draw one of the lecture's boards, write and say where."""
    from ridgeline.figures.board import board_figure  # noqa: PLC0415
    from ridgeline.figures.file import write_figure  # noqa: PLC0415

    with _said(path):
        write_figure(board_figure(board, values, sources, THEMES[theme or LIGHT.name]), path)


def draw_bridge(claim: Claim, *, path: Path, theme: str | None) -> None:
    """Draw the way from the lecture's number to the careful one, write and say where."""
    from ridgeline.figures.bridge import bridge_figure  # noqa: PLC0415
    from ridgeline.figures.file import write_figure  # noqa: PLC0415

    of = f" Published: {claim.careful_of}." if claim.careful_of else ""
    foot = f"{claim.verdict.value.capitalize()}: {claim.why}{of}"
    with _said(path):
        figure = bridge_figure(
            claim.id,
            claim.told(),
            claim.told_bridge(),
            measure=claim.measure(),
            foot=foot,
            theme=THEMES[theme or LIGHT.name],
        )
        write_figure(figure, path)


def draw_argument(schematic: Schematic, *, is_changed: bool, path: Path, theme: str | None) -> None:
    """Draw which claim rests on which, write and say where."""
    from ridgeline.boards.argument import LEGEND  # noqa: PLC0415
    from ridgeline.figures.argument import argument_figure  # noqa: PLC0415
    from ridgeline.figures.file import write_figure  # noqa: PLC0415

    question = "Which verdicts turn when a number is another?" if is_changed else "Which claim rests on which?"
    legend = LEGEND if is_changed else LEGEND[:1]
    with _said(path):
        write_figure(argument_figure(schematic, question, legend, THEMES[theme or LIGHT.name]), path)


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """Print the path of a written figure, or raise why there is none."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{str(path)!r} is not written: {error.strerror}; name another file") from None
    click.echo(f"figure: {path}", err=True)
