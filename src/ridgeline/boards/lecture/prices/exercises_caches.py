"""Exercises on reading against writing, and on the tiers of memory that a cache waits in.

Tolerances as among the exercises on serving: five percent for several steps, one for one, none for what is counted.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Place, Way
from ridgeline.equations import caching, pricing

__all__ = ["EXERCISES"]

BILLION = 1e9
"""Tokens whose caches the board prices."""

HELD = {
    "kv_bytes_per_token": 100e3,
    "capacity_bytes": 192e9,
    "usd_per_chip_s": 3 / 3600,
    "context_tokens": 50e3,
    "held_s": 600.0,
}

EXERCISES: tuple[Exercise, ...] = (
    compose(
        "prices-decode-over-prefill",
        time_stamp="1:47:40",
        question="A batch is {balance_batches} of the balance batch. The crossover is at {crossover_tokens} tokens,"
        " and contexts have {context_tokens}. If prefill is compute-bound, how many times an input token does an"
        " output token cost?",
        inputs={"context_tokens": 60e3, "crossover_tokens": 40e3, "balance_batches": 0.5},
        equation=pricing.decode_over_prefill,
        dimension="count",
        tolerance=0.05,
        working="Memory time over compute time, as it is above one: 1 / {balance_batches} + {context_tokens} /"
        " {crossover_tokens}",
        place=Place(
            board="prefill",
            way=Way.UPRIGHT,
            line="cost",
            at=lambda _: 1.0,
            turned=dict,
            lines=("compute",),
        ),
    ),
    compose(
        "prices-hits",
        time_stamp="2:01:00",
        question="Writing a prompt into a cache costs {write_ratio} times the input price, and reading it back"
        " {read_ratio} times. How many hits does a write need on average to pay for itself?",
        inputs={"write_ratio": 1.5, "read_ratio": 0.25},
        equation=pricing.hits_to_pay_back,
        dimension="count",
        tolerance=0.05,
        working="The premium of a write over the saving of a hit: ({write_ratio} - 1) / (1 - {read_ratio})",
    ),
    compose(
        "tiers-drain",
        time_stamp="2:02:20",
        question="A drive holds {capacity_bytes} and reads {bytes_per_s}. How long does it take to read the whole"
        " drive?",
        inputs={"capacity_bytes": 15e12, "bytes_per_s": 12.5e9},
        equation=caching.drain_time_s,
        dimension="s",
        tolerance=0.01,
        working="Capacity over bandwidth: {capacity_bytes} / {bytes_per_s}",
    ),
    compose(
        "tiers-hold",
        time_stamp="1:57:30",
        question="A chip with {capacity_bytes} of memory rents for {usd_per_chip_s}. What does it cost to hold the KV"
        " cache of {context_tokens} tokens, {kv_bytes_per_token} each, for {held_s}?",
        inputs=HELD,
        equation=caching.hold_usd_per_token_s,
        answer=lambda: (
            HELD["context_tokens"]
            * HELD["held_s"]
            * caching.hold_usd_per_token_s(
                kv_bytes_per_token=HELD["kv_bytes_per_token"],
                capacity_bytes=HELD["capacity_bytes"],
                usd_per_s=HELD["usd_per_chip_s"],
            )
        ),
        dimension="usd",
        tolerance=0.05,
        working="Its share of the memory, times the time, at the chip's price: {context_tokens} * {kv_bytes_per_token}"
        " / {capacity_bytes} * {held_s} * {usd_per_chip_s}",
    ),
    compose(
        "tiers-recompute",
        time_stamp="2:00:50",
        question="A chip that rents for {usd_per_chip_s} reaches {flop_per_s}. What does it cost per token to"
        " recompute the KV cache of a model with {active_params} active parameters, without attention?",
        inputs={"active_params": 80e9, "flop_per_s": 1e15, "usd_per_chip_s": 2.7 / 3600},
        equation=caching.recompute_usd_per_token,
        dimension="usd_per_token",
        tolerance=0.05,
        working="Two FLOP per parameter, at the chip's price: 2 * {active_params} / {flop_per_s} * {usd_per_chip_s}",
        place=Place(
            board="tiers",
            way=Way.UPRIGHT,
            line="recompute",
            at=lambda _: HELD["held_s"],
            turned=lambda given: {**given, "reached_fraction": 1.0},
            lines=("HBM", "flash"),
            times=BILLION,
        ),
    ),
    compose(
        "tiers-break-even",
        time_stamp="2:03:41",
        question="A cache costs {retrieve_usd} to fetch and {hold_usd_per_s} to hold in one tier, and"
        " {slower_retrieve_usd} and {slower_hold_usd_per_s} in a slower one. From what time between uses is the slower"
        " tier cheaper?",
        inputs={
            "retrieve_usd": 0.001,
            "hold_usd_per_s": 0.09 / 3600,
            "slower_retrieve_usd": 0.005,
            "slower_hold_usd_per_s": 0.01 / 3600,
        },
        equation=caching.break_even_s,
        dimension="s",
        tolerance=0.05,
        working="Dearer to fetch, over cheaper to hold: ({slower_retrieve_usd} - {retrieve_usd}) / ({hold_usd_per_s} -"
        " {slower_hold_usd_per_s})",
    ),
)
