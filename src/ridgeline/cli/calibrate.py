"""``ridgeline calibrate``: efficiencies from measured cases, into the catalog."""

from __future__ import annotations

from pathlib import Path

import click

from ridgeline.calibration.cases import Case, CaseError, read_cases
from ridgeline.calibration.fit import Fitted, Parameter, fit_chips
from ridgeline.catalog.kernels import KERNELS, SHARED, written
from ridgeline.catalog.machines import kernels_reference
from ridgeline.cli.output import console, print_table

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("calibrate")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="CASES.csv...")
@click.option("--machine", help="Write and show this machine's numbers alone.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=KERNELS,
    help="Folder for the files.  [default: the catalog's]",
)
def command(files: tuple[Path, ...], machine: str | None, folder: Path) -> None:
    """Fit what kernels and messages reach on measured cases, and write a file a machine.

    The same cases give the same files. Each number is shown with its uncertainty and the rows that it was fitted on.
    """
    try:
        import scipy  # noqa: F401, PLC0415  an extra, said before the work and not after it
    except ModuleNotFoundError:
        raise click.ClickException('calibrate needs SciPy: pip install "ridgeline[calibrate]"') from None
    try:
        cases: list[Case] = [case for file in files for case in read_cases(file)]
    except CaseError as error:
        raise click.UsageError(str(error)) from None
    out = console()
    shared, chips = fit_chips(
        cases, reference=kernels_reference, said=lambda text: click.echo(f"fitting {text}", err=True)
    )
    if machine is not None and machine not in chips:
        known = ", ".join(chips) or "no machine"
        raise click.BadParameter(
            f"no kernel of {machine!r} was measured in these files; {known} was", param_hint="--machine"
        )
    wanted = {SHARED: shared, **chips} if machine is None else {machine: chips[machine]}
    folder.mkdir(parents=True, exist_ok=True)
    for name, fitted in wanted.items():
        _write(folder / f"{name}.toml", name, fitted)
        out.print(f"[bold]{name}[/]")
        rows = [(one.name, f"{one.value:.4g}", f"{one.log_sd:.1%}", f"{one.rows:,}") for one in fitted.parameters]
        print_table(out, ("number", "value", "uncertainty", "rows"), rows)
        out.print()
    out.print(f"{len(wanted)} files in {folder}")


def _write(path: Path, name: str, fitted: Fitted) -> None:
    """Write a file whole or not at all."""
    rows = {one.name.partition(".")[0]: one.rows for one in fitted.parameters}
    whose = "all chips together" if name == SHARED else name
    status = f"fitted on {sum(rows.values()):,} measured kernels and messages of {whose}"
    remarks = {one.name: _remark(one) for one in fitted.parameters}
    half = path.with_suffix(".part")
    half.write_text(written(status, remarks, fitted.kernels), encoding="utf-8")
    half.replace(path)


def _remark(one: Parameter) -> str:
    return f"+- {one.log_sd:.1%}, {one.rows:,} rows"
