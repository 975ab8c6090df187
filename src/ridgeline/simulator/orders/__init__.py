"""Which of the waiting requests is admitted first, one file each."""

from __future__ import annotations

from ridgeline.simulator.orders.first_come import first_come
from ridgeline.simulator.orders.shortest_first import shortest_first

__all__ = ["first_come", "shortest_first"]
