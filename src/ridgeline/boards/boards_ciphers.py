"""Boards on ciphers and networks: how a changed bit spreads, and what a network keeps that it could compute again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.claims_ciphers import NET_BITS, RESIDUAL_STEP, net_weights, residual_layer
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark, Table
from ridgeline.equations import activations, training
from ridgeline.laboratory import ciphers, networks
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

MOST_SAMPLES = 32
HALF_BITS = 64
"""Of the Feistel network's block, which is as wide as AES's."""

CONVERGED = 0.02
"""From a half, where a block counts as mixed: the mean over a few thousand bits strays by less."""

S_BOX = ciphers.aes_s_box()

NET = "residual\nnetwork"

POINTS = 129
SCORES_NOT_STORED = 0
"""Heads whose scores are kept: fused attention computes them again."""

KEPT_FRACTION = activations.INPUT_BYTES / activations.ACTIVATION_BYTES
"""A layer's input alone, of all that its gradients need."""

MOST_LAYERS = 256
PLAIN, ROOT, REVERSIBLE = "plain", "every √L", "reversible"


Round = Callable[[int], int]


@cache
def _avalanches(inputs: int, exponent: int) -> dict[str, NDArray[np.float64]]:
    """By cipher: part of bits that differ before any round, and after each; keys and inputs are drawn, always alike."""
    draw = Random(0)  # noqa: S311  nothing is kept secret here
    modulus = 1 << HALF_BITS

    def aes(round_key: int) -> Round:
        return lambda block: ciphers.aes_round(block=block, round_key=round_key, s_box=S_BOX)

    def present(round_key: int) -> Round:
        return lambda block: ciphers.present_round(block=block, round_key=round_key)

    def power(key: int) -> Callable[[Numeric], Numeric]:
        return lambda half: ciphers.middle_of_power(
            value=(int(half) + key) % modulus, exponent=exponent, bits=HALF_BITS
        )

    def feistel(key: int) -> Round:
        def one_round(block: int) -> int:
            left, right = ciphers.feistel(
                left=block >> HALF_BITS, right=block % modulus, round_functions=[power(key)], modulus=modulus
            )
            return int(left) << HALF_BITS | int(right)

        return one_round

    _, *aes_keys = ciphers.aes_round_keys(key=draw.getrandbits(ciphers.AES_BITS))
    present_keys = ciphers.present_round_keys(key=draw.getrandbits(ciphers.PRESENT_KEY_BITS))[: ciphers.AES_ROUNDS]
    feistel_keys = [draw.getrandbits(HALF_BITS) for _ in range(ciphers.AES_ROUNDS)]
    found = {}
    for name, rounds, bits in (
        ("AES", [aes(key) for key in aes_keys], ciphers.AES_BITS),
        ("PRESENT", [present(key) for key in present_keys], ciphers.PRESENT_BITS),
        ("Feistel", [feistel(key) for key in feistel_keys], 2 * HALF_BITS),
    ):
        blocks = [draw.getrandbits(bits) for _ in range(inputs)]
        found[name] = np.array([1 / bits, *ciphers.avalanche_fractions(rounds=rounds, inputs=blocks, bits=bits)])
    return found


@cache
def _residual_avalanche(inputs: int) -> NDArray[np.float64]:
    """The same for the signs of the residual stream of claim E8, after each of its layers, from inputs of its own."""
    draw = np.random.default_rng(seed=0)
    weights = net_weights(draw)
    first = draw.choice((-1.0, 1.0), size=(inputs, 1, NET_BITS))
    second = first * (1 - 2 * np.eye(NET_BITS))
    changed = [np.mean((first > 0) != (second > 0))]
    for layer in weights:
        first, second = (residual_layer(stream=one, weights=layer, step=RESIDUAL_STEP) for one in (first, second))
        changed.append(np.mean((first > 0) != (second > 0)))
    return np.array(changed)


def _avalanche(at: Values) -> Curves:
    rounds = int(at["rounds"])
    x = np.arange(rounds + 1.0)
    inputs, exponent = int(at["samples"]), int(at["exponent"])
    all_rounds = _avalanches(inputs, exponent) | {NET: _residual_avalanche(inputs)}
    found = {name: y[: rounds + 1] for name, y in all_rounds.items()}
    colours = {"AES": Colour.BOUND, "PRESENT": Colour.OTHER, "Feistel": Colour.COMPUTE, NET: Colour.WEIGHTS}
    marks = []
    for name, y in found.items():
        mixed = np.flatnonzero(np.abs(y - 0.5) < CONVERGED)
        if mixed.size:
            at_round = int(mixed[0])
            marks.append(
                Mark(
                    name=f"{name} mixed",
                    x=float(at_round),
                    y=float(y[at_round]),
                    line=name,
                    text=f"after {at_round}",
                    colour=colours[name],
                )
            )
    return Curves(
        x=x,
        lines=(
            *(Line(name=name, y=y, colour=colours[name], is_bold=name == "AES") for name, y in found.items()),
            Line(name="one half", y=np.full_like(x, 0.5), colour=Colour.ASIDE, is_floor=True),
        ),
        marks=tuple(marks),
        top=0.6,
    )


