"""Products of lists of numbers, and of matrices that are lists, row after row."""

import math
import operator
from array import array as doubles
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["matrix_product", "product"]


def _scalar_product(first: Iterable[Any], second: Iterable[Any]) -> Any:
    return sum(map(operator.mul, first, second))


product = getattr(math, "sumprod", _scalar_product)
"""Sum of the products of two lists of numbers; Python has it from 3.12 on."""


MANY = 10_000
"""Least number of multiplications for which the faster routine pays."""

quick_product: Callable[[Any, Any, Any, int, int], None] | None = None
"""Faster routine for large matrices, which a page may set; None without.

It takes the elements of both and of their product, which it fills in, as arrays of doubles, then how many are in a row
of the first, and of the second.
"""


def matrix_product(first: list[Any], second: list[Any], inner: int, width: int) -> list[Any]:
    """Rows of ``inner`` elements, each times the columns of a matrix that has ``width`` of them."""
    if quick_product is not None and len(first) * width > MANY:
        held = (doubles("d", first), doubles("d", second), doubles("d", [0.0]) * (len(first) // inner * width))
        quick_product(*held, inner, width)
        return held[-1].tolist()
    columns = [second[at::width] for at in range(width)]
    rows = [first[start : start + inner] for start in range(0, len(first), inner)]
    return [product(row, column) for row in rows for column in columns]
