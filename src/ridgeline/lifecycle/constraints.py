"""Constraints that keep a model from being as large, or its text from being as long, as would be best."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.catalog.scaling_laws import FittedLaw, RepeatedFit, repeated_law
from ridgeline.equations.repetition import effective, effective_tokens
from ridgeline.equations.scaling import optimal_params_when_served
from ridgeline.equations.sparsity import routed_total_params
from ridgeline.glossary import require_in_range
from ridgeline.numeric import INFINITY, Numeric

__all__ = ["REPETITION", "MostParams", "UniqueText", "most_active"]

REPETITION = "muennighoff-2023"
"""Law of repeated text, the only one; it is assumed to hold with other laws, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UniqueText:
    """A limited number of different tokens; further ones are read again, and worth less.

    Attributes:
        tokens: number of different tokens.
    """

    tokens: float

    def __post_init__(self) -> None:
        require_in_range("budget", "tokens", self.tokens)

    def worth(self, law: FittedLaw, *, params: Numeric, tokens: Numeric) -> tuple[Numeric, Numeric]:
        """Effective parameters and tokens as new text; its own law also discounts excess parameters."""
        repetition = repeated_law(REPETITION).repetition
        new = effective_tokens(tokens=tokens, unique_tokens=self.tokens, law=repetition)
        if not isinstance(law, RepeatedFit):
            return params, new
        suited = optimal_params_when_served(tokens=self.tokens, weighted_served_tokens=0.0, law=law.coefficients)
        return effective(amount=params, base=suited, decay=repetition.excess_params), new


@dataclass(frozen=True, slots=True, kw_only=True)
class MostParams:
    """An upper bound on a model's parameters.

    Attributes:
        total: bound on all parameters; infinite without one.
        active: bound on active parameters; infinite without one.
        why: source of the bound.
    """

    total: float = INFINITY
    active: float = INFINITY
    why: str


def most_active(bounds: tuple[MostParams, ...], *, experts: float, routed_fraction: float) -> tuple[float, str]:
    """Largest active parameters of a model with these experts, and the bound on them; empty where there is none."""
    expansion = float(routed_total_params(params=1.0, routed_fraction=routed_fraction, experts=experts))
    found = min(((min(one.active, one.total / expansion), one.why) for one in bounds), default=(INFINITY, ""))
    return found if found[0] < INFINITY else (INFINITY, "")
