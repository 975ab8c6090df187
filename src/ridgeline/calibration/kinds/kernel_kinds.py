"""Kinds of cases that are one isolated kernel or message, with the same records as a step's.

A row's kernels follow from its facts alone, and are timed on a machine: fits time the same kernels with many numbers.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.kinds.run import Run, format_named, unread
from ridgeline.equations.experts import groups_visited
from ridgeline.estimator.attention import cores
from ridgeline.estimator.clock import kernel_timing, message_timing
from ridgeline.estimator.engine_overhead import unreplayed
from ridgeline.estimator.interval import Part
from ridgeline.estimator.kernels import RESIDUAL, AttentionCore, ExpertMatmul, Kernel, Matmul, Stream
from ridgeline.estimator.messages import AllGather, AllReduce, AllToAll, Group, Message, Routed, Send
from ridgeline.estimator.placement import group as placed
from ridgeline.estimator.placement import placement_faults
from ridgeline.estimator.timing import Cause, Timing
from ridgeline.numeric import Numeric, maximum
from ridgeline.specs.attention import Attention, GroupedQueryAttention, SlidingWindowAttention
from ridgeline.specs.layout import Layout
from ridgeline.specs.number_format import FORMATS, MatmulFormat, NumberFormat, matmul_format
from ridgeline.specs.passes import Pass, decode, prefill

__all__ = [
    "ASYMPTOTIC_BYTES",
    "FUSED_ATTRIBUTES",
    "ROUTED_ATTRIBUTES",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "all_to_all_bytes",
    "attention_decode",
    "attention_prefill",
    "elementwise",
    "gemm",
    "grouped_gemm",
    "mla_decode",
    "point_to_point",
    "timed_exchange",
    "timed_kernel",
    "timed_message",
    "timed_stream",
    "unread_of_all_to_all",
    "unread_of_groups",
    "widened_operands",
]


def timed_kernel(run: Run, kernel: Kernel) -> Part:
    """Time of a kernel as the row's engine launches it; all rows of a stack at once."""
    efficiency = run.machine.efficiency
    how = unreplayed(run.engine, efficiency.kernels)
    return _part(kernel_timing(kernel, run.machine, how))


def timed_message(run: Run, message: Message) -> Part:
    """Time of a message, with the launches of the row's harness."""
    efficiency = run.machine.efficiency
    part = _part(message_timing(message, run.machine))
    # Messages inside a domain were timed on the chip alone.
    is_alone = isinstance(message, Send) and message.group.ranks[0] != 1
    if run.harness.launches_messages_eagerly and not is_alone and efficiency.kernels:
        part = part._replace(time_s=part.time_s + efficiency.kernels.collectives.eager_launch_s)
    return part


def _part(timing: Timing) -> Part:
    return Part(kind=timing.kind, time_s=timing.time_s, once_s=timing.time_s)


def _operand(run: Run) -> NumberFormat:
    """Format of the weights' operand; a block format of activations is that of rows, not of weights."""
    weights = format_named(run.case.weight_dtype or "bf16")
    operand = format_named(run.case.activation_dtype or weights.operand)
    return FORMATS["fp8_row"] if operand.name == "fp8_block" else operand


def _matmul_format(run: Run) -> MatmulFormat:
    """Formats of a product."""
    weights, operand = format_named(run.case.weight_dtype or "bf16"), _operand(run)
    if operand.arithmetic not in run.machine.chip.flop_per_s:
        operand = FORMATS["bf16"]
    return matmul_format(weights.name, operand.name)


def widened_operands(run: Run) -> tuple[str, ...]:
    """Notes on a product in a format that the chip does not multiply."""
    asked = _operand(run).arithmetic
    return (
        ()
        if asked in run.machine.chip.flop_per_s
        else (f"{run.machine.id} has no {asked} arithmetic: multiplied in bf16",)
    )


def gemm(run: Run) -> tuple[Kernel, ...]:
    """One matrix product."""
    case = run.case
    kernel = Matmul(
        rows=case.number("m"),
        columns=case.number("n"),
        inner=case.number("k"),
        format=_matmul_format(run),
        quantises=run.harness.quantises,
        turns=_turns(run),
    )
    return (kernel,)


def _turns(run: Run) -> int | None:
    """Number of matrices that are multiplied in turn; None where each is read with flushed caches."""
    return None if run.harness.flushes_caches else run.harness.matrices_in_turn


def grouped_gemm(run: Run) -> tuple[Kernel, ...]:
    """Kernels of a whole layer of experts on one chip (``fused_moe``), or a product for each of some groups of rows."""
    case = run.case
    rows, groups = case.number("m"), case.number("groups")
    if not run.attribute("fused_moe", default=False):
        product = Matmul(
            quantises=run.harness.quantises,
            rows=rows * groups,
            columns=case.number("n"),
            inner=case.number("k"),
            matrices=groups,
            format=_matmul_format(run),
        )
        return (product,)
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
    return (kernel,)


