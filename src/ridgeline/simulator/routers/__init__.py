"""Routers, one file each."""

from __future__ import annotations

from ridgeline.simulator.router import Router
from ridgeline.simulator.routers.least_loaded import LeastLoaded
from ridgeline.simulator.routers.prefix_aware import PrefixAware
from ridgeline.simulator.routers.round_robin import RoundRobin

__all__ = ["ROUTERS", "LeastLoaded", "PrefixAware", "RoundRobin"]

ROUTERS: dict[str, Router] = {one.name: one for one in (RoundRobin(), LeastLoaded(), PrefixAware())}
"""Routers by name."""
