"""Boards on training: how far past Chinchilla's tokens a model goes, and how a budget is split with serving."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.claims_training import (
    LAW,
    LIFETIME_MONTHS,
    MODEL_TRAFFIC_FRACTION,
    RELATIVE_EFFICIENCY,
    RL_BUDGET_FRACTION,
    RL_FLOP_PER_PARAM,
    SERVED_TOKENS,
    handled_tokens,
    rl_tokens_for,
)
from ridgeline.boards.lecture import controls
from ridgeline.boards.old_numbers import ACTIVE_PARAMS, MONTH_S
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark
from ridgeline.equations import scaling, training
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.scaling import ScalingLaw
from ridgeline.numeric import INFINITY
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

POINTS = 201
SMALLEST, LARGEST = 1e8, 1e13


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A law of loss, as others fitted it.

    Attributes:
        name: on a picture with room.
        short: on one of several.
        law: its coefficients.
        colour: of its lines.
    """

    name: str
    short: str
    law: ScalingLaw
    colour: Colour


FITS = (
    Fit(name="fit of Hoffmann", short="Hoffmann", law=scaling.HOFFMANN, colour=Colour.KV),
    Fit(name="its digits unrounded", short="unrounded", law=scaling.HOFFMANN_UNROUNDED, colour=Colour.WEIGHTS),
    Fit(name="fit of Besiroglu", short="Besiroglu", law=scaling.BESIROGLU, colour=Colour.COMPUTE),
)


def _over_training(at: Values) -> Curves:
    here = at["active_params"]
    params = np.union1d(np.geomspace(SMALLEST, LARGEST, POINTS), [here])
    optima = {"20 a parameter": np.asarray(scaling.chinchilla_tokens(active_params=params))}
    optima |= {fit.name: np.asarray(scaling.optimal_tokens(params=params, law=fit.law)) for fit in FITS}
    colours = {"20 a parameter": Colour.BOUND} | {fit.name: fit.colour for fit in FITS}
    over = {
        name: np.asarray(scaling.over_training(tokens=at["tokens"], compute_optimal_tokens=best))
        for name, best in optima.items()
    }
    place = int(np.searchsorted(params, here))
    return Curves(
        x=params,
        lines=(
            *(
                Line(name=name, y=y, colour=colours[name], is_bold=colours[name] is Colour.BOUND)
                for name, y in over.items()
            ),
            Line(name="best for training", y=np.ones_like(params), colour=Colour.ASIDE, is_floor=True),
        ),
        marks=tuple(
            Mark(
                name=f"by {name}",
                x=here,
                y=float(y[place]),
                line=name,
                text=f"{y[place]:,.3g} times",
                colour=colours[name],
            )
            for name, y in over.items()
        ),
        top=2 * max(float(y.max()) for y in over.values()),
        bottom=0.5 * min(1.0, *(float(y.min()) for y in over.values())),
    )


EQUAL_POWERS = 1.0
WIDE = 6.0
"""Times the smallest size drawn that a picture of a budget is wide."""
BEYOND = 1e6
"""Times the least: as good as infinite."""
MARGIN = 0.2
"""Part of the way, in ratios, from the smallest size that reaches a loss to the board's model, where it begins."""


def _weighted_tokens(at: Values) -> float:
    """What all but pre-training costs, in served tokens at training's efficiency."""
    kinds = ((at["rl_tokens"], at["rl_flop_per_param"]), (at["served_tokens"], FLOP_PER_PARAM))
    matching = sum(
        float(
            training.matching_pretraining_tokens(
                tokens=tokens,
                flop_per_param=flop,
                relative_efficiency_fraction=at["relative_efficiency_fraction"],
            )
        )
        for tokens, flop in kinds
    )
    return matching * training.TRAINING_FLOP_PER_PARAM / FLOP_PER_PARAM


