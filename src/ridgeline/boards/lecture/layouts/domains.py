"""Scale-up domains over the years, beside the models that had to fit them and the contexts that these take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Control, Symbol, Term, Values, View
from ridgeline.boards.constant import implied
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.layouts import numbers
from ridgeline.boards.lecture.numbers import STEP_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import at, curve, curves, linear
from ridgeline.catalog import machine_entry, model_entry, model_ids
from ridgeline.equations import racks
from ridgeline.estimator.parameters import weight_bytes
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD"]

CENTURY = 2000
"""Years are counted from here on, so that they are short numbers."""

FIRST, LAST = 20.5, 28.0
MIDDLE = 0.5
"""Of a machine the year alone is known: it is drawn at its middle."""

NVIDIA = {
    "8 A100": "a100-80-sxm",
    "8 H100": "h100-sxm",
    "8 H200": "h200-sxm",
    "GB200": "gb200-nvl72",
    "GB300": "gb300-nvl72",
    "Vera Rubin": "vr200-nvl144",
    "Rubin Ultra": "rubin-ultra-nvl576",
}
GOOGLE = {"TPU v4": "tpu-v4", "v5e": "tpu-v5e", "v5p": "tpu-v5p", "v6e": "tpu-v6e", "TPU v7": "tpu-v7"}
LARGEST = "NVIDIA's largest\ndomain"
MOST_STAGES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thing:
    """What came out in a year.

    Attributes:
        name: written beside it.
        year: counted from ``CENTURY``.
        size: of a domain its memory, of a model its weights, in bytes; or tokens of context.
    """

    name: str
    year: float
    size: float


@lru_cache(maxsize=2)
def _domains(maker: tuple[tuple[str, str], ...]) -> tuple[_Thing, ...]:
    """Memory of a scale-up domain, by machine."""
    found = []
    for name, machine in maker:
        entry = machine_entry(machine)
        held = racks.domain_bytes(chips=entry.machine.scale_up_chips, hbm_bytes=entry.machine.chip.hbm_bytes)
        found.append(_Thing(name=name, year=entry.facts.released - CENTURY + MIDDLE, size=float(held)))
    return tuple(found)


@lru_cache(maxsize=1)
def _models() -> tuple[tuple[_Thing, ...], tuple[_Thing, ...]]:
    """Weights as published, and contexts, of the models whose month the catalog has; oldest first."""
    weights, contexts = [], []
    for name in model_ids():
        entry = model_entry(name)
        if entry.facts is None or entry.facts.released is None:
            continue
        year = entry.facts.released.value - CENTURY
        if year < FIRST:
            continue
        weights.append(_Thing(name=name, year=year, size=weight_bytes(entry.model, entry.model.precision)))
        if entry.model.max_context_tokens is not None:
            contexts.append(_Thing(name=name, year=year, size=entry.model.max_context_tokens))
    by_year = [tuple(sorted(things, key=lambda one: one.year)) for things in (weights, contexts)]
    return by_year[0], by_year[1]


def _largest(things: tuple[_Thing, ...], year: Any) -> Any:  # noqa: ANN401  a number or many
    """Of all that was there; of a time before, the first."""
    there = [np.where(np.asarray(year) >= one.year, one.size, things[0].size) for one in things]
    return np.max(there, axis=0)


def _dots(name: str, things: tuple[_Thing, ...], colour: Colour, labels: tuple[str, ...]) -> Dots:
    x, y = (np.array([getattr(one, part) for one in things], dtype=float) for part in ("year", "size"))
    return Dots(name=name, x=x, y=y, labels=labels, colour=colour)


def _records(things: tuple[_Thing, ...]) -> tuple[str, ...]:
    """Names of those that are larger than all before; the others stay without one."""
    return tuple(
        one.name if all(one.size > other.size for other in things[:place]) else "" for place, one in enumerate(things)
    )


def _names(things: tuple[_Thing, ...]) -> tuple[str, ...]:
    return tuple(one.name for one in things)


def _memory(values: Values) -> Curves:
    nvidia, google = _domains(tuple(NVIDIA.items())), _domains(tuple(GOOGLE.items()))
    models, needed, stages = _models()[0], values["weight_bytes"], values["stages"]
    first = next((one for one in nvidia if stages * one.size > needed), None)
    rumour = _Thing(
        name="GPT-4, a rumour",
        year=numbers.RUMOUR_YEAR.value - CENTURY + MIDDLE / 2,  # it came out in spring
        size=float(numbers.RUMOURED_PARAMS),
    )
    name = f"{LARGEST}, {stages:.0f} in\na pipeline" if stages > 1 else LARGEST
    return curves(
        linear(FIRST, LAST),
        curve(f"to hold:\n{format_quantity(needed, 'bytes')}", needed, Colour.WEIGHTS, is_floor=True),
        curve(name, lambda year: stages * _largest(nvidia, year), Colour.BOUND, is_bold=True),
        marks=[at("first to hold it", first.year, on=name, text=f"{first.name} holds it")] if first else [],
        also=[one.year for one in nvidia],
        dots=(
            _dots("Google's domains", google, Colour.COMPUTE, _names(google)),
            _dots("models", models, Colour.OTHER, _records(models)),
            _dots("rumoured", (rumour,), Colour.KV, (rumour.name,)),
        ),
        top=3 * max(one.size for one in google),
        bottom=0.5 * min(one.size for one in models),
    )


def _contexts(_: Values) -> Curves:
    contexts = _models()[1]
    return curves(
        linear(FIRST, LAST),
        curve("a price list\nsteps", STEP_TOKENS.value, Colour.WEIGHTS, is_floor=True),
        curve("longest", lambda year: _largest(contexts, year), Colour.KV, is_bold=True),
        also=[one.year for one in contexts],
        dots=(_dots("models", contexts, Colour.OTHER, _records(contexts)),),
        top=3 * max(one.size for one in contexts),
        bottom=0.5 * min(one.size for one in contexts),
    )


BOARD = Board(
    name="domains",
    time_stamp="0:44:20",
    title="Why models stopped growing for a while",
    question="Which scale-up domain could hold which model, and when?",
    caption="Weights in the formats in which models were published; of open models alone, since others are not known."
    " Machines by the year in which they were introduced:\nracks of GB200 came into use in 2025. GPT-4's trillion"
    " parameters are a rumour, here at a byte each. A pod of TPUs is a torus, over which an all-to-all takes longer.",
    formula=(
        Term(tex=r"N_t\,b_w", colour=Colour.WEIGHTS),
        Term(tex=r"\;\leq\;"),
        Term(tex=r"P\,n\,C", colour=Colour.BOUND),
    ),
    symbols=(
        Symbol(tex="N_t", meaning="parameters, all of them"),
        Symbol(tex="b_w", meaning="bytes of a parameter"),
        Symbol(tex="P", meaning="domains that share the layers: stages of a pipeline"),
        Symbol(tex="n", meaning="chips of a domain"),
        Symbol(tex="C", meaning="memory of a chip"),
    ),
    controls=(
        controls.weight_bytes(numbers.HUGE_PARAMS),
        Control(
            name="stages",
            meaning="domains in a pipeline",
            dimension="count",
            low=1,
            high=MOST_STAGES,
            lecture=implied(1, "0:46:54"),
            careful=1,
            is_whole=True,
        ),
    ),
    views=(
        View(
            heading="Memory of a domain, and weights",
            x=Axis(caption=f"year, counted from {CENTURY}", dimension="count"),
            y=Axis(caption="memory, or weights", dimension="bytes", is_logarithmic=True),
            compute=_memory,
        ),
        View(
            heading="Contexts that models take",
            x=Axis(caption=f"year, counted from {CENTURY}", dimension="count"),
            y=Axis(caption="tokens of context, at most", dimension="count", is_logarithmic=True),
            compute=_contexts,
        ),
    ),
    claims=("B7", "B20", "B23", "B24", "B26", "B28"),
    exercises=("racks-held", "racks-stages"),
)
