"""Where to keep a KV cache, and for how long."""

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
        model: catalog id, path or record of what is served.
        machine: catalog id, path or record of where.
        context_tokens: tokens of the context whose cache is kept.
        hold_s: time for which it is kept, s.
        reuse: mean uses of it within that time, after the one that wrote it.
        output_tokens: tokens of an answer.
        layout: layout of a replica; left out, the cheapest way to serve such contexts.
        chips: budget over which layouts are searched; left out, one scale-up domain.
        ttft_s: longest time to the first token of a context that is found, under load; None for no limit.
        pools: 1, or 2 for a pool of prompts and one of tokens.
        tiers: storage devices to look at, by id or short name (ddr, cxl, rdma, tlc, qlc, disk, s3); left out, all that
            the machine can have and whose price is known.
        storage: file of one's own storage devices, beside the catalog's.
        device_usd: prices of one's own of devices, by id or short name, dollars each.
        devices_per_chip: devices of each kind behind one chip.
        until: date up to which device prices are known; left out, the newest.
        life_s: time over which a device's price is spread; left out, four years.
        electricity_usd_per_j: price of the power that devices draw.
        margin_fraction: a provider's margin as a fraction of its prices.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, that of the command line.
        kernels: profile or folder of one's own calibration, for the machine and for an engine that is no record.
        usd_per_chip_s: price of a chip; left out, the catalog's.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.

    >>> found = cache("deepseek-v3", "gb200-nvl72", context_tokens=100_000, hold_s=300, reuse=0.3)
    >>> found.choice, found.choice_by_drain
    ('DDR', 'flash')
    """
    # Which nobody waits for who only plans.
    from ridgeline.caching.cache import cache as compare  # noqa: PLC0415
    from ridgeline.caching.found import Asked  # noqa: PLC0415
    from ridgeline.caching.tiers import LIFE_S, Ownership  # noqa: PLC0415
    from ridgeline.catalog.storage import at_price, device_id, device_names, own_storage_devices, storage_devices  # noqa: PLC0415
    from ridgeline.planner.price import price_of  # noqa: PLC0415

    deployment = deploy(model, machine, fidelity=fidelity, engine=engine, kernels=kernels, weights=weights, kv=kv)
    price = price_of(deployment.machine, usd_per_chip_s)
    if price is None:
        raise RidgelineError(
            f"no price of {deployment.machine.id} is listed, and tiers are compared by what they cost; give one:"
            " --price '$2/h', usd_per_chip_s=2/3600"
        )
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
