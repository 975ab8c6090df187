"""Drawings beside curves, one file each.

Declarations alone, as those of ``scene``: their heights, costs and means are those of the curves.
"""

from __future__ import annotations

from ridgeline.boards.companions.abreast import Abreast
from ridgeline.boards.companions.attended import Attended, Attention
from ridgeline.boards.companions.bars import Bar, BarGroup, Bars, Length
from ridgeline.boards.companions.batched import Batched
from ridgeline.boards.companions.clocked import Clocked
from ridgeline.boards.companions.draining import Draining, ReadOut
from ridgeline.boards.companions.experts import Account, Experts
from ridgeline.boards.companions.generations import Generation, Generations
from ridgeline.boards.companions.grids import Grid, Grids
from ridgeline.boards.companions.held import Held
from ridgeline.boards.companions.meanwhile import Meanwhile
from ridgeline.boards.companions.over_trained import OverTrained
from ridgeline.boards.companions.pairs import Pairs
from ridgeline.boards.companions.shared_reading import Reader, SharedReading
from ridgeline.boards.companions.stacks import Stack, Stacks
from ridgeline.boards.companions.stores import Store, Stores
from ridgeline.boards.companions.two_modes import TwoModes
from ridgeline.boards.companions.two_networks import TwoNetworks
from ridgeline.boards.companions.undone import Undone
from ridgeline.boards.companions.vessels import Vessel, Vessels

__all__ = [
    "Abreast",
    "Account",
    "Attended",
    "Attention",
    "Bar",
    "BarGroup",
    "Bars",
    "Batched",
    "Clocked",
    "Companion",
    "Draining",
    "Experts",
    "Generation",
    "Generations",
    "Grid",
    "Grids",
    "Held",
    "Length",
    "Meanwhile",
    "OverTrained",
    "Pairs",
    "ReadOut",
    "Reader",
    "SharedReading",
    "Stack",
    "Stacks",
    "Store",
    "Stores",
    "TwoModes",
    "TwoNetworks",
    "Undone",
    "Vessel",
    "Vessels",
]

Companion = (
    Vessels
    | Stores
    | Bars
    | Grids
    | Experts
    | Stacks
    | Undone
    | SharedReading
    | Generations
    | Meanwhile
    | TwoNetworks
    | Abreast
    | Held
    | Draining
    | Attended
    | Batched
    | Pairs
    | TwoModes
    | Clocked
    | OverTrained
)
"""Drawing that can stand beside curves."""
