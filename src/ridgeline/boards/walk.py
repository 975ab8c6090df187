"""A walk: a lecture told on its boards, a step at a time, with questions that are answered on the chart.

A question asks for a point of a line before that line is drawn; the dot is judged by its ratio to the computed height.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ridgeline.boards.board import Board, Facts, Mode, Term, Values, View
from ridgeline.boards.choice import Choice
from ridgeline.boards.claim import Claim
from ridgeline.boards.clause import Clause
from ridgeline.boards.constant import Constant
from ridgeline.boards.exercise import shown
from ridgeline.boards.grounds import Grounds
from ridgeline.boards.in_a_sentence import singular
from ridgeline.boards.picture import Colour, Curves, Mark, Picture, Sheet
from ridgeline.boards.place import FINE, Way, line_named
from ridgeline.boards.tie import Tie

__all__ = [
    "FAIR",
    "FINE",
    "MAGNITUDE",
    "ROUGH",
    "Question",
    "Rung",
    "Seen",
    "Step",
    "along",
    "at_mark",
    "cell",
    "computed_of",
    "drawn",
    "formula_of",
    "height",
    "is_as_opened",
    "line_named",
    "mark_named",
    "once_turned",
    "other_mode",
    "other_than",
    "placed",
    "question_x",
    "read_place",
    "said_of",
    "see",
    "told",
    "turned_of",
    "upright",
]

FAIR = 1.5
"""Ratio for guesses on an axis of one or two powers of ten, and for heights near the foot of a linear one."""
ROUGH = 2.0
"""Ratio for guesses on an axis of three or four powers of ten, a tenth of its length to either side."""
MAGNITUDE = 3.0
"""Ratio, half a power of ten, where only the order of magnitude can be asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """State of a step, for sentences that take their numbers from there.

    Attributes:
        board: board whose view is shown.
        view: view that is shown.
        mode: mode from which numbers are taken unless another is named: the first of the step's own, or for its other
            sentence the one that it does not open in.
        values: values of all controls in each mode, the turned ones included.
        pictures: pictures of the view in each mode.
        claims: claims that the step lights, by id.
    """

    board: Board
    view: View
    mode: Mode
    values: Mapping[Mode, Values]
    pictures: Mapping[Mode, Picture]
    claims: Mapping[str, Claim]


