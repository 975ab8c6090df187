"""``--cache ddr=2TB,shared:tlc=90TB``: tiers below the prefix cache, by the catalog's devices or by their bandwidth."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import click

from ridgeline.catalog.storage import DDR, SHORT_NAMES, device_id, device_names, storage_device, storage_devices
from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import QuantityError, parse_quantity
from ridgeline.simulator.cache_tiers import tier_behind
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.machine import Machine

__all__ = ["CACHE_TIERS", "AskedTier", "tiers_of"]

FORM = re.compile(
    r"(?P<shared>shared:)?(?P<name>[^=@+]+)(=(?P<capacity>[^=@+]+))?(@(?P<rate>[^=@+]+))?(\+(?P<latency>[^=@+]+))?"
)

EXAMPLE = (
    "write ddr=2TB,tlc=30TB; for any other device its size, a replica's bandwidth and the latency:"
    " pool=50TB@100GB/s+50us; shared:pool=... for one store of all replicas"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTier:
    """A tier as it is asked for.

    Attributes:
        name: name of the tier.
        is_device: whether it names a device of the catalog, one of which is behind each chip.
        is_shared: whether all replicas share one store.
        capacity_bytes: capacity of a replica's store, or of all where it is shared; None for the device behind each
            chip.
        read_bytes_per_s: bandwidth of a replica; None for that of its devices.
        latency_s: time to the first byte, s; None for the device's.
    """

    name: str
    is_device: bool
    is_shared: bool
    capacity_bytes: float | None
    read_bytes_per_s: float | None
    latency_s: float | None


class CacheTiersType(click.ParamType[Any]):
    """Tiers, the fastest first."""

    name = "TIER[=CAPACITY][@RATE][+LATENCY],..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[AskedTier, ...]:  # noqa: ANN401
        """Tiers as asked for, read from the option's text."""
        if not isinstance(value, str):
            return tuple(value)
        return tuple(self._tier(part.strip(), param, ctx) for part in value.split(","))

    def _tier(self, text: str, param: click.Parameter | None, ctx: click.Context | None) -> AskedTier:
        form = FORM.fullmatch(text)
        if form is None:
            self.fail(f"{text!r} is no tier; {EXAMPLE}", param, ctx)
        name, sizes = form["name"], {}
        for part, dimension in (("capacity", "bytes"), ("rate", "bytes_per_s"), ("latency", "s")):
            try:
                sizes[part] = None if form[part] is None else parse_quantity(form[part], dimension)
            except QuantityError as error:
                self.fail(f"{text!r}: {error}; {EXAMPLE}", param, ctx)
        is_device = sizes["capacity"] is None or sizes["rate"] is None
        if is_device and name not in {DDR, *SHORT_NAMES, *storage_devices()}:
            self.fail(f"{name!r} is no device of the catalog ({device_names()}); {EXAMPLE}", param, ctx)
        return AskedTier(
            name=name,
            is_device=is_device,
            is_shared=form["shared"] is not None,
            capacity_bytes=sizes["capacity"],
            read_bytes_per_s=sizes["rate"],
            latency_s=sizes["latency"],
        )


CACHE_TIERS = CacheTiersType()


def tiers_of(asked: tuple[AskedTier, ...], machine: Machine, *, chips: int, replicas: int) -> tuple[CacheTier, ...]:
    """Tiers of replicas with ``chips`` chips each.

    Raises:
        click.BadParameter: a device that is rented needs a size.
    """
    try:
        return tuple(
            tier_behind(
                one.name,
                storage_device(device_id(one.name, machine)) if one.is_device else None,
                machine=machine,
                chips=chips,
                capacity_bytes=one.capacity_bytes,
                read_bytes_per_s=one.read_bytes_per_s,
                latency_s=one.latency_s,
                sharing=replicas if one.is_shared else 0,
            )
            for one in asked
        )
    except RidgelineError as error:
        raise click.BadParameter(f"{error}; {EXAMPLE}", param_hint="--cache") from None