@cache
def _table(s_box: tuple[int, ...]) -> NDArray[np.float64]:
    """Without the row of no change, which holds all inputs in one cell."""
    table = np.array(ciphers.difference_table(s_box=s_box), dtype=np.float64)
    table[0] = 0
    return table


def _present_table(at: Values) -> Table:
    return _differences(_table(ciphers.PRESENT_S_BOX), 1 << 4, is_written=True)


def _aes_table(at: Values) -> Table:
    return _differences(_table(S_BOX), int(at["changes"]), is_written=False)


def _differences(table: NDArray[np.float64], changes: int, *, is_written: bool) -> Table:
    return Table(
        values=table[:changes, :changes],
        is_written=is_written,
        text=f"at most {table.max():.0f} of {len(table)} inputs",
    )


def _layer_bytes(at: Values, layers: float = 1.0) -> float:
    """Activations that the gradients of plain layers need."""
    found = activations.activation_bytes(
        sequence_tokens=at["batch_tokens"],
        sequences=1,
        hidden=at["hidden"],
        heads=SCORES_NOT_STORED,
        layers=layers,
    )
    return float(found)


def _depth(at: Values) -> Curves:
    here = at["layers"]
    x = np.union1d(np.linspace(1.0, MOST_LAYERS, POINTS), [here])
    layer_bytes = _layer_bytes(at)
    peaks = {
        PLAIN: x,
        ROOT: np.asarray(
            activations.checkpointed_peak_layers(layers=x, interval=np.sqrt(x), kept_fraction=KEPT_FRACTION)
        ),
        REVERSIBLE: np.asarray(activations.partly_reversible_peak_layers(layers=x, reversible_fraction=1.0)),
    }
    colours = {PLAIN: Colour.KV, ROOT: Colour.OTHER, REVERSIBLE: Colour.COMPUTE}
    place = int(np.searchsorted(x, here))
    return Curves(
        x=x,
        lines=tuple(
            Line(name=name, y=layer_bytes * y, colour=colours[name], is_bold=name == REVERSIBLE)
            for name, y in peaks.items()
        ),
        marks=tuple(
            Mark(
                name=f"{name} at this depth",
                x=here,
                y=layer_bytes * float(y[place]),
                line=name,
                text=format_quantity(layer_bytes * float(y[place]), "bytes"),
                colour=colours[name],
            )
            for name, y in peaks.items()
        ),
        top=3 * layer_bytes * MOST_LAYERS,
        bottom=0.5 * layer_bytes,
    )


def _steps(at: Values) -> Curves:
    layers = int(at["layers"])
    interval = round(layers**0.5)
    layer_bytes = _layer_bytes(at)
    x = np.arange(1.0, 2 * layers + 1)
    checkpointed = networks.activations_alive_checkpointed(
        layers=layers, interval=interval, kept_fraction=KEPT_FRACTION
    )
    alive = {
        PLAIN: (Colour.KV, np.array(networks.activations_alive_plain(layers=layers))),
        ROOT: (Colour.OTHER, np.array(checkpointed)),
        REVERSIBLE: (Colour.COMPUTE, np.array(networks.activations_alive_reversible(layers=layers))),
    }
    return Curves(
        x=x,
        lines=tuple(
            Line(name=name, y=layer_bytes * y, colour=colour, is_bold=name == REVERSIBLE)
            for name, (colour, y) in alive.items()
        ),
        marks=(
            Mark(
                name="all layers kept",
                x=float(layers),
                y=layer_bytes * layers,
                line=PLAIN,
                text=format_quantity(layer_bytes * layers, "bytes"),
                colour=Colour.KV,
            ),
        ),
        top=1.25 * layer_bytes * layers,
    )


def _price(at: Values) -> Curves:
    parts = np.linspace(0.0, 1.0, POINTS)
    flop = np.asarray(training.rl_flop_per_param(trained_fraction=1, repeated_forward_fraction=parts))
    kept = np.asarray(activations.partly_reversible_peak_layers(layers=at["layers"], reversible_fraction=parts))
    y = _layer_bytes(at) * kept
    name = "partly\nreversible"
    return Curves(
        x=flop,
        lines=(Line(name=name, y=y, colour=Colour.COMPUTE, is_bold=True),),
        marks=(
            Mark(name="none reversible", x=float(flop[0]), y=float(y[0]), line=name, text="plain", colour=Colour.KV),
            Mark(
                name="all reversible",
                x=float(flop[-1]),
                y=float(y[-1]),
                line=name,
                text=f"+{format_quantity(float(flop[-1] / flop[0]) - 1, 'fraction', 2)}",
                colour=Colour.COMPUTE,
            ),
        ),
        top=1.25 * float(y[0]),
    )


