"""Exercises on boards: numbers put into the text, answer computed, a reader's answer judged."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ridgeline.boards.card import Level
from ridgeline.boards.in_a_sentence import NAMED_COUNTS
from ridgeline.boards.place import Place
from ridgeline.numeric import ROUNDING, Numeric
from ridgeline.quantity_text import format_quantity, parse_quantity
from ridgeline.seconds import DAY_S, HOUR_S, MINUTE_S

__all__ = ["DIGITS", "KINDS", "Exercise", "Judgement", "compose", "dimension_of", "judge", "shown", "worked"]

KINDS = {
    "s": "a time, such as 20 ms",
    "bytes": "bytes, such as 12 GB",
    "bytes_per_s": "bytes per second, such as 3 TB/s",
    "flop": "FLOP, such as 2e24 FLOP",
    "tokens_per_s": "tokens per second, such as 100 ktok/s",
    "usd": "dollars, such as $1.50",
    "usd_per_token": "dollars per million tokens, such as $0.50/Mtok",
    "fraction": "a share, such as 0.3 or 30 %",
    "count": "a number, such as 2,400 or 15T",
}
"""Names of answers' dimensions for the reader."""

DIGITS = 4
"""Significant digits that are shown; no exercise asks for more."""

PRICE_OF_TOKENS = "usd_per_token"
PER_CENT = 100
ASKED = {PRICE_OF_TOKENS: "/Mtok", "usd": ""}
"""Suffix of an amount in dollars, by dimension, where the question names the unit."""
TO_A_MILLION = " * 1 million"
"""Factor from the price of a token, which a working gives, to that of a million, in which it is answered."""
AMOUNT = re.compile(r"\$?\s*[\d.,]+")
"""Pattern of an amount alone, with or without its dollar sign."""
LONG_TIMES = ((DAY_S, "days"), (HOUR_S, "h"), (MINUTE_S, "min"))
WITH_EXPONENT = 1e18
TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One question.

    Attributes:
        id: topic and word, such as "roofline-floor"; its chapter and boards list it.
        question: question in our own words, with its numbers and the required accuracy.
        inputs: numbers in base units, by the glossary's names or in words.
        answer: function that computes the answer in the base unit of ``dimension``.
        dimension: dimension of the answer, as ``parse_quantity`` knows it.
        tolerance: part by which an answer may differ.
        working: method in words, and the formula with the numbers put in, up to the answer.
        equation: name of the function behind it, from ``ridgeline.equations`` on, or from ``ridgeline`` on where it is
            an algorithm.
        time_stamp: time stamp of the lecture's passage, such as "0:09:54".
        level: how far it goes beyond what was said.
        place: position of the answer on a board's picture; None where no picture has it.
    """

    id: str
    question: str
    inputs: Mapping[str, float]
    answer: Callable[[], float]
    dimension: str
    tolerance: float
    working: str
    equation: str
    time_stamp: str
    level: Level = Level.APPLY
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Judgement of a reader's answer.

    Attributes:
        value: value that was read, in base units.
        is_right: whether it is within the tolerance.
    """

    value: float
    is_right: bool


def compose(
    name: str,
    *,
    time_stamp: str,
    question: str,
    inputs: Mapping[str, float],
    equation: Callable[..., Any],
    dimension: str,
    tolerance: float,
    working: str,
    answer: Callable[[], Numeric] | None = None,
    level: Level = Level.APPLY,
    place: Place | None = None,
) -> Exercise:
    """An exercise whose texts take their numbers from ``inputs``, so that text and answer cannot part.

    Args:
        name: topic and word, such as "roofline-floor".
        time_stamp: time stamp of the lecture's passage, such as "0:09:54"; where the lecture does not treat it, of the
            claim that the question exercises.
        question: question with ``{name}`` wherever an input goes.
        inputs: numbers in base units.
        equation: equation that the answer rests on.
        dimension: dimension of the answer.
        tolerance: part by which an answer may differ.
        working: method in words, and after a colon the formula, with ``{name}`` wherever an input goes and ``*`` for
            times; the formula of a price is for one token.
        answer: function that computes the answer; the equation of the inputs if left out.
        level: how far it goes: what was said again, its formula on other numbers, or several of them together.
        place: position of the answer on a board's picture.
    """
    said = {name: _said(name, value) for name, value in inputs.items()}
    module = equation.__module__.removeprefix("ridgeline.").removeprefix("equations.")
    near = f"to within {100 * tolerance:.3g} %" if tolerance else "exactly"
    compute: Callable[[], Numeric] = answer or (lambda: equation(**inputs))
    return Exercise(
        id=name,
        question=f"{question.format(**said)} Answer {'in $/Mtok, ' * (dimension == PRICE_OF_TOKENS)}{near}.",
        inputs=inputs,
        answer=lambda: float(compute()),
        dimension=dimension,
        tolerance=tolerance,
        working=f"{working}{TO_A_MILLION * (dimension == PRICE_OF_TOKENS)}".replace(" *", f" {TIMES}").format(**said),
        equation=f"{module}.{equation.__name__}",
        time_stamp=time_stamp,
        level=level,
        place=place,
    )


