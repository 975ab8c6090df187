"""The lecture as plain data: rows of its ledger, and what a board shows of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypedDict

from ridgeline.boards.argument import Outcome, links, names
from ridgeline.boards.board import Board
from ridgeline.boards.claim import Claim
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.lecture import board_of, chapter_of
from ridgeline.boards.lecture.left_open import ambiguities
from ridgeline.boards.lecture.recording import link
from ridgeline.boards.note import Note
from ridgeline.boards.verdict import Contradicted, Verdict

__all__ = [
    "AmbiguityDocument",
    "BridgeStepDocument",
    "ClaimRowDocument",
    "ClaimTextsDocument",
    "ConstantDocument",
    "NoteDocument",
    "ToldClaimDocument",
    "bridge_document",
    "claim_document",
    "graph_document",
    "note_document",
    "shown_document",
    "told_document",
]

Plain = bool | int | float | str | None
"""Type that JSON has for an input."""


class AmbiguityDocument(TypedDict):
    """Open question of the lecture.

    Attributes:
        number: number in the list of all.
        text: text in one sentence.
    """

    number: int
    text: str


class ConstantDocument(TypedDict):
    """A number that somebody gives.

    Attributes:
        value: value in base units.
        origin: whether it was said, implied, or filled in here.
        time_stamp: time stamp of the passage that gives it.
        hedge: how the speaker limited it.
        low: lower end of what the hedge leaves open.
        high: upper end of the same.
        claim: id of the claim whose number it is.
        beside: id of a claim that states it beside its own number.
    """

    value: Plain
    origin: Origin
    time_stamp: str
    hedge: str
    low: float | None
    high: float | None
    claim: str
    beside: str


class ClaimTextsDocument(TypedDict):
    """A claim's numbers as they are read, the first of them with its noun; "-" where there is none.

    Attributes:
        lecture: number of the lecture.
        ours_lecture_mode: computed with the lecture's constants.
        ours_careful: computed with the catalog's facts.
    """

    lecture: str
    ours_lecture_mode: str
    ours_careful: str


class NoteDocument(TypedDict):
    """A claim's verdict in a line, and its numbers as text, without what they are of; empty where there is none.

    Attributes:
        his: number of the lecture.
        his_by: speaker of that number and how he gives it: "he implies".
        ours: computed with the lecture's constants.
        published: number that others measured, where no equation gives one.
        of: noun of all numbers; empty where their unit says it.
        word: first word of the verdict line: Yes, Roughly, Only if, No, Not computed.
        line: the rest of the line, words and numbers in turn, words first.
        given: inputs with which the number was computed, where a picture beside it may have others.
    """

    his: str
    his_by: str
    ours: str
    published: str
    of: str
    word: str
    line: list[str]
    given: str


class ToldClaimDocument(TypedDict):
    """A claim with its verdict and its numbers, computed; numbers in base units.

    Attributes:
        id: id such as "A11".
        time_stamp: time stamp in the recording.
        board: name of the board that shows it.
        claim: claim in our own words.
        unit: unit of the numbers; empty for ratios and counts.
        lecture: the lecture's number.
        ours_lecture_mode: computed with the lecture's constants.
        ours_careful: computed with the catalog's facts.
        texts: text of these three numbers.
        note: verdict in a line, and the numbers apart.
        lecture_number: source of the lecture's number.
        verdict: verdict of the comparison.
        contradicts: facts that a claim which does not reproduce contradicts; null for others.
        why: reason for the verdict, in one line.
        ambiguities: open questions of the lecture that the claim turns on.
        careful_of: subject of the careful number.
        contrast: subject of a careful number that is no estimate of the same quantity.
    """

    id: str
    time_stamp: str
    board: str
    claim: str
    unit: str
    lecture: float | None
    ours_lecture_mode: float | None
    ours_careful: float | None
    texts: ClaimTextsDocument
    note: NoteDocument
    lecture_number: ConstantDocument | None
    verdict: Verdict
    contradicts: Contradicted | None
    why: str
    ambiguities: list[AmbiguityDocument]
    careful_of: str
    contrast: str


class ClaimRowDocument(ToldClaimDocument):
    """A row of the ledger: a claim with what it is computed from.

    Attributes:
        link: address of the recording at its second.
        chapter: name of its chapter.
        computed: name of our number; empty where it is the number that the claim states.
        what: words that follow a number and its unit: the thing counted, or the base of a ratio.
        correction: correction of a claim that does not reproduce, in one sentence; empty for others.
        inputs: inputs of the equation with the lecture's constants.
        careful_inputs: inputs of the equation with the catalog's facts.
        equation: name of the function behind it.
        tolerance: relative difference within which ours counts as the lecture's.
    """

    link: str
    chapter: str
    computed: str
    what: str
    correction: str
    inputs: dict[str, ConstantDocument]
    careful_inputs: dict[str, Plain]
    equation: str
    tolerance: float


class BridgeStepDocument(TypedDict):
    """A step from the lecture's number to the careful one.

    Attributes:
        change: changed assumption in words.
        value: the number after it; null where it is without bound.
        text: number as a reader reads it; the first step's with its noun.
    """

    change: str
    value: float | None
    text: str


def shown_document(board: Board) -> dict[str, Any]:
    """Claims and exercises that a board shows, and the lecture's open questions at them."""
    return {
        "chapter": chapter_of(board).name,
        "time_stamp": board.time_stamp,
        "link": link(board.time_stamp),
        "claims": list(board.claims),
        "ambiguities": [
            {"number": one.number, "text": one.text, "claims": [claim for claim in one.claims if claim in board.claims]}
            for one in ambiguities(board.claims)
        ],
        "exercises": list(board.exercises),
    }


