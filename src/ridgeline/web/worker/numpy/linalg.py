"""Singular values, by rotations."""

import math
from typing import Any

from .arrays import array, asarray
from .products import product

__all__ = ["svd"]

MOST_SWEEPS = 60
ENOUGH = 1e-15
"""Cosine of the angle between two columns below which they count as orthogonal."""


def svd(value: Any, *, compute_uv: bool = True) -> Any:
    """Singular values of a matrix, the largest first.

    Pairs of columns are turned until all are upright on each other (one-sided Jacobi); their lengths are the values,
    the small ones as exact as the large ones.
    """
    if compute_uv:
        raise NotImplementedError("singular values alone are found here; pass compute_uv=False")
    matrix = asarray(value)
    rows, width = matrix.shape
    turned = matrix.T if rows < width else matrix
    count = min(rows, width)
    columns = [[float(one) for one in turned.flat[at::count]] for at in range(count)]
    for _ in range(MOST_SWEEPS):
        if not _sweep(columns):
            break
    return array(sorted((math.sqrt(product(one, one)) for one in columns), reverse=True))


def _sweep(columns: list[list[float]]) -> bool:
    """Rotate each pair of columns once; return whether any rotation was needed."""
    turned = False
    squares = [product(one, one) for one in columns]
    for first in range(len(columns)):
        for second in range(first + 1, len(columns)):
            x, y = columns[first], columns[second]
            between, x_square, y_square = product(x, y), squares[first], squares[second]
            if abs(between) <= ENOUGH * math.sqrt(x_square * y_square):
                continue
            turned = True
            cotangent = (y_square - x_square) / (2 * between)
            tangent = math.copysign(1.0, cotangent) / (abs(cotangent) + math.hypot(1.0, cotangent))
            cosine = 1 / math.hypot(1.0, tangent)
            sine = cosine * tangent
            columns[first] = [cosine * a - sine * b for a, b in zip(x, y, strict=True)]
            columns[second] = [sine * a + cosine * b for a, b in zip(x, y, strict=True)]
            squares[first] = product(columns[first], columns[first])
            squares[second] = product(columns[second], columns[second])
    return turned
