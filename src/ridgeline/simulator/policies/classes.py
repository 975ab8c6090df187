"""Classes: fast requests before standard ones before batch; preemption goes in the opposite order.

Source: vLLM's ``--scheduling-policy priority`` (documentation of ``vllm serve``, 2026-11).
"""

from ridgeline.simulator.orders.classes import by_class
from ridgeline.simulator.policy import Policy

__all__ = ["CLASSES"]

CLASSES = Policy(
    name="classes",
    says="fast requests are admitted before standard ones before batch, which give up memory first",
    order=by_class,
    is_ranked=True,
)
"""Continuous batching with classes."""
