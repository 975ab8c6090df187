"""A board as plain data: what the command line prints with ``--json`` and the page draws."""

from __future__ import annotations

from typing import Any

from ridgeline.boards.ambiguities import ambiguities
from ridgeline.boards.board import Axis, Board, Control, Curves, Facts, Mark, Mode, Picture, Table, Timeline, Values

__all__ = ["board_document", "flat", "marks"]


def board_document(board: Board, values: Values, facts: Facts) -> dict[str, Any]:
    """All of a board at some values of its controls, and the points that matter on it in both modes."""
    starts = {mode: board.values(mode, facts=facts) for mode in Mode}
    return {
        "title": board.title,
        "question": board.question,
        "caption": board.caption,
        "formula": [{"tex": term.tex, "colour": term.colour} for term in board.formula],
        "controls": [
            _control(control, values[control.name], {mode: found[control.name] for mode, found in starts.items()})
            for control in board.controls
        ],
        "views": [
            {
                "heading": view.heading,
                "axes": {"x": _axis(view.x), "y": _axis(view.y)},
                **_picture(view.compute(values)),
            }
            for view in board.views
        ],
        "marks": {mode.value: marks(board, found) for mode, found in starts.items()},
        "claims": list(board.claims),
        "ambiguities": [
            {"number": one.number, "text": one.text, "claims": [claim for claim in one.claims if claim in board.claims]}
            for one in ambiguities(board.claims)
        ],
        "exercises": list(board.exercises),
    }


def marks(board: Board, values: Values) -> list[dict[str, Any]]:
    """The points that matter, of all views: where they lie, in the units of its axes."""
    return [
        {"view": place, **_mark(mark)}
        for place, picture in enumerate(board.pictures(values))
        if isinstance(picture, Curves)
        for mark in picture.marks
    ]


def flat(name: str) -> str:
    """A name without the ends of lines that a picture needs."""
    return name.replace("\n", " ")


def _control(control: Control, value: float, starts: dict[Mode, float]) -> dict[str, Any]:
    return {
        "name": control.name,
        "meaning": control.meaning,
        "dimension": control.dimension,
        "low": control.low,
        "high": control.high,
        **{mode.value: start for mode, start in starts.items()},
        "value": value,
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
                    }
                    for line in picture.lines
                ],
                "marks": [_mark(mark) for mark in picture.marks],
                "top": picture.top,
                "bottom": picture.bottom,
            }
        case Table():
            return {
                "kind": "table",
                "values": picture.values.tolist(),
                "is_written": picture.is_written,
                "text": picture.text,
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
