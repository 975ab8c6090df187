"""Memory for the KV cache of a replica, in blocks, and how it was arrived at: wrong, it spoils every other number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from ridgeline.errors import RidgelineError, UnservedError
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.memory import Memory, kv_capacity_tokens, limits_of, memory_per_chip, sequence_cache_bytes
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout, LayoutError

__all__ = ["Capacity", "capacity_of"]

UNBOUNDED_BLOCKS = 1 << 40
"""Blocks of a model that keeps no cache that grows."""

HOST_BYTES_PER_S = 64e9
"""PCIe 5.0 with 16 lanes, one way, by its specification: what a cache is moved to the host over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """Of a replica, all groups of ``dp`` together.

    Attributes:
        blocks: of the cache.
        block_tokens: of a block.
        is_stated: whether its user said how many there are.
        is_reserved: whether a request is given blocks for all of its tokens when it is admitted.
        token_bytes: cache of a token on each chip that keeps it, on the mean of a sequence of ``of_tokens``, bytes.
        of_tokens: tokens of that sequence.
        memory: of one chip, without any cache.
        swap_token_s: time to move a token's cache between chips and host, s.
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
        """Whether there is a number of tokens that fills it."""
        return self.blocks < UNBOUNDED_BLOCKS


def capacity_of(
    deployment: Deployment, held_tokens: float, *, kv_blocks: int | None = None, block_tokens: int | None = None
) -> Capacity:
    """What weights and the largest pass leave of a replica's memory.

    Args:
        deployment: what is served.
        held_tokens: of a sequence under way, on the mean: bytes of a token depend on it where windows or states do not
            grow with the context.
        kv_blocks: those that its user states, as the engine logs them when it starts; left out, they follow.
        block_tokens: of a block; left out, as its engine has it.

    Raises:
        RidgelineError: there is no room for a block, or not for as many as are stated.
    """
    limits = limits_of(deployment)
    block_tokens = block_tokens or limits.block_tokens
    memory = memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=0.0)
    token_bytes = float(sequence_cache_bytes(deployment, held_tokens)) / held_tokens
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
        swap_token_s=token_bytes / HOST_BYTES_PER_S,
    )


def _require_held(deployment: Deployment, memory: Memory, tokens: int, *, blocks: int, block_tokens: int) -> None:
    """Refuse more blocks than a chip holds beside its weights, whatever part of it the engine leaves free.

    Raises:
        RidgelineError: says how many it holds.
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
    """Why there is no room for a block, in a clause."""
    of, free_bytes = f"{deployment.model.id} in layout {deployment.layout}", float(memory.free_bytes)
    if free_bytes < 0:
        needed_bytes = float(memory.weights_bytes + memory.activation_bytes)
        return (
            f"{of} takes {needed_bytes / 1e9:.3g} GB of a chip for weights and activations, and the engine may use"
            f" {(needed_bytes + free_bytes) / 1e9:.3g} GB"
        )
    free, block = (f"{one / 1e9:.3g} GB" for one in (free_bytes, block_bytes))
    return f"{of} leaves {free} of a chip for its KV cache, and a block takes {block}"


MOST_STAGES = 8
"""Pipeline stages beyond which no layout is proposed."""


def _remedy(deployment: Deployment) -> str:
    """What to write instead."""
    wider = next(_wider(deployment), None)
    layout = "a layout over more chips" if wider is None else f"--layout {wider}"
    return f"give {layout}, or narrower formats"


def _wider(deployment: Deployment) -> Iterator[Layout]:
    """Layouts in which a cache has room: more chips of a scale-up domain that share matrices, then more stages."""
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
