"""Exercises on experts and what they are worth.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one; what is counted, or comes
out round, is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.equations import experts, roofline, sparsity

__all__ = ["EXERCISES"]

ROUTED = {"routed_fraction": 0.5, "experts": 33.0, "balance_ratio": 250.0}

EXERCISES: tuple[Exercise, ...] = (
    compose(
        "sparsity-touched",
        time_stamp="0:33:00",
        question="Each token visits {active_experts} of {experts} experts, chosen evenly and independently. How many"
        " different experts do {tokens} tokens visit on average?",
        inputs={"experts": 64.0, "active_experts": 2.0, "tokens": 64.0},
        equation=experts.experts_touched,
        dimension="count",
        tolerance=0.05,
        working="All except those that every token misses: {experts} * (1 - (1 - {active_experts} /"
        " {experts})^{tokens})",
    ),
    compose(
        "sparsity-total",
        time_stamp="0:30:13",
        question="A dense model has {params} parameters, {routed_fraction} of them in its feed-forward blocks. Each"
        " block becomes {experts} experts of the same size. How many parameters does the model have now?",
        inputs={"params": 2e9, "routed_fraction": 0.4, "experts": 32.0},
        equation=sparsity.routed_total_params,
        dimension="count",
        tolerance=0.05,
        working="The model and its further experts: {params} * (1 + {routed_fraction} * ({experts} - 1))",
    ),
    compose(
        "sparsity-saturation",
        time_stamp="0:30:13",
        question="Since more experts help less and less, a scaling law replaces their number E by X = 1 / (1 / (E - 1"
        " + o) + 1 / {experts_most}), with o = 1 / (1 / {experts_start} - 1 / {experts_most}). What is X for {experts}"
        " experts?",
        inputs={"experts": 64.0, "experts_start": 2.0, "experts_most": 300.0},
        equation=sparsity.saturated_experts,
        dimension="count",
        tolerance=0.05,
        working="With all numbers in: 1 / (1 / ({experts} - 1 + 1 / (1 / {experts_start} - 1 / {experts_most})) + 1 /"
        " {experts_most})",
    ),
    compose(
        "sparsity-balance",
        time_stamp="0:30:51",
        question="Feed-forward blocks hold {routed_fraction} of a dense model's parameters. Each becomes {experts}"
        " experts, of which a token visits one. On a chip that multiplies {balance_ratio} parameters while it reads"
        " one, at what batch does the arithmetic take as long as reading the weights?",
        inputs=ROUTED,
        equation=roofline.balance_batch,
        answer=lambda: roofline.balance_batch(
            balance_ratio=ROUTED["balance_ratio"],
            expansion=sparsity.routed_total_params(
                params=1, routed_fraction=ROUTED["routed_fraction"], experts=ROUTED["experts"]
            ),
        ),
        dimension="count",
        tolerance=0.05,
        working="The ratio times all parameters over the active ones: {balance_ratio} * (1 + {routed_fraction} *"
        " ({experts} - 1))",
    ),
    compose(
        "sparsity-hot",
        time_stamp="0:34:20",
        question="One expert gets {load_over_mean} times as many tokens as each other expert. Its {copies} copies, on"
        " different chips, share them evenly, and every chip holds {slots_per_chip} experts. How many times as many"
        " tokens does a chip with a copy get as a chip without?",
        inputs={"load_over_mean": 8.0, "copies": 2.0, "slots_per_chip": 4.0},
        equation=experts.copied_chip_load,
        dimension="count",
        tolerance=0.01,
        working="The copy's tokens and its neighbours', over those of a whole chip without: ({load_over_mean} /"
        " {copies} + {slots_per_chip} - 1) / {slots_per_chip}",
    ),
)
