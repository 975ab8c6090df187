"""The 300: parameters that a chip multiplies while it reads one, over generations and number formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.companions import Meanwhile
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import BALANCE_RATIO
from ridgeline.boards.picture import Axis, Colour, Curves, Dots
from ridgeline.boards.pictures import curve, curves, linear
from ridgeline.catalog import load_machine, machine_entry, machine_ids
from ridgeline.equations import roofline
from ridgeline.specs.machine import Chip
from ridgeline.specs.number_format import number_format

__all__ = ["BOARD", "every_ratio", "ratio_in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A number format as it is drawn.

    Attributes:
        name: name beside the dots.
        colour: colour of the dots.
        right_years: how far right of its year a dot lies, so that formats of one chip lie side by side.
        named: chips whose names stand beside their dots, where there is room.
    """

    name: str
    colour: Colour
    right_years: float
    named: tuple[str, ...]


FORMATS = {
    "bf16": Shown(
        name="16 bits",
        colour=Colour.ASIDE,
        right_years=-0.2,
        named=("a100-80-sxm", "h100-sxm", "h200-sxm", "h20-sxm", "tpu-v6e", "tpu-v5p"),
    ),
    "fp8": Shown(name="8 bits", colour=Colour.ALSO, right_years=0.0, named=("tpu-v7", "mi300x")),
    "fp4": Shown(
        name="4 bits",
        colour=Colour.BOUND,
        right_years=0.2,
        named=("rubin-ultra-nvl576", "gb200-nvl72", "gb300-nvl72", "vr200-nvl144", "mi355x"),
    ),
}
"""Number formats whose peaks chips' makers compare."""
BITS_PER_BYTE = 8
MARGIN_YEARS = 0.6
LEAST_RATIO, MOST_RATIO = 30.0, 800.0
"""Ends of what the line is turned to: a little beyond all chips, so that it stays among them."""


def ratio_in(chip: Chip, name: str) -> float:
    """Parameters of a format that a chip multiplies while it reads one; as on the board, scales of blocks left out."""
    found = roofline.balance_ratio(
        flop_per_s=chip.flop_per_s[name],
        hbm_bytes_per_s=chip.hbm_bytes_per_s,
        bytes_per_param=number_format(name).value_bits / BITS_PER_BYTE,
    )
    return float(found)


def every_ratio() -> Iterator[tuple[float, str]]:
    """Ratio of each chip of the catalog in each format that is drawn, with the name of its machine in a sentence."""
    for one in machine_ids():
        facts, chip = machine_entry(one).facts, load_machine(one).chip
        yield from (
            (ratio_in(chip, name), facts.short_name or facts.name) for name in FORMATS if name in chip.flop_per_s
        )


def _dots(name: str, shown: Shown) -> Dots:
    """Chips of the catalog that have the format, by the year in which they came out."""
    entries = [(one, machine_entry(one).facts.released, load_machine(one).chip) for one in machine_ids()]
    having = [(one, year, chip) for one, year, chip in entries if name in chip.flop_per_s]
    return Dots(
        name=shown.name,
        x=np.array([year + shown.right_years for _, year, _ in having]),
        y=np.array([ratio_in(chip, name) for *_, chip in having]),
        labels=tuple(one if one in shown.named else "" for one, *_ in having),
        colour=shown.colour,
        is_named=True,
        names=tuple(one for one, *_ in having),
    )


def _ratio(values: Values) -> Curves:
    dots = tuple(_dots(name, shown) for name, shown in FORMATS.items())
    years = np.concatenate([one.x for one in dots])
    ratio = values["balance_ratio"]
    return curves(
        linear(float(years.min()) - MARGIN_YEARS, float(years.max()) + MARGIN_YEARS, is_closed=True),
        curve(f"{ratio:,.0f}", ratio, Colour.BOUND, is_bold=True),
        dots=dots,
        top=1.5 * float(max(one.y.max() for one in dots)),
        bottom=0.6 * float(min(one.y.min() for one in dots)),
        companion=Meanwhile(
            multiplied=ratio, text="What a chip multiplies while a parameter is on its way from memory"
        ),
    )


BOARD = Board(
    name="ratio",
    time_stamp="0:17:00",
    title="The ratio of 300, by generation and format",
    question="Do most chips multiply about 300 parameters in the time it takes to read one?",
    caption="Each dot is a chip of the catalog in one number format, at its maker's peak. Within a year, formats of"
    " 16, 8 and 4 bits stand from left to right. Half the bytes at twice the rate leave the ratio as it is."
    " The ratio rises where compute grows faster than bandwidth, and falls where a chip gets faster memory.",
    formula=(
        Term(tex=r"R", colour=Colour.BOUND),
        Term(tex=r"\;=\;"),
        Term(tex=r"\dfrac{F}{2}", colour=Colour.COMPUTE),
        Term(tex=r"\cdot"),
        Term(tex=r"\dfrac{b_w}{W}", colour=Colour.WEIGHTS),
    ),
    controls=(
        replace(
            controls.parameters_per_read(BALANCE_RATIO),
            careful=float(BALANCE_RATIO),
            low=LEAST_RATIO,
            high=MOST_RATIO,
        ),
    ),
    views=(
        View(
            compute=_ratio,
            x=Axis(caption="year of the chip, formats side by side", dimension="year"),
            y=Axis(caption="parameters multiplied while one is read", dimension="count", is_logarithmic=True),
        ),
    ),
    claims=("A10",),
    exercises=("roofline-ratio",),
    first_move=FirstMove(
        control="balance_ratio",
        to=600.0,
        then="the line rises above most of the chips",
        seen=(Moves(what="", way=Way.UP),),
    ),
)
