"""A formula as equations: which terms belong together, as the page and the letters beside it need to know."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from ridgeline.boards.board import Term

__all__ = ["Piece", "equations_of"]

MARK = re.compile(r"(?P<between>\\q?quad)|(?P<opening>\(|\\\{)|(?P<closing>\)|\\\})")


class Piece(NamedTuple):
    """A term, or what one equation has of a term that joins two.

    Attributes:
        place: number of the term in its formula, from 0.
        term: term, or the part of it that the equation has.
    """

    place: int
    term: Term


def equations_of(formula: Iterable[Term]) -> list[list[Piece]]:
    r"""Pieces by equation: a wide space outside brackets, in a term without a colour, stands between two.

    >>> terms = (Term(tex="a=b"), Term(tex=r",\qquad c=d"), Term(tex=r"+(e\quad f)"))
    >>> [[(piece.place, piece.term.tex) for piece in equation] for equation in equations_of(terms)]
    [[(0, 'a=b'), (1, ',')], [(1, ' c=d'), (2, '+(e\\quad f)')]]
    """
    found: list[list[Piece]] = [[]]
    depth = 0
    for place, term in enumerate(formula):
        start = 0
        for mark in MARK.finditer(term.tex):
            depth += bool(mark["opening"]) - bool(mark["closing"])
            if mark["between"] and not depth and term.colour is None:
                found[-1].append(Piece(place, replace(term, tex=term.tex[start : mark.start()])))
                found.append([])
                start = mark.end()
        if rest := term.tex[start:]:
            found[-1].append(Piece(place, replace(term, tex=rest)))
    return [equation for equation in found if equation]
