"""The documents that the page is answered with; ``bench/page_types.py`` writes their types for the page."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from ridgeline.boards.board import Mode
from ridgeline.boards.chip_shares import ChipShares
from ridgeline.boards.documents.letters import ControlDocument, LetterDocument, PieceDocument
from ridgeline.boards.documents.sources import SourcesDocument
from ridgeline.boards.documents.view import ViewDocument
from ridgeline.boards.lecture.document import BridgeStepDocument, NoteDocument, ToldClaimDocument
from ridgeline.boards.lecture.live_numbers import LiveDocument
from ridgeline.boards.lecture.places import PlaceDocument
from ridgeline.boards.lecture.walk import WalkDocument
from ridgeline.boards.opened_chip import OpenedChip
from ridgeline.boards.verdict import Contradicted, Verdict
from ridgeline.quantity_text import Unit
from ridgeline.web.thumbnails import ThumbnailsDocument

__all__ = [
    "AnswerDocument",
    "BoardDocument",
    "ClaimDocument",
    "ClampedDocument",
    "DefinitionDocument",
    "DrawnEquationsDocument",
    "DroppedDocument",
    "FirstMoveDocument",
    "LedgerClaimDocument",
    "LedgerDocument",
    "MachinePartDocument",
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
        name: name in links and on the command line.
        title: quantity that is drawn, and what it is drawn against.
        question: question that the board answers.
        chapter: name of its chapter.
        chapter_title: title of the chapter.
        time_stamp: time stamp in the lecture, such as "0:09:10"; empty for a board that the lecture does not draw.
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
        exercise: id of the exercise.
        board: name of the board that it is answered on.
    """

    exercise: str
    board: str


