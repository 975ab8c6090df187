"""Claims on API prices, context and cache tiers: section D, 1:33-2:04 of the lecture."""

from __future__ import annotations

from ridgeline.boards.claim import Claim, Verdict, old_claim
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture import fleet as deepseek
from ridgeline.boards.old_numbers import (
    ACTIVE_PARAMS,
    BALANCE_RATIO,
    HUGE_TOKENS,
    KV_BYTES_PER_TOKEN,
    NEXT_FLOP_PER_S,
    NEXT_HBM_BYTES,
    REACHED_FRACTION,
    SHORT_TOKENS,
    STEP_TOKENS,
    USD_PER_CHIP_S,
)
from ridgeline.catalog import CatalogError, load_machine, load_model
from ridgeline.catalog.list_prices import list_price
from ridgeline.catalog.storage import storage_device
from ridgeline.equations import attention, caching, contexts, pricing, roofline
from ridgeline.estimator.parameters import active_params, flop_per_pair, kv_bytes_per_token
from ridgeline.specs.attention import LatentAttention

__all__ = ["CLAIMS", "chip_usd_per_s", "hold_usd", "recompute_usd"]

HEADS, HEAD_DIM = 8, 128
LAYERS = 100
FIVE_MINUTES_S = 300.0
BATCHES = 3.0

SOURCE = "list prices of 2026-11-20, genai-prices 0.2.3"
MACHINE = "h100-sxm"
V3 = f"{deepseek.MODEL} in its published formats on {MACHINE}"
FLEET = f"{V3}, {deepseek.MEAN_CONTEXT_TOKENS:,.0f} tokens and as many balance batches as in A26: {deepseek.REPORT}"


def _h100_ratio() -> float:
    """Of the data sheet, for a model that is all in 8 bits."""
    chip = load_machine(MACHINE).chip
    return float(
        roofline.balance_ratio(
            flop_per_s=chip.flop_per_s["fp8"], hbm_bytes_per_s=chip.hbm_bytes_per_s, bytes_per_param=1
        )
    )


def _v3_kv_bytes() -> float:
    return controls.kv_bytes(deepseek.facts(MACHINE))


def _crossover(kv_bytes: float, balance_batches: float | None = None) -> float:
    """Of the board's model."""
    known = {} if balance_batches is None else {"balance_batches": balance_batches}
    return float(
        contexts.crossover_context_tokens(
            active_params=ACTIVE_PARAMS,
            bytes_per_param=1,
            balance_ratio=BALANCE_RATIO,
            kv_bytes_per_token=kv_bytes,
            **known,
        )
    )


def _v3_on_the_board() -> float:
    """DeepSeek-V3's crossover on the board's chip: 37 billion parameters of a byte."""
    return float(
        contexts.crossover_context_tokens(
            active_params=37e9, bytes_per_param=1, balance_ratio=BALANCE_RATIO, kv_bytes_per_token=_v3_kv_bytes()
        )
    )


def _v3_on_h100() -> float:
    return deepseek.crossover_tokens(MACHINE)


def _kv_bytes(balance_ratio: float, balance_batches: float | None = None) -> float:
    known = {} if balance_batches is None else {"balance_batches": balance_batches}
    return float(
        pricing.kv_bytes_at_crossover(
            active_params=ACTIVE_PARAMS,
            bytes_per_param=1,
            balance_ratio=balance_ratio,
            context_tokens=STEP_TOKENS,
            **known,
        )
    )


def _request_usd(*, above: bool) -> float:
    price = list_price("gemini-3-1-pro")
    suffix = "_above" if above else ""
    return float(
        pricing.usd_per_request(
            input_tokens=price.of("threshold_tokens"),
            output_tokens=1000,
            usd_per_input_token=price.of("input" + suffix),
            usd_per_output_token=price.of("output" + suffix),
        )
    )


def _request_step() -> float:
    return float(pricing.price_step_fraction(usd_below=_request_usd(above=False), usd_above=_request_usd(above=True)))


