"""``ridgeline lab``: experiments on what ciphers and networks share."""

from __future__ import annotations

import os
from difflib import get_close_matches
from importlib import import_module

import click

__all__ = ["EXPERIMENTS", "STUDY", "command"]

EXPERIMENTS = {
    "feistel": "Invert Feistel networks, and tell them from random permutations",
    "reversible": "Run a reversible transformer beside a plain and a checkpointed one (needs JAX)",
    "ddt": "Show what S-boxes give away, and recover a small cipher's key",
    "avalanche": "Follow one changed bit through ciphers and networks",
    "adversarial": "Attack trained networks, and follow small changes through them",
    "duality": "Price a byte and a FLOP on each machine, with techniques that trade them",
}
"""Help of each experiment, in the order of the lecture; ``ridgeline.cli.lab_NAME`` has it."""

STUDY = "For study: no construction here protects anything."


class Experiments(click.Group):
    """Group of experiments that are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Names of all experiments."""
        return list(EXPERIMENTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Experiment of a name."""
        if cmd_name not in EXPERIMENTS:
            return None
        # Products of small matrices gain nothing from threads, and on a busy machine they wait for each other.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        command: click.Command = import_module(f"ridgeline.cli.lab_{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Experiment that is asked for; an unknown one is refused with those that there are."""
        if args[0] not in EXPERIMENTS:
            near = get_close_matches(args[0], EXPERIMENTS, 1)
            meant = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(EXPERIMENTS)}."
            raise click.UsageError(f"No such experiment {args[0]!r}. {meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the experiments into the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(EXPERIMENTS.items()))


@click.command("lab", cls=Experiments, epilog=STUDY)
def command() -> None:
    """Run experiments on what ciphers and networks share: the lecture's last chapter.

    Every experiment draws from a seed, and prints the same numbers each time.
    """
