"""Answers to the page's questions: boards, their views at given values of the controls, and whether an answer is right.

Of a path and its fields alone, so that a server answers with it, and a page without a server too. Every answer is a
reading: nothing is kept but the models that were dropped on the page. What is wrong is said by the name of its field.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from operator import itemgetter
from typing import TypeVar

from ridgeline.boards.as_sold import chip_counts, rack_chips
from ridgeline.boards.board import MACHINE, MODEL, Board, ControlError, Facts, Mode, Values
from ridgeline.boards.claim import Claim
from ridgeline.boards.definitions import DEFINITIONS, PATTERN
from ridgeline.boards.documents.letters import control_document, equations_document, letters_document, numbers_document
from ridgeline.boards.documents.record import record_document
from ridgeline.boards.documents.sources import SourcesDocument, Wanted, sources_document
from ridgeline.boards.documents.view import views_document
from ridgeline.boards.equations_of import equations_of
from ridgeline.boards.exercise import DIGITS, KINDS, Exercise, judge, shown, worked
from ridgeline.boards.lecture import BOARDS, CHAPTERS, CLAIMS, EXERCISES, board, board_of
from ridgeline.boards.lecture.bases import BASES, basis_name
from ridgeline.boards.lecture.batch.opened import shares
from ridgeline.boards.lecture.document import bridge_document, note_document, told_document
from ridgeline.boards.lecture.featured import FEATURED, FIRST
from ridgeline.boards.lecture.live_numbers import live
from ridgeline.boards.lecture.places import place_document
from ridgeline.boards.lecture.recording import END_S, link, seconds
from ridgeline.boards.lecture.results import DECISIVE, HEADING, PARTS, SHORT_NAMES, follows
from ridgeline.boards.lecture.walk import opened_document, others_of, walk_document
from ridgeline.boards.ranked_controls import ranked_controls
from ridgeline.boards.turned import TIMES
from ridgeline.boards.verdict import Verdict
from ridgeline.catalog import machine_entry, machine_ids, model_entry, model_ids
from ridgeline.quantity_text import QuantityError, format_quantity, ways_to_write
from ridgeline.release import version
from ridgeline.web.documents import (
    AnswerDocument,
    BoardDocument,
    ClaimDocument,
    DrawnEquationsDocument,
    FirstMoveDocument,
    LedgerClaimDocument,
    LedgerDocument,
    QuestionDocument,
    ShelfClaimDocument,
    ShelfDocument,
    ShelfExerciseDocument,
    ViewsDocument,
    WorkingDocument,
)
from ridgeline.web.facts import Dropped
from ridgeline.web.fields import (
    BOTH,
    MOST_CHARACTERS,
    FieldError,
    UnknownPathError,
    clamp,
    facts_of,
    framed_by,
    frames_of,
    modes_of,
    named,
    not_controls,
    of_mode,
    only_of,
    short,
    step_of,
    turned,
)
from ridgeline.web.thumbnails import thumbnails_document

__all__ = ["answers"]


Read = TypeVar("Read")

PICTURE_DIGITS = 3
"""Significant digits of numbers on a picture."""


def answers(path: str, fields: Mapping[str, str], dropped: Dropped) -> AnswerDocument:
    """The document that a path with its fields asks for.

    Args:
        path: ``shelf``, ``walk``, ``ledger``, ``thumbnails``, ``sources``,
            ``boards/NAME``, ``boards/NAME/views`` or ``exercises/ID``.
        fields: text by name, as a person types it.
        dropped: store of the models that were dropped on the page.

    Raises:
        UnknownPathError: nothing answers the path.
        FieldError: a field holds what it cannot; names it.
    """
    asked = short(fields)
    match path.split("/"):
        case [name] if name in WHOLE:
            return WHOLE[name]()
        case ["sources"]:
            return _sources(asked, dropped)
        case ["boards", name]:
            return _board(named(name), asked, dropped)
        case ["boards", name, "views"]:
            return _views(named(name), asked, dropped)
        case ["exercises", name]:
            return _exercise(name, asked)
    raise UnknownPathError("path", f"{path[:MOST_CHARACTERS]!r} is not answered")


def _shelf() -> ShelfDocument:
    """All boards by chapter, models and machines that careful numbers can be of, and how numbers are written."""
    return {
        "version": version(),
        "boards": [
            {
                "name": one.name,
                "title": one.title,
                "question": one.question,
                "chapter": chapter.name,
                "chapter_title": chapter.title,
                "time_stamp": one.time_stamp,
            }
            for chapter in CHAPTERS
            for one in chapter.boards
        ],
        "first": FIRST,
        "featured": list(FEATURED),
        "chapters": [
            {
                "name": chapter.name,
                "title": chapter.title,
                "label": chapter.label,
                "question": chapter.question,
                "time_stamp": chapter.time_stamp,
                "link": link(chapter.time_stamp),
                "boards": [one.name for one in chapter.boards],
                "exercises": _shelf_exercises(chapter.boards),
                "steps": len(chapter.steps),
            }
            for chapter in CHAPTERS
        ],
        "claims": sorted(map(_point, CLAIMS), key=itemgetter("seconds")),
        "end_s": END_S,
        "models": model_ids(),
        "machines": machine_ids(),
        "model": MODEL,
        "machine": MACHINE,
        "priced_machines": [name for name in machine_ids() if machine_entry(name).machine.tariff is not None],
        "names": _names(),
        "units": ways_to_write(),
        "times": TIMES.pattern,
        "definitions": [{"name": one.name, "meaning": one.meaning} for one in DEFINITIONS],
        "defined": PATTERN,
    }


def _shelf_exercises(boards: Sequence[Board]) -> list[ShelfExerciseDocument]:
    """Exercises of a chapter's boards, each once, with the board whose picture has the answer, or the first with it."""
    places = {exercise.id: exercise.place for exercise in EXERCISES}
    found: dict[str, str] = {}
    for one in boards:
        for name in one.exercises:
            place = places[name]
            found.setdefault(name, place.board if place else one.name)
    return [{"exercise": name, "board": where} for name, where in found.items()]


