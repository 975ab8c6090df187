"""Exercises on contexts and list prices: what is kept, what it costs to read, what a price gives away.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one.
"""

from __future__ import annotations

from ridgeline.boards.card import Level
from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.lecture.prices.shapes import shape_kv_bytes
from ridgeline.boards.place import Place, Way
from ridgeline.equations import attention, contexts, memory, pricing, roofline
from ridgeline.numeric import Numeric

__all__ = ["EXERCISES"]

HEADS = {"layers": 48.0, "kv_heads": 4.0, "head_dim": 128.0, "bytes_per_value": 2.0}
SHARED = {"kv_bytes_per_token": 1536.0, "kv_heads": 2.0, "head_dim": 128.0, "bytes_per_value": 1.0}
SPARSE = {
    "kept_bytes": 80e3,
    "active_params": 40e9,
    "bytes_per_param": 1.0,
    "balance_ratio": 300.0,
    "context_tokens": 100e3,
}
HELD = {"chips": 64.0, "hbm_bytes": 250e9, "weight_bytes": 800e9, "kv_bytes_per_token": 80e3}
CHIP = {"active_params": 40e9, "kv_bytes_per_token": 80e3, "flop_per_s": 2e15, "hbm_bytes_per_s": 5e12}
CROSSOVER_TOKENS = 100e3
"""Crossover context of the board; a context is counted in crossovers."""
PROMPT = {"prompt_tokens": 20e6, "active_params": 50e9, "flop_per_pair": 1e6}


def _crossover() -> Numeric:
    """Crossover context with parameters of a byte: it does not depend on how wide they are."""
    ratio = roofline.balance_ratio(
        flop_per_s=CHIP["flop_per_s"], hbm_bytes_per_s=CHIP["hbm_bytes_per_s"], bytes_per_param=1
    )
    return contexts.crossover_context_tokens(
        active_params=CHIP["active_params"],
        bytes_per_param=1,
        balance_ratio=ratio,
        kv_bytes_per_token=CHIP["kv_bytes_per_token"],
    )


def _layers() -> Numeric:
    own = shape_kv_bytes(
        layers=1,
        kv_heads=SHARED["kv_heads"],
        head_dim=SHARED["head_dim"],
        bytes_per_value=SHARED["bytes_per_value"],
    )
    return SHARED["kv_bytes_per_token"] / own


