"""DeepSeek-V3 on a machine of the catalog, and the fleet that DeepSeek serves it with.

The fleet is one operator's in production, by its own report of a day of serving V3 and R1 on nodes of eight H800:
open-infra-index, day 6 (2025-03-01).
"""

from __future__ import annotations

from ridgeline.boards.board import Control, Facts
from ridgeline.boards.constant import Constant
from ridgeline.boards.lecture import controls
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import departures
from ridgeline.specs.feed_forward import RoutedExperts

__all__ = [
    "CHIPS_PER_NODE",
    "DECODE_NODES",
    "HIT_FRACTION",
    "INPUT_TOKENS_PER_NODE_S",
    "MEAN_CONTEXT_TOKENS",
    "MODEL",
    "OUTPUT_TOKENS_PER_NODE_S",
    "REPORT",
    "TOKENS_PER_USER_S",
    "balance_batches",
    "batch_over_balance",
    "crossover_tokens",
    "decode_batch",
    "experts",
    "facts",
]

MODEL = "deepseek-v3"

REPORT = "open-infra-index, day 6 (2025-03-01)"

CHIPS_PER_NODE = 8
DECODE_NODES = 18
"""Nodes that decode one copy of the model."""

INPUT_TOKENS_PER_NODE_S, OUTPUT_TOKENS_PER_NODE_S = 73.7e3, 14.8e3
"""Input tokens a second of a prefill node, cache hits included, and output tokens a second of a decode node."""

TOKENS_PER_USER_S = 21.0
"""Tokens a second of a user; the report says 20 to 22."""

HIT_FRACTION = 342 / 608
"""Fraction of the input tokens that hit the cache; the counts are in billions of tokens."""

MEAN_CONTEXT_TOKENS = 4989.0
"""Mean context of an output token, tokens of KV cache."""


def facts(machine: str) -> Facts:
    """DeepSeek-V3 on the catalog's machine of that name."""
    return Facts(model=load_model(MODEL), machine=load_machine(machine))


def experts() -> RoutedExperts:
    """DeepSeek-V3's routed block."""
    block = controls.routed_block(load_model(MODEL))
    if block is None:
        raise TypeError(f"{MODEL} has no routed experts; take a model that has")
    return block


def crossover_tokens(machine: str) -> float:
    """Tokens of context that a machine reads while one is computed."""
    found = controls.crossover_tokens(facts(machine))
    if found is None:
        raise ValueError(f"{MODEL} keeps nothing of a token; claims take it for a model that does")
    return found


def decode_batch() -> float:
    """Sequences that one copy of the model decodes at a time."""
    found = departures.sequences_in_flight(
        tokens_per_s=DECODE_NODES * OUTPUT_TOKENS_PER_NODE_S, tokens_per_s_per_sequence=TOKENS_PER_USER_S
    )
    return float(found)


def balance_batches() -> float:
    """Decode batch over the balance batch of DeepSeek-V3 on its chips (A26)."""
    return decode_batch() / controls.balance_batch(facts("h800-sxm"))


def batch_over_balance(lecture: Constant, *, low: float = 0.2) -> Control:
    """Control of a batch in balance batches; its careful value is DeepSeek's.

    Args:
        lecture: value of the lecture.
        low: lower end of the range.
    """
    return Control(
        name="balance_batches",
        meaning="balance batches",
        called="batch, in balance batches",
        short="batch",
        dimension="count",
        low=low,
        high=1e6,
        lecture=lecture,
        careful=lambda _: balance_batches(),
    )
