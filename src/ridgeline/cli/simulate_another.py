"""Dispatch of ``ridgeline simulate`` where ``--run`` or ``--compare`` is among its arguments."""

from __future__ import annotations

from typing import Any

import click

from ridgeline.cli.simulate_compare import SIMULATE, compare_files
from ridgeline.cli.simulate_run import replay_run

__all__ = ["OrAnother"]

OTHERS = {"--run": replay_run, "--compare": compare_files}


class OrAnother(click.Command):
    """Command that hands over to another with other arguments, where that one's option is given."""

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **more: Any) -> click.Context:  # noqa: ANN401  click's
        """Context of this command or of the other."""
        given = {one.partition("=")[0] for one in args}
        for option, other in OTHERS.items():
            if option in given:
                context = other.make_context(info_name, args, *rest, **more)
                context.meta[SIMULATE] = self
                return context
        return super().make_context(info_name, args, *rest, **more)
