"""Racks in a row, a stage of a pipeline each, and what the memory of one of their chips holds.

Declarations alone, as those of ``scene``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.colour import Colour

__all__ = ["HeldPart", "RowOfRacks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPart:
    """A part of what a chip holds, by the number of racks.

    Attributes:
        name: name of the part.
        colour: colour of its subject.
        held: bytes of it on a chip, for each number of racks.
        held_text: each of these in words.
    """

    name: str
    colour: Colour
    held: tuple[float, ...]
    held_text: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOfRacks:
    """Memory of a chip with one rack and with more, all of which hold the same.

    Attributes:
        counts: numbers of racks, ascending.
        here: index of the number that is drawn.
        parts: parts of what a chip holds, from the top.
        both_text: all of it in words, for each number of racks.
        hbm_bytes: memory that a chip has, bytes.
        hbm_text: size of that memory, and its ratio to what it holds or what it is too little for, in words.
        chips_text: number of chips of a rack in words.
        text: summary in a few words.
    """

    counts: tuple[int, ...]
    here: int
    parts: tuple[HeldPart, ...]
    both_text: tuple[str, ...]
    hbm_bytes: float
    hbm_text: str
    chips_text: str
    text: str
