"""Drafting beside a model: the draft's passes, operations, and memory.

A draft runs on the chips of its target model, cut in the same way. Where a prompt is read, the draft reads it, too. In
a step, its first pass takes the tokens that the last step verified; each further one takes the token drafted before. A
draft that makes all tokens in one pass takes both at once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.kernels import Matmul
from ridgeline.estimator.on_chip import Operation
from ridgeline.estimator.parameters import kv_bytes_held, stage_weight_bytes
from ridgeline.estimator.shares import Shares, shares_of
from ridgeline.estimator.stage_cuts import Stage
from ridgeline.estimator.step import step_operations
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import counted
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.passes import Lane, Pass
from ridgeline.specs.speculation import NO_SPECULATION, Speculation

__all__ = [
    "deployment_faults",
    "draft_cache_bytes",
    "draft_operations",
    "draft_passes",
    "draft_weight_bytes",
    "drafter",
    "pass_operations",
    "require_divided",
    "speculation_notes",
]


def drafter(deployment: Deployment) -> Deployment | None:
    """Deployment of the draft's layers on the target model's chips; None where nothing runs to draft."""
    draft = deployment.speculation.draft
    if draft is None or draft.layers is None:
        return None
    return dataclasses.replace(
        deployment,
        model=draft.layers,
        layout=_layout(deployment.layout, is_routed=draft.layers.is_routed),
        precision=draft.precision or deployment.precision,
        speculation=NO_SPECULATION,
    )


@lru_cache(maxsize=1024)  # asked for by each pass of each layout
def _layout(layout: Layout, *, is_routed: bool) -> Layout:
    """The layout for a draft: the same chips, experts spread where the draft has any."""
    spread = {} if is_routed else {"ep": 1, "redundant_experts": 0}
    return dataclasses.replace(layout, tp_rows=1, fsdp=1, **spread)


def deployment_faults(deployment: Deployment) -> tuple[str, ...]:
    """One clause for every number that a layout does not divide, the draft's included."""
    faults = layout_faults(deployment.model, deployment.machine, deployment.layout)
    guessing = drafter(deployment)
    if faults or guessing is None:
        return faults
    if deployment.layout.pp > 1:
        return (f"pp={deployment.layout.pp}: a draft beside pipeline stages is not modelled",)
    found = layout_faults(guessing.model, guessing.machine, guessing.layout)
    return tuple(f"of the draft {deployment.speculation.draft_name}, {fault}" for fault in found)


def require_divided(deployment: Deployment) -> None:
    """Refuse a layout that does not divide the model, its draft or the machine.

    Raises:
        LayoutError: a degree does not divide; the message names both numbers.
    """
    if faults := deployment_faults(deployment):
        where = f"layout {deployment.layout} for {deployment.model.id} on {deployment.machine.id}"
        raise LayoutError(f"{where}: {'; '.join(faults)}")


def draft_passes(speculation: Speculation, shares: Shares) -> tuple[tuple[Pass, int], ...]:
    """Passes of a draft beside a pass of its model, each with how often it runs."""
    draft, drafted = speculation.draft, speculation.drafted_tokens
    if draft is None or draft.layers is None:
        return ()
    lanes = tuple(one.lane for one in shares.lanes)
    first = Pass(lanes=tuple(dataclasses.replace(lane, sampled_tokens=1) for lane in lanes), chunks=shares.chunks)
    decoding = tuple(lane for lane in lanes if not lane.is_prompt)
    if not decoding:
        return ((first, 1),)
    if draft.is_one_pass:
        return ((Pass(lanes=tuple(_block(lane, drafted) for lane in lanes)), 1),)
    further = Pass(lanes=tuple(_next(lane) for lane in decoding))
    return ((first, 1), (further, drafted - 1))[: 2 if drafted > 1 else 1]


def _block(lane: Lane, drafted: int) -> Lane:
    """Lane of the tokens that a step verified, and the positions of all that are drafted at once."""
    if lane.is_prompt:
        return dataclasses.replace(lane, sampled_tokens=1)
    return dataclasses.replace(lane, new_tokens=lane.new_tokens + drafted, sampled_tokens=drafted)


def _next(lane: Lane) -> Lane:
    """Lane of one token per sequence, after those of the first pass."""
    return dataclasses.replace(lane, new_tokens=1, past_tokens=lane.context_tokens - 1, sampled_tokens=1)


def pass_operations(deployment: Deployment, shares: Shares) -> Iterator[Operation]:
    """Operations of a replica's busiest chips for one micro-batch of a pass, drafting included."""
    yield from step_operations(deployment, shares)
    yield from draft_operations(deployment, shares)


def draft_operations(deployment: Deployment, shares: Shares) -> Iterator[Operation]:
    """Operations of drafting beside one micro-batch of a pass."""
    guessing = drafter(deployment)
    if guessing is None:
        return
    for pass_, times in draft_passes(deployment.speculation, shares):
        mine = shares_of(pass_, guessing.layout)
        yield from _joined(guessing, deployment.speculation, mine, times)
        for one in step_operations(guessing, mine):
            yield Operation(
                name=f"draft {one.name}", repeats=one.repeats * times, kernel=one.kernel, is_layer=one.is_layer
            )


def _joined(guessing: Deployment, speculation: Speculation, shares: Shares, times: int) -> Iterator[Operation]:
    """Product that joins the draft's inputs, the same on every chip."""
    streams = 0 if speculation.draft is None else speculation.draft.joined_streams
    if streams:
        hidden, formats = guessing.model.hidden, guessing.precision.head
        product = Matmul(rows=shares.rows, columns=hidden, inner=streams * hidden, format=formats)
        yield Operation(name="draft input", repeats=shares.chunks * times, kernel=product, is_layer=False)


def draft_weight_bytes(deployment: Deployment) -> float:
    """Bytes of a draft's weights on each chip; 0 where nothing runs to draft."""
    guessing, draft = drafter(deployment), deployment.speculation.draft
    if guessing is None or draft is None:
        return 0.0
    joined = draft.joined_streams * guessing.model.hidden**2 * guessing.precision.head.weight.bytes_per_value
    whole = Stage(layers=guessing.model.layers, is_first=True, is_last=True)
    return joined + stage_weight_bytes(
        guessing.model, guessing.precision, guessing.layout, whole, with_ends=not draft.shares_ends
    )


def draft_cache_bytes(deployment: Deployment, held_tokens: Numeric) -> Numeric:
    """Bytes that a draft stores of one sequence on a chip that keeps it; 0 where nothing runs to draft."""
    guessing = drafter(deployment)
    if guessing is None:
        return 0.0
    layout = deployment.layout
    return kv_bytes_held(guessing.model, guessing.precision, held_tokens, tp=layout.attention_tp) / layout.cp


def speculation_notes(speculations: Iterable[Speculation]) -> Iterator[str]:
    """Notes on speculation: source of its acceptance length, and assumptions about the draft."""
    asked = [one for one in dict.fromkeys(speculations) if one]
    for one in asked:
        low, high = (one.accepted_tokens * factor for factor in one.accepted_factors)
        interval = f" (80 % interval {low:.2f} - {high:.2f})" if one.accepted_width else ""
        yield f"{one} adds {counted(one.accepted_tokens, 'token')} a step on the mean{interval}: {one.source}"
    for said in dict.fromkeys(one.draft.assumed for one in asked if one.draft is not None):
        if said:
            yield f"draft: {said}"
    if asked:
        yield "with speculation no load was measured here: its draft adds kernels, and no host time beyond its layers'"
