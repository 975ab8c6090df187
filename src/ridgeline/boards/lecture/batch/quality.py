"""The board on sparsity: what experts are worth in dense parameters, and what they cost."""

from __future__ import annotations

import dataclasses
from functools import partial

from ridgeline.boards.board import Board, Control, Facts, Term, Values, View
from ridgeline.boards.companions import Held
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import BALANCE_RATIO
from ridgeline.boards.picture import Axis, Colour, Curves, Sheet
from ridgeline.boards.pictures import Curve, Span, at, curve, curves, logarithmic
from ridgeline.catalog.scaling_laws import RoutedLaw, granular_law, joint_law, routed_law, sparse_law
from ridgeline.equations import roofline, sparsity
from ridgeline.estimator import parameters
from ridgeline.lifecycle.laws import dense_worth
from ridgeline.numeric import Numeric, minimum
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["BOARD", "CLARK_ROUTED_FRACTION", "DENSE_PARAMS", "EXPERTS", "SPARSE", "WORTH_EQUATION", "total_params"]

DENSE_PARAMS, DENSE_MATCH = said(370e6, "0:29:30"), said(1.3e9, "0:29:30")
EXPERTS = said(64, "0:29:30")
"""Experts at 370 million active parameters, and the dense model that they equal, as read off the paper's figure."""

CLARK = routed_law("clark-2022")
CLARK_ROUTED_FRACTION = CLARK.routed_fraction
"""Routed fraction of the parameters: every other layer is routed, and blocks have two thirds of a layer's."""
CLARK_TOKENS = CLARK.tokens[0]
MOST_EXPERTS = CLARK.experts[1]
"""Most experts that Clark et al. trained."""
KRAJEWSKI_LAW = granular_law("krajewski-2024")
KRAJEWSKI_EXPERTS = KRAJEWSKI_LAW.experts[0]
"""Times the parameters of a dense block, in all of their runs."""
FINEST = KRAJEWSKI_LAW.granularity
"""The most pieces that Krajewski et al. cut an expert into."""
SMALL, LARGE = 1e7, 1e10
"""Model sizes near those of the fit."""
ROUTERS = {"S-BASE": CLARK, "Hash": routed_law("clark-2022-hash"), "RL-R": routed_law("clark-2022-rl-r")}
ABNAR = "Abnar"
SPARSE = "with experts (S-BASE)"
"""Line of the lecture's figure, by the router that does best in its paper."""
HELD = "memory and\nbalance batch"


def _worth_by(values: Values, law: RoutedLaw, experts: Numeric) -> Numeric:
    """Dense parameters that experts are worth by a law, in the board's layers; infinite where none is as good."""
    ours = dataclasses.replace(law, routed_fraction=values["routed_fraction"])
    return dense_worth(ours, params=values["active_params"], tokens=values["tokens"], experts=experts)


def total_params(values: Values, experts: Numeric) -> Numeric:
    """Total parameters held, of which a token uses the active ones."""
    return sparsity.routed_total_params(
        params=values["active_params"], routed_fraction=values["routed_fraction"], experts=experts
    )


def _span() -> Span:
    return logarithmic(1.0, MOST_EXPERTS)


def _levels(values: Values, most: float) -> tuple[Curve, ...]:
    """The dense model itself, the one that the lecture's figure is read at, and what no number of experts passes."""
    levels = {
        f"dense: {format_quantity(values['active_params'], 'count')}": (values["active_params"], Colour.ASIDE),
        "at most, S-BASE": (most, Colour.ASIDE),
        f"his dense: {format_quantity(float(DENSE_MATCH), 'count')}": (float(DENSE_MATCH), Colour.ASIDE),
    }
    return tuple(curve(name, level, colour, is_floor=True) for name, (level, colour) in levels.items())


def _worth(values: Values) -> Curves:
    most = float(_worth_by(values, CLARK, sparsity.MANY))
    top = 1.2 * max(most, *(float(_worth_by(values, law, MOST_EXPERTS)) for law in ROUTERS.values()))
    colours = {"RL-R": Colour.ALSO, "Hash": Colour.ALSO}
    count = format_quantity(values["experts"], "count")
    return curves(
        _span(),
        *_levels(values, most),
        # Where no dense model is as good, the line leaves the picture.
        curve(
            ABNAR, lambda experts: minimum(_worth_by(values, sparse_law("abnar-2025"), experts), 2 * top), Colour.ASIDE
        ),
        *(curve(name, partial(_worth_by, values, ROUTERS[name]), colour) for name, colour in colours.items()),
        curve(SPARSE, partial(_worth_by, values, CLARK), Colour.BOUND, is_bold=True),
        marks=[
            at(
                "S-BASE",
                values["experts"],
                on=SPARSE,
                text=lambda y: f"{count} experts: {format_quantity(y, 'count')}",
            )
        ],
        top=top,
        bottom=values["active_params"] / 2,
        companion=Held(
            line=SPARSE,
            held_experts=int(values["experts"]),
            expert_params=values["active_params"] * values["routed_fraction"],
            shared_params=values["active_params"] * (1 - values["routed_fraction"]),
            text="What a model holds, what a token reads of it, and the dense model that is as good",
        ),
    )


def _cost(values: Values) -> Curves:
    params, experts = values["active_params"], values["experts"]

    def held(experts: Numeric) -> Numeric:
        return total_params(values, experts) / params

    balance = roofline.balance_batch(balance_ratio=values["balance_ratio"], expansion=float(held(experts)))
    total = format_quantity(float(total_params(values, experts)), "count")
    return curves(
        _span(),
        curve("experts", lambda experts: experts, Colour.ASIDE, is_floor=True),
        curve("worth", lambda experts: _worth_by(values, CLARK, experts) / params, Colour.ALSO),
        curve(HELD, held, Colour.BOUND, is_bold=True),
        marks=[
            at(
                "memory",
                experts,
                on=HELD,
                text=lambda y: f"{format_number(y)} times: {total},\nbatch {float(balance):,.0f}",
            ),
            at("worth", experts, on="worth", text=lambda y: f"worth {format_number(y)} times", colour=Colour.ALSO),
        ],
        top=2 * MOST_EXPERTS,
        bottom=0.8,
    )


