"""Posteriors of whole lists that were sampled once and written down, for where no sampler is at hand.

``bench/board_posteriors.py --write`` makes ``recorded.toml``; boards draw it beside what they work out themselves.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from pathlib import Path

import numpy as np

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import FactFile
from ridgeline.inversion.alone.belief import Belief
from ridgeline.inversion.intervals import Interval

__all__ = ["RECORD", "Recorded", "RecordedBelief", "RecordedList", "recorded"]

RECORD = Path(__file__).parent / "recorded.toml"


class RecordedBelief(FactFile):
    """An unknown's posterior.

    Attributes:
        low: lower edge of the first cell.
        high: upper edge of the last cell; all cells have one ratio.
        chances: chances of the cells; what lies beyond either end counts to the last cell there.
        p05: 5 % quantile of the draws.
        p25: 25 % quantile of the draws.
        p50: median of the draws.
        p75: 75 % quantile of the draws.
        p95: 95 % quantile of the draws.
        learnt_nats: divergence from its prior, in nats.
    """

    low: float
    high: float
    chances: tuple[float, ...]
    p05: float
    p25: float
    p50: float
    p75: float
    p95: float
    learnt_nats: float

    def belief(self) -> Belief:
        """Belief as chances on a grid."""
        step = np.log(self.high / self.low) / len(self.chances)
        logs = np.log(self.low) + step * (np.arange(len(self.chances)) + 0.5)
        return Belief(logs=np.asarray(logs, dtype=float), chances=np.array(self.chances))

    def interval(self) -> Interval:
        """Quantiles of the draws themselves, which do not depend on the cells."""
        return Interval(p05=self.p05, p25=self.p25, p50=self.p50, p75=self.p75, p95=self.p95)


class RecordedList(FactFile):
    """A price list and what all of its prices say together.

    Attributes:
        name: name of the model.
        listing: provider and model of the list.
        provider: seller of the model.
        date: date of the prices.
        source: source of the prices.
        usd: dollars a token by line, and for ``hold`` a token and second.
        rounding_log_sd: deviation of the prices' logarithms by their digits, by line.
        shared_by: number of the vendor's models with the same multiple of their input, by line.
        is_policy: whether that multiple tells of the vendor, by line.
        step_tokens: step of the list, in tokens; None where it has none.
        step_shared_by: number of models at different prices with a step there.
        seed: seed of the draws.
        draws: number of quasi-random guesses.
        effective_draws: number of draws of equal weight that would say as much.
        unknowns: posteriors of the unknowns, by name.
        questions: chances of answers to the discrete questions.
    """

    name: str
    listing: str
    provider: str
    date: dt.date
    source: str
    usd: dict[str, float]
    rounding_log_sd: dict[str, float]
    shared_by: dict[str, int]
    is_policy: dict[str, bool]
    step_tokens: float | None = None
    step_shared_by: int = 1
    seed: int
    draws: int
    effective_draws: float
    unknowns: dict[str, RecordedBelief]
    questions: dict[str, dict[str, float]]


class Recorded(FactFile):
    """Contents of ``recorded.toml``."""

    lists: dict[str, RecordedList]


@lru_cache(maxsize=1)
def recorded() -> Recorded:
    """Recorded lists, as read from ``recorded.toml``."""
    return read_toml(RECORD, Recorded)
