"""The board on sparsity: what experts are worth in dense parameters, and what they cost."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Board, Control, Facts, Term, Values, View
from ridgeline.boards.lecture import controls
from ridgeline.boards.old_numbers import BALANCE_RATIO
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark
from ridgeline.equations import roofline, scaling, sparsity
from ridgeline.estimator import parameters
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

POINTS = 201
MOST_EXPERTS = 512.0
"""The most that Clark et al. trained."""
KRAJEWSKI_EXPERTS = 64.0
"""Times the parameters of a dense block, in all of their runs."""
FINEST = 16.0
SMALL, LARGE = 1e7, 1e10
"""Sizes near what was fitted on."""
DENSE_PARAMS, DENSE_MATCH, LECTURE_EXPERTS = 370e6, 1.3e9, 64.0
ROUTED_FRACTION = 1 / 3
"""Every other layer is routed, and blocks have two thirds of a layer's parameters."""
CLARK_TOKENS = 130e9
ROUTERS = (("S-BASE", sparsity.S_BASE), ("Hash", sparsity.HASH), ("RL-R", sparsity.RL_R))


def _routers(params: float, experts: np.ndarray) -> dict[str, np.ndarray]:
    """Dense parameters that each of Clark's routers is worth."""
    found = {name: sparsity.equivalent_params(params=params, experts=experts, law=law) for name, law in ROUTERS}
    return {name: np.asarray(worth) for name, worth in found.items()}


def _total(at: Values, experts: np.ndarray) -> np.ndarray:
    found = sparsity.routed_total_params(
        params=at["active_params"], routed_fraction=at["routed_fraction"], experts=experts
    )
    return np.asarray(found)


def _experts(at: Values) -> np.ndarray:
    return np.union1d(np.geomspace(1.0, MOST_EXPERTS, POINTS), [at["experts"]])


def _worth(at: Values) -> Curves:
    params, x = at["active_params"], _experts(at)
    routers = _routers(params, x)
    most = float(sparsity.equivalent_params(params=params, experts=sparsity.MANY, law=sparsity.S_BASE))
    top = 3 * max(most, *(float(y[-1]) for y in routers.values()))
    total = _total(at, x)
    abnar = sparsity.sparse_equivalent_params(params=total, active_fraction=1 / x, law=sparsity.ABNAR)
    # Where no dense model is as good, the line leaves the picture.
    routers["Abnar"] = np.minimum(np.asarray(abnar), 2 * top)
    colours = {"S-BASE": Colour.BOUND, "Hash": Colour.KV, "RL-R": Colour.WEIGHTS, "Abnar": Colour.OTHER}
    place = int(np.searchsorted(x, at["experts"]))
    marks = [("S-BASE", f"{format_quantity(at['experts'], 'count')} experts:")]
    if routers["Abnar"][place] < top:
        marks.append(("Abnar", "Abnar:"))
    return Curves(
        x=x,
        lines=(
            Line(name="dense", y=np.full_like(x, params), colour=Colour.ASIDE, is_floor=True),
            Line(name="at most, S-BASE", y=np.full_like(x, most), colour=Colour.COMPUTE, is_floor=True),
            *(
                Line(name=name, y=routers[name], colour=colour, is_bold=colour is Colour.BOUND)
                for name, colour in reversed(colours.items())
            ),
        ),
        marks=tuple(
            Mark(
                name=name,
                x=at["experts"],
                y=float(routers[name][place]),
                line=name,
                text=f"{said}\n{format_quantity(float(routers[name][place]), 'count')},"
                f" {routers[name][place] / params:.2f} times",
                colour=colours[name],
            )
            for name, said in marks
        ),
        top=top,
        bottom=params / 5,
    )


def _cost(at: Values) -> Curves:
    params, x = at["active_params"], _experts(at)
    worth = _routers(params, x)["S-BASE"] / params
    held = _total(at, x) / params
    place = int(np.searchsorted(x, at["experts"]))
    batch = roofline.balance_batch(balance_ratio=at["balance_ratio"], expansion=float(held[place]))
    total = format_quantity(params * float(held[place]), "count")
    return Curves(
        x=x,
        lines=(
            Line(name="experts", y=x, colour=Colour.ASIDE, is_floor=True),
            Line(name="worth", y=worth, colour=Colour.OTHER),
            Line(name="memory, and\nbalance batch", y=held, colour=Colour.BOUND, is_bold=True),
        ),
        marks=tuple(
            Mark(name=name, x=at["experts"], y=float(y[place]), line=line, text=text, colour=colour)
            for name, y, line, text, colour in (
                (
                    "memory",
                    held,
                    "memory, and\nbalance batch",
                    f"{held[place]:.3g} times: {total},\nbalance at {float(batch):,.0f}",
                    Colour.BOUND,
                ),
                ("worth", worth, "worth", f"{worth[place]:.3g} times", Colour.OTHER),
                ("experts", x, "experts", f"{format_quantity(at['experts'], 'count')} experts", Colour.ASIDE),
            )
        ),
        top=2 * MOST_EXPERTS,
        bottom=0.8,
    )