BOARDS: tuple[Board, ...] = (
    Board(
        name="ciphers",
        title="How far one changed bit reaches",
        question="After how many rounds does one changed bit change half of a block, as chance would?",
        caption="Rounds with keys of their schedules; the Feistel function is the middle of a power; the network's"
        " weights are random. Tables: how many inputs turn a change of the input (row) into one of the output (column);"
        " the row of no change is left out.",
        formula=(
            Term(tex=r"(x,\,y)\;\to\;(y+f(x),\;x)", colour=Colour.COMPUTE),
            Term(tex=r"\qquad"),
            Term(tex=r"D_{ab}\;=\;\#\{x:\;S(x)\oplus S(x\oplus a)=b\}", colour=Colour.OTHER),
        ),
        controls=(
            Control(
                name="rounds",
                meaning="rounds",
                dimension="count",
                low=2,
                high=ciphers.AES_ROUNDS,
                lecture=8,
                careful=8,
                is_whole=True,
            ),
            Control(
                name="samples",
                meaning="blocks averaged over",
                dimension="count",
                low=1,
                high=MOST_SAMPLES,
                lecture=8,
                careful=8,
                is_whole=True,
            ),
            Control(
                name="exponent",
                meaning="as the power of the Feistel function",
                dimension="count",
                low=1,
                high=8,
                lecture=2,
                careful=2,
                is_whole=True,
            ),
            Control(
                name="changes",
                meaning="changes of AES's table shown",
                dimension="count",
                low=16,
                high=256,
                lecture=64,
                careful=64,
                is_whole=True,
            ),
        ),
        views=(
            View(
                heading="Avalanche",
                x=Axis(caption="rounds", dimension="count"),
                y=Axis(caption="part of bits that changed", dimension="fraction"),
                compute=_avalanche,
            ),
            View(
                heading="PRESENT's S-box",
                x=Axis(caption="change of the output", dimension="count"),
                y=Axis(caption="change of the input", dimension="count"),
                compute=_present_table,
            ),
            View(
                heading="AES's S-box",
                x=Axis(caption="change of the output", dimension="count"),
                y=Axis(caption="change of the input", dimension="count"),
                compute=_aes_table,
            ),
        ),
        claims=("E1", "E2", "E5", "E6", "E7", "E8"),
        exercises=(
            "ciphers-forward",
            "ciphers-back",
            "ciphers-linear",
            "ciphers-table",
            "ciphers-rotation",
            "ciphers-permutation",
        ),
    ),
    Board(
        name="reversible",
        title="Activations that need not be kept",
        question="What does a stack keep for its gradients if a layer's input can be computed from its output?",
        caption="Dense 16-bit layers four times as wide inside, scores not stored. Checkpoints keep the input of every"
        " √L-th layer and compute an interval again, for the same second forward pass.",
        formula=(
            Term(tex=rf"{activations.ACTIVATION_BYTES}\,s\,b\,h\;\times\;"),
            Term(tex=r"L", colour=Colour.KV),
            Term(tex=r"\;\;\mathrm{or}\;\;"),
            Term(
                tex=rf"(1+\dfrac{{{activations.INPUT_BYTES}}}{{{activations.ACTIVATION_BYTES}}})\,\sqrt{{L}}",
                colour=Colour.OTHER,
            ),
            Term(tex=r"\;\;\mathrm{or}\;\;"),
            Term(tex=r"1", colour=Colour.COMPUTE),
            Term(tex=r";\qquad 6\,N\,D\;\to\;8\,N\,D"),
        ),
        # The lecture has about a hundred layers and no width: GPT-3's.
        controls=(
            Control(
                name="layers",
                meaning="layers",
                dimension="count",
                low=4,
                high=MOST_LAYERS,
                lecture=100,
                careful=lambda facts: facts.model.layers,
                is_whole=True,
            ),
            Control(
                name="hidden",
                meaning="values wide",
                dimension="count",
                low=256,
                high=65536,
                lecture=12288,
                careful=lambda facts: facts.model.hidden,
            ),
            Control(
                name="batch_tokens",
                meaning="tokens of a micro-batch",
                dimension="count",
                low=128,
                high=1e7,
                lecture=2048,
                careful=4096,
            ),
        ),
        views=(
            View(
                heading="By depth",
                x=Axis(caption="layers", dimension="count"),
                y=Axis(caption="peak of activations", dimension="bytes", is_logarithmic=True),
                compute=_depth,
            ),
            View(
                heading="Through a step",
                x=Axis(caption="layers passed, there and back", dimension="count"),
                y=Axis(caption="activations in memory", dimension="bytes"),
                compute=_steps,
            ),
            View(
                heading="Its price",
                x=Axis(caption="FLOP a parameter and token", dimension="count"),
                y=Axis(caption="peak of activations", dimension="bytes"),
                compute=_price,
            ),
        ),
        claims=("E3", "E4", "E9"),
        exercises=(
            "ciphers-reversible",
            "ciphers-checkpoints",
            "ciphers-activations",
            "ciphers-again",
        ),
        model="gpt3-175b",
    ),
)
