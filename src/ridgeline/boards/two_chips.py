"""A chip that decodes beside one that reads prompts: what each pass pours from memory, on one clock.

Declarations alone, as those of ``scene``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.tick import Tick

__all__ = ["Side", "TwoChips"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the chips; times are in decode passes.

    Attributes:
        name: work that it does.
        tokens: tokens of each sequence that a pass takes.
        tokens_text: tokens of a pass in words.
        weights: time to read the weights, once a pass.
        kv: time to read the KV caches, once a pass.
        compute: time of a pass's arithmetic, which goes on meanwhile.
        rate_text: tokens that the chip takes per second, in words.
        price_text: cost of a million of them, in words.
    """

    name: str
    tokens: float
    tokens_text: str
    weights: float
    kv: float
    compute: float
    rate_text: str
    price_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoChips:
    """Decode and prefill by the same chip, side by side.

    Attributes:
        sides: decode, and prefill.
        end: time at which the clock ends, in decode passes.
        ticks: times that are written along it.
        text: summary in a few words.
    """

    sides: tuple[Side, Side]
    end: float
    ticks: tuple[Tick, ...]
    text: str
