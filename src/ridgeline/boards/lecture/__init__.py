"""Reiner Pope's lecture: its chapters in order, with all boards, claims and questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Protocol, TypeVar

from ridgeline.boards.board import Board
from ridgeline.boards.card import Card
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.claim import Claim
from ridgeline.boards.exercise import Exercise
from ridgeline.boards.lecture.batch import CHAPTER as BATCH
from ridgeline.boards.lecture.cryptography import CHAPTER as CRYPTOGRAPHY
from ridgeline.boards.lecture.layouts import CHAPTER as LAYOUTS
from ridgeline.boards.lecture.not_wise import CHAPTER as NOT_WISE
from ridgeline.boards.lecture.pipelines import CHAPTER as PIPELINES
from ridgeline.boards.lecture.prices import CHAPTER as PRICES
from ridgeline.boards.lecture.training import CHAPTER as TRAINING

__all__ = [
    "BOARDS",
    "CARDS",
    "CHAPTERS",
    "CLAIMS",
    "EXERCISES",
    "board",
    "board_of",
    "cards",
    "chapter_of",
    "claim",
    "claims",
    "exercises",
    "names",
]

CHAPTERS: tuple[Chapter, ...] = (BATCH, LAYOUTS, PIPELINES, NOT_WISE, TRAINING, PRICES, CRYPTOGRAPHY)
BOARDS: tuple[Board, ...] = tuple(one for chapter in CHAPTERS for one in chapter.boards)
CLAIMS: tuple[Claim, ...] = tuple(one for chapter in CHAPTERS for one in chapter.claims)
EXERCISES: tuple[Exercise, ...] = tuple(one for chapter in CHAPTERS for one in chapter.exercises)
CARDS: tuple[Card, ...] = tuple(one for chapter in CHAPTERS for one in chapter.cards)


class Shown(Protocol):
    """Anything that boards show and name by an id: a claim, or a question."""

    @property
    def id(self) -> str: ...


Kind = TypeVar("Kind", bound=Shown)


def names() -> list[str]:
    """Names of all boards and chapters."""
    return [*(one.name for one in BOARDS), *(one.name for one in CHAPTERS)]


def board(name: str) -> Board:
    """Board by its name.

    Raises:
        ValueError: there is none; names the nearest, and the command that lists all.
    """
    found = next((one for one in BOARDS if one.name == name), None)
    if found is None:
        known = [one.name for one in BOARDS]
        near = get_close_matches(name.lower(), known)
        said = f"; nearest: {', '.join(near)}" if near else ""
        raise ValueError(f"{name!r} is not a board{said}. All: ridgeline boards")
    return found


def claim(name: str) -> Claim:
    """The claim of that id, whichever of its letters are capitals.

    Raises:
        ValueError: there is none.
    """
    found = next((one for one in CLAIMS if one.id.casefold() == name.casefold()), None)
    if found is None:
        raise ValueError(f"{name!r} is not a claim")
    return found


def claims(name: str | None = None) -> tuple[Claim, ...]:
    """Every claim, or those of one board or chapter.

    Raises:
        ValueError: there is no such board or chapter; lists those that there are.
    """
    return CLAIMS if name is None else _chosen(name, CLAIMS, lambda one: one.claims, lambda one: one.claims)


def exercises(name: str | None = None) -> tuple[Exercise, ...]:
    """Every exercise, or those of one board or chapter.

    Raises:
        ValueError: there is no such board or chapter; lists those that there are.
    """
    return EXERCISES if name is None else _chosen(name, EXERCISES, lambda one: one.exercises, lambda one: one.exercises)


def cards(name: str | None = None) -> tuple[Card, ...]:
    """Every card, or those of one board or chapter.

    Raises:
        ValueError: there is no such board or chapter; lists those that there are.
    """
    if name is None:
        return CARDS
    return _chosen(
        name, CARDS, lambda one: [card.id for card in CARDS if card.board == one.name], lambda one: one.cards
    )


def chapter_of(shown: Board | Shown) -> Chapter:
    """The chapter of a board, a claim or a question."""
    return next(
        chapter
        for chapter in CHAPTERS
        if any(shown is one for one in (*chapter.boards, *chapter.claims, *chapter.exercises, *chapter.cards))
    )


def board_of(shown: Shown) -> str:
    """Name of the first board that shows a claim or an exercise."""
    return next(one.name for one in BOARDS if shown.id in (*one.claims, *one.exercises))


def _chosen(
    name: str,
    there: Sequence[Kind],
    ids: Callable[[Board], Sequence[str]],
    own: Callable[[Chapter], Sequence[Kind]],
) -> tuple[Kind, ...]:
    """Claims, or exercises, of a board or of a chapter."""
    chapter = next((one for one in CHAPTERS if one.name == name), None)
    if chapter is not None:
        return tuple(own(chapter))
    found = next((one for one in BOARDS if one.name == name), None)
    if found is None:
        boards, chapters = (", ".join(one.name for one in all_of) for all_of in (BOARDS, CHAPTERS))
        raise ValueError(f"{name!r} is neither a board nor a chapter; boards are {boards}; chapters are {chapters}")
    return tuple(one for one in there if one.id in ids(found))
