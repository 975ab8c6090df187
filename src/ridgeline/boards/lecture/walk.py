"""The lecture's walk as plain data: what each step shows, asks and says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal, TypedDict

from ridgeline.boards.board import Board, ControlError, Facts, Mode, Values
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.choice import Choice, Sketch, right_of, told_before
from ridgeline.boards.constant import Origin
from ridgeline.boards.documents.letters import LetterDocument, PieceDocument, equations_document, letters_document
from ridgeline.boards.documents.record import record_document
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.grounds import Follows, Grounds
from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board
from ridgeline.boards.live_controls import Recorded
from ridgeline.boards.picture import Colour, Curves
from ridgeline.boards.place import Way, height_at
from ridgeline.boards.tie import NUMBER
from ridgeline.boards.turned import end_text
from ridgeline.boards.walk import (
    Question,
    Rung,
    Seen,
    Step,
    drawn,
    formula_of,
    line_named,
    mark_named,
    other_than,
    placed,
    question_x,
    read_place,
    see,
    told,
)
from ridgeline.boards.written import flat

__all__ = [
    "ChoiceDocument",
    "FollowsDocument",
    "GroundsDocument",
    "NamedDocument",
    "OptionDocument",
    "PredictionDocument",
    "RungDocument",
    "SketchDocument",
    "StepDocument",
    "TieDocument",
    "TurnedDocument",
    "WalkDocument",
    "opened_document",
    "others_of",
    "rungs_document",
    "sentence_of",
    "step_document",
    "step_id",
    "unbroken",
    "walk_document",
]

UNIT = re.compile(r"(?<=\d) (?=(?:[kMGTP]?B|[mµn]?s|%)(?!\w))")
"""Space before the unit of a number."""


class FollowsDocument(TypedDict):
    """A number that follows from a guess: it, or one over it, times a factor.

    Attributes:
        dimension: dimension of the number.
        times: factor, in the units of the number and of the guess.
        is_over: whether it falls as the guess rises.
        form: text around the number, which stands for "{}".
    """

    dimension: str
    times: float
    is_over: bool
    form: str


class GroundsDocument(TypedDict):
    """Known numbers beside the one that is asked for, to reason from.

    Attributes:
        columns: names of the columns.
        rows: known numbers, as texts.
        asked: row of what is asked, with what follows from a guess.
    """

    columns: list[str]
    rows: list[list[str]]
    asked: list[str | FollowsDocument]


class PredictionDocument(TypedDict):
    """A point to guess.

    Attributes:
        prompt: question in words.
        axis: axis that the guess is read from: "y" upright, "x" along.
        dimension: dimension of that axis, by which a guess is written.
        line: name of the line on which the point lies, as the view has it; a height is guessed before it is drawn.
        x: abscissa of the point, in base units.
        y: ordinate of the point, in base units.
        known_from: start of the part of the line that is drawn before the guess; None for the axis' start. Both are
            None for a line that stays hidden.
        known_to: end of that part.
        tolerance_ratio: factor by which a guess may be too high or too low and still be right.
        reveal: answer that is shown with the line.
        terms: how many terms of the formula are shown until the answer; None for all that the step shows.
        grounds: known numbers to reason from; None for none.
    """

    prompt: str
    axis: Way
    dimension: str
    line: str
    x: float
    y: float
    known_from: float | None
    known_to: float | None
    tolerance_ratio: float
    reveal: str
    terms: int | None
    grounds: GroundsDocument | None


class OptionDocument(TypedDict):
    """One of several answers.

    Attributes:
        name: answer in a few words.
        size: number for which it stands, drawn as a bar beside the others' bars; None for an answer without one.
        colour: colour of what it names in the drawing; None for an answer that names nothing drawn.
    """

    name: str
    size: float | None
    colour: Colour | None


class SketchDocument(TypedDict):
    """Part of a chart that is drawn before the answer.

    Attributes:
        asked: name of the line that the answer is about.
        lines: names of the lines that are drawn.
        marks: names of the marks that are drawn.
        dots: names of the dots that are drawn besides those that belong to the lines.
        until: position along up to which the lines are drawn; None for their whole length.
        asked_at: position along of what is asked; None where it lies at none.
    """

    asked: str
    lines: list[str]
    marks: list[str]
    dots: list[str]
    until: float | None
    asked_at: float | None


class ChoiceDocument(TypedDict):
    """A question that one of a few answers is chosen for, before the picture is seen.

    Attributes:
        prompt: question in words.
        options: answers to choose from.
        right: place of the answer that the step's numbers give, from 0.
        why: reason for it, in a clause.
        told: index of the first character of the sentence that waits for the answer.
        terms: how many terms of the formula are shown until the answer; None for all that the step shows.
        sketch: part of the chart that is drawn before the answer; None for its axes alone.
    """

    prompt: str
    options: list[OptionDocument]
    right: int
    why: str
    told: int
    terms: int | None
    sketch: SketchDocument | None


class NamedDocument(TypedDict):
    """Words of a sentence that name what is drawn.

    Attributes:
        start: index of the first character, from 0.
        end: index of the first character after them.
        colour: colour of the lines and terms that they name.
    """

    start: int
    end: int
    colour: Colour


class TieDocument(TypedDict):
    """Number of a sentence that is tied to what is drawn.

    Attributes:
        start: index of the first character, from 0.
        end: index of the first character after it, behind its unit.
        x: position along at which a handle reads it; None where no handle does.
        mark: name of the mark that has it; empty for none.
        control: name of the control whose value it is; empty for none.
    """

    start: int
    end: int
    x: float | None
    mark: str
    control: str


class TurnedDocument(TypedDict):
    """Source of a number that a step has turned.

    Attributes:
        origin: whether it was said, follows from what was said, or was filled in here.
        why: reason for it, or how the speaker limited it.
        time_stamp: time stamp in the lecture; empty for a number that was filled in.
    """

    origin: Origin
    why: str
    time_stamp: str


class RungDocument(TypedDict):
    """One of several numbers that bear one name, told apart.

    Attributes:
        name: name of the number.
        of: factors or premises behind it.
        value: number in base units; None where there is none.
        text: number as it is read.
    """

    name: str
    of: str
    value: float | None
    text: str


class StepDocument(TypedDict):
    """One step.

    Attributes:
        id: board and time stamp of the step, which stay the same where steps come in between.
        chapter: name of the chapter that tells it, which need not be the board's own.
        time_stamp: time stamp of the lecture's point.
        board: name of the board.
        view: number of the view, from 0.
        sentence: argument in words.
        named: words of the sentence that name things drawn, in their order.
        ties: numbers of the sentence that a handle, a mark or a control has, in their order.
        mode: mode whose numbers are drawn, or both.
        is_alike: whether words and picture are the same by his numbers and by sourced ones.
        turned: controls that are not where they start, as a person writes them, in the mode or modes of the step alone.
        turned_by: sources of these numbers, by control.
        controls: names of those that move the lines shown by now, which may be none; None for all that move the view.
        formula: equation of what is drawn; null for the board's formula.
        terms: how many terms of the formula are shown by now.
        letters: letters of the terms that are shown by now, explained.
        letters_asked: how many of these letters the terms have that are shown while the step asks.
        lines: names of the lines shown by now, as the view has them in either mode; empty for all. What a name has
            after a colon moves with the controls, so that once one is turned the words before it tell which is meant.
        read_at: position along at which a bill is first read; None where the page chooses it.
        read_mark: name of the mark where that is, if it follows the mark; null where it stays.
        claims: ids of the ledger's rows to light.
        question: question that is answered before its line is drawn; None where nothing is asked on the chart.
        choice: question that is answered before the picture is drawn; None where there is nothing to choose.
        opened: colours of the parts of a decode step that the opened chip shows by now; empty where it is not shown.
        ladder: numbers of one name that the steps up to here have told; empty for none.
        answer: answer to the question of the chapter that ends here; empty where none ends.
    """

    id: str
    chapter: str
    time_stamp: str
    board: str
    view: int
    sentence: str
    named: list[NamedDocument]
    ties: list[TieDocument]
    mode: Literal["lecture", "careful", "both"]
    is_alike: bool
    turned: dict[str, str]
    turned_by: dict[str, TurnedDocument]
    controls: list[str] | None
    formula: list[list[PieceDocument]] | None
    terms: int
    letters: list[LetterDocument]
    letters_asked: int
    lines: list[str]
    read_at: float | None
    read_mark: str | None
    claims: list[str]
    question: PredictionDocument | None
    choice: ChoiceDocument | None
    opened: list[Colour]
    ladder: list[RungDocument]
    answer: str


class WalkDocument(TypedDict):
    """The whole walk.

    Attributes:
        steps: steps in the order of the recording.
    """

    steps: list[StepDocument]


@lru_cache(maxsize=1)
def walk_document() -> WalkDocument:
    """The walk, computed once: it starts from the boards' own facts, which nothing moves."""
    return {"steps": [step_document(step, chapter) for chapter in CHAPTERS for step in chapter.steps]}


