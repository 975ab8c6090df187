"""Options that experiments share."""

from __future__ import annotations

from collections.abc import Callable

import click

from ridgeline.cli.arguments import WHOLE
from ridgeline.cli.number_range import NumberRange

__all__ = ["SHARE", "count_option", "network_options", "seed_option"]

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


SHARE = NumberRange(0, 1, min_open=True)

seed_option = click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all draws.")


def count_option(name: str, default: int, text: str) -> Decorator:
    """Option that takes a whole number from 1 on."""
    return click.option(name, type=WHOLE, default=f"{default}", show_default=True, help=text)


def network_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options on networks that are trained."""
    command = count_option("--steps", 250, "Steps of training.")(command)
    return count_option("--layers", 8, "Layers of each network.")(command)
