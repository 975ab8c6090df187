r"""Prefill time of prompts with a cached prefix: what a hit saves.

A pass of :math:`n` tokens behind :math:`c` others takes the time of the step tables. In passes of the engine's largest
size, a prompt of :math:`n` tokens takes :math:`R(n)`, and the part behind :math:`c` takes :math:`R(n) - R(c)`, but at
least a pass of one token behind it, which reads all weights.

Assumption: the replica does nothing else; attention inside a pass is interpolated between multiples of a block.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ridgeline.caching.reuse import BlockUses
from ridgeline.estimator.memory import limits_of
from ridgeline.serving.tabulate import step_surface
from ridgeline.specs.deployment import Deployment

__all__ = ["reading_s_of"]

Array = NDArray[np.float64]
Whole = NDArray[np.int64]


def reading_s_of(deployment: Deployment, uses: BlockUses, *, block_tokens: int) -> Callable[[Whole], Array]:
    """Time to read each prompt behind a given number of cached blocks, s.

    Args:
        deployment: deployment that prefills.
        uses: blocks of prompts; each counts as full.
        block_tokens: tokens of a block.
    """
    most = limits_of(deployment).pass_tokens
    surface = step_surface(deployment, most_sequences=1, most_prompt_tokens=most)
    longest = int(uses.blocks.max())
    whole_s, before_s, past = np.zeros(longest + 1), 0.0, 0
    for blocks in range(1, longest + 1):
        tokens = blocks * block_tokens
        while tokens - past > most:
            before_s += surface.ragged_step_s(0, (), [(most, past)])
            past += most
        whole_s[blocks] = before_s + surface.ragged_step_s(0, (), [(tokens - past, past)])
    last_s = np.array([surface.ragged_step_s(0, (), [(1, blocks * block_tokens)]) for blocks in range(longest + 1)])

    def read_s(known: Whole) -> Array:
        # The last token of a prompt is read even where all of it is known.
        found: Array = np.maximum(whole_s[uses.blocks] - whole_s[known], last_s[known])
        return found

    return read_s
