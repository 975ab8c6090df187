"""Attention shapes that keep or read as little as the price list reveals."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ridgeline.boards.board import Board, Control, Facts, Term, Values, View
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import KV_BYTES_PER_TOKEN, STEP_TOKENS
from ridgeline.boards.lecture.prices.shapes import (
    ACTIVE,
    HEAD_DIM,
    KINDS,
    KV_HEADS,
    SHARED_LAYERS,
    SHORT_VALUE,
    Shape,
    shape_kv_bytes,
    shapes,
)
from ridgeline.boards.picture import Axis, Colour, Curves, Sheet
from ridgeline.boards.pictures import At, Curve, at, curve, curves, whole
from ridgeline.equations import pricing
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

MOST_LAYERS = 12
ROOM = 1.15
"""Top of the picture over the highest that must lie in it."""
NEAR = 1.25
"""Ratio to the wanted bytes up to which a shape counts as near."""
HEADS = (8, 4, 2, 1)
"""KV heads of the lines: the range that he names."""


def _bytes(values: Values, heads: float, layers: Numeric) -> Numeric:
    return shape_kv_bytes(
        layers=layers, kv_heads=heads, head_dim=values["head_dim"], bytes_per_value=values["bytes_per_value"]
    )


def _dense(values: Values) -> Curves:
    """Sheet of attention that reads all tokens: fewer heads, or fewer layers with a cache of their own."""
    wanted, chosen = values["kv_bytes_per_token"], values["kv_heads"]
    most = max(MOST_LAYERS, int(values["layers"]))
    heads = sorted({*HEADS, chosen}, reverse=True)
    here, highest = float(_bytes(values, chosen, values["layers"])), float(_bytes(values, heads[0], most))
    near = {count: layers for count in heads if (layers := _near_layers(values, count))}
    marks = [_mark("this shape", chosen, values["layers"], is_quiet=False)]
    marks += [
        _mark(f"{_named(count)} near it", count, layers, is_quiet=True)
        for count, layers in near.items()
        if (count, layers) != (chosen, values["layers"])
    ]
    return curves(
        whole(0, most),  # from none on, so that the first mark has room
        curve(f"wanted: {format_quantity(wanted, 'bytes')}", wanted, Colour.ALSO, is_floor=True),
        *(_line(values, count, is_chosen=count == chosen) for count in heads),
        marks=marks,
        top=min(max(3 * wanted, ROOM * here), ROOM * highest),  # more may be wanted than any of these shapes keeps
    )


def _named(count: float) -> str:
    return f"{count:g} KV head{'s' if count > 1 else ''}"


def _line(values: Values, count: float, *, is_chosen: bool) -> Curve:
    colour = Colour.BOUND if is_chosen else Colour.KV
    return curve(_named(count), partial(_bytes, values, count), colour, is_bold=is_chosen)


def _near_layers(values: Values, count: float) -> float:
    """Number of layers whose caches come nearest to the wanted bytes; zero where not even one comes near."""
    wanted, one = values["kv_bytes_per_token"], float(_bytes(values, count, 1.0))
    layers = max(1, round(wanted / one))
    return layers if layers * one <= NEAR * wanted else 0


def _mark(name: str, count: float, layers: float, *, is_quiet: bool) -> At:
    text = f"{layers:g} layer{'s' if layers > 1 else ''} of {_named(count)}"
    return at(name, layers, on=_named(count), text=text, is_quiet=is_quiet)


def _sparse(values: Values) -> Sheet:
    """Sheet of the models of each kind: bytes kept, bytes read, and the sparsity that they would need."""
    wanted = values["kv_bytes_per_token"]
    there = shapes(values["context_tokens"])
    rows = [_least([one for one in there if one.kind is kind]) for kind in KINDS]
    rows.sort(key=lambda one: one.read_bytes)
    near = tuple(place for place, one in enumerate(rows) if one.read_bytes <= wanted)
    return Sheet(
        columns=("kind", "model", "keeps", "reads"),
        rows=tuple(
            (
                one.kind.short,
                ACTIVE.sub("", one.model.name),
                format_quantity(one.kept_bytes, "bytes", 3),
                format_quantity(one.read_bytes, "bytes", 3),
            )
            for one in rows
        ),
        text=f"{len(near)} of {len(rows)} kinds read no more than {format_quantity(wanted, 'bytes')} a token",
        bold=near,
    )


def _wanted(facts: Facts) -> float:
    """KV bytes a token for which the chosen model's crossover lies at the price step."""
    terms = controls.terms(facts)
    found = pricing.kv_bytes_at_crossover(
        active_params=terms.active_params,
        bytes_per_param=terms.bytes_per_param,
        balance_ratio=controls.balance_ratio(facts),
        context_tokens=float(STEP_TOKENS),
    )
    return float(found)


def _least(found: list[Shape]) -> Shape:
    """The model that reads least of a token."""
    return min(found, key=lambda one: one.read_bytes)


BOARD = Board(
    name="kv-shapes",
    time_stamp="1:38:50",
    title="Attention with a small KV cache",
    question="Which heads and layers have as small a KV cache as a price step implies, and which models come close?",
    caption="Dense attention: one cache shared by all layers, or fewer KV heads and more layers. Models of the"
    " catalog: for each kind of attention, the one that reads least per token at that context. Sparse attention reads"
    " less than it keeps.",
    formula=(
        Term(tex=r"\beta", colour=Colour.BOUND),
        Term(tex=r"\;=\;2\,l\,n_{kv}\,d_h\,b_{kv}", colour=Colour.KV),
        Term(tex=r"\;\cdot\;\dfrac{1}{s_{kv}}", colour=Colour.ALSO),
    ),
    controls=(
        replace(controls.kv_bytes_per_token(KV_BYTES_PER_TOKEN), careful=_wanted),
        Control(
            name="layers",
            meaning="KV caches over all layers",
            short="KV caches",
            dimension="count",
            low=1,
            high=40,
            lecture=SHARED_LAYERS,
            careful=float(SHARED_LAYERS),
            is_whole=True,
        ),
        Control(
            name="kv_heads",
            meaning="KV heads per layer",
            short="KV heads",
            dimension="count",
            low=1,
            high=64,
            lecture=KV_HEADS,
            careful=float(KV_HEADS),
            is_whole=True,
        ),
        Control(
            name="head_dim",
            meaning="values of a head",
            called="head dimension",
            dimension="count",
            low=32,
            high=512,
            lecture=HEAD_DIM,
            careful=float(HEAD_DIM),
            is_whole=True,
        ),
        Control(
            name="bytes_per_value",
            meaning="per value",
            short="per value",
            dimension="bytes",
            low=0.5,
            high=4,
            lecture=SHORT_VALUE,
            careful=lambda facts: facts.model.precision.kv.bytes_per_value,
        ),
        controls.context_tokens(lecture=STEP_TOKENS, careful=float(STEP_TOKENS), low=1e3, high=1e7),
    ),
    views=(
        View(
            heading="Dense attention",
            compute=_dense,
            x=Axis(caption="layers that keep a cache of their own", dimension="count"),
            y=Axis(caption="KV bytes per token", dimension="bytes"),
        ),
        View(heading="Models of the catalog", compute=_sparse),
    ),
    claims=("D27", "D4", "D19"),
    exercises=("contexts-shared", "contexts-sparsity"),
    first_move=FirstMove(
        control="kv_heads",
        to=4.0,
        then="one layer takes fewer bytes, and its point falls",
        seen=(Moves(what="this shape", way=Way.DOWN),),
    ),
)
