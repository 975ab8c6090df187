"""Exercises on contexts: what they keep, what is read of them, and where that takes longer than computing."""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise, compose
from ridgeline.equations import attention, contexts, memory, pricing, roofline
from ridgeline.numeric import Numeric

__all__ = ["EXERCISES"]

HEADS = {"layers": 48.0, "kv_heads": 4.0, "head_dim": 128.0, "bytes_per_value": 2.0}
HELD = {"chips": 64.0, "hbm_bytes": 250e9, "weight_bytes": 800e9, "kv_bytes_per_token": 80e3}
CHIP = {"active_params": 40e9, "kv_bytes_per_token": 80e3, "flop_per_s": 2e15, "hbm_bytes_per_s": 5e12}
PROMPT = {"prompt_tokens": 20e6, "active_params": 50e9, "flop_per_pair": 1e6}


def _crossover() -> Numeric:
    """With parameters of a byte: how wide they are, the crossover does not depend on."""
    ratio = roofline.balance_ratio(
        flop_per_s=CHIP["flop_per_s"], hbm_bytes_per_s=CHIP["hbm_bytes_per_s"], bytes_per_param=1
    )
    return contexts.crossover_context_tokens(
        active_params=CHIP["active_params"],
        bytes_per_param=1,
        balance_ratio=ratio,
        kv_bytes_per_token=CHIP["kv_bytes_per_token"],
    )


EXERCISES: tuple[Exercise, ...] = (
    compose(
        "contexts-crossover",
        question="A model uses {active_params} parameters a token and caches {kv_bytes_per_token} a token, on a chip of"
        " {flop_per_s} and {hbm_bytes_per_s}. From which context on does reading a sequence's cache take longer than"
        " computing its token?",
        inputs=CHIP,
        equation=contexts.crossover_context_tokens,
        answer=_crossover,
        dimension="count",
        tolerance=0.05,
        working="both times equal: 2 * {active_params} * {hbm_bytes_per_s} / ({flop_per_s} * {kv_bytes_per_token})",
    ),
    compose(
        "contexts-busy",
        question="A batch is {batch_over_balance} times the balance batch, and contexts are {context_over_crossover}"
        " times the crossover. Which part of the step can the arithmetic be busy at most?",
        inputs={"batch_over_balance": 2.0, "context_over_crossover": 1.5},
        equation=contexts.compute_fraction,
        dimension="fraction",
        tolerance=0.01,
        working="computing over reading: 1 / (1 / {batch_over_balance} + {context_over_crossover})",
    ),
    compose(
        "contexts-square-root",
        question="With full attention a model's crossover lies at {crossover_context_tokens} tokens. Where would it lie"
        " if a token read only twice the square root of its context?",
        inputs={"crossover_context_tokens": 8000.0},
        equation=contexts.square_root_crossover_tokens,
        dimension="count",
        tolerance=0.01,
        working="2 √L reaches the old crossover at its half squared: ({crossover_context_tokens} / 2)²",
    ),
    compose(
        "contexts-blocks",
        question="Block-sparse attention reads one summary for every {summary_stride} tokens, the best {chosen_tokens}"
        " tokens, and a window of {window}. How many keys does it read at a context of {context_tokens} tokens?",
        inputs={"context_tokens": 32768.0, "summary_stride": 16.0, "chosen_tokens": 1024.0, "window": 512.0},
        equation=attention.block_sparse_tokens,
        dimension="count",
        tolerance=0.01,
        working="summaries, chosen and window: {context_tokens} / {summary_stride} + {chosen_tokens} + {window}",
    ),
    compose(
        "contexts-indexer",
        question="An indexer scores {index_bytes} of every token and attention then reads the best {top_k} in full,"
        " {bytes_per_token} each. To how many full tokens does all that it reads come, at a context of {context_tokens}"
        " tokens?",
        inputs={"context_tokens": 100e3, "top_k": 2048.0, "index_bytes": 128.0, "bytes_per_token": 1280.0},
        equation=attention.indexed_tokens,
        dimension="count",
        tolerance=0.01,
        working="the best, and the index in parts of a token: {top_k} + {context_tokens} * {index_bytes} /"
        " {bytes_per_token}",
    ),
    compose(
        "contexts-cache",
        question="A model has {layers} layers with {kv_heads} stored heads of {head_dim} values, {bytes_per_value} a"
        " value. How many bytes of keys and values does it keep a token?",
        inputs=HEADS,
        equation=attention.grouped_kv_values,
        answer=lambda: (
            HEADS["layers"]
            * HEADS["bytes_per_value"]
            * attention.grouped_kv_values(
                kv_heads=HEADS["kv_heads"], key_dim=HEADS["head_dim"], value_dim=HEADS["head_dim"]
            )
        ),
        dimension="bytes",
        tolerance=0.01,
        working="a key and a value each: {layers} * {kv_heads} * ({head_dim} + {head_dim}) * {bytes_per_value}",
    ),
    compose(
        "contexts-held",
        question="{chips} chips of {hbm_bytes} hold weights of {weight_bytes}, and the cache of one sequence in what is"
        " left, {kv_bytes_per_token} a token. How long can its context be?",
        inputs=HELD,
        equation=memory.memory_full_batch,
        answer=lambda: memory.memory_full_batch(
            hbm_bytes=HELD["chips"] * HELD["hbm_bytes"],
            weight_bytes=HELD["weight_bytes"],
            kv_bytes_per_sequence=HELD["kv_bytes_per_token"],
        ),
        dimension="count",
        tolerance=0.05,
        working="what weights leave, over the bytes of a token: ({chips} * {hbm_bytes} - {weight_bytes}) /"
        " {kv_bytes_per_token}",
    ),
    compose(
        "contexts-square",
        question="Reading a prompt of {prompt_tokens} tokens takes {active_params} parameters a token, and"
        " {flop_per_pair} for every pair of a query and a key, of which full attention has half the prompt's square."
        " How much arithmetic is that?",
        inputs=PROMPT,
        equation=contexts.prompt_flop,
        answer=lambda: contexts.prompt_flop(
            pairs=attention.causal_pairs(prompt_tokens=PROMPT["prompt_tokens"]), **PROMPT
        ),
        dimension="flop",
        tolerance=0.05,
        working="parameters and pairs: 2 * {active_params} * {prompt_tokens} + {flop_per_pair} * {prompt_tokens}² / 2",
    ),
    compose(
        "contexts-prompt",
        question="{chips} chips at {usd_per_chip_s} each need {time_s} to read a prompt of {tokens} tokens. What does a"
        " million of its tokens cost?",
        inputs={"time_s": 7200.0, "chips": 72.0, "tokens": 40e6, "usd_per_chip_s": 2.5 / 3600},
        equation=pricing.usd_per_token,
        dimension="usd_per_token",
        tolerance=0.05,
        working="chip-hours at their price, over the tokens: {chips} * {time_s} * {usd_per_chip_s} / {tokens}",
    ),
)
