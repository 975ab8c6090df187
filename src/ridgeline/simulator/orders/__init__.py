"""Orders in which waiting requests are admitted, one file each."""

from __future__ import annotations

from ridgeline.simulator.orders.classes import by_class, classed_by_length
from ridgeline.simulator.orders.first_come import first_come
from ridgeline.simulator.orders.shortest_first import shortest_first

__all__ = ["ORDERS", "by_class", "classed_by_length", "first_come", "shortest_first"]

ORDERS = {"first": first_come, "shortest": shortest_first, "classes": by_class}
"""Orders by the name under which they are requested."""
