"""The board on training: how far past Chinchilla's tokens a model goes."""

from __future__ import annotations

import numpy as np

from ridgeline.boards import controls
from ridgeline.boards.board import Axis, Board, Colour, Control, Curves, Line, Mark, Term, Values, View
from ridgeline.equations import training

__all__ = ["BOARDS"]

POINTS = 201
SMALLEST, LARGEST = 1e9, 1e13
FITS = (
    ("fit of Hoffmann", training.HOFFMANN, Colour.KV),
    ("its digits unrounded", training.HOFFMANN_UNROUNDED, Colour.WEIGHTS),
    ("fit of Besiroglu", training.BESIROGLU, Colour.COMPUTE),
)
TWO_MONTHS_S = 60 * 86400


def _over_training(at: Values) -> Curves:
    here = at["active_params"]
    params = np.union1d(np.geomspace(SMALLEST, LARGEST, POINTS), [here])
    optima = {"20 a parameter": np.asarray(training.chinchilla_tokens(active_params=params))}
    optima |= {name: np.asarray(training.optimal_tokens(params=params, **law)) for name, law, _ in FITS}
    colours = {"20 a parameter": Colour.BOUND} | {name: colour for name, _, colour in FITS}
    over = {
        name: np.asarray(training.over_training(tokens=at["tokens"], compute_optimal_tokens=best))
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
            Control(
                name="tokens",
                meaning="tokens trained on",
                dimension="count",
                low=1e12,
                high=1e16,
                lecture=200e12,
                careful=float(training.served_tokens(tokens_per_s=5e8, lifetime_s=TWO_MONTHS_S, traffic_fraction=0.1)),
            ),
            Control(
                name="active_params",
                meaning="active parameters",
                dimension="count",
                low=SMALLEST,
                high=LARGEST,
                lecture=100e9,
                careful=lambda facts: controls.terms(facts).active_params,
            ),
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
)
