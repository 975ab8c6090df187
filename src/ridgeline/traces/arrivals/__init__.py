"""Arrival processes, one file each.

Each draws from the given generator in steps of its own, so that the result does not depend on how many requests are
asked for at a time. The first request arrives at 0, and the process continues from there.
"""

from ridgeline.traces.arrivals.arrivals import Arrivals
from ridgeline.traces.arrivals.daily import Daily
from ridgeline.traces.arrivals.even import Even
from ridgeline.traces.arrivals.gamma import Gamma
from ridgeline.traces.arrivals.poisson import Poisson

__all__ = ["Arrivals", "Daily", "Even", "Gamma", "Poisson"]
