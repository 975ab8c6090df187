"""Goal, served tokens, unit and laws of a budget from the arguments of the verb, and what tokens bring in."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ridgeline.errors import RidgelineError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

if TYPE_CHECKING:
    from ridgeline.catalog.scaling_laws import FittedLaw
    from ridgeline.lifecycle.answer import Budget
    from ridgeline.lifecycle.demand import ServedTokens
    from ridgeline.lifecycle.goal import Goal

__all__ = ["active", "goal_of", "laws_of", "served_of", "unit_of", "with_flows"]

LECTURE_PARAMS, LECTURE_TOKENS, LECTURE_SERVED = 100e9, 200e12, 200e12
"""The lecture's example, at 1:31 to 1:33."""

UNITS = ("flop", "usd", "chip_s")


def unit_of(unit: str | None, machine: Machine | None, usd_per_chip_s: float | None) -> str:
    """Unit of costs."""
    if unit is not None and unit not in UNITS:
        raise RidgelineError(f"budget: costs come in {', '.join(UNITS)}, and not in {unit!r}")
    if machine is None:
        if unit not in {None, UNITS[0]}:
            raise RidgelineError(f"budget: costs in {unit} take a machine; give one: machine='h100-sxm'")
        return UNITS[0]
    priced = usd_per_chip_s is not None or machine.tariff is not None
    return unit or (UNITS[1] if priced else UNITS[2])


def active(model: Model) -> float:
    """Active parameters of a model."""
    from ridgeline.estimator.parameters import active_params  # noqa: PLC0415

    return float(active_params(model))


def goal_of(
    model: Model | None, params: float | None, tokens: float | None, loss: float | None, cost: float | None
) -> Goal:
    """The goal that was given; an error where there is none, or several."""
    from ridgeline.lifecycle.goal import AsGoodAs, AtCost, AtLoss  # noqa: PLC0415
    from ridgeline.lifecycle.named import reference_of  # noqa: PLC0415

    wanted = {
        "model": model,
        "params and tokens": params if params is not None else tokens,
        "loss": loss,
        "cost": cost,
    }
    given = [name for name, value in wanted.items() if value is not None]
    if len(given) > 1 and given != ["model", "params and tokens"]:
        raise RidgelineError(f"budget: {' and '.join(given)} are given, of which one says what is wanted; keep one")
    if loss is not None:
        return AtLoss(loss=loss)
    if cost is not None:
        return AtCost(cost=cost)
    if model is not None and (params is None or tokens is None):
        known = reference_of(model) if tokens is None else AsGoodAs(params=active(model), tokens=tokens)
        return known if params is None else dataclasses.replace(known, params=params)
    return AsGoodAs(
        params=LECTURE_PARAMS if params is None else params, tokens=LECTURE_TOKENS if tokens is None else tokens
    )


def served_of(
    output_tokens: float | None,
    input_tokens: float,
    *,
    tokens_per_s: float | None,
    lifetime_s: float | None,
    traffic_fraction: float,
    input_fraction: float,
    cheaper_per_year: float,
    deployed_fraction: float,
    is_sold: bool,
) -> ServedTokens:
    """Tokens that are served, as given or computed from traffic."""
    from ridgeline.lifecycle.demand import ServedTokens  # noqa: PLC0415
    from ridgeline.lifecycle.flows import Traffic, served_by  # noqa: PLC0415

    if tokens_per_s is None:
        if lifetime_s is not None and not is_sold:
            raise RidgelineError("budget: a life alone changes nothing; give the traffic, too: --rate 50Mtok/s")
        if cheaper_per_year != 1 or traffic_fraction != 1 or input_fraction:
            raise RidgelineError(
                "budget: a part of the traffic, a part that is read, and cheaper FLOP take a rate and a life; give"
                " them: --rate 50Mtok/s --life 60d"
            )
        written = LECTURE_SERVED if output_tokens is None else output_tokens
        return ServedTokens(input_tokens=input_tokens, output_tokens=written, deployed_fraction=deployed_fraction)
    if output_tokens is not None or input_tokens:
        raise RidgelineError("budget: served tokens and a rate are both given; keep one")
    if lifetime_s is None:
        raise RidgelineError("budget: a rate of tokens takes a life, too; give it: --life 60d")
    traffic = Traffic(
        tokens_per_s=tokens_per_s,
        lifetime_s=lifetime_s,
        traffic_fraction=traffic_fraction,
        input_fraction=input_fraction,
        cheaper_per_year=cheaper_per_year,
    )
    return served_by(traffic, deployed_fraction=deployed_fraction)


def laws_of(names: Sequence[str]) -> list[FittedLaw]:
    """Laws by their ids; all but variants where none is named."""
    from ridgeline.catalog.scaling_laws import law_ids, load_law  # noqa: PLC0415

    found: list[FittedLaw] = [load_law(name) for name in names or law_ids()]
    return found if names else [law for law in found if not law.is_variant]


def with_flows(
    found: Budget,
    *,
    distil: tuple[float, float] | None,
    usd_per_token: float | None,
    falls: float,
    life: float | None,
) -> Budget:
    """The budget with the savings of a smaller model and the revenue from tokens."""
    from ridgeline.lifecycle.costs import USD  # noqa: PLC0415
    from ridgeline.lifecycle.flows import distilled, revenue_of  # noqa: PLC0415

    best, asked = found.first, found.asked
    if distil is not None and best is not None:
        small = distilled(best, asked.costs, asked.served, params=distil[0], tokens=distil[1])
        found = dataclasses.replace(found, distilled=small)
    if usd_per_token is None:
        return found
    if asked.costs.unit != USD or life is None:
        raise RidgelineError(
            "budget: what tokens bring in takes costs in dollars, and a life; give --on MACHINE, --rate and --life"
        )
    if best is None:
        return found
    brought = revenue_of(best, asked.served, usd_per_token=usd_per_token, falls_per_year=falls, lifetime_s=life)
    return dataclasses.replace(found, revenue=brought)
