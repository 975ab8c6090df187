"""The matrices of a model: what its parameters are, and what each of them multiplies."""

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
    """Which side of a matrix tensor parallelism cuts."""

    COLUMNS = "columns"
    INNER = "inner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """One matrix of one layer.

    Attributes:
        component: decides its number format.
        inner: width of its input.
        columns: width of its output.
        cut: the side that tensor parallelism cuts.
        parts: pieces that it can be cut into; 1 is never cut, so that every chip has a copy.
        parts_of: the number that says so, by its field's name.
        is_copied: whether more chips than pieces may share it, each piece copied.
        inputs: inputs that meet a part of it each; one for most.
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
        """Its parameters."""
        return self.inner * self.columns

    def share(self, tp: Numeric) -> Numeric:
        """The part of its cut side that one of ``tp`` chips holds."""
        return maximum(1 / tp, 1 / self.parts)


def fused_matmul(
    matrices: Sequence[Matrix],
    *,
    rows: Numeric,
    tp: Numeric,
    tp_rows: int = 1,
    format: MatmulFormat,  # noqa: A002  the field's name
) -> Matmul:
    """One chip's product of ``rows`` tokens with matrices side by side, all of one input and one format.

    Of ``tp`` chips ``tp_rows`` cut the other side of the matrices.
    """
    first, tp = matrices[0], tp / tp_rows
    share = first.share(tp)
    if first.cut is Cut.INNER:
        return Matmul(rows=rows, columns=first.columns / tp_rows, inner=first.inner * share, format=format)
    columns = sum((matrix.columns * matrix.share(tp) for matrix in matrices[1:]), first.columns * share)
    inputs = maximum(first.inputs * share, 1)
    return Matmul(rows=rows, columns=columns, inner=first.inner / tp_rows, format=format, inputs=inputs)
