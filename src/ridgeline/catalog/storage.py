"""Storage devices for KV caches outside a chip's own memory: capacity, bandwidth, endurance and price."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, Fact, FactFile, reads
from ridgeline.specs.machine import Machine

__all__ = [
    "SHORT_NAMES",
    "StorageDevice",
    "at_price",
    "device_id",
    "device_names",
    "host_bytes_per_s",
    "link_bytes_per_s",
    "link_rate",
    "own_storage_devices",
    "price_at",
    "storage_device",
    "storage_devices",
]

SHORT_NAMES = {
    "tlc": "flash-tlc-31tb",
    "qlc": "flash-qlc-123tb",
    "disk": "disk-30tb",
    "rdma": "ddr5-over-rdma",
    "cxl": "cxl-256gb",
    "s3": "s3-express",
}
"""Short names of devices of the catalog."""

DDR, ANY_DDR = "ddr", "ddr5-over-pcie"
"""Short name of a machine's own host memory, and the device that most machines have."""

Bytes = Annotated[Fact, reads("bytes")]
Rate = Annotated[Fact, reads("bytes_per_s")]


class StorageDevice(FactFile):
    """A device that holds caches: bought whole, or rented by the byte.

    Attributes:
        name: name that its makers give it, or its class.
        tier: HBM, DDR, CXL, pooled DDR, flash, disk or object store.
        kind: variety within the tier, such as TLC or QLC; empty where there is one.
        link: link of the machine that it is attached to.
        machines: ids of the machines that have it; empty where any may.
        capacity_bytes: capacity, bytes; None for rented storage.
        bytes_per_s: read bandwidth, bytes/s.
        write_bytes_per_s: write bandwidth, bytes/s; None where unknown.
        latency_s: time to the first byte of a read, s; None where unknown.
        endurance_bytes: bytes that may be written before it wears out; None where it does not wear.
        power_w: power at work, W; None where unknown.
        usd: purchase prices by date, $; empty where unknown, or where it is rented.
        hold_usd_per_byte_s: rent of a byte for a second, $; None where it is bought.
        read_usd_per_byte: price of a byte read, where it is rented, $.
        write_usd_per_byte: price of a byte written, where it is rented, $.
    """

    name: str
    tier: str
    kind: str = ""
    link: Literal["package", "memory channels", "C2C", "PCIe", "RDMA", "network"]
    machines: tuple[str, ...] = ()
    capacity_bytes: Bytes | None = None
    bytes_per_s: Rate
    write_bytes_per_s: Rate | None = None
    latency_s: Annotated[Fact, reads("s")] | None = None
    endurance_bytes: Bytes | None = None
    power_w: Annotated[Fact, reads("w")] | None = None
    usd: tuple[Annotated[Fact, reads("usd")], ...] = ()
    hold_usd_per_byte_s: Annotated[Fact, reads("usd_per_byte_s")] | None = None
    read_usd_per_byte: Annotated[Fact, reads("usd_per_byte")] | None = None
    write_usd_per_byte: Annotated[Fact, reads("usd_per_byte")] | None = None

    def __post_init__(self) -> None:
        """Refuse a device that is neither bought nor rented, or both, and prices out of order."""
        if (self.capacity_bytes is None) == (self.hold_usd_per_byte_s is None):
            raise ValueError(
                f"{self.name!r} must have either capacity_bytes, where it is bought, or hold_usd_per_byte_s, where it"
                " is rented"
            )
        dates = [price.date for price in self.usd]
        if dates != sorted(dates):
            raise ValueError(f"{self.name!r}: usd is not in the order of its dates; write the oldest first")

    def capacity(self) -> float:
        """Capacity of a device that is bought, bytes.

        Raises:
            CatalogError: the device is rented.
        """
        if self.capacity_bytes is None:
            raise CatalogError(f"{self.name} is rented by the byte, and has no capacity; name a device that is bought")
        return self.capacity_bytes.value


def price_at(device: StorageDevice, until: dt.date | None = None) -> Fact | None:
    """Purchase price at a date: the newest up to then; None where none is known.

    >>> price_at(storage_device("flash-tlc-31tb"), dt.date(2025, 12, 31)).written
    '$3000'
    """
    known = [price for price in device.usd if until is None or price.date <= until]
    return known[-1] if known else None


