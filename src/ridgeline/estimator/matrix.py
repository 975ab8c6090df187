"""The matrices of a model: their sizes, number formats, and how tensor parallelism cuts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ridgeline.estimator.kernels import Matmul
from ridgeline.numeric import Numeric, maximum
from ridgeline.specs.number_format import MatmulFormat
from ridgeline.specs.precision import Component

__all__ = ["Cut", "Matrix", "fused_matmul"]


class Cut(Enum):
    """Side of a matrix that tensor parallelism cuts."""

    COLUMNS = "columns"
    INNER = "inner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """One matrix of one layer.

    Attributes:
        component: component of the model, which decides its number format.
        inner: width of its input.
        columns: width of its output.
        cut: side that tensor parallelism cuts.
        parts: pieces that it can be cut into; 1 is never cut, so that every chip has a copy.
        parts_of: name of the model's field that gives ``parts``.
        is_copied: whether more chips than pieces may share it, each piece copied.
        inputs: inputs that each meet a part of it; one for most.
    """

    component: Component
    inner: int
    columns: int
    cut: Cut = Cut.COLUMNS
    parts: int = 1
    parts_of: str = ""
    is_copied: bool = False
    inputs: int = 1

    @property
    def params(self) -> int:
        """Number of its parameters."""
        return self.inner * self.columns

    def share(self, tp: Numeric) -> Numeric:
        """Part of its cut side that one of ``tp`` chips holds."""
        return maximum(1 / tp, 1 / self.parts)


def fused_matmul(
    matrices: Sequence[Matrix],
    *,
    rows: Numeric,
    tp: Numeric,
    tp_rows: int = 1,
    format: MatmulFormat,  # noqa: A002  the field's name
) -> Matmul:
    """One chip's product of ``rows`` tokens with adjacent matrices of one input and one format.

    The chips of ``tp_rows``, a factor of ``tp``, cut the other side of the matrices.
    """
    first, tp = matrices[0], tp / tp_rows
    share = first.share(tp)
    if first.cut is Cut.INNER:
        return Matmul(rows=rows, columns=first.columns / tp_rows, inner=first.inner * share, format=format)
    columns = sum((matrix.columns * matrix.share(tp) for matrix in matrices[1:]), first.columns * share)
    inputs = maximum(first.inputs * share, 1)
    return Matmul(rows=rows, columns=columns, inner=first.inner / tp_rows, format=format, inputs=inputs)
