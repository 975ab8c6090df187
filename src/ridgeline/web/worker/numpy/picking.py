"""Reductions and look-ups: extremes, sums, means, sorting, and interpolation."""

import builtins
import statistics
from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise
from typing import Any

from .arrays import array, asarray, ndarray, ravel
from .elements import wider
from .making import concatenate

__all__ = [
    "all",
    "any",
    "argsort",
    "cumsum",
    "diff",
    "interp",
    "max",
    "mean",
    "median",
    "min",
    "ndim",
    "searchsorted",
    "sort",
    "sum",
    "trace",
    "union1d",
    "unique",
]


def ndim(value: Any) -> int:
    """Number of axes; zero for a number."""
    return 0 if isinstance(value, (int, float)) else asarray(value).ndim


def trace(value: ndarray) -> Any:
    """The sum of the diagonal of a matrix."""
    return builtins.sum(value.flat[:: value.shape[1] + 1])


def max(value: Any, axis: int | None = None) -> Any:
    """The largest element; along an axis, of each."""
    return asarray(value).max(axis)


def min(value: Any, axis: int | None = None) -> Any:
    """The smallest element; along an axis, of each."""
    return asarray(value).min(axis)


def sum(value: Any, axis: int | None = None) -> Any:
    """Sum of all elements, or along an axis."""
    return asarray(value).sum(axis)


def mean(value: Any, axis: int | None = None) -> Any:
    """Mean of all elements, or along an axis."""
    return asarray(value).mean(axis)


def all(value: Any, axis: int | None = None) -> Any:
    """Whether every element is true, or not zero."""
    return asarray(value).all(axis)


def any(value: Any, axis: int | None = None) -> Any:
    """Whether any element is true, or not zero."""
    return asarray(value).any(axis)


def cumsum(value: Any) -> ndarray:
    """Cumulative sums."""
    one = asarray(value)
    return ndarray(list(accumulate(one.flat)), (one.size,), wider(one.dtype, int))


def diff(value: Any) -> ndarray:
    """Differences of neighbours."""
    flat = asarray(value).flat
    return array([after - before for before, after in pairwise(flat)], asarray(value).dtype)


def sort(value: Any) -> ndarray:
    """Elements in ascending order."""
    one = asarray(value)
    return ndarray(sorted(one.flat), one.shape, one.dtype)


def argsort(value: Any, kind: str = "stable") -> ndarray:
    """Places of the elements in their order; of equal ones the first comes first, whatever is asked."""
    flat = asarray(value).flat
    return ndarray(sorted(range(len(flat)), key=flat.__getitem__), (len(flat),), int)


def searchsorted(value: Any, sought: Any, side: str = "left") -> Any:
    """Position at which each number would be inserted into a sorted list: before equal elements, or after them."""
    held, place = asarray(value).flat, bisect_right if side == "right" else bisect_left
    if isinstance(sought, (int, float)):
        return place(held, sought)
    one = asarray(sought)
    return ndarray([place(held, each) for each in one.flat], one.shape, int)


def unique(value: Any) -> ndarray:
    """Distinct numbers in ascending order."""
    one = asarray(value)
    flat = sorted(set(one.flat))
    return ndarray(flat, (len(flat),), one.dtype)


def union1d(first: Any, second: Any) -> ndarray:
    """Distinct numbers of both in ascending order."""
    return unique(concatenate([ravel(first), ravel(second)]))


def median(value: Any) -> float:
    """The middle one, or the mean of the middle two."""
    return float(statistics.median(asarray(value).flat))


def interp(x: Any, along: Any, up: Any) -> Any:
    """Height at a place, or at each of several, of a line through points in order; level beyond its ends."""
    xs, ys = asarray(along).flat, asarray(up).flat
    if isinstance(x, (int, float)):
        return _height(x, xs, ys)
    places = asarray(x)
    return ndarray([_height(one, xs, ys) for one in places.flat], places.shape, float)


def _height(x: float, xs: list[Any], ys: list[Any]) -> float:
    place = bisect_right(xs, x) - 1
    if place < 0 or place == len(xs) - 1:
        return float(ys[builtins.max(place, 0)])
    slope = (ys[place + 1] - ys[place]) / (xs[place + 1] - xs[place])
    return float(slope * (x - xs[place]) + ys[place])
