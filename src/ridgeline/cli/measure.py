"""``ridgeline measure``: kernels of the machine at hand, timed within a budget, as a calibration of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from ridgeline.calibration.cases import Case, cases_text
from ridgeline.calibration.kinds.kind import KINDS
from ridgeline.calibration.texts import own_texts
from ridgeline.catalog import CatalogError, load_machine, machine_ids
from ridgeline.catalog.device_names import machine_named
from ridgeline.catalog.kernels import with_own_kernels
from ridgeline.catalog.profiles import profile_folder, refuse_target, write_folder
from ridgeline.cli.arguments import TIME, WHOLE, json_option
from ridgeline.cli.completion import completes
from ridgeline.cli.measure_text import document, show_measurement
from ridgeline.cli.output import print_json
from ridgeline.cli.progress import rated
from ridgeline.extras import installing
from ridgeline.measuring.bench import Bench, BenchError, Device
from ridgeline.measuring.measure import Measurement, fit_timed, time_machine, timing_ends_s
from ridgeline.measuring.timed import Timed
from ridgeline.measuring.torch_bench import CPU, GPU, torch_bench
from ridgeline.specs.machine import Machine

__all__ = ["command"]

DEVICES = {"gpu": GPU, "cpu": CPU}
"""Devices by what a person calls them."""


@click.command("measure")
@click.option(
    "--on",
    metavar="MACHINE",
    shell_complete=completes(machine_ids, or_files=True),
    help="Machine that this is: a catalog id, or a path to a .toml file.  [default: by the name of its chips]",
)
@click.option("--budget", type=TIME, default="60s", show_default=True, help="Wall time that all of it may take.")
@click.option("--check", is_flag=True, help="Hold back every fifth shape, and predict it by the fit on the others.")
@click.option("--to", type=click.Path(path_type=Path), metavar="FOLDER", help="Folder to keep the numbers in.")
@click.option("--profile", help="Name to keep the numbers under instead, in your own data folder.")
@click.option("--replace", is_flag=True, help="Replace what the profile or the folders hold.")
@click.option(
    "--cases",
    "cases_folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder for what was measured: a case file for each kind, as validate and calibrate read them.",
)
@click.option("--chips", type=WHOLE, help="Chips of this machine to send messages over; 1 for none.  [default: all]")
@click.option(
    "--device",
    type=click.Choice(list(DEVICES)),
    default="gpu",
    show_default=True,
    help="cpu: to try the command without a GPU, on a file of your own.",
)
@json_option
def command(
    on: str | None,
    budget: float,
    check: bool,  # noqa: FBT001  a flag
    to: Path | None,
    profile: str | None,
    replace: bool,  # noqa: FBT001  a flag
    cases_folder: Path | None,
    chips: int | None,
    device: str,
    as_json: bool,  # noqa: FBT001  a flag
) -> None:
    """Time this machine's kernels and messages, and fit its numbers on them.

    They are for the option `--kernels` of the commands that estimate. Matrix products, attention, kernels that stream
    over memory and, between several GPUs, messages are timed with the PyTorch that is installed here, in an order that
    covers each kind early. What the budget was too short for is said. Numbers start from the catalog's and depart from
    them as far as the times say so. Without --to or --profile, no numbers are kept.
    """
    began_s = time.monotonic()
    folder = _target(to, profile, is_replaced=replace)
    _refuse_early(on, cases_folder, device, is_replaced=replace)
    described, machine, timed = _timed(on, DEVICES[device], chips, cases_folder, timing_ends_s(began_s, budget))
    found = fit_timed(timed, checks=check)
    texts = own_texts(found.found)
    own = _with_numbers(machine, texts)
    if folder is not None and texts:
        _keep(folder, texts, "--to" if profile is None else "--profile")
    taken_s = time.monotonic() - began_s
    if as_json:
        inputs = {
            "on": on,
            "budget_s": budget,
            "check": check,
            "device": device,
            "chips": described.chips,
            "profile": profile,
            "to": folder,
            "cases": cases_folder,
        }
        print_json(document(inputs, found, described, machine=machine, own=own, taken_s=taken_s))
    else:
        show_measurement(found, described, machine=machine, taken_s=taken_s, kept=(to or profile) if texts else None)
    _require_numbers(found)


def _timed(
    on: str | None, device_type: str, chips: int | None, cases_folder: Path | None, until_s: float
) -> tuple[Device, Machine, Timed]:
    """Device, its machine, and the cases that were timed on it, which are in their folder then."""
    with ExitStack() as opened:
        try:
            bench = opened.enter_context(torch_bench(device_type, chips))
        except BenchError as error:
            raise click.ClickException(str(error)) from None
        named, machine = _machine(on, bench)
        if cases_folder is not None:
            _make_cases_folder(cases_folder)
        begun, told = opened.enter_context(rated("kernels and messages"))
        timed = time_machine(
            bench,
            machine,
            named,
            until_s=until_s,
            clock=time.monotonic,
            begun=lambda total: begun(total, 0),
            told=told,
        )
    if cases_folder is not None:
        _write_cases(cases_folder, timed.cases)
    return bench.device, machine, timed


def _refuse_early(on: str | None, cases_folder: Path | None, device: str, *, is_replaced: bool) -> None:
    """Refuse before any work what would be refused after it."""
    if cases_folder is not None and any(cases_folder.glob("*.csv")) and not is_replaced:
        raise click.BadParameter(
            f"{cases_folder} holds case files; add --replace, or name another", param_hint="--cases"
        )
    if device == "cpu" and (on is None or not on.endswith(".toml")):
        raise click.UsageError("a CPU is no machine of the catalog; describe it in a file of your own: --on FILE.toml")
    try:
        import scipy  # noqa: F401, PLC0415  an extra, said before the work and not after it
    except ModuleNotFoundError:
        raise click.ClickException(f"measure needs SciPy: {installing('calibrate')}") from None


def _target(to: Path | None, profile: str | None, *, is_replaced: bool) -> Path | None:
    """Folder that is written; None where nothing is kept."""
    if to is not None and profile is not None:
        raise click.UsageError("numbers are kept as --profile NAME or in --to FOLDER; leave one out")
    try:
        folder = profile_folder(profile) if profile is not None else to
        if folder is not None:
            refuse_target(folder, is_replaced=is_replaced)
    except CatalogError as error:
        raise click.UsageError(str(error)) from None
    return folder


def _make_cases_folder(folder: Path) -> None:
    """Make the folder of the case files, and see that files can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise click.BadParameter(f"{folder}: {error.strerror}; name another folder", param_hint="--cases") from None


