"""What keeps a model from being as large, or its text from being as long, as would be best."""

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
"""The one law of text that is read again; with other laws it is assumed to hold, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UniqueText:
    """There are no more than so many different tokens; further ones are read again, and worth less.

    Attributes:
        tokens: that are different.
    """

    tokens: float

    def __post_init__(self) -> None:
        require_in_range("budget", "tokens", self.tokens)

    def worth(self, law: FittedLaw, *, params: Numeric, tokens: Numeric) -> tuple[Numeric, Numeric]:
        """What ``params`` and ``tokens`` are worth as new text; its own law takes excess parameters for less, too."""
        repetition = repeated_law(REPETITION).repetition
        new = effective_tokens(tokens=tokens, unique_tokens=self.tokens, law=repetition)
        if not isinstance(law, RepeatedFit):
            return params, new
        suited = optimal_params_when_served(tokens=self.tokens, weighted_served_tokens=0.0, law=law.coefficients)
        return effective(amount=params, base=suited, decay=repetition.excess_params), new


@dataclass(frozen=True, slots=True, kw_only=True)
class MostParams:
    """A model has no more parameters than so many.

    Attributes:
        total: in all; infinite without such a bound.
        active: of those that a token touches; infinite without.
        why: what the bound comes from.
    """

    total: float = INFINITY
    active: float = INFINITY
    why: str


def most_active(bounds: tuple[MostParams, ...], *, experts: float, routed_fraction: float) -> tuple[float, str]:
    """The most active parameters of a model with so many experts, and what bounds them; empty where nothing does."""
    expansion = float(routed_total_params(params=1.0, routed_fraction=routed_fraction, experts=experts))
    found = min(((min(one.active, one.total / expansion), one.why) for one in bounds), default=(INFINITY, ""))
    return found if found[0] < INFINITY else (INFINITY, "")
