"""Machines that may stand behind a price list, with what a chip and a byte cost on its date."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.caching.tiers import Ownership, offered, tier_of
from ridgeline.catalog import MachineEntry, machine_entry
from ridgeline.catalog.rentals import Rental
from ridgeline.catalog.storage import storage_devices
from ridgeline.errors import RidgelineError
from ridgeline.inversion.priors import TIERS, Machines
from ridgeline.specs.number_format import number_format

__all__ = ["TIERS", "Candidates", "candidates"]

MARKETS = ("contract", "on-demand", "spot", "list")
"""Kinds of prices of a chip, that of a long rental first, since providers rent for years."""


ARRAYS = (
    "flop_per_s",
    "hbm_bytes_per_s",
    "bytes_per_param",
    "usd_per_chip_s",
    "read_usd_per_byte",
    "hold_usd_per_byte_s",
    "hbm_usd_per_byte_s",
)
"""Fields with a row a machine, beside its chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Machines in number formats, as arrays; tiers are the second axis where there are two.

    Attributes:
        ids: ids of the machines.
        formats: number format of the weights, for each machine.
        chances: chance of each, before prices are looked at.
        flop_per_s: FLOP/s of a chip in its format.
        hbm_bytes_per_s: HBM bandwidth of a chip, bytes a second.
        bytes_per_param: bytes a parameter in its format.
        usd_per_chip_s: newest price of a chip up to the date, dollars a second.
        read_usd_per_byte: cost of reading a byte back from each tier, dollars.
        hold_usd_per_byte_s: cost of holding a byte in each tier, dollars a second.
        hbm_usd_per_byte_s: cost of holding a byte of HBM, dollars a second.
    """

    ids: tuple[str, ...]
    formats: tuple[str, ...]
    chances: NDArray[np.float64]
    flop_per_s: NDArray[np.float64]
    hbm_bytes_per_s: NDArray[np.float64]
    bytes_per_param: NDArray[np.float64]
    usd_per_chip_s: NDArray[np.float64]
    read_usd_per_byte: NDArray[np.float64]
    hold_usd_per_byte_s: NDArray[np.float64]
    hbm_usd_per_byte_s: NDArray[np.float64]

    def likeliest(self) -> Candidates:
        """The machine with the highest chance, alone."""
        place = int(np.argmax(self.chances))
        return Candidates(
            ids=(self.ids[place],),
            formats=(self.formats[place],),
            chances=np.ones(1),
            **{name: getattr(self, name)[place : place + 1] for name in ARRAYS},
        )


def candidates(of: Machines, date: dt.date, eight_bits: float) -> Candidates:
    """Machines whose price was known on a date, each in its 8-bit and its 16-bit format.

    Args:
        of: machines of the provider, with their chances.
        date: date of the prices.
        eight_bits: chance of 8-bit weights where the chip is quicker in them.

    Raises:
        RidgelineError: no machine's price was known by then.
    """
    rows = []
    for name, share in of.share.items():
        entry = machine_entry(name)
        usd = _usd_per_chip_s(entry, date)
        if usd is None:
            continue
        chip = entry.machine.chip
        eight = max(("fp8", "int8"), key=lambda one: chip.flop_per_s.get(one, 0.0))
        for form, part in ((eight, eight_bits), ("bf16", 1 - eight_bits)):
            if part:
                rows.append((entry, form, share * part, usd, *_tiers(entry, date, usd)))
    if not rows:
        raise RidgelineError(
            f"no price of a chip of {', '.join(of.share)} is known up to {date}; ask for a later --date"
        )
    share_sum = sum(row[2] for row in rows)
    chips = [row[0].machine.chip for row in rows]
    return Candidates(
        ids=tuple(row[0].facts.id for row in rows),
        formats=tuple(row[1] for row in rows),
        chances=np.array([row[2] / share_sum for row in rows]),
        flop_per_s=np.array([chip.flop_per_s[row[1]] for chip, row in zip(chips, rows, strict=True)]),
        hbm_bytes_per_s=np.array([chip.hbm_bytes_per_s for chip in chips]),
        bytes_per_param=np.array([number_format(row[1]).bytes_per_value for row in rows]),
        usd_per_chip_s=np.array([row[3] for row in rows]),
        read_usd_per_byte=np.array([row[4] for row in rows]),
        hold_usd_per_byte_s=np.array([row[5] for row in rows]),
        hbm_usd_per_byte_s=np.array([row[3] / chip.hbm_bytes for chip, row in zip(chips, rows, strict=True)]),
    )


def _usd_per_chip_s(entry: MachineEntry, date: dt.date) -> float | None:
    """The newest price up to a date, of the first market that has one; the oldest, of a chip that was there already.

    None for a chip that was not yet sold.
    """
    if entry.facts.released > date.year or not entry.facts.rental:
        return None
    known = [one for one in entry.facts.rental if one.usd_per_chip_s.date <= date]
    if not known:
        return min(entry.facts.rental, key=lambda one: one.usd_per_chip_s.date).usd_per_chip_s.value
    for market in MARKETS:
        of_kind: Sequence[Rental] = [one for one in known if one.kind == market]
        if of_kind:
            return max(of_kind, key=lambda one: one.usd_per_chip_s.date).usd_per_chip_s.value
    return None


def _tiers(entry: MachineEntry, date: dt.date, usd_per_chip_s: float) -> tuple[list[float], list[float]]:
    """Costs of reading a byte back and of holding one for a second, by tier: the cheapest device of each.

    Where a device's price was not known yet, its oldest price is taken.
    """
    machine = entry.machine
    taken, _ = offered(storage_devices(), machine)
    made = [
        tier_of(one, one.tier, key, machine, Ownership(until=max(date, min(price.date for price in one.usd))))
        for key, one in taken.items()
        if one.usd
    ]
    read, hold = [0.0], [usd_per_chip_s / machine.chip.hbm_bytes]
    for name in TIERS[1:]:
        best = min((one for one in made if one.name == name), key=lambda one: one.hold_usd_per_byte_s)
        read.append(best.read_usd_per_byte)
        hold.append(best.hold_usd_per_byte_s)
    return read, hold