def dimension_of(name: str) -> str:
    """Dimension of an input by its name, which ends in a unit or contains its dimension.

    >>> [dimension_of(name) for name in ("period_s", "hbm_bytes_per_s", "kv_bytes_per_token", "usd_per_chip_s")]
    ['s', 'bytes_per_s', 'bytes', 'usd_per_s']
    """
    rules = (
        ("usd_per_token", name.startswith("usd_per_") and name.endswith("token")),
        ("usd_per_s", "usd_per_" in name and name.endswith("_s")),
        ("usd", "usd" in name),
        ("tokens_per_s", name.startswith("tokens_per_s")),
        ("bytes_per_s", name.endswith("bytes_per_s")),
        ("bytes", "bytes" in name),
        ("flop_per_s", name.endswith("flop_per_s")),
        ("fraction", name.endswith("_fraction")),
        ("s", name.endswith("_s")),
    )
    return next((dimension for dimension, fits in rules if fits), "count")


def judge(exercise: Exercise, text: str) -> Judgement:
    """Judge the answer that a reader wrote.

    Args:
        exercise: exercise that was answered.
        text: a number with its unit; where a price is asked for, "5" is "$5", and of tokens dollars per million; where
            a share is, "30" is "30 %".

    Raises:
        QuantityError: it is no number with a unit of the answer's kind, which is not the same as being wrong.
    """
    unit = ASKED.get(exercise.dimension)
    if unit is not None and AMOUNT.fullmatch(text.strip()):
        text = f"${text.strip().removeprefix('$')}{unit}"
    value = parse_quantity(text, exercise.dimension)
    # No share is larger than the whole.
    if exercise.dimension == "fraction" and value > 1:
        value /= PER_CENT
    answer = exercise.answer()
    off = abs(value - answer)
    return Judgement(value=value, is_right=off <= max(exercise.tolerance, ROUNDING) * abs(answer))


def shown(value: float, dimension: str, digits: int = DIGITS) -> str:
    """A quantity as a reader writes it: minutes and days where they read better, counts in full up to a million.

    >>> shown(548.57, "s"), shown(2400, "count"), shown(1.2e26, "flop")
    ('9.143 min', '2,400', '1.2e26 FLOP')
    """
    if dimension == "count" and abs(value) < NAMED_COUNTS[-1][0]:
        whole = float(f"{value:.{digits}g}") if value != int(value) else value
        return f"{whole:,.10g}"
    if dimension == "s":
        for length, unit in LONG_TIMES:
            if value >= 2 * length:
                return f"{value / length:.{digits}g} {unit}"
    if dimension == "flop" and value >= WITH_EXPONENT:
        return f"{value:.{digits}g} FLOP".replace("e+", "e")
    return format_quantity(value, dimension, digits)


def worked(exercise: Exercise, digits: int = DIGITS) -> str:
    """Working up to the answer."""
    return f"{exercise.working} = {shown(exercise.answer(), exercise.dimension, digits)}"


def _said(name: str, value: float) -> str:
    """An input in a sentence: large counts in words, since a B beside bytes could be either."""
    dimension = dimension_of(name)
    if dimension == "count":
        for scale, word in NAMED_COUNTS:
            if abs(value) >= scale:
                return f"{value / scale:.10g} {word}"
    return shown(value, dimension)