@cache
def _names() -> dict[str, str]:
    """Names of the catalog's models and machines as sentences use them, by id."""
    machines = {name: machine_entry(name).facts for name in machine_ids()}
    return {name: model_entry(name).model.name for name in model_ids()} | {
        name: facts.short_name or facts.name for name, facts in machines.items()
    }


@cache
def _ledger() -> LedgerDocument:
    """Every claim, computed: it takes a moment, where the time line of the shelf takes none."""
    # On the machine whose memory the rack's part gives: his own chip's is nowhere said.
    chip = shares(board("latency").values(Mode.CAREFUL))
    return {
        "claims": sorted(map(_row, CLAIMS), key=itemgetter("seconds")),
        "parts": [{"name": part.name, "title": part.title, "claims": list(part.results)} for part in PARTS],
        "chip": record_document(chip),
        "heading": HEADING,
        "follows": list(follows(CLAIMS)),
        "decisive": list(DECISIVE),
    }


def _point(claim: Claim) -> ShelfClaimDocument:
    """A claim on the time line."""
    found: ShelfClaimDocument = {
        "id": claim.id,
        "seconds": seconds(claim.time_stamp),
        "verdict": claim.verdict,
        "board": board_of(claim),
    }
    if contradicted := claim.contradicts():
        found["contradicts"] = contradicted
    return found


def _row(claim: Claim) -> LedgerClaimDocument:
    """Row of the ledger; columns that it does not show are not computed."""
    return {
        **_point(claim),
        "time_stamp": claim.time_stamp,
        "short_name": SHORT_NAMES.get(claim.id, ""),
        "claim": claim.claim,
        "correction": claim.correction(),
        "why": claim.why,
        "note": note_document(claim.note()),
        "ratios": _ratios(claim),
    }


def _ratios(claim: Claim) -> list[float]:
    """Our numbers over the lecture's: by its inputs, and by the catalog's where the verdict hangs on which they are."""
    his, ours = None if claim.lecture is None else float(claim.lecture), claim.lecture_mode()
    if not his or not ours:
        return []
    hangs = claim.verdict is Verdict.DEPENDS and not claim.contrast
    found = [ours / his, *([sourced / his] if hangs and (sourced := claim.careful()) else [])]
    return sorted(found, key=lambda ratio: abs(math.log(ratio)) if ratio > 0 else 0.0)


