"""``ridgeline query``: a study by SQL, as a table, a file, a picture, or the commands behind its rows."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.output import console, json_option, print_json, print_table, print_text
from ridgeline.studies.manifest import Manifest
from ridgeline.studies.quantities import shown
from ridgeline.studies.query import Answer, opened, query, write_csv

__all__ = ["command"]

MOST_SHOWN = 50
"""Most rows of a table on a terminal."""

WIDE = 8
"""Number of columns up to which a table keeps those that are the same in each row."""

LESSER = (
    "low_s",
    "high_s",
    "free_bytes",
    "tokens_per_s_per_chip",
    "dearest_usd_per_token",
    "usd_per_chip_s",
    "hbm_bytes",
    "variant",
)
"""Columns that a narrow page leaves out before other numbers, the first to go first."""
JUDGED = ("step_time_s", "usd_per_token", "tpot_s", "usd_per_request")
"""Columns that a page keeps as long as it has any numbers."""

MOST_COMMANDS = 1000
"""Number of rows that are turned back into commands at once."""


@click.command("query")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.argument("sql", required=False)
@click.option("--csv", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write all rows there.")
@click.option("--commands", "as_commands", is_flag=True, help="Print the command of each row, by its column point.")
@figure_options("a heat map of x, y, value, or lines of x, y, name,")
@json_option
def command(
    folder: Path,
    sql: str | None,
    csv: Path | None,
    figure: Path | None,
    theme: str | None,
    *,
    as_commands: bool,
    as_json: bool,
) -> None:
    """Ask a study by SQL: tables, heat maps, fronts, the command behind each row.

    DIR is the folder of a sweep. Without SQL, say what the study has: its axes, columns and views.
    """
    refuse_theme_alone(figure, theme)
    if sql is None:
        if csv or figure or as_commands:
            raise click.UsageError("give SQL: ridgeline query DIR 'SELECT * FROM cheapest'")
        _describe(opened(folder), folder, as_json=as_json)
        return
    if csv is not None:
        write_csv(folder, sql, csv)
        click.echo(f"rows: {csv}", err=True)
    is_whole = as_json or figure is not None
    most = None if is_whole else (MOST_COMMANDS if as_commands else MOST_SHOWN) + 1
    answer = query(folder, sql, most=most)
    found = _commands(folder, answer) if as_commands else []
    if as_json:
        document: dict[str, Any] = {"inputs": {"folder": folder, "sql": sql}, "columns": list(answer.columns)}
        told = {"commands": found} if as_commands else {}
        rows = [{name: _plain(value) for name, value in row.items()} for row in answer.to_rows()]
        print_json(document | {"rows": rows, "missing_points": answer.missing} | told)
    elif as_commands:
        for one in found:
            click.echo(one)
    elif csv is None:
        _show(answer, [name for name, size in opened(folder).axes.items() if size > 1])
    if figure is not None:
        _draw(answer, opened(folder).name, sql, figure, theme)


def _commands(folder: Path, answer: Answer) -> list[str]:
    if "point" not in answer.columns:
        raise click.UsageError("--commands needs the column point: SELECT point, ... FROM study")
    if len(answer.rows) > MOST_COMMANDS:
        raise click.UsageError(f"--commands prints {MOST_COMMANDS:,} at most; add LIMIT {MOST_COMMANDS}")
    # Imported here, since it reads the study and so imports the estimator.
    from ridgeline.studies.command import commands_of  # noqa: PLC0415

    at = answer.columns.index("point")
    return [one.text for one in commands_of(folder, [row[at] for row in answer.rows])]


def _plain(value: object) -> object:
    """SQL value as JSON: dates and other values without a JSON type as text."""
    return value if value is None or isinstance(value, bool | int | float | Decimal | list | dict) else str(value)


def _show(answer: Answer, axes: Sequence[str]) -> None:
    """Print rows as a table, with units; values that all rows of a wide one share are said once, below.

    Args:
        answer: rows to print.
        axes: columns that tell rows apart, which a narrow page keeps as long as it can.
    """
    out = console()
    rows = answer.rows[:MOST_SHOWN]
    texts = [[shown(name, value) for name, value in zip(answer.columns, row, strict=True)] for row in rows]
    every = range(len(answer.columns))
    is_wide = len(rows) > 1 and len(every) > WIDE
    shared = [at for at in every if is_wide and all(row[at] == rows[0][at] for row in rows)]
    kept = [at for at in every if at not in shared]
    left = [place for place, at in enumerate(kept) if any(isinstance(row[at], str) for row in rows)]
    names = [answer.columns[at] for at in kept]
    kept_longest = {*JUDGED, *axes}
    numbers = [place for place in reversed(range(len(names))) if place not in left and names[place] not in kept_longest]
    numbers = [place for place in numbers if names[place] != "point"]
    last = [names.index(name) for name in ("bound", "point") if name in names]
    lesser = [*(names.index(name) for name in LESSER if name in names), *numbers, *last]
    print_table(out, names, [[text[at] for at in kept] for text in texts], left=left, optional=lesser)
    if told := ", ".join(f"{answer.columns[at]} {texts[0][at]}" for at in shared if texts[0][at]):
        print_text(out, told, head="the same in each: ")
    if len(answer.rows) > MOST_SHOWN:
        print_text(out, f"the first {MOST_SHOWN} rows; --csv FILE writes all, LIMIT and ORDER BY choose others")
    if not rows:
        print_text(out, "no row")
    if answer.missing:
        print_text(out, f"{answer.missing:,} points are not there yet; ridgeline sweep goes on with them")


def _describe(manifest: Manifest, folder: Path, *, as_json: bool) -> None:
    """Print the axes, columns and views of a study."""
    done = sum(one.points for one in manifest.done)
    if as_json:
        print_json(
            {
                "inputs": {"folder": folder, "sql": None},
                "name": manifest.name,
                "points": manifest.points,
                "missing_points": manifest.points - done,
                "axes": manifest.axes,
                "described": manifest.columns,
                "views": list(manifest.views),
            }
        )
        return
    out = console()
    print_text(out, f"{done:,} of {manifest.points:,} points are there", head=f"{manifest.name}: ")
    print_text(out, " × ".join(f"{size:,} {name}" for name, size in manifest.axes.items() if size > 1), head="axes: ")
    print_text(out, ", ".join(("study", "left_out", *manifest.views)), head="tables: ")
    print_table(out, ("column of study", ""), [list(one) for one in manifest.columns.items()], left=(0, 1))


def _draw(answer: Answer, name: str, sql: str, figure: Path, theme: str | None) -> None:
    # The drawing library is an extra.
    from ridgeline.figures.study import study_figure  # noqa: PLC0415

    words = name, "", f"SQL: {' '.join(sql.split())}"
    draw_titled(partial(study_figure, answer.columns, answer.rows), words=words, path=figure, theme=theme)
