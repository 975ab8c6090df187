"""A board as plain data: what the command line prints with ``--json``."""

from __future__ import annotations

from typing import Any

from ridgeline.boards.board import Board, Facts, Values
from ridgeline.boards.documents.letters import control_document, letters_document, term_document
from ridgeline.boards.documents.record import record_document
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Curves
from ridgeline.boards.ranked_controls import ranked_controls

__all__ = ["board_document", "marks"]


def board_document(board: Board, values: Values, facts: Facts) -> dict[str, Any]:
    """Document of a board at given values of its controls, with its marks in both modes."""
    starts = board.starts(facts)
    return {
        "title": board.title,
        "question": board.question,
        "caption": board.caption,
        "formula": [term_document(term) for term in board.formula],
        "controls": [{**control_document(control, facts), "value": values[control.name]} for control in board.controls],
        "views": [
            {**view_document(view, values), "controls": list(ranked_controls(board, view))} for view in board.views
        ],
        "marks": {mode.value: marks(board, found) for mode, found in starts.items()},
        "symbols": letters_document(board, board.formula),
    }


def marks(board: Board, values: Values) -> list[dict[str, Any]]:
    """Marks of all views, in the units of their axes."""
    return [
        {"view": place, **record_document(mark)}
        for place, picture in enumerate(board.pictures(values))
        if isinstance(picture, Curves)
        for named in named_marks(picture)
        for mark in named.marks
    ]