def step_document(step: Step, chapter: Chapter) -> StepDocument:
    """A step, told in a chapter."""
    one = board(step.board)
    seen = see(step, one, {claim.id: claim for claim in CLAIMS})
    sentence, formula = sentence_of(step, seen), formula_of(step, one)
    terms = len(formula) if step.terms is None else step.terms
    return {
        "id": step_id(step),
        "chapter": chapter.name,
        "time_stamp": step.time_stamp,
        "board": step.board,
        "view": step.view,
        "sentence": sentence,
        "named": _named(step, sentence),
        "ties": _ties(step, seen, sentence),
        "mode": "both" if len(step.modes) > 1 else step.modes[0].value,
        "is_alike": is_alike(step, seen),
        "turned": {name: end_text(one.control(name), float(by)) for name, by in step.turned.items()},
        "turned_by": {
            name: {"origin": by.origin, "why": by.why or by.hedge, "time_stamp": by.time_stamp}
            for name, by in step.turned.items()
        },
        "controls": None if step.controls is None else list(step.controls),
        "formula": None if step.formula is None else equations_document(formula),
        "terms": terms,
        "letters": letters_document(one, formula[:terms]),
        "letters_asked": len(letters_document(one, formula[: _asked_terms(step, terms)])),
        "lines": _lines(step, seen),
        "read_at": None if (place := read_place(step)) is None else placed(place, seen),
        "read_mark": step.read_mark,
        "claims": list(step.claims),
        "question": None if step.question is None else _question(step.question, seen),
        "choice": None if step.choice is None else _choice(step.choice, seen, sentence),
        "opened": list(step.opened),
        "ladder": rungs_document(step.ladder(seen)) if step.ladder else [],
        "answer": unbroken(told(step.answer, seen)),
    }


