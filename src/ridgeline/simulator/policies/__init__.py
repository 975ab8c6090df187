"""Scheduling policies, one file each."""

from __future__ import annotations

from ridgeline.simulator.policies.classes import CLASSES
from ridgeline.simulator.policies.continuous import CONTINUOUS
from ridgeline.simulator.policies.departures import departures
from ridgeline.simulator.policies.prompts_first import PROMPTS_FIRST
from ridgeline.simulator.policies.static import STATIC
from ridgeline.simulator.policy import Policy
from ridgeline.specs.engine import Limits

__all__ = ["CLASSES", "CONTINUOUS", "POLICIES", "PROMPTS_FIRST", "STATIC", "departures", "policy_of"]

POLICIES = {one.name: one for one in (CONTINUOUS, PROMPTS_FIRST, STATIC)}
"""Policies without parameters, by name; ``departures`` takes a period, ``CLASSES`` needs requests with classes."""


def policy_of(limits: Limits) -> Policy:
    """Default policy of an engine.

    Compared with measured closed loops, SGLang's servers do read prompts alone: its times to the first token are then
    predicted with a median error of 0.24, and more than twice too short if its steps were mixed.
    """
    return CONTINUOUS if limits.mixes_prompts else PROMPTS_FIRST
