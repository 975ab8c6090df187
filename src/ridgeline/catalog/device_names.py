"""Machines by the names that drivers report for their chips: one TOML file, each name sourced."""

from __future__ import annotations

from functools import lru_cache

from ridgeline.catalog.engine_support import SupportFact
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile

__all__ = ["DEVICE_NAMES", "device_names", "machine_named"]

DEVICE_NAMES = CATALOG / "device_names.toml"


class DeviceFact(SupportFact):
    """Machine of a chip's name."""

    machine: str


class DeviceNamesFile(FactFile):
    """Contents of the file."""

    names: dict[str, DeviceFact]


@lru_cache(maxsize=1)
def device_names() -> dict[str, str]:
    """Catalog ids of machines by the names that drivers report for their chips."""
    return {name: fact.machine for name, fact in read_toml(DEVICE_NAMES, DeviceNamesFile).names.items()}


def machine_named(device: str) -> str:
    """Catalog id of the machine whose chips a driver calls by this name.

    Raises:
        CatalogError: no machine is known by the name; the message lists the known names.

    >>> machine_named("NVIDIA H100 80GB HBM3")
    'h100-sxm'
    """
    found = device_names().get(device)
    if found is None:
        raise CatalogError(
            f"the catalog knows no machine by the chip's name {device!r}; name one with --on, or a file of your own"
            f" (docs/extending.md). Known are {', '.join(device_names())}"
        )
    return found
