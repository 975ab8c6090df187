"""Beliefs before prices are looked at: the reader of ``priors.toml``, and priors as functions of normals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ridgeline.caching.provider_prices import MEDIA
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import FactFile, Reading
from ridgeline.quantity_text import parse_quantity

__all__ = [
    "DENSE",
    "EXPERTS",
    "KINDS",
    "LINES",
    "NINETY",
    "OF_MODELS",
    "PINNED_LOG_SD",
    "PRIORS",
    "UNKNOWNS",
    "LogNormal",
    "Priors",
    "priors",
]

PRIORS = Path(__file__).parent / "priors.toml"

UNKNOWNS = (
    "active_params",
    "extra_expansion",
    "kv_bytes_per_token",
    "read_fraction",
    "batch",
    "prefill_fraction",
    "decode_fraction",
    "utilisation_fraction",
    "context_tokens",
    "chip_price_ratio",
    "byte_price_ratio",
)
"""Sampled unknowns, each as a normal variable from which its value follows."""

OF_MODELS = ("active_params", "extra_expansion", "kv_bytes_per_token", "read_fraction")
"""Unknowns in which a vendor's models differ; it runs all of them in much the same way."""

EXPERTS, DENSE = 0, 1
KINDS = ("experts", "dense")
"""Kinds of models, in their order in arrays."""

TIERS = MEDIA
"""Tiers in which caches may wait, in their order in arrays."""

LINES = ("input", "output", "cached_input", "hold")
"""Lines of a price list, each with a margin of its own."""

PINNED_LOG_SD = 0.05
"""Deviation of an assumed margin's logarithm: without some width a list and a formula never agree."""

NINETY = 1.6448536269514722
"""Deviations between the middle of a normal variable and its 95 % point."""

Written = Annotated[float, Reading(lambda text, _: parse_quantity(text, "count"))]


class Stated(FactFile):
    """A prior as it is written: where 90 % of it lies, and why; what lies above ``most`` lies on it."""

    low: Written
    high: Written
    most: Written | None = None
    reason: str


class Chances(FactFile):
    """Chances of answers to discrete questions."""

    dense: float
    eight_bits: float
    crossover: float
    reason: str


class Tiers(FactFile):
    """Chances of the tiers in which caches wait."""

    HBM: float
    DDR: float
    flash: float
    disk: float
    reason: str


class ProviderTiers(Tiers):
    """Chances of the tiers of a provider that says where its caches wait."""

    provider: str


class Machines(FactFile):
    """Chances of the machines that a provider serves with; an empty name stands for all other providers."""

    provider: str
    share: dict[str, float]
    reason: str


class Fixed(FactFile):
    """Fixed numbers, which are not inferred from prices.

    Attributes:
        request_s: time for which a request keeps a found token in HBM, in seconds.
        threshold_log_sd: deviation of a step from the crossover that it stands for, in logarithms.
        threshold_low: smallest step that is policy, tokens.
        threshold_high: largest step that is policy, tokens.
        threshold_step: ratio of neighbouring steps that are sold.
        reason: reason for these numbers.
    """

    request_s: float
    threshold_log_sd: float
    threshold_low: float
    threshold_high: float
    threshold_step: float
    reason: str


class LearntFrom(FactFile):
    """Weight of the beliefs about price over cost before models of known size are looked at.

    Attributes:
        models: number of models that the written mean is worth.
        freedom: degrees of freedom that the written covariance has.
        reason: reason for both numbers.
    """

    models: float
    freedom: float
    reason: str


class Priors(FactFile):
    """Contents of ``priors.toml``; ``dense`` has priors of dense models where they differ."""

    unknowns: dict[str, Stated]
    dense: dict[str, Stated]
    margins: dict[str, Stated]
    chances: Chances
    tiers: Tiers
    said_tiers: tuple[ProviderTiers, ...]
    machines: tuple[Machines, ...]
    fixed: Fixed
    market: LearntFrom

    def stated(self, name: str, kind: str) -> Stated:
        """Prior of an unknown of a dense model, or of one with experts."""
        own = self.dense if kind == KINDS[DENSE] else {}
        return own.get(name, self.unknowns[name])

    @cached_property
    def log_normals(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Middle, standard deviation and bound of all unknowns as ``LogNormal`` has them, by unknown and kind."""
        stated = [[LogNormal.stated(self.stated(name, kind)) for kind in KINDS] for name in UNKNOWNS]
        middle, log_sd, most = (
            np.array([[getattr(one, field) for one in of_kinds] for of_kinds in stated])
            for field in ("middle", "log_sd", "most")
        )
        return middle, log_sd, most

    def tiers_of(self, provider: str) -> Tiers:
        """Chances of the tiers in which a provider's caches wait; the usual ones where it says nothing."""
        return next((one for one in self.said_tiers if one.provider == provider), self.tiers)

    def machines_of(self, provider: str) -> Machines:
        """Chances of a provider's machines, or of all providers of whom nothing is known."""
        of_all = next(one for one in self.machines if not one.provider)
        return next((one for one in self.machines if one.provider == provider), of_all)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogNormal:
    """A quantity whose logarithm is a normal variable, cut at ``most``.

    Attributes:
        middle: mean of the logarithm.
        log_sd: standard deviation of the logarithm.
        most: upper bound; values above it are set to it.
    """

    middle: float
    log_sd: float
    most: float = math.inf

    @classmethod
    def stated(cls, prior: Stated) -> LogNormal:
        """Log-normal with 5 % below ``low`` and 5 % above ``high``.

        >>> found = LogNormal.stated(Stated(low=1.0, high=100.0, reason="an example"))
        >>> round(float(found.value(np.zeros(1))[0]), 6), round(float(found.value(np.array([NINETY]))[0]), 3)
        (10.0, 100.0)
        """
        low, high = math.log(prior.low), math.log(prior.high)
        most = math.inf if prior.most is None else prior.most
        return cls(middle=(low + high) / 2, log_sd=(high - low) / (2 * NINETY), most=most)

    def value(self, deviations: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values at deviations of the logarithm."""
        return np.minimum(np.exp(self.middle + self.log_sd * deviations), self.most)


@lru_cache(maxsize=1)
def priors() -> Priors:
    """Priors as written in ``priors.toml``."""
    return read_toml(PRIORS, Priors)
