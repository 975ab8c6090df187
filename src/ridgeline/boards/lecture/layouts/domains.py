"""Scale-up domains over the years, beside the models that had to fit them and the contexts that these take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.companions import Bar, BarGroup, Bars, Length
from ridgeline.boards.constant import implied
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.layouts import numbers
from ridgeline.boards.lecture.numbers import STEP_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import At, at, curve, curves, linear
from ridgeline.catalog import machine_entry, model_entry, model_ids
from ridgeline.equations import racks
from ridgeline.estimator.parameters import total_params
from ridgeline.quantity_text import format_number, format_quantity, parse_quantity

__all__ = ["BOARD", "first_to_hold", "held_by_hoppers", "is_pod_first"]

FIRST, LAST = 2020.5, 2028.5
MIDDLE, SPRING = 0.5, 0.25
"""Parts of the year at which things are drawn: machines, of which the year alone is known, in its middle; GPT-4 in
March, and H200 from its second quarter, for which NVIDIA announced it on 2023-11-13.
"""

NVIDIA = {
    "8 A100": "a100-80-sxm",
    "8 H100": "h100-sxm",
    "8 H200": "h200-sxm",
    "GB200": "gb200-nvl72",
    "GB300": "gb300-nvl72",
    "Vera Rubin": "vr200-nvl144",
    "Rubin Ultra": "rubin-ultra-nvl576",
}
HOPPERS = "8 H100"
IN_SPRING = "8 H200"
GOOGLE = {"TPU v4": "tpu-v4", "TPU v5e": "tpu-v5e", "TPU v5p": "tpu-v5p", "TPU v6e": "tpu-v6e", "TPU v7": "tpu-v7"}
LARGEST = "NVIDIA's largest\nrack"
MOST_STAGES = 8
DRAWN = slice(1, 4)
"""NVIDIA's domains that are drawn beside the model: from eight Hoppers to the rack of Blackwells."""
USABLE = machine_entry(NVIDIA["GB200"]).machine.efficiency.usable_hbm_fraction
"""Part of a memory that a runtime leaves, the same for all machines drawn."""
SOLD = re.compile(r"sold as (\d+ GB)")
"""Size by which a chip is sold, in the catalog's note on what its driver reads."""
CLEARLY = 1.2
"""Ratio to the largest before from which on a thing is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thing:
    """Model or machine that came out in a year.

    Attributes:
        name: name beside its dot.
        year: year with its fraction.
        size: parameters of a model, or its tokens of context; bytes of a domain's memory.
    """

    name: str
    year: float
    size: float


@lru_cache(maxsize=2)
def _domains(maker: tuple[tuple[str, str], ...]) -> tuple[_Thing, ...]:
    """Memory that a scale-up domain has for weights and caches, by machine."""
    found = []
    for name, machine in maker:
        entry = machine_entry(machine)
        usable = entry.machine.chip.hbm_bytes * entry.machine.efficiency.usable_hbm_fraction
        held = racks.domain_bytes(chips=entry.machine.scale_up_chips, hbm_bytes=usable)
        part = SPRING if name == IN_SPRING else MIDDLE
        found.append(_Thing(name=name, year=entry.facts.released + part, size=float(held)))
    return tuple(found)


def _holding(maker: dict[str, str], values: Values) -> tuple[_Thing, ...]:
    """Parameters that fit a maker's domains, or a pipeline of several of them."""
    each = values["stages"] / values["bytes_per_param"]
    return tuple(_Thing(name=one.name, year=one.year, size=each * one.size) for one in _domains(tuple(maker.items())))


@lru_cache(maxsize=1)
def _models() -> tuple[tuple[_Thing, ...], tuple[_Thing, ...]]:
    """Parameters and contexts of the models whose month the catalog has, oldest first."""
    sizes, contexts = [], []
    for name in model_ids():
        entry = model_entry(name)
        released = entry.facts.released if entry.facts else None
        if released is None or released.value < FIRST:
            continue
        year = released.value
        sizes.append(_Thing(name=name, year=year, size=total_params(entry.model)))
        if entry.model.max_context_tokens is not None:
            contexts.append(_Thing(name=name, year=year, size=entry.model.max_context_tokens))
    by_year = [tuple(sorted(things, key=lambda one: one.year)) for things in (sizes, contexts)]
    return by_year[0], by_year[1]


def _largest(things: tuple[_Thing, ...], year: Any) -> Any:  # noqa: ANN401  a number or many
    """Largest size that was available in a year; before the first thing, the first thing's."""
    there = [np.where(np.asarray(year) >= one.year, one.size, things[0].size) for one in things]
    return np.max(there, axis=0)