Text = str | Callable[[Seen], str]
"""A sentence or two; computed where it has numbers that equations give."""
Place = float | Callable[[Seen], float]
"""Position on the horizontal axis, or a function that takes it from the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A point to guess on the chart: its height before its line is drawn, or its place on a line.

    Attributes:
        prompt: question in a sentence or two.
        line: name of the line that is asked for, as ``Step.lines`` names it; where its height is asked, it is left out
            until the answer, with what is marked on it.
        x: position on the horizontal axis, or a function that takes it from the picture.
        way: whether the line's height is asked for, or (with the line in sight) where along it the point lies.
        known_from: start of the part of the asked line that is drawn before the answer, so that a guess goes on from
            there; None for the axis' start. Both are None for a line that stays hidden.
        known_to: end of that part.
        tolerance_ratio: factor by which the guess may be too high or too low and still be right: one of the constants
            here, each of which says why it is so wide.
        reveal: answer that is shown with the line.
        terms: how many terms of the step's equation are shown until the answer, where a later one would tell it; None
            for all that the step has come to.
        grounds: function that gives what is known beside it, to reason from; None for nothing.
    """

    prompt: Text
    line: str
    x: Place
    tolerance_ratio: float
    reveal: Text
    way: Way = Way.UPRIGHT
    known_from: Place | None = None
    known_to: Place | None = None
    terms: int | None = None
    grounds: Callable[[Seen], Grounds] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One of several numbers that bear one name, told apart.

    Attributes:
        name: name of the number.
        of: factors or premises behind it, in a few words.
        value: number in base units; None where there is none.
        text: number as it is read.
    """

    name: str
    of: str
    value: float | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the walk.

    Attributes:
        board: name of the board.
        time_stamp: time stamp of the lecture's point, such as "0:09:54".
        sentence: argument in one or two sentences of our own.
        other: a sentence or two on the numbers of the mode that the step does not open in: what they show, and how they
            differ. Each number is computed, since the text is made anew at each turn of a control. Empty where both
            modes have the same picture, of which the sentence is true.
        view: number of the board's view, from 0.
        modes: modes whose numbers are drawn, one or both; only one where there is a question.
        formula: equation of what is drawn; None for the board's whole formula.
        terms: how many of its terms are shown by now; None for all of them.
        lines: names of the lines that are shown by now, the asked one among them; empty for all, and for pictures
            without lines. A name is what stands before the colon, since numbers after it move with the controls; where
            there is no colon, the words with which one line alone begins.
        turned: numbers of controls that are not where they start, each with its origin; in which modes they stand says
            ``turned_of``.
        controls: names of those that are offered, where fewer move the lines shown by now than move the whole view;
            none where nothing is turned; None for all that move the view.
        read_at: position along at which the picture's bill is first read, for a sentence that is true there; None for
            the page's own.
        read_mark: name of the mark where it is first read instead, which it follows where controls move the mark.
        named: words of the sentence that name what is drawn or stands in the formula, with its colour; each is found
            where the sentence first has it.
        claims: ids of the board's claims that the step is about.
        question: question that is answered on the chart before the step's line appears.
        choice: question that is answered by one of a few options before the step's picture appears; no step has both.
        opened: parts of a decode step that the opened chip of its board shows by now; empty where it is not shown. It
            comes with the answer where something is asked.
        ladder: function that gives the numbers of one name that the steps up to here have told; None for no ladder.
        ties: bonds of the sentence's numbers to the drawing, in the sentence's order.
        clauses: words of the sentence that hold under a condition, in the sentence's order.
        answer: answer to the question of the chapter that ends with the step; empty where none ends.
    """

    board: str
    time_stamp: str
    sentence: Text
    other: Text = ""
    view: int = 0
    modes: tuple[Mode, ...] = (Mode.LECTURE,)
    formula: tuple[Term, ...] | None = None
    terms: int | None = None
    lines: tuple[str, ...] = ()
    turned: Mapping[str, Constant] = field(default_factory=dict)
    controls: tuple[str, ...] | None = None
    read_at: Place | None = None
    read_mark: str | None = None
    named: Mapping[str, Colour] = field(default_factory=dict)
    claims: tuple[str, ...] = ()
    question: Question | None = None
    choice: Choice | None = None
    opened: tuple[Colour, ...] = ()
    ladder: Callable[[Seen], tuple[Rung, ...]] | None = None
    ties: tuple[Tie, ...] = ()
    clauses: tuple[Clause, ...] = ()
    answer: Text = ""


def see(step: Step, board: Board, claims: Mapping[str, Claim], facts: Facts | None = None) -> Seen:
    """State of a step, computed.

    Args:
        step: step that is shown.
        board: board that it names.
        claims: all claims by id.
        facts: facts of the careful numbers; None for the board's own.
    """
    view = board.views[step.view]
    values = {mode: board.values(mode, turned_of(step, mode), facts) for mode in Mode}
    return Seen(
        board=board,
        view=view,
        mode=step.modes[0],
        values=values,
        pictures={mode: view.compute(values[mode]) for mode in Mode},
        claims={name: claims[name] for name in step.claims},
    )


def other_mode(step: Step) -> Mode | None:
    """Mode that a step does not open in; None for a step that opens in both."""
    return next((mode for mode in Mode if mode not in step.modes), None)


def other_than(step: Step, seen: Seen) -> str:
    """Sentence of a step about the numbers that it does not open in; empty for a step without one."""
    mode = other_mode(step)
    return singular(told(step.other, replace(seen, mode=mode))) if mode else ""


def formula_of(step: Step, board: Board) -> tuple[Term, ...]:
    """Terms of a step's equation, those that are yet to come among them."""
    return board.formula if step.formula is None else step.formula


def turned_of(step: Step, mode: Mode) -> dict[str, float]:
    """Controls that a step has turned in a mode, in base units: none in a mode that it does not open in.

    Beside numbers of another mode they would make pairs that nobody gives.
    """
    return {name: float(one) for name, one in step.turned.items()} if mode in step.modes else {}


def is_as_opened(seen: Seen, *names: str, turned: Mapping[str, Constant] | None = None) -> bool:
    """Whether controls stand where their board starts them in the step's mode, or where the step has turned them."""
    now = seen.values[seen.mode]
    start = seen.board.values(seen.mode, {name: float(one) for name, one in (turned or {}).items()})
    return all(now[name] == start[name] for name in names)


