"""``ridgeline sweep``: every point of a study, on this machine or a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ridgeline.catalog.profiles import kernels_folder
from ridgeline.cli.arguments import WHOLE
from ridgeline.cli.kernels import kernels_option, say_kernels
from ridgeline.cli.output import console, counted, json_option, print_json, print_text
from ridgeline.cli.progress import rated
from ridgeline.quantity_text import format_quantity
from ridgeline.studies.executors import LOCAL
from ridgeline.studies.hypothetical import Given
from ridgeline.studies.read import read_study
from ridgeline.studies.study import Study
from ridgeline.studies.sweep import Swept, sweep

__all__ = ["command"]

REASONS = 5
"""Number of reasons for left-out points that are shown; a query has all."""


@click.command("sweep")
@click.argument("study", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="STUDY.toml")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the study's files; one that was begun is carried on.  [default: the name of STUDY]",
)
@click.option(
    "--executor",
    default=LOCAL,
    show_default=True,
    help="local, or dask://HOST:PORT of a scheduler whose workers see DIR under the same name.",
)
@click.option("--workers", type=WHOLE, help="Processes of local.  [default: one for each core]")
@kernels_option
@json_option
def command(
    study: Path, out: Path | None, executor: str, workers: int | None, kernels: Path | None, *, as_json: bool
) -> None:
    """Estimate every point of a study: models, machines, workloads, chips that do not exist yet.

    What was done stays: after a kill the same command goes on where it was. Read it with ridgeline query.
    """
    asked = read_study(study, kernels=kernels)
    folder = Path(study.stem) if out is None else out
    with rated("points") as (started, passed):
        try:
            found = sweep(asked, folder, executor=executor, workers=workers, started=started, passed=passed)
        except KeyboardInterrupt:
            click.echo(f"{folder}: what is done stays; the same command goes on with the rest", err=True)
            raise
    if as_json:
        print_json(_document(asked, study, executor, workers, found))
    else:
        _show(asked, found)
    if found.manifest.failed:
        shard, said = next(iter(found.manifest.failed.items()))
        raise click.ClickException(
            f"{counted(len(found.manifest.failed), 'shard')} failed, each tried several times; shard {shard}: {said};"
            " the same command tries them again"
        )
    if not found.rows:
        raise click.ClickException(f"{study}: no point has a row; change what the reasons above name")


def _show(study: Study, found: Swept) -> None:
    """Print the outcome of a sweep, and how to read it."""
    out = console()
    left_out = found.manifest.left_out
    print_text(out, f"{found.manifest.points:,} points, {found.rows:,} rows in {found.folder}", head=f"{study.name}: ")
    if found.new_points:
        rate = format_quantity(found.points_per_s, "count")
        kept = f"; {found.kept_points:,} were there" if found.kept_points else ""
        print_text(
            out, f"{found.new_points:,} points in {format_quantity(found.wall_s, 's')}, {rate} points/s{kept}", indent=2
        )
    else:
        print_text(out, "all of them were there", indent=2)
    if left_out:
        print_text(out, f"{sum(left_out.values()):,} points have no row:", indent=2)
    for reason, points in list(left_out.items())[:REASONS]:
        print_text(out, f"{points:,}: {reason}", indent=4)
    if len(left_out) > REASONS:
        print_text(out, f"and {len(left_out) - REASONS:,} more reasons, all in the table left_out", indent=4)
    if study.kernels is not None:
        say_kernels(kernels_folder(study.kernels), names=_timed(study), out=out)
    if found.rows:
        print_text(out, f"read it: ridgeline query {found.folder} 'FROM cheapest'", indent=2)


def _timed(study: Study) -> list[str]:
    """Machines and engines of a study of which a calibration may have numbers."""
    engines = [one.name for one in getattr(study.kind, "own_engines", {}).values()]
    return list(dict.fromkeys([*(one.machine.id for one in study.candidates if isinstance(one, Given)), *engines]))


def _document(study: Study, path: Path, executor: str, workers: int | None, found: Swept) -> dict[str, Any]:
    manifest = found.manifest
    return {
        "inputs": {
            "study": path,
            "out": found.folder,
            "executor": executor,
            "workers": workers,
            "kernels": study.kernels and kernels_folder(study.kernels),
            "axes": {axis.name: axis.size for axis in study.axes},
            "text": study.text,
        },
        "points": manifest.points,
        "rows": found.rows,
        "left_out": [{"reason": reason, "points": points} for reason, points in manifest.left_out.items()],
        "failed": [{"shard": shard, "error": said} for shard, said in manifest.failed.items()],
        "shards": manifest.shards,
        "kept_points": found.kept_points,
        "wall_s": found.wall_s,
        "points_per_s": found.points_per_s,
    }
