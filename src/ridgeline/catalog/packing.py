"""Packing of the catalog into one file of checked records, for ``packed``."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ridgeline.catalog.fact_files import SOURCES, read_toml
from ridgeline.catalog.facts import CATALOG, Source
from ridgeline.catalog.fast_modes import FastModes
from ridgeline.catalog.kernels import KernelFile
from ridgeline.catalog.list_prices import ListPrices
from ridgeline.catalog.lookup import ids
from ridgeline.catalog.machines import EfficiencyFile, MachineFacts
from ridgeline.catalog.memory_costs import MemoryCosts
from ridgeline.catalog.model_types import ModelTypes
from ridgeline.catalog.models import ModelFacts
from ridgeline.catalog.packed import place_of
from ridgeline.catalog.scaling_laws import ScalingLaws
from ridgeline.catalog.storage import Storage

__all__ = ["packed_catalog"]

FOLDERS: dict[str, Any] = {
    "efficiencies": EfficiencyFile,
    "kernels": KernelFile,
    "machines": MachineFacts,
    "models": ModelFacts,
}
FILES: dict[str, Any] = {
    "fast_modes.toml": FastModes,
    "list_prices.toml": ListPrices,
    "memory_costs.toml": MemoryCosts,
    "model_types.toml": ModelTypes,
    "scaling_laws.toml": ScalingLaws,
    SOURCES.name: dict[str, Source],
    "storage.toml": Storage,
}
"""Files that boards and configurations use; facts of engines, trainers and harnesses are not among them."""


def packed_catalog(others: Mapping[Path, Any] | None = None) -> bytes:
    """Contents of ``packed.PACKED``.

    Args:
        others: files of higher rooms that are read there as well, with their types.
    """
    named = {f"{folder}/{one}.toml": kind for folder, kind in FOLDERS.items() for one in ids(CATALOG / folder)}
    read = {place: read_toml(CATALOG / place, kind) for place, kind in (named | FILES).items()}
    read |= {place_of(path): read_toml(path, kind) for path, kind in (others or {}).items()}
    return pickle.dumps({place: pickle.dumps(one, protocol=5) for place, one in read.items()}, protocol=5)
