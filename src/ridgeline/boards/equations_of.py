"""A formula as equations: which terms belong together, as the page and the letters beside it need to know."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ridgeline.boards.board import Term

__all__ = ["equations_of"]

BETWEEN = re.compile(r"\\q?quad")
BRACKET = re.compile(r"\(|\)|\\\{|\\\}")
OPENING = ("(", r"\{")


def equations_of(formula: Iterable[Term]) -> list[list[Term]]:
    r"""Terms by equation: a wide space outside brackets, in a term without a colour, stands between two.

    >>> terms = (Term(tex="a=b"), Term(tex=r",\qquad c=d"), Term(tex=r"+(e\quad f)"))
    >>> [[term.tex for term in equation] for equation in equations_of(terms)]
    [['a=b', ','], [' c=d', '+(e\\quad f)']]
    """
    found: list[list[Term]] = [[]]
    depth = 0
    for term in formula:
        depth += sum(1 if sign in OPENING else -1 for sign in BRACKET.findall(term.tex))
        is_whole = depth > 0 or term.colour is not None
        first, *others = [term.tex] if is_whole else BETWEEN.split(term.tex)
        found[-1].append(replace(term, tex=first))
        found.extend([replace(term, tex=one)] if one.strip() else [] for one in others)
    return [equation for equation in found if equation]
