"""Tables and prose for people, one JSON document for programs."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from numbers import Integral
from pathlib import PurePath
from typing import Any

import click
from rich.console import Console, ConsoleRenderable, RenderHook
from rich.markup import escape
from rich.text import Text

from ridgeline.cli import CONTROLS
from ridgeline.numeric import ROUNDING
from ridgeline.quantity_text import counted, format_quantity
from ridgeline.release import version
from ridgeline.specs.band import RAREST

__all__ = [
    "capacity",
    "chance",
    "console",
    "counted",
    "escape",
    "json_option",
    "json_text",
    "listed",
    "percent",
    "print_json",
    "print_table",
    "print_text",
    "short",
    "show",
]

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document in base units; docs/json.md lists its fields."
)

WHOLE_PERCENT = 0.02
"""Chance above which whole percents are said."""

GAP = "   "
"""Space between columns where there is room."""

NARROW_GAP = "  "

PIPE_WIDTH = 80
"""Columns of a pipe or a file, unless COLUMNS says otherwise."""

HELD = "\N{NO-BREAK SPACE}"
UNIT_GAP = re.compile(r"(?<=\d) (?=[A-Za-zµ%])")
"""Space between a number and its unit, where no line ends."""

EASY_WIDTH = 12
"""Columns to which text wraps before numbers make room for it: a layout's first three parts."""

LEAST_WIDTH = 4
"""Least columns of text, whatever the terminal."""

CELL_BREAK = re.compile(r"(?= )|(?<=,)(?=[a-z])")
"""Places where a cell may wrap: between words, and in a layout after a comma."""

PATH_BREAK = re.compile(rf"{CELL_BREAK.pattern}|(?<=/)")
"""Places where a cell of paths may wrap: as any cell, and after a slash."""


def console(*, is_aside: bool = False) -> Console:
    """Console to print to: styled on a terminal and as wide as it, plain in a pipe and as wide as COLUMNS says.

    Text from users is printed by ``print_text``, or with ``markup=False``: its brackets are no markup.

    Args:
        is_aside: whether it prints to standard error, beside a script on standard output.
    """
    columns = os.environ.get("COLUMNS", "")
    asked = int(columns) if columns.isdecimal() and int(columns) else PIPE_WIDTH
    stream = sys.stderr if is_aside else sys.stdout
    made = _Output(highlight=False, soft_wrap=True, stderr=is_aside, width=None if stream.isatty() else asked)
    made.push_render_hook(_Shown())
    return made


class _Output(Console):
    """Console whose reader may go, which ``main`` answers for every command alike."""

    def on_broken_pipe(self) -> None:
        """Leave the error to ``main``."""
        raise BrokenPipeError


class _Shown(RenderHook):
    """Hook that shows control characters of given texts, which would otherwise command the terminal."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Texts with a sign in place of each control character."""
        for one in renderables:
            if isinstance(one, Text):
                one.plain = one.plain.translate(CONTROLS)
        return renderables


def print_text(
    out: Console, text: str, *, head: str = "", style: str = "", indent: int = 0, hang: int = 2, link: str = ""
) -> None:
    """Print prose as it stands, wrapped between words.

    Args:
        out: console to print to.
        text: prose to print.
        head: text before the prose, in bold.
        style: style of all of it.
        indent: columns before its first line.
        hang: further columns before the other lines.
        link: link of the head, for terminals that follow it.
    """
    lines = textwrap.wrap(
        UNIT_GAP.sub(HELD, head + text),
        out.width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_long_words=False,
        break_on_hyphens=False,
    )
    for number, line in enumerate(lines):
        shown = Text(line.replace(HELD, " "), style)
        if number == 0:
            shown.stylize("bold", indent, indent + len(head))
            if link:
                shown.stylize(f"link {link}", indent, indent + len(head.rstrip()))
        out.print(shown)


