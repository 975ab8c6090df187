"""Rules by which an engine lets requests in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridgeline.serving.pool_times import PoolTimes
from ridgeline.specs.engine import Engine, Scheduling

__all__ = ["NO_RULES", "Rules", "rules_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Scheduling rules of each case, or of all.

    Attributes:
        first_token_s: host time before a lone request's first token, s, as in ``Scheduling`` (``specs/engine.py``).
        first_token_users_power: exponent of the number of users by which ``first_token_s`` grows, as in ``Scheduling``.
        first_token_steps: decode steps of other requests that a prefill waits for, as in ``Scheduling``.
        dp_balance_steps: further such steps where ``dp`` groups wait for each other's prefills, as in ``Scheduling``.
        stream_interval_steps: decode steps before the server sends its first chunk, as in ``Scheduling``.
        arrivals_wait_fraction: fitted factor on the queueing delay of a closed loop, as in ``Scheduling``.
        prefill_first_fraction: part of a full wave of prefills that a request waits for, as in ``Scheduling``.
        starts_prefills_alone: 1 where each ``dp`` group starts its prefills on its own, else 0, as in ``Scheduling``.
        stated_chunk_steps: part of ``stream_interval_steps`` from a stated stream interval, which delays the start of
            the client's clock for tokens; of an unstated interval, only the delay of the first token is known.
        gap_steps: minimum steps without prompts between one prefill pass and the next.
        aligned_gap_steps: minimum steps without prompts between prefill passes where ``dp`` groups start them together.
        prompt_hold_steps: steps for which the first prompt of a pass is held back for others.
    """

    first_token_s: Array
    first_token_users_power: Array
    first_token_steps: Array
    dp_balance_steps: Array
    stream_interval_steps: Array
    arrivals_wait_fraction: Array
    prefill_first_fraction: Array
    starts_prefills_alone: Array
    stated_chunk_steps: Array
    gap_steps: Array
    aligned_gap_steps: Array
    prompt_hold_steps: Array

    def interval_steps(self, times: PoolTimes) -> Array:
        """Minimum steps from one prefill pass to the next."""
        return 1 + np.maximum(self.gap_steps, times.waits_for_groups * self.aligned_gap_steps)

    def hold_steps(self, times: PoolTimes) -> Array:
        """Steps for which the first prompt of a pass waits: half of the gap on average, or until others have come."""
        return np.asarray(self.prompt_hold_steps + times.waits_for_groups * self.aligned_gap_steps / 2)


NO_RULES = Rules(**{name: np.zeros(1) for name in Rules.__dataclass_fields__})
"""Rules of an engine that lets prompts in at once."""


FITTED = tuple(name for name in Rules.__dataclass_fields__ if name in Scheduling.__dataclass_fields__)
"""Rules that are fitted numbers of an engine; the others follow from its options."""


def rules_of(engine: Engine, *, equal_lengths: bool, is_benchmark: bool) -> Rules:
    """Scheduling rules of an engine for one pool.

    Args:
        engine: engine that schedules the requests.
        equal_lengths: whether all requests are equal; otherwise they never move in waves of prefills.
        is_benchmark: whether a benchmark's scripts started the servers, which then send tokens in chunks.
    """
    how, options = engine.scheduling, engine.options
    numbers = {name: float(getattr(how, name)) for name in FITTED}
    if not equal_lengths:
        numbers["prefill_first_fraction"] = 0.0
    chunk = 0.0
    if how.stream_interval_steps and options.stream_interval is not None:
        numbers["stream_interval_steps"] = chunk = float(options.stream_interval - 1)
    elif not is_benchmark:
        numbers["stream_interval_steps"] = 0.0
    held = float(options.prompt_hold_steps or 0)
    numbers |= {
        "stated_chunk_steps": chunk,
        "gap_steps": max(held, float(options.decode_steps_after_prompts or 0)),
        "aligned_gap_steps": float((options.aligned_prompt_steps or 1) - 1),
        "prompt_hold_steps": held,
    }
    return Rules(**{name: np.array([value]) for name, value in numbers.items()})
