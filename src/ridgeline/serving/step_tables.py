"""Tables of step times, s, by numbers of sequences, rows, tokens and entries; the event loop reads them as they are."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Lines", "StepTables", "lines_between", "nodes_above", "octaves"]

Array = NDArray[np.float64]

Lines = list[tuple[float, float]]
"""Linear pieces, one for each octave: value at 0, and slope."""

OCTAVES = 28
"""Highest power of two at which a sequence's entries, and tokens read before, are tabulated."""


def octaves() -> Array:
    """Zero, and the powers of two."""
    return np.append(0.0, 2.0 ** np.arange(OCTAVES + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTables:
    """Times of steps, s, by sequences, rows or tokens of a ``dp`` group.

    Attributes:
        decode_s: time of a step without prompts and without attention, s, by sequences.
        rows_s: time that all rows share in a step with a prompt, without routed experts, s, by rows.
        beside_s: time of decoding sequences in a step with a prompt, without attention, s, by sequences.
        prompt_s: time of prompt tokens in a step with a prompt, without attention, s, by tokens.
        alone_s: time of a step that reads a prompt and decodes nothing, without attention and routed experts, s, by
            prompt tokens.
        experts_s: time of routed experts in a step with a prompt, s, by mean rows of a group: unequal groups share
            experts' work, while each waits for the fullest with everything else.
        alone_experts_s: time of routed experts in a step that decodes nothing, s, by prompt tokens.
        least_s: lower bound on a step's time, s, by rows, where it is no sum: compute time of the napkin's estimate.
        cores_s: time of each attention kernel, s, by sequences: linear pieces over the entries of each, one per octave.
        mixed_cores_s: time of each attention kernel in a step with a prompt, where kernels are launched differently, s.
        octaves: entries at which the pieces of these two begin.
        prompt_nodes: numbers of prompt tokens at which their attention is tabulated.
        node_of: index of the node that closes the interval in which a number of prompt tokens lies, by that number.
        prompt_cores_s: attention time of prompts at ``prompt_nodes``, s: linear pieces over tokens read before, one per
            octave; the first value is what is paid once for all prompts of a step.
    """

    decode_s: list[float]
    rows_s: list[float]
    beside_s: list[float]
    prompt_s: list[float]
    alone_s: list[float]
    experts_s: list[float]
    alone_experts_s: list[float]
    least_s: list[float]
    cores_s: tuple[list[Lines], ...]
    mixed_cores_s: tuple[list[Lines], ...]
    octaves: list[float] = field(default_factory=lambda: octaves().tolist())
    prompt_nodes: list[float]
    node_of: list[int]
    prompt_cores_s: list[Lines]

    def scaled(self, factor: float) -> StepTables:
        """The tables with all times multiplied by ``factor``."""

        def table(lines_s: list[Lines]) -> list[Lines]:
            return [[(start_s * factor, slope_s * factor) for start_s, slope_s in one] for one in lines_s]

        names = [one.name for one in fields(StepTables) if one.name.endswith("_s")]
        tables: dict[str, Any] = {
            name: [one_s * factor for one_s in getattr(self, name)] for name in names if not name.endswith("cores_s")
        }
        tables |= {name: tuple(map(table, getattr(self, name))) for name in ("cores_s", "mixed_cores_s")}
        tables["prompt_cores_s"] = table(self.prompt_cores_s)
        return dataclasses.replace(self, **tables)


def lines_between(time_s: Array) -> list[Lines]:
    """Linear pieces between neighbouring octaves, of times at each of them: value at 0, and slope."""
    nodes = octaves()
    slope_s = np.diff(time_s, axis=1) / np.diff(nodes)
    start_s = time_s[:, :-1] - slope_s * nodes[:-1]
    return [list(zip(*row, strict=True)) for row in zip(start_s.tolist(), slope_s.tolist(), strict=True)]


def nodes_above(nodes: Array | list[float]) -> list[int]:
    """Index of the node above each number of tokens up to the last node, which stands above itself.

    >>> nodes_above([1.0, 2.0, 4.0])
    [0, 1, 2, 2, 2]
    """
    tokens = np.arange(nodes[-1] + 1)
    return np.minimum(np.searchsorted(nodes, tokens, side="right"), len(nodes) - 1).tolist()  # type: ignore[no-any-return]