def _flop(flop_per_param: float, params: np.ndarray, tokens: np.ndarray | float) -> np.ndarray:
    found = training.token_flop(flop_per_param=flop_per_param, active_params=params, tokens=tokens)
    return np.asarray(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Budgets of models with one loss, that of the board's model by one law.

    Attributes:
        best_params: of the cheapest.
        best_tokens: that it is trained on.
        fewest_params: below which no tokens reach the loss.
        loss: of all.
    """

    best_params: float
    best_tokens: float
    fewest_params: float
    loss: float


def _split(at: Values, law: ScalingLaw) -> Split:
    loss = float(scaling.model_loss(params=at["active_params"], tokens=at["tokens"], law=law))
    weighted = _weighted_tokens(at)
    tokens = float(scaling.optimal_tokens_when_served(loss=loss, weighted_served_tokens=weighted, law=law))
    return Split(
        best_params=float(scaling.optimal_params_when_served(tokens=tokens, weighted_served_tokens=weighted, law=law)),
        best_tokens=tokens,
        fewest_params=float(scaling.params_for_loss(tokens=INFINITY, loss=loss, law=law)),
        loss=loss,
    )


def _sizes(at: Values, splits: list[Split]) -> np.ndarray:
    """Of models that reach the loss by every law, with those that are marked."""
    here, fewest = at["active_params"], max(split.fewest_params for split in splits)
    low = fewest * (here / fewest) ** MARGIN
    marked = [here, *(split.best_params for split in splits)]
    low = min(low, *marked)
    return np.union1d(np.geomspace(low, max(WIDE * low, 1.5 * max(marked)), POINTS), marked)


def _pretraining(params: np.ndarray, split: Split, law: ScalingLaw) -> np.ndarray:
    tokens = scaling.tokens_for_loss(params=params, loss=split.loss, law=law)
    return _flop(training.TRAINING_FLOP_PER_PARAM, params, np.asarray(tokens))


def _budget(at: Values) -> Curves:
    split = _split(at, LAW)
    x = _sizes(at, [split])
    efficiency = at["relative_efficiency_fraction"]
    pretraining = _pretraining(x, split, LAW)
    learning = _flop(at["rl_flop_per_param"] / efficiency, x, at["rl_tokens"])
    serving = _flop(FLOP_PER_PARAM / efficiency, x, at["served_tokens"])
    total = pretraining + learning + serving

    board = float(total[np.searchsorted(x, at["active_params"])])

    def mark(name: str, where: float, colour: Colour) -> Mark:
        place = int(np.searchsorted(x, where))
        share = format_quantity(float(pretraining[place] / total[place]), "fraction", 2)
        return Mark(
            name=name, x=where, y=float(total[place]) / board, line="all", text=f"{name}: {share}", colour=colour
        )

    return Curves(
        x=x,
        lines=(
            Line(name="pre-training", y=pretraining / board, colour=Colour.COMPUTE),
            Line(name="serving", y=serving / board, colour=Colour.KV),
            # Dashed, to be seen where it is as much as serving.
            Line(name="RL", y=learning / board, colour=Colour.OTHER, is_floor=True),
            Line(name="all", y=total / board, colour=Colour.BOUND, is_bold=True),
        ),
        marks=(mark("board", at["active_params"], Colour.ASIDE), mark("least", split.best_params, Colour.BOUND)),
        top=2.5,
    )


def _by_law(at: Values) -> Curves:
    splits = [_split(at, fit.law) for fit in FITS]
    x = _sizes(at, splits)
    rest = _flop(FLOP_PER_PARAM, x, _weighted_tokens(at))
    lines, marks = [], []
    for fit, split in zip(FITS, splits, strict=True):
        total = _pretraining(x, split, fit.law) + rest
        place = int(np.searchsorted(x, split.best_params))
        # Where no tokens reach the loss, and near there, the line leaves the picture.
        y = np.minimum(total / total[place], BEYOND)
        lines.append(Line(name=fit.short, y=y, colour=fit.colour, is_bold=fit.law is LAW))
        text = f"{format_quantity(split.best_params, 'count')}, {format_quantity(split.best_tokens, 'count')}"
        marks.append(Mark(name=fit.name, x=split.best_params, y=1.0, line=fit.short, text=text, colour=fit.colour))
    here = int(np.searchsorted(x, at["active_params"]))
    board = next(line for line in lines if line.is_bold)
    marks.append(
        Mark(
            name="board",
            x=at["active_params"],
            y=float(board.y[here]),
            line=board.name,
            text=f"board: {board.y[here]:.2f}",
            colour=Colour.ASIDE,
        )
    )
    return Curves(x=x, lines=tuple(lines), marks=tuple(marks), top=max(2.0, 1.2 * float(board.y[here])))


def _least_sum(at: Values) -> Curves:
    rising, falling = at["rising_power"], at["falling_power"]
    ratio = float(training.balanced_cost_ratio(rising_power=rising, falling_power=falling))
    least = ratio ** (1 / (rising + falling))
    x = np.union1d(np.geomspace(min(0.1, least / 3), max(10.0, 3 * least), POINTS), [1.0, least])
    up, down = x**rising, x**-falling
    place = int(np.searchsorted(x, least))
    return Curves(
        x=x,
        lines=(
            Line(name="falls", y=down, colour=Colour.COMPUTE),
            Line(name="rises", y=up, colour=Colour.KV),
            Line(name="sum", y=up + down, colour=Colour.BOUND, is_bold=True),
        ),
        marks=(
            Mark(name="equal", x=1.0, y=1.0, line="rises", text="equal", colour=Colour.ASIDE),
            Mark(
                name="least",
                x=least,
                y=float(up[place] + down[place]),
                line="sum",
                text=f"least:\nratio {ratio:.3g}",
                colour=Colour.BOUND,
            ),
        ),
        top=3 * float(up[place] + down[place]),
    )


TOKENS_HANDLED = handled_tokens(LIFETIME_MONTHS, MONTH_S, MODEL_TRAFFIC_FRACTION)
ALL_TRAINED_ON = float(training.rl_flop_per_param(trained_fraction=1))
"""FLOP a parameter, where no sample is thrown away."""

TOKENS = Control(
    name="tokens",
    meaning="tokens trained on",
    dimension="count",
    low=1e12,
    high=1e16,
    lecture=SERVED_TOKENS,
    careful=TOKENS_HANDLED,
)
PARAMS = Control(
    name="active_params",
    meaning="active parameters",
    dimension="count",
    low=SMALLEST,
    high=LARGEST,
    lecture=ACTIVE_PARAMS,
    careful=lambda facts: controls.terms(facts).active_params,
)

BOARDS: tuple[Board, ...] = (
    Board(
        name="over-training",
        title="Over-training",
        question="On how many times the tokens that are best for training alone is a model trained?",
        caption="Tokens over those that give the least loss for 6ND. The fits rest on at most 16 billion parameters;"
        " all beyond extrapolates.",
        formula=(
            Term(tex=r"\dfrac{D}{20\,N_a}", colour=Colour.BOUND),
            Term(tex=r"\qquad\mathrm{or}\qquad\dfrac{D}{D_{opt}(N)}"),
        ),
        controls=(
            TOKENS,
            PARAMS,
        ),
        views=(
            View(
                x=Axis(caption="active parameters", dimension="count", is_logarithmic=True),
                y=Axis(
                    caption="tokens trained on, over those best for training alone",
                    dimension="count",
                    is_logarithmic=True,
                ),
                compute=_over_training,
            ),
        ),
        claims=("C7", "C8", "C9", "C10", "C11", "C12", "C13"),
        exercises=(
            "training-served",
            "training-rule-of-thumb",
            "training-over",
        ),
    ),
    Board(
        name="budget",
        title="Pre-training, reinforcement learning and serving",
        question="How large is the model that costs least in all, of those that are as good as the board's?",
        caption="As good: of the same loss by a law; fewer parameters then want more tokens. In percent: pre-training's"
        " share. Beside the least by each law: its parameters and tokens. All of it extrapolates.",
        formula=(
            Term(tex=r"C", colour=Colour.BOUND),
            Term(tex=r"\;=\;"),
            Term(tex=r"6\,N_a D", colour=Colour.COMPUTE),
            Term(tex=r"\;+\;"),
            Term(tex=r"\dfrac{k\,N_a D_{RL}}{\eta}", colour=Colour.OTHER),
            Term(tex=r"\;+\;"),
            Term(tex=r"\dfrac{2\,N_a D_s}{\eta}", colour=Colour.KV),
            Term(tex=r",\qquad L(N_a,D)\;=\;L_0,\qquad"),
            Term(tex=r"x^a", colour=Colour.KV),
            Term(tex=r"\;+\;"),
            Term(tex=r"x^{-b}", colour=Colour.COMPUTE),
        ),
        controls=(
            TOKENS,
            PARAMS,
            Control(
                name="served_tokens",
                meaning="tokens served",
                dimension="count",
                low=1e11,
                high=1e17,
                lecture=SERVED_TOKENS,
                careful=TOKENS_HANDLED,
            ),
            Control(
                name="rl_tokens",
                meaning="written in reinforcement learning (RL)",
                dimension="count",
                low=0,
                high=1e16,
                # The lecture's make the three budgets equal (C5).
                lecture=rl_tokens_for(
                    budget_fraction=1,
                    tokens=SERVED_TOKENS,
                    flop_per_param=RL_FLOP_PER_PARAM,
                    relative_efficiency_fraction=RELATIVE_EFFICIENCY,
                ),
                careful=rl_tokens_for(
                    budget_fraction=RL_BUDGET_FRACTION,
                    tokens=TOKENS_HANDLED,
                    flop_per_param=ALL_TRAINED_ON,
                    relative_efficiency_fraction=RELATIVE_EFFICIENCY,
                ),
            ),
            Control(
                name="rl_flop_per_param",
                meaning="FLOP a parameter of each",
                dimension="count",
                low=FLOP_PER_PARAM,
                high=training.TRAINING_FLOP_PER_PARAM + FLOP_PER_PARAM,
                lecture=RL_FLOP_PER_PARAM,
                careful=ALL_TRAINED_ON,
            ),
            Control(
                name="relative_efficiency_fraction",
                meaning="of training's efficiency in writing",
                dimension="fraction",
                low=0.01,
                high=1,
                lecture=RELATIVE_EFFICIENCY,
                careful=RELATIVE_EFFICIENCY,
            ),
            Control(
                name="rising_power",
                meaning="power a of the rising cost",
                dimension="count",
                low=0.1,
                high=3,
                lecture=EQUAL_POWERS,
                careful=LAW.tokens_power,
            ),
            Control(
                name="falling_power",
                meaning="power b of the falling one",
                dimension="count",
                low=0.1,
                high=3,
                lecture=EQUAL_POWERS,
                careful=LAW.params_power,
            ),
        ),
        views=(
            View(
                heading="One loss, Besiroglu",
                x=Axis(caption="active parameters", dimension="count", is_logarithmic=True),
                y=Axis(caption="FLOP over the board's", dimension="count"),
                compute=_budget,
            ),
            View(
                heading="By law",
                x=Axis(caption="active parameters", dimension="count", is_logarithmic=True),
                y=Axis(caption="FLOP over the least", dimension="count"),
                compute=_by_law,
            ),
            View(
                heading="Any two costs",
                x=Axis(caption="x, over where they are equal", dimension="count", is_logarithmic=True),
                y=Axis(caption="cost", dimension="count"),
                compute=_least_sum,
            ),
        ),
        claims=("C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C11", "C12", "C13"),
        exercises=(
            "training-flop",
            "training-rl",
            "training-match",
            "training-share",
            "training-least-sum",
        ),
    ),
)
