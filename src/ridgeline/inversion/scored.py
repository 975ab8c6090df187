"""Scores of inferences on open models, whose size is known: written by ``bench/inversion.py --write``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import FactFile

__all__ = ["SCORES", "Score", "Scores", "scores", "scores_of"]

SCORES = Path(__file__).parent / "scored.toml"

SAME = {"read_bytes_per_token": "kv_bytes_per_token", "crossover_tokens": "kv_bytes_per_token"}
"""Quantities that share the score of another, on which they rest: of the cache only the stored bytes are known."""


class Score(FactFile):
    """Score of one quantity's inferences on open models of known size.

    Attributes:
        error: typical factor between what was inferred and what is true.
        error_without_prices: typical factor between the middle of the other models and what is true.
    """

    error: float
    error_without_prices: float

    @property
    def tells(self) -> bool:
        """Whether prices led nearer to the truth than no prices do."""
        return self.error < self.error_without_prices


class Scores(FactFile):
    """Contents of ``scored.toml``: quantities by name, and how many models they were scored on."""

    models: int
    of: dict[str, Score]


@lru_cache(maxsize=1)
def scores() -> Scores:
    """Scores as read from ``scored.toml``."""
    return read_toml(SCORES, Scores)


def scores_of(name: str) -> Score | None:
    """Score of one unknown; None where its truth is not known of open models, either."""
    return scores().of.get(SAME.get(name, name))
