"""The rack beside this chapter's steps: chip time by phase of a model's life."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.training.budget import split_of
from ridgeline.boards.lecture.training.laws import BESIROGLU, HOFFMANN
from ridgeline.boards.lecture.training.over_training import RULE, over_by
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import MOST_CHIPS, Cabinet, Piece, RackPicture, Standing, cabinets, number, portions, words
from ridgeline.equations import training
from ridgeline.lifecycle.curves import Phases
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["SMALLER_PARAMS", "by_fit", "by_rule", "pretrained", "shared", "smaller", "two_costs"]

SMALLER_PARAMS = 80e9
"""Parameters of a model a fifth smaller than the board's."""
PRETRAINING = "pre-training"
PHASES = {PRETRAINING: Colour.COMPUTE, "RL": Colour.ASIDE, "serving": Colour.ALSO}
"""Phases in their order, in the colours of the board's lines."""


def two_costs(at: Standing) -> RackPicture:
    """Chips shared out between two costs where their sum is least."""
    powers = {name: at.values[name] for name in ("rising_power", "falling_power")}
    ratio = float(training.balanced_cost_ratio(**powers))
    rising, rack = ratio / (1 + ratio), _rack(at)
    return RackPicture(
        cabinets=(replace(rack, painted=portions(rack.chips, {Colour.ASIDE: 1 - rising, Colour.ALSO: rising})),),
        words=words(
            f"{rack.chips} chips, where the sum is least: ",
            (f"{_part(1 - rising)} for the falling cost", Colour.ASIDE),
            ", ",
            (f"{_part(rising)} for the rising", Colour.ALSO),
            ".",
        ),
    )


def pretrained(at: Standing) -> RackPicture:
    """Chips of a model's life that are busy with pre-training."""
    return _life(at, (PRETRAINING,))


def shared(at: Standing) -> RackPicture:
    """Chips by what they would be busy with, if each phase had its own for as long as the model lives."""
    return _life(at, tuple(PHASES))


def _life(at: Standing, named: tuple[str, ...]) -> RackPicture:
    parts, rack = _parts(_phases(at, at.values["active_params"])), _rack(at)
    pieces: list[Piece] = []
    for name in named:
        pieces += [", " if pieces else ": ", (f"{name} {_part(parts[name])}", PHASES[name])]
    return RackPicture(
        cabinets=(_painted(rack, {name: parts[name] for name in named}),),
        words=words(f"{rack.chips} chips over a model's life", *pieces, "."),
    )


def smaller(at: Standing) -> RackPicture:
    """The board's model, and an equally good smaller one on as many more chips as its life costs more."""
    rack, sizes = _rack(at), (at.values["active_params"], SMALLER_PARAMS)
    phases = [_phases(at, size) for size in sizes]
    here, there = (float(one.total) for one in phases)
    first, second = (format_quantity(size, "count") for size in sizes)
    if not math.isfinite(there):
        found = shared(at)
        return replace(found, words=(*found.words, *words(f" No text makes a model of {second} as good.")))
    # Both together are no more than can be drawn.
    chips = min(rack.chips, (MOST_CHIPS - 1) * here / (here + there))
    racks = [replace(rack, chips=max(1, int(chips * float(one.total) / here))) for one in phases]
    more = float(phases[1].pretraining) / here
    return RackPicture(
        cabinets=tuple(_painted(one, _parts(found)) for one, found in zip(racks, phases, strict=True)),
        words=words(
            f"A model's life at {first} parameters, and as good at {second}: {format_number(there / here)} times the"
            " chips, ",
            (f"{format_number(more)} times for {PRETRAINING} alone", PHASES[PRETRAINING]),
            ".",
        ),
    )


def by_rule(at: Standing) -> RackPicture:
    """Chips of a pre-training, and those that the rule of thumb would take."""
    return _best(at, over_by(at.values, RULE), RULE)


def by_fit(at: Standing) -> RackPicture:
    """Best size by the fit that the paper prints."""
    return _best(at, over_by(at.values, HOFFMANN.name), f"the {HOFFMANN.name}")


def _best(at: Standing, over: float, whose: str) -> RackPicture:
    rack = _rack(at)
    return RackPicture(
        cabinets=(_painted(rack, {PRETRAINING: min(1.0, 1 / over)}),),
        words=words(
            f"{rack.chips} chips pre-train on {format_quantity(at.values['tokens'], 'count')} tokens. The optimum by"
            f" {whose} takes ",
            (f"{format_number(rack.chips / over, 2)} of them", PHASES[PRETRAINING]),
            ".",
        ),
    )


def _rack(at: Standing) -> Cabinet:
    (rack,) = cabinets(1, chips=number(at, controls.chips()))
    return rack


def _phases(at: Standing, params: float) -> Phases:
    return split_of(at.values, BESIROGLU).phases(params)


def _parts(phases: Phases) -> dict[str, float]:
    costs = float(phases.pretraining), float(phases.rl), float(phases.serving)
    return {name: cost / float(phases.total) for name, cost in zip(PHASES, costs, strict=True)}


def _painted(rack: Cabinet, parts: Mapping[str, float]) -> Cabinet:
    return replace(rack, painted=portions(rack.chips, {PHASES[name]: part for name, part in parts.items()}))


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
