"""Arrays of numbers as lists, row after row: their elements by place, and arithmetic between them."""

import builtins
import math
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import product as products
from typing import Any

from .elements import kind_of, wider
from .products import matrix_product
from .shapes import Shape, common, expanded, nested

__all__ = [
    "array",
    "asarray",
    "bool_",
    "broadcast_to",
    "errstate",
    "float64",
    "generic",
    "inf",
    "int64",
    "ndarray",
    "newaxis",
    "pi",
    "ravel",
]

inf, pi, newaxis = math.inf, math.pi, None
float64, int64, bool_ = float, int, bool


class generic:
    """The type of NumPy's own scalars, of which there are none here."""


class ndarray:
    """An array.

    Attributes:
        flat: list of all elements, row after row.
        shape: number of elements along each axis.
        dtype: type of the elements: float, int or bool.
    """

    __slots__ = ("dtype", "flat", "shape")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, flat: list[Any], shape: Shape, dtype: type) -> None:
        self.flat = flat
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return len(self.flat)

    @property
    def T(self) -> "ndarray":
        if self.ndim < 2:  # noqa: PLR2004  a row is its own
            return self
        rows, columns = self.shape
        return ndarray(
            [one for column in range(columns) for one in self.flat[column::columns]], (columns, rows), self.dtype
        )

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        return f"array({self.tolist()})"

    def __bool__(self) -> bool:
        return bool(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __contains__(self, value: Any) -> bool:
        return value in self.flat

    def item(self) -> Any:
        if len(self.flat) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.flat[0]

    def tolist(self) -> Any:
        return nested(self.flat, self.shape) if self.shape else self.flat[0]

    def copy(self) -> "ndarray":
        return ndarray(self.flat[:], self.shape, self.dtype)

    def astype(self, dtype: type) -> "ndarray":
        return ndarray([dtype(one) for one in self.flat], self.shape, dtype)

    def reshape(self, *shape: Any) -> "ndarray":
        asked = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
        if -1 in asked:
            known = -math.prod(asked)
            asked = tuple(len(self.flat) // known if one == -1 else one for one in asked)
        if math.prod(asked) != len(self.flat):
            raise ValueError(f"cannot reshape array of size {len(self.flat)} into shape {asked}")
        return ndarray(self.flat[:], asked, self.dtype)

    def ravel(self) -> "ndarray":
        return ndarray(self.flat[:], (len(self.flat),), self.dtype)

    def round(self, digits: int = 0) -> "ndarray":
        if self.dtype is not float:
            return self.copy()
        scale = 10.0**digits
        flat = [round(one * scale) / scale if math.isfinite(one) else one for one in self.flat]
        return ndarray(flat, self.shape, float)

    def max(self, axis: int | None = None) -> Any:
        return _reduced(self, _largest, axis)

    def min(self, axis: int | None = None) -> Any:
        return _reduced(self, _smallest, axis)

    def sum(self, axis: int | None = None) -> Any:
        return _reduced(self, builtins.sum, axis, wider(self.dtype, int))

    def mean(self, axis: int | None = None) -> Any:
        return _reduced(self, lambda held: float(builtins.sum(held) / len(held)), axis, float)

    def argmax(self) -> int:
        return self.flat.index(_largest(self.flat))

    def all(self, axis: int | None = None) -> Any:
        return _reduced(self, builtins.all, axis, bool)

    def any(self, axis: int | None = None) -> Any:
        return _reduced(self, builtins.any, axis, bool)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and len(self.shape) == 1:
            return self.flat[key]
        if isinstance(key, slice) and len(self.shape) == 1:
            flat = self.flat[key]
            return ndarray(flat, (len(flat),), self.dtype)
        if isinstance(key, ndarray) and key.dtype is bool:
            return self._where(key)
        places, shape = self._places(key)
        if not shape and not _has_slices(key):
            return self.flat[places[0]]
        return ndarray([self.flat[place] for place in places], shape, self.dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        places, shape = self._places(key)
        given = broadcast_to(asarray(value, dtype=self.dtype), shape).flat
        for place, one in zip(places, given, strict=True):
            self.flat[place] = one

    def _where(self, kept: "ndarray") -> "ndarray":
        """Elements, or rows, where a mask holds."""
        if kept.shape != self.shape[: kept.ndim]:
            raise IndexError(f"boolean index of shape {kept.shape} does not match {self.shape}")
        width, rest = math.prod(self.shape[kept.ndim :]), self.shape[kept.ndim :]
        held = [place for place, one in enumerate(kept.flat) if one]
        flat = [one for place in held for one in self.flat[place * width : (place + 1) * width]]
        return ndarray(flat, (len(held), *rest), self.dtype)

    def _places(self, key: Any) -> tuple[list[int], Shape]:
        """Positions in the flat list that an index selects, and the shape of the selection."""
        keys = list(key) if isinstance(key, tuple) else [key]
        taken = builtins.sum(one is not None for one in keys)
        if taken > len(self.shape):
            raise IndexError(f"too many indices for an array of {len(self.shape)} axes")
        keys += [slice(None)] * (len(self.shape) - taken)
        steps = [math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))]
        along: list[list[int]] = []
        shape: list[int] = []
        axis = 0
        for one in keys:
            if one is None:
                shape.append(1)
                continue
            length, step = self.shape[axis], steps[axis]
            axis += 1
            if isinstance(one, slice):
                held = list(range(*one.indices(length)))
                shape.append(len(held))
            elif isinstance(one, (ndarray, list)):
                held = [int(place) % length for place in ravel(one).flat]
                shape.append(len(held))
            else:
                if not -length <= one < length:
                    raise IndexError(f"index {one} is out of bounds for axis of size {length}")
                held = [one % length]
            along.append([place * step for place in held])
        return [builtins.sum(places) for places in products(*along)], tuple(shape)

    def __neg__(self) -> "ndarray":
        return ndarray([-one for one in self.flat], self.shape, self.dtype)

    def __pos__(self) -> "ndarray":
        return self.copy()

    def __abs__(self) -> "ndarray":
        return ndarray([abs(one) for one in self.flat], self.shape, self.dtype)

    def __invert__(self) -> "ndarray":
        flat = [not one for one in self.flat] if self.dtype is bool else [~one for one in self.flat]
        return ndarray(flat, self.shape, self.dtype)

    def __matmul__(self, other: Any) -> Any:
        return _product(self, asarray(other))

    def __rmatmul__(self, other: Any) -> Any:
        return _product(asarray(other), self)


def _product(first: ndarray, second: ndarray) -> Any:
    """Matrix product of matrices and vectors; the first may be a stack of matrices."""
    if not first.shape or not second.shape or len(second.shape) > 2:  # noqa: PLR2004  stacks come first
        raise ValueError(f"matmul: shapes {first.shape} and {second.shape} are not those of vectors and matrices")
    inner = first.shape[-1]
    if inner != second.shape[0]:
        raise ValueError(f"matmul: shapes {first.shape} and {second.shape} do not fit together")
    flat = matrix_product(first.flat, second.flat, inner, second.shape[1] if len(second.shape) > 1 else 1)
    shape = first.shape[:-1] + second.shape[1:]
    return ndarray(flat, shape, wider(first.dtype, second.dtype)) if shape else flat[0]


def _has_slices(key: Any) -> bool:
    return builtins.any(one is None or isinstance(one, slice) for one in (key if isinstance(key, tuple) else (key,)))


def _largest(held: list[Any]) -> Any:
    return _with_nan(held, builtins.max)


def _smallest(held: list[Any]) -> Any:
    return _with_nan(held, builtins.min)


def _with_nan(held: list[Any], pick: Callable[[list[Any]], Any]) -> Any:
    """Last of ordered elements; nan where any is nan."""
    found = pick(held)
    return math.nan if builtins.any(one != one for one in held) else found  # noqa: PLR0124


def _reduced(one: ndarray, form: Callable[[list[Any]], Any], axis: int | None, kind: type | None = None) -> Any:
    """A function of all elements, or of those along an axis."""
    if axis is None:
        return form(one.flat)
    axis %= len(one.shape)
    length, inner = one.shape[axis], math.prod(one.shape[axis + 1 :])
    starts = [
        outer * length * inner + within for outer in range(math.prod(one.shape[:axis])) for within in range(inner)
    ]
    flat = [form(one.flat[start : start + length * inner : inner]) for start in starts]
    shape = one.shape[:axis] + one.shape[axis + 1 :]
    return ndarray(flat, shape, kind or one.dtype) if shape else flat[0]


def array(value: Any, dtype: type | None = None) -> ndarray:
    """Array made of nested lists, of arrays in lists, of one number or of another array."""
    if isinstance(value, ndarray):
        return value.copy() if dtype in {None, value.dtype} else value.astype(dtype or value.dtype)
    if not isinstance(value, (list, tuple)):
        kind = dtype or kind_of(value)
        return ndarray([kind(value)], (), kind)
    parts: list[Any] = [one if isinstance(one, (int, float)) else array(one) for one in value]
    if builtins.any(isinstance(one, ndarray) for one in parts):
        shapes = {one.shape if isinstance(one, ndarray) else () for one in parts}
        if len(shapes) > 1:
            raise ValueError(f"the parts of an array are of several shapes: {shapes}")
        kind = dtype or wider(*(one.dtype for one in parts))
        return ndarray([kind(each) for one in parts for each in one.flat], (len(parts), *shapes.pop()), kind)
    kind = dtype or (wider(*map(kind_of, parts)) if parts else float)
    return ndarray([kind(one) for one in parts], (len(parts),), kind)


def asarray(value: Any, dtype: type | None = None) -> ndarray:
    """Array made of ``value``, or ``value`` itself where it already is one of that type."""
    return value if isinstance(value, ndarray) and dtype in {None, value.dtype} else array(value, dtype)


def broadcast_to(value: Any, shape: int | Shape) -> ndarray:
    """An array stretched to a shape."""
    lengths, one = ((shape,) if isinstance(shape, int) else tuple(shape)), asarray(value)
    if common(one.shape, lengths) != lengths:
        raise ValueError(f"operands could not be broadcast together: {one.shape} into {lengths}")
    return ndarray(expanded(one.flat, one.shape, lengths)[:], lengths, one.dtype)


def ravel(value: Any) -> ndarray:
    """All elements along one axis."""
    return asarray(value).ravel()


def errstate(**_: str) -> nullcontext[None]:
    """Context without effect: arithmetic never warns here."""
    return nullcontext()
