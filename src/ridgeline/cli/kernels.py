"""``--kernels PROFILE|FOLDER``: a user's own calibration in place of the catalog's, named in every output."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from ridgeline.catalog import CatalogError
from ridgeline.catalog.engines import own_engines
from ridgeline.catalog.profiles import kernels_folder, profile_ids
from ridgeline.cli.completion import completes
from ridgeline.cli.output import console, print_text
from ridgeline.errors import RidgelineError
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.machine import Machine
from ridgeline.verbs import refuse_beside_peaks

__all__ = ["KERNELS", "kernels_option", "refuse_at_peaks", "say_kernels"]

KERNELS = "ridgeline.kernels"
"""Key of the context under which the folder is kept, for machines and engines that are read after it."""


def _folder(context: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    if value is None:
        return None
    try:
        context.meta[KERNELS] = kernels_folder(value)
        own_engines(context.meta[KERNELS])
    except CatalogError as error:
        raise click.BadParameter(str(error), context, param) from None
    return Path(context.meta[KERNELS])


# Eager: read before any machine or engine, wherever it stands.
kernels_option = click.option(
    "--kernels",
    metavar="PROFILE|FOLDER",
    is_eager=True,
    callback=_folder,
    shell_complete=completes(profile_ids, or_files=True),
    help="Your own calibration (ridgeline calibrate), in place of the catalog's numbers of what it has measured.",
)


def refuse_at_peaks(folder: Path | None, fidelity: Fidelity) -> None:
    """Refuse a calibration that would be ignored."""
    try:
        refuse_beside_peaks(fidelity, [] if folder is None else ["--kernels"])
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--kernels") from None


def say_kernels(
    folder: Path | None,
    machine: Machine | None = None,
    engine: Engine | None = None,
    *,
    names: Sequence[str] = (),
    out: Console | None = None,
) -> None:
    """Print where numbers come from that are not the catalog's.

    Args:
        folder: folder of the calibration; None for none.
        machine: machine that is asked about.
        engine: engine that runs it.
        names: names of several machines and engines, in place of both; without any, all that there are.
        out: console to print to.
    """
    if folder is None:
        return
    engines = own_engines(folder)
    held = sorted({path.stem for path in folder.glob("*.toml")} - {"engines"} | set(engines))
    if machine is not None:
        names = [machine.id, *([] if engine is None else [engine.name])]
    asked = names or held
    own = [name for name in asked if name in held]
    said = f"own numbers of {', '.join(own)}" if own else f"nothing of {', '.join(asked)}, which are the catalog's"
    print_text(out or console(), f"kernels of {folder}: {said}")
