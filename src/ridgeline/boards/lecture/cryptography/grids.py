"""Bits that one change of an input changes, as grids: one run of each of those whose mean is drawn."""

from __future__ import annotations

from ridgeline.boards.companions import Grid, Grids
from ridgeline.boards.lecture.cryptography.mixing import SIGNS, Run, aes_run, network_run, residual_network

__all__ = ["grids"]

NIBBLE = 4
"""Bits of a hexadecimal digit."""


def grids(*, rounds: int, flipped: int, added_weight: float, samples: int) -> Grids:
    """AES beside the two networks, up to a number of rounds or layers."""
    runs = {
        ("AES", "AES"): aes_run(flipped),
        ("network\nof signs", "signs"): network_run(SIGNS, flipped),
        ("residual\nnetwork", "residual"): network_run(residual_network(added_weight), flipped),
    }
    first, are = ("first bit", "is") if flipped == 1 else (f"first {flipped} bits", "are")
    blocks = "1 block" if samples == 1 else f"{samples} blocks"
    return Grids(
        grids=tuple(
            Grid(
                line=line,
                name=name,
                bits=run.bits,
                changed=tuple(_digits(run, one) for one in run.changed[: rounds + 1]),
                substituted="" if run.substituted is None else _digits(run, run.substituted),
            )
            for (line, name), run in runs.items()
        ),
        change_text=f"{first} flipped",
        text=f"What differs after each round once the {first} {are} flipped. The chart has the mean of {blocks},"
        " each of whose bits is flipped in turn",
    )


def _digits(run: Run, number: int) -> str:
    return f"{number:0{run.bits // NIBBLE}x}"
