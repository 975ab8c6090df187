"""Claims on the step of a price list and the KV cache that it gives away: 1:33 to 1:40."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from ridgeline.boards.board import Facts
from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.controls import BYTES_PER_PARAM
from ridgeline.boards.lecture.mechanisms import INDEXED_MODEL
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, BALANCE_RATIO, KV_BYTES_PER_TOKEN, STEP_TOKENS
from ridgeline.boards.lecture.pipelines.numbers import LAYERS
from ridgeline.boards.lecture.prices.crossover import CROSSOVER_KV_BYTES, MANY_BATCHES, PRICE_RATIO
from ridgeline.boards.lecture.prices.shapes import (
    FEWEST_KV_HEADS,
    HEAD_DIM,
    KV_HEADS,
    MOST_KV_HEADS,
    SHARED_LAYERS,
    SHORT_VALUE,
    part_of_models,
    shape_kv_bytes,
)
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.list_prices import list_price
from ridgeline.equations import attention, contexts, pricing
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.attention import GroupedQueryAttention

__all__ = ["CLAIMS"]

MACHINE = "gb200-nvl72"
OWN_BATCHES = f"DeepSeek's {fleet.balance_batches():.2g} balance batches"
LISTED = list_price("gemini-3-1-pro")
LONG_INPUT_TOKENS, SHORT_OUTPUT_TOKENS = LISTED.of("threshold_tokens"), 1000.0
UNSHARED_MODEL = "llama-3.1-70b"


def _request_step(
    *,
    input_tokens: float,
    output_tokens: float,
    usd_per_input_token: float,
    usd_per_output_token: float,
    input_ratio: float,
    output_ratio: float,
) -> float:
    """Fraction by which a request is dearer beyond the step of a list."""
    usd = partial(pricing.usd_per_request, input_tokens=input_tokens, output_tokens=output_tokens)
    below = usd(usd_per_input_token=usd_per_input_token, usd_per_output_token=usd_per_output_token)
    above = usd(
        usd_per_input_token=usd_per_input_token * input_ratio, usd_per_output_token=usd_per_output_token * output_ratio
    )
    return float(pricing.price_step_fraction(usd_below=below, usd_above=above))


def _whole_request() -> Iterable[Step]:
    yield step(
        "the input is billed as well: a request that reads 200,000 tokens and writes 1,000",
        input_tokens=LONG_INPUT_TOKENS,
        output_tokens=SHORT_OUTPUT_TOKENS,
    )


def _real_batch() -> Iterable[Step]:
    yield step("as many balance batches as DeepSeek runs (A26)", balance_batches=fleet.balance_batches())


def _own_ratio() -> float:
    """Balance ratio of the machine in DeepSeek-V3's formats, of which most are 8 bits."""
    return controls.balance_ratio(fleet.facts(MACHINE))


def _real_chip_and_batch() -> Iterable[Step]:
    yield step("a GB200's ratio in DeepSeek-V3's formats", balance_ratio=_own_ratio())
    yield from _real_batch()


def _narrow_weights() -> Iterable[Step]:
    yield step("weights in 4 bits", bytes_per_param=0.5)


def _unshared() -> Iterable[Step]:
    model = load_model(UNSHARED_MODEL)
    kind = model.groups[0].attention
    if not isinstance(kind, GroupedQueryAttention):
        raise TypeError(f"{model.id} has {type(kind).__name__}; the claim takes a model of grouped heads")
    yield step("values of 16 bits, as checkpoints are served", bytes_per_value=model.precision.kv.bytes_per_value)
    yield step(
        f"every one of {model.layers} layers keeps its own {kind.kv_heads} heads of {kind.head_dim}",
        layers=model.layers,
        kv_heads=kind.kv_heads,
        head_dim=kind.head_dim,
    )


def _deepseek() -> Iterable[Step]:
    facts = fleet.facts(MACHINE)
    terms = controls.terms(facts)
    yield step("the KV cache that DeepSeek-V3 keeps", kv_bytes_per_token=controls.kv_bytes(facts))
    yield step("parameters that are multiplied, without the input embedding", active_params=terms.active_params)
    yield step(
        "a GB200 at the checkpoint's formats",
        balance_ratio=controls.balance_ratio(facts),
        bytes_per_param=terms.bytes_per_param,
    )


def _reach_tokens(*, price_step_tokens: float, price_ratio: float, balance_batches: float) -> float:
    """Context whose cost is that of the price beyond the step, where the one before it is the cost at the step."""
    weights = float(contexts.memory_over_compute(context_over_crossover=0, batch_over_balance=balance_batches))
    at_step = float(contexts.memory_over_compute(context_over_crossover=1, batch_over_balance=balance_batches))
    return float(
        pricing.price_step_reach_tokens(crossover_tokens=price_step_tokens, price_ratio=price_ratio * at_step - weights)
    )


