"""Claims on what attention computes and on contexts of millions of tokens: 1:52 to 1:55."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture import fleet
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, BALANCE_RATIO, HUGE_TOKENS, STEP_TOKENS
from ridgeline.boards.lecture.pipelines.numbers import LAYERS
from ridgeline.boards.lecture.prices.long_context import NOTICED_TOKENS
from ridgeline.boards.lecture.prices.shapes import HEAD_DIM
from ridgeline.catalog import load_machine, load_model, model_ids
from ridgeline.equations import attention, contexts, pricing, roofline
from ridgeline.estimator.parameters import multiplied_params
from ridgeline.numeric import log
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.attention import GroupedQueryAttention, LatentAttention
from ridgeline.specs.model import Model

__all__ = ["CLAIMS"]

MACHINE, RACK = "h100-sxm", "gb200-nvl72"
DENSE_MODEL = "llama-3.1-405b"
SHARED_BY, WIDE_VALUE = filled_in(8.0), filled_in(2.0)
"""Query heads of a KV head, and bytes of a value: Llama-3.1-70B's."""
MATRICES = 12
"""Matrices of hidden by hidden in a layer of a dense model: four of attention, eight of a feed-forward block."""
HIDDEN = filled_in((float(ACTIVE_PARAMS) / (MATRICES * float(LAYERS))) ** 0.5)
"""Hidden size of a dense model of the board's parameters."""


def _multiplied(model: Model) -> float:
    """Parameters that a token is multiplied with."""
    return float(multiplied_params(model))


def _latent(model: Model) -> LatentAttention:
    kind = model.groups[0].attention
    if not isinstance(kind, LatentAttention):
        raise TypeError(f"{model.id} has {type(kind).__name__}; the claim takes a model of latent attention")
    return kind


def _stored(kind: LatentAttention) -> float:
    """Values of a token that all heads share."""
    return float(attention.latent_kv_values(kv_rank=kind.kv_rank, position_head_dim=kind.position_head_dim))


def _parity_tokens(
    *, active_params: float, layers: float, query_heads: float, query_key_dim: float, value_dim: float
) -> float:
    """Context at which attention in all layers computes as much for a token as the parameters."""
    pair = attention.pairs_flop(pairs=1, query_heads=query_heads, query_key_dim=query_key_dim, value_dim=value_dim)
    return float(pricing.attention_parity_tokens(active_params=active_params, flop_per_pair=layers * pair))


def _open_models() -> Iterable[Step]:
    model = load_model(DENSE_MODEL)
    kind = model.groups[0].attention
    if not isinstance(kind, GroupedQueryAttention):
        raise TypeError(f"{model.id} has {type(kind).__name__}; the claim takes a model of grouped heads")
    yield step(f"the parameters of {model.name} that are multiplied", active_params=_multiplied(model))
    yield step(f"its {model.layers} layers", layers=model.layers)
    yield step(
        f"its {kind.query_heads} heads of {kind.head_dim}",
        query_heads=kind.query_heads,
        query_key_dim=kind.head_dim,
        value_dim=kind.value_dim,
    )


def _latent_models() -> Iterable[Step]:
    model = load_model(fleet.MODEL)
    kind = _latent(model)
    yield step(
        f"{model.name} in place of it, decoding with absorbed projections: {kind.query_heads} heads over one shared"
        " vector",
        active_params=_multiplied(model),
        layers=model.layers,
        query_heads=kind.query_heads,
        query_key_dim=_stored(kind),
        value_dim=kind.kv_rank,
    )


def _intensity(
    *,
    query_heads: float,
    query_key_dim: float,
    value_dim: float,
    stored_values: float,
    bytes_per_value: float,
    flop_per_byte: float,
) -> float:
    """FLOP of attention for each byte that it reads, over what the chip computes meanwhile."""
    pair = attention.pairs_flop(pairs=1, query_heads=query_heads, query_key_dim=query_key_dim, value_dim=value_dim)
    found = pricing.attention_flop_per_byte(flop_per_pair=pair, kv_bytes_per_token=stored_values * bytes_per_value)
    return float(found) / flop_per_byte


def _absorbed() -> Iterable[Step]:
    model, chip = load_model(fleet.MODEL), load_machine(MACHINE).chip
    kind = _latent(model)
    yield step(
        f"{model.name}, absorbed: {kind.query_heads} heads read one stored vector",
        query_heads=kind.query_heads,
        query_key_dim=_stored(kind),
        value_dim=kind.kv_rank,
        stored_values=_stored(kind),
        bytes_per_value=model.precision.kv.bytes_per_value,
    )
    ridge = roofline.flop_per_byte(flop_per_s=chip.flop_per_s["bf16"], hbm_bytes_per_s=chip.hbm_bytes_per_s)
    yield step("an H100's own FLOP a byte in BF16", flop_per_byte=float(ridge))


def _memory_over_compute(*, context_tokens: float, crossover_tokens: float) -> float:
    return float(contexts.memory_over_compute(context_over_crossover=context_tokens / crossover_tokens))


def _deepseek_crossover() -> Iterable[Step]:
    yield step("the crossover of DeepSeek-V3 on a GB200", crossover_tokens=fleet.crossover_tokens(RACK))


def _longest_tokens() -> float:
    """Longest context of all models of the catalog, as published."""
    return float(max(load_model(name).max_context_tokens or 0 for name in model_ids()))


def _generations(*, context_tokens: float, crossover_tokens: float, times_a_generation: float) -> float:
    """Generations until a context takes as long to read as one at the crossover does now."""
    times = _memory_over_compute(context_tokens=context_tokens, crossover_tokens=crossover_tokens)
    return float(log(times) / log(times_a_generation))