class ShelfChapterDocument(TypedDict):
    """A chapter of the lecture.

    Attributes:
        name: name of the chapter.
        title: title in a few words.
        label: label in one or two words.
        question: question that the chapter answers, in a sentence.
        time_stamp: time stamp of its beginning in the lecture.
        link: address of the recording at that second.
        boards: names of boards, in the lecture's order.
        exercises: exercises in the order of the boards, each once.
        steps: number of steps of the walk in it.
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
    """A claim as a point on the lecture's time line: its numbers are not computed.

    Attributes:
        id: id such as "A11".
        seconds: time in the recording, s.
        verdict: verdict of the comparison with the lecture.
        contradicts: facts that a claim which does not reproduce contradicts; absent for others.
        board: name of the board that shows it.
    """

    id: str
    seconds: int
    verdict: Verdict
    contradicts: NotRequired[Contradicted]
    board: str


class DefinitionDocument(TypedDict):
    """A word of the texts.

    Attributes:
        name: word as the page names it.
        meaning: meaning in one or two sentences.
    """

    name: str
    meaning: str


class ShelfDocument(TypedDict):
    """``shelf``: all boards, models and machines that careful numbers can be of, and how numbers are written.

    Attributes:
        version: version of the program.
        boards: boards in the lecture's order.
        first: name of the board of the first view.
        featured: names of the boards to begin with.
        chapters: chapters in the lecture's order.
        claims: claims in the order in which they are made.
        end_s: length of the recording, in seconds.
        models: ids in the catalog.
        machines: ids of machines in the catalog.
        model: id of the model that careful numbers are of unless a board is about another.
        machine: id of the machine that careful numbers are of unless a board is about another.
        priced_machines: ids of the machines that have a rental price in the catalog.
        names: names of these models and machines as sentences use them, by id.
        units: how numbers of each dimension are written.
        times: pattern of a control's text that is a multiple of its mode's start; its first group is the factor.
        definitions: words of the texts with their meanings.
        defined: pattern of these words in a text, a group for each.
    """

    version: str
    boards: list[ShelfBoardDocument]
    first: str
    featured: list[str]
    chapters: list[ShelfChapterDocument]
    claims: list[ShelfClaimDocument]
    end_s: int
    models: list[str]
    machines: list[str]
    model: str
    machine: str
    priced_machines: list[str]
    names: dict[str, str]
    units: dict[str, Unit]
    times: str
    definitions: list[DefinitionDocument]
    defined: str


class ClaimDocument(ToldClaimDocument):
    """A claim on a board, with the way from the lecture's number to the careful one.

    Attributes:
        bridge: steps of one changed assumption each.
    """

    bridge: list[BridgeStepDocument]


class QuestionDocument(TypedDict):
    """An exercise.

    Attributes:
        id: topic and word, such as "roofline-floor".
        question: question in full.
        asked: kind of number that answers it.
        dimension: dimension in which the answer is written.
        place: position of the answer on a board's picture; null where no picture has it.
    """

    id: str
    question: str
    asked: str
    dimension: str
    place: PlaceDocument | None


class DrawnEquationsDocument(TypedDict):
    """Equations of a board's formula that one of its pictures draws.

    Attributes:
        equations: numbers of the equations, from 0.
        letters: letters in them, as the formula has them.
    """

    equations: list[int]
    letters: list[str]


class FirstMoveDocument(TypedDict):
    """One thing to try on a board.

    Attributes:
        control: name of the control.
        text: value that it is turned to, as it is typed.
        then: effect on the drawing, a clause without its full stop.
    """

    control: str
    text: str
    then: str


class BoardDocument(TypedDict):
    """``boards/NAME``: parts of a board that do not change while controls are turned.

    Attributes:
        name: name in links and on the command line.
        title: quantity that is drawn, and what it is drawn against.
        question: question that the board answers.
        caption: explanation of the lines.
        formula: formula of the drawn quantity: its equations, each term by term.
        symbols: letters of the formula, explained.
        drawn: equations of the formula that each of its pictures draws.
        opens: mode whose numbers are drawn before anybody chooses, or both.
        first_move: one thing to try on its first picture.
        time_stamp: time stamp in the lecture; empty for a board that the lecture does not draw.
        model: id of the model that careful numbers are of.
        machine: id of the machine that careful numbers are of.
        takes_facts: whether any careful number is of a model or a machine.
        has_model: whether any of them is of the model.
        why_model: reason for another model than the other boards', in a few words; empty for theirs.
        controls: controls that the board has.
        view_controls: names of the controls that move each of its pictures, first what moves its bold lines farthest.
        claims: claims that the lecture makes on it, with their verdicts.
        exercises: exercises on the board.
        others: sentences of the walk's steps on it about the numbers that they do not open in, by id; none where a step
            says nothing else.
        chip_counts: numbers of chips in which the machine is rented; empty where chips have no memory to fill.
        domain_chips: chips of a scale-up domain of the machine.
        is_rack: whether the machine is rented by such domains alone, as a rack is.
    """

    name: str
    title: str
    question: str
    caption: str
    formula: list[list[PieceDocument]]
    symbols: list[LetterDocument]
    drawn: list[DrawnEquationsDocument]
    opens: Literal["lecture", "careful", "both"]
    first_move: FirstMoveDocument
    time_stamp: str
    model: str
    machine: str
    takes_facts: bool
    has_model: bool
    why_model: str
    controls: list[ControlDocument]
    view_controls: list[list[str]]
    claims: list[ClaimDocument]
    exercises: list[QuestionDocument]
    others: dict[str, str]
    chip_counts: list[int]
    domain_chips: int
    is_rack: bool


class RefusalDocument(TypedDict):
    """Reasons for which there is no answer.

    Attributes:
        field: name of the first field that is refused.
        message: fault of that field, and what to write instead.
        wrong: fault of every field that is refused, by name.
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
        modes: modes that are shown; only one where both are alike.
        controls: values of all controls, in base units, by mode.
        letters: texts of the numbers of the formulas' letters that no control turns, by mode and letter.
        refused: modes that were asked for and cannot be drawn, and why.
        ignored: fields that the board does not have.
        clamped: controls that were turned beyond their range, by name.
        views: views in the modes that are shown; one where it was asked for alone.
        opened: opened chip of the board's machine, by mode; empty for a board without one.
        fewest_chips: fewest chips that hold what is asked, by mode; none where no number does, or no memory is filled.
        live: changes of a step's sentence since the step began; null where no step is asked for.
    """

    modes: list[Mode]
    controls: dict[Mode, dict[str, float]]
    letters: dict[Mode, dict[str, str]]
    refused: dict[Mode, RefusalDocument]
    ignored: dict[str, str]
    clamped: dict[str, ClampedDocument]
    views: list[ViewDocument]
    opened: dict[Mode, Annotated[dict[str, Any], OpenedChip]]
    fewest_chips: dict[Mode, int]
    live: LiveDocument | None


class WorkingDocument(TypedDict):
    """``exercises/ID``: the working, and the judgement of a reader's answer.

    Attributes:
        working: formula in words and numbers.
        answer: answer as a reader reads it, with its unit.
        value: answer in base units.
        is_right: whether the answer that was given is right.
        given: answer that was given, in base units.
    """

    working: str
    answer: str
    value: float
    is_right: NotRequired[bool]
    given: NotRequired[float]


class LedgerClaimDocument(ShelfClaimDocument):
    """A claim with its words and its numbers.

    Attributes:
        time_stamp: time stamp such as "0:19:22".
        short_name: short name of a claim whose number is in the picture of the whole machine; empty for others.
        claim: claim in our own words.
        correction: correction of a claim that does not reproduce, in one sentence; empty for others.
        why: reason for the verdict, in one line.
        note: verdict of the claim in a line, and its numbers apart.
        ratios: the number with the lecture's constants over the lecture's; of a claim that needs an assumption the one
            by the catalog's facts, too, the farther off behind. None where one of them is missing or zero.
    """

    time_stamp: str
    short_name: str
    claim: str
    correction: str
    why: str
    note: NoteDocument
    ratios: list[float]


class MachinePartDocument(TypedDict):
    """A part of the machine in the picture of all results.

    Attributes:
        name: name by which the page draws it.
        title: title over its results.
        claims: ids of the claims whose numbers stand there.
    """

    name: str
    title: str
    claims: list[str]


class LedgerDocument(TypedDict):
    """``ledger``: all claims, with their numbers and verdicts, and where in the machine some of them stand.

    Attributes:
        claims: claims in the order in which they are made.
        parts: parts of the machine, from one chip's memory outwards.
        chip: shares of one chip of a GB200 rack in a decode step of DeepSeek-V3, at its balance batch.
        heading: conclusion of the lecture in a line.
        follows: conclusions, three sentences.
        decisive: ids of the claims whose correction changes a decision.
    """

    claims: list[LedgerClaimDocument]
    parts: list[MachinePartDocument]
    chip: Annotated[dict[str, Any], ChipShares]
    heading: str
    follows: list[str]
    decisive: list[str]


class DroppedDocument(TypedDict):
    """Answer to a configuration that is dropped on the page.

    Attributes:
        model: the name under which it is found.
    """

    model: str


AnswerDocument = (
    ShelfDocument
    | BoardDocument
    | ViewsDocument
    | WorkingDocument
    | LedgerDocument
    | WalkDocument
    | ThumbnailsDocument
    | SourcesDocument
)
"""Documents that answer a path."""
