"""What ``ridgeline plan`` was asked besides the deployment, and how it is to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ridgeline.specs.demand import Demand
from ridgeline.specs.layout import Layout
from ridgeline.specs.workload import Workload

__all__ = ["Asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked besides the deployment, and how it is to be shown."""

    workload: Workload
    demand: Demand
    chips: int | None
    usd_per_chip_s: float | None
    weights: str | None
    kv: str | None
    kernels: Path | None
    anchor: Path | None
    why_not: tuple[Layout, ...]
    top: int
    details: bool
    figure: Path | None
    theme: str | None
    picture: str
    export: str | None
    checkpoint: str | None
    as_json: bool

    @property
    def published(self) -> str | None:
        """The weights' format that was asked for by name; a search over all begins at the published one."""
        return None if self.weights == "auto" else self.weights
