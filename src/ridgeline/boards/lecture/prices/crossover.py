"""Crossover context that a price step suggests, by the lecture's numbers."""

from __future__ import annotations

from ridgeline.boards.board import Values
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture.controls import BYTES_PER_PARAM
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, BALANCE_RATIO, STEP_TOKENS
from ridgeline.equations import contexts, pricing
from ridgeline.numeric import INFINITY, Numeric, maximum

__all__ = [
    "BATCHES",
    "CROSSOVER_KV_BYTES",
    "MANY_BATCHES",
    "PRICE_RATIO",
    "cost_over_compute",
    "crossover_tokens",
]

PRICE_RATIO = said(1.5, "1:33:02", beside="D1")
"""Price beyond the step over the price before it, as the question has it."""

BATCHES = filled_in(3.0, why="a batch for the drawing, which he leaves open")
"""Batch of the drawing, in balance batches: it sets where the memory line starts, which he leaves open."""

MANY_BATCHES = said(INFINITY, "1:36:30", hedge="so large that reading weights takes negligible time")
"""The batch that his crossover is computed for."""

CROSSOVER_KV_BYTES = implied(
    float(
        pricing.kv_bytes_at_crossover(
            active_params=float(ACTIVE_PARAMS),
            bytes_per_param=float(BYTES_PER_PARAM),
            balance_ratio=float(BALANCE_RATIO),
            context_tokens=float(STEP_TOKENS),
        )
    ),
    "1:38:35",
    hedge="plausible, if maybe a little bit small",
    claim="D3",
)
"""Bytes of keys and values a token, 1.667 kB, for which the crossover lies at the step."""


def crossover_tokens(at: Values, balance_batches: float = INFINITY) -> float:
    """L*, by the values of a board's controls; of fewer balance batches where weights take a part of the time."""
    found = contexts.crossover_context_tokens(
        active_params=at["active_params"],
        bytes_per_param=at["bytes_per_param"],
        balance_ratio=at["balance_ratio"],
        kv_bytes_per_token=at["kv_bytes_per_token"],
        balance_batches=balance_batches,
    )
    return float(found)


def cost_over_compute(*, context: Numeric, crossover: float, balance_batches: float) -> Numeric:
    """Cost of an output token over its compute cost: the larger of reading and computing."""
    over = contexts.memory_over_compute(context_over_crossover=context / crossover, batch_over_balance=balance_batches)
    return maximum(over, 1.0)
