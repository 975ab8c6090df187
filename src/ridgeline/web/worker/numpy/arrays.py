"""Arrays of numbers as lists, row after row, and what makes, joins, picks and reduces them."""

import builtins
import math
import operator
import statistics
from array import array as doubles
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import accumulate, pairwise, repeat
from itertools import product as products
from typing import Any

from .elements import COMPARISONS, OPERATORS, safe

__all__ = [
    "all",
    "any",
    "arange",
    "argsort",
    "array",
    "asarray",
    "bool_",
    "broadcast_to",
    "concatenate",
    "cumsum",
    "diff",
    "elementwise",
    "errstate",
    "eye",
    "float64",
    "frompyfunc",
    "generic",
    "geomspace",
    "inf",
    "int64",
    "interp",
    "linspace",
    "max",
    "mean",
    "median",
    "min",
    "ndarray",
    "ndim",
    "newaxis",
    "ones",
    "pi",
    "product",
    "ravel",
    "searchsorted",
    "sort",
    "sum",
    "trace",
    "union1d",
    "unique",
    "where",
    "zeros",
]

Shape = tuple[int, ...]

inf, pi, newaxis = math.inf, math.pi, None
float64, int64, bool_ = float, int, bool

ORDER = (bool, int, float)
"""Types of elements, from the narrowest."""


class generic:
    """The type of NumPy's own scalars, of which there are none here."""


def _wider(*kinds: type) -> type:
    return ORDER[builtins.max(ORDER.index(kind) for kind in kinds)]


def _scalar_product(first: Iterable[Any], second: Iterable[Any]) -> Any:
    return builtins.sum(map(operator.mul, first, second))


product = getattr(math, "sumprod", _scalar_product)
"""Of two lists of numbers: the sum of their products; Python has it from 3.12 on."""


MANY = 10_000
"""Multiplications of a product from which handing it over pays."""

quick_product: Callable[[Any, Any, Any, int, int], None] | None = None
"""What multiplies large matrices quicker than Python, where there is something: a page sets it.

It takes the elements of both and of their product, which it fills in, as arrays of doubles, then how many are in a row
of the first, and of the second.
"""


