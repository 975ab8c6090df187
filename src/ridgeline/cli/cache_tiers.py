"""``--cache ddr=2TB,tlc=30TB``: tiers below a replica's prefix cache, by the catalog's devices or by what they read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import click

from ridgeline.catalog import CatalogError
from ridgeline.catalog.storage import StorageDevice, storage_device, storage_devices
from ridgeline.quantity_text import QuantityError, parse_quantity
from ridgeline.simulator.cache_tiers import tier_behind
from ridgeline.specs.cache_tier import CacheTier

__all__ = ["CACHE_TIERS", "AskedTier", "tiers_of"]

SHORT = {"ddr": "ddr5-over-pcie", "tlc": "flash-tlc-31tb", "qlc": "flash-qlc-123tb", "disk": "disk-30tb"}
"""Devices of the catalog that need not be named in full."""

FORM = re.compile(r"(?P<name>[^=@+]+)(=(?P<capacity>[^=@+]+))?(@(?P<rate>[^=@+]+))?(\+(?P<latency>[^=@+]+))?")

EXAMPLE = (
    "write ddr=2TB,tlc=30TB; or of any other device what a replica reads of it, and how late: pool=50TB@100GB/s+50us"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTier:
    """A tier as it is asked for.

    Attributes:
        name: of it.
        device: behind each chip, of the catalog; None where all is given.
        capacity_bytes: of a replica's; None for the device's behind each chip.
        read_bytes_per_s: of a replica; None for what the devices read.
        latency_s: until the first byte is there, s; None for the device's.
    """

    name: str
    device: StorageDevice | None
    capacity_bytes: float | None
    read_bytes_per_s: float | None
    latency_s: float | None


class CacheTiersType(click.ParamType[Any]):
    """Tiers, the fastest first."""

    name = "TIER[=CAPACITY][@RATE][+LATENCY],..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[AskedTier, ...]:  # noqa: ANN401
        """What is asked of each."""
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
        device = None
        if sizes["capacity"] is None or sizes["rate"] is None:
            try:
                device = storage_device(SHORT.get(name, name))
            except CatalogError:
                known = ", ".join([*SHORT, *storage_devices()])
                self.fail(f"{name!r} is no device of the catalog ({known}); {EXAMPLE}", param, ctx)
        return AskedTier(
            name=name,
            device=device,
            capacity_bytes=sizes["capacity"],
            read_bytes_per_s=sizes["rate"],
            latency_s=sizes["latency"],
        )


CACHE_TIERS = CacheTiersType()


def tiers_of(asked: tuple[AskedTier, ...], chips: int) -> tuple[CacheTier, ...]:
    """The tiers of a replica of so many chips."""
    return tuple(
        tier_behind(
            one.name,
            one.device,
            chips=chips,
            capacity_bytes=one.capacity_bytes,
            read_bytes_per_s=one.read_bytes_per_s,
            latency_s=one.latency_s,
        )
        for one in asked
    )