def _laws(values: Values) -> Sheet:
    params, experts = values["active_params"], values["experts"]
    count, held = format_quantity(experts, "count"), format_quantity(KRAJEWSKI_EXPERTS, "count")
    worth = {name: (count, float(_worth_by(values, law, experts))) for name, law in ROUTERS.items()}
    worth[ABNAR] = count, float(_worth_by(values, sparse_law("abnar-2025"), experts))
    worth["Ludziejewski"] = count, float(_worth_by(values, joint_law("ludziejewski-2025"), experts))
    whole = dataclasses.replace(KRAJEWSKI_LAW, granularity=1.0)
    worth["Krajewski"] = held, float(_worth_by(values, whole, KRAJEWSKI_EXPERTS))
    worth[f"cut into {FINEST:.0f}"] = held, float(_worth_by(values, KRAJEWSKI_LAW, KRAJEWSKI_EXPERTS))
    return Sheet(
        columns=("law", "experts", "worth"),
        rows=tuple((name, number, f"{format_number(found / params)} times") for name, (number, found) in worth.items()),
        text="each fitted on its own data",
        bold=(0,),
    )


def _model_experts(facts: Facts) -> float:
    """Experts for each one that a token visits: the laws are for one."""
    routed = controls.routed_block(facts.model)
    return round(routed.experts / routed.active_experts) if routed else 1.0


def _model_routed_fraction(facts: Facts) -> float:
    """Part of the active parameters that experts multiply, so that the total is the model's."""
    experts = _model_experts(facts)
    return (float(parameters.expansion(facts.model)) - 1) / (experts - 1) if experts > 1 else CLARK_ROUTED_FRACTION


WORTH_EQUATION = (
    Term(tex=r"\lg\,\bar N", colour=Colour.BOUND),
    Term(
        tex=r"\;=\;\dfrac{\theta_N\,\lg N_a+\theta_E\,\lg(\hat E/E_1)+\theta_{NE}\,\lg N_a\,\lg\hat E}"
        r"{\theta_N+\theta_{NE}\,\lg E_1}"
    ),
)
"""Dense model that is as good, by Clark et al."""
RATIO_EQUATION = (
    Term(tex=r"\mathrm{worth}"),
    Term(tex=r"\;=\;"),
    Term(tex=r"\dfrac{\bar N(E)}{N_a}", colour=Colour.BOUND),
)
"""Times the active parameters that an equally good dense model has."""

BOARD = Board(
    name="quality",
    time_stamp="0:28:30",
    title="What experts are worth",
    question="How large a dense model are experts worth, and what do they cost?",
    caption="Clark et al. route each token to one expert, in three ways; 'at most' is the limit for any number of"
    " experts. All laws were fitted on models of a few billion active parameters at most, so for larger models this"
    " board keeps the lecture's size.",
    formula=(
        *WORTH_EQUATION,
        Term(tex=r",\qquad N_t\;=\;N_a\,(1+f_E\,(E-1))"),
    ),
    controls=(
        # Models of the catalog lie far beyond what the laws were fitted on, so that no start is taken from them.
        Control(
            name="active_params",
            meaning="active parameters, near those of the fits",
            short="active params",
            dimension="count",
            low=SMALL,
            high=LARGE,
            lecture=DENSE_PARAMS,
            careful=float(DENSE_PARAMS),
        ),
        Control(
            name="experts",
            meaning="experts per active expert",
            short="experts",
            dimension="count",
            low=1,
            high=MOST_EXPERTS,
            lecture=EXPERTS,
            careful=_model_experts,
            is_whole=True,
        ),
        Control(
            name="routed_fraction",
            meaning="of the active parameters routed",
            called="share of parameters routed",
            short="share routed",
            dimension="fraction",
            low=0.01,
            high=1,
            lecture=filled_in(CLARK_ROUTED_FRACTION, why="as in the paper's models"),
            careful=_model_routed_fraction,
        ),
        controls.parameters_per_read(BALANCE_RATIO),
        Control(
            name="tokens",
            meaning="tokens trained on, for Krajewski's law",
            short="trained on",
            dimension="count",
            low=1e10,
            high=1e14,
            lecture=filled_in(CLARK_TOKENS, why="as in the paper he shows"),
            careful=CLARK_TOKENS,
        ),
    ),
    views=(
        View(
            heading="Worth",
            x=Axis(caption="experts", dimension="count", is_logarithmic=True),
            y=Axis(caption="parameters of an equally good dense model", dimension="count", is_logarithmic=True),
            compute=_worth,
        ),
        View(
            equations=(1,),
            heading="Cost",
            x=Axis(caption="experts", dimension="count", is_logarithmic=True),
            y=Axis(
                caption="parameters or batch, relative to the dense model's", dimension="count", is_logarithmic=True
            ),
            compute=_cost,
        ),
        View(heading="What each law says", compute=_laws),
    ),
    claims=("A23", "A24", "A32"),
    exercises=("sparsity-total", "sparsity-saturation", "sparsity-balance"),
    first_move=FirstMove(
        control="active_params",
        to=1e9,
        then="every curve rises, and the mark of the experts with them",
        seen=(Moves(what=SPARSE, way=Way.UP),),
    ),
)
