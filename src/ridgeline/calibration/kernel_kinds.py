"""Kinds of cases that are one kernel or message by itself: the same records of which a step is made."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.run import Run, format_named, is_eager
from ridgeline.equations.experts import groups_visited
from ridgeline.estimator.attention import cores
from ridgeline.estimator.clock import kernel_timing, message_timing
from ridgeline.estimator.kernels import (
    RESIDUAL,
    AllGather,
    AllReduce,
    AllToAll,
    AttentionCore,
    ExpertMatmul,
    Group,
    Kernel,
    Matmul,
    Message,
    Send,
    Stream,
)
from ridgeline.estimator.placement import group as placed
from ridgeline.estimator.placement import placement_faults
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import Attention, GroupedQueryAttention, SlidingWindowAttention
from ridgeline.specs.layout import Layout
from ridgeline.specs.number_format import FORMATS, MatmulFormat, matmul_format
from ridgeline.specs.workload import Decode, Phase, Prefill

__all__ = [
    "all_gather_s",
    "all_reduce_s",
    "all_to_all_bytes",
    "all_to_all_s",
    "attention_decode_s",
    "attention_prefill_s",
    "elementwise_s",
    "gemm_s",
    "grouped_gemm_s",
    "mla_decode_s",
    "point_to_point_s",
]


def _kernel_s(run: Run, kernel: Kernel) -> Numeric:
    efficiency = run.fidelity.efficiency(run.machine)
    time_s = kernel_timing(kernel, run.machine, efficiency).time_s
    return time_s + (efficiency.kernels.products.eager_s if efficiency.kernels and is_eager(run) else 0.0)


def _message_s(run: Run, message: Message) -> Numeric:
    efficiency = run.fidelity.efficiency(run.machine)
    time_s = message_timing(message, run.machine, efficiency).time_s
    # The general library says in brackets who calls it.
    is_called = "torch" in run.case.facts.get("engine", "")
    return time_s + (efficiency.kernels.links.eager_s if efficiency.kernels and is_called else 0.0)


def _matmul_format(run: Run) -> MatmulFormat:
    """The formats of a product; a block format of activations is that of rows, not of weights."""
    facts = run.case.facts
    weights = format_named(facts.get("weight_dtype", "bf16"))
    operand = format_named(facts.get("activation_dtype", weights.operand))
    operand = FORMATS["fp8_row"] if operand.name == "fp8_block" else operand
    if operand.arithmetic not in run.machine.chip.flop_per_s:
        run.warnings.append(f"{run.machine.id} has no {operand.arithmetic} arithmetic: multiplied in bf16")
        operand = FORMATS["bf16"]
    return matmul_format(weights.name, operand.name)


def gemm_s(run: Run) -> Numeric:
    """One matrix product."""
    case = run.case
    kernel = Matmul(
        rows=case.number("m"),
        columns=case.number("n"),
        inner=case.number("k"),
        format=_matmul_format(run),
        quantises=_quantises(run),
        turns=_turns(run),
    )
    return _kernel_s(run, kernel)


def _turns(run: Run) -> int | None:
    """Matrices that a benchmark multiplies by in turn: a few against caches, one, or one out of a flushed cache."""
    engine = run.case.facts.get("engine", "")
    if engine.startswith("deepgemm"):
        return None
    return 5 if engine.startswith(("trtllm", "sglang", "vllm-0")) else 1


def _quantises(run: Run) -> bool:
    """Whether a measured product turned its input into a narrow format itself; kernels by themselves do not."""
    return not run.case.facts.get("engine", "").startswith("deepgemm")


def grouped_gemm_s(run: Run) -> Numeric:
    """A whole layer of experts on one chip (``fused_moe``), or one product for each of some groups of rows."""
    case = run.case
    rows, groups = case.number("m"), case.number("groups")
    if not run.attribute("fused_moe", default=False):
        product = Matmul(
            quantises=_quantises(run),
            rows=rows * groups,
            columns=case.number("n"),
            inner=case.number("k"),
            matrices=groups,
            format=_matmul_format(run),
        )
        return _kernel_s(run, product)
    kernel = ExpertMatmul(
        visits=run.attribute("rows", rows * groups),
        experts_touched=groups,
        hidden=case.number("k"),
        expert_hidden=case.number("n"),
        gated=bool(run.attribute("gated", default=True)),
        format=_matmul_format(run),
        held=run.attribute("local_experts", groups),
        tokens=case.number_or("batch", 0),
    )
    # Facts from which m and groups were made.
    for name in ("experts", "moe_ep", "moe_tp", "top_k"):
        run.attribute(name)
    return _kernel_s(run, kernel)


def _attention_s(run: Run, attention: Attention, phase: Phase, **changes: Any) -> Numeric:  # noqa: ANN401  fields of any type
    kv_format = format_named(run.case.facts.get("kv_dtype", "bf16"))
    found = cores(attention, phase, sequences=phase.batch, tp=1, kv_format=kv_format)
    arithmetic = format_named(run.case.facts.get("activation_dtype", "bf16")).arithmetic
    asked = [
        dataclasses.replace(kernel, arithmetic=arithmetic, **changes) if isinstance(kernel, AttentionCore) else kernel
        for kernel in found.values()
    ]
    return sum((_kernel_s(run, kernel) for kernel in asked), 0.0)


def _heads(run: Run) -> GroupedQueryAttention | SlidingWindowAttention:
    """The heads of one chip, and their window where there is one."""
    case = run.case
    head_dim = case.whole("head_dim")
    run.attribute("mla")  # its prompts are read in expanded heads, which the columns describe
    value_dim = run.whole_attribute("v_head_dim", head_dim)
    try:
        heads = GroupedQueryAttention(
            query_heads=case.whole("query_heads"),
            kv_heads=case.whole("kv_heads"),
            head_dim=head_dim,
            value_head_dim=0 if value_dim == head_dim else value_dim,
        )
    except ValueError as error:
        raise Unsupported(str(error)) from None
    window = run.attribute("window")
    return SlidingWindowAttention(base=heads, window=run.whole_attribute("window")) if window else heads


def attention_decode_s(run: Run) -> Numeric:
    """One layer's attention of single tokens, without projections."""
    phase = Decode(batch=run.case.number("batch"), context_tokens=run.case.number("context_tokens"))
    # vLLM's kernel for Ampere splits a cache only where several query heads read it.
    is_whole = (
        run.case.facts.get("engine", "").startswith("vllm")
        and run.case.facts["query_heads"] == run.case.facts["kv_heads"]
    )
    return _attention_s(run, _heads(run), phase, is_split=not is_whole)


