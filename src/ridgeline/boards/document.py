"""A board as plain data: what the command line prints with ``--json`` and the page draws."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ridgeline.boards.board import Board, Control, Facts, Mode, Values, View
from ridgeline.boards.constant import Constant
from ridgeline.boards.picture import Axis, Curves, Dots, Mark, Picture, Schematic, Sheet, Table, Timeline
from ridgeline.boards.scale import scale
from ridgeline.boards.scene import Gantt, Multiples, Racks, Trains
from ridgeline.boards.scene_document import scene_document
from ridgeline.glossary import GLOSSARY

__all__ = ["board_document", "control_document", "flat", "marks", "view_document"]


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
        "symbols": [{"tex": one.tex, "meaning": one.meaning} for one in board.symbols],
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
        **_origin(control.lecture),
    }


def _origin(lecture: Constant | float) -> dict[str, Any]:
    """Whose number the lecture's start is."""
    if not isinstance(lecture, Constant):
        return {}
    return {"lecture_origin": lecture.origin.value, "lecture_time_stamp": lecture.time_stamp, "hedge": lecture.hedge}


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
    return {
        "ends": list(ends),
        "ticks": scale(is_logarithmic=axis.is_logarithmic, dimension=axis.dimension).ticks(*ends),
    }


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
                "dots": [_dots(one) for one in picture.dots],
                "is_whole": picture.is_whole,
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
        case Sheet():
            return {
                "kind": "sheet",
                "columns": list(picture.columns),
                "rows": [list(row) for row in picture.rows],
                "bold": list(picture.bold),
                "text": picture.text,
            }
        case Schematic():
            return {
                "kind": "schematic",
                "width": picture.width,
                "height": picture.height,
                "boxes": [asdict(box) for box in picture.boxes],
                "cables": [asdict(cable) for cable in picture.cables],
                "text": picture.text,
            }
        case Trains() | Racks() | Gantt() | Multiples():
            return {"kind": type(picture).__name__.lower(), **scene_document(picture)}


def _dots(dots: Dots) -> dict[str, Any]:
    return {
        "name": flat(dots.name),
        "is_named": dots.is_named,
        "x": dots.x.tolist(),
        "y": dots.y.tolist(),
        "labels": list(dots.labels),
        "colour": dots.colour.value,
    }
