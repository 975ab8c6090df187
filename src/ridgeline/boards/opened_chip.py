"""One chip of a machine, opened: what its memory holds, and how long it reads and computes in a decode step."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.written import LOOKED_AT_CLOSELY

__all__ = ["OpenedChip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedChip:
    """A chip among others that all do the same; what depends on the batch is given for one sequence.

    Attributes:
        chips: number of chips.
        hbm_bytes: memory of a chip, bytes.
        hbm_bytes_per_s: memory bandwidth of a chip, bytes/s.
        flop_per_s: arithmetic of a chip, FLOP/s.
        weight_bytes: a chip's part of all weights, bytes.
        kv_bytes: a chip's part of one sequence's KV cache, bytes.
        weights_s: time to read all of its weights, s.
        kv_s: time to read its part of one sequence's KV cache, s.
        compute_s: time of its part of the arithmetic of one sequence's token, s.
        batches: rising batches at which the read part of the weights is given; between two it is nearly straight, and
            beyond the last as there.
        read: part of the weights that a step of each of these batches reads.
        most: largest number of sequences whose KV caches fit beside the weights; 0 for none.
    """

    chips: float
    hbm_bytes: float
    hbm_bytes_per_s: float
    flop_per_s: float
    weight_bytes: float
    kv_bytes: float
    weights_s: float
    kv_s: float
    compute_s: float
    batches: tuple[float, ...]
    read: tuple[float, ...] = field(metadata=LOOKED_AT_CLOSELY)
    most: float
