"""Latency and throughput of pools under random arrivals, at each rate of requests."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import sequences_of_a_step
from ridgeline.numeric import ROUNDING
from ridgeline.serving.arrivals import first_token_within_s
from ridgeline.serving.load import MOST_BUSY
from ridgeline.serving.mixed import mixed_times
from ridgeline.serving.open_loop import opened
from ridgeline.serving.pool import PoolCurve, beyond_mean_s, lone_first_tokens_s, most_sequences
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.serving.rules import Rules, rules_of
from ridgeline.serving.step_chain import OpenPool, most_requests_per_s
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload

__all__ = ["LOOKED_AT", "OpenPools", "open_pools", "open_prefill_pools"]

Array = NDArray[np.float64]

LOOKED_AT = np.array([0.02, 0.1, 0.25, 0.4, 0.55, 0.67, 0.77, 0.85, 0.91, 0.96, 1.0])
"""Parts of the highest rate at which a pool is evaluated, where more rates are wanted than these: denser where latency
grows faster. Between them, logarithms are interpolated linearly.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPools:
    """Pools under random arrivals.

    Attributes:
        pool: pass times and scheduling of the pools, a case for each.
        deployments: one deployment per pool, all with one engine.
        rules: scheduling rules of the engine.
        most: sequences of all groups that fit and that the engine admits.
        most_per_s: highest evaluated rate of each pool, requests/s: a part of its capacity.
    """

    pool: OpenPool
    deployments: Sequence[Deployment]
    rules: Rules
    most: Array
    most_per_s: Array

    def case(self, number: int) -> OpenPools:
        """One of the pools, alone."""
        at = np.array([number])
        return OpenPools(
            pool=self.pool.cases(at),
            deployments=self.deployments[number : number + 1],
            rules=self.rules,
            most=self.most[at],
            most_per_s=self.most_per_s[at],
        )

    @property
    def lone_per_s(self) -> Array:
        """Rate at which each pool has one request at a time, requests/s."""
        times = self.pool.times
        return np.asarray(
            1 / (times.decode_steps * times.step_s[times.pool, 0] + lone_first_tokens_s(times, self.rules))
        )

    def curves(self, rates: Sequence[Array], quantile: float) -> list[tuple[PoolCurve, Array]]:
        """Curve of each pool over its rates, and a quantile of the time to first token at each rate, s.

        Args:
            rates: rates at which each pool is evaluated, at most ``most_per_s``, requests/s.
            quantile: part of the requests whose time to first token is below the result.
        """
        rows = self._looked_up(rates, quantile)
        return [self._curve(number, *one) for number, one in enumerate(zip(rates, rows, strict=True))]

    def first_tokens(self, rates: Sequence[Array], quantile: float) -> list[tuple[Array, Array]]:
        """Quantile of the time to first token of each pool at each of its rates, s, and its mean, s.

        Args:
            rates: rates at which each pool is evaluated, requests/s; beyond its capacity, the time is that of a pool
                which is all but full.
            quantile: part of the requests whose time to first token is below the result.
        """
        return [(one["first_s"], one["mean_s"]) for one in self._looked_up(rates, quantile)]

    def _looked_up(self, rates: Sequence[Array], quantile: float) -> list[dict[str, Array]]:
        """Values of each pool at its rates, interpolated where these are many."""
        looked_at = [
            wanted if len(wanted) <= len(LOOKED_AT) else np.clip(LOOKED_AT * wanted.max(), wanted.min(), None)
            for wanted in rates
        ]
        values = self._at(looked_at, quantile)
        ends = np.cumsum([len(one) for one in looked_at])
        found = []
        for number, (wanted, known) in enumerate(zip(rates, looked_at, strict=True)):
            rows = {name: value[ends[number] - len(known) : ends[number]] for name, value in values.items()}
            if known is not wanted:
                rows = {
                    name: np.exp(np.interp(np.log(wanted), np.log(known), np.log(value)))
                    for name, value in rows.items()
                }
            found.append(rows)
        return found

    def _curve(self, number: int, rate: Array, rows: dict[str, Array]) -> tuple[PoolCurve, Array]:
        """Curve of one pool, from the values that vary with the rate."""
        deployment, groups = self.deployments[number], self.deployments[number].layout.dp
        steps = self.pool.times.decode_steps[number]
        step_s = rows["tpot_s"] * deployment.speculation.accepted_tokens
        in_flight = rate * steps * step_s
        under_way = in_flight + rate * rows["mean_s"]
        busy = -np.expm1(-under_way)
        batch = np.clip(np.ceil(under_way / busy / groups - ROUNDING) * groups, groups, self.most[number])
        lone_s = lone_first_tokens_s(self.pool.times.cases(np.array([number])), self.rules)
        curve = PoolCurve(
            first_token_s=deployment.correction.ttft_factor / deployment.correction.tpot_factor * float(lone_s[0]),
            batch=batch,
            in_flight=in_flight / busy,
            decoding=np.asarray(sequences_of_a_step(in_flight=in_flight / busy, users=batch)),
            decode_step_s=rows["decode_step_s"],
            prompt_s=rows["prompt_s"],
            tpot_s=rows["tpot_s"],
            requests_per_s=rate / busy,
        )
        return curve, rows["first_s"]

    def _at(self, rates: Sequence[Array], quantile: float) -> dict[str, Array]:
        """Values that vary with the rate, for all pools one after the other."""
        owners = np.repeat(np.arange(len(rates)), [len(one) for one in rates])
        accepted = np.array([one.speculation.accepted_tokens for one in self.deployments])
        factor = np.array([one.correction.ttft_factor / one.correction.tpot_factor for one in self.deployments])
        pool, rate = self.pool.cases(owners), np.concatenate(rates)
        parts: list[dict[str, Array]] = []
        for start in range(0, len(rate), BLOCK):
            rows = np.arange(start, min(start + BLOCK, len(rate)))
            cases, mine = pool.cases(rows), owners[rows]
            found = opened(cases, self.most_per_s[mine] / MOST_BUSY, rate[rows], self.most[mine])
            first_s, mean_s = first_token_within_s(
                cases, self.rules, found, beyond_mean_s(cases.times), quantile=quantile
            )
            parts.append(
                {
                    "tpot_s": found.tpot_s / accepted[mine],
                    "decode_step_s": found.step_s,
                    "prompt_s": np.maximum(found.prompt_s, ROUNDING),
                    "first_s": factor[mine] * first_s,
                    "mean_s": factor[mine] * mean_s,
                }
            )
        return {name: np.concatenate([one[name] for one in parts]) for name in parts[0]}


