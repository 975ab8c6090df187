"""Cost of owning machines: chips, hosts, network and room, each per chip, with source and date."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, Fact, FactFile, reads

__all__ = ["Owned", "owned"]

Dollars = Annotated[Fact, reads("usd")]


class Usual(FactFile):
    """Usual costs beside chips."""

    host_usd: Dollars
    network_usd: Dollars
    facility_usd: Dollars
    server_power_ratio: Annotated[Fact, reads("fraction")]


class OwnFacts(FactFile):
    """Known costs of a machine itself; None where the usual ones stand in."""

    chip_usd: Dollars
    host_usd: Dollars | None = None
    network_usd: Dollars | None = None
    facility_usd: Dollars | None = None


class Ownership(FactFile):
    """The contents of ``ownership.toml``."""

    life: Annotated[Fact, reads("duration")]
    usual: Usual
    machines: dict[str, OwnFacts]


class Owned(FactFile):
    """An owned machine, with all costs per chip.

    Attributes:
        life_s: depreciation time, s.
        parts: costs by item, $.
        server_power_ratio: power of a server over that of its chips.
    """

    life_s: float
    parts: dict[str, Fact]
    server_power_ratio: float

    @property
    def usd_per_chip_s(self) -> float:
        """Cost per second of a chip with its part of everything, $/s."""
        return sum(one.value for one in self.parts.values()) / self.life_s


@lru_cache(maxsize=1)
def _facts() -> Ownership:
    return read_toml(CATALOG / "ownership.toml", Ownership)


def owned(machine: str) -> Owned:
    """Cost of owning a machine.

    Raises:
        CatalogError: the machine's cost is unknown; the message lists those with known costs.

    >>> round(owned("h100-sxm").usd_per_chip_s * 3600, 2)
    1.2
    """
    facts = _facts()
    if machine not in facts.machines:
        raise CatalogError(
            f"what {machine} costs to own is not known; it is of {', '.join(facts.machines)}; give a price: --price"
            " '$2/h'"
        )
    own, usual = facts.machines[machine], facts.usual
    return Owned(
        life_s=facts.life.value,
        parts={
            "chips": own.chip_usd,
            "host": own.host_usd or usual.host_usd,
            "network": own.network_usd or usual.network_usd,
            "room and staff": own.facility_usd or usual.facility_usd,
        },
        server_power_ratio=usual.server_power_ratio.value,
    )
