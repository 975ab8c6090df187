"""Options of ``ridgeline simulate`` as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ridgeline.cli.arguments import Operated
from ridgeline.cli.cache_tiers import AskedTier
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

__all__ = ["REPEATED", "AskedSimulation", "simulation_asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSimulation:
    """Options of ``ridgeline simulate``, but for where its result goes; each is as the command's help says."""

    model: Model
    machine: Machine
    layouts: tuple[Layout, ...]
    chips: int | None
    replicas: tuple[int, ...]
    router: str
    policy: str | None
    order: str | None
    preempt: str
    has_prefix_cache: bool
    cache: tuple[AskedTier, ...]
    kv_blocks: tuple[int, ...] | None
    block_tokens: int | None
    trace: Path | None
    prompt_tokens: int | None
    output_tokens: int | None
    requests_per_s: float | None
    users: int | None
    starts_together: bool
    count: int | None
    rate_scale: float
    seed: int
    classes: str | None
    ttft_s: float | None
    tpot_s: float | None
    is_sought: bool
    share: float
    has_bands: bool
    usd_per_chip_s: float | None
    market: str | None
    fidelity: Fidelity
    engine: Engine | None
    kernels: Path | None
    weights: str | None
    kv: str | None
    operated: Operated


REPEATED = (
    "router",
    "preempt",
    "has_prefix_cache",
    "has_bands",
    "trace",
    "prompt_tokens",
    "output_tokens",
    "requests_per_s",
    "users",
    "starts_together",
    "count",
    "rate_scale",
    "seed",
    "classes",
    "ttft_s",
    "tpot_s",
    "share",
    "usd_per_chip_s",
    "market",
    "weights",
    "kernels",
)
"""Fields that a document repeats as they were given."""


def simulation_asked(parameters: Mapping[str, Any]) -> AskedSimulation:
    """Options from the command's parameters by name; those on where the result goes are left out."""
    operated = Operated(**{one.name: parameters[one.name] for one in fields(Operated)})
    names = (one.name for one in fields(AskedSimulation) if one.name != "operated")
    return AskedSimulation(operated=operated, **{name: parameters[name] for name in names})
