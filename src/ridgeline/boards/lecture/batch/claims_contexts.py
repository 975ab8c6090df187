"""Claims on contexts: where reading them takes over, what attention computes, and attention that reads a part."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from statistics import fmean

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.batch.claims_roofline import BYTES_PER_PARAM
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS
from ridgeline.boards.lecture.mechanisms import BLOCKS, INDEXED_MODEL, indexed_read
from ridgeline.boards.lecture.numbers import BALANCE_RATIO, KV_BYTES_PER_TOKEN
from ridgeline.catalog import load_model
from ridgeline.equations import attention, contexts, roofline
from ridgeline.numeric import INFINITY, Numeric, log
from ridgeline.specs.attention import LatentAttention

__all__ = ["CLAIMS", "SCORES", "decoded_attention_over_parameters"]

LONG_TOKENS, MODERATE_TOKENS = 1e6, 2.0**13

ENDLESS_BATCH = implied(INFINITY, "0:11:00")
"""Batch without end: he compares slopes, as if weights took no time."""

BATCHES = 3.0
"""Largest batch that he says is run, in balance batches (A13)."""


def _block_sparse(context_tokens: float) -> Numeric:
    return attention.block_sparse_tokens(context_tokens=context_tokens, **BLOCKS)


def _indexed(context_tokens: float) -> Numeric:
    return attention.indexed_tokens(context_tokens=context_tokens, **indexed_read())


def _square_root(context_tokens: float) -> Numeric:
    return attention.square_root_tokens(context_tokens=context_tokens)


TOKENS_READ = {"NSA": _block_sparse, "DSA": _indexed, "square root": _square_root}
"""Tokens' worth of context that a token reads, by mechanism."""


def _growth_exponent(*, context_tokens: float, mechanism: str) -> float:
    """Exponent with which the tokens that are read grow, when the context doubles."""
    at, at_double = (TOKENS_READ[mechanism](tokens) for tokens in (context_tokens, 2 * context_tokens))
    return float(log(at_double / at) / log(2.0))


def _to_blocks() -> Iterable[Step]:
    yield step("NSA, of the paper before it", mechanism="NSA")


def _shorter() -> Iterable[Step]:
    yield step(
        "NSA from 8,192 tokens on, where most of what it reads is a fixed number", context_tokens=MODERATE_TOKENS
    )
    yield step("DSA from there on", mechanism="DSA")
    yield step("blocks as long as their number, as neither paper has them", mechanism="square root")


def _at_finite_batch() -> Iterable[Step]:
    yield step("three balance batches, where weights still take a third of the time", batch_over_balance=BATCHES)
    yield step("twice the context that balances at such a batch", context_over_crossover=2 * (1 - 1 / BATCHES))


def _goldilocks_at_finite_batch() -> Iterable[Step]:
    yield step("three balance batches, where weights still take a third of the time", batch_over_balance=BATCHES)


def _shorter_context() -> Iterable[Step]:
    yield step("two thirds of that context, which balances there", context_over_crossover=1 - 1 / BATCHES)


@lru_cache
def _heads(model: str) -> tuple[int, LatentAttention]:
    """Layers, and the latent attention that all of them have."""
    found = load_model(model)
    kind = found.groups[0].attention
    if not isinstance(kind, LatentAttention):
        raise TypeError(f"{model} has {type(kind).__name__}; the claim takes a model of latent attention")
    return found.layers, kind


def _attention_over_parameters(*, model: str, active_params: float, context_tokens: float, is_absorbed: bool) -> float:
    """Arithmetic of a token on its context, over that on its parameters.

    Absorbed, queries meet the stored latent vectors themselves; else each head has keys and values of its own.
    """
    layers, kind = _heads(model)
    width = kind.position_head_dim + (kind.kv_rank if is_absorbed else kind.content_head_dim)
    value = kind.kv_rank if is_absorbed else kind.value_head_dim
    flop = layers * attention.pairs_flop(
        pairs=context_tokens, query_heads=kind.query_heads, query_key_dim=width, value_dim=value
    )
    return float(flop) / (roofline.FLOP_PER_PARAM * active_params)


def _active_params() -> float:
    """Parameters that a token of the model is multiplied with."""
    return controls.terms(fleet.facts("gb200-nvl72")).active_params


def decoded_attention_over_parameters(*, active_params: float, context_tokens: float) -> float:
    """Arithmetic of a token on its context as the fleet's model is decoded, over that on so many parameters."""
    return _attention_over_parameters(
        model=fleet.MODEL, active_params=active_params, context_tokens=context_tokens, is_absorbed=True
    )


def _as_served() -> Iterable[Step]:
    yield step("the parameters that a token is multiplied with", active_params=_active_params())
    yield step("latent vectors attended to as they are stored, as servers decode", is_absorbed=True)
    yield step("the mean context of its fleet", context_tokens=fleet.MEAN_CONTEXT_TOKENS)


SCORES = {
    "MMLU-Pro": (85.0, 85.0),
    "GPQA-Diamond": (80.7, 79.9),
    "Humanity's Last Exam": (21.7, 19.8),
    "LiveCodeBench": (74.9, 74.1),
    "AIME 2025": (88.4, 89.3),
    "HMMT 2025": (86.1, 83.6),
    "Aider-Polyglot": (76.1, 74.5),
    "BrowseComp": (38.5, 40.1),
    "BrowseComp-zh": (45.0, 47.9),
    "SimpleQA": (96.8, 97.1),
    "SWE Verified": (68.4, 67.8),
    "SWE-bench Multilingual": (57.8, 57.9),
    "Terminal-bench": (36.7, 37.7),
}
"""DeepSeek-V3.1-Terminus, which reads all, and V3.2-Exp, trained alike but for DSA, in points of a hundred.

README of deepseek-ai/DeepSeek-V3.2-Exp, 2025-09-29; its fourteenth, Codeforces, is a rating and goes from 2046 to 2121.
"""


