"""Statistics of completed requests, collected block by block in constant memory."""

from __future__ import annotations

import math

import numpy as np

from ridgeline.simulator.binned import Binned
from ridgeline.simulator.outcome import InOrder, OfClass
from ridgeline.simulator.served import Latency, ServedRequests, kept_of
from ridgeline.simulator.spread import Spread
from ridgeline.traces.requests import CLASSES

__all__ = ["Tally"]

LATENCIES = ("ttft_s", "tpot_s", "e2e_s")

PARTS = (0.5, 0.9, 0.99)
"""Quantiles that ``Latency`` has."""

PARTS_IN_ORDER = 8
"""Number of parts into which requests are divided by their order: chance alone lets each wait longer than the one
before once in 40,000 times."""


class Tally:
    """Sums over completed requests, and the distributions of their latencies.

    Args:
        ttft_limit_s: limit on the time to the first token, s; None without one.
        tpot_limit_s: limit on the time per further token, s; None without one.

    Attributes:
        completed: number of completed requests.
        within: number of requests that stayed within both limits.
        prompt_tokens: prompt tokens of completed requests.
        output_tokens: output tokens of completed requests.
        cached_tokens: prompt tokens found in the prefix cache.
        longest_tokens: length of the longest completed request, prompt and output.
        first_s: arrival of the first request, s.
        last_s: time of the last token of all, s.
        last_arrival_s: arrival of the last request, s.
        ttft_s: distribution of times to the first token, s.
        tpot_s: distribution of times per further token, s.
        e2e_s: distribution of times to the last token, s.
    """

    def __init__(self, *, ttft_limit_s: float | None = None, tpot_limit_s: float | None = None) -> None:
        self.completed = self.within = self.prompt_tokens = self.output_tokens = self.cached_tokens = 0
        self.longest_tokens = 0
        self.first_s, self.last_s, self.last_arrival_s = math.inf, -math.inf, -math.inf
        self.ttft_s, self.tpot_s, self.e2e_s = Spread(), Spread(), Spread()
        self._limits = {"ttft_s": ttft_limit_s, "tpot_s": tpot_limit_s}
        self._by_number = Binned(4)
        self._classes: dict[int, dict[str, Spread]] = {}
        self._within: dict[int, int] = {}

    def add(self, served: ServedRequests) -> None:
        """Add completed requests."""
        if not len(served):
            return
        self.completed += len(served)
        kept = kept_of(served, **self._limits)
        self.within += int(kept.sum())
        self.prompt_tokens += int(served.prompt_tokens.sum())
        self.output_tokens += int(served.output_tokens.sum())
        self.cached_tokens += int(served.cached_tokens.sum())
        self.longest_tokens = max(self.longest_tokens, int((served.prompt_tokens + served.output_tokens).max()))
        self.first_s = min(self.first_s, float(served.arrivals_s.min()))
        self.last_arrival_s = max(self.last_arrival_s, float(served.arrivals_s.max()))
        self.last_s = max(self.last_s, float((served.arrivals_s + served.e2e_s).max()))
        self._by_number.add(served.number, (np.ones(len(served)), served.ttft_s, served.e2e_s, kept))
        for name in LATENCIES:
            getattr(self, name).add(getattr(served, name))
        for kind in np.unique(served.classes).tolist():
            mine = served.classes == kind
            spreads = self._classes.setdefault(kind, {name: Spread() for name in LATENCIES})
            self._within[kind] = self._within.get(kind, 0) + int(kept[mine].sum())
            for name, spread in spreads.items():
                spread.add(getattr(served, name)[mine])

    def latency(self, name: str) -> Latency:
        """Mean and percentiles of one of the three latencies."""
        return _latency(getattr(self, name))

    def in_order(self) -> tuple[InOrder, ...]:
        """Means of each eighth of the requests in their order; empty where they are few."""
        filled = self._by_number.sums[:, self._by_number.sums[0] > 0]
        if filled.shape[1] < PARTS_IN_ORDER:
            return ()
        means = [part[1:].sum(axis=1) / part[0].sum() for part in np.array_split(filled, PARTS_IN_ORDER, axis=1)]
        return tuple(
            InOrder(ttft_s=ttft_s, e2e_s=e2e_s, within=within)
            for ttft_s, e2e_s, within in (mean.tolist() for mean in means)
        )

    def classes(self) -> tuple[OfClass, ...]:
        """Latencies of each class that has requests, the fastest first; empty where all are of one."""
        if len(self._classes) < 2:  # noqa: PLR2004  they are told apart
            return ()
        return tuple(
            OfClass(
                name=CLASSES[kind],
                completed=of["e2e_s"].count,
                within=self._within[kind],
                **{name: _latency(spread) for name, spread in of.items()},
            )
            for kind, of in sorted(self._classes.items())
        )


def _latency(spread: Spread) -> Latency:
    p50, p90, p99 = spread.quantiles(PARTS).tolist()
    return Latency(mean=spread.mean, p50=p50, p90=p90, p99=p99)
