"""Arithmetic between arrays, element by element, and the operators that it is written with."""

import operator
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any

from .arrays import asarray, ndarray
from .elements import COMPARISONS, OPERATORS, safe, wider
from .shapes import Shape, common, expanded

__all__ = ["elementwise"]


def _operators() -> None:
    """Give arrays their binary operators."""
    named = {
        "add": "add",
        "sub": "subtract",
        "mul": "multiply",
        "truediv": "divide",
        "floordiv": "floor_divide",
        "mod": "remainder",
        "pow": "power",
        "and": "and",
        "or": "or",
        "xor": "xor",
    }
    for sign, name in named.items():
        setattr(ndarray, f"__{sign}__", _forward(name))
        setattr(ndarray, f"__r{sign}__", _backward(name))
    for sign, name in {
        "lt": "less",
        "le": "less_equal",
        "gt": "greater",
        "ge": "greater_equal",
        "eq": "equal",
        "ne": "not_equal",
    }.items():
        setattr(ndarray, f"__{sign}__", _forward(name))


def _forward(name: str) -> Callable[[ndarray, Any], Any]:
    return lambda first, second: elementwise(name, first, second)


def _backward(name: str) -> Callable[[ndarray, Any], Any]:
    return lambda second, first: elementwise(name, first, second)


def elementwise(name: str, first: Any, second: Any) -> Any:
    """A function of two numbers, of an array of each; a plain number where both are."""
    form = OPERATORS.get(name) or COMPARISONS[name]
    one, other = _array_or_number(first), _array_or_number(second)
    if not isinstance(one, ndarray) and not isinstance(other, ndarray):
        return safe(form)(one, other)
    if name == "power" and other.__class__ is int and other == SQUARE:
        form, other = operator.mul, one
    shape, kinds, lists = _paired(one, other)
    try:
        flat = list(map(form, *lists))
    except ZeroDivisionError:
        # What was used up of an endless list is repeated.
        flat = list(map(safe(form), *_paired(one, other)[2]))
    return ndarray(flat, shape, _kind(name, kinds))


SQUARE = 2
"""Exponent whose power is computed as a product, which is faster."""

_FLOATS = frozenset({"divide", "hypot"})
_SAME = frozenset({"and", "or", "xor", "maximum", "minimum"})


def _kind(name: str, kinds: tuple[type, type]) -> type:
    """Element type of a result."""
    if name in _FLOATS:
        return float
    if name in _SAME:
        return wider(*kinds)
    return bool if name in COMPARISONS else wider(*kinds, int)


def _array_or_number(value: Any) -> Any:
    return asarray(value) if isinstance(value, (list, tuple)) else value


def _paired(first: Any, second: Any) -> tuple[Shape, tuple[type, type], tuple[Iterable[Any], Iterable[Any]]]:
    """The common shape of two, of which one at least is an array, their types, and the elements of both in it."""
    if not isinstance(second, ndarray):
        return first.shape, (first.dtype, type(second)), (first.flat, repeat(second))
    if not isinstance(first, ndarray):
        return second.shape, (type(first), second.dtype), (repeat(first), second.flat)
    kinds = (first.dtype, second.dtype)
    if first.shape == second.shape:
        return first.shape, kinds, (first.flat, second.flat)
    shape = common(first.shape, second.shape)
    return shape, kinds, (expanded(first.flat, first.shape, shape), expanded(second.flat, second.shape, shape))


_operators()
