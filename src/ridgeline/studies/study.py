"""A study: its axes, and what is asked at every point; a point is a number, from which everything is read back."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ridgeline.release import version
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.studies.axis import Axis
from ridgeline.studies.fields import PRICE, column
from ridgeline.studies.hypothetical import Candidate, Hypothetical

__all__ = [
    "Block",
    "Column",
    "Measures",
    "Place",
    "Study",
    "all_columns",
    "columns_of",
    "command_words",
    "estimated",
    "measures_of",
    "place_of",
]


class Column(NamedTuple):
    """A column of the table ``study``.

    Attributes:
        name: name of the column.
        sql_type: type of the column in DuckDB.
        meaning: meaning of the column, one clause.
        is_of_row: whether it differs from row to row of a block; else a block has one value.
        names: names that the rows' numbers stand for; empty where they are plain numbers.
    """

    name: str
    sql_type: str
    meaning: str
    is_of_row: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Study: models, machines and axes to sweep over.

    Attributes:
        name: name of the study.
        text: text of the study's file.
        kind: question asked at each point, with the settings of all: the record that ``estimated`` dispatches on.
        model_names: names of the models as the file has them.
        models: records of the models.
        candidates: machines, and tables of hypothetical ones.
        axes: axes, outermost first: ``model``, ``machine``, those of the kind.
        inner: number of the last axes that are estimated together.
        blocks_per_shard: most blocks of a shard, by how long one takes.
        market: market whose prices are used for machines; None for the default.
        kernels: profile or folder of the user's own calibration; None for the catalog's numbers.
    """

    name: str
    text: str
    kind: Any
    model_names: tuple[str, ...]
    models: tuple[Model, ...]
    candidates: tuple[Candidate, ...]
    axes: tuple[Axis, ...]
    inner: int
    blocks_per_shard: int
    market: str | None = None
    kernels: str | None = None

    @property
    def points(self) -> int:
        """Number of points."""
        return math.prod(axis.size for axis in self.axes)

    @property
    def outer_axes(self) -> tuple[Axis, ...]:
        """Axes along which blocks lie."""
        return self.axes[: len(self.axes) - self.inner]

    @property
    def inner_axes(self) -> tuple[Axis, ...]:
        """Axes within a block."""
        return self.axes[len(self.axes) - self.inner :]

    @property
    def block_points(self) -> int:
        """Number of points of one block: all that share a model, a machine and every knob."""
        return math.prod(axis.size for axis in self.inner_axes)

    @property
    def machine_columns(self) -> tuple[str, ...]:
        """Columns of fields in which hypothetical machines differ, and of the price of a chip."""
        varied = [name for one in self.candidates if isinstance(one, Hypothetical) for name in one.varied]
        return tuple(dict.fromkeys([*map(column, varied), PRICE]))

    @property
    def fingerprint(self) -> str:
        """Hash of all that the numbers rest on; folders of another are not carried on."""
        bases = [one.machine(0) if isinstance(one, Hypothetical) else one.machine for one in self.candidates]
        told = (self.text, self.kind, self.models, self.candidates, bases, self.axes, self.market)
        return hashlib.sha256(repr(_all_of((version(), *told))).encode()).hexdigest()


def _all_of(value: object) -> object:
    """Every field of records and of what lies in them; their own texts show some by name only."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _all_of(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return type(value).__name__, fields
    if isinstance(value, Mapping):
        return {key: _all_of(held) for key, held in value.items()}
    return [_all_of(held) for held in value] if isinstance(value, tuple | list) else value


class Place(NamedTuple):
    """Values that all points of a block share.

    Attributes:
        model: model that runs.
        machine: machine that it runs on.
        machine_fields: values of the columns of ``Study.machine_columns``.
        knobs: values along the other outer axes, by name.
        candidate: number of the candidate.
        variant: number among the machines that it stands for.
    """

    model: Model
    machine: Machine
    machine_fields: Mapping[str, float | None]
    knobs: Mapping[str, Any]
    candidate: int
    variant: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Rows of one block, or of a part of it.

    Attributes:
        shared: values of the columns that all of its rows share.
        rows: columns that differ from row to row.
        places: places of the rows among the points of the part.
        left_out: points without a row, by the reason.
    """

    shared: Mapping[str, str | float | None]
    rows: Mapping[str, NDArray[Any]]
    places: NDArray[np.int64]
    left_out: Mapping[str, int]


def place_of(study: Study, block: int) -> tuple[int, int, int, dict[str, Any]]:
    """Model, candidate and variant of a block by number, and its knobs."""
    digits: list[int] = []
    for axis in reversed(study.outer_axes):
        block, at = divmod(block, axis.size)
        digits.append(at)
    model, machine, *others = reversed(digits)
    candidate = 0
    while machine >= study.candidates[candidate].variants:
        machine -= study.candidates[candidate].variants
        candidate += 1
    knobs = {axis.name: axis.values[at] for axis, at in zip(study.outer_axes[2:], others, strict=True)}
    return model, candidate, machine, knobs


@singledispatch
def columns_of(kind: Any) -> tuple[Column, ...]:  # noqa: ANN401  a record of a kind
    """Columns that a kind of study has beside those of models and machines."""
    raise TypeError(f"{type(kind).__name__} is no kind of study")


class Measures(NamedTuple):
    """Columns by which rows are better or worse.

    Attributes:
        time: column of how long something takes.
        cost: column of what it costs.
    """

    time: str = "step_time_s"
    cost: str = "usd_per_token"


@singledispatch
def measures_of(kind: Any) -> Measures:  # noqa: ANN401  a record of a kind
    """Columns by which a kind of study is judged."""
    return Measures()


@singledispatch
def estimated(kind: Any, place: Place, inner: tuple[Axis, ...], first: slice) -> Block:  # noqa: ANN401  a record of a kind
    """Estimate a block, or a part of it.

    Args:
        kind: question that is asked at each point.
        place: values that its points share.
        inner: axes within the block.
        first: slice of the values along the first inner axis.

    Raises:
        RidgelineError: nothing of it can be estimated; the message is the reason.
    """
    raise TypeError(f"{type(kind).__name__} is no kind of study")


@singledispatch
def command_words(kind: Any, study: Study, place: Place, values: Mapping[str, Any]) -> list[str]:  # noqa: ANN401  a record of a kind
    """The command that gives a point, but for its machine: the subcommand and the model first.

    Args:
        kind: question that is asked at each point.
        study: study that has the point.
        place: values that the point's block shares.
        values: values of the point along the inner axes, by name.
    """
    raise TypeError(f"{type(kind).__name__} is no kind of study")


def all_columns(study: Study) -> tuple[Column, ...]:
    """Columns of the table ``study``, in order."""
    fields = tuple(Column(name, "DOUBLE", "of the machine") for name in study.machine_columns)
    return (
        Column("point", "BIGINT", "number of the point, which tells its command", is_of_row=True),
        Column("model", "VARCHAR", "as the study names it"),
        Column("machine", "VARCHAR", "as the study names it"),
        Column("variant", "INTEGER", "number of the machine among those that its table stands for"),
        *fields,
        *columns_of(study.kind),
    )
