"""Costs of a parameter and a token in each phase of a model's life: FLOP, dollars or chip-seconds."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.glossary import ImplausibleError, require_in_range

__all__ = ["CHIP_S", "FLOP", "USD", "Costs", "flop_costs"]

FLOP, USD, CHIP_S = "flop", "usd", "chip_s"
"""Units of costs, as in fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Costs of one active parameter and one token, all in one unit.

    Attributes:
        unit: flop, usd or chip_s.
        pretraining: cost of a training token.
        rl: cost of a token generated in reinforcement learning, training on it included.
        input: cost of a served input token.
        output: cost of a served output token.
        notes: sources of the costs.
    """

    unit: str
    pretraining: float
    rl: float
    input: float
    output: float
    notes: tuple[str, ...] = ()

    def scaled(self, unit: str, factor: float) -> Costs:
        """Costs in another unit."""
        return Costs(
            unit=unit,
            pretraining=factor * self.pretraining,
            rl=factor * self.rl,
            input=factor * self.input,
            output=factor * self.output,
            notes=self.notes,
        )


def flop_costs(*, rl_flop_per_param: float, relative_efficiency_fraction: float) -> Costs:
    """FLOP at training's efficiency: those of generation over the relative efficiency, those of reading unchanged.

    Args:
        rl_flop_per_param: FLOP per parameter and token of reinforcement learning.
        relative_efficiency_fraction: efficiency of generation over training's.

    Raises:
        ImplausibleError: a number is out of its range.
    """
    require_in_range("budget", "rl_flop_per_param", rl_flop_per_param)
    require_in_range("budget", "relative_efficiency_fraction", relative_efficiency_fraction)
    if not relative_efficiency_fraction:
        raise ImplausibleError(
            "budget: relative_efficiency_fraction=0 writes no token; give the efficiency of writing over training's,"
            " such as 0.33"
        )
    return Costs(
        unit=FLOP,
        pretraining=float(TRAINING_FLOP_PER_PARAM),
        rl=rl_flop_per_param / relative_efficiency_fraction,
        input=float(FLOP_PER_PARAM),
        output=FLOP_PER_PARAM / relative_efficiency_fraction,
    )
