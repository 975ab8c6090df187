"""Numbers of chips in which a machine is rented: parts of a scale-up domain, whole domains, whole racks."""

from __future__ import annotations

from itertools import count, takewhile

from ridgeline.specs.machine import Machine
from ridgeline.specs.topology import Switch

__all__ = ["chip_counts", "rack_chips"]

MANTISSAS = 2, 3
"""Numbers of domains are powers of two, and one and a half times these: 1, 2, 3, 4, 6, 8, 12."""


def rack_chips(machine: Machine) -> int | None:
    """Chips of a machine that is rented by the rack; None of one that is rented in smaller numbers.

    Several hosts behind the same switches are one rack. A torus of many hosts is rented by the slice.
    """
    chips, node = machine.scale_up_chips, machine.node_chips or machine.scale_up_chips
    return chips if node < chips and isinstance(machine.fabric[0].topology, Switch) else None


def chip_counts(machine: Machine, most: float) -> tuple[int, ...]:
    """Numbers of chips from the smallest that is rented to ``most``.

    >>> from ridgeline.catalog import load_machine
    >>> chip_counts(load_machine("h100-sxm"), 64), chip_counts(load_machine("gb200-nvl72"), 300)
    ((1, 2, 4, 8, 16, 24, 32, 48, 64), (72, 144, 216, 288))
    """
    domain = machine.scale_up_chips
    parts = [] if rack_chips(machine) else takewhile(lambda chips: chips < domain, (2**power for power in count()))
    domains = {mantissa * 2**power for mantissa in MANTISSAS for power in range(int(most).bit_length())} | {1}
    return (*parts, *(domain * number for number in sorted(domains) if domain * number <= most))
