"""A measured case: the facts of a run, typed, and its one measured number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.numeric import Numeric

__all__ = ["Amount", "Case", "CaseError", "Count", "Unsupported"]


class CaseError(RidgelineError):
    """A case file that cannot be read; names file, line and column."""


class Unsupported(Exception):  # noqa: N818  it says what a row is, not that something went wrong
    """A row that is not predicted, with the reason."""


def _amount(cell: object) -> float:
    if isinstance(cell, bool) or not isinstance(cell, (str, int, float)):
        raise ValueError("is not a number")  # noqa: TRY004  what pydantic gathers
    try:
        number = float(cell)
    except ValueError:
        raise ValueError("is not a number") from None
    if not 0 < number < math.inf:
        raise ValueError("must be finite and above 0; leave out what is not known")
    return number


def _count(cell: object) -> int:
    number = _amount(cell)
    if number != int(number):
        raise ValueError("must be a whole number from 1 up")
    return int(number)


Amount = Annotated[float, BeforeValidator(_amount)]
"""A positive number, in base units; rows and contexts may be means, and so fractions."""

Count = Annotated[int, BeforeValidator(_count)]
"""A whole number from 1 up."""


@dataclass(frozen=True, slots=True, kw_only=True, config=ConfigDict(arbitrary_types_allowed=True))
class Case:
    """One row; a column that it leaves out is None, and empty for text.

    Attributes:
        name: id of the row, or its line where it has none.
        family: stem of the file's name; families are never pooled.
        kind: kind of measurement, which decides how it is predicted.
        quantity: name of the measured quantity.
        machine: catalog id of the machine.
        measured: measured value in base units.
        model: catalog id, or an id of a model table.
        engine: engine that ran, as the file names it, with its version.
        weight_dtype: number format of the weights.
        activation_dtype: number format of a product's other operand.
        kv_dtype: number format of the KV cache.
        chips: chips of the layout.
        tp: degree of tensor parallelism.
        pp: degree of pipeline parallelism.
        ep: degree of expert parallelism.
        dp: degree of data parallelism.
        cp: degree of context parallelism.
        batch: sequences of the whole deployment; users under load.
        micro_batch: sequences of a micro-batch in a pipeline.
        prompt_tokens: length of a prompt.
        output_tokens: output tokens of a request.
        context_tokens: context length of a step, its new token included.
        m: rows of a product, or of each of its groups.
        n: columns of a product.
        k: inner dimension of a product.
        groups: number of products in one case.
        query_heads: query heads of attention on one chip.
        kv_heads: KV heads of attention on one chip.
        head_dim: head dimension of attention.
        schedule: pipeline schedule of a training step.
        virtual_stages: virtual stages of each stage.
        recompute: name of the recompute mode.
        zero_stage: ZeRO stage, 0 to 3, as text; empty where not stated.
        sequence_parallel: "1" or "0"; empty where not stated.
        message_bytes: bytes of a message.
        ranks: ranks of a message.
        machine_overrides: fields of the machine that the run changed.
        attributes: facts of the run that have no column.
        unknown_columns: names of non-empty columns that no prediction reads.
        stacked: arrays of the columns in which otherwise equal rows differ, one value per row.
    """

    name: str
    family: str
    kind: str = ""
    quantity: str = ""
    machine: str = ""
    measured: Amount | None = None
    model: str = ""
    engine: str = ""
    weight_dtype: str = ""
    activation_dtype: str = ""
    kv_dtype: str = ""
    chips: Count | None = None
    tp: Count | None = None
    pp: Count | None = None
    ep: Count | None = None
    dp: Count | None = None
    cp: Count | None = None
    batch: Count | None = None
    micro_batch: Count | None = None
    prompt_tokens: Count | None = None
    output_tokens: Count | None = None
    context_tokens: Amount | None = None
    m: Amount | None = None
    n: Count | None = None
    k: Count | None = None
    groups: Count | None = None
    query_heads: Count | None = None
    kv_heads: Count | None = None
    head_dim: Count | None = None
    schedule: str = ""
    virtual_stages: Count | None = None
    recompute: str = ""
    zero_stage: Literal["", "0", "1", "2", "3"] = ""
    sequence_parallel: Literal["", "0", "1"] = ""
    message_bytes: Amount | None = None
    ranks: Count | None = None
    machine_overrides: Mapping[str, Amount] = Field(default_factory=dict)
    attributes: Mapping[str, Any] = Field(default_factory=dict)
    unknown_columns: tuple[str, ...] = ()
    stacked: SkipValidation[Mapping[str, NDArray[np.float64]]] = Field(default_factory=dict)

    @property
    def deployed(self) -> tuple[str, str]:
        """Model and machine, which are left out of fits together."""
        return self.model, self.machine

    def number(self, column: str) -> Numeric:
        """Value of a column that this kind needs.

        Raises:
            Unsupported: the row lacks the value.
        """
        if column in self.stacked:
            return self.stacked[column]
        value = getattr(self, column)
        if value is None:
            raise Unsupported(f"{self.kind} rows need {column}, which is empty")
        return float(value)

    def number_or(self, column: str, default: float) -> Numeric:
        """Value of a column, or its default."""
        return default if getattr(self, column) is None else self.number(column)

    def whole(self, column: str) -> int:
        """Value of a column that counts, equal in all rows.

        Raises:
            Unsupported: the row lacks the value.
        """
        return int(self.number(column))

    def text(self, column: str) -> str:
        """Value of a column as text, the same for equal values; empty where the row leaves it out.

        >>> Case(name="made", family="made", m="1e3").text("m")
        '1000'
        """
        value = getattr(self, column)
        if isinstance(value, float) and value == int(value):
            value = int(value)
        return "" if value is None else str(value)
