"""Laws of loss, and the training tokens that each suggests for a model that is also served."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ridgeline.boards.lecture.training.numbers import RL_FLOP_PER_PARAM, TRAINED_TOKENS
from ridgeline.boards.picture import Colour
from ridgeline.catalog.scaling_laws import PowerFit, power_law
from ridgeline.equations import training
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.lifecycle.asked import Asked
from ridgeline.lifecycle.budget import solve
from ridgeline.lifecycle.costs import flop_costs
from ridgeline.lifecycle.demand import Learning, ServedTokens
from ridgeline.lifecycle.goal import AsGoodAs

__all__ = ["BESIROGLU", "EQUAL_BUDGETS", "FITS", "HOFFMANN", "UNROUNDED", "Fit", "Rule", "as_good", "cheapest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A law of loss, as a picture shows it.

    Attributes:
        name: name on a picture with room.
        fitted: law as it was fitted.
        colour: colour of its lines.
    """

    name: str
    fitted: PowerFit
    colour: Colour

    @property
    def short(self) -> str:
        """Short name, for one of several pictures."""
        return self.fitted.short

    @property
    def paper(self) -> str:
        """Name of the paper, with the year."""
        return self.fitted.name

    @property
    def law(self) -> ScalingLaw:
        """Coefficients of the law."""
        return self.fitted.coefficients


HOFFMANN = Fit(name="fit of Hoffmann", fitted=power_law("hoffmann-2022"), colour=Colour.ALSO)
UNROUNDED = Fit(name="Hoffmann unrounded", fitted=power_law("hoffmann-2022-exact"), colour=Colour.ALSO)
BESIROGLU = Fit(name="fit of Besiroglu", fitted=power_law("besiroglu-2024"), colour=Colour.ASIDE)
FITS = (HOFFMANN, UNROUNDED, BESIROGLU)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Rule for the tokens of pre-training, given those that will be served.

    Attributes:
        name: name in a few words.
        pretraining_tokens: function of served tokens, active parameters and the efficiency of decoding over training's.
    """

    name: str
    pretraining_tokens: Callable[[float, float, float], float]


def _equal_budgets(served_tokens: float, active_params: float, relative_efficiency_fraction: float) -> float:
    """Pre-training tokens that cost as much as serving; the parameters cancel."""
    found = training.matching_pretraining_tokens(
        tokens=served_tokens,
        flop_per_param=FLOP_PER_PARAM,
        relative_efficiency_fraction=relative_efficiency_fraction,
    )
    return float(found)


EQUAL_BUDGETS = Rule(name="equal budgets", pretraining_tokens=_equal_budgets)


def as_good(served_tokens: float, active_params: float, relative_efficiency_fraction: float, *, fit: Fit) -> float:
    """Pre-training tokens of the cheapest model as good as the lecture's, with its parameters and 200T tokens."""
    efficiency = relative_efficiency_fraction
    found = solve(
        fit.fitted,
        Asked(
            goal=AsGoodAs(params=active_params, tokens=TRAINED_TOKENS.value),
            costs=flop_costs(rl_flop_per_param=RL_FLOP_PER_PARAM.value, relative_efficiency_fraction=efficiency),
            served=ServedTokens(output_tokens=served_tokens),
            learning=Learning(tokens=0.0),
        ),
    )
    return math.nan if found.best is None else found.best.tokens


def cheapest(fit: Fit) -> Rule:
    """Rule of the cheapest model of the same loss, by a fit."""
    return Rule(
        name=f"the cheapest model as good, by {fit.paper}",
        pretraining_tokens=lambda served, params, efficiency: as_good(served, params, efficiency, fit=fit),
    )