def print_table(
    out: Console,
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: Sequence[int] = (0,),
    optional: Sequence[int] = (),
    spare: Sequence[int] = (),
    paths: Sequence[int] = (),
    links: Sequence[str] = (),
) -> None:
    """Print a table as wide as there is room; columns without a cell are left out.

    Where room is short headers wrap between words, then optional columns go, then text wraps to a width that still
    reads well, then spare columns go, and at last text wraps to its longest word, numbers go from the right, and words
    break. Numbers never do.

    Args:
        out: console to print to.
        headers: headers of the columns.
        rows: cells as text.
        left: columns of text, aligned to the left; others are numbers, aligned to the right.
        optional: columns that a narrow page does without, the first to go first.
        spare: columns that a page does without on which text has wrapped, the first to go first.
        paths: columns of names that may wrap after a slash; elsewhere these stay whole, to be copied.
        links: links of the rows' first cells, for terminals that follow them; empty where a row has none.
    """
    shown, widths, gap = _columns(headers, rows, (left, optional, spare, paths), out.width)

    def print_row(row: Sequence[str], style: str = "", *, to_bottom: bool = False, link: str = "") -> None:
        wrapped = {index: _wrapped(row[index], widths[index], _breaks(index, paths)) for index in shown}
        height = max(map(len, wrapped.values()), default=0)
        for number in range(height):
            line = []
            for index in shown:
                place = number - (height - len(wrapped[index]) if to_bottom else 0)
                cell = wrapped[index][place] if 0 <= place < len(wrapped[index]) else ""
                line.append(cell.ljust(widths[index]) if index in left else cell.rjust(widths[index]))
            text = Text(gap.join(line).rstrip(), style)
            if link and not number:
                text.stylize(f"link {link}", 0, len(row[shown[0]]))
            out.print(text)

    if any(headers):
        print_row(headers, "bold", to_bottom=True)
        out.print("─" * _width(widths, shown, gap), style="dim")
    for row, link in zip_longest(rows, links, fillvalue=""):
        print_row(row, link=link)
    if dropped := [header for index, header in enumerate(headers) if index not in shown and _is_filled(rows, index)]:
        # A header with a comma would read as two.
        names = [f'"{header}"' if "," in header else header for header in dropped if header]
        print_text(out, f"left out at {out.width} columns: {', '.join(names)}", style="dim")


def _columns(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    kinds: tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]],
    room: int,
) -> tuple[list[int], dict[int, int], str]:
    """Columns that are shown, their widths, and the gap between them."""
    left, optional, spare, paths = kinds
    filled = [index for index in range(len(headers)) if _is_filled(rows, index)]
    whole = {index: max(len(row[index]) for row in (headers, *rows)) for index in filled}
    words = {
        index: max(_longest_word(row[index], _breaks(index, paths)) for row in (headers, *rows))
        for index in filled
        if index in left
    }
    cells = {index: max((len(row[index]) for row in rows), default=0) for index in filled}
    least = {index: max(cells[index], _longest_word(headers[index])) for index in filled}
    # Each round narrows text further and gives up more columns.
    rounds: tuple[tuple[dict[int, int], Sequence[int]], ...] = (
        ({}, optional),
        ({index: max(word, min(least[index], EASY_WIDTH)) for index, word in words.items()}, spare),
        (words, [index for index in reversed(filled) if index not in left]),
        (dict.fromkeys(words, LEAST_WIDTH), ()),
    )
    shown, least = _fitted(filled, least, rounds, room)
    gap = GAP if _width(whole, shown, GAP) <= room else NARROW_GAP
    for_cells = room - len(gap) * (len(shown) - 1)
    return shown, _shrunk({index: whole[index] for index in shown}, least, left, for_cells), gap


def _fitted(
    shown: list[int], least: dict[int, int], rounds: Sequence[tuple[dict[int, int], Sequence[int]]], room: int
) -> tuple[list[int], dict[int, int]]:
    """Columns that fit at their least widths, and those widths."""
    for narrowed, going in rounds:
        least = least | narrowed
        for index in (None, *going):
            shown = [one for one in shown if one != index]
            if _width(least, shown, NARROW_GAP) <= room:
                return shown, least
    return shown, least


def _is_filled(rows: Sequence[Sequence[str]], index: int) -> bool:
    return not rows or any(row[index] for row in rows)


