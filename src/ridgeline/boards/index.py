"""Which boards show what: claims and exercises by a board's name, or by a chapter of the lecture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from ridgeline.boards.board import Board
from ridgeline.boards.shelf import BOARDS

__all__ = ["first_board", "of_board"]


class Shown(Protocol):
    """What boards show: a claim, or an exercise."""

    @property
    def id(self) -> str: ...

    @property
    def chapter(self) -> str: ...


Kind = TypeVar("Kind", bound=Shown)


def of_board(there: Sequence[Kind], name: str, ids: Callable[[Board], Sequence[str]]) -> tuple[Kind, ...]:
    """Those of a board, or of a chapter where no board has that name.

    Args:
        there: all of them.
        name: as ``ridgeline boards`` lists it, or a chapter's.
        ids: what a board shows of them.

    Raises:
        ValueError: it is neither; lists those that there are.
    """
    board = next((one for one in BOARDS if one.name == name), None)
    found = tuple(one for one in there if (one.chapter == name if board is None else one.id in ids(board)))
    if board is None and not found:
        boards = ", ".join(one.name for one in BOARDS)
        chapters = ", ".join(dict.fromkeys(one.chapter for one in there))
        raise ValueError(f"{name!r} is not a board; there are {boards}. Chapters of the lecture are {chapters}")
    return found


def first_board(shown: Shown, ids: Callable[[Board], Sequence[str]]) -> str:
    """The first board that shows it; its chapter, where none does yet."""
    return next((one.name for one in BOARDS if shown.id in ids(one)), shown.chapter)
