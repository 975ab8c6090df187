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
        question="A step in a price list is this model's crossover or a policy, with a chance of {chance} for the"
        " first before anybody looks. A crossover would lie here with a density of {likelihood}, a policy with one of"
        " {other_likelihood}. What is the chance of a crossover after the look?",
        inputs={"chance": 0.5, "likelihood": 0.02, "other_likelihood": 0.3},
        equation=evidence.chance_after,
        dimension="fraction",
        tolerance=TWO_STEPS,
        working=f"each by how likely it makes the step: {AFTER}",
        time_stamp="1:35:45",
    ),
    compose(
        "evidence-batch",
        question="Output costs {ratio} times input, at {context_tokens} tokens of context where the crossover lies at"
        " {crossover_tokens}. With nothing lost and one margin for both, how large is the batch, over the balance"
        " batch?",
        inputs={"ratio": 4.0, "context_tokens": 40e3, "crossover_tokens": 160e3},
        equation=pricing.balance_batches_at_ratio,
        dimension="count",
        tolerance=TWO_STEPS,
        working="what weights take beside the arithmetic, inverted: 1 / ({ratio} - {context_tokens} /"
        " {crossover_tokens})",
        time_stamp="1:47:40",
    ),
    compose(
        "evidence-tier",
        question="Disk is one of four tiers, with a chance of {chance} before. Prices as they are would be"
        " {likelihood} times as likely of disk as of the other tiers on the mean ({other_likelihood}). What is the"
        " chance of disk after?",
        inputs={"chance": 0.25, "likelihood": 0.1, "other_likelihood": 1.0},
        equation=evidence.chance_after,
        dimension="fraction",
        tolerance=TWO_STEPS,
        working=f"by how likely each makes the prices: {AFTER}",
        time_stamp="2:02:20",
        level=Level.COMBINE,
    ),
)