def once_turned(
    words: str, then: Callable[[Seen], str], *names: str, turned: Mapping[str, Constant] | None = None
) -> Clause:
    """Words of a sentence that tell more once somebody has turned one of the controls.

    Args:
        words: words as the sentence has them when the step opens.
        then: function that computes what follows them from then on.
        names: names of the controls.
        turned: numbers that the step has turned itself.
    """
    return Clause(
        words=words,
        holds=lambda seen: is_as_opened(seen, *names, turned=turned),
        otherwise=lambda seen: words + then(seen),
    )


def told(text: Text, seen: Seen) -> str:
    """Sentence with its numbers."""
    return text if isinstance(text, str) else text(seen)


def question_x(question: Question, seen: Seen) -> float:
    """Position on the horizontal axis at which a question asks."""
    return placed(question.x, seen)


def placed(place: Place, seen: Seen) -> float:
    """Number of a position on the horizontal axis."""
    return float(place(seen) if callable(place) else place)


def read_place(step: Step) -> Place | None:
    """Position along at which a step's bill is first read; None for the page's own."""
    return step.read_at if step.read_mark is None else at_mark(step.read_mark)


def drawn(seen: Seen, mode: Mode | None = None) -> Curves:
    """The curves of a mode.

    Raises:
        TypeError: the view has none.
    """
    picture = seen.pictures[mode or seen.mode]
    if not isinstance(picture, Curves):
        raise TypeError(f"view {seen.view.heading!r} of board {seen.board.name!r} has no curves")
    return picture


def height(seen: Seen, name: str, x: float, mode: Mode | None = None) -> float:
    """Ordinate of a line, as it is drawn, or would be beyond the ends of its axis."""
    curves = drawn(seen, mode)
    if curves.x.size:
        curves = curves.over(min(x, float(curves.x[0])), max(x, float(curves.x[-1])))
    return float(np.interp(x, curves.x, line_named(curves, name).y))


def mark_named(seen: Seen, name: str, mode: Mode | None = None) -> Mark:
    """A point that the picture marks.

    Raises:
        ValueError: it marks no such point; lists those that there are.
    """
    marks = {mark.name: mark for mark in drawn(seen, mode).marks}
    if name not in marks:
        raise ValueError(f"{name!r} is not marked; there are {', '.join(marks)}")
    return marks[name]


def computed_of(seen: Seen, claim: str) -> float:
    """Our number of a claim of the step, on the lecture's own inputs.

    Raises:
        TypeError: nothing is computed for it.
    """
    found = seen.claims[claim].lecture_mode()
    if found is None:
        raise TypeError(f"claim {claim} has no number of ours; the sentence takes it from there")
    return found


def said_of(seen: Seen, claim: str) -> Constant:
    """Number of the lecture, of a claim of the step.

    Raises:
        TypeError: it says none.
    """
    said = seen.claims[claim].lecture
    if said is None:
        raise TypeError(f"claim {claim} has no number of the lecture; the sentence takes it from there")
    return said


def upright(seen: Seen, value: float, digits: int = 3) -> str:
    """Text of an ordinate, in the unit of the upright axis."""
    return shown(value, seen.view.y.dimension, digits)


def along(seen: Seen, value: float, digits: int = 3) -> str:
    """Text of a position on the horizontal axis."""
    return shown(value, seen.view.x.dimension, digits)


def at_mark(name: str) -> Callable[[Seen], float]:
    """Function that gives a marked point's position on the horizontal axis, for a question's x."""
    return lambda seen: mark_named(seen, name).x


def cell(seen: Seen, row: str, column: str, *, view: int | None = None) -> str:
    """Cell of a sheet by the names of its row and column: in the step's own view, or in another of its board.

    Raises:
        TypeError: the view is no sheet.
        ValueError: it has no such row or column; lists those that there are.
    """
    asked = seen.view if view is None else seen.board.views[view]
    picture = seen.pictures[seen.mode] if view is None else asked.compute(seen.values[seen.mode])
    if not isinstance(picture, Sheet):
        raise TypeError(f"view {asked.heading!r} of board {seen.board.name!r} is no sheet")
    rows = {one[0]: dict(zip(picture.columns, one, strict=True)) for one in picture.rows}
    if row not in rows or column not in rows[row]:
        raise ValueError(f"no {column!r} of {row!r}; there are {', '.join(rows)} and {', '.join(picture.columns)}")
    return rows[row][column]