def _published_change() -> float:
    return fmean(sparse - full for full, sparse in SCORES.values())


def _own_crossover() -> float:
    """Context that takes as long to read as the next token to compute, by the board's numbers."""
    found = contexts.crossover_context_tokens(
        active_params=float(ACTIVE_PARAMS),
        bytes_per_param=float(BYTES_PER_PARAM),
        balance_ratio=float(BALANCE_RATIO),
        kv_bytes_per_token=float(KV_BYTES_PER_TOKEN),
    )
    return float(found)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "A7",
        "0:11:00",
        "Twice the ideal context halves the utilisation of the arithmetic (MFU): 200,000 tokens where 100,000 are"
        " ideal.",
        computed="utilisation at twice the ideal context",
        lecture=said(0.5, "0:11:00", hedge="asked, and confirmed: true as modelled here, with dense attention"),
        equation=contexts.compute_fraction,
        inputs={"batch_over_balance": ENDLESS_BATCH, "context_over_crossover": said(2.0, "0:11:00")},
        careful=_at_finite_batch,
        careful_of="a batch of three balance batches",
        verdict=Verdict.REPRODUCES,
        what="of the peak",
        answer="{ours} of the peak is left, if the weights take no time to read",
        why="Exact if weights take no time. At three balance batches they take a third of a step, and twice the context"
        " leaves 60 % of the utilisation.",
    ),
    claim(
        "A8",
        "0:12:31",
        "With DeepSeek's sparse attention, what a step reads grows with the square root of the context.",
        computed="exponent of that growth when a context of a million tokens doubles",
        lecture=said(0.5, "0:12:31", hedge="some of the papers"),
        equation=attention.indexed_tokens,
        compute=_growth_exponent,
        # Of the paper that the transcript links, and the scheme that the walk shows.
        inputs={"context_tokens": filled_in(LONG_TOKENS), "mechanism": filled_in("DSA")},
        careful=_to_blocks,
        further=_shorter,
        careful_of="NSA as published",
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="as the exponent",
        given=f"by {load_model(INDEXED_MODEL).name}'s formula, from a million tokens to two",
        exactly={0.5: "a square root, exponent 0.5"},
        headline="DeepSeek's published sparse attention reads almost in proportion to a long context (exponent"
        " {ours}), not to its square root.",
        answer="it grows almost in proportion, with an exponent of {ours:3}, because it still scans the whole context",
        why="Both published kinds, NSA and DSA, read a fixed number of tokens and scan a small part of all the others:"
        " flat for short contexts, proportional for long ones. A square root would need blocks that grow with the"
        " context.",
        tolerance=0.5,  # "a square root" is a power
    ),
    statement(
        "A8q",
        "1:54:20",
        "Attention that reads only a part of the context costs quality at some point.",
        computed="mean change over published scores, in points of a hundred",
        published=_published_change,
        careful_of="DeepSeek-V3.2-Exp with DSA against V3.1-Terminus, 13 scores; its README, 2025-09-29",
        what="of a hundred, the mean of 13 scores",
        answer="a loss of quality is measured, not derived. Published scores with and without it differ by"
        " {published} points of 100 on average",
        why="No equation gives it. Two models trained alike but for DSA differ by -2.5 to +2.9 points a score. How far"
        " two runs of one model would differ, or contexts of millions of tokens, is not published there.",
        unit="points",
    ),
    claim(
        "A27",
        "0:10:50",
        "At one context length, neither too short nor too long, memory and arithmetic are both busy all the time.",
        computed="time to read over time to compute at that context",
        lecture=implied(1.0, "0:10:50"),
        equation=contexts.memory_over_compute,
        inputs={"batch_over_balance": ENDLESS_BATCH, "context_over_crossover": implied(1.0, "0:10:50")},
        careful=_goldilocks_at_finite_batch,
        further=_shorter_context,
        careful_of="the same context at three balance batches",
        verdict=Verdict.REPRODUCES,
        what="times as long to read as to compute",
        exactly={1.0: "as long to read as to compute"},
        answer="it takes {ours} at that length, with the weights left out",
        why="True where the KV fetch rises as steeply as the arithmetic, with weights left out: by the board's other"
        f" numbers at {count_text(_own_crossover(), 3)} tokens. At a real batch the best context is shorter by what the"
        " weights take. Short contexts leave memory idle, long ones arithmetic.",
    ),
    claim(
        "A29",
        "0:03:55",
        "Attention's arithmetic is small beside that of the parameters.",
        computed="the first over the second, at 1,000 tokens of context",
        equation=attention.pairs_flop,
        compute=_attention_over_parameters,
        inputs={
            "model": filled_in(fleet.MODEL),
            "active_params": ACTIVE_PARAMS,
            "context_tokens": filled_in(1000.0),
            "is_absorbed": filled_in(value=False),
        },
        careful=_as_served,
        careful_of="deepseek-v3 as it is decoded, at its fleet's mean context",
        verdict=Verdict.DEPENDS,
        what="of the parameters' arithmetic, at 1,000 tokens",
        answer="contexts are short: then it is {ours} of that at {context_tokens:3} tokens. As DeepSeek-V3 decodes, at"
        " its fleet's mean context, it is {careful:3}",
        why="It depends on the context and on the kind of attention. Each token of context adds to it. Latent"
        " attention reads little and computes more in exchange: at 5,000 tokens of context, as much as the"
        " parameters.",
    ),
)
