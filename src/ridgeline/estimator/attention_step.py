"""Operations of attention in a pass: products, kernels of each lane, and messages of chips that share a context."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from ridgeline.estimator.attention import cache_bytes, cores
from ridgeline.estimator.kernels import RESIDUAL, AttentionCore, Kernel, divided, joined
from ridgeline.estimator.messages import AllGather, AllToAll, Message
from ridgeline.estimator.on_chip import OnChip, Operation
from ridgeline.estimator.products import attention_products, run_product
from ridgeline.estimator.shares import LaneShare
from ridgeline.numeric import Numeric
from ridgeline.specs.attention import Attention

__all__ = ["attend"]


def attend(this: OnChip, attention: Attention, layers: int, *, is_parallel: bool) -> Iterator[Operation]:
    """Operations of the attention of ``layers`` layers."""
    layout, formats, repeats = this.layout, this.precision.attention, layers * this.chunks
    yield Operation(name="attention norm", repeats=repeats, kernel=this.norm)
    lanes = this.shares.lanes
    rows_of: dict[bool, Numeric] = {}
    for one in lanes:
        rows_of[one.lane.is_prompt] = rows_of.get(one.lane.is_prompt, 0) + one.rows
    products = attention_products(attention, this.model.hidden, layout, formats, forms=tuple(rows_of))
    for product, forms in products[:-1]:
        rows = None if len(forms) == len(rows_of) else sum(rows_of[form] for form in forms)
        yield from run_product(this, product, formats, repeats, rows=rows)
    between = [(one, _cores(this, attention, one)) for one in lanes]
    around = [_exchanges(this, attention, layers, *one) for one in between] if layout.kv_dp > 1 or layout.cp > 1 else ()
    yield from _as_one(before for before, _ in around)
    # Over all chunks together, a prompt's tokens attend to as much as in one.
    for name, kernel in _of_all_lanes(between):
        yield Operation(name=name, repeats=layers, kernel=kernel)
    yield from _as_one(after for _, after in around)
    yield from run_product(this, products[-1][0], formats, repeats)
    if layout.tp > 1 and not is_parallel:
        yield Operation(name="attention all-reduce", repeats=repeats, kernel=this.sum_of_rows)


def _cores(this: OnChip, attention: Attention, share: LaneShare) -> dict[str, Kernel]:
    """Kernels of a layer between projections for one lane."""
    layout = this.layout
    own = share.whole(share.sequences, layout.kv_dp)
    attention_tp = layout.attention_tp
    found = cores(attention, share.lane, sequences=own, tp=attention_tp, kv_format=this.precision.kv)
    if layout.cp == 1:
        return found
    return {name: divided(kernel, layout.cp, is_prompt=share.lane.is_prompt) for name, kernel in found.items()}


def _of_all_lanes(between: list[tuple[LaneShare, dict[str, Kernel]]]) -> Iterator[tuple[str, Kernel]]:
    """Kernels of all lanes: prompts share theirs, and so do decoding sequences."""
    if len(between) == 1:
        yield from between[0][1].items()
        return
    alike: dict[tuple[str, bool], list[Kernel]] = {}
    for share, kernels in between:
        for name, kernel in kernels.items():
            alike.setdefault((name, share.lane.is_prompt), []).append(kernel)
    for (name, _), (first, *others) in alike.items():
        yield name, joined(first, others)


def _exchanges(
    this: OnChip, attention: Attention, layers: int, share: LaneShare, between: dict[str, Kernel]
) -> tuple[tuple[tuple[str, int, Message], ...], tuple[tuple[str, int, Message], ...]]:
    """Messages of a lane before and after attention where keys and values are not cut by heads alone.

    With ``kv_dp`` queries go from the chips of their heads to those of their sequences, and results back. With ``cp`` a
    step's queries go to every part of their context, whose results are summed; a prompt's keys and values are gathered.
    """
    layout, lane, repeats = this.layout, share.lane, layers * this.chunks
    attending = [kernel for kernel in between.values() if isinstance(kernel, AttentionCore)]
    if not attending:
        return (), ()  # a state stays with its sequence
    attention_tp = layout.attention_tp
    # A chip's heads are those of a group of sequences; all groups of ``tp`` together send each row once.
    into = sum(kernel.query_heads * kernel.query_key_dim for kernel in attending) * attention_tp / layout.tp
    out = sum(kernel.query_heads * kernel.value_dim for kernel in attending) * attention_tp / layout.tp
    before: list[tuple[str, int, Message]] = []
    after: list[tuple[str, int, Message]] = []
    if layout.kv_dp > 1:
        there = AllToAll(buffer_bytes=share.rows * into * RESIDUAL.bytes_per_value, group=this.tp_group)
        back = AllToAll(buffer_bytes=share.rows * out * RESIDUAL.bytes_per_value, group=this.tp_group)
        before.append(("queries to sequences", repeats, there))
        after.append(("results to heads", repeats, back))
    if layout.cp > 1 and not lane.is_prompt:
        rows = share.rows * layout.cp
        gathered = AllGather(buffer_bytes=rows * into * RESIDUAL.bytes_per_value, group=this.cp_group)
        summed = AllGather(buffer_bytes=rows * out * RESIDUAL.bytes_per_value, group=this.cp_group)
        before.append(("queries gather", repeats, gathered))
        after.insert(0, ("partial results", repeats, summed))
    elif lane.is_prompt and layout.cp > 1:
        kept = cache_bytes(attention, lane.context_tokens, tp=attention_tp, kv_format=this.precision.kv)
        # Each chunk also attends to the tokens read before it.
        met = (this.chunks + 1) / 2
        own = share.whole(share.sequences, layout.kv_dp)
        ring = AllGather(buffer_bytes=own * kept * met, group=this.cp_group)
        before.append(("context gather", layers, ring))
    return tuple(before), tuple(after)


def _as_one(of_lanes: Iterable[tuple[tuple[str, int, Message], ...]]) -> Iterator[Operation]:
    """Messages of all lanes as operations; those of one name are sent together."""
    sent: dict[str, tuple[int, Message]] = {}
    for name, repeats, message in (one for lane in of_lanes for one in lane):
        if name in sent:
            buffer_bytes = sent[name][1].buffer_bytes + message.buffer_bytes
            sent[name] = repeats, dataclasses.replace(message, buffer_bytes=buffer_bytes)
        else:
            sent[name] = repeats, message
    for name, (repeats, message) in sent.items():
        yield Operation(name=f"attention {name}", repeats=repeats, kernel=message)