# The last four are the origin of m and groups.
FUSED_ATTRIBUTES = ("rows", "gated", "local_experts", "experts", "moe_ep", "moe_tp", "top_k")
"""Attributes that are read for a whole layer of experts, and not for plain groups."""


def unread_of_groups(run: Run) -> tuple[str, ...]:
    """Warnings on attributes of a layer of experts in a row of plain groups."""
    return () if run.attribute("fused_moe", default=False) else unread(run, FUSED_ATTRIBUTES)


def _attention(
    run: Run,
    attention: Attention,
    done: Pass,
    **changes: Any,  # noqa: ANN401  fields of any type
) -> tuple[Kernel, ...]:
    kv_format = format_named(run.case.kv_dtype or "bf16")
    (lane,) = done.lanes
    found = cores(attention, lane, sequences=lane.sequences, tp=1, kv_format=kv_format)
    arithmetic = format_named(run.case.activation_dtype or "bf16").arithmetic
    return tuple(
        dataclasses.replace(kernel, arithmetic=arithmetic, **changes) if isinstance(kernel, AttentionCore) else kernel
        for kernel in found.values()
    )


def _heads(run: Run) -> GroupedQueryAttention | SlidingWindowAttention:
    """Heads of one chip, with their window where there is one."""
    case = run.case
    head_dim = case.whole("head_dim")
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


def attention_decode(run: Run) -> tuple[Kernel, ...]:
    """Kernel of one layer's attention of single tokens, without projections."""
    step = decode(batch=run.case.number("batch"), context_tokens=run.case.number("context_tokens"))
    heads = _heads(run)
    is_shared = run.case.whole("query_heads") > run.case.whole("kv_heads")
    return _attention(run, heads, step, is_split=is_shared or run.harness.splits_lone_caches)


def attention_prefill(run: Run) -> tuple[Kernel, ...]:
    """Kernel of one layer's attention over prompts, without projections."""
    if run.attribute("causal", default=True) is not True:
        raise Unsupported("attention over a prompt that is not causal is not modelled")
    read = prefill(batch=run.case.number("batch"), prompt_tokens=run.case.number("prompt_tokens"))
    changes: dict[str, Any] = {}
    if run.attribute("mla", default=False):
        # Expanded heads are read as they are; those for a narrow cache are converted first.
        is_prepared = format_named(run.case.kv_dtype or "bf16").value_bits < RESIDUAL.value_bits
        changes = {"is_expanded": True, "is_prepared": is_prepared, "cache_bytes": 0.0}
    return _attention(run, _heads(run), read, **changes)


def mla_decode(run: Run) -> tuple[Kernel, ...]:
    """Kernel of one layer's absorbed latent attention of single tokens: all heads over one stored vector."""
    case = run.case
    width, pairs = case.number("head_dim"), case.number("batch") * case.number("context_tokens")
    kv_format = format_named(case.kv_dtype or "bf16")
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
    return (kernel,)


def elementwise(run: Run) -> tuple[Stream, ...]:
    """One elementwise kernel."""
    operation = str(run.attribute("op") or "")
    is_norm = "norm" in operation
    kernel = Stream(
        rows=run.case.number("m"),
        width=run.case.number("n"),
        # A real norm reads a row again once it knows the row's length.
        streams=run.whole_attribute("streams") + (is_norm and run.machine.efficiency.kernels is not None),
        is_by_row=is_norm or "silu" in operation or "gelu" in operation,
    )
    return (kernel,)


def timed_stream(run: Run, kernel: Stream) -> Part:
    """Time of an isolated elementwise kernel."""
    timing, kernels = kernel_timing(kernel, run.machine), run.machine.efficiency.kernels
    if kernels is None:
        return _part(timing)
    # The isolated kernel was measured, and not one in a graph.
    alone_s = timing.time_s - timing.causes[Cause.LAUNCH] + kernels.elementwise.isolated_launch_s
    return _part(timing)._replace(time_s=alone_s)


def _group(run: Run) -> Group:
    """Group of a message's ranks, in as few domains as hold them."""
    ranks = run.case.whole("ranks")
    if ranks == 1:
        raise Unsupported("ranks=1: a rank alone sends nothing; a collective has 2 or more")
    try:
        faults = placement_faults(run.machine, Layout(tp=ranks))
    except ValueError as error:
        raise Unsupported(f"ranks={ranks}: {error}") from None
    if faults:
        raise Unsupported("; ".join(faults))
    return placed(run.machine.fabric, ranks, ranks=ranks)


def all_reduce(run: Run) -> tuple[Message, ...]:
    """All-reduce over all ranks."""
    message = AllReduce(
        buffer_bytes=run.case.number("message_bytes"),
        group=_group(run),
        is_custom=run.harness.has_own_all_reduce,
        has_end_barrier=run.harness.waits_in_all_reduce,
    )
    return (message,)


def all_gather(run: Run) -> tuple[Message, ...]:
    """All-gather, or reduce-scatter, which sends as much."""
    return (AllGather(buffer_bytes=run.case.number("message_bytes"), group=_group(run)),)