def _grown(machine: str, before: str) -> float:
    new, old = (load_machine(one).chip.hbm_bytes_per_s for one in (machine, before))
    return new / old


def _latest_generation() -> Iterable[Step]:
    yield step("growth as from H100 to GB200", times_a_generation=_grown(RACK, MACHINE))


def _generation_before() -> Iterable[Step]:
    yield step("growth as from A100 to H100", times_a_generation=_grown(MACHINE, "a100-80-sxm"))


CLAIMS: tuple[Claim, ...] = (
    claim(
        "D9",
        "1:52:00",
        "Attention's arithmetic is noticed only in the millions of tokens.",
        computed="context at which it equals that of the parameters",
        lecture=NOTICED_TOKENS,
        unit="tokens",
        equation=pricing.attention_parity_tokens,
        compute=_parity_tokens,
        inputs={
            "active_params": ACTIVE_PARAMS,
            "layers": LAYERS,
            "query_heads": filled_in(float(HIDDEN) / float(HEAD_DIM)),
            "query_key_dim": HEAD_DIM,
            "value_dim": HEAD_DIM,
        },
        careful=_open_models,
        further=_latent_models,
        careful_of=DENSE_MODEL,
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="of context",
        given=f"for a token written by a dense model of {format_quantity(float(ACTIVE_PARAMS), 'count')} parameters,"
        f" {count_text(float(HIDDEN), 3)} wide",
        headline=f"To write a token, a dense model of {format_quantity(float(ACTIVE_PARAMS), 'count')} computes as much"
        " for attention as with its parameters at {ours:3} tokens, not in the millions.",
        answer="it equals the parameters' at {ours:3} tokens, six times the hidden width, since every layer attends to"
        " the whole context",
        why="With full attention in every layer, that point lies at about six times the hidden width: in open models"
        " from 4,300 tokens (DeepSeek-V3, decoding with absorbed projections) to 98,000. A prompt's tokens attend to"
        " half of the prompt on average, so its cost doubles at twice as many tokens at least. Millions take a model"
        " with few global layers.",
    ),
    claim(
        "D10",
        "1:52:15",
        "Attention's arithmetic almost always takes a much shorter time than reading its KV cache.",
        computed="the first time over the second",
        equation=pricing.attention_flop_per_byte,
        compute=_intensity,
        inputs={
            "query_heads": SHARED_BY,
            "query_key_dim": HEAD_DIM,
            "value_dim": HEAD_DIM,
            "stored_values": filled_in(2 * float(HEAD_DIM)),
            "bytes_per_value": WIDE_VALUE,
            "flop_per_byte": BALANCE_RATIO,
        },
        careful=_absorbed,
        contrast=f"deepseek-v3, absorbed, on {MACHINE} in BF16",
        verdict=Verdict.DEPENDS,
        what="of the time to read the cache",
        answer="few query heads share a KV head: then it takes {ours} of that time with {query_heads} of them."
        " DeepSeek-V3's latent attention takes {careful}",
        why="True with grouped heads, as he says: 8 query heads share a KV head. Latent attention has 128 heads on one"
        " stored vector, and both times are nearly alike.",
    ),
    claim(
        "D11",
        "1:52:55",
        "There is no very good path to 100 million tokens of context.",
        computed="time to read over time to compute at that context",
        equation=contexts.memory_over_compute,
        compute=_memory_over_compute,
        inputs={"context_tokens": HUGE_TOKENS, "crossover_tokens": STEP_TOKENS},
        given=f"with a crossover at {count_text(float(STEP_TOKENS), 3)} tokens",
        careful=_deepseek_crossover,
        careful_of=f"deepseek-v3 in its published formats on {RACK}",
        verdict=Verdict.DEPENDS,
        what="times as long to read as to compute",
        answer="a token keeps as many bytes as now and all are read: then reading takes {ours} times as long as"
        " computing",
        why="It depends on bytes a token staying as they are, and on reading them all. Attention that reads a part,"
        " or keeps summaries, moves the bound. Sparse attention is a way out, he says, until quality suffers.",
    ),
    statement(
        "D20",
        "1:53:35",
        "Contexts rose from 8,000 tokens to 100,000-200,000 about the time of GPT-4, and have hovered there since.",
        lecture=said(200e3, "1:53:35", hedge="100 to 200 thousand", between=(100e3, 200e3)),
        unit="tokens",
        published=_longest_tokens,
        careful_of="longest context of a model in the catalog: Llama 4 Scout's, as published in 2025",
        what="of context",
        answer="a history of lists. The longest context of a model published by now is {published:3} tokens",
        why="True of most lists until 2025. Several models are sold with a million tokens by now, some of them at one"
        " price throughout.",
    ),
    claim(
        "D23",
        "1:53:55",
        "HBM is not getting hugely better.",
        computed="generations of twice the bandwidth until 100 million tokens are read in the time of 200,000",
        equation=contexts.memory_over_compute,
        compute=_generations,
        inputs={
            "context_tokens": HUGE_TOKENS,
            "crossover_tokens": STEP_TOKENS,
            "times_a_generation": said(2.0, "1:18:14", hedge="maybe 1.5 or 2 times", between=(1.5, 2.0), claim="B40"),
        },
        careful=_latest_generation,
        further=_generation_before,
        careful_of="growth as from H100 to GB200",
        verdict=Verdict.REPRODUCES,
        what="generations of chips until 100 million tokens are read in time",
        answer="at his rate it takes {ours} generations of chips until 100 million tokens are read in the time of"
        " 200,000",
        why="He gives no number: it is where it is, and he sees no very good path. Nine generations at his own rate,"
        " and at least seven at the fastest that there was, if models keep as many bytes a token.",
    ),
)
