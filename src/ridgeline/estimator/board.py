"""The board's numbers for a model on a machine: floor, balance batch, memory-full batch, and the cost curve's ends.

They know no layout: all chips together hold each weight once and share all work, at the spec sheet's peaks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.equations import memory, pricing, roofline
from ridgeline.estimator.napkin import active_flop_per_s
from ridgeline.estimator.parameters import (
    active_params,
    active_weight_bytes,
    expansion,
    kv_bytes_held,
    kv_bytes_read,
    total_params,
    weight_bytes,
)
from ridgeline.numeric import Numeric
from ridgeline.specs.machine import Chip
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision
from ridgeline.specs.workload import Decode

__all__ = ["Board", "Terms", "board", "board_terms", "largest_params"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What stands in the board's formulas for a model on some chips, all of them together.

    Attributes:
        active_params: N_a, that a token is multiplied with.
        weight_bytes: N_t b_w, that a step reads once.
        kv_bytes_per_sequence: L beta, that a step reads of each sequence.
        flop_per_s: F.
        hbm_bytes_per_s: W.
    """

    active_params: float
    weight_bytes: float
    kv_bytes_per_sequence: float
    flop_per_s: float
    hbm_bytes_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What the blackboard says of a model on some chips at some context.

    Attributes:
        chips: all of them.
        floor_step_time_s: every weight read once. No step that touches every expert is faster.
        has_experts: whether one sequence touches fewer weights than many.
        floor_one_sequence_s: the weights read once that one sequence touches; no step at all is faster.
        balance_batch: where reading weights takes as long as computing, without KV.
        balance_batch_with_kv: the same with KV; None where no batch is bound by compute.
        memory_full_batch: where KV fills what the weights leave.
        compute_usd_per_output_token: what a token costs at any batch for its arithmetic; None without a price.
        kv_usd_per_output_token: what it costs at any batch for reading its own context; None without a price.
        weights_usd_per_step: what reading the weights costs a step, shared by its batch; None without a price.
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
        """What a token costs at least, however large the batch: the larger of computing and reading its context."""
        if self.compute_usd_per_output_token is None or self.kv_usd_per_output_token is None:
            return None
        return max(self.compute_usd_per_output_token, self.kv_usd_per_output_token)


def board_terms(model: Model, chip: Chip, *, chips: int, precision: Precision, step: Decode) -> Terms:
    """What stands in the board's formulas for a decode step; its batch does not matter."""
    return Terms(
        active_params=active_params(model),
        weight_bytes=weight_bytes(model, precision),
        kv_bytes_per_sequence=float(kv_bytes_read(model, precision, step)),
        flop_per_s=chips * active_flop_per_s(model, chip, precision),
        hbm_bytes_per_s=chips * chip.hbm_bytes_per_s,
    )


def board(
    model: Model,
    chip: Chip,
    *,
    chips: int,
    precision: Precision,
    step: Decode,
    held_tokens: float,
    usd_per_chip_s: float | None,
    steps_per_output_token: float = 1.0,
) -> Board:
    """The board's numbers.

    Args:
        model: what is served.
        chip: on what.
        chips: how many share it.
        precision: number formats.
        step: where sequences are in their contexts; its batch does not matter.
        held_tokens: tokens whose keys and values a sequence keeps at its longest.
        usd_per_chip_s: price of a chip; None where there is none.
        steps_per_output_token: decode steps for an output token; below 1 where reading the prompt gives the first.
    """
    terms = board_terms(model, chip, chips=chips, precision=precision, step=step)
    weights = terms.weight_bytes
    weight_s = roofline.memory_time_s(
        batch=1, weight_bytes=weights, kv_bytes_per_sequence=0, hbm_bytes_per_s=terms.hbm_bytes_per_s
    )
    compute_s = roofline.compute_time_s(tokens=1, active_params=terms.active_params, flop_per_s=terms.flop_per_s)
    kv_s = roofline.memory_time_s(
        batch=1,
        weight_bytes=0,
        kv_bytes_per_sequence=terms.kv_bytes_per_sequence,
        hbm_bytes_per_s=terms.hbm_bytes_per_s,
    )
    ratio = roofline.balance_ratio(
        flop_per_s=terms.flop_per_s,
        hbm_bytes_per_s=terms.hbm_bytes_per_s,
        bytes_per_param=weights / total_params(model),
    )
    with_kv = roofline.balance_batch_with_kv(
        weight_time_s=weight_s, compute_time_per_sequence_s=compute_s, kv_time_per_sequence_s=kv_s
    )

    def usd(time_s: Numeric) -> float | None:
        if usd_per_chip_s is None:
            return None
        return float(pricing.usd_per_token(time_s=time_s, chips=chips, tokens=1, usd_per_chip_s=usd_per_chip_s))

    return Board(
        chips=chips,
        floor_step_time_s=float(weight_s),
        floor_one_sequence_s=active_weight_bytes(model, precision) / terms.hbm_bytes_per_s,
        has_experts=active_params(model) < total_params(model),
        balance_batch=float(roofline.balance_batch(balance_ratio=ratio, expansion=expansion(model))),
        balance_batch_with_kv=float(with_kv) if math.isfinite(float(with_kv)) else None,
        memory_full_batch=float(
            memory.memory_full_batch(
                hbm_bytes=chips * chip.hbm_bytes,
                weight_bytes=weights,
                kv_bytes_per_sequence=kv_bytes_held(model, precision, held_tokens),
            )
        ),
        compute_usd_per_output_token=usd(compute_s * steps_per_output_token),
        kv_usd_per_output_token=usd(kv_s * steps_per_output_token),
        weights_usd_per_step=usd(weight_s),
    )


def largest_params(chip: Chip, *, chips: int, bytes_per_param: float) -> float:
    """Parameters of the largest model whose weights alone fill the memory of ``chips``."""
    return chips * chip.hbm_bytes / bytes_per_param
