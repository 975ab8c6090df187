"""A decode step's batch as a pile of rows: weights that all of them share, and a context that each reads for itself."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Batched"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batched:
    """Time as width: what is read in a step beside what is computed.

    Attributes:
        balance_batches: batch, in balance batches.
        crossover_tokens: context that is read for as long as its token is computed.
        price: name of the line of a price, whose scale is not known; empty for none.
        price_at_tokens: context at which the price is drawn at the cost; zero without a price.
        text: summary in a few words.
    """

    balance_batches: float
    crossover_tokens: float
    price: str
    price_at_tokens: float
    text: str