def at_price(device: StorageDevice, usd: float) -> StorageDevice:
    """A device at a price of the user's own, dated today.

    Raises:
        CatalogError: the device is rented, or the price is not above 0.
    """
    if device.capacity_bytes is None:
        raise CatalogError(f"{device.name} is rented by the byte; a purchase price is of a device that is bought")
    if not 0 < usd < math.inf:
        raise CatalogError(f"a price of ${usd:g} for {device.name} must be above 0")
    price = Fact(value=usd, written=f"${usd:g}", source="yours", date=dt.datetime.now(dt.UTC).date())
    return replace(device, usd=(price,))


class HostLink(FactFile):
    """Bandwidth of a chip's link to its host; ``machines`` that have it, empty for all others."""

    link: str
    machines: tuple[str, ...] = ()
    bytes_per_s: Rate


class Storage(FactFile):
    """The contents of ``storage.toml``."""

    links: dict[str, HostLink] = field(default_factory=dict)
    devices: dict[str, StorageDevice]


@lru_cache(maxsize=1)
def _storage() -> Storage:
    return read_toml(CATALOG / "storage.toml", Storage)


def storage_devices() -> Mapping[str, StorageDevice]:
    """All devices, by id."""
    return _storage().devices


def link_bytes_per_s(link: str, machine: str) -> float:
    """Bandwidth of a chip's link to its host, bytes/s; infinite where only devices bound it.

    >>> link_bytes_per_s("PCIe", "a100-80-sxm") < link_bytes_per_s("PCIe", "h100-sxm")
    True
    """
    there = [one for one in _storage().links.values() if one.link == link]
    own = [one for one in there if machine in one.machines] or [one for one in there if not one.machines]
    return own[0].bytes_per_s.value if own else math.inf


def link_rate(device: StorageDevice, machine: Machine) -> float:
    """Bandwidth of a chip over a device's link, bytes/s; over RDMA, that of the outermost level of its fabric.

    The unit is bytes/s; infinite where only the device bounds it.
    """
    return machine.fabric[-1].bytes_per_s if device.link == "RDMA" else link_bytes_per_s(device.link, machine.id)


def host_bytes_per_s(machine: Machine) -> float:
    """Bandwidth between a chip and its host's memory, bytes/s: the minimum of the link and the memory modules.

    >>> from ridgeline.catalog import load_machine
    >>> [f"{host_bytes_per_s(load_machine(name)):.0f}" for name in ("a100-80-sxm", "h100-sxm", "gh200")]
    ['26000000000', '54000000000', '384000000000']
    """
    memory = storage_devices()[device_id(DDR, machine)]
    rates = (memory.bytes_per_s, memory.write_bytes_per_s)
    return min(link_rate(memory, machine), *(rate.value for rate in rates if rate is not None))


def own_storage_devices(path: Path) -> Mapping[str, StorageDevice]:
    """Devices of a user's own file, which has the catalog's form.

    Raises:
        CatalogError: there is no such file, or it is malformed.
    """
    if not path.is_file():
        raise CatalogError(
            f"there is no file {str(path)!r} of storage devices; ridgeline catalog storage shows the form"
        )
    return read_toml(path, Storage).devices


def device_id(name: str, machine: Machine | None = None) -> str:
    """Catalog id of a device given by its short name; for ddr the machine's own, where it has one.

    >>> device_id("qlc"), device_id("ddr"), device_id("disk-30tb")
    ('flash-qlc-123tb', 'ddr5-over-pcie', 'disk-30tb')
    """
    if name != DDR:
        return SHORT_NAMES.get(name, name)
    of_machine = "" if machine is None else machine.id
    found = (key for key, one in storage_devices().items() if one.tier == "DDR" and of_machine in one.machines)
    return next(found, ANY_DDR)


def device_names(devices: Mapping[str, StorageDevice] | None = None) -> str:
    """All names of devices, for messages: short ones first, then ids."""
    return ", ".join([DDR, *SHORT_NAMES, *(storage_devices() if devices is None else devices)])


def storage_device(name: str) -> StorageDevice:
    """One device, by its id or its short name.

    Raises:
        CatalogError: the name is unknown; the message lists the known ones.
    """
    key = device_id(name)
    if key not in storage_devices():
        raise CatalogError(f"no storage device {name!r} in the catalog; there are {device_names()}")
    return storage_devices()[key]
