"""Pre-training, reinforcement learning and serving: how a budget is split, and the cheapest model of the same loss."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import isclose

from ridgeline.boards.board import NEXT, Board, Control, Facts, Term, Values, View
from ridgeline.boards.constant import implied
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture.training import model_facts
from ridgeline.boards.lecture.training.laws import BESIROGLU, FITS, UNROUNDED, Fit
from ridgeline.boards.lecture.training.numbers import (
    CALENDAR_MONTH_S,
    DEPLOYED_FRACTION,
    LIFETIME_MONTHS,
    MODEL_TRAFFIC_FRACTION,
    RELATIVE_EFFICIENCY,
    RL_BUDGET_FRACTION,
    RL_FLOP_PER_PARAM,
    SERVED_TOKENS,
    TRAFFIC_TOKENS_PER_S,
    TRAINED_TOKENS,
)
from ridgeline.boards.lecture.training.over_training import ACTIVE, TOKENS
from ridgeline.boards.lecture.training.vessels import LIFE, TWO_COSTS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, Curve, Span, at, curve, curves, logarithmic
from ridgeline.equations import scaling, training
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.lifecycle.asked import Asked
from ridgeline.lifecycle.budget import solve
from ridgeline.lifecycle.costs import flop_costs
from ridgeline.lifecycle.curves import Phases, phases_of_size
from ridgeline.lifecycle.demand import Learning, ServedTokens
from ridgeline.lifecycle.goal import AsGoodAs
from ridgeline.lifecycle.lives import Lives
from ridgeline.numeric import INFINITY, Numeric, minimum
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["BOARD", "BUDGET_EQUATION", "TWO_COSTS_EQUATION", "is_as_much", "split_of"]

WIDE, NARROW = 6.0, 3.2
"""Width of a picture as a multiple of its smallest size: of a budget, and of the least costs by each fit."""
BEYOND = 1e6
"""Cost over the least at which sizes are drawn that reach the loss with no number of tokens."""
SMALLER = 0.8
"""Size of a smaller model that is marked, as a part of the board's."""
ALIKE = 1e-3
"""Relative difference of two costs below which they are one line on the screen."""
MARGIN = 0.2
"""Start of a picture between the smallest size that reaches a loss and the board's model, as an exponent."""


