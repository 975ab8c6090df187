"""Choice of the marks whose text is shown at once: few, so that the important ones are read first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ridgeline.boards.picture import Curves, Mark

__all__ = ["MOST_NAMED", "named_marks"]

MOST_NAMED = 3
"""Largest number of marks whose text is shown; the others show it on hover."""


def named_marks(*pictures: Curves) -> tuple[Curves, ...]:
    """Pictures that share a frame, with all marks quiet but the first ones, together ``MOST_NAMED`` at most.

    The last picture is what the frame is about: its mark comes before the others' of the same name, which are said
    beside it where there is room. One that says the same is said once.
    """
    named: list[Mark] = []
    for mark in _by_rank(pictures):
        if len(named) < MOST_NAMED and not any(_says_the_same(mark, other) for other in named):
            named.append(mark)
    # By identity: two pictures may hold equal marks, of which one says its text.
    kept = {id(mark) for mark in named}
    return tuple(
        replace(
            picture, marks=tuple(mark if id(mark) in kept else replace(mark, is_quiet=True) for mark in picture.marks)
        )
        for picture in pictures
    )


def _by_rank(pictures: tuple[Curves, ...]) -> Iterator[Mark]:
    """Marks that may say their text, name by name."""
    heroes_first = pictures[::-1]
    for name in dict.fromkeys(mark.name for picture in heroes_first for mark in picture.marks):
        for picture in heroes_first:
            yield from (mark for mark in picture.marks if mark.name == name and not mark.is_quiet)


def _says_the_same(one: Mark, other: Mark) -> bool:
    return (one.name, one.text) == (other.name, other.text)