def _records(things: tuple[_Thing, ...], before: float = 0.0) -> tuple[_Thing, ...]:
    """Things without the names of those that are not clearly larger than all before, and than ``before``."""
    larger = [
        one.size > CLEARLY * max((other.size for other in things[:place]), default=before)
        for place, one in enumerate(things)
    ]
    return tuple(
        one if is_larger else _Thing(name="", year=one.year, size=one.size)
        for one, is_larger in zip(things, larger, strict=True)
    )


def _dots(name: str, things: tuple[_Thing, ...], colour: Colour) -> Dots:
    return Dots(
        name=name,
        x=np.array([one.year for one in things]),
        y=np.array([one.size for one in things], dtype=float),
        labels=tuple(one.name for one in things),
        colour=colour,
        is_named=True,
    )


def _rumour() -> _Thing:
    year = numbers.RUMOUR_YEAR.value + SPRING
    return _Thing(name="GPT-4,\na rumour", year=year, size=float(numbers.RUMOURED_PARAMS))


def _first(things: tuple[_Thing, ...], wanted: float) -> _Thing | None:
    """First domain that holds as many parameters."""
    return next((one for one in things if one.size > wanted), None)


def first_to_hold(values: Values) -> str | None:
    """Name of NVIDIA's first domain that holds the model; None where none does."""
    found = _first(_holding(NVIDIA, values), values["total_params"])
    return None if found is None else found.name


def is_pod_first(values: Values) -> bool:
    """Whether one of Google's pods held the model before any of NVIDIA's machines."""
    pod, rack = (_first(_holding(maker, values), values["total_params"]) for maker in (GOOGLE, NVIDIA))
    return pod is not None and (rack is None or pod.year < rack.year)


def held_by_hoppers(values: Values) -> float:
    """Parameters that fit eight Hoppers of the first kind, or a pipeline of such nodes."""
    return next(one.size for one in _holding(NVIDIA, values) if one.name == HOPPERS)


def _sizes(values: Values) -> Curves:
    nvidia, google, models = _holding(NVIDIA, values), _holding(GOOGLE, values), _models()[0]
    wanted, stages = values["total_params"], values["stages"]
    first = _first(nvidia, wanted)
    name = f"{LARGEST},\n{stages:.0f} in a pipeline" if stages > 1 else LARGEST
    return curves(
        linear(FIRST, LAST, is_closed=True),
        curve(f"a model of\n{format_quantity(wanted, 'count')}", wanted, Colour.WEIGHTS, is_floor=True),
        curve(name, lambda year: _largest(nvidia, year), Colour.BOUND, is_bold=True),
        # It goes from one machine to the next, not along: no hand drags it.
        marks=[*_held(first, name), _hoppers(name)],
        also=[one.year for one in nvidia],
        dots=(
            _dots("rumoured", (_rumour(),), Colour.ALSO),
            _dots("Google's pods", google, Colour.ASIDE),
            _dots("models", _records(models, before=models[0].size), Colour.WEIGHTS),
        ),
        top=3 * max(one.size for one in google),
        bottom=0.5 * min(one.size for one in models),
        companion=_rooms(values),
    )


def _rooms(values: Values) -> Bars:
    """The model's weights beside the memory of the domains that came out while models waited."""
    weights_bytes = values["total_params"] * values["bytes_per_param"]
    stages = values["stages"]

    def room(one: _Thing) -> Bar:
        usable = stages * one.size
        whole = usable / USABLE
        fits = usable / weights_bytes
        text, sold = format_quantity(whole, "bytes", 3), _sold_text(one.name) if stages == 1 else ""
        held = (
            f"holds it {format_number(fits, 2)}×" if fits >= 1 else f"{format_quantity(fits, 'fraction', 2)} of it fits"
        )
        return Bar(
            name=f"{stages:g} × {one.name}" if stages > 1 else one.name,
            parts=(
                Length(colour=Colour.BOUND, length=usable),
                Length(colour=Colour.ASIDE, length=whole - usable),
            ),
            ends=(
                f"{text}{f' (sold as {sold})' if sold else ''}, {int(one.year)}: {held}",
                f"{text}: {held}",
                text,
            ),
            is_strong=fits >= 1,
        )

    count = format_quantity(values["total_params"], "count", 3)
    model = Bar(
        name="weights",
        parts=(Length(colour=Colour.WEIGHTS, length=weights_bytes),),
        ends=(format_quantity(weights_bytes, "bytes", 3),),
        is_strong=True,
    )
    return Bars(
        groups=(BarGroup(names=(), bars=(model, *(room(one) for one in _domains(tuple(NVIDIA.items()))[DRAWN]))),),
        limit=weights_bytes,
        heads=(
            f"weights of {count} parameters, and the memory of racks as they came out",
            f"{count} parameters beside memory",
        ),
        text="What has room for the model",
    )


