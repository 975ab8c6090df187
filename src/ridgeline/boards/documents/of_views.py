"""What views of all kinds have, and a document of each mode's picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypedDict, TypeVar

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import Mode
from ridgeline.boards.documents.axes import AxesDocument
from ridgeline.boards.flows import Facets, Halves, Passage
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.picture import Curves, Picture, Sheet, Table
from ridgeline.boards.scene import Gantt, Multiples, Racks, Trains

__all__ = ["OfViews", "each", "of_kind"]

Kind = TypeVar(
    "Kind",
    Curves,
    Table,
    Sheet,
    Trains,
    Racks,
    Gantt,
    Multiples,
    Passage,
    Halves,
    Facets,
    Beliefs,
    Loop,
    Routes,
)
Written = TypeVar("Written")


class OfViews(TypedDict):
    """What views of all kinds have.

    Attributes:
        heading: what is drawn against what; empty where the board's title says it.
        axes: of the pictures of all modes.
    """

    heading: str
    axes: AxesDocument


def each(
    kind: type[Kind], pictures: Mapping[Mode, Picture], document: Callable[[Kind], Written]
) -> dict[Mode, Written]:
    """The document of each mode's picture, which are of one kind."""
    return {mode: document(one) for mode, one in of_kind(kind, pictures).items()}


def of_kind(kind: type[Kind], pictures: Mapping[Mode, Picture]) -> dict[Mode, Kind]:
    """The pictures of all modes, which have to be of one kind."""
    found = {mode: one for mode, one in pictures.items() if isinstance(one, kind)}
    if len(found) < len(pictures):
        raise TypeError(
            f"a view draws the same kind of picture in all modes, not {kind.__name__} in {list(found)} alone"
        )
    return found