def _board(one: Board, fields: dict[str, str], dropped: Dropped) -> BoardDocument:
    """Parts of a board's document that do not change while controls are turned."""
    facts = facts_of(one, fields, dropped)
    if fields:
        raise FieldError(next(iter(fields)), f"board {one.name!r} takes a model and a machine here")
    return {
        "name": one.name,
        "title": one.title,
        "question": one.question,
        "caption": one.caption,
        "formula": equations_document(one.formula),
        "symbols": letters_document(one, one.formula),
        "drawn": _drawn(one),
        "opens": "both" if one.opens is None else one.opens.value,
        "first_move": _first_move(one),
        "time_stamp": one.time_stamp,
        "model": facts.model.id,
        "machine": facts.machine.id,
        "takes_facts": one.takes_facts,
        "has_model": one.has_model,
        "why_model": one.why_model if facts.model.id == one.model else "",
        "controls": [control_document(control, facts) for control in one.controls],
        "view_controls": _view_controls(one.name),
        "claims": _claims(one.name),
        "exercises": [_question(exercise) for exercise in EXERCISES if exercise.id in one.exercises],
        "others": others_of(one, facts),
        "chip_counts": list(chip_counts(facts.machine, one.control("chips").high)) if one.fewest_chips else [],
        "domain_chips": facts.machine.scale_up_chips,
        "is_rack": rack_chips(facts.machine) is not None,
    }


def _sources(fields: dict[str, str], dropped: Dropped) -> SourcesDocument:
    """Grounds of all boards' careful numbers, of the model and the machine that are asked for or the board's own."""
    wanted = [_wanted(one, facts_of(one, dict(fields), dropped)) for one in BOARDS]
    one = board(FIRST)
    of = facts_of(one, fields, dropped)
    if fields:
        raise FieldError(next(iter(fields)), "sources take a model and a machine")
    context = {"context_tokens": BASES["context_tokens"]}
    return sources_document(wanted, Wanted(model=of.model.id, machine=of.machine.id, bases=context))


def _wanted(one: Board, facts: Facts) -> Wanted:
    names = filter(None, (basis_name(one.name, control.name) for control in one.controls))
    return Wanted(model=facts.model.id, machine=facts.machine.id, bases={name: BASES[name] for name in names})


def _views(one: Board, fields: dict[str, str], dropped: Dropped) -> ViewsDocument:
    """The pictures of the modes that are asked for, at the values of the controls that were turned."""
    wrong: dict[str, str] = {}
    # What is wrong with any field is said before the first answer: who mends one need not meet the next.
    facts = _or_wrong(wrong, lambda: facts_of(one, fields, dropped), one.facts)
    asked = _or_wrong(wrong, lambda: modes_of(fields.pop("mode", BOTH)), lambda: tuple(Mode))
    framing = _or_wrong(wrong, lambda: framed_by(fields.pop("frame", "")), tuple[Mode, ...])
    over = _or_wrong(wrong, lambda: frames_of(one, fields.pop("over", "")), lambda: None)
    only = _or_wrong(wrong, lambda: only_of(one, fields.pop("only", "")), lambda: None)
    step = _or_wrong(wrong, lambda: step_of(one, fields.pop("step", "")), str)
    ignored = not_controls(one, fields)
    texts = {name: text for name, text in fields.items() if name not in ignored}
    given = {
        mode: _or_wrong(wrong, partial(turned, one, of_mode(texts, mode), mode, facts), dict[str, float])
        for mode in asked
    }
    if wrong:
        raise FieldError.of_all(wrong)
    clamped = clamp(one, given)
    values: dict[Mode, dict[str, float]] = {}
    refused: dict[Mode, FieldError] = {}
    for mode in asked:
        try:
            values[mode] = one.values(mode, given[mode], facts)
        except ControlError as error:
            refused[mode] = FieldError(error.control, str(error))
    if not values:
        raise next(iter(refused.values()))
    first, *others = values
    besides = [_values_beside(one, texts, mode, facts) for mode in framing if mode not in asked]
    if all(values[mode] == values[first] for mode in others):
        values = {first: values[first]}  # one picture shows both
    return {
        "modes": list(values),
        "controls": values,
        "letters": numbers_document(one, values),
        "refused": {mode: error.document() for mode, error in refused.items()},
        "ignored": ignored,
        "clamped": clamped,
        "views": views_document(one, values, over, only, [at for at in besides if at is not None]),
        "opened": opened_document(one, values),
        "fewest_chips": _fewest_chips(one, values, facts),
        "live": live(step, values) if step else None,
    }


