"""Conclusions from the lecture, and its results where they belong in the machine: the walk's end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ridgeline.boards.claim import Claim
from ridgeline.boards.in_a_sentence import count_text

__all__ = ["DECISIVE", "HEADING", "PARTS", "SHORT_NAMES", "MachinePart", "follows"]

HEADING = "A batch shares the weights. It cannot share contexts."
"""Conclusion of the lecture in a line."""

DECISIVE = ("A20", "D14", "B33")
"""Claims whose correction changes a decision: how long a user waits, what a price list tells, which schedule to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachinePart:
    """A part of the machine, with the claims of which the picture gives the number.

    Attributes:
        name: name by which the picture knows what to draw.
        title: title over its results.
        results: short names of the results, which their numbers follow, by the claim's id; the first is in the picture
            that one sends.
    """

    name: str
    title: str
    results: Mapping[str, str]


PARTS = (
    MachinePart(
        name="memory",
        title="Memory",
        results={
            "A8": "sparse-attention exponent",
            "D2": "crossover at 2 kB a token",
            "D3": "KV per token",
            "B34": "rack over a 1T model",
        },
    ),
    MachinePart(
        name="pipe",
        title="Bandwidth",
        results={
            "A20": "step at the balance batch",
            "A6": "weights read in",
            "A15": "all memory read in",
            "A17": "longest wait",
        },
    ),
    MachinePart(
        name="arithmetic",
        title="Arithmetic",
        results={
            "A12": "DeepSeek's balance batch",
            "D9": "dense: attention = rest at",
            "A10": "multiplies per read",
            "A11": "his balance batch",
        },
    ),
    MachinePart(
        name="rack",
        title="Rack",
        results={
            "B20": "memory of a rack",
            "B1": "experts on a chip",
            "B2": "hops, chip to chip",
            "B5": "chips in the next",
        },
    ),
    MachinePart(
        name="racks",
        title="Rack to rack",
        results={
            "B33": "left of a bubble by 1F1B",
            "B4": "visits that leave",
            "B3": "links slower by",
            "B9": "idle with one batch",
            "B16": "hop to the next",
        },
    ),
    MachinePart(
        name="tiers",
        title="Where caches wait",
        results={
            "D26": "to read a disk",
            "D15": "to read a flash drive",
            "D25": "to read DDR",
            "D12": "price of a hit",
        },
    ),
    MachinePart(
        name="price",
        title="Price of a token",
        results={
            "D14": "a million input tokens",
            "D7": "decode over prefill cost",
            "D6": "output/input of Opus 4.5",
            "A4": "batch of one costs",
            "A22": "users per fast one",
        },
    ),
    MachinePart(
        name="training",
        title="Training",
        results={
            "C11": "to train on, by Hoffmann",
            "C2": "FLOP per param and token",
            "C8": "tokens in its life",
            "E12": "reversible training",
            "E6": "AES bits, one flipped",
        },
    ),
)
"""Parts from the memory of one chip outwards, then what surrounds the machine."""

SHORT_NAMES: Mapping[str, str] = {claim: name for part in PARTS for claim, name in part.results.items()}
"""Short names of all results by the claim's id."""


def follows(claims: Sequence[Claim]) -> tuple[str, ...]:
    """Conclusions from the lecture: three, each by one set of numbers, which it names."""
    by_id = {claim.id: claim for claim in claims}
    ours = {name: claim.lecture_mode() or 0.0 for name, claim in by_id.items()}
    crossover = by_id["D2"].lecture
    return (
        (
            f"By his numbers, a token alone costs {count_text(ours['A4'], 3)} times its arithmetic if all weights"
            f" are read for it. In a batch of {count_text(ours['A11'], 3)}, reading them takes no longer than"
            " computing."
        ),
        (
            f"Each sequence reads its own KV cache: beyond {count_text(float(crossover or 0), 3)} tokens, as he reads a"
            " price list, that takes longer than computing, whatever the batch."
        ),
        (
            "Memory and compute are traded for each other: a cache keeps what was computed, and a reversible network"
            f" computes {count_text(ours['E12'], 3)} times as much to keep only one layer's activations."
        ),
    )
