"""KV cache capacity of a replica, in blocks, and its derivation: an error in it spoils every other number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from ridgeline.catalog.storage import host_bytes_per_s
from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.memory import (
    Memory,
    kv_capacity_tokens,
    limits_of,
    memory_per_chip,
    moved_cache_bytes,
    sequence_cache_bytes,
)
from ridgeline.estimator.notes import beyond_default
from ridgeline.quantity_text import format_apart, format_quantity
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout, LayoutError

__all__ = ["Capacity", "capacity_of"]

UNBOUNDED_BLOCKS = 1 << 40
"""Blocks for a model whose cache does not grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """KV cache of a replica, all groups of ``dp`` together.

    Attributes:
        blocks: blocks of the cache.
        block_tokens: tokens of a block.
        is_stated: whether the user gave the number of blocks.
        is_reserved: whether a request gets blocks for all of its tokens at admission.
        token_bytes: mean cache of a token of a sequence of ``of_tokens`` on each chip that keeps it, bytes.
        of_tokens: tokens of that sequence.
        memory: memory use of one chip, without any cache.
        swap_token_s: time to swap a token's cache between chips and host, s.
    """

    blocks: int
    block_tokens: int
    is_stated: bool
    is_reserved: bool
    token_bytes: float
    of_tokens: float
    memory: Memory
    swap_token_s: float

    @property
    def tokens(self) -> int:
        """Tokens that all blocks hold."""
        return self.blocks * self.block_tokens

    @property
    def is_bounded(self) -> bool:
        """Whether a finite number of tokens fills it."""
        return self.blocks < UNBOUNDED_BLOCKS


def capacity_of(
    deployment: Deployment, held_tokens: float, *, kv_blocks: int | None = None, block_tokens: int | None = None
) -> Capacity:
    """KV cache capacity of a replica beside weights and the largest pass.

    Args:
        deployment: deployment that is served.
        held_tokens: mean tokens of a sequence in flight: bytes per token depend on it where windows or states do not
            grow with the context.
        kv_blocks: number of blocks, as the engine logs it at its start; left out, computed.
        block_tokens: tokens of a block; left out, the engine's default.

    Raises:
        RidgelineError: there is no room for a block, or not for as many as are stated.
    """
    limits = limits_of(deployment)
    block_tokens = block_tokens or limits.block_tokens
    memory = memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=0.0)
    token_bytes, moved_bytes = (
        float(of_sequence(deployment, held_tokens)) / held_tokens
        for of_sequence in (sequence_cache_bytes, moved_cache_bytes)
    )
    tokens = kv_capacity_tokens(deployment, memory, held_tokens=held_tokens)
    if kv_blocks is not None:
        blocks = kv_blocks
    elif tokens is None:
        blocks = UNBOUNDED_BLOCKS
    else:
        blocks = tokens // block_tokens
    if blocks < 1:
        raise UnservedError(f"{_what_lacks(deployment, memory, token_bytes * block_tokens)}; {_remedy(deployment)}")
    if kv_blocks is not None and tokens is not None:
        _require_held(deployment, memory, tokens, blocks=kv_blocks, block_tokens=block_tokens)
    return Capacity(
        blocks=blocks,
        block_tokens=block_tokens,
        is_stated=kv_blocks is not None,
        is_reserved=math.isclose(limits.output_fraction, 1.0),
        token_bytes=token_bytes,
        of_tokens=held_tokens,
        memory=memory,
        swap_token_s=moved_bytes / host_bytes_per_s(deployment.machine),
    )


def _require_held(deployment: Deployment, memory: Memory, tokens: int, *, blocks: int, block_tokens: int) -> None:
    """Refuse more blocks than a chip holds beside its weights, whatever part of it the engine leaves free.

    Raises:
        RidgelineError: the blocks do not fit; the message says how many do.
    """
    beside_bytes = deployment.machine.chip.hbm_bytes - float(memory.weights_bytes)
    most = int(tokens * beside_bytes / float(memory.free_bytes)) // block_tokens if memory.free_bytes > 0 else 0
    if blocks > most > 0:
        raise RidgelineError(
            f"{blocks:,} blocks of {block_tokens} tokens are more than a replica holds: beside the weights of"
            f" {deployment.model.id} in layout {deployment.layout} there is room for {most:,}; state as many as the"
            " engine logs for this layout, or leave --kv-blocks out"
        )


def _what_lacks(deployment: Deployment, memory: Memory, block_bytes: float) -> str:
    """Clause on why there is no room for a block."""
    of, free_bytes = f"{deployment.model.id} in layout {deployment.layout}", float(memory.free_bytes)
    if free_bytes < 0:
        needed_bytes = float(memory.weights_bytes + memory.activation_bytes)
        usable_bytes = needed_bytes + free_bytes
        needed, (usable, _) = format_apart(needed_bytes, (usable_bytes, usable_bytes), "bytes")
        said = f"{of} takes {needed} of a chip for weights and activations, and the engine may use {usable}"
        return f"{said}{beyond_default(memory, deployment)}"
    free, block = (format_quantity(one, "bytes") for one in (free_bytes, block_bytes))
    return f"{of} leaves {free} of a chip for its KV cache, and a block takes {block}"


MOST_STAGES = 8
"""Pipeline stages beyond which no layout is proposed."""


def _remedy(deployment: Deployment) -> str:
    """Clause with a layout to use instead."""
    wider = next(_wider(deployment), None)
    layout = "a layout over more chips" if wider is None else f"--layout {wider}"
    return f"give {layout}, or narrower formats"


def _wider(deployment: Deployment) -> Iterator[Layout]:
    """Layouts with room for a cache: more chips of a scale-up domain for ``tp``, then more stages."""
    layout, domain = deployment.layout, deployment.machine.scale_up_chips
    degrees = [(layout.tp * factor, layout.pp) for factor in range(2, domain // layout.chips + 1)]
    widest = max(domain // (layout.chips // layout.tp), layout.tp)
    degrees += [(widest, stages) for stages in range(layout.pp + 1, MOST_STAGES + 1)]
    for tp, pp in degrees:
        with suppress(LayoutError):
            wider = replace(layout, tp=tp, pp=pp)
            if not layout_faults(deployment.model, deployment.machine, wider):
                laid = replace(deployment, layout=wider)
                memory = memory_per_chip(laid, rows=limits_of(laid).pass_tokens, sampled=1, kv_bytes=0.0)
                if float(memory.free_bytes) > 0:
                    yield wider