def _asked(values: Values) -> Asked:
    """Inputs of a budget with the board's numbers."""
    return Asked(
        goal=AsGoodAs(params=values["active_params"], tokens=values["tokens"]),
        costs=flop_costs(
            rl_flop_per_param=values["rl_flop_per_param"],
            relative_efficiency_fraction=values["relative_efficiency_fraction"],
        ),
        served=ServedTokens(output_tokens=values["served_tokens"], deployed_fraction=values["deployed_fraction"]),
        learning=Learning(tokens=values["rl_tokens"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Budgets of models with one loss, that of the board's model by one law.

    Attributes:
        fit: scaling law of the loss.
        asked: inputs of the budget.
        loss: loss of all models.
        best: cheapest model and its life.
        fewest_params: size below which no tokens reach the loss.
    """

    fit: Fit
    asked: Asked
    loss: float
    best: Lives
    fewest_params: float

    def phases(self, params: Numeric) -> Phases:
        """Costs of models of that size."""
        asked = self.asked
        return phases_of_size(
            self.fit.law,
            loss=self.loss,
            params=params,
            costs=asked.costs,
            served=asked.served,
            learning=asked.learning,
        )


def split_of(values: Values, fit: Fit) -> Split:
    """Budgets of models as good as the board's, by a fit."""
    asked = _asked(values)
    loss = float(scaling.model_loss(params=values["active_params"], tokens=values["tokens"], law=fit.law))
    best = solve(fit.fitted, asked).best
    if best is None:  # pragma: no cover  the board's own model has the loss
        raise ValueError(f"no model reaches {loss:g} by {fit.paper}")
    return Split(
        fit=fit,
        asked=asked,
        loss=loss,
        best=best,
        fewest_params=float(scaling.params_for_loss(tokens=INFINITY, loss=loss, law=fit.law)),
    )


def _sizes(values: Values, splits: list[Split], wide: float) -> Span:
    """Sizes of models that reach the loss by every law, with those that are marked."""
    here, fewest = values["active_params"], max(split.fewest_params for split in splits)
    marked = [here, *(split.best.active_params for split in splits)]
    low = min(fewest * (here / fewest) ** MARGIN, *marked)
    return logarithmic(low, max(wide * low, 1.5 * max(marked)))


def _budget(values: Values) -> Curves:
    split, here = split_of(values, BESIROGLU), values["active_params"]
    board = float(split.phases(here).total)
    bill = _bill(split, board)

    def share(name: str, where: float, size: str, colour: Colour) -> At:
        phases = split.phases(where)
        part = float(phases.pretraining / phases.total)
        text = f"{size}: {format_quantity(part, 'fraction', 2)}\nfor pre-training"
        return at(name, where, on="all", text=text, colour=colour)

    return curves(
        _sizes(values, [split], WIDE),
        bill[0],
        *_other_phases(split, here, bill),
        curve("all", lambda params: split.phases(params).total / board, Colour.BOUND, is_bold=True),
        marks=[
            share("board", here, format_quantity(here, "count", 3), Colour.ASIDE),
            share("least", split.best.active_params, _sized(split), Colour.BOUND),
            _smaller(split, here),
        ],
        top=3.5,
        bill=(bill,),
        companion=LIFE,
    )


def _bill(split: Split, board: float) -> tuple[Curve, Curve, Curve]:
    """Pre-training, reinforcement learning and serving, in the order of a model's life."""
    phases = (
        ("pre-training", "pretraining", Colour.COMPUTE),
        ("RL", "rl", Colour.ASIDE),
        ("serving", "serving", Colour.ALSO),
    )
    pretraining, rl, serving = (
        curve(name, partial(_part_of, split, phase, board), colour) for name, phase, colour in phases
    )
    return pretraining, rl, serving


def is_as_much(times: float) -> bool:
    """Whether a multiple, or one over it, is 1 in two digits, so that words say "as much" instead.

    >>> is_as_much(1.04), is_as_much(1.06), is_as_much(0.96)
    (True, False, True)
    """
    return round(max(times, 1 / times), 1) == 1


def _smaller(split: Split, here: float) -> At:
    """Mark of a smaller model: its size, and how many times the training of the board's it takes."""
    size = SMALLER * here
    more = float(split.phases(size).pretraining / split.phases(here).pretraining)
    times = "as much\n" if is_as_much(more) else f"{format_number(more, 2)} times\nthe "
    text = f"{format_quantity(size, 'count', 3)}: {times}training"
    return at("smaller", size, on="pre-training", text=text, colour=Colour.COMPUTE)


def _other_phases(split: Split, here: float, bill: tuple[Curve, Curve, Curve]) -> list[Curve]:
    """Reinforcement learning and serving; dots on the other's line where they cost the same."""
    phases, (_, rl, serving) = split.phases(here), bill
    if isclose(float(phases.rl), float(phases.serving), rel_tol=ALIKE):
        return [serving, replace(rl, is_floor=True)]
    return [serving, rl]


def _part_of(split: Split, phase: str, board: float, params: Numeric) -> Numeric:
    """Cost of a phase over the whole cost of the board's model."""
    cost: Numeric = getattr(split.phases(params), phase)
    return cost / board


def _over_least(split: Split, params: Numeric) -> Numeric:
    """Cost over the least; where no tokens reach the loss, and near there, the line leaves the picture."""
    return minimum(split.phases(params).total / split.best.total_cost, BEYOND)


def _best_text(split: Split) -> str:
    """Text on the cheapest model: its tokens by the board's own fit, the fit's name by others."""
    if split.fit is BESIROGLU:
        return _sized(split)
    return f"{split.fit.short}: {format_quantity(split.best.active_params, 'count')}"


def _sized(split: Split) -> str:
    """Size of the cheapest model, and the tokens that it is trained on."""
    return (
        f"{format_quantity(split.best.active_params, 'count', 3)} on {format_quantity(split.best.tokens, 'count', 3)}"
    )


def _by_fit(values: Values) -> Curves:
    splits, here = [split_of(values, fit) for fit in FITS], values["active_params"]
    marks = [
        at(
            one.fit.name,
            one.best.active_params,
            on=one.fit.short,
            text=_best_text(one),
            colour=one.fit.colour,
            # It lies beside the printed one.
            is_quiet=one.fit is UNROUNDED,
        )
        for one in sorted(splits, key=lambda one: one.fit is not BESIROGLU)
    ]
    board = float(_over_least(splits[FITS.index(BESIROGLU)], here))
    lines = [
        curve(
            one.fit.short,
            partial(_over_least, one),
            one.fit.colour,
            is_bold=one.fit is BESIROGLU,
            out_of_reach_from=BEYOND,
        )
        for one in splits
    ]
    mark = at("board", here, on=BESIROGLU.short, text=f"here {board:.2f} times", colour=Colour.ASIDE)
    return curves(_sizes(values, splits, NARROW), *lines, marks=[*marks, mark], top=max(2.0, 1.2 * board), bottom=0.9)


def _least_sum(values: Values) -> Curves:
    rising, falling = values["rising_power"], values["falling_power"]
    ratio = float(training.balanced_cost_ratio(rising_power=rising, falling_power=falling))
    least = ratio ** (1 / (rising + falling))
    lowest = least**rising + least**-falling
    bill = (
        curve("falls", lambda x: x**-falling, Colour.ASIDE),
        curve("rises", lambda x: x**rising, Colour.ALSO),
    )
    return curves(
        logarithmic(min(0.1, least / 3), max(10.0, 3 * least)),
        *bill,
        curve("sum", lambda x: x**rising + x**-falling, Colour.BOUND, is_bold=True),
        marks=[
            at("equal", 1.0, on="rises", text="equal", colour=Colour.ASIDE, is_fixed=True),
            at("least", least, on="sum", text=f"least: rising\nover falling {format_number(ratio)}"),
        ],
        top=3 * lowest,
        bill=(bill,),
        companion=TWO_COSTS,
    )


def _rl_tokens(*, budget_fraction: float, tokens: float, flop_per_param: float) -> float:
    """Tokens of RL that cost ``budget_fraction`` of pre-training on ``tokens``."""
    one = training.matching_pretraining_tokens(
        tokens=1, flop_per_param=flop_per_param, relative_efficiency_fraction=RELATIVE_EFFICIENCY.value
    )
    return float(budget_fraction * tokens / one)


def _careful_rl_tokens(facts: Facts) -> float | None:
    tokens = model_facts.trained_tokens(facts)
    if tokens is None:
        return None
    return _rl_tokens(budget_fraction=RL_BUDGET_FRACTION, tokens=tokens, flop_per_param=ALL_TRAINED_ON)


CALENDAR_SERVED_TOKENS = float(
    training.served_tokens(
        tokens_per_s=TRAFFIC_TOKENS_PER_S.value,
        lifetime_s=LIFETIME_MONTHS * CALENDAR_MONTH_S,
        traffic_fraction=MODEL_TRAFFIC_FRACTION.value,
    )
)
"""Tokens by his traffic and his part of it, over months of the calendar (C8); no provider publishes one model's."""

SIZE = Axis(caption="size of a model as good, active parameters", dimension="count", is_logarithmic=True)
"""Sizes of all models that are compared, of which the chosen one is one."""

ALL_TRAINED_ON = float(training.rl_flop_per_param(trained_fraction=1))
"""FLOP a parameter and token of RL where every sample is trained on."""

CONTROLS = (
    TOKENS,
    ACTIVE,
    Control(
        name="served_tokens",
        meaning="tokens served if deployed",
        short="served",
        dimension="count",
        low=1e11,
        high=1e17,
        lecture=SERVED_TOKENS,
        careful=CALENDAR_SERVED_TOKENS,
    ),
    Control(
        name="deployed_fraction",
        meaning="chance of that",
        called="chance of being deployed",
        short="deployed",
        dimension="fraction",
        low=0.01,
        high=1,
        lecture=DEPLOYED_FRACTION,
        careful=1.0,
    ),
    Control(
        name="rl_tokens",
        meaning="tokens of reinforcement learning (RL)",
        short="RL tokens",
        dimension="count",
        low=0,
        high=1e16,
        lecture=implied(
            _rl_tokens(budget_fraction=1, tokens=TRAINED_TOKENS.value, flop_per_param=RL_FLOP_PER_PARAM.value),
            "1:27:40",
            hedge="as many as make the budgets equal",
            claim="C5",
        ),
        careful=_careful_rl_tokens,
    ),
    Control(
        name="rl_flop_per_param",
        meaning="FLOP a parameter of each",
        called="FLOP per parameter and RL token",
        short="RL FLOP",
        dimension="count",
        low=FLOP_PER_PARAM,
        high=training.TRAINING_FLOP_PER_PARAM + FLOP_PER_PARAM,
        lecture=RL_FLOP_PER_PARAM,
        careful=ALL_TRAINED_ON,
    ),
    Control(
        name="relative_efficiency_fraction",
        meaning="of training's efficiency in decode",
        called="decode efficiency over training's",
        short="efficiency",
        dimension="fraction",
        low=0.01,
        high=1,
        lecture=RELATIVE_EFFICIENCY,
        careful=RELATIVE_EFFICIENCY.value,
    ),
    Control(
        name="rising_power",
        meaning="as power a, of what rises",
        called="exponent a of the rising cost",
        short="rising power",
        dimension="count",
        low=0.1,
        high=3,
        lecture=implied(1.0, "1:21:15"),
        careful=BESIROGLU.law.tokens_power,
    ),
    Control(
        name="falling_power",
        meaning="as power b, of what falls",
        called="exponent b of the falling cost",
        short="falling power",
        dimension="count",
        low=0.1,
        high=3,
        lecture=implied(1.0, "1:21:15"),
        careful=BESIROGLU.law.params_power,
    ),
)

TWO_COSTS_EQUATION = (
    Term(tex=r"\mathrm{cost}", colour=Colour.BOUND),
    Term(tex=r"\;=\;"),
    Term(tex=r"x^{\mu_{up}}", colour=Colour.ALSO),
    Term(tex=r"\;+\;"),
    Term(tex=r"x^{-\mu_{down}}", colour=Colour.ASIDE),
)
"""Any two costs of which one rises as the other falls."""
BUDGET_EQUATION = (
    Term(tex=r"\mathrm{FLOP}", colour=Colour.BOUND),
    Term(tex=r"\;=\;"),
    Term(tex=r"6\,N_a\,D", colour=Colour.COMPUTE),
    Term(tex=r"\;+\;"),
    Term(tex=r"\dfrac{c_{RL}\,N_a\,D_{RL}}{\eta}", colour=Colour.ASIDE),
    Term(tex=r"\;+\;"),
    Term(tex=r"\dfrac{2\,N_a\,q\,D_s}{\eta}", colour=Colour.ALSO),
)
"""FLOP of pre-training, reinforcement learning and serving."""

BOARD = Board(
    name="budget",
    time_stamp="1:21:00",
    title="Pre-training, reinforcement learning and serving",
    question="Of all models that are equally good, which size costs least over its whole life?",
    caption="All models have the same loss as the one that is set here, by the fit of Besiroglu. Percentages are"
    " the share of pre-training. All of it extrapolates. Sum of two costs: his rule that it is smallest where they are"
    " equal holds if their exponents are equal.",
    formula=(
        *BUDGET_EQUATION,
        Term(tex=r",\qquad\mathrm{loss}(N_a,D)\;=\;\mathrm{loss\ of\ the\ board}"),
        NEXT,
        *TWO_COSTS_EQUATION,
    ),
    controls=CONTROLS,
    views=(
        View(
            compute=_budget,
            heading="The three bills",
            x=SIZE,
            y=Axis(caption="lifetime FLOP, relative to the chosen model's", dimension="count", is_relative=True),
            read_mark="board",
        ),
        View(
            compute=_by_fit,
            heading="Their sum by each fit",
            x=SIZE,
            y=Axis(caption="FLOP, relative to the least", dimension="count", is_logarithmic=True, is_relative=True),
        ),
        View(
            equations=(2,),
            compute=_least_sum,
            heading="Sum of two costs",
            x=Axis(caption="x, relative to the crossing", dimension="count", is_logarithmic=True),
            y=Axis(caption="cost", dimension="count"),
            read_mark="equal",
        ),
    ),
    claims=("C0", "C1", "C2", "C3", "C4", "C5", "C6", "C14", "C7", "C8", "C11", "C12", "C13"),
    exercises=("training-flop", "training-rl", "training-match", "training-share", "training-least-sum"),
    first_move=FirstMove(
        control="served_tokens",
        to=2e15,
        then="the cheapest size moves left: what serves more should be smaller",
        seen=(Moves(what="least", way=Way.LEFT),),
    ),
)