def all_to_all_bytes(run: Run) -> Numeric:
    """Bytes that one rank sends in an all-to-all: as given, or a copy of each token for every group that it visits.

    Across domains, one copy per domain is sent; where routing is limited to some, a token visits no more than those.
    """
    if run.case.message_bytes is not None:
        return run.case.number("message_bytes")
    levels = _copied_bytes(run, _group(run))
    return next(part for part, ranks in reversed(levels) if ranks > 1)


def _token_bytes(run: Run) -> Numeric:
    """Bytes of the tokens of one rank."""
    values = format_named(run.case.activation_dtype or "bf16")
    return run.case.number("batch") * run.whole_attribute("hidden") * values.bytes_per_value


def _copied_bytes(run: Run, group: Group) -> list[tuple[Numeric, int]]:
    """Bytes that a rank sends with one copy of a token per group, and the ranks, of each level, innermost first."""
    levels: list[tuple[Numeric, int]] = []
    groups = math.prod(int(ranks) for ranks in group.ranks)
    for place, ranks in enumerate(group.ranks):
        visited = groups_visited(
            experts=run.whole_attribute("experts"), active_experts=run.whole_attribute("top_k"), groups=groups
        )
        # Limited routing is limited to domains.
        most = float(run.whole_attribute("top_groups", groups) if place else groups)
        levels.append((_token_bytes(run) * min(float(visited), most), int(ranks)))
        groups //= int(ranks)
    return levels


# Inside a domain, the fabric is the domain's, whatever a row says.
ROUTED_ATTRIBUTES = ("experts", "top_k", "hidden", "top_groups", "mode", "backend", "sms", "fabric")
"""Attributes that are read for expert dispatch."""


def _is_routed(run: Run) -> bool:
    return not run.attribute("uniform") and run.attribute("experts") is not None


def unread_of_all_to_all(run: Run) -> tuple[str, ...]:
    """Warnings on attributes of experts in a row of a plain all-to-all."""
    if _is_routed(run):
        return unread(run, ["backend"] if run.attribute("mode") else [])
    told = ROUTED_ATTRIBUTES[1:] if run.case.message_bytes is not None else ROUTED_ATTRIBUTES[4:]
    return unread(run, told)


def all_to_all(run: Run) -> tuple[AllToAll, ...]:
    """Expert dispatch or combine, or a plain all-to-all."""
    group = _group(run)
    if not _is_routed(run):
        return (AllToAll(buffer_bytes=all_to_all_bytes(run), group=group),)
    mode = str(run.attribute("mode") or run.attribute("backend") or "")
    is_direct, is_bulk = mode.endswith(("low_latency", "_ll")), mode.endswith(("normal", "_ht"))
    levels = tuple(part for part, _ in _copied_bytes(run, group))
    copies = _token_bytes(run) * run.whole_attribute("top_k")
    if is_direct and run.case.message_bytes is not None:
        copies = run.case.number("message_bytes")  # scales of a narrow format among it
    message = AllToAll(
        buffer_bytes=levels[0],
        group=group,
        forwarded_bytes=levels,
        routed=Routed(
            copies_bytes=copies,
            experts=run.whole_attribute("experts"),
            width=run.whole_attribute("hidden"),
            units=run.whole_attribute("sms", run.harness.exchange_units),
            has_low_latency=is_direct or not is_bulk,
            has_high_throughput=is_bulk or not is_direct,
        ),
    )
    return (message,)


def timed_exchange(run: Run, message: AllToAll) -> Part:
    """Time of expert dispatch with the host's preparation, or of a plain all-to-all."""
    if not _is_routed(run):
        return timed_message(run, message)
    efficiency = run.machine.efficiency
    part = _part(message_timing(message, run.machine))
    # Tables of a library time its kernels alone.
    if efficiency.kernels is None or not run.harness.prepares_exchanges:
        return part
    exchange = efficiency.kernels.expert_all_to_all
    time_s = part.time_s + exchange.eager_launch_s
    if run.case.kind == "all_to_all_dispatch":
        time_s = maximum(time_s, exchange.host_dispatch_s)
    return part._replace(time_s=time_s)


def point_to_point(run: Run) -> tuple[Message, ...]:
    """Send between two ranks, within a domain or across."""
    scope, fabric = run.attribute("scope"), run.attribute("fabric")
    leaves = scope == "inter_node" or fabric in {"roce", "infiniband"}
    # Without a size it is a rate, at a size so large that latency is negligible.
    message_bytes = run.case.number_or("message_bytes", ASYMPTOTIC_BYTES)
    group = Group(ranks=(1, 2) if leaves else (2, 1))
    # Without an engine it goes from host to host, and no kernel is launched.
    launches = 1 if run.case.engine else 0
    return (Send(buffer_bytes=message_bytes, group=group, launches=launches),)


ASYMPTOTIC_BYTES = 1e12
"""Size of a message beside which every latency vanishes, bytes."""