BLOCK = 512
"""Number of rates that are evaluated together: their arrays fit in the processor's cache."""


def open_prefill_pools(times: PoolTimes, deployments: Sequence[Deployment], workload: Workload) -> OpenPools:
    """Pools that only read prompts which come at random: each is gone after a step, and the one in which it was read.

    Args:
        times: times of the pools' passes.
        deployments: one deployment per pool, all with one engine.
        workload: requests whose prompts each pool reads.
    """
    return open_pools(dataclasses.replace(times, decode_steps=np.ones_like(times.decode_steps)), deployments, workload)


def open_pools(times: PoolTimes, deployments: Sequence[Deployment], workload: Workload) -> OpenPools:
    """Pools of deployments with random arrivals, and the highest rate of each.

    Args:
        times: times of the pools' passes.
        deployments: one deployment per pool, all with one engine.
        workload: requests that each pool serves.
    """
    most = np.array([float(most_sequences(one, workload)) for one in deployments])
    rules = rules_of(deployments[0].engine, equal_lengths=False, is_benchmark=False)
    mixed = mixed_times(deployments, workload, most.max(), times)
    factor = np.array([one.correction.tpot_factor for one in deployments])
    if (factor != 1).any():  # steps were measured to take so many times as long
        whole = {name: getattr(times, name) * factor for name in ("lone_s", "latency_s", "alone_s", "full_s")}
        times = dataclasses.replace(times, step_s=times.step_s * factor[:, None], **whole)
        mixed = dataclasses.replace(mixed, taken_s=mixed.taken_s * factor[:, None, None], lone_s=mixed.lone_s * factor)
    pool = OpenPool(times=times, mixed=mixed, interval=rules.interval_steps(times) * np.ones(len(deployments)))
    sequences = most * times.groups
    return OpenPools(
        pool=pool,
        deployments=deployments,
        rules=rules,
        most=sequences,
        most_per_s=MOST_BUSY * most_requests_per_s(pool, sequences),
    )
