"""Numbers of kernels that are fitted together, the kinds of rows for each, and the start of the search."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.calibration.cases import Case
from ridgeline.catalog.harnesses import harness_of
from ridgeline.specs.kernels import (
    Collectives,
    DecodeAttention,
    Elementwise,
    ExpertAllToAll,
    Experts,
    Gemm,
    Kernels,
    LatentAttentionKernels,
    PrefillAttention,
)

__all__ = [
    "BLOCKS",
    "START",
    "Block",
    "block_of",
    "is_fitted_on",
    "takes",
]

START = Kernels(
    gemm=Gemm(
        fraction={"bf16": 0.76, "fp8": 0.6, "fp8_row": 0.43, "nvfp4": 0.43},
        hbm_fraction=0.84,
        unit_bytes_per_s=2e10,
        launch_s=2.6e-6,
        eager_launch_s=1.2e-6,
        penalty_values=190.0,
        prologue_values=97.0,
        k_value_s=1e-9,
        split_k_s=3.3e-6,
        quantise_s={"fp8": 9.6e-6, "fp8_row": 1.8e-6, "nvfp4": 8.8e-6},
        quantise_hbm_fraction=0.9,
    ),
    decode_attention=DecodeAttention(launch_s=1.2e-5, hbm_fraction=0.8, unit_bytes_per_s=2.2e10, kv_head_s=1.2e-6),
    latent_attention=LatentAttentionKernels(
        launch_s=1.4e-5, fraction=1.0, hbm_fraction=0.85, query_head_bytes=5e3, mid_heads_factor=1.1
    ),
    prefill_attention=PrefillAttention(
        launch_s=1.5e-5,
        fraction=0.8,
        fp8_speedup_factor=1.2,
        hbm_fraction=0.8,
        unit_bytes_per_s=2e10,
        softmax_values=110.0,
        tail_fraction=0.32,
        block_keys=64.0,
        window_tiles=3.8,
    ),
    experts=Experts(
        launch_s={"bf16": 2.6e-5, "mxfp8": 2e-5, "mxfp4_as_bf16": 6e-5},
        fraction={"bf16": 0.54, "fp8": 0.72, "fp8_row": 0.43, "nvfp4": 0.51, "mxfp8": 0.26, "mxfp4_as_bf16": 0.26},
        hbm_fraction=0.84,
        unit_bytes_per_s=2.2e10,
        expert_s=4.6e-8,
        penalty_values=11.0,
        prologue_values=53.0,
        dequantise_flop_per_value=14.0,
    ),
    collectives=Collectives(
        launch_s=9e-6,
        step_s=1.6e-6,
        simple_s=1.5e-5,
        simple_fraction=0.6,
        ranks_power=0.05,
        ll_fraction=0.55,
        in_switch_s=2.4e-5,
        in_switch_fraction=0.6,
        one_shot_s=5e-6,
        second_shot_s=1.4e-5,
        shot_fraction=0.6,
        end_barrier_s=2e-6,
        send_fraction=0.82,
        eager_launch_s=1.9e-5,
    ),
    expert_all_to_all=ExpertAllToAll(
        launch_s=1e-5,
        low_latency_expert_s=2e-8,
        low_latency_fraction=0.6,
        scale_out_s=1.2e-5,
        scale_out_fraction=0.9,
        high_throughput_s=1.2e-5,
        high_throughput_value_s=3.5e-9,
        high_throughput_fraction=0.8,
        unit_bytes_per_s=1.3e10,
        eager_launch_s=1.5e-5,
        host_dispatch_s=7e-5,
    ),
    elementwise=Elementwise(isolated_launch_s=1.5e-6, row_value_s=7e-10, hbm_fraction=0.9, row_hbm_fraction=0.55),
)
"""Start of a fit, and its prior where nothing was measured: round numbers of public kernel timings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Numbers that are fitted together.

    Attributes:
        kinds: kinds of cases that they are fitted on.
        own: fields that each chip has of its own; the others are shared.
        is_inside: whether rows that leave the scale-up domain are left out.
    """

    kinds: tuple[str, ...]
    own: tuple[str, ...]
    is_inside: bool = False


BLOCKS: dict[str, Block] = {
    "gemm": Block(kinds=("gemm",), own=("fraction", "hbm_fraction", "unit_bytes_per_s", "launch_s", "quantise_s")),
    "decode_attention": Block(kinds=("attention_decode",), own=("launch_s", "hbm_fraction", "kv_head_s")),
    "latent_attention": Block(
        kinds=("mla_decode",),
        own=("launch_s", "fraction", "hbm_fraction", "query_head_bytes", "mid_heads_factor"),
    ),
    "prefill_attention": Block(
        kinds=("attention_prefill",),
        own=("launch_s", "fraction", "fp8_speedup_factor", "unit_bytes_per_s", "window_tiles"),
    ),
    "experts": Block(
        kinds=("grouped_gemm",),
        own=("launch_s", "fraction", "unit_bytes_per_s", "expert_s", "dequantise_flop_per_value"),
    ),
    "collectives": Block(
        kinds=("all_reduce", "all_gather", "reduce_scatter", "point_to_point"),
        own=(
            *("launch_s", "step_s", "simple_s", "simple_fraction", "ranks_power", "ll_fraction", "in_switch_s"),
            *("in_switch_fraction", "one_shot_s", "second_shot_s", "shot_fraction", "end_barrier_s", "send_fraction"),
        ),
        is_inside=True,
    ),
    "expert_all_to_all": Block(
        kinds=("all_to_all_dispatch", "all_to_all_combine"),
        own=(
            "launch_s",
            "low_latency_expert_s",
            "low_latency_fraction",
            "high_throughput_s",
            "high_throughput_value_s",
            "high_throughput_fraction",
            "unit_bytes_per_s",
        ),
    ),
    "elementwise": Block(
        kinds=("elementwise",), own=("isolated_launch_s", "row_value_s", "hbm_fraction", "row_hbm_fraction")
    ),
}
"""Blocks by name, with the kinds of cases for each."""


def is_fitted_on(case: Case) -> bool:
    """Whether numbers are fitted on a row."""
    return block_of(case) is not None


def block_of(case: Case) -> str | None:
    """Block whose numbers are fitted on a row; None where there is none."""
    return next((name for name, block in BLOCKS.items() if takes(block, case)), None)


def takes(block: Block, case: Case) -> bool:
    """Whether a block's numbers are fitted on a row."""
    # A plain all-to-all is sent like an all-gather.
    kind = "all_to_all" if case.attributes.get("uniform") else case.kind
    leaves = block.is_inside and case.attributes.get("scope") == "inter_node"
    is_served = kind not in harness_of(case.engine).unserved_kinds
    return kind in block.kinds and not leaves and is_served
