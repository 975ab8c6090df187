"""Attention between its projections: scores and weighted values, over prompts, single tokens or latent vectors.

Source: Dao 2023, "FlashAttention-2" (arXiv 2307.08691), for blocks of queries over a prompt.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.equations.attention import pairs_flop
from ridgeline.equations.kernels import BLOCK_QUERIES, attention_block_time_s, overlapped_time_s, padded_pairs
from ridgeline.estimator.kernels.kernel import (
    OVERLAP_SQUARINGS,
    RESIDUAL,
    Ground,
    Kernel,
    divided,
    fitted,
    joined,
    passing_time_s,
    rests_on,
    roofline,
    summed,
    units_of,
    work,
)
from ridgeline.estimator.timing import Timing, Work, fitted_timing, roofline_timing
from ridgeline.numeric import Numeric, ceil, maximum, minimum, where
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.kernels import DecodeAttention, LatentAttentionKernels, PrefillAttention
from ridgeline.specs.machine import Chip, Machine

NARROW_HEADS, WIDE_HEADS = 16, 64
"""Bounds on the query heads that a tile of latent attention takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionCore(Kernel):
    """Scores and weighted values of one layer, without projections.

    Attributes:
        pairs: pairs of a query and a key, summed over sequences.
        query_heads: heads on this chip.
        query_key_dim: width of a query and a key.
        value_dim: width of a value.
        cache_bytes: bytes of the KV cache that are read from memory or written to it.
        queries: tokens whose queries meet keys.
        is_prefill: whether queries are those of whole prompts, which takes another kernel than single tokens.
        arithmetic: arithmetic of its products, where the chip has it; else bf16.
        blocks: KV heads of all sequences, each with its own cache.
        is_split: whether several units may read one cache (split KV).
        reach: keys that the last query of a prompt attends to.
        is_latent: whether all heads of a decode step attend to one stored vector per token.
        is_windowed: whether a prompt's queries attend only to near keys.
        is_expanded: whether a prompt's keys and values come from latent vectors for every head, not from the cache.
        is_prepared: whether earlier kernels rotate a prompt's queries and keys, quantise them or write the cache.
        stands_for: unmeasured kind of attention for which this kernel stands in; empty for its own kind.
        cache_format: name of the cache's number format; empty where it does not matter.
    """

    pairs: Numeric
    query_heads: Numeric
    query_key_dim: Numeric
    value_dim: Numeric
    cache_bytes: Numeric
    queries: Numeric
    is_prefill: bool
    arithmetic: str = "bf16"
    blocks: Numeric = 1
    is_split: bool = True
    reach: Numeric = 0
    is_latent: bool = False
    is_windowed: bool = False
    is_expanded: bool = False
    is_prepared: bool = True
    stands_for: str = ""
    cache_format: str = ""
    changed = frozenset({"attention_launch_fraction", "gap_fraction", "eager_launch_s"})


@work.register
def _work(kernel: AttentionCore) -> Work:
    # Queries come in and weighted values go out; expanded keys and values come in besides.
    width = kernel.query_heads * (kernel.query_key_dim + kernel.value_dim) * (2 if kernel.is_expanded else 1)
    return Work(
        flop=pairs_flop(
            pairs=kernel.pairs,
            query_heads=kernel.query_heads,
            query_key_dim=kernel.query_key_dim,
            value_dim=kernel.value_dim,
        ),
        kv_bytes=kernel.cache_bytes,
        activation_bytes=kernel.queries * width * RESIDUAL.bytes_per_value,
    )


def _kind(kernel: AttentionCore) -> str:
    """Kind of kernel, a key of the bands."""
    return "prefill_attention" if kernel.is_prefill else "latent_attention" if kernel.is_latent else "decode_attention"


