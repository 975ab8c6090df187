"""Laws of loss, and what each makes of a model that is also served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ridgeline.boards.lecture.training.numbers import TRAINED_TOKENS
from ridgeline.boards.picture import Colour
from ridgeline.equations import scaling, training
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.scaling import ScalingLaw

__all__ = ["BESIROGLU", "EQUAL_BUDGETS", "FITS", "HOFFMANN", "UNROUNDED", "Fit", "Rule", "as_good", "cheapest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A law of loss, as others fitted it.

    Attributes:
        name: on a picture with room.
        short: on one of several.
        paper: with its year.
        law: its coefficients.
        colour: of its lines.
    """

    name: str
    short: str
    paper: str
    law: ScalingLaw
    colour: Colour


HOFFMANN = Fit(
    name="fit of Hoffmann",
    short="Hoffmann",
    paper="Hoffmann et al. 2022, as printed",
    law=scaling.HOFFMANN,
    colour=Colour.OTHER,
)
UNROUNDED = Fit(
    name="its digits unrounded",
    short="unrounded",
    paper="Hoffmann et al. 2022, all digits",
    law=scaling.HOFFMANN_UNROUNDED,
    colour=Colour.OTHER,
)
BESIROGLU = Fit(
    name="fit of Besiroglu",
    short="Besiroglu",
    paper="Besiroglu et al. 2024",
    law=scaling.BESIROGLU,
    colour=Colour.ALSO,
)
FITS = (HOFFMANN, UNROUNDED, BESIROGLU)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How many tokens to pre-train on, by those that will be served.

    Attributes:
        name: in a few words.
        pretraining_tokens: takes served tokens, active parameters and the efficiency of decoding over training's.
    """

    name: str
    pretraining_tokens: Callable[[float, float, float], float]


def _equal_budgets(served_tokens: float, active_params: float, relative_efficiency_fraction: float) -> float:
    """Those that cost as much as serving; the parameters cancel."""
    found = training.matching_pretraining_tokens(
        tokens=served_tokens,
        flop_per_param=FLOP_PER_PARAM,
        relative_efficiency_fraction=relative_efficiency_fraction,
    )
    return float(found)


EQUAL_BUDGETS = Rule(name="equal budgets", pretraining_tokens=_equal_budgets)


def as_good(served_tokens: float, active_params: float, relative_efficiency_fraction: float, *, fit: Fit) -> float:
    """Of the cheapest model that is as good as the lecture's: of the loss of 200 trillion tokens and its parameters."""
    loss = scaling.model_loss(params=active_params, tokens=TRAINED_TOKENS.value, law=fit.law)
    weighted = served_tokens / relative_efficiency_fraction
    return float(scaling.optimal_tokens_when_served(loss=loss, weighted_served_tokens=weighted, law=fit.law))


def cheapest(fit: Fit) -> Rule:
    """The cheapest model of the same loss, by a fit."""
    return Rule(
        name=f"the cheapest model as good, by {fit.paper}",
        pretraining_tokens=lambda served, params, efficiency: as_good(served, params, efficiency, fit=fit),
    )
