"""A formula as equations: which terms belong together, as the page and the letters beside it need to know."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ridgeline.boards.board import Term

__all__ = ["equations_of"]

MARK = re.compile(r"(?P<between>\\q?quad)|(?P<opening>\(|\\\{)|(?P<closing>\)|\\\})")


def equations_of(formula: Iterable[Term]) -> list[list[Term]]:
    r"""Terms by equation: a wide space outside brackets, in a term without a colour, stands between two.

    >>> terms = (Term(tex="a=b"), Term(tex=r",\qquad c=d"), Term(tex=r"+(e\quad f)"))
    >>> [[term.tex for term in equation] for equation in equations_of(terms)]
    [['a=b', ','], [' c=d', '+(e\\quad f)']]
    """
    found: list[list[Term]] = [[]]
    depth = 0
    for term in formula:
        start = 0
        for mark in MARK.finditer(term.tex):
            depth += bool(mark["opening"]) - bool(mark["closing"])
            if mark["between"] and not depth and term.colour is None:
                found[-1].append(replace(term, tex=term.tex[start : mark.start()]))
                found.append([])
                start = mark.end()
        if rest := term.tex[start:]:
            found[-1].append(replace(term, tex=rest))
    return [equation for equation in found if equation]
