"""A stack of which a part is reversible, with what that saves and costs."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Undone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """A stack of which a part is reversible, a number of layers along, with its memory and its arithmetic.

    Attributes:
        layers: number of layers.
        forward_flop: FLOP of the forward pass, per parameter and token.
        none_flop: FLOP of training where no layer is reversible, per parameter and token.
        all_flop: FLOP of training where all layers are.
        text: summary in a few words.
    """

    layers: int
    forward_flop: float
    none_flop: float
    all_flop: float
    text: str
