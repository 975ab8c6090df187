"""``plan --export``: the best plan as the launch line or manifest of what runs it."""

from __future__ import annotations

import dataclasses
import shlex
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from ridgeline import verbs
from ridgeline.catalog.engines import default_engine
from ridgeline.cli.output import console
from ridgeline.cli.unknown_formats import SERVERS
from ridgeline.planner.outcome import Planning
from ridgeline.planner.two_pools.outcome import TwoPools
from ridgeline.release import version
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, is_ideal
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.machine import Machine
from ridgeline.specs.workload import Workload

if TYPE_CHECKING:
    from ridgeline.hand_over.launch import Launch

__all__ = [
    "export_options",
    "exported_engine",
    "launch_document",
    "launch_of",
    "launch_of_two",
    "show_launch",
]

DYNAMO = "dynamo"
"""Name of the target that runs engines of several kinds."""

TARGETS = (*SERVERS, DYNAMO)

TWO = 2
"""Number of nodes from which a launch has a further node."""

USUAL = "vllm"
"""Engine that Dynamo is taken to run where a machine has no usual one."""


def export_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for the target to export the best plan to, and for the checkpoint that it loads."""
    command = click.option(
        "--checkpoint",
        metavar="NAME",
        help="What --export has the engine load: a name on the Hugging Face hub, or a folder, with the weights in the"
        " plan's format.  [default: the catalog's, or the folder of MODEL]",
    )(command)
    return click.option(
        "--export",
        type=click.Choice(TARGETS),
        help="Print how this engine is started as the best plan has it, with the flags of a stated release; it is the"
        " engine that is planned with. dynamo takes that of --engine.",
    )(command)


def exported_engine(
    export: str | None,
    checkpoint: str | None,
    machine: Machine,
    fidelity: Fidelity,
    asked: Engine | None,
    kernels: Path | None,
) -> Engine | None:
    """Engine to plan with: the one asked for, else the one that the plan is handed to."""
    if export is None:
        if checkpoint is not None:
            raise click.UsageError("--checkpoint is what --export has an engine load; give that, too")
        return asked
    if fidelity.at_peaks:
        raise click.UsageError(
            f"--export needs the batches and the memory of an engine, which fidelity {fidelity.name} leaves out; take"
            " --fidelity measured"
        )
    if asked is not None:
        return asked
    usual = default_engine(machine) if export == DYNAMO else None
    name = export if usual is None else USUAL if is_ideal(usual) else usual.name
    return verbs.load_engine(name, kernels=kernels)


def launch_of(
    deployment: Deployment, workload: Workload, found: Planning, export: str | None, checkpoint: str | None, top: int
) -> Launch | None:
    """Launch of the best plan; None where nobody asked.

    Raises:
        RidgelineError: no plan can be handed over; says why.
    """
    if export is None:
        return None
    # Imported here, since most plans are not handed over.
    from ridgeline.hand_over.hand_over import hand_over  # noqa: PLC0415

    return hand_over(deployment, workload, found, export, checkpoint=checkpoint, top=top)


def launch_of_two(
    workload: Workload, found: TwoPools, export: str | None, checkpoint: str | None, top: int
) -> Launch | None:
    """Launch of the best two pools; None where nobody asked.

    Raises:
        RidgelineError: no plan can be handed over; says why.
    """
    if export is None:
        return None
    from ridgeline.hand_over.hand_over import hand_over_two  # noqa: PLC0415

    return hand_over_two(workload, found, export, checkpoint=checkpoint, top=top)


def launch_document(launch: Launch | None) -> dict[str, Any] | None:
    """Launch as a JSON document; None without one."""
    return None if launch is None else dataclasses.asdict(launch)


def show_launch(launch: Launch | None) -> None:
    """Print a launch as a script that a shell takes as it stands: all else goes to standard error."""
    if launch is None:
        return
    out = console()
    said = f"{launch.engine} {launch.version}, plan {launch.plan} ({launch.layout}), by ridgeline {version()}"
    for text in (said, *(f"note: {note}" for note in launch.notes)):
        for line in textwrap.wrap(text, out.width - len(COMMENT), subsequent_indent="  ", break_long_words=False):
            out.print(Text(COMMENT + line, "dim"))
    for line in _script(launch):
        out.print(Text(line))


COMMENT = "# "
"""Prefix of a comment in a shell script."""


def _script(launch: Launch) -> Iterator[str]:
    if launch.manifest is not None:
        yield f"cat > {launch.manifest_file} <<'END'"
        yield from launch.manifest.splitlines()
        yield "END"
    if launch.further_command:
        yield "# on the first node, with its address in FIRST_NODE"
    yield from _lines(launch.command)
    if launch.further_command:
        ranks = "NODE_RANK=1" if launch.nodes == TWO else f"NODE_RANK from 1 to {launch.nodes - 1}"
        yield f"# on each further node, with {ranks}"
        yield from _lines(launch.further_command)


def _lines(words: tuple[str, ...]) -> Iterator[str]:
    """Lines of a command, a flag with its value a line."""
    flag = next((place for place, word in enumerate(words) if word.startswith("--")), len(words))
    lines = [" ".join(_quoted(word) for word in words[:flag])]
    for word in words[flag:]:
        if word.startswith("--"):
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {_quoted(word)}"
    yield from (f"{line} \\" for line in lines[:-1])
    yield lines[-1]


def _quoted(word: str) -> str:
    """Word quoted for a shell; the variables of a launch over several nodes stay what they are."""
    return word if word.startswith(("$FIRST_NODE", "$NODE_RANK")) else shlex.quote(word)
