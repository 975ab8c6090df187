"""The board's numbers for a model on a machine: floor, balance batch, memory-full batch, and limits of the cost curve.

All chips together hold each weight once and share all work, at the spec sheet's peaks. No layout counts, unless a
picture of one asks for its copies of the KV cache.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.equations import memory, pricing, roofline
from ridgeline.estimator.parameters import kv_bytes_held, weight_bytes
from ridgeline.estimator.terms import terms_of
from ridgeline.numeric import Numeric
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.machine import Chip
from ridgeline.specs.passes import Pass

__all__ = ["Bounds", "bounds_of", "largest_params"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The blackboard's numbers for a model on some chips at some context.

    Attributes:
        chips: number of chips in the budget.
        floor_step_time_s: time to read every weight once at the peak memory bandwidth of all chips, s; a lower bound on
            any step that touches every expert.
        has_experts: whether one sequence touches fewer weights than many.
        floor_one_sequence_s: time to read once the weights that one sequence touches, s; a lower bound on any step.
        balance_batch: batch at which reading the weights takes as long as computing, without KV.
        balance_batch_with_kv: balance batch including KV reads; None where no batch is compute bound.
        memory_full_batch: batch at which KV caches fill the memory beside the weights.
        compute_usd_per_output_token: compute cost of an output token at any batch, $; None without a price.
        kv_usd_per_output_token: cost of reading an output token's own context at any batch, $; None without a price.
        weights_usd_per_step: cost of reading the weights in a step, shared by its batch, $; None without a price.
    """

    chips: int
    floor_step_time_s: float
    floor_one_sequence_s: float
    has_experts: bool
    balance_batch: float
    balance_batch_with_kv: float | None
    memory_full_batch: float
    compute_usd_per_output_token: float | None
    kv_usd_per_output_token: float | None
    weights_usd_per_step: float | None

    @property
    def floor_usd_per_output_token(self) -> float | None:
        """Lower bound on the cost of a token at any batch: the larger of computing and reading its context."""
        if self.compute_usd_per_output_token is None or self.kv_usd_per_output_token is None:
            return None
        return max(self.compute_usd_per_output_token, self.kv_usd_per_output_token)


def bounds_of(
    deployment: Deployment,
    step: Pass,
    *,
    chips: int,
    held_tokens: float,
    usd_per_chip_s: float | None,
    steps_per_output_token: float = 1.0,
    attention_tp: int = 1,
) -> Bounds:
    """The board's numbers for a deployment.

    Args:
        deployment: deployment whose model, chip and formats count; its layout does not.
        step: decode step that gives the positions in the context; its batch does not matter.
        chips: number of chips that share the step.
        held_tokens: tokens whose keys and values a sequence keeps at its longest.
        usd_per_chip_s: price of a chip; None where there is none.
        steps_per_output_token: decode steps per output token; below 1 where reading the prompt gives the first.
        attention_tp: chips that share the heads of one sequence, each with a copy of what they cannot divide; 1: every
            byte is kept once.
    """
    model, chip, precision = deployment.model, deployment.machine.chip, deployment.precision
    terms = terms_of(model, chip, chips=chips, precision=precision, step=step, attention_tp=attention_tp)

    def read_s(weight_bytes: float, kv_bytes_per_sequence: float) -> Numeric:
        return roofline.memory_time_s(
            batch=1,
            weight_bytes=weight_bytes,
            kv_bytes_per_sequence=kv_bytes_per_sequence,
            hbm_bytes_per_s=terms.hbm_bytes_per_s,
        )

    weight_s, kv_s = read_s(terms.weight_bytes, 0.0), read_s(0.0, terms.kv_bytes_per_sequence)
    compute_s = roofline.compute_time_s(tokens=1, active_params=terms.active_params, flop_per_s=terms.flop_per_s)
    ratio = roofline.balance_ratio(
        flop_per_s=terms.flop_per_s, hbm_bytes_per_s=terms.hbm_bytes_per_s, bytes_per_param=terms.bytes_per_param
    )
    with_kv = roofline.balance_batch_with_kv(
        weight_time_s=weight_s, compute_time_per_sequence_s=compute_s, kv_time_per_sequence_s=kv_s
    )

    def usd(time_s: Numeric) -> float | None:
        if usd_per_chip_s is None:
            return None
        return float(pricing.usd_per_token(time_s=time_s, chips=chips, tokens=1, usd_per_chip_s=usd_per_chip_s))

    return Bounds(
        chips=chips,
        floor_step_time_s=float(weight_s),
        floor_one_sequence_s=float(read_s(terms.one_sequence_bytes, 0.0)),
        has_experts=terms.active_params < terms.params,
        balance_batch=float(roofline.balance_batch(balance_ratio=ratio, expansion=terms.expansion)),
        balance_batch_with_kv=float(with_kv) if math.isfinite(float(with_kv)) else None,
        memory_full_batch=float(
            memory.memory_full_batch(
                hbm_bytes=chips * chip.hbm_bytes,
                weight_bytes=weight_bytes(model, precision),
                kv_bytes_per_sequence=attention_tp * kv_bytes_held(model, precision, held_tokens, tp=attention_tp),
            )
        ),
        compute_usd_per_output_token=usd(compute_s * steps_per_output_token),
        kv_usd_per_output_token=usd(kv_s * steps_per_output_token),
        weights_usd_per_step=usd(weight_s),
    )


def largest_params(chip: Chip, *, chips: int, bytes_per_param: float) -> float:
    """Parameters of the largest model whose weights alone fill the memory of ``chips``."""
    return chips * chip.hbm_bytes / bytes_per_param
