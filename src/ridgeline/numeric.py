"""Functions for any kind of number: maximum, minimum, where, ceil, floor, log, exp, sqrt, erfc and a root.

Each function accepts Python numbers, NumPy arrays and arrays of other libraries that follow the array standard
(JAX's traced values among them), so that one source of an equation serves all three. Python numbers stay Python
numbers; the library of the first array that is not NumPy's is used otherwise.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterable
from importlib import import_module
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "INFINITY",
    "INTERVAL_DEVIATIONS",
    "INTERVAL_FRACTION",
    "MEAN_DEVIATIONS",
    "NEXT_TO_NOTHING",
    "PI",
    "ROUNDING",
    "Numeric",
    "bracket",
    "ceil",
    "erfc",
    "exp",
    "floor",
    "is_plain",
    "is_zero",
    "least_of",
    "log",
    "maximum",
    "minimum",
    "near_zero",
    "ratio_or",
    "solve",
    "sqrt",
    "total_of",
    "where",
]

INFINITY = math.inf
PI = math.pi
NEXT_TO_NOTHING = 1e-12
"""A time, and a part of one, that is as good as none, by which nothing is divided."""
ROUNDING = 1e-9
"""Relative difference that rounding alone may make: of equal sums, and of a whole number from what gives it."""
FLAT = 1e-8
"""Square of a number below which ``near_zero`` takes the first terms of a series."""

INTERVAL_FRACTION = 0.8
"""Part of measurements that an interval is to hold, everywhere."""
INTERVAL_DEVIATIONS = NormalDist().inv_cdf((1 + INTERVAL_FRACTION) / 2)
"""Standard deviations to either side that hold that part of a normal variable: 1.2816..."""
MEAN_DEVIATIONS = math.sqrt(2 / math.pi)
"""Mean absolute value of a standard normal variable: 0.7979."""

HALVINGS = 100
"""Bisections of an interval in which a root is sought: more than a float has bits."""

PLAIN = frozenset({int, float})
NUMPY = PLAIN | {np.ndarray, np.float64, np.bool_, bool}
"""Types of most estimates and grids, recognised first for speed."""

Numeric = float | NDArray[np.float64]
"""A float or a grid of floats (or, at run time, a traced value)."""


def _library(*values: object) -> Any:  # noqa: ANN401  the namespaces of array libraries share no type
    """The array library of ``values``, or None where all are Python numbers."""
    kinds = {value.__class__ for value in values}
    if np.ndarray in kinds and kinds <= NUMPY:
        return np
    if all(isinstance(value, (int, float)) for value in values):
        return None
    for value in values:
        if hasattr(value, "__array_namespace__") and not isinstance(value, (np.ndarray, np.generic)):
            return value.__array_namespace__()
    return np


def is_plain(*values: Numeric) -> bool:
    """Whether all values are Python numbers, and none a grid or a traced value.

    >>> is_plain(1, 2.0), is_plain(1, np.zeros(2))
    (True, False)
    """
    return all(value.__class__ in PLAIN for value in values)


def is_zero(value: Numeric) -> bool:
    """Whether a value is the float zero, of which nothing needs to be computed; never a grid of zeros.

    >>> is_zero(0.0), is_zero(1.0), is_zero(np.zeros(2))
    (True, False, False)
    """
    return value.__class__ is float and not value


def maximum(first: Numeric, second: Numeric) -> Numeric:
    """The larger of two numbers, element by element.

    >>> maximum(1.0, 2.0)
    2.0
    """
    if first.__class__ in PLAIN and second.__class__ in PLAIN:
        return builtins.max(first, second)
    if first.__class__ in NUMPY and second.__class__ in NUMPY:
        return np.maximum(first, second)
    library = _library(first, second)
    return library.maximum(first, second) if library else builtins.max(first, second)


def minimum(first: Numeric, second: Numeric) -> Numeric:
    """The smaller of two numbers, element by element.

    >>> minimum(1.0, 2.0)
    1.0
    """
    if first.__class__ in PLAIN and second.__class__ in PLAIN:
        return builtins.min(first, second)
    if first.__class__ in NUMPY and second.__class__ in NUMPY:
        return np.minimum(first, second)
    library = _library(first, second)
    return library.minimum(first, second) if library else builtins.min(first, second)


def where(condition: bool | NDArray[np.bool_], yes: Numeric, no: Numeric) -> Numeric:  # noqa: FBT001  as NumPy's
    """``yes`` where the condition holds, else ``no``, element by element; both are evaluated.

    >>> where(2 > 1, 3.0, 4.0)
    3.0
    """
    if condition.__class__ is bool and yes.__class__ in PLAIN and no.__class__ in PLAIN:
        return yes if condition else no
    if condition.__class__ in NUMPY and yes.__class__ in NUMPY and no.__class__ in NUMPY:
        return np.where(condition, yes, no)
    library = _library(condition, yes, no)
    return library.where(condition, yes, no) if library else (yes if condition else no)


def ceil(value: Numeric) -> Numeric:
    """The smallest whole number that is not below ``value``.

    >>> ceil(1.2)
    2.0
    """
    if value.__class__ is np.ndarray:
        return np.ceil(value)
    library = None if value.__class__ in PLAIN else _library(value)
    return library.ceil(value) if library else float(math.ceil(value))


def floor(value: Numeric) -> Numeric:
    """The largest whole number that is not above ``value``.

    >>> floor(1.8)
    1.0
    """
    library = None if value.__class__ in PLAIN else _library(value)
    return library.floor(value) if library else float(math.floor(value))


def log(value: Numeric) -> Numeric:
    """The natural logarithm.

    >>> log(1.0)
    0.0
    """
    library = None if value.__class__ in PLAIN else _library(value)
    return library.log(value) if library else math.log(value)


def exp(value: Numeric) -> Numeric:
    """The exponential function.

    >>> exp(0.0)
    1.0
    """
    library = None if value.__class__ in PLAIN else _library(value)
    return library.exp(value) if library else math.exp(value)


def sqrt(value: Numeric) -> Numeric:
    """The square root.

    >>> sqrt(9.0)
    3.0
    """
    if value.__class__ is np.ndarray:
        return np.sqrt(value)
    library = None if value.__class__ in PLAIN else _library(value)
    return library.sqrt(value) if library else math.sqrt(value)


def erfc(value: Numeric) -> Numeric:
    """The complementary error function, one less the error function, to the last digits far out too.

    Neither NumPy nor the array standard has it: a grid takes that of ``math`` element by element, another library its
    own, be it among its functions or, as JAX's, those of its ``scipy.special``.

    >>> erfc(0.0), erfc(3.0)
    (1.0, 2.209e-05)
    """
    library = None if value.__class__ in PLAIN else _library(value)
    if library is None:
        return math.erfc(value)
    if library is np:
        return np.asarray(np.frompyfunc(math.erfc, 1, 1)(value), dtype=np.float64)
    special = library if hasattr(library, "erfc") else import_module(f"{library.__name__.split('.')[0]}.scipy.special")
    found: Numeric = special.erfc(value)
    return found


def ratio_or(value: Numeric, divisor: Numeric, otherwise: Numeric) -> Numeric:
    """``value / divisor`` where the divisor is positive, and ``otherwise`` elsewhere; nothing is divided by zero.

    >>> ratio_or(6.0, 2.0, INFINITY), ratio_or(6.0, 0.0, INFINITY)
    (3.0, inf)
    """
    is_defined = divisor > 0
    return where(is_defined, value / where(is_defined, divisor, 1.0), otherwise)


def near_zero(value: Numeric, series: Numeric, fraction: Callable[[Numeric], Numeric]) -> Numeric:
    """``fraction(value)``, which loses its digits near zero, and the first terms of its series there.

    >>> near_zero(1.0, 0.5, lambda x: (1 - exp(-x)) / x), near_zero(0.0, 1.0, lambda x: (1 - exp(-x)) / x)
    (0.632, 1.0)
    """
    is_flat = value * value < FLAT
    return where(is_flat, series, fraction(where(is_flat, 1.0, value)))


def solve(rising: Callable[[Numeric], Numeric], low: Numeric, high: Numeric) -> Numeric:
    """Root of a rising function between two bounds, by bisection, element by element; else the nearer bound.

    >>> solve(lambda x: x * x - 2, 0.0, 2.0)
    1.41421356
    """
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_below = rising(middle) < 0
        low, high = where(is_below, middle, low), where(is_below, high, middle)
    return (low + high) / 2


def bracket(holds: Callable[[float], bool], low: float, high: float, *, halvings: int) -> tuple[float, float]:
    """The last number found of which something does not hold, and the first of which it does and of all beyond.

    Args:
        holds: taken not to hold at ``low``, and to hold at ``high``, where it is not asked.
        low: lower bound of the interval.
        high: upper bound of the interval.
        halvings: number of bisections of the interval.

    >>> bracket(lambda x: x * x >= 2, 0.0, 2.0, halvings=2)
    (1.0, 1.5)
    """
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low, high


def least_of(values: Iterable[Numeric]) -> Numeric:
    """The least of one number or more, element by element of grids.

    >>> least_of([3.0, 1.0, 2.0])
    1.0
    """
    first, *others = values
    for value in others:
        first = minimum(first, value)
    return first


def total_of(values: Iterable[Numeric]) -> Numeric:
    """Sum of one number or more; over grids, zeros are not added.

    >>> total_of([1.0, 2.0])
    3.0
    """
    first, *others = values
    for value in others:
        first = first + value
    return first
