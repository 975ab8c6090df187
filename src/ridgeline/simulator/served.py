"""Finished requests with their latencies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.serving.stages import StageWay
from ridgeline.simulator.replica import Finished
from ridgeline.specs.engine import Engine

__all__ = ["Latency", "ServedRequests", "joined", "kept_of", "latency_of", "served_of", "within"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Statistics of a latency over all completed requests; NaN where there are none.

    Attributes:
        mean: mean latency, s.
        p50: median latency, s.
        p90: 90th percentile, s.
        p99: 99th percentile, s.
    """

    mean: float
    p50: float
    p90: float
    p99: float


def latency_of(values: Array) -> Latency:
    """Mean and percentiles of values; NaNs are left out."""
    known = values[np.isfinite(values)]
    if not len(known):
        return Latency(mean=math.nan, p50=math.nan, p90=math.nan, p99=math.nan)
    p50, p90, p99 = np.quantile(known, (0.5, 0.9, 0.99)).tolist()
    return Latency(mean=float(np.mean(known)), p50=p50, p90=p90, p99=p99)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRequests:
    """Completed requests as their clients saw them; arrays of one length, in the order of the trace.

    Attributes:
        number: number of each request in its trace, from 0 up.
        replica: replica that served each request; with two pools, the decode replica.
        arrivals_s: arrival time of each request, s.
        prompt_tokens: input tokens of each request.
        output_tokens: output tokens of each request.
        ttft_s: time to the first token, s.
        tpot_s: time per further token, s; NaN where there is none.
        e2e_s: time to the last token, s.
        cached_tokens: tokens of each prompt found in the prefix cache.
        classes: class number of each request; all are standard where it is empty.
    """

    number: NDArray[np.int64]
    replica: NDArray[np.int64]
    arrivals_s: Array
    prompt_tokens: NDArray[np.int64]
    output_tokens: NDArray[np.int64]
    ttft_s: Array
    tpot_s: Array
    e2e_s: Array
    cached_tokens: NDArray[np.int64]
    classes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.number)


def served_of(
    finished: Finished, replica: int, engine: Engine, reader: Engine | None = None, way: StageWay | None = None
) -> ServedRequests:
    """Requests by their client's clock: host time comes before the first token, and tokens may be sent in chunks.

    Args:
        finished: requests that were finished.
        replica: index of the replica that served them.
        engine: engine of the replica.
        reader: engine of the prefill replicas, where they have another one.
        way: time of prompts through the stages of a pipeline; None without one.
    """
    host_s, chunk = (reader or engine).scheduling.first_token_s, engine.options.stream_interval or 1
    outside_s = host_s + (0.0 if way is None else way.of(finished.prompt_tokens))
    first_s, steps = finished.first_s - finished.arrivals_s + outside_s, finished.output_tokens - 1
    e2e_s = finished.done_s - finished.arrivals_s + outside_s
    if chunk > 1:
        each_s = (e2e_s - first_s) / np.maximum(steps, 1)
        first_s = first_s + np.minimum(chunk - 1, steps) * each_s
    tpot_s = np.full(len(steps), np.nan)
    np.divide(e2e_s - first_s, steps, out=tpot_s, where=steps > 0)
    return ServedRequests(
        number=finished.number,
        replica=np.full(len(steps), replica),
        arrivals_s=finished.arrivals_s,
        prompt_tokens=finished.prompt_tokens,
        output_tokens=finished.output_tokens,
        ttft_s=first_s,
        tpot_s=tpot_s,
        e2e_s=e2e_s,
        cached_tokens=finished.cached_tokens,
        classes=finished.classes,
    )


def kept_of(served: ServedRequests, *, ttft_s: float | None, tpot_s: float | None) -> NDArray[np.bool_]:
    """Whether each request stayed within both limits; one of a single token has no time per further token."""
    kept = np.ones(len(served), dtype=bool)
    if ttft_s is not None:
        kept &= served.ttft_s <= ttft_s
    if tpot_s is not None:
        kept &= ~(served.tpot_s > tpot_s)
    return kept


def within(served: ServedRequests, *, ttft_s: float | None, tpot_s: float | None) -> float:
    """Part of the requests that stayed within both limits."""
    return float(np.mean(kept_of(served, ttft_s=ttft_s, tpot_s=tpot_s)))


def joined(parts: Sequence[ServedRequests]) -> ServedRequests:
    """Requests of several blocks and replicas, in the order of the trace."""
    columns = {
        name: np.concatenate([getattr(one, name) for one in parts]) for name in ServedRequests.__dataclass_fields__
    }
    order = np.argsort(columns["number"], kind="stable")
    return ServedRequests(**{name: values[order] for name, values in columns.items()})