def _asked_terms(step: Step, terms: int) -> int:
    """How many terms of the formula are shown while a step asks, of those that it shows by now."""
    asked = step.question or step.choice
    return terms if asked is None or asked.terms is None else asked.terms


def others_of(board: Board, facts: Facts) -> dict[str, str]:
    """Sentences of a board's steps on the numbers that they do not open in, by id; steps without one are left out."""
    found: dict[str, str] = {}
    for step in (one for chapter in CHAPTERS for one in chapter.steps if one.board == board.name and one.other):
        with suppress(ControlError):  # without such a fact there is no picture to speak of
            found[step_id(step)] = unbroken(other_than(step, see(step, board, {one.id: one for one in CLAIMS}, facts)))
    return found


def is_alike(step: Step, seen: Seen) -> bool:
    """Whether words and picture of a step are the same by either numbers, of whatever model and machine."""
    if step.other:
        return False
    values = [Recorded(seen.values[mode]) for mode in Mode]
    his, sourced = (view_document(seen.view, one) for one in values)
    return his == sourced and not any(callable(seen.board.control(name).careful) for one in values for name in one.read)


def rungs_document(rungs: Iterable[Rung]) -> list[RungDocument]:
    """Numbers of one name, told apart."""
    return [{"name": one.name, "of": one.of, "value": one.value, "text": one.text} for one in rungs]


def opened_document(board: Board, values: Mapping[Mode, Values]) -> dict[Mode, dict[str, Any]]:
    """The opened chip of a board at given values of its controls, by mode; empty for a board without one."""
    if board.opened is None:
        return {}
    return {mode: record_document(board.opened(found)) for mode, found in values.items()}


def step_id(step: Step) -> str:
    """Name of a step that stays when others come before it."""
    return f"{step.board}-{step.time_stamp}"


def sentence_of(step: Step, seen: Seen) -> str:
    """A step's sentence with its numbers, in which no line breaks between a number and its unit."""
    return unbroken(told(step.sentence, seen))


def unbroken(text: str) -> str:
    """Text in which no line breaks between a number and its unit."""
    return UNIT.sub("\N{NO-BREAK SPACE}", text)