def _output_step() -> float:
    price = list_price("gemini-3-1-pro")
    return float(pricing.price_step_fraction(usd_below=price.output, usd_above=price.of("output_above")))


def _node_cost(tokens_per_s: float) -> float:
    return float(
        pricing.usd_per_token(
            time_s=1, chips=deepseek.CHIPS_PER_NODE, tokens=tokens_per_s, usd_per_chip_s=USD_PER_CHIP_S
        )
    )


def _missed_input_ratio() -> float:
    missed = deepseek.INPUT_TOKENS_PER_NODE_S * (1 - deepseek.HIT_FRACTION)
    return _node_cost(deepseek.OUTPUT_TOKENS_PER_NODE_S) / _node_cost(missed)


def _board_decode_over_prefill() -> float:
    return float(pricing.decode_over_prefill(context_tokens=SHORT_TOKENS, crossover_tokens=STEP_TOKENS))


def _v3_memory_over_compute() -> float:
    return float(
        contexts.memory_over_compute(
            context_over_crossover=deepseek.MEAN_CONTEXT_TOKENS / _v3_on_h100(),
            batch_over_balance=deepseek.balance_batches(),
        )
    )


def _board_parity() -> float:
    """Of a dense model of the board's size: 12 matrices of hidden by hidden a layer, as many heads as fill hidden."""
    hidden = (ACTIVE_PARAMS / (12 * LAYERS)) ** 0.5
    pair = LAYERS * attention.pairs_flop(
        pairs=1, query_heads=hidden / HEAD_DIM, query_key_dim=HEAD_DIM, value_dim=HEAD_DIM
    )
    return float(pricing.attention_parity_tokens(active_params=ACTIVE_PARAMS, flop_per_pair=pair))


def _real_parity() -> float:
    model = load_model("llama-3.1-405b")
    return float(
        pricing.attention_parity_tokens(active_params=active_params(model), flop_per_pair=flop_per_pair(model))
    )


def _grouped_intensity() -> float:
    """Of Llama-3.1-70B over the board's 300."""
    model = load_model("llama-3.1-70b")
    kv_bytes = kv_bytes_per_token(model, model.precision)
    found = pricing.attention_flop_per_byte(flop_per_pair=flop_per_pair(model), kv_bytes_per_token=kv_bytes)
    return float(found) / BALANCE_RATIO


def _latent_intensity() -> float:
    """Of DeepSeek-V3, its latent projections absorbed, over an H100's 16-bit ridge."""
    pair = 0.0
    for group in load_model("deepseek-v3").groups:
        kind = group.attention
        if not isinstance(kind, LatentAttention):
            raise TypeError(f"deepseek-v3 has {type(kind).__name__}; its attention is latent throughout")
        stored = float(attention.latent_kv_values(kv_rank=kind.kv_rank, position_head_dim=kind.position_head_dim))
        pair += group.layers * float(
            attention.pairs_flop(pairs=1, query_heads=kind.query_heads, query_key_dim=stored, value_dim=kind.kv_rank)
        )
    chip = load_machine("h100-sxm").chip
    ridge = roofline.flop_per_byte(flop_per_s=chip.flop_per_s["bf16"], hbm_bytes_per_s=chip.hbm_bytes_per_s)
    return float(pricing.attention_flop_per_byte(flop_per_pair=pair, kv_bytes_per_token=_v3_kv_bytes()) / ridge)


def chip_usd_per_s(machine: str = MACHINE) -> float:
    """The catalog's price of a chip, by the machine's name."""
    tariff = load_machine(machine).tariff
    if tariff is None:
        raise CatalogError(f"machine {machine!r} has no price in the catalog; claims and boards on costs need one")
    return tariff.usd_per_chip_s


