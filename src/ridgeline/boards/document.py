"""A board as plain data: what the command line prints with ``--json`` and the page draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ridgeline.boards.ambiguities import ambiguities
from ridgeline.boards.board import (
    Axis,
    Board,
    Control,
    Curves,
    Facts,
    Mark,
    Mode,
    Picture,
    Table,
    Timeline,
    Values,
    View,
)
from ridgeline.boards.claim import Claim, number_text
from ridgeline.boards.ledger import board_of
from ridgeline.boards.scale import scale
from ridgeline.glossary import GLOSSARY

__all__ = ["board_document", "claim_document", "control_document", "flat", "marks", "view_document"]


def board_document(board: Board, values: Values, facts: Facts) -> dict[str, Any]:
    """All of a board at some values of its controls, and the points that matter on it in both modes."""
    starts = board.starts(facts)
    return {
        "title": board.title,
        "question": board.question,
        "caption": board.caption,
        "formula": [{"tex": term.tex, "colour": term.colour} for term in board.formula],
        "controls": [control_document(control, facts) | {"value": values[control.name]} for control in board.controls],
        "views": [view_document(view, values) for view in board.views],
        "marks": {mode.value: marks(board, found) for mode, found in starts.items()},
        "claims": list(board.claims),
        "ambiguities": [
            {"number": one.number, "text": one.text, "claims": [claim for claim in one.claims if claim in board.claims]}
            for one in ambiguities(board.claims)
        ],
        "exercises": list(board.exercises),
    }


def view_document(view: View, values: Values) -> dict[str, Any]:
    """One picture, with the ends and the ticks of its axes where it has lines."""
    picture = view.compute(values)
    x, y = _axis(view.x), _axis(view.y)
    if isinstance(picture, Curves):
        x |= _ruled((float(picture.x[0]), float(picture.x[-1])), view.x)
        y |= _ruled(picture.ends(view.y), view.y)
    return {"heading": view.heading, "axes": {"x": x, "y": y}, **_picture(picture)}


def marks(board: Board, values: Values) -> list[dict[str, Any]]:
    """The points that matter, of all views: where they lie, in the units of its axes."""
    return [
        {"view": place, **_mark(mark)}
        for place, picture in enumerate(board.pictures(values))
        if isinstance(picture, Curves)
        for mark in picture.marks
    ]


def claim_document(claim: Claim) -> dict[str, Any]:
    """A row of the ledger, computed: numbers in base units, and as they are read."""
    numbers = {
        "lecture": claim.lecture,
        "ours_lecture_mode": _computed(claim.lecture_mode),
        "ours_careful": _computed(claim.careful),
    }
    return {
        "id": claim.id,
        "time_stamp": claim.time_stamp,
        "board": board_of(claim),
        "chapter": claim.chapter,
        "claim": claim.claim,
        "unit": claim.unit,
        **numbers,
        "texts": {name: number_text(number, claim.unit) for name, number in numbers.items()},
        "verdict": claim.verdict.value,
        "why": claim.why,
        "ambiguities": [{"number": one.number, "text": one.text} for one in ambiguities([claim.id])],
        # JSON has no number for what is without bound.
        "inputs": {name: "infinite" if value == math.inf else value for name, value in claim.inputs.items()},
        "equation": claim.equation,
        "tolerance": claim.tolerance,
    }


def _computed(compute: Callable[[], float] | None) -> float | None:
    return None if compute is None else float(compute())


def flat(name: str) -> str:
    """A name without the ends of lines that a picture needs."""
    return name.replace("\n", " ")


def control_document(control: Control, facts: Facts) -> dict[str, Any]:
    """What can be turned, and where it starts in each mode."""
    return {
        "name": control.name,
        "symbol": GLOSSARY[control.name].symbol,
        "meaning": control.meaning,
        "dimension": control.dimension,
        "low": control.low,
        "high": control.high,
        "is_whole": control.is_whole,
        **{mode.value: control.start(mode, facts) for mode in Mode},
    }


def _mark(mark: Mark) -> dict[str, Any]:
    return {
        "name": mark.name,
        "x": mark.x,
        "y": mark.y,
        "line": flat(mark.line),
        "text": mark.text,
        "colour": mark.colour.value,
    }


def _axis(axis: Axis) -> dict[str, Any]:
    return {"caption": axis.caption, "dimension": axis.dimension, "is_logarithmic": axis.is_logarithmic}


def _ruled(ends: tuple[float, float], axis: Axis) -> dict[str, Any]:
    return {"ends": list(ends), "ticks": scale(is_logarithmic=axis.is_logarithmic).ticks(*ends)}


def _picture(picture: Picture) -> dict[str, Any]:
    match picture:
        case Curves():
            return {
                "kind": "curves",
                "x": picture.x.tolist(),
                "lines": [
                    {
                        "name": flat(line.name),
                        "colour": line.colour.value,
                        "is_bold": line.is_bold,
                        "is_floor": line.is_floor,
                        "y": line.y.tolist(),
                        "high": None if line.high is None else line.high.tolist(),
                    }
                    for line in picture.lines
                ],
                "marks": [_mark(mark) for mark in picture.marks],
            }
        case Table():
            return {
                "kind": "table",
                "values": picture.values.tolist(),
                "is_written": picture.is_written,
                "text": picture.text,
                "first": picture.first,
            }
        case Timeline():
            return {
                "kind": "timeline",
                "rows": list(picture.rows),
                "blocks": [
                    {
                        "row": block.row,
                        "start": block.start,
                        "end": block.end,
                        "text": block.text,
                        "colour": block.colour.value,
                    }
                    for block in picture.blocks
                ],
                "text": picture.text,
            }
