"""Parameters that a model with experts holds and reads, and the dense model that is as good: areas at one scale."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.written import FLAT

__all__ = ["Held"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A model's experts, of which a token reads one, beside what all of it is worth.

    Attributes:
        line: name of the line of the dense model that is as good.
        held_experts: number of experts.
        expert_params: parameters of one expert in all layers.
        shared_params: parameters that every token reads.
        text: summary in a few words.
    """

    line: str = field(metadata=FLAT)
    held_experts: int
    expert_params: float
    shared_params: float
    text: str
