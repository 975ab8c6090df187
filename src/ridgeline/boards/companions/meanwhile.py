"""A parameter on its way from memory, and what the chip multiplies meanwhile. A declaration alone."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Meanwhile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile:
    """Multiplications of a chip while it reads one parameter, as cells that fill.

    Attributes:
        multiplied: number of parameters that it multiplies meanwhile.
        text: summary in a few words.
    """

    multiplied: float
    text: str