def recompute_usd(*, careful: bool) -> float:
    """Dollars to make a token's cache again: the board's model on its chip, or DeepSeek-V3 on an H100."""
    facts = deepseek.facts(MACHINE)
    terms = controls.terms(facts)
    flop_per_s = terms.flop_per_s / facts.machine.scale_up_chips if careful else NEXT_FLOP_PER_S
    return float(
        caching.recompute_usd_per_token(
            active_params=terms.active_params if careful else ACTIVE_PARAMS,
            flop_per_s=REACHED_FRACTION * flop_per_s,
            usd_per_chip_s=chip_usd_per_s() if careful else USD_PER_CHIP_S,
        )
    )


def hold_usd(*, careful: bool) -> float:
    """Dollars to hold a token's cache in HBM for five minutes, of the same."""
    a_second = caching.hold_usd_per_token_s(
        kv_bytes_per_token=_v3_kv_bytes() if careful else KV_BYTES_PER_TOKEN,
        capacity_bytes=load_machine(MACHINE).chip.hbm_bytes if careful else NEXT_HBM_BYTES,
        usd_per_s=chip_usd_per_s() if careful else USD_PER_CHIP_S,
    )
    return float(caching.cost_usd(retrieve_usd=0, hold_usd_per_s=a_second, held_s=FIVE_MINUTES_S))


def _drain_s(device: str) -> float:
    found = storage_device(device)
    return float(caching.drain_time_s(capacity_bytes=found.capacity_bytes.value, bytes_per_s=found.bytes_per_s.value))


def _bytes_usd(device: str, usd: float | None = None) -> tuple[float, float]:
    """Of one byte: what reading it and what holding it for a second take of a device, in parts of its price."""
    found = storage_device(device)
    if usd is None:
        if found.usd is None:
            raise CatalogError(f"storage device {device!r} has no price in the catalog; break-evens need one")
        usd = found.usd.value
    return (
        float(caching.retrieve_usd_per_token(kv_bytes_per_token=1, bytes_per_s=found.bytes_per_s.value, usd_per_s=usd)),
        float(
            caching.hold_usd_per_token_s(kv_bytes_per_token=1, capacity_bytes=found.capacity_bytes.value, usd_per_s=usd)
        ),
    )


def _one_bill() -> float:
    """Break-even over drain time where one device bills holding and reading: a disk against nothing held or read."""
    retrieve, hold = _bytes_usd("disk-30tb", usd=1)
    even = caching.break_even_s(
        retrieve_usd=0, hold_usd_per_s=hold, slower_retrieve_usd=retrieve, slower_hold_usd_per_s=0
    )
    return float(even) / _drain_s("disk-30tb")


def _flash_or_disk() -> float:
    """Break-even of a flash drive and a disk at their prices, over the disk's drain time; their life cancels."""
    flash_retrieve, flash_hold = _bytes_usd("flash-tlc-31tb")
    disk_retrieve, disk_hold = _bytes_usd("disk-30tb")
    even = caching.break_even_s(
        retrieve_usd=flash_retrieve,
        hold_usd_per_s=flash_hold,
        slower_retrieve_usd=disk_retrieve,
        slower_hold_usd_per_s=disk_hold,
    )
    return float(even) / _drain_s("disk-30tb")


def _over_input(model: str, field: str) -> float:
    price = list_price(model)
    return price.of(field) / price.input


def _hits(model: str) -> float:
    return float(
        pricing.hits_to_pay_back(
            write_ratio=_over_input(model, "cache_write_5min"), read_ratio=_over_input(model, "cache_read")
        )
    )


