"""Exercises on list prices. Tolerances as among the exercises on contexts."""

from __future__ import annotations

from ridgeline.boards.card import Level
from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Place, Way
from ridgeline.equations import pricing

__all__ = ["EXERCISES"]

LARGEST_BATCH = 1e6
"""Batch in balance batches at which the weights' share of a cost is negligible."""
ACTIVE_PARAMS, KV_BYTES = 100e9, 2e3
"""Parameters and bytes a token of the board; with the chip's ratio they make the crossover."""

EXERCISES: tuple[Exercise, ...] = (
    compose(
        "prices-token",
        question="{chips} chips at {usd_per_chip_s} each decode {tokens} sequences in steps of {time_s}. What does a"
        " token cost?",
        inputs={"time_s": 0.025, "chips": 64.0, "tokens": 4000.0, "usd_per_chip_s": 3 / 3600},
        equation=pricing.usd_per_token,
        dimension="usd_per_token",
        tolerance=0.05,
        working="The chip-seconds of a step, over its tokens: {chips} * {time_s} * {usd_per_chip_s} / {tokens}",
        time_stamp="0:13:00",
    ),
    compose(
        "prices-request",
        question="A request reads {input_tokens} tokens at {usd_per_input_token} and writes {output_tokens} at"
        " {usd_per_output_token}. What does it cost?",
        inputs={
            "input_tokens": 50e3,
            "output_tokens": 2e3,
            "usd_per_input_token": 3e-6,
            "usd_per_output_token": 15e-6,
        },
        equation=pricing.usd_per_request,
        dimension="usd",
        tolerance=0.01,
        working="Each kind of token at its price: {input_tokens} * {usd_per_input_token} + {output_tokens} *"
        " {usd_per_output_token}",
        time_stamp="1:33:02",
        level=Level.RECALL,
    ),
    compose(
        "prices-cache-bytes",
        question="A list price steps up at {context_tokens} tokens. Suppose that is the crossover of a model with"
        " {active_params} active parameters of {bytes_per_param}, on a chip that multiplies {balance_ratio} parameters"
        " while it reads one, at a large batch. How much KV cache does a token take?",
        inputs={
            "active_params": 60e9,
            "bytes_per_param": 1.0,
            "balance_ratio": 300.0,
            "context_tokens": 100e3,
        },
        equation=pricing.kv_bytes_at_crossover,
        dimension="bytes",
        tolerance=0.05,
        working="The crossover solved for the bytes: {active_params} * {bytes_per_param} / ({balance_ratio} *"
        " {context_tokens})",
        time_stamp="1:37:00",
        place=Place(
            board="kv-bytes",
            way=Way.UPRIGHT,
            line="crossover at",
            at=lambda given: given["active_params"],
            turned=lambda given: {
                "context_tokens": given["context_tokens"],
                "bytes_per_param": given["bytes_per_param"],
                "balance_ratio": given["balance_ratio"],
            },
        ),
    ),
    compose(
        "prices-reach",
        question="Up to the crossover at {crossover_tokens} tokens, a price just covers the cost. Beyond it the price"
        " is {price_ratio} times as high, and the cost grows in proportion to the context. Up to what context does the"
        " higher price cover it?",
        inputs={"crossover_tokens": 150e3, "price_ratio": 1.6},
        equation=pricing.price_step_reach_tokens,
        dimension="count",
        tolerance=0.01,
        working="As many times further as the price is higher: {crossover_tokens} * {price_ratio}",
        time_stamp="1:35:20",
        place=Place(
            board="context",
            way=Way.ALONG,
            line="cost",
            mark="end of the price",
            turned=lambda given: {
                "balance_batches": LARGEST_BATCH,
                "kv_bytes_per_token": KV_BYTES,
                "active_params": ACTIVE_PARAMS,
                "bytes_per_param": 1.0,
                "balance_ratio": ACTIVE_PARAMS / KV_BYTES / given["crossover_tokens"],
                "price_step_tokens": given["crossover_tokens"],
                "price_ratio": given["price_ratio"],
            },
            lines=("list price",),
            on="list price",
        ),
    ),
)
