"""``--anchor CASES.csv``: correction of predictions by a user's own measurements, shown in the output."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ridgeline.catalog.engines import error_spreads
from ridgeline.cli.output import counted, listed
from ridgeline.specs.correction import Correction
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout

if TYPE_CHECKING:
    from ridgeline.calibration.judge.anchors import Anchors

__all__ = ["anchor_document", "anchor_lines", "anchor_option", "read_anchors"]

anchor_option = click.option(
    "--anchor",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Your own measurements of this model and machine (docs/cases.md): they correct the prediction.",
)


def read_anchors(path: Path | None, deployment: Deployment, *, is_one_format: bool = True) -> Anchors | None:
    """Rows of a file that bear on the deployment; None without a file.

    Raises:
        click.BadParameter: the file does not read, or none of its rows does.
    """
    if path is None:
        return None
    if not is_one_format:
        raise click.BadParameter("is of one format; name it with --weights in place of auto", param_hint="--anchor")
    # Imported here, since few commands have measured rows to predict.
    from ridgeline.calibration.cases import CaseError, read_cases, unknown_columns  # noqa: PLC0415
    from ridgeline.calibration.judge.anchors import anchors_of  # noqa: PLC0415

    try:
        cases = read_cases(path)
    except CaseError as error:
        raise click.BadParameter(str(error), param_hint="--anchor") from None
    for warning in unknown_columns(cases):
        click.echo(f"warning: {warning}", err=True)
    found = anchors_of(cases, models={}, deployment=deployment, spreads=error_spreads())
    if not found.moved:
        why = f": {found.unused[0]}" if found.unused else ": it has no row"
        what = f"{deployment.model.id} on {deployment.machine.id}"
        raise click.BadParameter(f"{path} says nothing of {what}{why}", param_hint="--anchor")
    if found.unused:
        # Before the numbers, which rest on the other rows alone.
        others = f" (and {counted(len(found.unused) - 1, 'other')})" if len(found.unused) > 1 else ""
        click.echo(f"warning: --anchor leaves out {found.unused[0]}{others}", err=True)
    return found


def anchor_lines(anchors: Anchors, correction: Correction, layout: Layout) -> list[str]:
    """Lines on the times that measured rows have corrected, and on rows that are all of other layouts."""
    lines = []
    for band, name, factor in (
        ("tpot_s", "decode steps and TPOT", correction.tpot_factor),
        ("ttft_s", "prompts and TTFT", correction.ttft_factor),
    ):
        rows = anchors.moved.get(band, ())
        if rows:
            measured = math.exp(sum(value for _, value in rows) / len(rows))
            count = counted(len(rows), "measured row")
            layouts = dict.fromkeys(one for one, _ in rows)
            other = "" if layout in layouts else f"; of {listed(map(str, layouts))}, none of this layout"
            lines.append(f"{name} x {factor:.3f} by {count}, {measured:.3f} of predicted on the mean{other}")
    return lines


def anchor_document(path: Path | None, anchors: Anchors | None) -> dict[str, Any] | None:
    """Measured rows and their correction as a JSON document; None without any."""
    if anchors is None:
        return None
    return {
        "file": str(path),
        "rows": {
            band: [
                {"layout": dataclasses.asdict(layout), "log_measured_over_predicted": value} for layout, value in rows
            ]
            for band, rows in anchors.moved.items()
        },
        "unused": anchors.unused,
    }