def _sparsity() -> Numeric:
    known = {name: value for name, value in SPARSE.items() if name != "kept_bytes"}
    return SPARSE["kept_bytes"] / pricing.kv_bytes_at_crossover(**known)


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "contexts-crossover",
        question="A model has {active_params} active parameters and {kv_bytes_per_token} of KV cache per token, on a"
        " chip of {flop_per_s} and {hbm_bytes_per_s}. From what context does reading a sequence's cache take longer"
        " than computing its token?",
        inputs=CHIP,
        equation=contexts.crossover_context_tokens,
        answer=_crossover,
        dimension="count",
        tolerance=0.05,
        working="Where both times are equal: 2 * {active_params} * {hbm_bytes_per_s} / ({flop_per_s} *"
        " {kv_bytes_per_token})",
        time_stamp="1:35:45",
        place=Place(
            board="context",
            way=Way.ALONG,
            line="KV alone",
            mark="without weights",
            turned=lambda given: {
                "active_params": given["active_params"],
                "bytes_per_param": 1.0,
                "balance_ratio": float(
                    roofline.balance_ratio(
                        flop_per_s=given["flop_per_s"], hbm_bytes_per_s=given["hbm_bytes_per_s"], bytes_per_param=1
                    )
                ),
                "kv_bytes_per_token": given["kv_bytes_per_token"],
            },
            lines=("compute",),
            on="compute",
        ),
    ),
    compose(
        "contexts-busy",
        question="A batch is {batch_over_balance} times the balance batch, and contexts are {context_over_crossover}"
        " times the crossover. For what share of a decode step can the arithmetic be busy at most?",
        inputs={"batch_over_balance": 2.0, "context_over_crossover": 1.5},
        equation=contexts.compute_fraction,
        dimension="fraction",
        tolerance=0.01,
        working="Computing over reading: 1 / (1 / {batch_over_balance} + {context_over_crossover})",
        time_stamp="0:11:00",
        place=Place(
            board="utilisation",
            way=Way.UPRIGHT,
            line="this batch",
            at=lambda given: given["context_over_crossover"] * CROSSOVER_TOKENS,
            turned=lambda given: {
                "crossover_tokens": CROSSOVER_TOKENS,
                "balance_batches": given["batch_over_balance"],
            },
        ),
    ),
    compose(
        "contexts-cache",
        question="A model has {layers} layers with {kv_heads} KV heads of {head_dim} values, {bytes_per_value} per"
        " value. How many bytes of KV cache does a token take?",
        inputs=HEADS,
        equation=attention.grouped_kv_values,
        answer=lambda: shape_kv_bytes(**HEADS),
        dimension="bytes",
        tolerance=0.01,
        working="A key and a value for each head: {layers} * {kv_heads} * ({head_dim} + {head_dim}) *"
        " {bytes_per_value}",
        time_stamp="1:39:40",
        level=Level.RECALL,
    ),
    compose(
        "contexts-shared",
        question="A token may take {kv_bytes_per_token} of KV cache, with {kv_heads} KV heads of {head_dim} values per"
        " layer at {bytes_per_value} per value. How many layers can have a cache of their own, if all others share one"
        " of these?",
        inputs=SHARED,
        equation=attention.grouped_kv_values,
        answer=_layers,
        dimension="count",
        tolerance=0.0,
        working="All bytes over those of one layer: {kv_bytes_per_token} / ({kv_heads} * ({head_dim} + {head_dim}) *"
        " {bytes_per_value})",
        time_stamp="1:40:05",
        place=Place(
            board="kv-shapes",
            way=Way.ALONG,
            line="2 KV heads",
            mark="2 KV heads near it",
            turned=lambda given: {
                "kv_bytes_per_token": given["kv_bytes_per_token"],
                "head_dim": given["head_dim"],
                "bytes_per_value": given["bytes_per_value"],
            },
            lines=("wanted",),
            on="wanted",
        ),
    ),
    compose(
        "contexts-sparsity",
        question="A model with {active_params} active parameters of {bytes_per_param} keeps {kept_bytes} of KV cache"
        " per token, on a chip that multiplies {balance_ratio} parameters while it reads one. In a large batch at"
        " {context_tokens} tokens, reading should take no longer than computing. One token in how many may attention"
        " read?",
        inputs=SPARSE,
        equation=pricing.kv_bytes_at_crossover,
        answer=_sparsity,
        dimension="count",
        tolerance=0.05,
        working="Bytes kept per token, over those that the crossover allows: {kept_bytes} / ({active_params} *"
        " {bytes_per_param} / ({balance_ratio} * {context_tokens}))",
        time_stamp="1:41:30",
        level=Level.COMBINE,
    ),
    compose(
        "contexts-held",
        question="{chips} chips of {hbm_bytes} each hold {weight_bytes} of weights in all, and one sequence at"
        " {kv_bytes_per_token} of KV cache per token. How long can its context be?",
        inputs=HELD,
        equation=memory.memory_full_batch,
        answer=lambda: memory.memory_full_batch(
            hbm_bytes=HELD["chips"] * HELD["hbm_bytes"],
            weight_bytes=HELD["weight_bytes"],
            kv_bytes_per_sequence=HELD["kv_bytes_per_token"],
        ),
        dimension="count",
        tolerance=0.05,
        working="What the weights leave, over the bytes per token: ({chips} * {hbm_bytes} - {weight_bytes}) /"
        " {kv_bytes_per_token}",
        time_stamp="1:53:30",
    ),
    compose(
        "contexts-square",
        question="A prompt of {prompt_tokens} tokens passes through {active_params} active parameters. Attention adds"
        " {flop_per_pair} FLOP for each pair of a query and a key, and has half the square of the prompt's length in"
        " pairs. How much arithmetic does the prompt take?",
        inputs=PROMPT,
        equation=contexts.prompt_flop,
        answer=lambda: contexts.prompt_flop(
            pairs=attention.causal_pairs(prompt_tokens=PROMPT["prompt_tokens"]), **PROMPT
        ),
        dimension="flop",
        tolerance=0.05,
        working="Parameters and pairs: 2 * {active_params} * {prompt_tokens} + {flop_per_pair} * {prompt_tokens}² / 2",
        time_stamp="1:52:00",
        level=Level.COMBINE,
    ),
    compose(
        "contexts-prompt",
        question="{chips} chips at {usd_per_chip_s} each take {time_s} to read a prompt of {tokens} tokens. What does"
        " an input token cost?",
        inputs={"time_s": 7200.0, "chips": 72.0, "tokens": 40e6, "usd_per_chip_s": 2.5 / 3600},
        equation=pricing.usd_per_token,
        dimension="usd_per_token",
        tolerance=0.05,
        working="Chip-hours at their price, over the tokens: {chips} * {time_s} * {usd_per_chip_s} / {tokens}",
        time_stamp="1:52:55",
    ),
)
