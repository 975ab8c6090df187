"""Exercises on prices as evidence: what a price leaves of a belief."""

from __future__ import annotations

from ridgeline.boards.card import Level
from ridgeline.boards.exercise import Exercise, compose
from ridgeline.equations import evidence, pricing

__all__ = ["EXERCISES"]

TWO_STEPS = 0.05
"""Tolerance of mental arithmetic in two steps."""
AFTER = "{chance} * {likelihood} / ({chance} * {likelihood} + (1 - {chance}) * {other_likelihood})"

EXERCISES: tuple[Exercise, ...] = (
    compose(
        "evidence-crossover",
        question="A price step is either a model's crossover or mere policy; before looking, each has a chance of"
        " {chance}. A crossover would fall here with a density of {likelihood}, a policy with one of"
        " {other_likelihood}. After looking, what is the chance of a crossover?",
        inputs={"chance": 0.5, "likelihood": 0.02, "other_likelihood": 0.3},
        equation=evidence.chance_after,
        dimension="fraction",
        tolerance=TWO_STEPS,
        working=f"Each explanation counts by how likely it makes the step: {AFTER}",
        time_stamp="1:35:45",
    ),
    compose(
        "evidence-batch",
        question="Output costs {ratio} times input at {context_tokens} tokens of context, and the crossover is at"
        " {crossover_tokens}. If nothing is lost and both have the same margin, how large is the batch, in balance"
        " batches?",
        inputs={"ratio": 4.0, "context_tokens": 40e3, "crossover_tokens": 160e3},
        equation=pricing.balance_batches_at_ratio,
        dimension="count",
        tolerance=TWO_STEPS,
        working="What the weights add to the arithmetic, inverted: 1 / ({ratio} - {context_tokens} /"
        " {crossover_tokens})",
        time_stamp="1:47:40",
    ),
    compose(
        "evidence-tier",
        question="Disk is one of four tiers that may hold a cache, at first with a chance of {chance}. The listed"
        " prices are {likelihood} times as likely for disk as for the other tiers on average ({other_likelihood})."
        " What is the chance of disk now?",
        inputs={"chance": 0.25, "likelihood": 0.1, "other_likelihood": 1.0},
        equation=evidence.chance_after,
        dimension="fraction",
        tolerance=TWO_STEPS,
        working=f"Each tier counts by how likely it makes the prices: {AFTER}",
        time_stamp="2:02:20",
        level=Level.COMBINE,
    ),
)
