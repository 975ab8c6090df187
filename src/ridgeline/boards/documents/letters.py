"""Formulas and controls as plain data."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from ridgeline.boards.board import Control, Facts, Mode, Symbol, Term
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.picture import Colour
from ridgeline.glossary import GLOSSARY

__all__ = ["ControlDocument", "LetterDocument", "TermDocument", "control_document", "letter_document", "term_document"]


class TermDocument(TypedDict):
    """A part of a board's formula.

    Attributes:
        tex: source in LaTeX's math mode.
        colour: colour of the lines that the term makes; null for signs that join terms.
    """

    tex: str
    colour: Colour | None


class LetterDocument(TypedDict):
    """A letter of a formula, explained.

    Attributes:
        tex: letter as it stands in the formula.
        meaning: a noun phrase, with its unit where it has one.
    """

    tex: str
    meaning: str


class ControlDocument(TypedDict):
    """A number that can be turned, and where it starts in each mode.

    Attributes:
        name: name in the glossary, in links and on the command line.
        label: label beside its slider.
        short: short name beside a slider's value.
        symbol: letter of the quantity; empty where it has none.
        meaning: words after a number of it: "stages" in "4 stages".
        dimension: dimension of the number.
        low: low end of its range, in base units as all numbers here.
        high: high end of its range.
        is_whole: whether it counts what cannot be divided.
        lecture: start with the lecture's numbers.
        careful: start with the catalog's facts; null where the model or the machine does not have it.
        lecture_origin: origin of the lecture's number.
        lecture_time_stamp: time stamp of the lecture's number.
        filled_in: reason for the lecture's number where he gives none, in a few words; absent where he gives it.
        lecture_of: thing that the lecture's number is of, where it is not the usual one: "his next chip, Rubin".
        hedge: how the speaker limited it.
        careful_is: source of the catalog's number, where it is not plain.
    """

    name: str
    label: str
    short: str
    symbol: str
    meaning: str
    dimension: str
    low: float
    high: float
    is_whole: bool
    lecture: float | None
    careful: float | None
    lecture_origin: NotRequired[Origin]
    lecture_time_stamp: NotRequired[str]
    filled_in: NotRequired[str]
    lecture_of: NotRequired[str]
    hedge: NotRequired[str]
    careful_is: NotRequired[str]


def term_document(term: Term) -> TermDocument:
    """A part of a formula."""
    return {"tex": term.tex, "colour": term.colour}


def letter_document(symbol: Symbol) -> LetterDocument:
    """A letter, explained."""
    return {"tex": symbol.tex, "meaning": symbol.meaning}


def control_document(control: Control, facts: Facts) -> ControlDocument:
    """Document of a control, with its start in each mode."""
    found: ControlDocument = {
        "name": control.name,
        "label": control.label,
        "short": control.short or control.label,
        "symbol": GLOSSARY[control.name].symbol,
        "meaning": control.meaning,
        "dimension": control.dimension,
        "low": control.low,
        "high": control.high,
        "is_whole": control.is_whole,
        "lecture": control.start(Mode.LECTURE, facts),
        "careful": control.start(Mode.CAREFUL, facts),
    }
    if isinstance(control.lecture, Constant):
        found["lecture_origin"] = control.lecture.origin
        found["lecture_time_stamp"] = control.lecture.time_stamp
        found["hedge"] = control.lecture.hedge
        if control.lecture.origin is Origin.FILLED_IN:
            found["filled_in"] = control.lecture.why
        if control.lecture.of:
            found["lecture_of"] = control.lecture.of
    if control.careful_is and (source := control.careful_is(facts)):
        found["careful_is"] = source
    return found
