"""The documents that the page is answered with; ``bench/page_types.py`` writes their types for the page."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Verdict
from ridgeline.boards.documents.letters import ControlDocument, LetterDocument, TermDocument
from ridgeline.boards.documents.view import ViewDocument
from ridgeline.boards.lecture.document import BridgeStepDocument, ClaimRowDocument, NoteDocument
from ridgeline.boards.lecture.places import PlaceDocument
from ridgeline.boards.lecture.walk import BesideDocument, WalkDocument
from ridgeline.quantity_text import Unit

__all__ = [
    "AnswerDocument",
    "BoardDocument",
    "ClaimDocument",
    "ClampedDocument",
    "DroppedDocument",
    "LedgerClaimDocument",
    "LedgerDocument",
    "QuestionDocument",
    "RefusalDocument",
    "ShelfBoardDocument",
    "ShelfChapterDocument",
    "ShelfClaimDocument",
    "ShelfDocument",
    "ShelfExerciseDocument",
    "ViewsDocument",
    "WorkingDocument",
]


class ShelfBoardDocument(TypedDict):
    """A board among all.

    Attributes:
        name: in links and on the command line.
        title: what is drawn against what.
        question: that it answers.
        chapter: name of its chapter.
        chapter_title: its title.
        time_stamp: where the lecture draws it, as "0:09:10"; empty for what it does not draw.
    """

    name: str
    title: str
    question: str
    chapter: str
    chapter_title: str
    time_stamp: str


class ShelfExerciseDocument(TypedDict):
    """An exercise among all.

    Attributes:
        exercise: its id.
        board: name of the one that it is answered on.
    """

    exercise: str
    board: str


class ShelfChapterDocument(TypedDict):
    """A chapter of the lecture.

    Attributes:
        name: of the chapter.
        title: in a few words.
        label: in one or two.
        question: what it answers, in a sentence.
        time_stamp: where it begins.
        link: to that second of the recording.
        boards: names, in the lecture's order.
        exercises: in the order of the boards, each once.
        steps: how many steps of the walk are told in it.
    """

    name: str
    title: str
    label: str
    question: str
    time_stamp: str
    link: str
    boards: list[str]
    exercises: list[ShelfExerciseDocument]
    steps: int


class ShelfClaimDocument(TypedDict):
    """A claim as a point on the lecture's time line: nothing of it is computed.

    Attributes:
        id: as "A11".
        seconds: where in the recording.
        verdict: of the comparison.
        board: that shows it.
    """

    id: str
    seconds: int
    verdict: Verdict
    board: str


class ShelfDocument(TypedDict):
    """``shelf``: all boards, models and machines that careful numbers can be of, and how numbers are written.

    Attributes:
        version: of the program.
        boards: in the lecture's order.
        chapters: the same.
        claims: in the order in which they are made.
        end_s: length of the recording, in seconds.
        models: ids in the catalog.
        machines: the same.
        priced_machines: those of them whose chips somebody rents at a price that the catalog has.
        names: of these models and machines, by id, as a sentence has them.
        units: how numbers of each dimension are written.
        times: pattern of a control's text that is so many times what its mode starts with, the number its first group.
    """

    version: str
    boards: list[ShelfBoardDocument]
    chapters: list[ShelfChapterDocument]
    claims: list[ShelfClaimDocument]
    end_s: int
    models: list[str]
    machines: list[str]
    priced_machines: list[str]
    names: dict[str, str]
    units: dict[str, Unit]
    times: str


class ClaimDocument(ClaimRowDocument):
    """A claim on a board, with the way from the lecture's number to the careful one.

    Attributes:
        bridge: one changed assumption a step.
    """

    bridge: list[BridgeStepDocument]


class QuestionDocument(TypedDict):
    """An exercise.

    Attributes:
        id: a topic and a word.
        question: in full.
        asked: what kind of number answers it.
        dimension: in which its answer is written.
        place: where its answer lies on a board's picture; null where no picture has it.
    """

    id: str
    question: str
    asked: str
    dimension: str
    place: PlaceDocument | None


class BoardDocument(TypedDict):
    """``boards/NAME``: what stays as it is while controls are turned.

    Attributes:
        name: in links and on the command line.
        title: what is drawn against what.
        question: that it answers.
        caption: what the lines are.
        formula: what is drawn, its terms one after another.
        symbols: its letters that no control explains.
        time_stamp: where the lecture draws it; empty for what it does not draw.
        link: to that second of the recording; empty likewise.
        model: id of the model that careful numbers are of.
        machine: the same of the machine.
        takes_facts: whether any careful number is of a model or a machine.
        controls: what can be turned.
        view_controls: names of the controls that move each of its pictures, first what moves its bold lines farthest.
        claims: what the lecture says there, and what became of it.
        exercises: questions on it.
    """

    name: str
    title: str
    question: str
    caption: str
    formula: list[TermDocument]
    symbols: list[LetterDocument]
    time_stamp: str
    link: str
    model: str
    machine: str
    takes_facts: bool
    controls: list[ControlDocument]
    view_controls: list[list[str]]
    claims: list[ClaimDocument]
    exercises: list[QuestionDocument]


class RefusalDocument(TypedDict):
    """Why there is no answer.

    Attributes:
        field: that holds what it cannot.
        message: what is wrong with it, and what to write instead.
        wrong: of all such fields what is wrong with them.
    """

    field: str
    message: str
    wrong: dict[str, str]


class ClampedDocument(TypedDict):
    """A control that was turned beyond its range.

    Attributes:
        text: the end of the range that it is set to, as it is typed.
        said: a sentence without its full stop: what it is set to and why.
    """

    text: str
    said: str


class ViewsDocument(TypedDict):
    """``boards/NAME/views``: the pictures at some values of the controls.

    Attributes:
        modes: that are shown; one alone where both are alike.
        controls: values of all, in base units, by mode.
        refused: modes that were asked for and cannot be drawn, and why.
        ignored: fields that the board does not have.
        clamped: controls that were turned beyond their range, by name.
        views: of the modes that are shown.
        racks: the rack beside each step of the walk that shows the board, by its id.
    """

    modes: list[Mode]
    controls: dict[Mode, dict[str, float]]
    refused: dict[Mode, RefusalDocument]
    ignored: dict[str, str]
    clamped: dict[str, ClampedDocument]
    views: list[ViewDocument]
    racks: dict[str, BesideDocument]


class WorkingDocument(TypedDict):
    """``exercises/ID``: the way to the answer, and what became of a reader's.

    Attributes:
        working: formula in words and numbers.
        answer: as it is read.
        value: the same in base units.
        is_right: of the answer that was given.
    """

    working: str
    answer: str
    value: float
    is_right: NotRequired[bool]


class LedgerClaimDocument(ShelfClaimDocument):
    """A claim with its words and its numbers.

    Attributes:
        time_stamp: as "0:19:22".
        short_name: of one that does not reproduce, for a picture of all; empty of others.
        claim: in our own words.
        link: to that second of the recording.
        correction: of a claim that does not reproduce, what is true instead, in one sentence; empty for others.
        why: one line on the verdict.
        note: its numbers, apart and in a sentence.
        ratio: the number with the lecture's constants over the lecture's; null where one of them is missing or zero.
    """

    time_stamp: str
    short_name: str
    claim: str
    link: str
    correction: str
    why: str
    note: NoteDocument
    ratio: float | None


class LedgerDocument(TypedDict):
    """``ledger``: all claims, with what comes out of them.

    Attributes:
        claims: in the order in which they are made.
    """

    claims: list[LedgerClaimDocument]


class DroppedDocument(TypedDict):
    """What becomes of a configuration that is dropped on the page.

    Attributes:
        model: the name under which it is found.
    """

    model: str


AnswerDocument = ShelfDocument | BoardDocument | ViewsDocument | WorkingDocument | LedgerDocument | WalkDocument
"""What a path is answered with."""
