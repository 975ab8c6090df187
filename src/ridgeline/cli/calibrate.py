"""``ridgeline calibrate``: efficiencies from measured cases, into the catalog."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console

from ridgeline.calibration.calibrate import calibrate
from ridgeline.calibration.cases import Case, CaseError, read_cases
from ridgeline.calibration.fit import BLOCKS, Fitted, Parameter
from ridgeline.calibration.folds import fold_workers
from ridgeline.calibration.model_table import read_model_table
from ridgeline.catalog.engines import ENGINES, engines_text
from ridgeline.catalog.kernels import KERNELS, SHARED, written
from ridgeline.cli.output import console, print_table

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("calibrate")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="CASES.csv...")
@click.option("--machine", help="Write and show this machine's numbers alone.")
@click.option("--models", type=FILE, help="Table of model shapes, for models that the catalog lacks.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes.  [default: all cores]")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=KERNELS,
    help="Folder for the files.  [default: the catalog's]",
)
def command(files: tuple[Path, ...], machine: str | None, models: Path | None, jobs: int, folder: Path) -> None:
    """Fit what kernels and messages reach on measured cases, and write a file a machine.

    Steps, prefills and static batches of whole models tell besides what their engines take, which is one more file.
    The same cases give the same files. Each number is shown with its uncertainty and the rows that it was fitted on,
    each kind of kernel with the band in which four of five measurements lie that did not fit it. It takes minutes.
    """
    try:
        import scipy  # noqa: F401, PLC0415  an extra, said before the work and not after it
    except ModuleNotFoundError:
        raise click.ClickException('calibrate needs SciPy: pip install "ridgeline[calibrate]"') from None
    try:
        cases: list[Case] = [case for file in files for case in read_cases(file)]
        table = read_model_table(models) if models else {}
    except CaseError as error:
        raise click.UsageError(str(error)) from None
    with fold_workers(jobs) as mapped:
        found = calibrate(cases, table, mapped=mapped, said=lambda text: click.echo(f"fitting {text}", err=True))
    if machine is not None and machine not in found.chips:
        known = ", ".join(found.chips) or "no machine"
        raise click.BadParameter(
            f"no kernel of {machine!r} was measured in these files; {known} was", param_hint="--machine"
        )
    wanted = {SHARED: found.shared, **found.chips} if machine is None else {machine: found.chips[machine]}
    out = console()
    folder.mkdir(parents=True, exist_ok=True)
    for name, fitted in wanted.items():
        _write(folder / f"{name}.toml", _kernels_text(name, fitted))
        _show(out, name, fitted.parameters)
        bands = [(kind, f"{band.below:.3f}", fitted.band_rows[kind]) for kind, band in fitted.bands.items()]
        print_table(out, ("kind", "80 % within, ln", "by"), bands, left=(0, 2))
        out.print()
    out.print(f"{len(wanted)} files in {folder}")
    if found.engines and machine is None:
        path = ENGINES if folder == KERNELS else folder / ENGINES.name
        remarks = {one.name: _remark(one) for engine in found.engines.values() for one in engine.parameters}
        for one in found.loads:
            shared = one.name.startswith("scheduling.")
            names = [f"{name}.{one.name}" for name in found.engines] if shared else [one.name]
            remarks |= dict.fromkeys(names, _remark(one))
        engines = {name: engine.engine for name, engine in found.engines.items()}
        _write(path, engines_text(engines, remarks, found.spreads))
        if found.loads:
            _show(out, "engines under load", found.loads)
        for name, engine in found.engines.items():
            if engine.parameters:
                _show(out, name, engine.parameters)
            widths = [(of, f"{width:.3f}") for of, width in engine.engine.widths.items()]
            print_table(out, (f"{name}: 80 % within, ln, beside its kernels", ""), widths)
            out.print()
        out.print(f"{len(found.engines)} engines in {path}")


def _show(out: Console, name: str, parameters: Iterable[Parameter]) -> None:
    out.print(f"[bold]{name}[/]")
    rows = [(one.name, f"{one.value:.4g}", f"{one.log_sd:.1%}", f"{one.rows:,}") for one in parameters]
    print_table(out, ("number", "value", "uncertainty", "rows"), rows)
    out.print()


def _kernels_text(name: str, fitted: Fitted) -> str:
    rows = {one.name.partition(".")[0]: one.rows for one in fitted.parameters}
    whose = "all chips together" if name == SHARED else name
    status = f"fitted on {sum(rows.values()):,} measured kernels and messages of {whose}"
    if name != SHARED and len(rows) < len(BLOCKS):
        status += f" ({', '.join(rows)}; the rest as its family's)"
    remarks = {one.name: _remark(one) for one in fitted.parameters}
    remarks |= {f"bands.{kind}": text for kind, text in fitted.band_rows.items()}
    return written(status, remarks, fitted.kernels, fitted.bands)


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    half = path.with_suffix(".part")
    half.write_text(text, encoding="utf-8")
    half.replace(path)


def _remark(one: Parameter) -> str:
    return f"+- {one.log_sd:.1%}, {one.rows:,} rows"
