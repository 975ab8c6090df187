"""``ridgeline calibrate``: a user's own measurements as numbers of machines and engines, beside the catalog's."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from ridgeline.calibration.cases import Case, CaseError, read_cases, unknown_columns
from ridgeline.calibration.cases.model_table import ModelTable, read_model_table
from ridgeline.calibration.fit.chip_fit import Fitted, Parameter
from ridgeline.calibration.fit.mapped import Mapped
from ridgeline.calibration.judge.folds import fold_workers
from ridgeline.calibration.own import OwnCalibration, calibrate_own
from ridgeline.calibration.texts import own_texts
from ridgeline.catalog import CatalogError, load_machine
from ridgeline.catalog.engines import load_engine
from ridgeline.catalog.kernels import with_own_kernels
from ridgeline.catalog.profiles import MINE, profile_folder, refuse_target, write_folder
from ridgeline.cli.arguments import json_option
from ridgeline.cli.output import console, counted, percent, print_json, print_table, print_text
from ridgeline.extras import installing

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("calibrate")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="CASES.csv...")
@click.option("--machine", help="Take this machine's rows alone.")
@click.option("--models", type=FILE, help="Table of model shapes, for models that the catalog lacks.")
@click.option("--profile", help=f"Name to keep the numbers under, in your own data folder.  [default: {MINE}]")
@click.option("--to", type=click.Path(path_type=Path), metavar="FOLDER", help="Folder to write instead of a profile.")
@click.option("--replace", is_flag=True, help="Replace what the profile or the folder holds, whole.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes.  [default: all cores]")
@json_option
def command(
    files: tuple[Path, ...],
    machine: str | None,
    models: Path | None,
    profile: str | None,
    to: Path | None,
    replace: bool,  # noqa: FBT001  a flag
    jobs: int,
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """Fit what your kernels, messages and engines take, for `--kernels` of the commands that estimate.

    Numbers start from the catalog's, and depart from them as far as your rows say so; kinds with too few rows are left
    out. They are written beside the installation and never into it, all files or none. The same cases give the same
    files. Each number is shown with its uncertainty and the rows that move it, each kind of kernel with the band in
    which four of five measurements lie that did not fit it.
    """
    folder = _target(profile, to, is_replaced=replace)
    try:
        import scipy  # noqa: F401, PLC0415  an extra, said before the work and not after it
    except ModuleNotFoundError:
        raise click.ClickException(f"calibrate needs SciPy: {installing('calibrate')}") from None
    try:
        cases: list[Case] = [case for file in files for case in read_cases(file)]
        table = read_model_table(models) if models else {}
    except CaseError as error:
        raise click.UsageError(str(error)) from None
    if machine is not None:
        known = ", ".join(sorted({case.machine for case in cases})) or "no machine"
        cases = [case for case in cases if case.machine == machine]
        if not cases:
            raise click.BadParameter(f"no row is of {machine!r}; there are rows of {known}", param_hint="--machine")
    for warning in unknown_columns(cases):
        click.echo(f"warning: {warning}", err=True)
    with fold_workers(jobs) as mapped:
        found = _calibrated(cases, table, mapped)
    texts = own_texts(found)
    if not texts:
        left = (
            "; ".join(f"{counted(one.rows, 'row')}, {one.what}: {one.reason}" for one in found.skipped)
            or "they have no row"
        )
        raise click.ClickException(f"these files tell of nothing that is fitted, and nothing is written: {left}")
    try:
        write_folder(folder, texts, lambda written: _require_read(written, found, cases))
    except CatalogError as error:
        raise click.ClickException(f"{folder} is not written: what was fitted does not read: {error}") from None
    except OSError as error:
        option = "--to" if to else "--profile"
        raise click.ClickException(f"{folder} is not written: {error.strerror}; name another with {option}") from None
    if as_json:
        inputs = {
            "files": [str(file) for file in files],
            "machine": machine,
            "models": None if models is None else str(models),
            "profile": None if to else profile or MINE,
            "to": str(folder),
        }
        print_json({"inputs": inputs, **_document(found), "files": sorted(str(folder / name) for name in texts)})
    else:
        out = console()
        _show(out, found)
        print_text(out, f"{counted(len(texts), 'file')} in {folder}; use with --kernels {to or profile or MINE}")


def _target(profile: str | None, to: Path | None, *, is_replaced: bool) -> Path:
    if profile is not None and to is not None:
        raise click.UsageError("a calibration is kept as --profile NAME or in --to FOLDER; leave one out")
    try:
        folder = to or profile_folder(profile or MINE)
        refuse_target(folder, is_replaced=is_replaced)
    except CatalogError as error:
        raise click.UsageError(str(error)) from None
    return folder


def _calibrated(cases: list[Case], table: ModelTable, mapped: Mapped) -> OwnCalibration:
    try:
        return calibrate_own(cases, table, mapped=mapped, said=lambda text: click.echo(f"fitting {text}", err=True))
    except CaseError as error:
        raise click.UsageError(str(error)) from None


def _require_read(folder: Path, found: OwnCalibration, cases: Iterable[Case]) -> None:
    """Refuse files that would not be read again."""
    known = {}
    for name in {case.machine for case in cases}:
        with suppress(CatalogError):  # rows of other machines were left out with a note
            known[name] = load_machine(name)
    for machine in known.values():
        if machine.id in found.machines:
            with_own_kernels(machine, folder)
    for engine in found.engines:
        load_engine(engine, kernels=folder)


def _document(found: OwnCalibration) -> dict[str, Any]:
    return {
        "machines": {
            name: {
                "rows": fitted.rows,
                "numbers": _numbers(fitted.parameters),
                "bands": {
                    kind: {**dataclasses.asdict(band), "by": fitted.band_rows[kind]}
                    for kind, band in fitted.bands.items()
                },
            }
            for name, fitted in found.machines.items()
        },
        "engines": {
            name: {"numbers": _numbers(one.parameters), "widths": one.engine.widths}
            for name, one in found.engines.items()
        },
        "under_load": _numbers(found.loads),
        "skipped": [dataclasses.asdict(one) for one in found.skipped],
    }


def _numbers(parameters: Iterable[Parameter]) -> dict[str, dict[str, float]]:
    return {one.name: {"value": one.value, "log_sd": one.log_sd, "rows": one.rows} for one in parameters}


def _show(out: Console, found: OwnCalibration) -> None:
    for name, fitted in found.machines.items():
        show_fitted(out, name, fitted)
    if found.loads:
        show_numbers(out, "engines under load", found.loads)
    for name, one in found.engines.items():
        show_engine(out, name, one.parameters, one.engine.widths)
    for left in found.skipped:
        print_text(out, f"not fitted: {counted(left.rows, 'row')}, {left.what}: {left.reason}")


def show_fitted(out: Console, name: str, fitted: Fitted) -> None:
    """Print a machine's numbers and its bands."""
    show_numbers(out, name, fitted.parameters)
    rows = [(kind, f"{band.below:.3f}", fitted.band_rows[kind]) for kind, band in fitted.bands.items()]
    print_table(out, ("kind", "80 % within, ln", "by"), rows, left=(0, 2))
    out.print()


def show_numbers(out: Console, name: str, parameters: Iterable[Parameter]) -> None:
    """Print fitted numbers with their uncertainties."""
    print_text(out, "", head=name)
    rows = [(one.name, f"{one.value:.4g}", percent(one.log_sd), f"{one.rows:,}") for one in parameters]
    print_table(out, ("number", "value", "uncertainty", "rows"), rows)
    out.print()


def show_engine(out: Console, name: str, parameters: Iterable[Parameter], widths: Mapping[str, float]) -> None:
    """Print an engine's numbers and the widths of its intervals."""
    if parameters:
        show_numbers(out, name, parameters)
    rows = [(of, f"{width:.3f}") for of, width in widths.items()]
    print_table(out, (f"{name}: 80 % within, ln, beside its kernels", ""), rows)
    out.print()