CLAIMS: tuple[Claim, ...] = (
    old_claim(
        id="D1",
        time_stamp="1:33:00",
        chapter="prices",
        claim="Gemini 3.1 Pro is 50 % dearer beyond 200,000 tokens: part by which it is.",
        lecture=0.5,
        inputs={"source": SOURCE, "careful": "a request of 200,000 tokens in and 1,000 out"},
        equation="pricing.price_step_fraction",
        lecture_mode=_output_step,
        careful=_request_step,
        verdict=Verdict.DEPENDS,
        why="True of output; input doubles, so a long request doubles too. Other providers step by the same two ratios:"
        " a convention.",
        tolerance=1e-9,
    ),
    old_claim(
        id="D2",
        time_stamp="1:35:45",
        chapter="prices",
        claim="At the price step, 200,000 tokens, reading takes as long as computing, in tokens.",
        lecture=STEP_TOKENS,
        unit="tokens",
        inputs={
            "active_params": ACTIVE_PARAMS,
            "bytes_per_param": 1.0,
            "balance_ratio": BALANCE_RATIO,
            "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
            "careful": "at three balance batches",
        },
        equation="contexts.crossover_context_tokens",
        lecture_mode=lambda: _crossover(KV_BYTES_PER_TOKEN),
        careful=lambda: _crossover(KV_BYTES_PER_TOKEN, BATCHES),
        verdict=Verdict.DEPENDS,
        why="On a batch without bound and on the bytes a token that were read off the same step; with his rounded 2 kB"
        " it is a sixth less.",
        tolerance=0.2,
    ),
    old_claim(
        id="D3",
        time_stamp="1:37:00",
        chapter="prices",
        claim="A crossover at 200,000 tokens implies about 1.7 kB of keys and values a token, in bytes.",
        lecture=1667.0,
        unit="bytes",
        inputs={
            "active_params": ACTIVE_PARAMS,
            "bytes_per_param": 1.0,
            "balance_ratio": BALANCE_RATIO,
            "context_tokens": STEP_TOKENS,
            "careful": "an H100's own ratio in fp8, three balance batches",
        },
        equation="pricing.kv_bytes_at_crossover",
        lecture_mode=lambda: _kv_bytes(BALANCE_RATIO),
        careful=lambda: _kv_bytes(_h100_ratio(), BATCHES),
        verdict=Verdict.DEPENDS,
        why="On one-byte weights and a batch without bound: half in 4 bits, twice in 16, a third less at three balance"
        " batches.",
        tolerance=1e-3,
    ),
    old_claim(
        id="D4",
        time_stamp="1:39:00",
        chapter="prices",
        claim="8 stored heads of 128 in one layer have exactly that size, in bytes a token.",
        lecture=KV_BYTES_PER_TOKEN,
        unit="bytes",
        inputs={
            "layers": 1.0,
            "kv_heads": HEADS,
            "head_dim": HEAD_DIM,
            "bytes_per_value": 1.0,
            "careful": "deepseek-v3",
        },
        equation="attention.grouped_kv_values",
        lecture_mode=lambda: float(attention.grouped_kv_values(kv_heads=HEADS, key_dim=HEAD_DIM, value_dim=HEAD_DIM)),
        careful=_v3_kv_bytes,
        verdict=Verdict.DEPENDS,
        why="2,048 values, so on one byte a value and one global layer; open models store 20 to 250 times as much.",
        tolerance=0.03,  # 2 kB
    ),
    old_claim(
        id="D5",
        time_stamp="",
        chapter="prices",
        claim="Context from which decoding DeepSeek-V3 is bound by its cache at any batch, in tokens.",
        lecture=None,
        unit="tokens",
        inputs={"active_params": 37e9, "balance_ratio": BALANCE_RATIO, "kv": "deepseek-v3", "careful": V3},
        equation="contexts.crossover_context_tokens",
        lecture_mode=_v3_on_the_board,
        careful=_v3_on_h100,
        verdict=Verdict.DEPENDS,
        why="What follows for an open model: a hundredth of the 200,000 tokens, so decoding is bound by the cache at"
        " almost any context.",
    ),
    old_claim(
        id="D6",
        time_stamp="1:45:00",
        chapter="prices",
        claim="A token written costs five times one that is read, since decode is bound by memory.",
        lecture=5.0,
        inputs={
            "source": f"Claude Opus 4.5, {SOURCE}",
            "careful": f"tokens a node and second, cached input left out: {deepseek.REPORT}",
        },
        equation="pricing.usd_per_token",
        lecture_mode=lambda: list_price("claude-opus-4-5").output / list_price("claude-opus-4-5").input,
        careful=_missed_input_ratio,
        verdict=Verdict.ROUNDED,
        why="Lists have 1.5 to 8; the one provider that tells its throughput has 5.0 with cache hits counted as read,"
        " and 2.2 without.",
        tolerance=1e-9,
    ),
    old_claim(
        id="D7",
        time_stamp="",
        chapter="prices",
        claim="Decode costs five times prefill though its crossover is at 200,000 tokens: price ratio by both.",
        lecture=5.0,
        inputs={
            "context_tokens": SHORT_TOKENS,
            "crossover_tokens": STEP_TOKENS,
            "careful": FLEET,
        },
        equation="pricing.decode_over_prefill",
        lecture_mode=_board_decode_over_prefill,
        careful=_v3_memory_over_compute,
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="The two readings contradict each other: short of the crossover a large batch computes, at the price of"
        " reading. Five needs 83 kB a token, or a fifth of a balance batch.",
        tolerance=0.1,
    ),
    old_claim(
        id="D8",
        time_stamp="1:46:00",
        chapter="prices",
        claim="Prefill is bound by compute from few tokens a pass on: how many, where decode reads five times as long.",
        lecture=None,
        unit="tokens",
        inputs={"ratio": 5.0, "careful": FLEET},
        equation="contexts.memory_over_compute",
        lecture_mode=lambda: float(contexts.memory_over_compute(context_over_crossover=5)),
        careful=_v3_memory_over_compute,
        verdict=Verdict.REPRODUCES,
        why="Reading is shared by the tokens of a pass: where decode reads for five times as long, five are enough.",
    ),
    old_claim(
        id="D9",
        time_stamp="1:52:00",
        chapter="prices",
        claim="Attention computes as much as the parameters do only at millions of tokens, in tokens.",
        lecture=1e6,
        unit="tokens",
        inputs={
            "active_params": ACTIVE_PARAMS,
            "layers": LAYERS,
            "shape": "dense, 12 hidden**2 a layer, heads as wide as hidden together",
            "careful": "llama-3.1-405b",
        },
        equation="pricing.attention_parity_tokens",
        lecture_mode=_board_parity,
        careful=_real_parity,
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="Full attention in every layer gets there at six times the hidden width, 14,000 to 100,000 tokens in open"
        " models; millions need a few global layers.",
        tolerance=0.5,  # an order of magnitude was said
    ),
    old_claim(
        id="D10",
        time_stamp="1:53:00",
        chapter="prices",
        claim="Attention computes much less than it reads: FLOP a byte over what the chip balances.",
        lecture=None,
        inputs={
            "model": "llama-3.1-70b",
            "flop_per_byte": BALANCE_RATIO,
            "careful": "deepseek-v3 absorbed, h100-sxm in bf16",
        },
        equation="pricing.attention_flop_per_byte",
        lecture_mode=_grouped_intensity,
        careful=_latent_intensity,
        verdict=Verdict.DEPENDS,
        why="Small for grouped heads, as he says; latent attention shares one stored vector among 128 heads and is near"
        " balance.",
    ),
    old_claim(
        id="D11",
        time_stamp="1:54:00",
        chapter="prices",
        claim="100 million tokens of context are out of reach: reading over computing there.",
        lecture=None,
        inputs={"context_tokens": HUGE_TOKENS, "crossover_tokens": STEP_TOKENS, "careful": V3},
        equation="contexts.memory_over_compute",
        lecture_mode=lambda: float(contexts.memory_over_compute(context_over_crossover=HUGE_TOKENS / STEP_TOKENS)),
        careful=lambda: float(contexts.memory_over_compute(context_over_crossover=HUGE_TOKENS / _v3_on_h100())),
        verdict=Verdict.DEPENDS,
        why="On bytes a token that stay as they are. Contexts did not stall at 200,000: several lists sell a million,"
        " some without a step.",
    ),
    old_claim(
        id="D12",
        time_stamp="1:49:00",
        chapter="tiers",
        claim="A cache hit costs a tenth of an input token.",
        lecture=0.1,
        inputs={"source": f"Claude Opus 4.5, {SOURCE}", "careful": "Claude Opus 5.5, the newest of the line"},
        equation="",
        lecture_mode=lambda: _over_input("claude-opus-4-5", "cache_read"),
        careful=lambda: _over_input("claude-opus-5-5", "cache_read"),
        verdict=Verdict.REPRODUCES,
        why="A tenth of the input price, and less by now; against a write a hit is 12.5 or 20 times cheaper.",
        tolerance=1e-9,
    ),
    old_claim(
        id="D13",
        time_stamp="1:58:00",
        chapter="tiers",
        claim="A cache write for five minutes costs 1.25 times an input token.",
        lecture=1.25,
        inputs={"source": f"Claude Opus 4.5, {SOURCE}", "careful": "the same model's write for an hour"},
        equation="",
        lecture_mode=lambda: _over_input("claude-opus-4-5", "cache_write_5min"),
        careful=lambda: _over_input("claude-opus-4-5", "cache_write_1h"),
        verdict=Verdict.REPRODUCES,
        why="$6.25 over $5; the write for an hour, which he does not quote, is twice the input price.",
        tolerance=1e-9,
    ),
    old_claim(
        id="D14",
        time_stamp="1:56:00",
        chapter="tiers",
        claim="Prices are costs, so making a token's cache again costs its list price, in dollars.",
        lecture=5e-6,
        unit="$/token",
        inputs={
            "active_params": ACTIVE_PARAMS,
            "flop_per_s": NEXT_FLOP_PER_S,
            "reached_fraction": REACHED_FRACTION,
            "usd_per_chip_s": USD_PER_CHIP_S,
            "careful": f"{V3}, at the catalog's price",
        },
        equation="caching.recompute_usd_per_token",
        lecture_mode=lambda: recompute_usd(careful=False),
        careful=lambda: recompute_usd(careful=True),
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="The form holds, prices as costs do not: the list has 90 times what recomputing takes; only ratios of"
        " prices can say something.",
        tolerance=0.5,
    ),
    old_claim(
        id="D15",
        time_stamp="2:01:00",
        chapter="tiers",
        claim="A flash drive is read once in about a minute, in seconds.",
        lecture=60.0,
        unit="s",
        inputs={"device": "flash-tlc-8tb", "careful": "flash-qlc-123tb, the largest"},
        equation="caching.drain_time_s",
        lecture_mode=lambda: _drain_s("flash-tlc-8tb"),
        careful=lambda: _drain_s("flash-qlc-123tb"),
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="Nine minutes to 4.6 hours, and a disk takes 30 hours where he has one: by his rule 5 minutes are a small"
        " flash drive, an hour a large one.",
        tolerance=1.0,
    ),
    old_claim(
        id="D16",
        time_stamp="2:01:00",
        chapter="tiers",
        claim="The best tier is read once in the time that a cache is held: break-even over drain time.",
        lecture=1.0,
        inputs={"device": "disk-30tb", "careful": "flash-tlc-31tb against disk-30tb, at their prices"},
        equation="caching.break_even_s",
        lecture_mode=_one_bill,
        careful=_flash_or_disk,
        verdict=Verdict.REPRODUCES,
        why="Exact where one device bills both; between two, prices count: this disk wins from 1.3 hours, not 30.",
        tolerance=1e-9,
    ),
    old_claim(
        id="D17",
        time_stamp="1:58:00",
        chapter="tiers",
        claim="Hits that pay for a five-minute cache write.",
        lecture=None,
        inputs={"source": f"Claude Opus 4.5, {SOURCE}", "careful": "Claude Opus 5.5"},
        equation="pricing.hits_to_pay_back",
        lecture_mode=lambda: _hits("claude-opus-4-5"),
        careful=lambda: _hits("claude-opus-5-5"),
        verdict=Verdict.REPRODUCES,
        why="Follows from the prices quoted: two hits in seven writes are enough; a write for an hour needs 1.1 hits.",
    ),
)