def attention_prefill_s(run: Run) -> Numeric:
    """One layer's attention over prompts, without projections."""
    if run.attribute("causal", default=True) is not True:
        raise Unsupported("attention over a prompt that is not causal is not modelled")
    phase = Prefill(batch=run.case.number("batch"), prompt_tokens=run.case.number("prompt_tokens"))
    changes: dict[str, Any] = {}
    if run.attribute("mla", default=False):
        # Expanded heads are read as they come; those for a narrow cache are narrowed first.
        is_prepared = format_named(run.case.facts.get("kv_dtype", "bf16")).value_bits < RESIDUAL.value_bits
        changes = {"is_expanded": True, "is_prepared": is_prepared, "cache_bytes": 0.0}
    return _attention_s(run, _heads(run), phase, **changes)


def mla_decode_s(run: Run) -> Numeric:
    """One layer's latent attention of single tokens, in the absorbed form: all heads over one stored vector."""
    case = run.case
    width, pairs = case.number("head_dim"), case.number("batch") * case.number("context_tokens")
    kv_format = format_named(case.facts.get("kv_dtype", "bf16"))
    kernel = AttentionCore(
        pairs=pairs,
        query_heads=case.number("query_heads"),
        query_key_dim=width,
        value_dim=run.whole_attribute("v_head_dim"),
        cache_bytes=pairs * width * kv_format.bytes_per_value,
        queries=case.number("batch"),
        is_prefill=False,
        blocks=case.number("batch"),
        is_latent=True,
    )
    return _kernel_s(run, kernel)


