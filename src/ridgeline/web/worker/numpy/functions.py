"""Functions of each element, and those of two that can be taken over many arrays, too."""

from functools import reduce
from typing import Any

from .arithmetic import elementwise
from .arrays import asarray, ndarray
from .elements import unary

__all__ = [
    "ceil",
    "exp",
    "floor",
    "hypot",
    "isfinite",
    "isnan",
    "log",
    "log10",
    "maximum",
    "minimum",
    "sign",
    "sqrt",
    "tanh",
]

TELLS = frozenset({"isfinite", "isnan"})
"""Functions whose elements are true or false."""


class _OfOne:
    """A function of one number, of each element."""

    def __init__(self, name: str) -> None:
        self.form = unary[name]
        self.kind = bool if name in TELLS else float

    def __call__(self, value: Any) -> Any:
        if isinstance(value, (int, float)):
            return self.form(value)
        one = asarray(value)
        flat = list(map(self.form, one.flat))
        return ndarray(flat, one.shape, self.kind) if one.shape else flat[0]


class _OfTwo:
    """A function of two numbers, element by element."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, first: Any, second: Any) -> Any:
        return elementwise(self.name, first, second)

    def reduce(self, parts: Any) -> Any:
        """Result of the function applied to all parts, one after the other."""
        return reduce(self, list(parts))


ceil, exp, floor, isfinite, isnan, log, log10, sign, sqrt, tanh = map(
    _OfOne, ("ceil", "exp", "floor", "isfinite", "isnan", "log", "log10", "sign", "sqrt", "tanh")
)
hypot, maximum, minimum = map(_OfTwo, ("hypot", "maximum", "minimum"))
