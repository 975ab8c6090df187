"""Tiers that a machine's caches can be kept in, and the cost of a byte in each."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.catalog.storage import StorageDevice, link_rate, price_at
from ridgeline.equations import caching
from ridgeline.errors import RidgelineError
from ridgeline.seconds import YEAR_S
from ridgeline.specs.machine import Machine

__all__ = ["HBM", "LIFE_S", "RECOMPUTE", "Ownership", "Tier", "bought_tier", "hbm_tier", "offered", "tier_of"]

HBM, RECOMPUTE = "HBM", "recompute"
"""Names of the chip's own memory, and of holding nothing."""

LIFE_S = 4 * YEAR_S
"""Depreciation time of a device, s; four years are a guess, and break-evens between two devices do not depend on it."""

OLD_DAYS = 365
"""Age in days over the newest price from which a price is left out; prices have moved 3.5 times in less."""

ON_CHIP = ("package", "memory channels")
"""Links of devices that are no tier of their own: the chip's memory, and a whole socket's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """How devices are paid for.

    Attributes:
        life_s: time over which a device's price is spread, s.
        electricity_usd_per_j: price of the electricity that devices draw, $/J; 0 where the price of the chips includes
            it.
        devices_per_chip: devices of each kind behind one chip.
        until: latest date of prices; None for the newest.
    """

    life_s: float = LIFE_S
    electricity_usd_per_j: float = 0.0
    devices_per_chip: int = 1
    until: dt.date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """A place for caches, as one chip sees it.

    Attributes:
        name: HBM, DDR, flash, ...
        medium: medium by the catalog's names of tiers: HBM, DDR, flash, ...; empty where nothing is kept.
        device: id of its device; None for the chip's own memory.
        link: link over which it is read; None for the chip's own memory.
        bytes_per_s: read bandwidth of one chip, the lower of device and link; infinite where nothing is read back.
        write_bytes_per_s: write bandwidth of one chip; infinite where nothing is written, or it is unknown.
        latency_s: time to the first byte, s.
        read_usd_per_byte: device time of reading a byte back.
        write_usd_per_byte: device time of writing one.
        wear_usd_per_byte: wear by writing a byte, $.
        hold_usd_per_byte_s: cost of holding a byte for a second, $.
        capacity_bytes: bytes of it per chip; None for the chip's own memory, and where it is rented.
        drain_s: time to read all that it holds; None where it is rented by the byte.
        priced: date of its price; None for the chip's own memory.
    """

    name: str
    medium: str = ""
    device: str | None = None
    link: str | None = None
    bytes_per_s: float = math.inf
    write_bytes_per_s: float = math.inf
    latency_s: float = 0.0
    read_usd_per_byte: float = 0.0
    write_usd_per_byte: float = 0.0
    wear_usd_per_byte: float = 0.0
    hold_usd_per_byte_s: float
    drain_s: float | None
    capacity_bytes: float | None = None
    priced: dt.date | None = None


def hbm_tier(machine: Machine, usd_per_chip_s: float) -> Tier:
    """The chip's own memory: a byte takes its part of the chip's price, and is read at once."""
    chip = machine.chip
    return Tier(
        name=HBM,
        medium=HBM,
        hold_usd_per_byte_s=float(
            caching.hold_usd_per_token_s(
                kv_bytes_per_token=1.0, capacity_bytes=chip.hbm_bytes, usd_per_s=usd_per_chip_s
            )
        ),
        drain_s=float(caching.drain_time_s(capacity_bytes=chip.hbm_bytes, bytes_per_s=chip.hbm_bytes_per_s)),
    )


def bought_tier(
    device: StorageDevice,
    name: str,
    *,
    id_: str | None = None,
    owned: Ownership = Ownership(),
    link_rate: float = math.inf,
) -> Tier:
    """Devices that are bought, behind one chip.

    Args:
        device: storage device of the tier.
        name: name of the tier.
        id_: id of the device.
        owned: how it is paid for.
        link_rate: bandwidth of the link between, in either direction, bytes/s.

    Raises:
        RidgelineError: the device has no price up to that date.
    """
    price = price_at(device, owned.until)
    if price is None:
        raise RidgelineError(f"storage device {device.name!r} has no price; break-evens need one: give a file with it")
    count = owned.devices_per_chip
    power_w = 0.0 if device.power_w is None else device.power_w.value
    usd_per_s = count * (price.value / owned.life_s + power_w * owned.electricity_usd_per_j)
    capacity_bytes, bytes_per_s = count * device.capacity(), min(count * device.bytes_per_s.value, link_rate)
    writes = math.inf if device.write_bytes_per_s is None else min(count * device.write_bytes_per_s.value, link_rate)
    wear = (
        0.0
        if device.endurance_bytes is None
        else float(
            caching.wear_usd_per_token(
                kv_bytes_per_token=1.0, usd=price.value, endurance_bytes=device.endurance_bytes.value
            )
        )
    )
    a_byte = {"kv_bytes_per_token": 1.0, "usd_per_s": usd_per_s}
    return Tier(
        name=name,
        medium=device.tier,
        device=id_,
        link=device.link,
        bytes_per_s=bytes_per_s,
        write_bytes_per_s=writes,
        latency_s=0.0 if device.latency_s is None else device.latency_s.value,
        read_usd_per_byte=float(caching.retrieve_usd_per_token(bytes_per_s=bytes_per_s, **a_byte)),
        write_usd_per_byte=float(caching.retrieve_usd_per_token(bytes_per_s=writes, **a_byte)),
        wear_usd_per_byte=wear,
        hold_usd_per_byte_s=float(caching.hold_usd_per_token_s(capacity_bytes=capacity_bytes, **a_byte)),
        drain_s=float(caching.drain_time_s(capacity_bytes=capacity_bytes, bytes_per_s=bytes_per_s)),
        capacity_bytes=capacity_bytes,
        priced=price.date,
    )


def _rented_tier(device: StorageDevice, name: str, id_: str) -> Tier:
    """A tier that is paid for by the byte."""
    hold = device.hold_usd_per_byte_s
    if hold is None:
        raise RidgelineError(f"storage device {device.name!r} is bought, not rented; it has a price")
    return Tier(
        name=name,
        medium=device.tier,
        device=id_,
        link=device.link,
        bytes_per_s=device.bytes_per_s.value,
        write_bytes_per_s=math.inf if device.write_bytes_per_s is None else device.write_bytes_per_s.value,
        latency_s=0.0 if device.latency_s is None else device.latency_s.value,
        read_usd_per_byte=0.0 if device.read_usd_per_byte is None else device.read_usd_per_byte.value,
        write_usd_per_byte=0.0 if device.write_usd_per_byte is None else device.write_usd_per_byte.value,
        hold_usd_per_byte_s=hold.value,
        drain_s=None,
        priced=hold.date,
    )


def tier_of(device: StorageDevice, name: str, id_: str, machine: Machine, owned: Ownership) -> Tier:
    """A device as a tier of a machine, over the machine's link.

    Args:
        device: storage device of the tier.
        name: name of the tier.
        id_: id of the device.
        machine: machine whose link it is attached to; over RDMA that is the outermost level of its fabric.
        owned: how it is paid for.
    """
    if device.hold_usd_per_byte_s is not None:
        return _rented_tier(device, name, id_)
    return bought_tier(device, name, id_=id_, owned=owned, link_rate=link_rate(device, machine))


def offered(
    devices: Mapping[str, StorageDevice], machine: Machine, until: dt.date | None = None
) -> tuple[dict[str, StorageDevice], tuple[str, ...]]:
    """Devices that a machine can have with prices of about one time, and reasons why others are left out.

    Where a device is made for the machine, the others of its tier are left out.

    Args:
        devices: devices by id.
        machine: machine that they would be attached to.
        until: latest date of prices; None for the newest.
    """
    fitting = {
        key: one
        for key, one in devices.items()
        if one.link not in ON_CHIP and (not one.machines or machine.id in one.machines)
    }
    own = {one.tier for one in fitting.values() if one.machines}
    fitting = {key: one for key, one in fitting.items() if one.machines or one.tier not in own}
    prices = {key: price_at(one, until) for key, one in fitting.items()}
    newest = max((price.date for price in prices.values() if price is not None), default=dt.date.min)
    taken: dict[str, StorageDevice] = {}
    unknown, old = [], []
    for key, device in fitting.items():
        rent = device.hold_usd_per_byte_s
        dated = prices[key] if rent is None else rent
        if dated is None or (until is not None and dated.date > until):
            unknown.append(key)
        elif rent is None and (newest - dated.date).days > OLD_DAYS:
            old.append(f"{key} ({dated.date})")
        else:
            taken[key] = device
    notes = []
    if unknown:
        day = "" if until is None else f" up to {until}"
        notes.append(
            f"left out, since no price{day} is known: {', '.join(unknown)}; give one: --device-price"
            f" {unknown[0]}='$3000'"
        )
    if old:
        notes.append(f"left out, since the newest price is older than others' of {newest} by a year: {', '.join(old)}")
    return taken, tuple(notes)
