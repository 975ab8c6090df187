"""Cases to be timed: products and attention of real models' layers, kernels that stream over memory, messages.

All are of the kinds that ``calibrate`` fits numbers on; a case's columns and attributes are those of a case file.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from ridgeline.calibration.cases import Case
from ridgeline.catalog import load_model
from ridgeline.estimator.products import attention_products, block_products
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.feed_forward import DenseFeedForward
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.number_format import matmul_format
from ridgeline.specs.precision import Component

__all__ = ["Shapes", "shapes"]

Shapes = dict[str, list[Case]]
"""Cases by group; of every group some are timed early."""

SERVED = (("llama-3.1-8b", 1), ("qwen3-32b", 2), ("llama-3.1-70b", 8))
"""Models whose layers are timed, each with its degree of tensor parallelism: wide, middle and narrow matrices."""

ROWS = (1, 16, 64, 256, 1024, 4096, 16384)
"""Rows of products: batches of decode steps, then tokens of prefills."""

BATCHES, CONTEXTS = (1, 8, 64, 256), (512, 2048, 8192, 32768)
"""Sequences and context tokens of decode attention."""

MOST_CACHED_TOKENS = 2**19
"""Most tokens of a layer's cache: with eight KV heads of 128 values it is 2 GB, more than engines have."""

PROMPTS, PROMPT_TOKENS = (1, 4, 16), (512, 2048, 8192)
"""Sequences and tokens of prefill attention."""

STREAMS = {
    "layernorm": (2, (4096, 8192)),
    "residual_add": (3, (5120, 7168)),
    "copy": (2, (6144, 16384)),
    "read": (1, (3072, 12288)),
}
"""Kernels that stream over memory, with the tensors that each reads and writes, and their widths: a norm gives each row
a block. Widths differ, so that shapes do, of which a fit needs several.
"""

STREAM_ROWS = (1, 256, 2048, 8192, 32768)

MESSAGE_BYTES = tuple(2**power for power in (12, 14, 16, 18, 19, 20, 21, 22, 23, 24, 26, 28))
"""Sizes of messages: those of decode steps, then those of prefills; enough for a fit where there are two chips."""

RANKS = (2, 4, 8, 16)
"""Chips that messages go over where a machine has more; they go over all of them, too."""


def shapes(machine: Machine, named: str, *, chips: int, engine: str) -> Shapes:
    """Cases to be timed on a machine.

    Args:
        machine: machine that they are timed on.
        named: catalog id of the machine, or the path to its file, for the cases' column.
        chips: number of chips for messages; 1 for none.
        engine: name of what runs them, for the cases' column.
    """
    facts = {"machine": named, "quantity": "latency_s", "engine": engine}
    formats = [name for name in ("bf16", "fp8") if name in machine.chip.flop_per_s]
    groups = {f"gemm {one}": list(_products(facts, one)) for one in formats}
    groups |= {"attention_decode": list(_decodes(facts)), "attention_prefill": list(_prefills(facts))}
    groups |= {f"elementwise {name}": list(_streams(facts, name)) for name in STREAMS}
    for kind in ("all_reduce", "all_gather", "all_to_all") if chips > 1 else ():
        groups[kind] = list(_messages(facts, kind, chips))
    return groups


def _case(facts: dict[str, Any], kind: str, columns: dict[str, Any], attributes: dict[str, Any] | None = None) -> Case:
    """A case that has not been measured yet, named for its facts."""
    told = (
        value if isinstance(value, str) else f"{name}{value}"
        for name, value in {**columns, **(attributes or {})}.items()
    )
    return Case(
        name="-".join(dict.fromkeys([kind, *told])),
        family=kind,
        kind=kind,
        attributes=attributes or {},
        **facts,
        **columns,
    )


def _products(facts: dict[str, Any], name: str) -> Iterator[Case]:
    formats = matmul_format(name, name)
    matrices: set[tuple[int, int]] = set()
    for model_id, tp in SERVED:
        model, layout = load_model(model_id), Layout(tp=tp)
        for group in model.groups:
            of_attention = attention_products(group.attention, model.hidden, layout, formats, forms=(False,))
            found = [one for one, _ in of_attention]
            if isinstance(group.feed_forward, DenseFeedForward):
                found += block_products(group.feed_forward, model.hidden, Component.DENSE, layout, formats)
            matrices |= {(int(one.columns), int(one.inner)) for one in found}
    for (columns, inner), rows in product(sorted(matrices), ROWS):
        operands = {"weight_dtype": name, "activation_dtype": name}
        yield _case(facts, "gemm", {"m": rows, "n": columns, "k": inner} | operands)


def _heads() -> Iterator[dict[str, Any]]:
    for model_id, tp in SERVED:
        for group in load_model(model_id).groups:
            heads = group.attention
            if isinstance(heads, GroupedQueryAttention):
                of_chip = {"query_heads": heads.query_heads // tp, "kv_heads": heads.kv_heads // tp}
                yield of_chip | {"head_dim": heads.head_dim, "activation_dtype": "bf16", "kv_dtype": "bf16"}


def _decodes(facts: dict[str, Any]) -> Iterator[Case]:
    for heads, batch, context in product(_heads(), BATCHES, CONTEXTS):
        if batch * context <= MOST_CACHED_TOKENS:
            yield _case(facts, "attention_decode", {"batch": batch, "context_tokens": context} | heads)


def _prefills(facts: dict[str, Any]) -> Iterator[Case]:
    for heads, batch, tokens in product(_heads(), PROMPTS, PROMPT_TOKENS):
        yield _case(facts, "attention_prefill", {"batch": batch, "prompt_tokens": tokens} | heads)


def _streams(facts: dict[str, Any], name: str) -> Iterator[Case]:
    streams, widths = STREAMS[name]
    for rows, width in product(STREAM_ROWS, widths):
        columns = {"m": rows, "n": width, "activation_dtype": "bf16"}
        yield _case(facts, "elementwise", columns, {"op": name, "streams": streams})


def _messages(facts: dict[str, Any], kind: str, chips: int) -> Iterator[Case]:
    powers = [ranks for ranks in RANKS if ranks < chips]
    uniform = {"uniform": True} if kind == "all_to_all" else None
    for ranks, message_bytes in product((*powers, chips), MESSAGE_BYTES):
        columns = {"ranks": ranks, "message_bytes": message_bytes, "activation_dtype": "bf16"}
        yield _case(facts, kind, columns, uniform)
