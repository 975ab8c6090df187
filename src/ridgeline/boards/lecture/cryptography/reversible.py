"""Activations that need not be kept: a reversible stack beside a plain one and one with checkpoints."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.companions import Undone
from ridgeline.boards.constant import filled_in, said
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import residual_stream
from ridgeline.boards.lecture.cryptography.stacks import stacks
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import Form, Span, at, curve, curves, linear
from ridgeline.equations import activations, training
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.laboratory import networks
from ridgeline.numeric import sqrt
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "COLOURS", "MORE_WORK", "PEAK_EQUATION", "PLAIN", "PRICE_EQUATION", "REVERSIBLE"]

SCORES_NOT_STORED = 0
"""Heads whose scores are kept: fused attention computes them again."""

KEPT_FRACTION = activations.INPUT_BYTES / activations.ACTIVATION_BYTES
"""Fraction of a layer's activations that checkpoints keep: the layer's input alone."""

FEWEST_LAYERS, MOST_LAYERS = 4, 256
FEW = 16
"""Number of layers whose steps are shown one by one."""
POINTS = 129

LEAST_FLOP, MOST_FLOP = (
    float(training.rl_flop_per_param(trained_fraction=1, repeated_forward_fraction=part)) for part in (0.0, 1.0)
)
"""FLOP of training per parameter and token, without and with a second forward pass."""
MORE_WORK = MOST_FLOP / LEAST_FLOP - 1
"""Work that a second forward pass adds, as a part of what training takes without."""

HIDDEN, BATCH_TOKENS = 12288, 2048
"""GPT-3's width, and one of its sequences."""

PLAIN, ROOT, REVERSIBLE = "store all", "√l checkpoints", "reversible"
COLOURS = {PLAIN: Colour.ASIDE, ROOT: Colour.ALSO, REVERSIBLE: Colour.BOUND}


def _layer_bytes(values: Values) -> float:
    """Activations that the gradients of a plain layer need."""
    found = activations.activation_bytes(
        sequence_tokens=values["micro_batch_tokens"],
        sequences=1,
        hidden=values["hidden"],
        heads=SCORES_NOT_STORED,
        layers=1.0,
    )
    return float(found)


def _times(layer_bytes: float, form: Callable[[Any], Any]) -> Form:
    return lambda x: layer_bytes * np.asarray(form(x))


PEAKS: dict[str, Callable[[Any], Any]] = {
    PLAIN: lambda layers: layers,
    ROOT: lambda layers: activations.checkpointed_peak_layers(
        layers=layers, interval=sqrt(layers), kept_fraction=KEPT_FRACTION
    ),
    REVERSIBLE: lambda layers: activations.partly_reversible_peak_layers(layers=layers, reversible_fraction=1.0),
}
"""Peak memory of each scheme, in layers' activations, as a function of the number of layers."""


def _in_bytes(peak_bytes: float) -> str:
    return format_quantity(peak_bytes, "bytes")


def _bytes_of(name: str, peak_bytes: float) -> str:
    return f"{name}: {_in_bytes(peak_bytes)}"


def _depth(values: Values) -> Curves:
    here, layer_bytes = values["layers"], _layer_bytes(values)
    return curves(
        linear(1.0, 2 * here),
        *(
            curve(name, _times(layer_bytes, peak), COLOURS[name], is_bold=name == REVERSIBLE)
            for name, peak in PEAKS.items()
        ),
        marks=[
            at(f"{name} at this depth", here, on=name, text=partial(_bytes_of, name), colour=COLOURS[name])
            for name in (PLAIN, REVERSIBLE)
        ],
        top=2.1 * layer_bytes * here,
    )


def _interval(layers: int) -> int:
    """Layers from one checkpoint to the next: the whole number nearest to the root of all."""
    return round(math.sqrt(layers))


def _alive(layers: int) -> dict[str, tuple[float, ...]]:
    """Layers' activations in memory during each step there and back."""
    return {
        PLAIN: networks.activations_alive_plain(layers=layers),
        ROOT: networks.activations_alive_checkpointed(
            layers=layers, interval=_interval(layers), kept_fraction=KEPT_FRACTION
        ),
        REVERSIBLE: networks.activations_alive_reversible(layers=layers),
    }


def _by_step(alive: tuple[float, ...]) -> Callable[[Any], Any]:
    return lambda x: [alive[int(step) - 1] for step in np.ravel(x)]


def _steps(values: Values) -> Curves:
    layers, layer_bytes = int(values["layers"]), _layer_bytes(values)
    kept = ((PLAIN, "all layers kept", "all layers"), (REVERSIBLE, "one layer kept", "one layer"))
    span = Span(x=np.arange(1.0, 2 * layers + 1), is_whole=layers <= FEW)
    return curves(
        span,
        *(
            curve(name, _times(layer_bytes, _by_step(alive)), COLOURS[name], is_bold=name == REVERSIBLE)
            for name, alive in _alive(layers).items()
        ),
        marks=[
            at(mark, layers, on=name, text=partial(_bytes_of, text), colour=COLOURS[name]) for name, mark, text in kept
        ],
        top=1.25 * layer_bytes * layers,
        companion=stacks(layers, plain=PLAIN, checkpointed=ROOT, interval=_interval(layers), reversible=REVERSIBLE),
    )