def _named(step: Step, sentence: str) -> list[NamedDocument]:
    """Places in the sentence at which each name first occurs, as whole words."""
    places: list[NamedDocument] = []
    for words, colour in step.named.items():
        found = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", sentence)
        if not found:
            raise ValueError(
                f"step {step_id(step)} names {words!r}, which its sentence has not; name words of {sentence!r}"
            )
        places.append({"start": found.start(), "end": found.end(), "colour": colour})
    return sorted(places, key=lambda one: one["start"])


def _ties(step: Step, seen: Seen, sentence: str) -> list[TieDocument]:
    """Numbers of the sentence that a hand can follow to the drawing."""
    numbers = list(NUMBER.finditer(sentence))
    if len(numbers) != len(step.ties):
        raise ValueError(
            f"step {step_id(step)} ties {len(step.ties)} numbers, and its sentence has {[one[0] for one in numbers]};"
            " say of each what it is on the drawing"
        )
    return [
        {
            "start": number.start(),
            "end": number.end(),
            "x": None if tie.x is None else tie.x(seen, step),
            "mark": tie.mark,
            "control": tie.control,
        }
        for number, tie in zip(numbers, step.ties, strict=True)
        if tie.x or tie.mark or tie.control
    ]


def _lines(step: Step, seen: Seen) -> list[str]:
    """Names of lines in both modes, without duplicates."""
    pictures = [picture for mode in step.modes if isinstance(picture := seen.pictures[mode], Curves)]
    return list(dict.fromkeys(flat(line_named(one, name).name) for name in step.lines for one in pictures))


def _question(question: Question, seen: Seen) -> PredictionDocument:
    x = question_x(question, seen)
    known_from, known_to = (
        None if place is None else placed(place, seen) for place in (question.known_from, question.known_to)
    )
    return {
        "prompt": unbroken(told(question.prompt, seen)),
        "axis": question.way,
        "dimension": (seen.view.x if question.way is Way.ALONG else seen.view.y).dimension,
        "line": flat(line_named(drawn(seen), question.line).name),
        "x": x,
        "y": height_at(drawn(seen), question.line, x),
        "known_from": known_from,
        "known_to": known_to,
        "tolerance_ratio": question.tolerance_ratio,
        "reveal": unbroken(told(question.reveal, seen)),
        "terms": question.terms,
        "grounds": _grounds(question.grounds(seen)) if question.grounds else None,
    }


def _choice(choice: Choice, seen: Seen, sentence: str) -> ChoiceDocument:
    return {
        "prompt": unbroken(told(choice.prompt, seen)),
        "options": [{"name": unbroken(one.name), "size": one.size, "colour": one.colour} for one in choice.options],
        "right": right_of(choice, seen),
        "why": unbroken(told(choice.why, seen)),
        "told": told_before(choice, sentence),
        "terms": choice.terms,
        "sketch": _sketch(choice.sketch, seen) if choice.sketch else None,
    }


def _sketch(sketch: Sketch, seen: Seen) -> SketchDocument:
    until, asked_at = (place and place(seen) for place in (sketch.until, sketch.asked_at))
    return {
        "asked": flat(line_named(drawn(seen), sketch.asked).name),
        "lines": [flat(line_named(drawn(seen), told(name, seen)).name) for name in sketch.lines],
        "marks": [mark_named(seen, name).name for name in sketch.marks],
        "dots": [_dot_named(seen, name) for name in sketch.dots],
        "until": until,
        "asked_at": asked_at,
    }


def _dot_named(seen: Seen, name: str) -> str:
    """The name itself.

    Raises:
        ValueError: no dot is so named; lists those that there are.
    """
    names = [one for dots in drawn(seen).dots for one in dots.names or ()]
    if name not in names:
        raise ValueError(f"the picture has no dot {name!r}; there are {', '.join(names)}")
    return name


def _grounds(found: Grounds) -> GroundsDocument:
    return {
        "columns": list(found.columns),
        "rows": [[unbroken(text) for text in row] for row in found.rows],
        "asked": [_follows(one) if isinstance(one, Follows) else unbroken(one) for one in found.asked],
    }


def _follows(found: Follows) -> FollowsDocument:
    return {"dimension": found.dimension, "times": found.times, "is_over": found.is_over, "form": found.form}
