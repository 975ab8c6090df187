"""Devices that a KV cache can wait on, outside a chip's own memory."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from ridgeline.catalog.facts import CATALOG, CatalogError, Fact, FactFile, read_toml, reads

__all__ = ["StorageDevice", "storage_device", "storage_devices"]


class StorageDevice(FactFile):
    """A device that holds caches.

    Attributes:
        name: as its makers write it, or its class.
        tier: DDR, flash or disk.
        capacity_bytes: what it holds.
        bytes_per_s: what it reads.
        usd: what it costs to buy; None where that is not known.
    """

    name: str
    tier: str
    capacity_bytes: Annotated[Fact, reads("bytes")]
    bytes_per_s: Annotated[Fact, reads("bytes_per_s")]
    usd: Annotated[Fact, reads("usd")] | None = None


class Storage(FactFile):
    """The contents of ``storage.toml``."""

    devices: dict[str, StorageDevice]


@lru_cache(maxsize=1)
def storage_devices() -> dict[str, StorageDevice]:
    """All of them, by id."""
    return read_toml(CATALOG / "storage.toml", Storage).devices


def storage_device(name: str) -> StorageDevice:
    """One device.

    Raises:
        CatalogError: there is no such id; lists those that there are.
    """
    if name not in storage_devices():
        raise CatalogError(f"no storage device {name!r} in the catalog; there are {', '.join(storage_devices())}")
    return storage_devices()[name]
