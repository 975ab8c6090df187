"""A decode step as the board writes it: reading all weights, computing for a sequence, reading its context."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ridgeline.boards.board import Control, Facts, LetterNumber, Values
from ridgeline.boards.constant import Constant, said
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import EXPANSION
from ridgeline.equations import experts, roofline
from ridgeline.numeric import Numeric

ACTIVE_PARAMS = said(37e9, "0:04:52", hedge="about")
"""Active parameters of DeepSeek-V3."""

__all__ = [
    "BALANCE_BATCHES",
    "NUMBERS",
    "StepTimes",
    "drawn_balance_batch",
    "read_fraction",
    "shown_batches",
    "step_controls",
    "step_times",
    "weight_bytes",
]

BALANCE_BATCHES = 2.2
"""Largest batch of a picture, in balance batches."""
NEAR = 10
"""Multiple of the balance batch of weights alone up to which the one with contexts is drawn."""

NUMBERS = (
    LetterNumber(
        tex="N_t",
        value=lambda values: values["active_params"] * values["expansion"],
        of="expansion",
        factors=("active_params", "expansion"),
    ),
)
"""Numbers of the step's letters that no control turns."""


def step_controls(
    *,
    context_tokens: Constant,
    careful_context_tokens: float,
    careful_context_is: Callable[[Facts], str],
    chips: Control,
    kv_bytes_per_token: Control,
) -> tuple[Control, ...]:
    """Controls that a decode step depends on."""
    return (
        controls.active_params(ACTIVE_PARAMS),
        controls.expansion(EXPANSION),
        controls.bytes_per_param(),
        controls.flop_per_s(),
        controls.hbm_bytes_per_s(),
        chips,
        replace(
            controls.context_tokens(lecture=context_tokens, careful=careful_context_tokens),
            careful_is=careful_context_is,
        ),
        kv_bytes_per_token,
        controls.expert_share(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTimes:
    """Terms of the board's maximum, and the batches at which they meet.

    Attributes:
        weights_s: time to read all weights, s.
        compute_s: time to compute a token of one sequence, s.
        kv_s: time to read one sequence's context, s.
        balance_batch: batch from which on computing takes longer than reading the weights.
        balance_batch_with_kv: balance batch with contexts; infinite where no batch is bound by compute.
    """

    weights_s: float
    compute_s: float
    kv_s: float
    balance_batch: float
    balance_batch_with_kv: float


def weight_bytes(at: Values) -> float:
    """Size of all weights, bytes."""
    return at["active_params"] * at["expansion"] * at["bytes_per_param"]


def read_fraction(at: Values, batch: Numeric) -> Numeric:
    """Part of the weights that a step of a batch reads: few sequences wake few experts."""
    return experts.read_fraction(expert_share=at["expert_share"], expansion=at["expansion"], tokens=batch)


def step_times(at: Values) -> StepTimes:
    """Times of a step by the values of its controls."""
    hbm_bytes_per_s, flop_per_s = at["chips"] * at["hbm_bytes_per_s"], at["chips"] * at["flop_per_s"]

    def read_s(weights: float, kv: float) -> float:
        found = roofline.memory_time_s(
            batch=1, weight_bytes=weights, kv_bytes_per_sequence=kv, hbm_bytes_per_s=hbm_bytes_per_s
        )
        return float(found)

    weights_s, kv_s = read_s(weight_bytes(at), 0), read_s(0, at["context_tokens"] * at["kv_bytes_per_token"])
    compute_s = float(roofline.compute_time_s(tokens=1, active_params=at["active_params"], flop_per_s=flop_per_s))
    ratio = roofline.balance_ratio(
        flop_per_s=flop_per_s, hbm_bytes_per_s=hbm_bytes_per_s, bytes_per_param=at["bytes_per_param"]
    )
    with_kv = roofline.balance_batch_with_kv(
        weight_time_s=weights_s, compute_time_per_sequence_s=compute_s, kv_time_per_sequence_s=kv_s
    )
    return StepTimes(
        weights_s=weights_s,
        compute_s=compute_s,
        kv_s=kv_s,
        balance_batch=float(roofline.balance_batch(balance_ratio=ratio, expansion=at["expansion"])),
        balance_batch_with_kv=float(with_kv),
    )


def drawn_balance_batch(times: StepTimes) -> float | None:
    """The balance batch with contexts, where it is near enough to be drawn; None where it is far off, or nowhere."""
    is_near = times.balance_batch_with_kv < NEAR * times.balance_batch
    return times.balance_batch_with_kv if is_near else None


def shown_batches(times: StepTimes) -> float:
    """Largest batch of a picture: beyond the balance batch, and at least two."""
    return max(2.0, BALANCE_BATCHES * (drawn_balance_batch(times) or times.balance_batch))