def _needed_sparsity(
    *,
    kept_bytes_per_token: float,
    active_params: float,
    bytes_per_param: float,
    balance_ratio: float,
    context_tokens: float,
) -> float:
    """Tokens that are kept for each that is read, so that reading takes as long as computing at that context."""
    read = pricing.kv_bytes_at_crossover(
        active_params=active_params,
        bytes_per_param=bytes_per_param,
        balance_ratio=balance_ratio,
        context_tokens=context_tokens,
    )
    return kept_bytes_per_token / float(read)


def _indexed_model() -> Iterable[Step]:
    facts = Facts(model=load_model(INDEXED_MODEL), machine=load_machine(MACHINE))
    terms = controls.terms(facts)
    yield step(f"the KV cache of {facts.model.name}, its index included", kept_bytes_per_token=controls.kv_bytes(facts))
    yield step("its parameters that are multiplied", active_params=terms.active_params)
    yield step(
        "a GB200 at the checkpoint's formats",
        balance_ratio=controls.balance_ratio(facts),
        bytes_per_param=terms.bytes_per_param,
    )


CLAIMS: tuple[Claim, ...] = (
    claim(
        "D1",
        "1:33:02",
        "Gemini 3.1 Pro charges 50 % more beyond 200,000 tokens of context.",
        computed="price increase of a written token, as a fraction",
        lecture=said(0.5, "1:33:02", hedge="the interviewer's"),
        equation=pricing.price_step_fraction,
        compute=_request_step,
        inputs={
            "input_tokens": 0.0,
            "output_tokens": SHORT_OUTPUT_TOKENS,
            "usd_per_input_token": LISTED.input,
            "usd_per_output_token": LISTED.output,
            "input_ratio": LISTED.of("input_above") / LISTED.input,
            "output_ratio": LISTED.of("output_above") / LISTED.output,
        },
        careful=_whole_request,
        careful_of=f"{LISTED.name}, list of {LISTED.date}: a request of 200,000 tokens in and 1,000 out",
        verdict=Verdict.DEPENDS,
        what="% more",
        answer="written tokens alone are counted: then they cost {ours} more. A request that reads 200,000 tokens and"
        " writes 1,000 costs {careful} more",
        why="True of tokens written. Those read cost twice as much, and so nearly does a long request. Other providers'"
        " prices step by the same two ratios, which looks like a convention.",
    ),
    claim(
        "D2",
        "1:35:45",
        "The price rises where reading the KV cache begins to take longer than computing: at 200,000 tokens.",
        computed="context at which it does",
        lecture=said(float(STEP_TOKENS), "1:35:45", hedge="somewhat aligned, maybe not exactly"),
        unit="tokens",
        equation=contexts.crossover_context_tokens,
        inputs={
            "active_params": ACTIVE_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "balance_ratio": BALANCE_RATIO,
            "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
            "balance_batches": MANY_BATCHES,
        },
        careful=_real_batch,
        careful_of=f"the same model at {OWN_BATCHES}",
        verdict=Verdict.DEPENDS,
        what="of context",
        answer="the batch is so large that weights take no time: then it rises at {ours:3} tokens by his round"
        " {kv_bytes_per_token:bytes} a token, and at {his} only by the unrounded"
        f" {format_quantity(float(CROSSOVER_KV_BYTES), 'bytes', 3)}. At DeepSeek's 2.4 balance batches it rises at"
        " {careful:3}",
        why="It depends on a batch without bound, and on bytes a token that were themselves worked out from the step."
        " Rounded to 2 kB, they give a sixth less.",
        tolerance=0.2,  # 2 kB for 1.667
    ),
    claim(
        "D3",
        "1:38:35",
        "A crossover at 200,000 tokens means about 1.7 kB of keys and values a token.",
        lecture=said(1667.0, "1:38:35", hedge="almost 2 kB, on a conjectured 100 billion parameters"),
        unit="bytes",
        equation=pricing.kv_bytes_at_crossover,
        inputs={
            "active_params": ACTIVE_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "balance_ratio": BALANCE_RATIO,
            "context_tokens": STEP_TOKENS,
            "balance_batches": MANY_BATCHES,
        },
        careful=_real_chip_and_batch,
        further=_narrow_weights,
        careful_of=f"the same model at the ratio of {MACHINE}, at {OWN_BATCHES}",
        verdict=Verdict.DEPENDS,
        what="a token",
        answer="weights take one byte and the batch is unbounded: then it means {ours:3}. With a GB200's own"
        f" ratio of {_own_ratio():.0f} and at {OWN_BATCHES}, it means {{careful}}",
        why="It depends on weights of one byte and a batch without bound: 4-bit weights halve it, 16-bit weights"
        f" double it, and {OWN_BATCHES} take {1 / fleet.balance_batches():.0%} off.",
        tolerance=1e-3,  # 1,667 has four digits
    ),
    statement(
        "D27",
        "1:41:05",
        "A model typically has 1 to 8 KV heads, of 128 values each.",
        computed="part of the catalog's models with so many heads",
        published=lambda: part_of_models(lambda heads: FEWEST_KV_HEADS <= heads.kv_heads <= MOST_KV_HEADS),
        careful_of="models of the catalog with layers that attend to everything by KV heads",
        what="of the catalog's models",
        answer="a custom. Of the catalog's models {published} keep to it",
        why="A custom that came with grouped heads: models with more mostly let every query head keep its own."
        f" {100 * part_of_models(lambda heads: heads.head_dim == HEAD_DIM.value):.0f} % have heads of 128.",
    ),
    claim(
        "D4",
        "1:41:05",
        "8 KV heads of 128 values, in one cache that all layers share, take just that: about 2 kB a token.",
        lecture=said(float(KV_BYTES_PER_TOKEN), "1:41:05", hedge="plausible, if maybe a little bit small"),
        unit="bytes",
        equation=attention.grouped_kv_values,
        compute=shape_kv_bytes,
        inputs={
            "layers": SHARED_LAYERS,
            "kv_heads": KV_HEADS,
            "head_dim": HEAD_DIM,
            "bytes_per_value": SHORT_VALUE,
        },
        careful=_unshared,
        contrast=f"{UNSHARED_MODEL}, whose layers share nothing",
        verdict=Verdict.DEPENDS,
        what="a token",
        answer="a value takes one byte and all layers share one cache: then they take {ours:3}. Llama 3.1 70B, whose"
        " layers share nothing, keeps {careful}",
        why="It depends on one byte a value and one cache for all layers, as in Character.AI's models: then 2,048"
        " values are his 2 kB. Models of the catalog that read their whole cache keep 10 to 6,400 times as much."
        " Two are nearer: Nemotron 3, with a cache in few layers and states in the others, from 3 times, and one"
        " whose layers all have windows.",
        tolerance=0.03,  # 2 kB for 2,048 bytes
    ),
    claim(
        "D5",
        "1:37:00",
        "From some context on, reading the KV cache bounds the decoding of DeepSeek-V3 at any batch.",
        computed="that context",
        given="on his chip",
        unit="tokens",
        equation=contexts.crossover_context_tokens,
        inputs={
            "active_params": said(37e9, "0:04:52", hedge="about"),
            "bytes_per_param": BYTES_PER_PARAM,
            "balance_ratio": BALANCE_RATIO,
            "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
        },
        careful=_deepseek,
        careful_of=f"deepseek-v3 in its published formats on {MACHINE}",
        verdict=Verdict.DEPENDS,
        what="of context",
        answer="a token keeps {kv_bytes_per_token:bytes}: then it does from {ours:3} tokens on. With the cache that"
        " DeepSeek-V3 really keeps, from {careful}",
        why="Not said in the lecture: the same reasoning, applied to an open model. Its 70 kB a token put the crossover"
        " at a hundredth of 200,000 tokens, so that almost any context is bound by reading.",
    ),
    claim(
        "D18",
        "1:35:20",
        "A price must cover the cost at every context.",
        computed="longest context that a price covers which rises by half at the crossover",
        unit="tokens",
        equation=pricing.price_step_reach_tokens,
        compute=_reach_tokens,
        inputs={
            "price_step_tokens": STEP_TOKENS,
            "price_ratio": PRICE_RATIO,
            "balance_batches": MANY_BATCHES,
        },
        careful=_real_batch,
        careful_of=f"the same model at {OWN_BATCHES}",
        verdict=Verdict.DEPENDS,
        what="of context before the price no longer covers the cost",
        given="if no weights are read",
        answer="the price has no margin: then its two steps cover contexts up to {ours:3} tokens, yet lists with"
        " such steps sell a million",
        why="It depends on the margin, of which he says nothing. Without one, two price tiers end at 300,000 tokens,"
        " but lists with this step sell a million. Either a margin covers the rest, or the crossover lies elsewhere.",
    ),
    claim(
        "D19",
        "1:41:30",
        "Sparse attention gets there as well: 100 layers may each keep 8 heads, if attention reads only few of the"
        " tokens.",
        computed="of how many tokens it may read one",
        equation=pricing.kv_bytes_at_crossover,
        compute=_needed_sparsity,
        inputs={
            "kept_bytes_per_token": filled_in(
                shape_kv_bytes(
                    layers=float(LAYERS), kv_heads=float(KV_HEADS), head_dim=float(HEAD_DIM), bytes_per_value=1
                )
            ),
            "active_params": ACTIVE_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "balance_ratio": BALANCE_RATIO,
            "context_tokens": STEP_TOKENS,
        },
        careful=_indexed_model,
        careful_of=f"{INDEXED_MODEL} in its published formats on {MACHINE}",
        verdict=Verdict.DEPENDS,
        what="tokens of context for each one read",
        answer="attention reads one token in {ours:3}: then so many heads reach his crossover. DeepSeek-V3.2 would"
        " need one in {careful:3}, and reads more",
        why="It depends on how sparse. DeepSeek-V3.2 would need one token in 127, and reads a ninth of what it keeps at"
        " 200,000 tokens, most of that its index.",
    ),
)
