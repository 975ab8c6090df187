"""Grids of bits, of which those are full that one change of the input has changed."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.written import FLAT

__all__ = ["Grid", "Grids"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Bits of a block, or signs of a stream, as cells: those are full that one change of the input has changed.

    Attributes:
        line: name of the line of its mean.
        name: shorter name, for little room.
        bits: number of cells, in columns of eight nibbles.
        changed: changed ones before any round and after each, as hexadecimal digits of four cells.
        substituted: changed ones within the first round, after its S-boxes; empty where there are none.
    """

    line: str = field(metadata=FLAT)
    name: str
    bits: int
    changed: tuple[str, ...]
    substituted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grids:
    """Grids side by side, after as many rounds.

    Attributes:
        grids: grids, from the left.
        change_text: change of the input, in a few words.
        text: summary in a few words.
    """

    grids: tuple[Grid, ...]
    change_text: str
    text: str
