"""The page of worked examples, run: what its blocks print is put below them, and its picture is drawn.

A block of Python or of commands is followed by one with what it prints. Blocks of Python share their names. ``--write``
changes the page; otherwise what differs is shown, and the status is 1.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ridgeline.boards.scale import LINEAR
from ridgeline.cli import commands
from ridgeline.figures.draw_panel import draw_panel
from ridgeline.figures.file import write_figure
from ridgeline.figures.panel import Line, Panel, show_count
from ridgeline.figures.pen import Pen
from ridgeline.figures.style import DPI, style
from ridgeline.figures.theme import THEMES, Theme

PAGE = Path(__file__).parents[1] / "docs" / "planning.md"
FIGURES = PAGE.parent / "figures"
BLOCK = re.compile(r"```(python|sh)\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
COLUMNS = 100
"""Width of what commands print."""


def run(page: str) -> tuple[str, dict[str, Any]]:
    """The page with what its blocks print now, and the names that they leave."""
    names: dict[str, Any] = {}

    def filled(block: re.Match[str]) -> str:
        kind, code, _ = block.groups()
        printed = _python(code, names) if kind == "python" else _commands(code)
        return f"```{kind}\n{code}```\n\n```text\n{printed}```"

    return BLOCK.sub(filled, page), names


def _python(code: str, names: dict[str, Any]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(PAGE), "exec"), names)  # noqa: S102  the project's own page
    return _clean(printed.getvalue())


def _commands(code: str) -> str:
    printed = []
    for line in code.strip().splitlines():
        words = shlex.split(line.removeprefix("uv run ridgeline "))
        result = CliRunner().invoke(commands, words, env={"COLUMNS": str(COLUMNS)})
        if result.exit_code:
            raise SystemExit(f"{line} ended with status {result.exit_code}: {result.output}")
        printed.append(result.stdout)
    return _clean("".join(printed))


def _clean(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def ratio_figure(swept: dict[int, dict[int, float]], theme: Theme) -> Figure:
    """Tokens a second and chip against the ratio of bandwidths, a line for each number of chips."""
    colours = (theme.muted, theme.weights, theme.kv, theme.compute)
    ratios = np.array(list(swept), dtype=float)
    panel = Panel(
        heading="Leaving the domain: DeepSeek-V3 decodes within 50 ms on H200",
        caption="output tokens/s a chip",
        x_caption="bandwidth inside a domain of 8 over bandwidth outside",
        x=ratios,
        lines=tuple(
            Line(name=f"{many} chips", y=np.array([rates[many] for rates in swept.values()]), colour=colour)
            for many, colour in zip(next(iter(swept.values())), colours, strict=True)
        ),
        marks=(),
        show=show_count,
        show_x=show_count,
        x_scale=LINEAR,
        y_scale=LINEAR,
        top=1.1 * max(max(rates.values()) for rates in swept.values()),
    )
    with style():
        figure = Figure(figsize=(10, 5.5), dpi=DPI, facecolor=theme.background)
        FigureCanvasAgg(figure)  # on which words are measured
        draw_panel(Pen(figure=figure, theme=theme), panel, figure.add_axes((0.11, 0.15, 0.74, 0.67)))
    return figure


NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
ROUNDING = 0.011
"""Part by which numbers differ next to where their last digit changes: another machine's last bits."""


def differences(old: str, new: str) -> list[str]:
    """Lines of one page that say something else than the other's."""
    lines = list(zip(old.splitlines(), new.splitlines(), strict=False))
    wrong = [line for pair in lines if not _alike(*pair) for line in (f"- {pair[0]}", f"+ {pair[1]}")]
    if len(old.splitlines()) != len(new.splitlines()):
        wrong.append(f"{len(old.splitlines())} lines, and now {len(new.splitlines())}")
    return wrong


def _alike(old: str, new: str) -> bool:
    mine, now = ([float(text.replace(",", "")) for text in NUMBER.findall(line)] for line in (old, new))
    words = NUMBER.sub("#", old).split() == NUMBER.sub("#", new).split()
    return words and all(
        abs(one - other) <= ROUNDING * max(abs(other), 1.0) for one, other in zip(mine, now, strict=True)
    )


def main(arguments: list[str]) -> int:
    """Run the page."""
    os.environ["COLUMNS"] = str(COLUMNS)
    page = PAGE.read_text(encoding="utf-8")
    now, names = run(page)
    if "--write" in arguments:
        PAGE.write_text(now, encoding="utf-8")
        for theme in THEMES.values():
            write_figure(ratio_figure(names["swept"], theme), FIGURES / f"planning-ratio-{theme.name}.png")
        return 0
    wrong = differences(page, now)
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
