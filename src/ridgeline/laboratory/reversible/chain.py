"""A small task whose best loss is known: symbols that each depend on the two before, at random.

A model that looks back two symbols can reach the chain's entropy, and none can go below it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.laboratory.glyphs import Floats

__all__ = ["Chain", "draw_chain", "entropy", "sequences"]

CONCENTRATION = 0.1
"""Concentration of the Dirichlet distribution of next symbols: the smaller, the fewer of them are likely."""
SETTLED = 1000
"""Steps after which a chain is where it ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Markov chain of second order.

    Attributes:
        follows: chance of each next symbol, by the first and second symbol before it.
    """

    follows: Floats


def draw_chain(*, vocabulary: int, seed: int) -> Chain:
    """Draw a chain of ``vocabulary`` symbols."""
    weights = np.random.default_rng(seed).gamma(CONCENTRATION, size=(vocabulary,) * 3) + 1e-3
    return Chain(follows=weights / weights.sum(axis=-1, keepdims=True))


def entropy(chain: Chain) -> float:
    """Entropy of the next symbol given those before it, in nats: no mean loss is lower for long.

    >>> entropy(Chain(follows=np.full((2, 2, 2), 0.5)))
    0.693
    """
    follows = chain.follows
    pairs = np.full(follows.shape[:2], 1 / follows.shape[0] ** 2)
    for _ in range(SETTLED):
        pairs = np.einsum("ab,abc->bc", pairs, follows)
    return float(-(pairs[..., np.newaxis] * follows * np.log(follows)).sum())


def sequences(chain: Chain, *, count: int, tokens: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw sequences of the chain, a row each, from uniformly drawn first two symbols."""
    vocabulary = len(chain.follows)
    found = rng.integers(vocabulary, size=(count, tokens))
    bounds = chain.follows.cumsum(axis=-1)
    for place in range(2, tokens):
        drawn = rng.random((count, 1))
        upto = bounds[found[:, place - 2], found[:, place - 1]]
        found[:, place] = np.minimum((drawn > upto).sum(axis=-1), vocabulary - 1)
    return found
