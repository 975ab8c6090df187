"""``ridgeline validate``: predictions against measured cases."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path

import click

from ridgeline.calibration.cases import Case, CaseError, read_cases
from ridgeline.calibration.judge.validate import INTERVAL_SHARE, Group, Validation, too_few_inside
from ridgeline.catalog import CatalogError
from ridgeline.cli.arguments import fidelity_option, json_option
from ridgeline.cli.kernels import kernels_option, refuse_at_peaks, say_kernels
from ridgeline.cli.output import console, counted, print_json, print_table, print_text
from ridgeline.specs.fidelity import Fidelity
from ridgeline.verbs import validate

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("validate")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="CASES.csv...")
@click.option("--models", type=FILE, help="Table of model shapes, for models that the catalog lacks.")
@fidelity_option
@kernels_option
@json_option
def command(
    files: tuple[Path, ...],
    models: Path | None,
    fidelity: Fidelity,
    kernels: Path | None,
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """Hold predictions against measured cases: error, bias, rank and interval by family, quantity and machine.

    A case file has one measured number a row; docs/cases.md lists its columns, kinds and quantities.
    """
    refuse_at_peaks(kernels, fidelity)
    try:
        cases: list[Case] = [case for file in files for case in read_cases(file)]
        found = validate(cases, models=models, fidelity=fidelity, kernels=kernels)
    except (CaseError, CatalogError) as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        inputs = {
            "files": [str(file) for file in files],
            "models": None if models is None else str(models),
            "fidelity": fidelity.name,
            "kernels": kernels,
        }
        print_json({"inputs": inputs, **dataclasses.asdict(found)})
    else:
        _show(found)
        say_kernels(kernels)
    if not found.rows:
        raise click.ClickException("nothing in these files is predicted; docs/cases.md says what a row needs")


def _show(found: Validation) -> None:
    out = console()
    predicted = [group for group in found.groups if group.scored]
    if predicted:
        print_table(out, HEADERS, [_row(group) for group in predicted], left=(0, 1, 2), optional=(4, 9, 7, 5, 8, 1))
        print_text(out, LEGEND, style="dim")
        for group, inside, rows in too_few_inside(found):
            print_text(
                out,
                f"{group.quantity} of {group.family} on {group.machine}: {inside} of {counted(rows, 'measurement')}"
                f" lie inside the 80 % intervals, where {INTERVAL_SHARE * rows:.1f} are expected; predictions are"
                f" {group.median_ratio:.3g} times what was measured, on the median",
            )
    else:
        print_text(out, "nothing in these files is predicted")
    if found.unsupported:
        out.print()
        print_text(out, f": {counted(len(found.unsupported), 'row')}", head="Unsupported")
        for reason, count in Counter(one.reason for one in found.unsupported).most_common():
            print_text(out, f"{count:5} {reason}", indent=2, hang=6)
    for warning in found.warnings:
        print_text(out, f"warning: {warning}", style="dim")


HEADERS = (
    *("family", "quantity", "machine", "scored", "unsupported", "ratio", "|ln|", "p90", "%", "rank", "level", "shape"),
    "in 80 %",
)


LEGEND = (
    "scored: rows that are predicted, unsupported: that are not; ratio: median predicted/measured; |ln|, p90: median"
    " and 90 % quantile of |ln(predicted/measured)|; %: mean error; rank: Spearman; level, shape: of |ln|, how far the"
    " middle of a sweep over batches or sizes is off, and how far its form is; in 80 %: share of measurements inside"
    " the predictions' 80 % interval, 0.8 where those are right"
)


def _row(group: Group) -> tuple[str, ...]:
    def number(value: float | None, digits: int = 3) -> str:
        return "-" if value is None else f"{value:.{digits}f}"

    return (
        group.family,
        group.quantity,
        group.machine,
        str(group.scored),
        str(group.unsupported),
        number(group.median_ratio),
        number(group.median_abs_log_error),
        number(group.p90_abs_log_error),
        number(group.mean_abs_percent_error, 1),
        number(group.spearman),
        number(group.median_abs_level_log_error),
        number(group.median_shape_log_error),
        number(group.interval_80_coverage),
    )
