"""Formulas and controls as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NotRequired, TypedDict

from ridgeline.boards.board import Board, Control, Facts, LetterNumber, Mode, Term, Values
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.equations_of import equations_of
from ridgeline.boards.letters import INDICES, LETTERS, Letter, letter_of, letters_in
from ridgeline.boards.picture import Colour
from ridgeline.glossary import GLOSSARY
from ridgeline.quantity_text import format_quantity

__all__ = [
    "ControlDocument",
    "LetterDocument",
    "PieceDocument",
    "TermDocument",
    "control_document",
    "equations_document",
    "letters_document",
    "numbers_document",
    "term_document",
]


class TermDocument(TypedDict):
    """A part of a board's formula.

    Attributes:
        tex: source in LaTeX's math mode.
        colour: colour of the lines that the term makes; null for signs that join terms.
    """

    tex: str
    colour: Colour | None


class PieceDocument(TermDocument):
    """A term of an equation, or what the equation has of a term that joins it to another.

    Attributes:
        place: number of the term in the board's formula, from 0.
    """

    place: int


class LetterDocument(TypedDict):
    """A letter of a formula, explained.

    Attributes:
        tex: letter as it stands in the formula.
        meaning: two to four words that follow it.
        control: name of the control that turns it; null where none does.
        of: control whose basis its number shares, where none turns it; absent where it shares none.
        factors: controls whose product it is, if it is one; among the lecture's numbers they stand beside it.
    """

    tex: str
    meaning: str
    control: str | None
    of: NotRequired[str]
    factors: NotRequired[list[str]]


class ControlDocument(TypedDict):
    """A number that can be turned, and where it starts in each mode.

    Attributes:
        name: name in the glossary, in links and on the command line.
        label: label beside its slider.
        short: short name beside a slider's value.
        symbol: letter of the quantity in plain text; empty where it has none.
        tex: letter of the quantity, as formulas have it; empty where it has none.
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
    tex: str
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


def equations_document(formula: Iterable[Term]) -> list[list[PieceDocument]]:
    """A formula as its equations."""
    return [[{"place": place, **term_document(term)} for place, term in equation] for equation in equations_of(formula)]


def letters_document(board: Board, formula: Iterable[Term]) -> list[LetterDocument]:
    """Letters of a board's formula, explained, each once and in their order; without those that only count."""
    turned = {control.name: control for control in board.controls}
    named = dict.fromkeys(chain.from_iterable(letters_in(term.tex) for term in formula))
    numbers = {one.tex: one for one in board.letter_numbers}
    return [
        _letter_document(one, turned.get(one.quantity), numbers.get(one.tex))
        for name in named
        if name not in INDICES and (one := LETTERS[name])
    ]


def _letter_document(letter: Letter, control: Control | None, number: LetterNumber | None) -> LetterDocument:
    found: LetterDocument = {
        "tex": letter.tex,
        "meaning": (control.lettered if control else "") or letter.meaning,
        "control": control.name if control else None,
    }
    if number and number.of and found["control"] is None:
        found["of"] = number.of
    if number and number.factors:
        found["factors"] = list(number.factors)
    return found


def numbers_document(board: Board, values: Mapping[Mode, Values]) -> dict[Mode, dict[str, str]]:
    """Texts of the letters' numbers that no control turns, by mode and letter."""
    return {mode: {one.tex: _number_text(one, at) for one in board.letter_numbers} for mode, at in values.items()}


def _number_text(letter: LetterNumber, values: Values) -> str:
    text = format_quantity(letter.value(values), letter.dimension)
    return f"{text} ({letter.example})" if letter.example else text


def control_document(control: Control, facts: Facts) -> ControlDocument:
    """Document of a control, with its start in each mode."""
    found: ControlDocument = {
        "name": control.name,
        "label": control.label,
        "short": control.short or control.label,
        "symbol": GLOSSARY[control.name].symbol,
        "tex": letter_of(control.name),
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
