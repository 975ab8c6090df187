"""Fitted numbers of a chip's kernels and collectives, a record a kind; ``equations/kernels.py`` has their forms.

A *unit* is a compute unit: a streaming multiprocessor (SM) of NVIDIA's chips, a CU of AMD's. Launch overheads are those
inside a CUDA graph unless a name says ``eager``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ridgeline.specs.frozen import freeze_mappings

__all__ = [
    "Collectives",
    "DecodeAttention",
    "Elementwise",
    "ExpertAllToAll",
    "Experts",
    "Gemm",
    "Kernels",
    "LatentAttentionKernels",
    "PrefillAttention",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gemm:
    """Matrix products, and quantising their inputs.

    Attributes:
        fraction: achieved over peak FLOP/s of large GEMMs in the largest tiles, by format of the operands.
        hbm_fraction: achieved over peak memory bandwidth.
        unit_bytes_per_s: L2 bandwidth of one unit, bytes/s; memory bandwidth instead where that is faster.
        launch_s: launch overhead inside a CUDA graph, gap before the kernel included, s.
        eager_launch_s: extra launch overhead outside of a CUDA graph, s.
        penalty_values: extra cost of small tiles, for their lower reuse: ``1 + penalty_values * (1/rows + 1/columns)``.
        prologue_values: prologue of each tile, as values of the inner dimension K.
        k_value_s: lower bound on a tile's time for each value of K (latency bound), s.
        split_k_s: launch of a split-K reduction, s.
        quantise_s: launch overhead of quantising the input, s, by format.
        quantise_hbm_fraction: bandwidth of quantising over that of the GEMM's own reading and writing.
    """

    fraction: Mapping[str, float]
    hbm_fraction: float
    unit_bytes_per_s: float
    launch_s: float
    eager_launch_s: float
    penalty_values: float
    prologue_values: float
    k_value_s: float
    split_k_s: float
    quantise_s: Mapping[str, float]
    quantise_hbm_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeAttention:
    """Decode attention over keys and values per head (MHA, GQA, MQA).

    Attributes:
        launch_s: launch overhead of a layer's kernels, s.
        hbm_fraction: achieved over peak memory bandwidth while the KV cache is read.
        unit_bytes_per_s: memory bandwidth of one unit, bytes/s; binds where a sequence's cache is not split over units.
        kv_head_s: overhead of a unit for each KV head of a sequence, s.
    """

    launch_s: float
    hbm_fraction: float
    unit_bytes_per_s: float
    kv_head_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttentionKernels:
    """Decode attention over one latent vector a token (MLA).

    Attributes:
        launch_s: launch overhead of a layer's kernels, s.
        fraction: achieved over peak 16-bit FLOP/s.
        hbm_fraction: achieved over peak memory bandwidth.
        query_head_bytes: traffic besides the KV cache for each query head of a sequence, bytes: its query, and partial
            results of a split cache.
        mid_heads_factor: time to read the cache with 17 to 63 query heads, too many for the narrow tile and too few for
            the wide one, over that with fewer or more.
    """

    launch_s: float
    fraction: float
    hbm_fraction: float
    query_head_bytes: float
    mid_heads_factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillAttention:
    """Prefill attention (FlashAttention), with the kernels before it that rotate, quantise and write the KV cache.

    Attributes:
        launch_s: launch overhead of a layer's kernels, s.
        fraction: achieved over peak 16-bit FLOP/s.
        fp8_speedup_factor: FLOP/s with fp8 operands over that with 16-bit ones.
        hbm_fraction: achieved over peak memory bandwidth of queries, keys and values; not overlapped with computing.
        unit_bytes_per_s: bandwidth of each unit in the kernels before attention, bytes/s.
        softmax_values: cost of a score's softmax, as values of the head dimension.
        tail_fraction: exposed part of the longest query block's time, at the end, while other units idle.
        block_keys: fixed cost of a block of queries, as keys.
        window_tiles: extra key tiles of a query block, where a sliding window's edge crosses them.
    """

    launch_s: float
    fraction: float
    fp8_speedup_factor: float
    hbm_fraction: float
    unit_bytes_per_s: float
    softmax_values: float
    tail_fraction: float
    block_keys: float
    window_tiles: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """Routed experts of a layer on one chip (fused MoE): routing, permutation, grouped GEMMs, activation, reduction.

    Attributes:
        launch_s: launch overhead of a layer's kernels, s, by format as ``fraction``.
        fraction: achieved over peak FLOP/s in the largest tiles, by format of the operands; ``mxfp4_as_bf16`` is mxfp4
            weights that are dequantised to bf16.
        hbm_fraction: achieved over peak memory bandwidth while weights are read.
        unit_bytes_per_s: bandwidth of activations through each unit, bytes/s; not overlapped with computing.
        expert_s: overhead of each expert that the chip holds, s.
        penalty_values: extra cost of small tiles, as in ``Gemm``.
        prologue_values: prologue of each tile, as values of the inner dimension K.
        dequantise_flop_per_value: arithmetic outside of the matrix units that dequantises a weight, FLOP.
    """

    launch_s: Mapping[str, float]
    fraction: Mapping[str, float]
    hbm_fraction: float
    unit_bytes_per_s: float
    expert_s: float
    penalty_values: float
    prologue_values: float
    dequantise_flop_per_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Collectives:
    """Collectives inside a scale-up domain: NCCL's or RCCL's, and the one- and two-shot all-reduce of engines.

    Attributes:
        launch_s: launch overhead of a library collective, s.
        step_s: latency of a ring step with the Simple protocol, s; half of it with LL.
        simple_s: extra start-up time of the Simple protocol over LL, s.
        simple_fraction: bus bandwidth of the Simple protocol with two ranks, over the links' peak.
        ranks_power: exponent by which bandwidth falls with ranks, ``(2 / ranks) ** ranks_power``: 0 behind a switch, 1
            on a shared bus.
        ll_fraction: bus bandwidth of the LL protocol, over that of Simple.
        in_switch_s: extra start-up time of an in-switch reduction (NVLS), s; 0 where the switch cannot reduce.
        in_switch_fraction: bandwidth of an in-switch reduction, over the links' peak.
        one_shot_s: launch and synchronisation of an engine's own all-reduce, one-shot and two-shot alike, s.
        second_shot_s: second step of the two-shot all-reduce, s.
        shot_fraction: bandwidth of the one- and two-shot all-reduce with two ranks, over the links' peak.
        end_barrier_s: barrier at the end of the one- and two-shot all-reduce, in engines that have one, s.
        send_fraction: bandwidth of a send to one rank, over the links' peak.
        eager_launch_s: extra launch overhead of a library collective outside of a CUDA graph, s.
    """

    launch_s: float
    step_s: float
    simple_s: float
    simple_fraction: float
    ranks_power: float
    ll_fraction: float
    in_switch_s: float
    in_switch_fraction: float
    one_shot_s: float
    second_shot_s: float
    shot_fraction: float
    end_barrier_s: float
    send_fraction: float
    eager_launch_s: float

    def over_a_bus(self, link_fraction: float = 1.0) -> Collectives:
        """Collectives where all ranks share one bus, so that each has its part of the bandwidth of two.

        Args:
            link_fraction: fraction of the links' peak at which two ranks reach their bandwidth here.
        """
        return dataclasses.replace(
            self,
            ranks_power=1.0,
            simple_fraction=self.simple_fraction * link_fraction,
            shot_fraction=self.shot_fraction * link_fraction,
            send_fraction=self.send_fraction * link_fraction,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertAllToAll:
    """Dispatch and combine of expert parallelism, as DeepEP's two kinds of kernels do them.

    Low-latency kernels send a copy of a token to each of its experts; high-throughput kernels send one to each chip, or
    to each domain outside of their own, where it is forwarded.

    Attributes:
        launch_s: launch overhead, s.
        low_latency_expert_s: overhead of a low-latency kernel for each expert of the layer, s.
        low_latency_fraction: bandwidth of low-latency kernels inside a domain, over the links' peak.
        scale_out_s: extra latency where tokens leave the domain, s.
        scale_out_fraction: achieved over peak bandwidth between domains.
        high_throughput_s: extra start-up time of a high-throughput kernel, s.
        high_throughput_value_s: time of a high-throughput kernel for each value of a token (hidden size), s: chunks of
            it pass one after the other.
        high_throughput_fraction: bandwidth of high-throughput kernels inside a domain, over the links' peak, at most.
        unit_bytes_per_s: bandwidth of each unit that a high-throughput kernel occupies, bytes/s.
        eager_launch_s: extra launch overhead outside of a CUDA graph, s.
        host_dispatch_s: host time of a dispatch outside of a CUDA graph, s.
    """

    launch_s: float
    low_latency_expert_s: float
    low_latency_fraction: float
    scale_out_s: float
    scale_out_fraction: float
    high_throughput_s: float
    high_throughput_value_s: float
    high_throughput_fraction: float
    unit_bytes_per_s: float
    eager_launch_s: float
    host_dispatch_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Elementwise:
    """Norms, activations, additions: kernels that are bound by memory.

    Attributes:
        isolated_launch_s: launch overhead of a kernel that is timed by itself, s; inside a graph, ``Gemm``'s holds.
        row_value_s: time for each value of a row, where a thread block reduces a row, s (latency bound).
        hbm_fraction: achieved over peak memory bandwidth.
        row_hbm_fraction: achieved over peak memory bandwidth where a thread block reduces a row.
    """

    isolated_launch_s: float
    row_value_s: float
    hbm_fraction: float
    row_hbm_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernels:
    """All kinds of kernels of a chip, and the collectives of its scale-up domain.

    Fields that end in ``fraction`` are fractions of a value on the spec sheet, or of another number: none is above one.
    """

    gemm: Gemm
    decode_attention: DecodeAttention
    latent_attention: LatentAttentionKernels
    prefill_attention: PrefillAttention
    experts: Experts
    collectives: Collectives
    expert_all_to_all: ExpertAllToAll
    elementwise: Elementwise

    def __post_init__(self) -> None:
        for block in type(self).__dataclass_fields__:
            record = getattr(self, block)
            for name, field, kind in _numbers_of(block, record.__class__):
                number = getattr(record, field)
                if kind.startswith("Mapping") is not isinstance(number, Mapping):
                    raise ValueError(f"Kernels: {name}={number!r} must be {kind}")
                for key, value in number.items() if isinstance(number, Mapping) else [("", number)]:
                    _require_number(f"{name}.{key}" if key else name, value)
            freeze_mappings(record)


@cache  # a fit makes thousands of records
def _numbers_of(block: str, record: type) -> tuple[tuple[str, str, str], ...]:
    """Numbers of a block: the name of each in a message, its field and that field's type."""
    return tuple((f"{block}.{field.name}", field.name, str(field.type)) for field in dataclasses.fields(record))


def _require_number(name: str, value: Any) -> None:  # noqa: ANN401  a file may hold anything
    """Refuse a negative number, a fraction above one, and a value that is no number, nor a grid of those."""
    least, most = (value.min(), value.max()) if isinstance(value, np.ndarray) else (value, value)
    if isinstance(value, bool) or not isinstance(least, (int, float)) or not 0 <= least <= most < math.inf:
        raise ValueError(f"Kernels: {name}={value!r} must be a number from 0 up")
    if name.split(".")[1].endswith("fraction") and not 0 < least <= most <= 1:
        raise ValueError(f"Kernels: {name}={value!r} must be above 0 and at most 1, since it is a part of a whole")
