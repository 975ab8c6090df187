"""``ridgeline calibrate``: efficiencies from measured cases, into the catalog."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console

from ridgeline.calibration.cases import Case, CaseError, read_cases
from ridgeline.calibration.engines import fit_engines
from ridgeline.calibration.fit import Fitted, Parameter, fit_chips
from ridgeline.calibration.model_table import read_model_table
from ridgeline.catalog.engines import ENGINES, engines_text
from ridgeline.catalog.kernels import KERNELS, SHARED, written
from ridgeline.catalog.machines import kernels_reference
from ridgeline.cli.output import console, print_table

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("calibrate")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="CASES.csv...")
@click.option("--models", type=FILE, help="Table of model shapes, for models that the catalog lacks.")
@click.option("--machine", help="Write and show this machine's numbers alone.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=KERNELS,
    help="Folder for the files.  [default: the catalog's]",
)
def command(files: tuple[Path, ...], models: Path | None, machine: str | None, folder: Path) -> None:
    """Fit what kernels and messages reach on measured cases, and write a file a machine.

    Steps, prefills and static batches of whole models tell besides what their engines take, which is one more file.
    The same cases give the same files. Each number is shown with its uncertainty and the rows that it was fitted on.
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
    out = console()

    def said(text: str) -> None:
        click.echo(f"fitting {text}", err=True)

    shared, chips = fit_chips(cases, reference=kernels_reference, said=said)
    if machine is not None and machine not in chips:
        known = ", ".join(chips) or "no machine"
        raise click.BadParameter(
            f"no kernel of {machine!r} was measured in these files; {known} was", param_hint="--machine"
        )
    wanted = {SHARED: shared, **chips} if machine is None else {machine: chips[machine]}
    folder.mkdir(parents=True, exist_ok=True)
    for name, fitted in wanted.items():
        _write(folder / f"{name}.toml", _kernels_text(name, fitted))
        _show(out, name, fitted.parameters)
    out.print(f"{len(wanted)} files in {folder}")
    engines = {}
    if machine is None:
        kernels = {name: fitted.kernels for name, fitted in chips.items()}
        engines = fit_engines(cases, models=table, kernels=kernels, said=said)
    if not engines:
        return
    remarks = {one.name: _remark(one) for found in engines.values() for one in found.parameters}
    path = ENGINES if folder == KERNELS else folder / ENGINES.name
    _write(path, engines_text({name: found.engine for name, found in engines.items()}, remarks))
    for name, found in engines.items():
        _show(out, name, found.parameters)
    out.print(f"{len(engines)} engines in {path}")


def _show(out: Console, name: str, parameters: Iterable[Parameter]) -> None:
    out.print(f"[bold]{name}[/]")
    rows = [(one.name, f"{one.value:.4g}", f"{one.log_sd:.1%}", f"{one.rows:,}") for one in parameters]
    print_table(out, ("number", "value", "uncertainty", "rows"), rows)
    out.print()


def _kernels_text(name: str, fitted: Fitted) -> str:
    rows = {one.name.partition(".")[0]: one.rows for one in fitted.parameters}
    whose = "all chips together" if name == SHARED else name
    status = f"fitted on {sum(rows.values()):,} measured kernels and messages of {whose}"
    remarks = {one.name: _remark(one) for one in fitted.parameters}
    return written(status, remarks, fitted.kernels)


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    half = path.with_suffix(".part")
    half.write_text(text, encoding="utf-8")
    half.replace(path)


def _remark(one: Parameter) -> str:
    return f"+- {one.log_sd:.1%}, {one.rows:,} rows"
