"""Changes over a model's life: traffic, prices, the cost of a FLOP; and a smaller model distilled from it."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations import training
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.demand import Served
from ridgeline.lifecycle.lives import Lives

__all__ = ["Distilled", "Revenue", "Traffic", "distilled", "revenue_of", "served_by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Tokens per second over a life.

    Attributes:
        tokens_per_s: traffic of a provider, or of the model.
        lifetime_s: time until the model is replaced, s.
        traffic_fraction: the model's share of the traffic.
        input_fraction: part of the tokens that are input.
        cheaper_per_year: factor by which a FLOP gets cheaper in a year, on newer hardware.
    """

    tokens_per_s: float
    lifetime_s: float
    traffic_fraction: float = 1.0
    input_fraction: float = 0.0
    cheaper_per_year: float = 1.0

    def __post_init__(self) -> None:
        require_in_range("budget", "tokens_per_s", self.tokens_per_s)
        require_in_range("budget", "lifetime_s", self.lifetime_s)
        for name in ("traffic_fraction", "input_fraction"):
            if not 0 <= getattr(self, name) <= 1:
                raise RidgelineError(f"budget: {name}={getattr(self, name)!r} must be from 0 to 1")
        _require_factor("cheaper_per_year", self.cheaper_per_year)

    @property
    def tokens(self) -> float:
        """Tokens of the whole life."""
        return float(
            training.served_tokens(
                tokens_per_s=self.tokens_per_s, lifetime_s=self.lifetime_s, traffic_fraction=self.traffic_fraction
            )
        )


def _require_factor(name: str, value: float) -> None:
    if not 0.01 <= value <= 100:  # noqa: PLR2004  a hundredfold a year is beyond what any price has done
        raise RidgelineError(f"budget: {name}={value!r} is no factor a year; give one such as 1.4, or 1 for none")


def served_by(traffic: Traffic, *, deployed_fraction: float = 1.0) -> Served:
    """Served tokens by traffic, with the mean cost of a FLOP over the model's life."""
    cost = training.mean_fraction_over_life(yearly_factor=traffic.cheaper_per_year, lifetime_s=traffic.lifetime_s)
    return Served(
        input_tokens=traffic.input_fraction * traffic.tokens,
        output_tokens=(1 - traffic.input_fraction) * traffic.tokens,
        deployed_fraction=deployed_fraction,
        cost_fraction=float(cost),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Revenue:
    """Revenue of a model.

    Attributes:
        usd: revenue over its life, the mean over deployed and undeployed models, $.
        mean_usd_per_token: mean price of an output token over its life, $.
        cost_fraction: cost of its whole life over its revenue.
    """

    usd: float
    mean_usd_per_token: float
    cost_fraction: float


def revenue_of(
    best: Lives, served: Served, *, usd_per_token: float, falls_per_year: float, lifetime_s: float
) -> Revenue:
    """Revenue of a model at a price of output tokens that falls over its life.

    Args:
        best: model, with its cost in dollars.
        served: tokens that it serves.
        usd_per_token: price of an output token today, $; input is taken to be free.
        falls_per_year: factor by which that price falls in a year.
        lifetime_s: lifetime of the model, s.

    Raises:
        RidgelineError: the factor of the price's fall is invalid, or there is no revenue.
    """
    _require_factor("price_falls_per_year", falls_per_year)
    mean = usd_per_token * float(training.mean_fraction_over_life(yearly_factor=falls_per_year, lifetime_s=lifetime_s))
    usd = served.deployed_fraction * served.output_tokens * mean
    if usd <= 0:
        raise RidgelineError(
            "budget: nothing is brought in, since no token is written for users, or none at a price; give a price above"
            " 0 (--sell '$2/Mtok'), and leave out --sell of a model that writes none"
        )
    return Revenue(usd=usd, mean_usd_per_token=mean, cost_fraction=best.total_cost / usd)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """A smaller model that is distilled from the best one, and serves in its place.

    Attributes:
        active_params: active parameters of the smaller one.
        tokens: tokens that it is trained on.
        training_cost: cost of that training, with the teacher's forward pass.
        break_even_tokens: served tokens, input and output as they come, from which on it has paid for itself.
        break_even_fraction: ``break_even_tokens`` over all that are served; above 1 it never pays.
    """

    active_params: float
    tokens: float
    training_cost: float
    break_even_tokens: float
    break_even_fraction: float


def distilled(teacher: Lives, costs: Costs, served: Served, *, params: float, tokens: float) -> Distilled:
    """Break-even of a smaller model. Its quality is not predicted: no law here is of distilled models.

    Raises:
        RidgelineError: the model is no smaller.
    """
    require_in_range("budget", "active_params", params)
    require_in_range("budget", "tokens", tokens)
    if params >= teacher.active_params:
        raise RidgelineError(
            f"budget: a distilled model of {params:g} active parameters is no smaller than its teacher of"
            f" {teacher.active_params:g}; give fewer"
        )
    # The teacher reads the student's training tokens at training's efficiency: a third of a trained token.
    reading = FLOP_PER_PARAM / training.TRAINING_FLOP_PER_PARAM * costs.pretraining
    cost = tokens * (params * costs.pretraining + teacher.active_params * reading)
    expected = served.deployed_fraction * (served.input_tokens + served.output_tokens)
    a_token = served.per_param(costs) / expected if expected else served.cost_fraction * costs.output
    even = float(
        training.distillation_break_even_tokens(
            training_cost=cost,
            teacher_cost_per_token=teacher.active_params * a_token,
            student_cost_per_token=params * a_token,
        )
    )
    return Distilled(
        active_params=params,
        tokens=tokens,
        training_cost=cost,
        break_even_tokens=even,
        break_even_fraction=even / expected if expected else float("inf"),
    )