def _held(first: _Thing | None, name: str) -> list[At]:
    """Mark of the first domain that holds the model."""
    if first is None:
        return []
    sold = _sold_text(first.name)
    text = f"{first.name} holds it:\n{_memory_text(first.name)}{f', sold as {sold}' if sold else ''}"
    return [at("first to hold it", first.year, on=name, text=text, is_fixed=True)]


def _hoppers(name: str) -> At:
    """Mark of the domain that models waited in; by which size it is sold is said beside the chart."""
    year = machine_entry(NVIDIA[HOPPERS]).facts.released + MIDDLE
    return at(
        "eight Hoppers",
        year,
        on=name,
        text=f"{HOPPERS}: {_memory_text(HOPPERS)}",
        is_fixed=True,
    )


def _memory_text(name: str) -> str:
    """Memory of a domain of NVIDIA's, the runtime's part included."""
    machine = machine_entry(NVIDIA[name]).machine
    whole = racks.domain_bytes(chips=machine.scale_up_chips, hbm_bytes=machine.chip.hbm_bytes)
    return format_quantity(float(whole), "bytes")


def _sold_text(name: str) -> str:
    """Memory of a domain of NVIDIA's by the size that its chips are sold as; empty where they are sold as they read."""
    entry = machine_entry(NVIDIA[name])
    size = SOLD.search(entry.facts.chip.hbm_bytes.note)
    if not size:
        return ""
    whole = racks.domain_bytes(chips=entry.machine.scale_up_chips, hbm_bytes=parse_quantity(size[1], "bytes"))
    return format_quantity(float(whole), "bytes")


def _contexts(_: Values) -> Curves:
    contexts = _models()[1]
    return curves(
        linear(FIRST, LAST, is_closed=True),
        curve("a price list\nsteps", STEP_TOKENS.value, Colour.MONEY, is_floor=True),
        curve("longest", lambda year: _largest(contexts, year), Colour.BOUND, is_bold=True),
        also=[one.year for one in contexts],
        dots=(_dots("contexts of models", _records(contexts), Colour.KV),),
        top=3 * max(one.size for one in contexts),
        bottom=0.5 * min(one.size for one in contexts),
    )


BOARD = Board(
    name="domains",
    time_stamp="0:44:20",
    title="Why models stopped growing for a while",
    question="Which machine first had room for a model of this size, and when?",
    caption="Open models of the catalog, since others do not publish their size. GPT-4's is a rumour. Machines stand"
    " in the year they were introduced. Racks of GB200 came into use in 2025. Google's pods are larger, but they are"
    " tori, over which an all-to-all takes longer. Weights get"
    f" {format_quantity(USABLE, 'fraction')} of a rack's memory, the rest is the runtime's.",
    formula=(
        Term(tex=r"N_t", colour=Colour.WEIGHTS),
        Term(tex=r"\;\leq\;"),
        Term(tex=rf"p\,\dfrac{{{USABLE:g}\,n\,C}}{{b_w}}", colour=Colour.BOUND),
    ),
    controls=(
        Control(
            name="total_params",
            meaning="parameters",
            called="total parameters",
            short="total params",
            dimension="count",
            low=1e9,
            high=1e14,
            lecture=numbers.HUGE_PARAMS,
            careful=lambda facts: total_params(facts.model),
        ),
        controls.bytes_per_param(),
        Control(
            name="stages",
            meaning="racks in a pipeline",
            short="pipeline stages",
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
            heading="Parameters of models, and those that fit",
            x=Axis(caption="year", dimension="year"),
            y=Axis(
                caption=f"parameters (weights get {format_quantity(USABLE, 'fraction')} of a rack's memory)",
                dimension="count",
                is_logarithmic=True,
            ),
            compute=_sizes,
        ),
        View(
            heading="Contexts that models take",
            x=Axis(caption="year", dimension="year"),
            y=Axis(caption="longest context, in tokens", dimension="count", is_logarithmic=True),
            compute=_contexts,
        ),
    ),
    claims=("B7", "B29", "B6", "B20", "B23", "B24", "B26", "B42", "B28"),
    exercises=("racks-held", "racks-stages"),
    first_move=FirstMove(
        control="bytes_per_param",
        to=0.5,
        then="the line rises: the same memory holds twice the parameters",
        seen=(Moves(what="", way=Way.UP),),
    ),
)
