"""Remedy of a plan that nothing serves: what is nearest, and the least of an option with which something does."""

from __future__ import annotations

import dataclasses
import math
from bisect import bisect_left
from collections.abc import Callable

import click

from ridgeline import verbs
from ridgeline.cli.asked import Asked
from ridgeline.cli.output import rounded_down
from ridgeline.numeric import ROUNDING
from ridgeline.planner.chip_steps import least_chips
from ridgeline.planner.compare import lacks_memory, least_memory, remedy
from ridgeline.planner.most_rate import most_rate
from ridgeline.planner.outcome import Planning
from ridgeline.planner.price import price_of
from ridgeline.quantity_text import counted, format_quantity
from ridgeline.seconds import HOUR_S
from ridgeline.specs.deployment import Deployment

__all__ = ["chips_for_money", "unserved_said"]

STEPS = 100
"""Steps into which the engine's part of memory is cut where one is offered."""


def unserved_said(
    deployment: Deployment, asked: Asked, found: Planning, search: Callable[[int | None], Planning]
) -> str:
    """Sentence on what is nearest to serving, and on the change that was tried and serves.

    Args:
        deployment: model, machine and engine.
        asked: options of the plan.
        found: result of the search, without a plan.
        search: search for the same workload with another budget.
    """
    nearest = least_memory(found.rejected)
    if (enough := _enough_memory(deployment, asked, found)) is not None:
        given = deployment.engine.options.given["memory_fraction"]
        return f"{nearest}; raise --memory-fraction from {given:g} to {enough:g}, which serves"
    least = least_chips(found, search)
    if least is None:
        return f"{remedy(found)}{_most_taken(deployment, asked, found)}"
    # Beside --budget there are no --chips to give more of.
    said = remedy(found) if asked.budget_usd_per_s is None else nearest
    return f"{said}; {_chips_said(deployment, asked, least)}"


def _most_taken(deployment: Deployment, asked: Asked, found: Planning) -> str:
    """Clause on the layout that takes the highest rate on the chips that there are; empty without a rate."""
    chips = asked.chips_on(deployment.machine)

    def search(requests_per_s: float) -> Planning:
        lighter = dataclasses.replace(asked, demand=dataclasses.replace(asked.demand, requests_per_s=requests_per_s))
        return lighter.plan_of(deployment, chips=chips, speculations=found.speculations)

    best = most_rate(deployment, found, chips, search)
    if best is None:
        return ""
    layout, rate = best
    return f"; on {counted(found.chips, 'chip')} {layout} takes the most, --rate {rounded_down(rate):.12g}/s"


def _enough_memory(deployment: Deployment, asked: Asked, found: Planning) -> float | None:
    """The least part of memory for an engine with which a layout serves, where the operator gave it less."""
    options = deployment.engine.options
    needed = [one.needed_bytes for one in found.rejected if one.needed_bytes is not None]
    if "memory_fraction" not in options.given or not lacks_memory(found) or not needed:
        return None

    def serves(step: int) -> bool:
        engine = verbs.load_engine(deployment.engine, memory_fraction=step / STEPS)
        tried, chips = dataclasses.replace(deployment, engine=engine), asked.chips_on(deployment.machine)
        return bool(asked.plan_of(tried, chips=chips, speculations=(deployment.speculation,)).plans)

    steps = range(math.ceil(STEPS * min(needed) / deployment.machine.chip.hbm_bytes), STEPS + 1)
    place = bisect_left(steps, x=True, key=serves)
    return steps[place] / STEPS if place < len(steps) else None


def _chips_said(deployment: Deployment, asked: Asked, chips: int) -> str:
    """Clause on how many chips are enough, as chips or as the money that rents them."""
    verb = "is" if chips == 1 else "are"
    if asked.budget_usd_per_s is None:
        return f"--chips {chips} {verb} enough"
    price = price_of(deployment.machine, asked.usd_per_chip_s)
    return f"--budget '{_dollars(chips * (price or 0.0))}' rents {counted(chips, 'chip')}, which {verb} enough"


def _dollars(usd_per_s: float) -> str:
    """Rate of money as an option takes it, rounded up to a cent an hour.

    >>> _dollars(5.901 / 3600)
    '$5.91/h'
    """
    return f"${math.ceil(100 * HOUR_S * usd_per_s * (1 - ROUNDING)) / 100:.2f}/h"


def chips_for_money(deployment: Deployment, asked: Asked, search: Callable[[int | None], Planning]) -> int | None:
    """Budget in chips.

    Raises:
        click.UsageError: the money rents none; the message says for how much there are enough.
    """
    price = price_of(deployment.machine, asked.usd_per_chip_s)
    if asked.budget_usd_per_s is None or not price or asked.budget_usd_per_s * (1 + ROUNDING) >= price:
        return asked.chips_on(deployment.machine)
    with_one = search(1)
    enough = 1 if with_one.plans else least_chips(with_one, search)
    least = "give more" if enough is None else _chips_said(deployment, asked, enough)
    spent, of_one = (format_quantity(usd, "usd_per_s") for usd in (asked.budget_usd_per_s, price))
    raise click.UsageError(f"--budget {spent} rents no chip of {deployment.machine.id} at {of_one}; {least}")
