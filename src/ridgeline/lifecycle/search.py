"""Search for the optimum: for laws without a closed form, for repeated text, and as a check on closed forms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ridgeline.lifecycle.question import SMALLEST_PARAMS, Point, Question
from ridgeline.numeric import Numeric, solve

__all__ = ["best_of_cost", "cheapest_of_loss", "params_for_loss"]

Array = NDArray[np.float64]

TOKENS = 1e6, 1e24
"""Range of tokens in the search."""
PARAMS = SMALLEST_PARAMS, 1e18
"""Range of parameters in the search."""
COARSE = 400
"""Points in tokens of the first grid, a tenth apart."""
FINE, ROUNDS = 64, 5
"""Points and number of refinements around the minimum: a bracket of a fifth narrows to one of 1e-8."""


def params_for_loss(question: Question, tokens: Array, loss: float) -> Array:
    """Parameters that reach a loss on ``tokens``; infinite where none do."""

    def excess(log_params: Numeric) -> Numeric:
        return loss - question.loss(np.exp(log_params), tokens)

    low, high = (np.full_like(tokens, np.log(end)) for end in PARAMS)
    found = np.exp(np.asarray(solve(excess, low, high)))
    return np.where(np.asarray(excess(high)) < 0, np.inf, found)


def cheapest_of_loss(question: Question, loss: float) -> Point | None:
    """The cheapest model of a loss; None where none reaches it within its bound."""

    def cost(log_tokens: Array) -> Array:
        tokens = np.exp(log_tokens)
        params = params_for_loss(question, tokens, loss)
        allowed = params <= question.most_params
        total = params * (question.cost_per_token * tokens + question.cost_per_param)
        return np.where(allowed, total, np.inf)

    tokens = _least(cost)
    if tokens is None:
        return None
    return Point(params=float(params_for_loss(question, np.array([tokens]), loss)[0]), tokens=tokens)


def best_of_cost(question: Question, budget: float) -> Point | None:
    """The model of least loss for a cost."""

    def params(tokens: Array) -> Array:
        paid = budget / (question.cost_per_token * tokens + question.cost_per_param)
        return np.minimum(paid, question.most_params)

    def loss(log_tokens: Array) -> Array:
        tokens = np.exp(log_tokens)
        sizes = params(tokens)
        # At its bound, a model of the same size on fewer tokens leaves budget over.
        return np.where(sizes >= PARAMS[0], np.asarray(question.loss(sizes, tokens)), np.inf)

    tokens = _least(loss)
    return None if tokens is None else Point(params=float(params(np.array([tokens]))[0]), tokens=tokens)


def _least(of: Callable[[Array], Array]) -> float | None:
    """Tokens at the minimum of a function, on ever finer grids; None where all values are infinite."""
    low, high, count = float(np.log(TOKENS[0])), float(np.log(TOKENS[1])), COARSE
    for _ in range(ROUNDS + 1):
        grid = np.linspace(low, high, count)
        values = of(grid)
        if not np.isfinite(values).any():
            return None
        place = int(np.argmin(values))
        low, high, count = float(grid[max(place - 1, 0)]), float(grid[min(place + 1, len(grid) - 1)]), FINE
    return float(np.exp(grid[place]))