def _price(values: Values) -> Curves:
    layers, layer_bytes = values["layers"], _layer_bytes(values)

    def kept(reversible: Any) -> Any:  # noqa: ANN401  a number or many
        return activations.partly_reversible_peak_layers(layers=layers, reversible_fraction=reversible / layers)

    name, more = "peak", format_quantity(MORE_WORK, "fraction", 2)
    return curves(
        Span(x=np.linspace(0.0, layers, POINTS)),
        curve(name, _times(layer_bytes, kept), COLOURS[REVERSIBLE], is_bold=True),
        marks=[
            at(
                "all reversible",
                layers,
                on=name,
                text=f"all reversible: +{more}",
                colour=COLOURS[REVERSIBLE],
            ),
            at("none reversible", 0.0, on=name, text="all stored", colour=COLOURS[PLAIN], is_fixed=True),
            at("first", 1.0, on=name, text="1 layer: no saving", colour=COLOURS[ROOT]),
            at("half reversible", layers / 2, on=name, text=_in_bytes, is_quiet=True),
        ],
        top=1.25 * layer_bytes * layers,
        companion=Undone(
            layers=int(layers),
            forward_flop=FLOP_PER_PARAM,
            none_flop=LEAST_FLOP,
            all_flop=MOST_FLOP,
            text="A stack of layers of which some are reversible: its memory falls as its arithmetic grows",
        ),
    )


def _peaks(plain: str = "", reversible: str = "") -> tuple[Term, ...]:
    """The peak of a stack that stores all, and of one that is reversible, each with what stands behind it."""
    each = rf"{activations.ACTIVATION_BYTES}\,B_m\,d\;\times\;"
    return (
        Term(tex=rf"\mathrm{{peak}}_{{\mathrm{{stored}}}}\;=\;{each}"),
        Term(tex=r"l", colour=COLOURS[PLAIN]),
        Term(tex=rf"{plain},\qquad\mathrm{{peak}}_{{\mathrm{{reversible}}}}\;=\;{each}"),
        Term(tex=r"1", colour=COLOURS[REVERSIBLE]),
        *([Term(tex=reversible)] if reversible else []),
    )


def _for_flop(count: float) -> str:
    return rf"\;\;(\mathrm{{{count:g}\,FLOP}})"


PEAK_EQUATION = _peaks()
"""Peak of activations, plain and reversible."""
PRICE_EQUATION = _peaks(_for_flop(LEAST_FLOP), _for_flop(MOST_FLOP))
"""Peak of activations for the FLOP of training per parameter and token, without and with a second forward pass."""

BOARD = Board(
    name="reversible",
    time_stamp="2:11:10",
    title="Activations that need not be kept",
    question="How much memory does training need if each layer's input can be computed from its output?",
    caption="Layers are dense, with 16-bit values, and four times as wide inside; attention scores are not stored."
    " Checkpoints keep the input"
    " of every √l-th layer and recompute one interval at a time, for the same second forward pass.",
    formula=(
        Term(tex=rf"\mathrm{{peak}}\;=\;{activations.ACTIVATION_BYTES}\,B_m\,d\;\times\;"),
        Term(tex=r"l", colour=Colour.ALSO),
        Term(tex=r"\;\;\mathrm{or}\;\;"),
        Term(
            tex=rf"(1+\dfrac{{{activations.INPUT_BYTES}}}{{{activations.ACTIVATION_BYTES}}})\,\sqrt{{l}}",
            colour=Colour.ALSO,
        ),
        Term(tex=r"\;\;\mathrm{or}\;\;"),
        Term(tex=r"1", colour=Colour.BOUND),
        Term(tex=r",\qquad 6\,N_a\,D\;\to\;8\,N_a\,D"),
    ),
    controls=(
        Control(
            name="layers",
            meaning="layers",
            dimension="count",
            low=FEWEST_LAYERS,
            high=MOST_LAYERS,
            lecture=said(4, "2:12:00", hedge="let's say"),
            careful=lambda facts: facts.model.layers,
            is_whole=True,
        ),
        residual_stream.hidden(filled_in(HIDDEN, why="GPT-3's")),
        Control(
            name="micro_batch_tokens",
            meaning="tokens per micro-batch",
            short="micro-batch",
            dimension="count",
            low=128,
            high=1e7,
            lecture=filled_in(BATCH_TOKENS, why="one of GPT-3's sequences"),
            careful=BATCH_TOKENS,
        ),
    ),
    views=(
        View(
            heading="By depth",
            x=Axis(caption="layers", dimension="count"),
            y=Axis(caption="peak of activations", dimension="bytes"),
            compute=_depth,
        ),
        View(
            heading="Through a step",
            x=Axis(caption="layers passed, there and back", dimension="count", is_whole=True),
            y=Axis(caption="activations in memory", dimension="bytes"),
            compute=_steps,
        ),
        View(
            equations=(1,),
            heading="Its price",
            x=Axis(caption="layers made reversible", dimension="count", is_whole=True),
            y=Axis(caption="peak of activations", dimension="bytes"),
            compute=_price,
        ),
    ),
    claims=("E3", "E12", "E4", "E9"),
    exercises=("ciphers-reversible", "ciphers-checkpoints", "ciphers-activations", "ciphers-again"),
    model="gpt3-175b",
    why_model="this formula takes attention of plain heads",
    first_move=FirstMove(
        control="layers",
        to=200.0,
        then="storing all rises, and a reversible network stays",
        seen=(
            Moves(what="store all at this depth", way=Way.UP),
            Moves(what="reversible at this depth", way=Way.STAYS),
        ),
    ),
)
