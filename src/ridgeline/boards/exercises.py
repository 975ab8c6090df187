"""All exercises, in the order of the lecture."""

from __future__ import annotations

from ridgeline.boards.exercise import Exercise
from ridgeline.boards.exercises_ciphers import EXERCISES as CIPHERS
from ridgeline.boards.exercises_layouts import EXERCISES as LAYOUTS
from ridgeline.boards.exercises_prices import EXERCISES as PRICES
from ridgeline.boards.exercises_serving import EXERCISES as SERVING
from ridgeline.boards.exercises_training import EXERCISES as TRAINING
from ridgeline.boards.index import first_board, of_board

__all__ = ["EXERCISES", "board_of", "exercises"]

EXERCISES: tuple[Exercise, ...] = (*SERVING, *LAYOUTS, *TRAINING, *PRICES, *CIPHERS)


def exercises(board: str | None = None) -> tuple[Exercise, ...]:
    """Every exercise, or those of one board or chapter.

    Raises:
        ValueError: there is no such board; lists those that there are.
    """
    return EXERCISES if board is None else of_board(EXERCISES, board, lambda one: one.exercises)


def board_of(exercise: Exercise) -> str:
    """Name of the first board that has it; its chapter's, where none does yet."""
    return first_board(exercise, lambda one: one.exercises)