def _width(widths: Mapping[int, int], shown: Sequence[int], gap: str) -> int:
    return sum(widths[index] for index in shown) + len(gap) * (len(shown) - 1)


def _shrunk(whole: Mapping[int, int], least: Mapping[int, int], left: Sequence[int], room: int) -> dict[int, int]:
    """Widths that fit: headers of numbers give first, then the widest text; none below its least."""
    widths = dict(whole)
    while sum(widths.values()) > room:
        yielding = [index for index in widths if widths[index] > least[index]]
        if not yielding:
            break
        widths[max(yielding, key=lambda index: (index not in left, widths[index]))] -= 1
    return widths


def _breaks(index: int, paths: Sequence[int]) -> re.Pattern[str]:
    return PATH_BREAK if index in paths else CELL_BREAK


def _longest_word(text: str, breaks: re.Pattern[str] = CELL_BREAK) -> int:
    return max(len(word.strip(" ")) for word in breaks.split(UNIT_GAP.sub(HELD, text)))


def _wrapped(text: str, width: int, breaks: re.Pattern[str]) -> list[str]:
    """Lines of a cell at a width."""
    if len(text) <= width:
        return [text]
    lines: list[str] = []
    for word in breaks.split(UNIT_GAP.sub(HELD, text)):
        if lines and len(lines[-1]) + len(word) <= width:
            lines[-1] += word
        else:
            lines += textwrap.wrap(word.strip(" "), width) or [""]  # a word alone breaks where it is wider
    return [line.replace(HELD, " ") for line in lines]


def show(value: float | None, dimension: str, digits: int = 3) -> str:
    """Quantity as text; a dash where there is none."""
    return "-" if value is None else format_quantity(value, dimension, digits)


def chance(probability: float) -> str:
    """Chance as text, no surer than it is known: errors of predictions were never counted beyond one in a thousand.

    >>> chance(0.234), chance(0.0123), chance(1e-9)
    ('23 %', '1.2 %', 'less than 0.1 %')
    """
    if probability <= RAREST:
        return f"less than {100 * RAREST:g} %"
    return f"{100 * probability:.{0 if probability > WHOLE_PERCENT else 1}f} %"


def percent(fraction: float, digits: int = 1) -> str:
    """Fraction in percent, to a fixed number of decimals.

    >>> percent(0.9041), percent(0.5, 0)
    ('90.4 %', '50 %')
    """
    return f"{100 * fraction:.{digits}f} %"


def short(value: float) -> str:
    """Number with three digits, and all that stand before the point."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:#.3g}"  # noqa: PLR2004  rounds to three digits


def capacity(value: float) -> str:
    """Most that something takes, as ``short`` writes it, and never more: what is read is kept to.

    >>> capacity(1.6899), capacity(1239.9), capacity(2.0)
    ('1.68', '1,239', '2.00')
    """
    return short(rounded_down(value))


def rounded_down(value: float) -> float:
    """Number cut to the digits that ``short`` writes.

    >>> rounded_down(1.6899), rounded_down(1239.9)
    (1.68, 1239.0)
    """
    step = 10.0 ** min(math.floor(math.log10(value)) - 2, 0)
    return math.floor(value / step * (1 + ROUNDING)) * step


def listed(names: Iterable[str]) -> str:
    """Names as a list in words, each once: a; a and b; a, b and c."""
    *others, last = dict.fromkeys(names)
    return f"{', '.join(others)} and {last}" if others else last


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document."""
    click.echo(json_text(document))


def json_text(document: dict[str, Any]) -> str:
    """JSON document as text, with the version of the package first among its ``inputs``.

    Numbers that are not finite are null, since JSON has no word for them.
    """
    stamped = {**document, "inputs": {"ridgeline": version(), **document["inputs"]}}
    return json.dumps(_plain(stamped), indent=2, allow_nan=False)


def _plain(value: Any) -> Any:  # noqa: ANN401  any JSON value
    if isinstance(value, dict):
        return {str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(held) for held in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, PurePath):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    return float(value) if math.isfinite(float(value)) else None