def told_document(claim: Claim) -> ToldClaimDocument:
    """A claim with its verdict, computed: numbers in base units, and as they are read."""
    lecture = None if claim.lecture is None else float(claim.lecture)
    ours, careful = claim.lecture_mode(), claim.careful()
    texts = claim.measure().texts((lecture, ours, careful))
    return {
        "id": claim.id,
        "time_stamp": claim.time_stamp,
        "board": board_of(claim),
        "claim": claim.claim,
        "unit": claim.unit,
        "lecture": lecture,
        "ours_lecture_mode": ours,
        "ours_careful": careful,
        "texts": {
            "lecture": claim.stated(),
            "ours_lecture_mode": texts[1],
            "ours_careful": texts[2],
        },
        "note": note_document(claim.note()),
        "lecture_number": None if claim.lecture is None else _constant(claim.lecture),
        "verdict": claim.verdict,
        "contradicts": claim.contradicts(),
        "why": claim.why,
        "ambiguities": [{"number": one.number, "text": one.text} for one in ambiguities([claim.id])],
        "careful_of": claim.careful_of,
        "contrast": claim.contrast,
    }


def claim_document(claim: Claim) -> ClaimRowDocument:
    """A row of the ledger: a claim, its verdict, and what it is computed from."""
    return {
        **told_document(claim),
        "link": link(claim.time_stamp),
        "chapter": chapter_of(claim).name,
        "computed": claim.computed,
        "what": claim.what,
        "correction": claim.correction(),
        "inputs": {name: _constant(one) for name, one in claim.inputs.items()},
        "careful_inputs": {name: _plain(one) for name, one in claim.careful_inputs().items()},
        "equation": claim.equation,
        "tolerance": claim.tolerance,
    }


def bridge_document(claim: Claim) -> list[BridgeStepDocument]:
    """Steps from the lecture's number to the careful one, a changed assumption each."""
    steps = claim.told_bridge()
    texts = claim.measure().texts(value for _, value in steps)
    return [
        {"change": change, "value": value if math.isfinite(value) else None, "text": text}
        for (change, value), text in zip(steps, texts, strict=True)
    ]


def note_document(note: Note) -> NoteDocument:
    """A claim's verdict and its numbers in a line."""
    return {
        "his": note.his,
        "his_by": note.his_by,
        "ours": note.ours,
        "published": note.published,
        "of": note.of,
        "word": note.word,
        "line": list(note.line),
        "given": note.given,
    }


def _constant(one: Constant) -> ConstantDocument:
    return {
        "value": _plain(one.value),
        "origin": one.origin,
        "time_stamp": one.time_stamp,
        "hedge": one.hedge,
        "low": one.low,
        "high": one.high,
        "claim": one.claim,
        "beside": one.beside,
    }


def _plain(value: Any) -> Plain:  # noqa: ANN401  a number, or what stands for one
    """Value in JSON's types; a number without bound becomes text, since JSON has none."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else "infinite"
    return str(getattr(value, "name", value))


def graph_document(claims: Sequence[Claim], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Links between claims, and the outcomes of the claims that changed numbers reach."""
    return {
        "links": [
            {"source": one.source, "target": one.target, "inputs": list(one.inputs), "moves": one.moves}
            for one in links(claims)
        ],
        "numbers": list(names(claims)),
        "outcomes": [
            {
                "id": one.claim.id,
                "claim": one.claim.claim,
                "before": one.before,
                "after": one.after,
                "unit": one.claim.unit,
                "stood": one.stood,
                "stands": one.stands,
            }
            for one in outcomes
        ],
    }
