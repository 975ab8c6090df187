"""Terms of the board's formulas for a model on some chips; napkin, floor and plots all use them.

The input embedding is looked up and never multiplied, so it counts neither among the parameters nor among the bytes
that a step reads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import overload

from ridgeline.equations.experts import experts_touched
from ridgeline.estimator.parameters import (
    embedding_params,
    holdings,
    kv_bytes_read,
    multiplied_params,
    total_params,
)
from ridgeline.numeric import Numeric
from ridgeline.specs.machine import Chip
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass
from ridgeline.specs.precision import Component, Precision

__all__ = ["Terms", "active_flop_per_s", "read_weight_bytes", "terms_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Terms of the board's formulas, for all chips together.

    Attributes:
        active_params: N_a, parameters that a token is multiplied with.
        params: N_t, parameters of the model.
        weight_bytes: N_t b_w, bytes of weights that a step reads once.
        one_sequence_bytes: bytes of weights that one sequence's token touches.
        expert_share: part of the parameters that are routed experts'.
        kv_bytes_per_sequence: L beta, bytes of KV cache that a step reads of each sequence, on all chips that keep it.
        flop_per_s: F, peak arithmetic of all chips, FLOP/s.
        hbm_bytes_per_s: W, peak memory bandwidth of all chips, bytes/s.
    """

    active_params: float
    params: float
    weight_bytes: float
    one_sequence_bytes: float
    expert_share: float
    kv_bytes_per_sequence: float
    flop_per_s: float
    hbm_bytes_per_s: float

    @property
    def expansion(self) -> float:
        """Total over active parameters, N_t / N_a, at least 1."""
        return self.params / self.active_params

    @property
    def bytes_per_param(self) -> float:
        """Bytes per parameter, b_w, the mean over all parameters."""
        return self.weight_bytes / self.params


def terms_of(model: Model, chip: Chip, *, chips: int, precision: Precision, step: Pass, attention_tp: int = 1) -> Terms:
    """Terms of a decode step; they do not depend on its batch.

    Args:
        model: model that takes the step.
        chip: chip of the machine.
        chips: number of chips that share the step.
        precision: number formats of weights and KV cache.
        step: decode step that gives the positions in the context.
        attention_tp: chips that share the heads of one sequence, each with a copy of what they cannot divide; 1: every
            byte is kept once.
    """
    return Terms(
        active_params=multiplied_params(model),
        params=total_params(model) - embedding_params(model),
        weight_bytes=read_weight_bytes(model, precision),
        one_sequence_bytes=read_weight_bytes(model, precision, tokens=1.0),
        expert_share=sum(one.params for one in holdings(model) if one.component is Component.EXPERTS)
        / (total_params(model) - embedding_params(model)),
        kv_bytes_per_sequence=float(kv_bytes_read(model, precision, step.only_lane, tp=attention_tp)),
        flop_per_s=chips * active_flop_per_s(model, chip, precision),
        hbm_bytes_per_s=chips * chip.hbm_bytes_per_s,
    )


@overload
def read_weight_bytes(model: Model, precision: Precision, *, tokens: float = ...) -> float: ...
@overload
def read_weight_bytes(model: Model, precision: Precision, *, tokens: Numeric) -> Numeric: ...
def read_weight_bytes(model: Model, precision: Precision, *, tokens: Numeric = math.inf) -> Numeric:
    """Bytes of the weights that a step reads: the mean of those that its tokens touch; left out, all."""
    read: Numeric = 0.0
    for holding in holdings(model):
        if holding.component is not Component.EMBEDDING:
            touched = experts_touched(experts=1.0, active_experts=holding.active_fraction, tokens=tokens)
            read = read + holding.params * touched * precision.of(holding.component).weight.bytes_per_value
    return read


def active_flop_per_s(model: Model, chip: Chip, precision: Precision) -> float:
    """Peak arithmetic of a chip for a token of this model, FLOP/s: the mean over the number formats of its products.

    A checkpoint of one format has that format's peak; with several, each parameter takes its own time. The input
    embedding is looked up, so its format does not count.
    """
    active = [
        (holding.params * holding.active_fraction, precision.of(holding.component))
        for holding in holdings(model)
        if holding.component is not Component.EMBEDDING
    ]
    time_s = sum(params / chip.flop_per_s[formats.operand.arithmetic] for params, formats in active)
    return sum(params for params, _ in active) / time_s
