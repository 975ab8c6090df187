"""Elements: their types, arithmetic on two and functions of one; infinity, or no number, where Python has an error."""

import math
import operator
from collections.abc import Callable
from typing import Any

__all__ = ["COMPARISONS", "OPERATORS", "kind_of", "safe", "unary", "wider"]

Number = Any
"""A float, an int or a bool."""


ORDER = (bool, int, float)
"""Types of elements, from the narrowest."""


def wider(*kinds: type) -> type:
    """The widest of some types."""
    return ORDER[max(ORDER.index(kind) for kind in kinds)]


def kind_of(value: Any) -> type:
    """The type of a number."""
    if isinstance(value, bool):
        return bool
    return int if isinstance(value, int) else float


def _divided(first: Number, second: Number) -> float:
    try:
        return float(first / second)
    except ZeroDivisionError:
        if first == 0 or first != first:  # noqa: PLR0124  which alone of all numbers is not itself
            return math.nan
        return math.copysign(math.inf, first) * math.copysign(1.0, second)


def _floored(first: Number, second: Number) -> Number:
    try:
        return first // second
    except ZeroDivisionError:
        return _divided(first, second) if isinstance(first, float) or isinstance(second, float) else 0


def _remainder(first: Number, second: Number) -> Number:
    try:
        return first % second
    except ZeroDivisionError:
        return math.nan if isinstance(first, float) or isinstance(second, float) else 0


def _power(first: Number, second: Number) -> Number:
    if isinstance(first, int) and isinstance(second, int) and second >= 0:
        return first**second
    try:
        return math.pow(first, second)
    except (OverflowError, ValueError):
        if first < 0 and not float(second).is_integer():
            return math.nan
        # Too large, or zero to a power below zero.
        return math.copysign(math.inf, first) if second % 2 == 1 else math.inf


def _larger(first: Number, second: Number) -> Number:
    return first if first >= second or first != first else second  # noqa: PLR0124


def _smaller(first: Number, second: Number) -> Number:
    return first if first <= second or first != first else second  # noqa: PLR0124


OPERATORS: dict[str, Callable[[Number, Number], Number]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": _floored,
    "remainder": _remainder,
    "power": _power,
    "maximum": _larger,
    "minimum": _smaller,
    "hypot": math.hypot,
}
"""Operators by NumPy's names; those that can fail have a safe form below."""

COMPARISONS: dict[str, Callable[[Number, Number], Number]] = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
"""Operators whose results are true or false, except the last three, which act on whole numbers."""

SAFE = {operator.truediv: _divided}


def safe(form: Callable[[Number, Number], Number]) -> Callable[[Number, Number], Number]:
    """The form that never raises an error."""
    return SAFE.get(form, form)


def _ln(value: Number) -> float:
    if value > 0:
        return math.log(value)
    return -math.inf if value == 0 else math.nan


def _lg(value: Number) -> float:
    if value > 0:
        return math.log10(value)
    return -math.inf if value == 0 else math.nan


def _exp(value: Number) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _root(value: Number) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _sign(value: Number) -> Number:
    if value > 0:
        return type(value)(1)
    return type(value)(-1) if value < 0 else value


def _up(value: Number) -> Number:
    return float(math.ceil(value)) if math.isfinite(value) else value


def _down(value: Number) -> Number:
    return float(math.floor(value)) if math.isfinite(value) else value


unary: dict[str, Callable[[Number], Number]] = {
    "ceil": _up,
    "exp": _exp,
    "floor": _down,
    "isfinite": math.isfinite,
    "isnan": math.isnan,
    "log": _ln,
    "log10": _lg,
    "sign": _sign,
    "sqrt": _root,
    "tanh": math.tanh,
}
"""Functions of one number by NumPy's names."""
