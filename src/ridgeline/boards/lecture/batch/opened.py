"""The opened chip of a board about decode steps, from the same times as its lines."""

from __future__ import annotations

from ridgeline.boards.board import Values
from ridgeline.boards.chip_shares import ChipShares
from ridgeline.boards.lecture.batch.step import read_fraction, step_times, weight_bytes
from ridgeline.boards.lecture.batch.trains import full_batch
from ridgeline.boards.opened_chip import OpenedChip

__all__ = ["opened", "shares"]

MOST_UNREAD = 1e-5
"""Part of the weights that a document's digits do not show."""
LARGEST, PLACES = 1e5, 100
"""Batch by which all weights are read, for any model of today, and about how many batches up to it are looked at."""


def opened(values: Values) -> OpenedChip:
    """A chip of the board's machine in its decode step."""
    chips, times = values["chips"], step_times(values)
    batches = _bends(values)
    return OpenedChip(
        chips=chips,
        hbm_bytes=values["hbm_bytes"],
        hbm_bytes_per_s=values["hbm_bytes_per_s"],
        flop_per_s=values["flop_per_s"],
        weight_bytes=weight_bytes(values) / chips,
        kv_bytes=values["context_tokens"] * values["kv_bytes_per_token"] / chips,
        weights_s=times.weights_s,
        kv_s=times.kv_s,
        compute_s=times.compute_s,
        batches=batches,
        read=tuple(float(read_fraction(values, batch)) for batch in batches),
        most=full_batch(values),
    )


def shares(values: Values) -> ChipShares:
    """A chip of the board's machine at the batch at which reading the weights takes as long as computing."""
    chip, batch = opened(values), step_times(values).balance_batch
    weights_s = chip.weights_s * float(read_fraction(values, batch))
    kv_s, compute_s = batch * chip.kv_s, batch * chip.compute_s
    step_s = max(weights_s + kv_s, compute_s)
    return ChipShares(
        chips=chip.chips,
        weights_memory_fraction=chip.weight_bytes / chip.hbm_bytes,
        kv_memory_fraction=batch * chip.kv_bytes / chip.hbm_bytes,
        weights_time_fraction=weights_s / step_s,
        kv_time_fraction=kv_s / step_s,
        compute_time_fraction=compute_s / step_s,
    )


def _bends(values: Values) -> tuple[float, ...]:
    """Whole batches up to the one that reads all weights, as far apart as their logarithms ask for."""
    all_of = sorted({float(round(LARGEST ** (place / PLACES))) for place in range(PLACES + 1)})
    reached = [one for one in all_of if 1 - float(read_fraction(values, one)) > MOST_UNREAD]
    return tuple(all_of[: len(reached) + 1])