def _write_cases(folder: Path, cases: Sequence[Case]) -> None:
    """Write a case file for each kind, a family of its own; those of kinds that were not timed now are removed."""
    kinds = dict.fromkeys(case.kind for case in cases)
    try:
        for kind in KINDS:
            if kind not in kinds:
                (folder / f"{kind}.csv").unlink(missing_ok=True)
        for kind in kinds:
            text = cases_text([case for case in cases if case.kind == kind])
            (folder / f"{kind}.csv").write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{folder} is not written: {error.strerror}; name another with --cases") from None


def _keep(folder: Path, texts: dict[str, str], option: str) -> None:
    """Write the numbers into the folder that an option gave."""
    try:
        write_folder(folder, texts, lambda _: None)  # it was read before
    except OSError as error:
        raise click.ClickException(f"{folder} is not written: {error.strerror}; name another with {option}") from None


def _machine(on: str | None, bench: Bench) -> tuple[str, Machine]:
    """Name of the machine at hand, as cases name it, and its record."""
    try:
        named = machine_named(bench.device.name) if on is None else on
        machine = load_machine(named)
    except CatalogError as error:
        raise click.BadParameter(str(error), param_hint="--on") from None
    if machine.efficiency.kernels is None:
        raise click.BadParameter(
            f"numbers of kernels are fitted for GPUs, whose kernels are of a form, and {machine.id} is none",
            param_hint="--on",
        )
    # A catalog id may have been shortened.
    return (named if named.endswith(".toml") else machine.id), machine


def _with_numbers(machine: Machine, texts: dict[str, str]) -> Machine:
    """The machine as ``--kernels`` gives it, from the files as they are written."""
    if not texts:
        return machine
    with tempfile.TemporaryDirectory(prefix="ridgeline-measure-") as beside:
        folder = Path(beside) / "kernels"
        write_folder(folder, texts, lambda _: None)
        return with_own_kernels(machine, folder)


def _require_numbers(found: Measurement) -> None:
    if not found.found.machines:
        reasons = "; ".join(f"{one.what}: {one.reason}" for one in found.found.skipped) or "no kernel was timed"
        raise click.ClickException(f"nothing was fitted, and no numbers are kept: {reasons}")
