"""Storage tier of a KV cache, and time for which it pays to keep it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ridgeline.errors import RidgelineError
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.tariff import unlisted
from ridgeline.verbs.deploying import deploy
from ridgeline.verbs.names import Name, layout_of

if TYPE_CHECKING:
    from ridgeline.caching.found import Caching

__all__ = ["cache"]


def cache(
    model: Model | Name,
    machine: Machine | Name,
    *,
    context_tokens: int,
    hold_s: float,
    reuse: float,
    output_tokens: int = 500,
    layout: Layout | str | None = None,
    chips: int | None = None,
    ttft_s: float | None = None,
    pools: int = 1,
    tiers: Sequence[str] = (),
    storage: Name | None = None,
    device_usd: Mapping[str, float] | None = None,
    devices_per_chip: int = 1,
    until: dt.date | None = None,
    life_s: float | None = None,
    electricity_usd_per_j: float = 0.0,
    margin_fraction: float = 0.6,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    usd_per_chip_s: float | None = None,
    weights: str | None = None,
    kv: str | None = None,
) -> Caching:
    """Say in which tier to keep a context's KV cache until its next use, or to recompute it: ``ridgeline cache``.

    Args:
        model: catalog id, path or record of the model that is served.
        machine: catalog id, path or record of the machine that serves it.
        context_tokens: tokens of the context whose cache is kept.
        hold_s: time for which it is kept, s.
        reuse: mean number of further uses within that time, after the one that wrote it.
        output_tokens: output tokens of a request.
        layout: layout of a replica; left out, the cheapest for such contexts.
        chips: budget of chips over which layouts are searched; left out, one scale-up domain.
        ttft_s: longest time to the first token of a context found in the cache, under load, s; None for no limit.
        pools: 1, or 2 for a prefill pool and a decode pool.
        tiers: storage devices to consider, by id or short name (ddr, cxl, rdma, tlc, qlc, disk, s3); left out, all that
            the machine can have and whose price is known.
        storage: file with further storage devices, in addition to the catalog's.
        device_usd: prices that replace the catalog's, by id or short name of a device, $ each.
        devices_per_chip: devices of each kind per chip.
        until: latest date of device prices; left out, the newest.
        life_s: depreciation time of a device, s; left out, four years.
        electricity_usd_per_j: price of the electricity that devices draw, $/J.
        margin_fraction: a provider's margin as a fraction of its prices.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, that of the command line.
        kernels: profile or folder of the user's own calibration, for the machine, and for an engine given by name.
        usd_per_chip_s: price of a chip, $/s; left out, the catalog's.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.

    >>> found = cache("deepseek-v3", "gb200-nvl72", context_tokens=100_000, hold_s=300, reuse=0.3)
    >>> found.choice, found.choice_by_drain
    ('DDR', 'flash')
    """
    # Imported here: other verbs load faster without these modules.
    from ridgeline.caching.cache import cache as compare  # noqa: PLC0415
    from ridgeline.caching.found import Asked  # noqa: PLC0415
    from ridgeline.caching.tiers import LIFE_S, Ownership  # noqa: PLC0415
    from ridgeline.catalog.storage import at_price, device_id, device_names, own_storage_devices, storage_devices  # noqa: PLC0415
    from ridgeline.planner.price import price_of  # noqa: PLC0415

    deployment = deploy(model, machine, fidelity=fidelity, engine=engine, kernels=kernels, weights=weights, kv=kv)
    price = price_of(deployment.machine, usd_per_chip_s)
    if price is None:
        raise RidgelineError(unlisted(deployment.machine.id, ", and tiers are compared by what they cost"))
    devices = {**storage_devices(), **({} if storage is None else own_storage_devices(Path(storage)))}
    for name, usd in (device_usd or {}).items():
        key = device_id(name, deployment.machine)
        if key not in devices:
            raise RidgelineError(f"no storage device {name!r} to give a price; there are {device_names(devices)}")
        devices[key] = at_price(devices[key], usd)
    return compare(
        Asked(
            deployment=deployment,
            context_tokens=context_tokens,
            output_tokens=output_tokens,
            hold_s=hold_s,
            reuse=reuse,
            layout=None if layout is None else layout_of(layout),
            chips=chips,
            usd_per_chip_s=price,
            devices=devices,
            tiers=tuple(tiers),
            owned=Ownership(
                life_s=LIFE_S if life_s is None else life_s,
                electricity_usd_per_j=electricity_usd_per_j,
                devices_per_chip=devices_per_chip,
                until=until,
            ),
            ttft_s=ttft_s,
            pools=pools,
            margin_fraction=margin_fraction,
        )
    )
