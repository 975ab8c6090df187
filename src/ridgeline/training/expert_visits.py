"""Visits of tokens to the experts of one chip in a training step: of the busiest for time, in the mean for memory.

Under a natural router all chips wait in each layer for its busiest, which is another one in the next layer and
micro-batch. What a chip keeps is a sum over layers and micro-batches, over which that chance evens out, on the fullest
chip, too. Were every layer's excess on one chip, its peak would be higher by 0.2 % at most in the rows of measured
memory (``docs/accuracy.md``), whose predictions are off by several times as much: they cannot tell.
"""

from __future__ import annotations

from ridgeline.equations.experts import busiest
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.training.job import TrainingJob

__all__ = ["busiest_visits", "mean_visits"]


def mean_visits(job: TrainingJob, block: RoutedExperts, tokens: float) -> float:
    """Visits to the experts of a chip in the mean over layers, with what capacity pads or drops.

    Args:
        job: job with its layout and recipe.
        block: routed experts of a layer.
        tokens: tokens that each chip routes.
    """
    return tokens * job.layout.expert_tp * block.active_experts * (job.recipe.capacity_factor or 1.0)


def busiest_visits(job: TrainingJob, block: RoutedExperts, tokens: float) -> float:
    """Visits to the experts of a layer's busiest chip: more than the mean where a router chooses without bound."""
    layout, mean = job.layout, mean_visits(job, block, tokens)
    if job.recipe.capacity_factor is not None or job.recipe.routing != "natural" or layout.ep == 1:
        return mean
    most = tokens * layout.ep * layout.expert_tp * min(block.active_experts, block.experts // layout.ep)
    return float(busiest(mean=mean, variance=mean * (1 - 1 / layout.ep), groups=layout.ep, most=most))
