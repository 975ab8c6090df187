"""The load to serve: a number of users, requests per second, or as much as a budget of chips or power allows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible
from ridgeline.numeric import INTERVAL_DEVIATIONS

__all__ = ["AS_MUCH_AS_IT_GIVES", "MIDDLE", "USUAL_QUANTILE", "Demand"]

MIDDLE, USUAL_QUANTILE = 0.5, 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """A load, the certainty with which a plan has to meet its limits, and the power that it may draw.

    Attributes:
        users: requests in flight on all replicas, each followed at once by another; None where left open.
        requests_per_s: rate at which requests arrive at all replicas, at random; None where left open.
        batch: requests in flight on each replica; None where the search chooses.
        ttft_quantile: part of the requests whose time to the first token, queueing included, must keep to its limit.
        sure: chance that the limits hold, by the intervals of predictions; 0.5 takes the predictions themselves.
        site_power_w: power limit of all replicas with the site's overhead, W; None for no limit.
        pue: power usage effectiveness of the site: its power over that of its chips.
        electricity_usd_per_j: price of electricity, charged on top of chips; None where the chips' price includes it.
    """

    users: int | None = None
    requests_per_s: float | None = None
    batch: int | None = None
    ttft_quantile: float = USUAL_QUANTILE
    sure: float = MIDDLE
    site_power_w: float | None = None
    pue: float = 1.0
    electricity_usd_per_j: float | None = None

    def __post_init__(self) -> None:
        require_plausible(self)
        given = [name for name in ("users", "requests_per_s", "batch") if getattr(self, name) is not None]
        if len(given) > 1:
            raise RidgelineError(f"{' and '.join(given)} each say how much is under way; give one of them")
        for name in ("users", "batch"):
            value = getattr(self, name)
            if value is not None and not (1 <= value < math.inf and value % 1 == 0):
                raise RidgelineError(f"{name}={value!r} must be a whole number from 1 up")
        if self.requests_per_s is not None and not 0 < self.requests_per_s < math.inf:
            raise RidgelineError(f"requests_per_s={self.requests_per_s!r} must be above 0 and finite")
        for name in ("ttft_quantile", "sure"):
            if not MIDDLE <= getattr(self, name) < 1:
                raise RidgelineError(f"{name}={getattr(self, name)!r} must be at least 0.5 and below 1, such as 0.9")

    @property
    def heeds_power(self) -> bool:
        """Whether power is limited, or electricity charged."""
        return self.site_power_w is not None or self.electricity_usd_per_j is not None

    @property
    def has_load(self) -> bool:
        """Whether a load is given, to be served by as few chips as possible."""
        return self.users is not None or self.requests_per_s is not None

    @property
    def widths_kept(self) -> float:
        """Number of half-widths of a prediction's 80 % interval by which it must stay below a limit."""
        return NormalDist().inv_cdf(self.sure) / INTERVAL_DEVIATIONS


AS_MUCH_AS_IT_GIVES = Demand()
