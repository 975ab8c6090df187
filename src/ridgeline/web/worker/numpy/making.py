"""Constructors of arrays: filled ones, ranges, and combinations of other arrays."""

import builtins
import math
from collections.abc import Callable, Iterable
from typing import Any

from .arrays import asarray, ndarray
from .elements import kind_of, wider
from .shapes import Shape, common, expanded

__all__ = ["arange", "concatenate", "eye", "frompyfunc", "geomspace", "linspace", "ones", "where", "zeros"]


def zeros(shape: int | Shape, dtype: type = float) -> ndarray:
    """Array of zeros."""
    return _filled(0, shape, dtype)


def ones(shape: int | Shape, dtype: type = float) -> ndarray:
    """Array of ones."""
    return _filled(1, shape, dtype)


def _filled(value: int, shape: int | Shape, dtype: type) -> ndarray:
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray([dtype(value)] * math.prod(lengths), lengths, dtype)


def eye(size: int) -> ndarray:
    """Identity matrix of ``size`` rows."""
    return ndarray([float(row == column) for row in range(size) for column in range(size)], (size, size), float)


def arange(start: float, stop: float | None = None, step: float = 1, dtype: type | None = None) -> ndarray:
    """Numbers from ``start`` in steps of ``step``, below ``stop``."""
    low, high = (0, start) if stop is None else (start, stop)
    count = builtins.max(math.ceil((high - low) / step), 0)
    kind = dtype or wider(kind_of(low), kind_of(high), kind_of(step), int)
    return ndarray([kind(low + place * step) for place in range(count)], (count,), kind)


def linspace(start: float, stop: float, num: int = 50) -> ndarray:
    """Numbers in equal steps, both ends included."""
    low, high = float(start), float(stop)
    step = (high - low) / (num - 1) if num > 1 else 0.0
    flat = [place * step + low for place in range(num)]
    if num > 1:
        flat[-1] = high
    return ndarray(flat, (num,), float)


def geomspace(start: float, stop: float, num: int = 50) -> ndarray:
    """Numbers in equal ratios, both ends included."""
    low, high = float(start), float(stop)
    if low <= 0 or high <= 0:
        raise ValueError("geometric sequences lie above zero")
    flat = [math.pow(10.0, one) for one in linspace(math.log10(low), math.log10(high), num).flat]
    if num > 0:
        flat[0] = low
    if num > 1:
        flat[-1] = high
    return ndarray(flat, (num,), float)


def concatenate(parts: Iterable[Any]) -> ndarray:
    """Arrays joined along the first axis."""
    held = [asarray(one) for one in parts]
    kind = wider(*(one.dtype for one in held))
    flat = [kind(each) for one in held for each in one.flat]
    return ndarray(flat, (builtins.sum(one.shape[0] for one in held), *held[0].shape[1:]), kind)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """Elements of one array or the other, by a condition."""
    held, one, other = asarray(condition), asarray(yes), asarray(no)
    shape = common(held.shape, one.shape, other.shape)
    lists = (expanded(part.flat, part.shape, shape) for part in (held, one, other))
    kind = wider(one.dtype, other.dtype)
    return ndarray([kind(a if is_so else b) for is_so, a, b in zip(*lists, strict=True)], shape, kind)


def frompyfunc(form: Callable[..., Any], inputs: int, outputs: int) -> Callable[[Any], Any]:
    """A function of one number, of each element."""
    if (inputs, outputs) != (1, 1):
        raise ValueError("functions of one number alone are taken here")

    def of_each(value: Any) -> Any:
        one = asarray(value)
        flat = [form(each) for each in one.flat]
        return ndarray(flat, one.shape, kind_of(flat[0]) if flat else float) if one.shape else flat[0]

    return of_each