@roofline.register
def _(kernel: AttentionCore, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    chip = machine.chip
    arithmetic = kernel.arithmetic if kernel.arithmetic in chip.flop_per_s else "bf16"
    if kernel.is_prefill:
        fraction, hbm_fraction = machine.efficiency.attention_compute_fraction, machine.efficiency.hbm_fraction
    else:
        fraction = machine.efficiency.compute_fraction.get(arithmetic, machine.efficiency.default_compute_fraction)
        hbm_fraction = machine.efficiency.kv_hbm_fraction
    return roofline_timing(
        _work(kernel),
        kind=_kind(kernel),
        flop_per_s=chip.flop_per_s[arithmetic] * fraction,
        hbm_bytes_per_s=chip.hbm_bytes_per_s * hbm_fraction,
        launch_s=kernel.launches
        * machine.efficiency.kernel_launch_s
        * (1.0 if kernel.is_prefill else run.attention_launch_fraction),
        gap_fraction=run.gap_fraction,
    )


@fitted.register
def _(kernel: AttentionCore, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    kernels = machine.efficiency.fitted
    if kernel.is_prefill:
        return _prefill(kernel, machine.chip, kernels.prefill_attention, run)
    if kernel.is_latent:
        return _latent(kernel, machine.chip, kernels.latent_attention, run)
    return _decode(kernel, machine.chip, kernels.decode_attention, run)


@rests_on.register
def _(kernel: AttentionCore, machine: Machine) -> Ground:
    kind, cache = _kind(kernel), kernel.cache_format
    said = KIND_TEXTS[kind]
    stand_in = f"no such kernel was measured, {said} stands in" if kernel.stands_for else ""
    if cache and cache not in MEASURED_CACHES:
        stand_in = f"none over a cache in {cache} was measured, those in {' and '.join(MEASURED_CACHES)} stand in"
    return Ground(
        part=kernel.stands_for or said,
        number=f"{kind}.fraction" if kernel.is_prefill else f"{kind}.hbm_fraction",
        launch=f"{kind}.launch_s",
        launched="attention_launch_fraction",
        stand_in=stand_in,
    )


MEASURED_CACHES = ("bf16", "fp8")
"""Formats of KV caches that the measured kernels read; one fitted number holds for both."""


KIND_TEXTS = {
    "prefill_attention": "prefill attention",
    "latent_attention": "decode attention over latent vectors",
    "decode_attention": "decode attention",
}


@joined.register
def _(kernel: AttentionCore, others: Sequence[AttentionCore]) -> AttentionCore:
    reach = kernel.reach
    for one in others:
        reach = maximum(reach, one.reach)
    return dataclasses.replace(summed(kernel, others, "pairs", "cache_bytes", "queries", "blocks"), reach=reach)


@divided.register
def _(kernel: AttentionCore, chips: int, *, is_prompt: bool) -> AttentionCore:
    queries = kernel.queries / chips if is_prompt else kernel.queries
    return dataclasses.replace(
        kernel, pairs=kernel.pairs / chips, cache_bytes=kernel.cache_bytes / chips, queries=queries
    )


def _decode(kernel: AttentionCore, chip: Chip, numbers: DecodeAttention, run: AsRun) -> Timing:
    done = _work(kernel)
    memory_s = (done.kv_bytes + done.activation_bytes) / (chip.hbm_bytes_per_s * numbers.hbm_fraction)
    if not kernel.is_split:
        busy_units = minimum(kernel.blocks, units_of(chip))
        memory_s = maximum(memory_s, done.kv_bytes / (busy_units * numbers.unit_bytes_per_s))
    launch_s = run.attention_launch_fraction * (numbers.launch_s + numbers.kv_head_s * kernel.blocks / units_of(chip))
    compute_s = done.flop / chip.flop_per_s.get(kernel.arithmetic, chip.flop_per_s["bf16"])
    return fitted_timing(
        done,
        kind=_kind(kernel),
        time_s=maximum(memory_s, compute_s) + launch_s,
        compute_s=compute_s,
        memory_s=memory_s,
        launch_s=launch_s,
        gap_fraction=run.gap_fraction,
    )


def _latent(kernel: AttentionCore, chip: Chip, numbers: LatentAttentionKernels, run: AsRun) -> Timing:
    done = _work(kernel)
    compute_s = done.flop / (chip.flop_per_s["bf16"] * numbers.fraction)
    # A narrow tile takes up to 16 heads, and a wide one pays from 64; in between, narrow ones read the cache again.
    heads = kernel.query_heads
    again = where(heads > NARROW_HEADS, where(heads < WIDE_HEADS, numbers.mid_heads_factor, 1.0), 1.0)
    hbm_bytes_per_s = chip.hbm_bytes_per_s * numbers.hbm_fraction
    memory_s = done.kv_bytes / hbm_bytes_per_s * again
    passing_s = numbers.query_head_bytes * kernel.queries * heads / hbm_bytes_per_s
    busy_s = overlapped_time_s(first_s=compute_s, second_s=memory_s, squarings=OVERLAP_SQUARINGS)
    launch_s = run.attention_launch_fraction * numbers.launch_s
    return fitted_timing(
        done,
        kind=_kind(kernel),
        time_s=busy_s + passing_s + launch_s,
        compute_s=compute_s,
        memory_s=memory_s + passing_s,
        launch_s=launch_s,
        gap_fraction=run.gap_fraction,
    )


def _prefill(kernel: AttentionCore, chip: Chip, numbers: PrefillAttention, run: AsRun) -> Timing:
    done = _work(kernel)
    flop_per_s = chip.flop_per_s["bf16"] * numbers.fraction
    if kernel.arithmetic == "fp8":
        flop_per_s = flop_per_s * numbers.fp8_speedup_factor
    pairs = padded_pairs(
        pairs=kernel.pairs,
        queries=kernel.queries,
        query_blocks=kernel.queries / maximum(kernel.reach, 1) * ceil(kernel.reach / BLOCK_QUERIES),
        block_keys=numbers.block_keys,
        window_tiles=numbers.window_tiles if kernel.is_windowed else 0.0,
    )
    widths = kernel.query_key_dim + kernel.value_dim + numbers.softmax_values
    flop = pairs_flop(pairs=pairs, query_heads=kernel.query_heads, query_key_dim=widths, value_dim=0)
    tail_s = numbers.tail_fraction * attention_block_time_s(
        keys=kernel.reach, widths=widths, unit_flop_per_s=flop_per_s / units_of(chip)
    )
    unit_bytes_per_s = numbers.unit_bytes_per_s if kernel.is_prepared else math.inf
    memory_s = passing_time_s(done.kv_bytes + done.activation_bytes, chip, numbers.hbm_fraction, unit_bytes_per_s)
    compute_s = flop / flop_per_s + tail_s
    return fitted_timing(
        done,
        kind=_kind(kernel),
        time_s=compute_s + memory_s + numbers.launch_s,
        compute_s=compute_s,
        memory_s=memory_s,
        launch_s=numbers.launch_s,
        gap_fraction=run.gap_fraction,
    )
