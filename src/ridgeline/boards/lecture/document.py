"""The lecture as plain data: rows of its ledger, and what a board shows of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ridgeline.boards.argument import Outcome, links, names
from ridgeline.boards.board import Board
from ridgeline.boards.claim import Claim, number_text
from ridgeline.boards.constant import Constant
from ridgeline.boards.lecture import board_of, chapter_of
from ridgeline.boards.lecture.left_open import ambiguities
from ridgeline.boards.lecture.recording import link

__all__ = ["bridge_document", "claim_document", "graph_document", "shown_document"]


def shown_document(board: Board) -> dict[str, Any]:
    """Which claims and exercises a board shows, and what the lecture leaves open at them."""
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


def claim_document(claim: Claim) -> dict[str, Any]:
    """A row of the ledger, computed: numbers in base units, and as they are read."""
    numbers = {
        "lecture": None if claim.lecture is None else float(claim.lecture),
        "ours_lecture_mode": claim.lecture_mode(),
        "ours_careful": claim.careful(),
    }
    return {
        "id": claim.id,
        "time_stamp": claim.time_stamp,
        "link": link(claim.time_stamp),
        "board": board_of(claim),
        "chapter": chapter_of(claim).name,
        "claim": claim.claim,
        "unit": claim.unit,
        **numbers,
        "texts": {name: number_text(number, claim.unit) for name, number in numbers.items()},
        "lecture_number": _constant(claim.lecture),
        "verdict": claim.verdict.value,
        "why": claim.why,
        "ambiguities": [{"number": one.number, "text": one.text} for one in ambiguities([claim.id])],
        "inputs": {name: _constant(one) for name, one in claim.inputs.items()},
        "careful_inputs": {name: _plain(one) for name, one in claim.careful_inputs().items()},
        "careful_of": claim.careful_of,
        "contrast": claim.contrast,
        "equation": claim.equation,
        "tolerance": claim.tolerance,
    }


def bridge_document(claim: Claim) -> list[dict[str, Any]]:
    """From the lecture's number to the careful one, a changed assumption a step."""
    return [
        {"change": change, "value": value if math.isfinite(value) else None, "text": number_text(value, claim.unit)}
        for change, value in claim.bridge()
    ]


def _constant(one: Constant | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "value": _plain(one.value),
        "origin": one.origin.value,
        "time_stamp": one.time_stamp,
        "hedge": one.hedge,
        "low": one.low,
        "high": one.high,
        "claim": one.claim,
        "beside": one.beside,
    }


def _plain(value: Any) -> Any:  # noqa: ANN401  a number, or what stands for one
    """As JSON has it, which knows no number for what is without bound."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else "infinite"
    return getattr(value, "name", str(value))


def graph_document(claims: Sequence[Claim], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Which claim rests on which, and what became of those that changed numbers reach."""
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