def elementwise_s(run: Run) -> Numeric:
    """One kernel that only streams over memory."""
    run.attribute("op")  # which one: its streams say what it moves
    kernel = Stream(rows=run.case.number("m"), width=run.case.number("n"), streams=run.whole_attribute("streams"))
    return _kernel_s(run, kernel)


def _group(run: Run) -> Group:
    """Where the ranks of a message lie: in as few domains as hold them."""
    ranks = run.case.whole("ranks")
    try:
        faults = placement_faults(run.machine, Layout(tp=ranks))
    except ValueError as error:
        raise Unsupported(f"ranks={ranks}: {error}") from None
    if faults:
        raise Unsupported("; ".join(faults))
    return placed(run.machine.fabric, ranks, ranks=ranks)


def all_reduce_s(run: Run) -> Numeric:
    """A sum over all ranks."""
    is_custom = run.case.facts.get("engine", "").startswith(("trtllm", "vllm", "sglang"))
    message = AllReduce(buffer_bytes=run.case.number("message_bytes"), group=_group(run), is_custom=is_custom)
    return _message_s(run, message)


def all_gather_s(run: Run) -> Numeric:
    """A gather, or the scatter of a sum, which sends as much."""
    return _message_s(run, AllGather(buffer_bytes=run.case.number("message_bytes"), group=_group(run)))


def all_to_all_bytes(run: Run) -> Numeric:
    """What one rank hands to an all-to-all: as given, or a copy of each token for every group that it visits.

    Across domains one copy a domain travels; where routing is limited to some, a token visits no more than those.
    """
    case = run.case
    if "message_bytes" in case.facts:
        return case.number("message_bytes")
    group = _group(run)
    inner, outer = int(group.ranks[0]), math.prod(int(ranks) for ranks in group.ranks[1:])
    groups = outer if outer > 1 else inner
    visited = groups_visited(
        experts=run.whole_attribute("experts"), active_experts=run.whole_attribute("top_k"), groups=groups
    )
    visited = min(float(visited), run.whole_attribute("top_groups", groups))
    values = format_named(case.facts.get("activation_dtype", "bf16"))
    return case.number("batch") * visited * run.whole_attribute("hidden") * values.bytes_per_value


def all_to_all_s(run: Run) -> Numeric:
    """Tokens on the way to their experts, or back, or plain parts for every rank."""
    group = _group(run)
    message_bytes = all_to_all_bytes(run)
    for name in ("experts", "top_k", "hidden", "uniform", "scope"):  # the message's bytes and ranks hold them
        run.attribute(name)
    if "message_bytes" not in run.case.facts and any(ranks != 1 for ranks in group.ranks[1:]):
        group = Group(ranks=(1, *group.ranks[1:]))
    return _message_s(run, AllToAll(buffer_bytes=message_bytes, group=group))


def point_to_point_s(run: Run) -> Numeric:
    """One message between two ranks, within a domain or across."""
    scope, fabric = run.attribute("scope"), run.attribute("fabric")
    leaves = scope == "inter_node" or fabric in {"roce", "infiniband"}
    # Without a size it is a rate: one so large that latency is nothing.
    message_bytes = run.case.number_or("message_bytes", ASYMPTOTIC_BYTES)
    run.attribute("asymptotic")
    group = Group(ranks=(1, 2) if leaves else (2, 1))
    return _message_s(run, Send(buffer_bytes=message_bytes, group=group))


ASYMPTOTIC_BYTES = 1e12
"""A message beside which every latency vanishes."""
