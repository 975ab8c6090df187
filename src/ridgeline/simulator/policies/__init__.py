"""Scheduling policies, one file each."""

from __future__ import annotations

from ridgeline.simulator.policies.classes import CLASSES
from ridgeline.simulator.policies.continuous import CONTINUOUS
from ridgeline.simulator.policies.departures import departures
from ridgeline.simulator.policies.prompts_first import PROMPTS_FIRST
from ridgeline.simulator.policies.static import STATIC

__all__ = ["CLASSES", "CONTINUOUS", "PROMPTS_FIRST", "STATIC", "departures"]
