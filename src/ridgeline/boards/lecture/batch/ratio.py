"""The 300: parameters that a chip multiplies while it reads one, over generations and number formats."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Board, Symbol, Term, Values, View
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import BALANCE_RATIO
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import curve, curves, linear
from ridgeline.catalog import load_machine, machine_entry, machine_ids
from ridgeline.equations import roofline
from ridgeline.specs.machine import Chip
from ridgeline.specs.number_format import number_format

__all__ = ["BOARD", "ratio_in"]

FORMATS = {"bf16": Colour.BOUND, "fp8": Colour.COMPUTE, "fp4": Colour.OTHER}
"""Whose peaks chips' makers compare."""
NAMED = (
    "a100-80-sxm",
    "h100-sxm",
    "h200-sxm",
    "gb200-nvl72",
    "gb300-nvl72",
    "vr200-nvl144",
    "h20-sxm",
    "tpu-v6e",
    "tpu-v7",
    "mi300x",
    "mi355x",
)
"""Chips whose names stand beside them, where there is room; the others stay dots."""
MARGIN_YEARS = 0.6


def ratio_in(chip: Chip, name: str) -> float:
    """Parameters of a format that a chip multiplies while it reads one."""
    found = roofline.balance_ratio(
        flop_per_s=chip.flop_per_s[name],
        hbm_bytes_per_s=chip.hbm_bytes_per_s,
        bytes_per_param=number_format(name).bytes_per_value,
    )
    return float(found)


def _dots(name: str, colour: Colour) -> Dots:
    """All chips of the catalog that have the format, by the year in which they came out."""
    entries = [(one, machine_entry(one).facts.released, load_machine(one).chip) for one in machine_ids()]
    having = [(one, year, chip) for one, year, chip in entries if name in chip.flop_per_s]
    return Dots(
        name=name,
        x=np.array([float(year) for _, year, _ in having]),
        y=np.array([ratio_in(chip, name) for *_, chip in having]),
        labels=tuple(f"{one} {name}" if one in NAMED else "" for one, *_ in having),
        colour=colour,
    )


def _ratio(values: Values) -> Curves:
    dots = tuple(_dots(name, colour) for name, colour in FORMATS.items())
    years = np.concatenate([one.x for one in dots])
    ratio = values["balance_ratio"]
    return curves(
        linear(float(years.min()) - MARGIN_YEARS, float(years.max()) + MARGIN_YEARS),
        curve(f"{ratio:,.0f}", ratio, Colour.KV, is_bold=True),
        dots=dots,
        top=1.5 * float(max(one.y.max() for one in dots)),
        bottom=0.6 * float(min(one.y.min() for one in dots)),
    )


BOARD = Board(
    name="ratio",
    time_stamp="0:17:00",
    title="The ratio of 300, over generations and formats",
    question="Is it true of most chips that they multiply some 300 parameters while they read one?",
    caption="Each dot is a chip of the catalog in a number format, by its maker's peaks: 16 bits in ink, 8 bits in"
    " blue, 4 bits in violet. Halving the bytes of a parameter and doubling the rate leaves the ratio as it is; what"
    " moves it is memory that grows slower, or faster, than arithmetic.",
    formula=(
        Term(tex=r"R", colour=Colour.BOUND),
        Term(tex=r"\;=\;"),
        Term(tex=r"\dfrac{F}{2}", colour=Colour.COMPUTE),
        Term(tex=r"\cdot"),
        Term(tex=r"\dfrac{b_w}{W}", colour=Colour.WEIGHTS),
    ),
    symbols=(
        Symbol(tex="F", meaning="peak of the chip in that format, FLOP/s; two FLOP a multiplication"),
        Symbol(tex="b_w", meaning="bytes of a parameter in it"),
        Symbol(tex="W", meaning="memory bandwidth, bytes/s"),
    ),
    controls=(controls.parameters_per_read(BALANCE_RATIO),),
    views=(
        View(
            compute=_ratio,
            x=Axis(caption="year in which the chip came out", dimension="year"),
            y=Axis(caption="parameters multiplied while one is read", dimension="count", is_logarithmic=True),
        ),
    ),
    claims=("A10",),
    exercises=("roofline-ratio",),
)
