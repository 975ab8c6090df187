"""Cost of serving beside list prices, and what list prices imply about the model served."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ridgeline.callbacks import Progress, no_progress
from ridgeline.errors import RidgelineError
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.tariff import unlisted
from ridgeline.specs.workload import Workload
from ridgeline.verbs.deploying import deploy
from ridgeline.verbs.names import Name, layout_of

if TYPE_CHECKING:
    from ridgeline.inversion.infer import Inference
    from ridgeline.inversion.price import Pricing
    from ridgeline.inversion.readings import Readings
    from ridgeline.inversion.trend import Trend

__all__ = ["TPOT_S", "infer", "lecture_readings", "price", "price_trend"]

TPOT_S = 0.05
"""Longest time per output token where none is given, s: 20 tokens per second.

As fast as a commercial service: DeepSeek's made 20 to 22 per second for each user on its published day.
"""

OWNED = "owned, over its life"
"""Source of the price of a chip that is not rented."""


def price(
    model: Model | Name,
    machine: Machine | Name,
    *,
    prompt_tokens: int = 4000,
    output_tokens: int = 1000,
    hit_fraction: float = 0.0,
    tpot_s: float | None = TPOT_S,
    ttft_s: float | None = None,
    requests_per_s: float | None = None,
    utilisation_fraction: float | None = None,
    against: str | Sequence[str] = (),
    time: dt.datetime | None = None,
    pools: int | None = None,
    layout: Layout | str | Sequence[Layout | str] = (),
    chips: int | None = None,
    usd_per_chip_s: float | None = None,
    is_owned: bool = False,
    electricity_usd_per_j: float | None = None,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    weights: str | None = None,
    kv: str | None = None,
    told: Progress = no_progress,
) -> Pricing:
    """Compute the cost of serving each line of a price list, as ``ridgeline price`` does.

    Args:
        model: catalog id, path or record of the model that is served.
        machine: catalog id, path or record of the machine.
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        hit_fraction: part of a prompt found in the prefix cache.
        tpot_s: longest time per output token, s; None for no limit, which only batch prices offer.
        ttft_s: longest time to the first token, s; None for no limit.
        requests_per_s: the day's mean load; chips suffice for its peak. None to leave idle chips out.
        utilisation_fraction: mean over peak load of a day; left out, that of DeepSeek's published day.
        against: listings to compare with the costs: "deepseek/deepseek-v4-pro".
        time: hour of their prices; left out, noon of the day on which they were read.
        pools: 1, or 2 for separate prefill and decode; left out, as many as there are layouts, or the cheaper.
        layout: layout of a replica, or of both pools with prefill first; left out, the cheapest.
        chips: budget of chips; left out, one scale-up domain, or as many as the load needs.
        usd_per_chip_s: price of a chip, $/s; left out, the catalog's.
        is_owned: whether chips are owned, so that hosts, network, room and electricity are lines of their own.
        electricity_usd_per_j: price of electricity on top of chips, $/J; left out, the price of chips includes it.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, the command line's default.
        kernels: profile or folder of the user's own calibration, for the machine, and for an engine given by name.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.
        told: progress callback, called with the number of searches that were completed.

    Raises:
        UnservedError: nothing serves it within the limits; the message says what comes nearest.
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.

    >>> found = price("llama-3.1-8b", "h100-sxm", chips=1, utilisation_fraction=0.5)
    >>> found.usd_per_token["output"] > found.usd_per_token["input"] > found.usd_per_token["cached_input"]
    True
    """
    # Imported here: other verbs load faster without these modules.
    from ridgeline.catalog.ownership import owned  # noqa: PLC0415
    from ridgeline.catalog.quotes import quote  # noqa: PLC0415
    from ridgeline.inversion.operating import PricedDeployment  # noqa: PLC0415
    from ridgeline.inversion.price import price as priced  # noqa: PLC0415
    from ridgeline.planner.price import price_label, price_of, rents_of  # noqa: PLC0415

    deployment = deploy(model, machine, fidelity=fidelity, engine=engine, kernels=kernels, weights=weights, kv=kv)
    own = None
    if is_owned:
        if usd_per_chip_s is not None or electricity_usd_per_j is None:
            mend = ["leave --price out"] if usd_per_chip_s is not None else []
            mend += ["add --electricity 0.08/kWh"] if electricity_usd_per_j is None else []
            raise RidgelineError(
                f"price: chips that are owned have no price of an hour, and pay for electricity; {', and '.join(mend)}"
            )
        own = owned(deployment.machine.id)
    usd = price_of(deployment.machine, usd_per_chip_s) if own is None else own.usd_per_chip_s
    if usd is None:
        raise RidgelineError(unlisted(deployment.machine.id))
    named = (layout,) if isinstance(layout, (Layout, str)) else tuple(layout)
    if pools is None and named:
        pools = len(named)
    if named and (len(named) != pools or pools not in (1, 2)):
        raise RidgelineError(
            f"price: {len(named)} layouts for {pools} pools; write --layout tp8, or --pools 2 --layout tp8/tp8"
        )
    return priced(
        PricedDeployment(
            deployment=deployment,
            workload=Workload(
                prompt_tokens=prompt_tokens,
                output_tokens=output_tokens,
                tpot_s=tpot_s,
                ttft_s=ttft_s,
                hit_fraction=hit_fraction,
            ),
            pools=pools,
            layouts=tuple(layout_of(one) for one in named),
            chips=chips,
            weights=weights,
            usd_per_chip_s=usd,
            electricity_usd_per_j=electricity_usd_per_j,
            owned=own,
            rents=(1.0, 1.0) if own is not None else rents_of(deployment.machine, usd_per_chip_s),
        ),
        price_label=price_label(deployment.machine, usd_per_chip_s) if own is None else OWNED,
        utilisation_fraction=utilisation_fraction,
        requests_per_s=requests_per_s,
        quotes=tuple(quote(one, time) for one in ((against,) if isinstance(against, str) else against)),
        told=told,
    )


def infer(
    listing: str,
    *,
    time: dt.datetime | None = None,
    assumed: Mapping[str, float | str] | None = None,
    seed: int = 0,
    is_preview: bool = False,
    told: Progress = no_progress,
) -> Inference:
    """Infer properties of a model and its machines from a price list, as ``ridgeline infer`` does.

    Args:
        listing: provider and model: "anthropic/claude-opus-5-5".
        time: hour of the prices; left out, noon of the day on which they were read.
        assumed: unknowns that are fixed, by name and in base units: ``{"active_params": 100e9}``; ``kind`` and ``tier``
            take a word, ``{"kind": "dense"}``.
        seed: seed of the draws; equal seeds give equal results.
        is_preview: whether to take quasi-random guesses alone, in a third of the time; left out, a walk follows where
            few of them have most of the weight.
        told: progress callback, called with the number of sampler steps that were completed.

    Raises:
        RidgelineError: a name is unknown, a value is not possible, a sampler is not installed, or no machine's price is
            known by then.

    >>> found = infer("deepseek/deepseek-v4-pro", is_preview=True)
    >>> active = found.unknown("active_params")
    >>> active.informed, active.posterior.p05 < 49e9 < active.posterior.p95
    (True, True)
    """
    from ridgeline.catalog.quotes import family, quote  # noqa: PLC0415
    from ridgeline.inversion.assumed import assumed_of  # noqa: PLC0415
    from ridgeline.inversion.evidence import evidence_of  # noqa: PLC0415
    from ridgeline.inversion.infer import infer as inferred  # noqa: PLC0415

    known, asked = assumed_of(assumed or {}), quote(listing, time)
    evidence = evidence_of(asked, family(listing, time))
    found = inferred(evidence, assumed=known, seed=seed, is_preview=is_preview, told=told)
    return dataclasses.replace(found, notes=(*asked.notes, *found.notes))


def lecture_readings(
    listing: str,
    joint: Inference,
    *,
    time: dt.datetime | None = None,
    seed: int = 0,
    is_preview: bool = False,
    told: Progress = no_progress,
) -> Readings:
    """Readings of a list as in the lecture, one number from one price, beside the joint posterior.

    Args:
        listing: provider and model.
        joint: result of ``infer`` for the listing.
        time: hour of the prices.
        seed: seed of the draws.
        is_preview: whether quasi-random guesses suffice.
        told: progress callback, called with the number of inferences that were completed.

    Raises:
        RidgelineError: a name is unknown, or a sampler is not installed.
    """
    from ridgeline.catalog.quotes import family, quote  # noqa: PLC0415
    from ridgeline.inversion.evidence import evidence_of  # noqa: PLC0415
    from ridgeline.inversion.readings import readings  # noqa: PLC0415

    found = quote(listing, time)
    evidence = evidence_of(found, family(listing, time))
    return readings(found, evidence, joint, seed=seed, is_preview=is_preview, told=told)


def price_trend(
    listing: str,
    *,
    until: dt.date | None = None,
    seed: int = 0,
    told: Progress = no_progress,
) -> Trend:
    """Infer what the prices of successive models implied, from each day on which they were new.

    Args:
        listing: a model of the series.
        until: last day; left out, the day on which prices were read.
        seed: seed of the draws.
        told: progress callback, called with the number of days that were completed.

    Raises:
        RidgelineError: a name is unknown, or a sampler is not installed.
    """
    from ridgeline.catalog.quotes import as_of, family, history, hour_of, quote, without_a_day  # noqa: PLC0415
    from ridgeline.inversion.evidence import evidence_of  # noqa: PLC0415
    from ridgeline.inversion.trend import trend  # noqa: PLC0415

    points = []
    for name, day in history(listing, until):
        time = hour_of(day)
        points.append((name, evidence_of(quote(name, time), family(name, time))))
    last, undated = as_of() if until is None else until, without_a_day(listing)
    return trend(points, until=last, left_out=undated, seed=seed, told=told)