def _grain(at: Values) -> Curves:
    x = np.geomspace(1.0, FINEST, POINTS)
    loss = sparsity.granular_loss(
        params=float(_total(at, np.array([KRAJEWSKI_EXPERTS]))[0]),
        tokens=at["tokens"],
        granularity=x,
        law=sparsity.KRAJEWSKI,
    )
    dense = scaling.params_for_loss(loss=loss, tokens=at["tokens"], law=sparsity.KRAJEWSKI_DENSE)
    worth = np.asarray(dense) / at["active_params"]
    coarse = float(_routers(at["active_params"], np.array([KRAJEWSKI_EXPERTS]))["S-BASE"][0]) / at["active_params"]
    return Curves(
        x=x,
        lines=(
            Line(name="S-BASE", y=np.full_like(x, coarse), colour=Colour.ASIDE, is_floor=True),
            Line(name="Krajewski", y=worth, colour=Colour.BOUND, is_bold=True),
        ),
        marks=tuple(
            Mark(
                name=name,
                x=float(x[place]),
                y=float(worth[place]),
                line="Krajewski",
                text=f"{worth[place]:.3g} times",
                colour=Colour.BOUND,
            )
            for name, place in (("whole", 0), ("cut into 16", -1))
        ),
        top=1.3 * float(worth.max()),
    )


def _model_experts(facts: Facts) -> float:
    """Experts for each one that a token visits: the laws are for one."""
    routed = controls.routed_block(facts.model)
    return routed.experts / routed.active_experts if routed else 1.0


def _model_routed_fraction(facts: Facts) -> float:
    """Part of the active parameters that experts multiply, so that the total is the model's."""
    experts = _model_experts(facts)
    return (float(parameters.expansion(facts.model)) - 1) / (experts - 1) if experts > 1 else ROUTED_FRACTION


BOARDS: tuple[Board, ...] = (
    Board(
        name="quality",
        title="What experts are worth",
        question="How large a dense model are experts as good as, and what do they cost?",
        caption="Laws of Clark et al. (three routers, one expert a token), Abnar et al. and Krajewski et al.; fitted on"
        " a few billion parameters and at most 512 experts, and each on its own data. At most: with any number.",
        formula=(
            Term(tex=r"\lg\,\bar N", colour=Colour.BOUND),
            Term(
                tex=r"\;=\;\dfrac{a\,\lg N+b\,\lg(\hat E/E_s)+c\,\lg N\,\lg\hat E}{a+c\,\lg E_s},\qquad "
                r"N_t\;=\;N\,(1+f\,(E-1))"
            ),
        ),
        controls=(
            # Models of the catalog lie far beyond what the laws were fitted on, so that no start is taken from them.
            Control(
                name="active_params",
                meaning="active parameters, as in the lecture",
                dimension="count",
                low=SMALL,
                high=LARGE,
                lecture=DENSE_PARAMS,
                careful=DENSE_MATCH,
            ),
            Control(
                name="experts",
                meaning="experts for each that a token visits",
                dimension="count",
                low=1,
                high=MOST_EXPERTS,
                lecture=LECTURE_EXPERTS,
                careful=_model_experts,
                is_whole=True,
            ),
            Control(
                name="routed_fraction",
                meaning="of the active parameters routed",
                dimension="fraction",
                low=0.01,
                high=1,
                lecture=ROUTED_FRACTION,
                careful=_model_routed_fraction,
            ),
            controls.parameters_per_read(BALANCE_RATIO),
            Control(
                name="tokens",
                meaning="tokens trained on, for Krajewski's",
                dimension="count",
                low=1e10,
                high=1e14,
                lecture=CLARK_TOKENS,
                careful=CLARK_TOKENS,
            ),
        ),
        views=(
            View(
                heading="Worth",
                x=Axis(caption="experts", dimension="count", is_logarithmic=True),
                y=Axis(caption="dense parameters as good", dimension="count", is_logarithmic=True),
                compute=_worth,
            ),
            View(
                heading="Cost",
                x=Axis(caption="experts", dimension="count", is_logarithmic=True),
                y=Axis(caption="times the dense model's", dimension="count", is_logarithmic=True),
                compute=_cost,
            ),
            View(
                heading="64 experts, cut",
                x=Axis(caption="pieces of each", dimension="count", is_logarithmic=True),
                y=Axis(caption="times the parameters", dimension="count"),
                compute=_grain,
            ),
        ),
        claims=("A23", "A24"),
        exercises=(
            "sparsity-total",
            "sparsity-saturation",
            "sparsity-balance",
        ),
    ),
)