class ndarray:
    """An array.

    Attributes:
        flat: its elements, row after row.
        shape: how many along each axis.
        dtype: what they are: float, int or bool.
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
        return _nested(self.flat, self.shape) if self.shape else self.flat[0]

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
        return _reduced(self, builtins.sum, axis, _wider(self.dtype, int))

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
        """Where in the list the elements of an index lie, and in what shape."""
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


def _operators() -> None:
    """Give arrays the operators that are written between two."""
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
"""A power that is a product, and quicker as one."""

_FLOATS = frozenset({"divide", "hypot"})
_SAME = frozenset({"and", "or", "xor", "maximum", "minimum"})


def _kind(name: str, kinds: tuple[type, type]) -> type:
    """What the elements of a result are."""
    if name in _FLOATS:
        return float
    if name in _SAME:
        return _wider(*kinds)
    return bool if name in COMPARISONS else _wider(*kinds, int)


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
    shape = _common(first.shape, second.shape)
    return shape, kinds, (_expanded(first, shape), _expanded(second, shape))


def _common(*shapes: Shape) -> Shape:
    """The shape to which all of them stretch."""
    axes = builtins.max(map(len, shapes))
    filled = [(1,) * (axes - len(shape)) + shape for shape in shapes]
    found = []
    for lengths in zip(*filled, strict=True):
        others = {length for length in lengths if length != 1}
        if len(others) > 1:
            raise ValueError(f"operands could not be broadcast together with shapes {' '.join(map(str, shapes))}")
        found.append(others.pop() if others else 1)
    return tuple(found)


def _expanded(one: ndarray, shape: Shape) -> list[Any]:
    """The elements of an array that is stretched to a shape."""
    lengths = (1,) * (len(shape) - len(one.shape)) + one.shape
    flat, width = one.flat, 1
    for length, wanted in zip(reversed(lengths), reversed(shape), strict=True):
        if length != wanted:
            flat = [held for start in range(0, len(flat), width) for held in flat[start : start + width] * wanted]
        width *= wanted
    return flat


def _product(first: ndarray, second: ndarray) -> Any:
    """Of matrices, of which the first may be a stack of them, and of vectors."""
    if not first.shape or not second.shape or len(second.shape) > 2:  # noqa: PLR2004  stacks come first
        raise ValueError(f"matmul: shapes {first.shape} and {second.shape} are not those of vectors and matrices")
    inner = first.shape[-1]
    if inner != second.shape[0]:
        raise ValueError(f"matmul: shapes {first.shape} and {second.shape} do not fit together")
    width = second.shape[1] if len(second.shape) > 1 else 1
    if quick_product is not None and len(first.flat) * width > MANY:
        held = (
            doubles("d", first.flat),
            doubles("d", second.flat),
            doubles("d", [0.0]) * (len(first.flat) // inner * width),
        )
        quick_product(*held, inner, width)
        flat = held[-1].tolist()
    else:
        columns = [second.flat[at::width] for at in range(width)]
        rows = [first.flat[start : start + inner] for start in range(0, len(first.flat), inner)]
        flat = [product(row, column) for row in rows for column in columns]
    shape = first.shape[:-1] + second.shape[1:]
    return ndarray(flat, shape, _wider(first.dtype, second.dtype)) if shape else flat[0]


def _nested(flat: list[Any], shape: Shape) -> list[Any]:
    if len(shape) == 1:
        return flat[:]
    width = math.prod(shape[1:])
    return [_nested(flat[at * width : (at + 1) * width], shape[1:]) for at in range(shape[0])]


def _has_slices(key: Any) -> bool:
    return builtins.any(one is None or isinstance(one, slice) for one in (key if isinstance(key, tuple) else (key,)))


def _largest(held: list[Any]) -> Any:
    return _with_nan(held, builtins.max)


def _smallest(held: list[Any]) -> Any:
    return _with_nan(held, builtins.min)


def _with_nan(held: list[Any], pick: Callable[[list[Any]], Any]) -> Any:
    """The end of what lies in order; where something is no number, that."""
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
    """Of nested lists, of arrays in lists, of one number or of another array."""
    if isinstance(value, ndarray):
        return value.copy() if dtype in {None, value.dtype} else value.astype(dtype or value.dtype)
    if not isinstance(value, (list, tuple)):
        kind = dtype or _kind_of(value)
        return ndarray([kind(value)], (), kind)
    parts: list[Any] = [one if isinstance(one, (int, float)) else array(one) for one in value]
    if builtins.any(isinstance(one, ndarray) for one in parts):
        shapes = {one.shape if isinstance(one, ndarray) else () for one in parts}
        if len(shapes) > 1:
            raise ValueError(f"the parts of an array are of several shapes: {shapes}")
        kind = dtype or _wider(*(one.dtype for one in parts))
        return ndarray([kind(each) for one in parts for each in one.flat], (len(parts), *shapes.pop()), kind)
    kind = dtype or (_wider(*map(_kind_of, parts)) if parts else float)
    return ndarray([kind(one) for one in parts], (len(parts),), kind)


def _kind_of(value: Any) -> type:
    if isinstance(value, bool):
        return bool
    return int if isinstance(value, int) else float


def asarray(value: Any, dtype: type | None = None) -> ndarray:
    """The same array where it is one."""
    return value if isinstance(value, ndarray) and dtype in {None, value.dtype} else array(value, dtype)


def zeros(shape: int | Shape, dtype: type = float) -> ndarray:
    """Nothing but zeros."""
    return _filled(0, shape, dtype)


def ones(shape: int | Shape, dtype: type = float) -> ndarray:
    """Nothing but ones."""
    return _filled(1, shape, dtype)


def _filled(value: int, shape: int | Shape, dtype: type) -> ndarray:
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray([dtype(value)] * math.prod(lengths), lengths, dtype)


def eye(size: int) -> ndarray:
    """Ones on the diagonal."""
    return ndarray([float(row == column) for row in range(size) for column in range(size)], (size, size), float)


def arange(start: float, stop: float | None = None, step: float = 1, dtype: type | None = None) -> ndarray:
    """From ``start`` in steps, up to below ``stop``."""
    low, high = (0, start) if stop is None else (start, stop)
    count = builtins.max(math.ceil((high - low) / step), 0)
    kind = dtype or _wider(_kind_of(low), _kind_of(high), _kind_of(step), int)
    return ndarray([kind(low + place * step) for place in range(count)], (count,), kind)


def linspace(start: float, stop: float, num: int = 50) -> ndarray:
    """Equal steps, with both ends."""
    low, high = float(start), float(stop)
    step = (high - low) / (num - 1) if num > 1 else 0.0
    flat = [place * step + low for place in range(num)]
    if num > 1:
        flat[-1] = high
    return ndarray(flat, (num,), float)


def geomspace(start: float, stop: float, num: int = 50) -> ndarray:
    """Equal ratios, with both ends."""
    low, high = float(start), float(stop)
    if low <= 0 or high <= 0:
        raise ValueError("geometric sequences lie above zero")
    flat = [math.pow(10.0, one) for one in linspace(math.log10(low), math.log10(high), num).flat]
    if num > 0:
        flat[0] = low
    if num > 1:
        flat[-1] = high
    return ndarray(flat, (num,), float)


def broadcast_to(value: Any, shape: int | Shape) -> ndarray:
    """An array stretched to a shape."""
    lengths, one = ((shape,) if isinstance(shape, int) else tuple(shape)), asarray(value)
    if _common(one.shape, lengths) != lengths:
        raise ValueError(f"operands could not be broadcast together: {one.shape} into {lengths}")
    return ndarray(_expanded(one, lengths)[:], lengths, one.dtype)


def concatenate(parts: Iterable[Any]) -> ndarray:
    """One after the other, along the first axis."""
    held = [asarray(one) for one in parts]
    kind = _wider(*(one.dtype for one in held))
    flat = [kind(each) for one in held for each in one.flat]
    return ndarray(flat, (builtins.sum(one.shape[0] for one in held), *held[0].shape[1:]), kind)


def unique(value: Any) -> ndarray:
    """Each number once, in order."""
    one = asarray(value)
    flat = sorted(set(one.flat))
    return ndarray(flat, (len(flat),), one.dtype)


def union1d(first: Any, second: Any) -> ndarray:
    """Each number of both once, in order."""
    return unique(concatenate([ravel(first), ravel(second)]))


def where(condition: Any, yes: Any, no: Any) -> Any:
    """One of two, element by element."""
    held, one, other = asarray(condition), asarray(yes), asarray(no)
    shape = _common(held.shape, one.shape, other.shape)
    lists = (_expanded(part, shape) for part in (held, one, other))
    kind = _wider(one.dtype, other.dtype)
    return ndarray([kind(a if is_so else b) for is_so, a, b in zip(*lists, strict=True)], shape, kind)


def ravel(value: Any) -> ndarray:
    """All elements along one axis."""
    return asarray(value).ravel()


def ndim(value: Any) -> int:
    """How many axes there are; a number has none."""
    return 0 if isinstance(value, (int, float)) else asarray(value).ndim


def trace(value: ndarray) -> Any:
    """The sum of the diagonal of a matrix."""
    return builtins.sum(value.flat[:: value.shape[1] + 1])


def max(value: Any, axis: int | None = None) -> Any:
    """The largest element; along an axis, of each."""
    return asarray(value).max(axis)


def min(value: Any, axis: int | None = None) -> Any:
    """The smallest."""
    return asarray(value).min(axis)


def sum(value: Any, axis: int | None = None) -> Any:
    """All together."""
    return asarray(value).sum(axis)


def mean(value: Any, axis: int | None = None) -> Any:
    """Their mean."""
    return asarray(value).mean(axis)


def all(value: Any, axis: int | None = None) -> Any:
    """Whether each is true, or not zero."""
    return asarray(value).all(axis)


def any(value: Any, axis: int | None = None) -> Any:
    """Whether one is."""
    return asarray(value).any(axis)


def cumsum(value: Any) -> ndarray:
    """Sums of all up to each."""
    one = asarray(value)
    return ndarray(list(accumulate(one.flat)), (one.size,), _wider(one.dtype, int))


def diff(value: Any) -> ndarray:
    """Each less the one before."""
    flat = asarray(value).flat
    return array([after - before for before, after in pairwise(flat)], asarray(value).dtype)


def sort(value: Any) -> ndarray:
    """In order."""
    one = asarray(value)
    return ndarray(sorted(one.flat), one.shape, one.dtype)


def argsort(value: Any, kind: str = "stable") -> ndarray:
    """Places of the elements in their order; of equal ones the first comes first, whatever is asked."""
    flat = asarray(value).flat
    return ndarray(sorted(range(len(flat)), key=flat.__getitem__), (len(flat),), int)


def searchsorted(value: Any, sought: Any, side: str = "left") -> Any:
    """Where each would stand among what is in order: before its equals, or behind them."""
    held, place = asarray(value).flat, bisect_right if side == "right" else bisect_left
    if isinstance(sought, (int, float)):
        return place(held, sought)
    one = asarray(sought)
    return ndarray([place(held, each) for each in one.flat], one.shape, int)


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


def frompyfunc(form: Callable[..., Any], inputs: int, outputs: int) -> Callable[[Any], Any]:
    """A function of one number, of each element."""
    if (inputs, outputs) != (1, 1):
        raise ValueError("functions of one number alone are taken here")

    def of_each(value: Any) -> Any:
        one = asarray(value)
        flat = [form(each) for each in one.flat]
        return ndarray(flat, one.shape, _kind_of(flat[0]) if flat else float) if one.shape else flat[0]

    return of_each


def errstate(**_: str) -> nullcontext[None]:
    """What to do where arithmetic has no number: nothing is ever said here."""
    return nullcontext()


_operators()
