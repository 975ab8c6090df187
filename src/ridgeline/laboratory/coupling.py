"""The one device that ciphers and reversible networks share: ``(x, y) -> (y + f(x), x)``, undone without undoing f.

On words it is a round of a Feistel network, on activations a layer of a reversible one (RevNet). Only what it means to
add differs: exclusive or, a sum modulo some number, or a sum of floats, which rounds.

Sources: lecture 2:08-2:12 (E1-E3); Feistel 1973; Gomez et al. 2017 (arXiv 1707.04585).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["coupled", "uncoupled"]

T = TypeVar("T")


def coupled(
    *,
    left: T,
    right: T,
    functions: Sequence[Callable[[T], T]],
    add: Callable[[T, T], T] = operator.add,
) -> tuple[T, T]:
    """Both halves after ``(x, y) -> (y + f(x), x)`` for each function in turn; any functions serve.

    >>> coupled(left=3, right=5, functions=[lambda x: x * x])
    (14, 3)

    Source: Feistel 1973; lecture 2:09 (E1, E2).
    """
    for function in functions:
        left, right = add(right, function(left)), left
    return left, right


def uncoupled(
    *,
    left: T,
    right: T,
    functions: Sequence[Callable[[T], T]],
    subtract: Callable[[T, T], T] = operator.sub,
) -> tuple[T, T]:
    """The halves that ``coupled`` was given: the same functions in reverse order, each run forward.

    >>> uncoupled(left=14, right=3, functions=[lambda x: x * x])
    (3, 5)

    Source: Feistel 1973; lecture 2:09 (E1).
    """
    for function in reversed(functions):
        left, right = right, subtract(left, function(right))
    return left, right
