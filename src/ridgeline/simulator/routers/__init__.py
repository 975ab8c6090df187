"""Routers, one file each."""

from __future__ import annotations

from ridgeline.simulator.routers.least_loaded import LeastLoaded
from ridgeline.simulator.routers.prefix_aware import PrefixAware
from ridgeline.simulator.routers.round_robin import RoundRobin

__all__ = ["LeastLoaded", "PrefixAware", "RoundRobin"]