def _values_beside(one: Board, texts: Mapping[str, str], mode: Mode, facts: Facts) -> Values | None:
    """Values of a mode that is not shown, for its part in the frame; None where it takes none of these texts."""
    try:
        given = {mode: turned(one, of_mode(texts, mode), mode, facts)}
        clamp(one, given)
        return one.values(mode, given[mode], facts)
    except (ControlError, FieldError):
        return None


def _fewest_chips(one: Board, values: Mapping[Mode, Values], facts: Facts) -> dict[Mode, int]:
    """Fewest chips that hold what is asked, by mode; modes in which no number does are left out."""
    found = {mode: one.fewest_chips(at, facts.machine) for mode, at in values.items()} if one.fewest_chips else {}
    return {mode: chips for mode, chips in found.items() if chips}


def _or_wrong(wrong: dict[str, str], read: Callable[[], Read], otherwise: Callable[[], Read]) -> Read:
    """Result of ``read``; where it is refused, the faults go into ``wrong`` and ``otherwise`` gives the result."""
    try:
        return read()
    except FieldError as error:
        wrong |= error.wrong
        return otherwise()


@lru_cache(maxsize=len(BOARDS))
def _view_controls(name: str) -> list[list[str]]:
    """Names of the controls that move each of a board's views, the one with the largest effect first."""
    one = board(name)
    return [list(ranked_controls(one, view)) for view in one.views]


def _drawn(one: Board) -> list[DrawnEquationsDocument]:
    """Equations of each picture, with their letters."""
    equations = equations_of(one.formula)
    return [
        {
            "equations": list(view.equations),
            "letters": [
                letter["tex"]
                for letter in letters_document(
                    one, (piece.term for place in view.equations for piece in equations[place])
                )
            ],
        }
        for view in one.views
    ]


def _first_move(one: Board) -> FirstMoveDocument:
    move = one.first_move
    text = format_quantity(move.to, one.control(move.control).dimension)
    return {"control": move.control, "text": text, "then": move.then}


@lru_cache(maxsize=len(BOARDS))
def _claims(name: str) -> list[ClaimDocument]:
    """The ledger's rows on a board, which no control moves."""
    return [
        {**told_document(claim), "bridge": bridge_document(claim)}
        for wanted in board(name).claims
        for claim in CLAIMS
        if claim.id == wanted
    ]


def _exercise(name: str, fields: dict[str, str]) -> WorkingDocument:
    """Working of an exercise, and whether an answer is right where one is given."""
    exercise = next((one for one in EXERCISES if one.id == name), None)
    if exercise is None:
        raise FieldError("name", f"{name[:MOST_CHARACTERS]!r} is not an exercise")
    answer = exercise.answer()
    # Beside a picture in as many digits as the picture writes.
    digits = PICTURE_DIGITS if exercise.place else DIGITS
    found: WorkingDocument = {
        "working": worked(exercise, digits),
        "answer": shown(answer, exercise.dimension, digits),
        "value": answer,
    }
    text = fields.pop("answer", None)
    if fields:
        raise FieldError(next(iter(fields)), "an exercise takes an answer alone")
    if text is not None:
        try:
            judged = judge(exercise, text)
        except QuantityError as error:
            raise FieldError("answer", str(error)) from None
        found["is_right"], found["given"] = judged.is_right, judged.value
    return found


def _question(exercise: Exercise) -> QuestionDocument:
    """An exercise without its answer."""
    return {
        "id": exercise.id,
        "question": exercise.question,
        "asked": KINDS[exercise.dimension],
        "dimension": exercise.dimension,
        "place": place_document(exercise.id),
    }


WHOLE: dict[str, Callable[[], AnswerDocument]] = {
    "shelf": _shelf,
    "walk": walk_document,
    "ledger": _ledger,
    "thumbnails": thumbnails_document,
}
"""Documents that take no fields, by path."""
