"""Published facts of a model's training, for careful numbers."""

from __future__ import annotations

from ridgeline.boards.board import Facts
from ridgeline.estimator import parameters

__all__ = ["active_params", "trained_tokens"]


def active_params(facts: Facts) -> float:
    """Parameters that a token touches, the embedding among them: the fits of loss count it."""
    return float(parameters.active_params(facts.model))


def trained_tokens(facts: Facts) -> float | None:
    """Tokens of its pre-training; None where they are not published."""
    return facts.model.trained_tokens
