"""Conditions under which the layouts of both pools are matched."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.planner.two_pools.sides import AtBatch, Reader
from ridgeline.specs.demand import Demand
from ridgeline.specs.workload import Workload

__all__ = ["Terms"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Conditions under which pairs are matched.

    Attributes:
        workload: lengths of requests, and limits.
        demand: load to serve; left open, as much as the budget gives.
        chips: budget of both pools by machine id; empty for as many as the load needs; where power alone determines
            them, more than it can feed.
        is_fed: whether a limit on power alone determines how many chips there are.
        usd_per_chip_s: price of a chip by machine id, $/s; empty where not all are known, so that all chips count
            alike.
    """

    workload: Workload
    demand: Demand
    chips: dict[str, int]
    usd_per_chip_s: dict[str, float]
    is_fed: bool = False

    def chips_of(self, reader: Reader, writer: AtBatch) -> int | None:
        """Budget of a pair, or more chips than the power can feed; None for as many as the load needs."""
        if not self.chips:
            return None
        first, second = reader.machine.id, writer.machine.id
        return max(self.chips[first], self.chips[second])

    @property
    def usd_per_j(self) -> float:
        """Price of electricity charged on top of chips, $/J; 0 where either has none."""
        return (self.demand.electricity_usd_per_j or 0.0) if self.usd_per_chip_s else 0.0

    def price_of(self, side: Reader | AtBatch) -> float:
        """Price of a chip."""
        return self.usd_per_chip_s.get(side.machine.id, 1.0)
