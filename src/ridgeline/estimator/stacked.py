"""Passes of many deployments timed at once: kernels that differ only in size form one grid.

Layouts of a model share most of their kernels, and the others are similar. Each kind is timed once, over an axis of
different kernels, instead of once for every operation of every layout; the numbers are the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Any, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.collectives import Levels
from ridgeline.estimator.clock import kernel_timing, message_timing
from ridgeline.estimator.drafting import draft_operations
from ridgeline.estimator.engine_overhead import as_run, sent
from ridgeline.estimator.messages import Message
from ridgeline.estimator.napkin import napkin_timing
from ridgeline.estimator.on_chip import Operation
from ridgeline.estimator.pipeline import Parts
from ridgeline.estimator.shares import Shares
from ridgeline.estimator.step import step_operations
from ridgeline.numeric import Numeric
from ridgeline.specs.as_run import AsRun, only
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.machine import Machine

__all__ = ["stacked_parts"]

Array = NDArray[np.float64]


@dataclass(slots=True)
class _Grid:
    """Kernels of one kind on one machine that differ only in size, as run by engines that change it alike.

    Attributes:
        first: one of the kernels, with all fields that are no sizes.
        machine: machine that they run on.
        run: kernel time as an engine runs them.
        places: row of each kernel, by its sizes.
        sizes: sizes of each row.
    """

    first: Any
    machine: Machine
    run: AsRun
    places: dict[tuple[Any, ...], int] = field(default_factory=dict)
    sizes: list[tuple[Any, ...]] = field(default_factory=list)


@dataclass(slots=True)
class _Stack:
    """A grid's kernels in the passes of one engine.

    Attributes:
        grid: kernels that they use.
        users: passes that use each row: the row, the pass, and how often it runs in layers and at the ends.
    """

    grid: _Grid
    users: list[tuple[int, int, float, bool]] = field(default_factory=list)


@dataclass(slots=True)
class _Sized:
    """A kernel or message as sent, in fields that are no sizes, its sizes, and their key."""

    first: Any
    kind: tuple[Any, ...]
    sizes: tuple[Any, ...]
    key: tuple[Any, ...]


_Listed = list[tuple[_Sized, float, bool]]
"""An operation's kernel, how often it runs, and whether in layers or at the ends."""

_Placed = list[tuple[_Stack, int, float, bool]]
"""Stack and row of an operation's kernel, how often it runs, and whether in layers or at the ends."""


def stacked_parts(items: Sequence[tuple[Deployment, Shares]], points: int) -> list[Parts]:
    """Times of one micro-batch's kernels and messages, in the layers of all stages and at both ends, of each pass, s.

    Args:
        items: deployments, each with a chip's share of a pass: a row of numbers.
        points: length of each row.
    """
    layers_s, ends_s = np.zeros((len(items), points)), np.zeros((len(items), points))
    stacks = _Stacks()
    # All drafts have as many tokens verified, by the same kernels; of engines, some send other messages.
    listed: dict[tuple[Any, ...], _Listed] = {}
    placed: dict[tuple[Any, ...], _Placed] = {}

    for number, (deployment, shares) in enumerate(items):
        if not deployment.fidelity.by_operation:
            layers_s[number] = napkin_timing(deployment, shares).time_s
            continue
        machine, run = deployment.machine, as_run(deployment, has_prompts=shares.has_prompts)
        way = stacks.way(machine, run)
        parts = id(deployment.model), id(deployment.precision), deployment.engine.has_custom_all_reduce
        checked = (deployment.layout, id(shares), id(machine), *parts)
        if (way, checked) not in placed:
            if checked not in listed:
                listed[checked] = _listed(step_operations(deployment, shares), deployment)
            placed[way, checked] = stacks.placed(listed[checked], machine, run, way)
        drafted = stacks.placed(_listed(draft_operations(deployment, shares), deployment), machine, run, way)
        for stack, place, times, is_layer in (*placed[way, checked], *drafted):
            stack.users.append((place, number, times, is_layer))
    times_s = {id(grid): _times(grid, points) for grid in stacks.grids.values()}
    for stack in stacks.stacks.values():
        time_s = times_s[id(stack.grid)]
        rows, passes, repeats, in_layers = (np.array(column) for column in zip(*stack.users, strict=True))
        for total_s, mine in ((layers_s, in_layers), (ends_s, ~in_layers)):
            np.add.at(total_s, passes[mine], repeats[mine, None] * time_s[rows[mine]])
    return [(layers_s[number], ends_s[number]) for number in range(len(items))]


def _listed(operations: Iterable[Operation], deployment: Deployment) -> _Listed:
    """Operations, each with its kernel as the engine sends it, taken apart once wherever the step repeats it."""
    found: _Listed = []
    known: dict[int, _Sized] = {}
    for operation in tuple(operations):  # all at once: a kernel's number is its own while it is held
        kernel = operation.kernel
        if id(kernel) not in known:
            first = sent(kernel, deployment.engine) if isinstance(kernel, Message) else kernel
            kind, sizes = _split(first)
            key = tuple([size.tobytes() if size.__class__ is np.ndarray else size for size in sizes])
            known[id(kernel)] = _Sized(first=first, kind=kind, sizes=sizes, key=key)
        found.append((known[id(kernel)], float(operation.repeats), operation.is_layer))
    return found


class _Stacks:
    """Stacks of kernels by machine, by what an engine changes, and by kind."""

    def __init__(self) -> None:
        self.stacks: dict[tuple[Any, ...], _Stack] = {}
        self.grids: dict[tuple[Any, ...], _Grid] = {}
        # Whose numbers are quicker keys; machines of a search are the same object.
        self._ways: dict[tuple[int, AsRun], int] = {}

    def way(self, machine: Machine, run: AsRun) -> int:
        """Number of a machine with what an engine changes."""
        return self._ways.setdefault((id(machine), run), len(self._ways))

    def placed(self, listed: _Listed, machine: Machine, run: AsRun, way: int) -> _Placed:
        """Stack and row of each operation's kernel; missing stacks are added."""
        found: _Placed = []
        rows: dict[int, tuple[_Stack, int]] = {}
        for one, repeats, is_layer in listed:
            if id(one) not in rows:
                stack = self.stacks.get((way, one.kind))
                if stack is None:
                    stack = self.stacks[way, one.kind] = _Stack(grid=self._grid(one, machine, run))
                rows[id(one)] = stack, _place(stack.grid, one)
            found.append((*rows[id(one)], repeats, is_layer))
        return found

    def _grid(self, one: _Sized, machine: Machine, run: AsRun) -> _Grid:
        """Grid of a kind of kernel, which engines share that differ only in what they change of other kinds."""
        changed = only(run, one.first.changed)
        key = self.way(machine, changed), one.kind
        if key not in self.grids:
            self.grids[key] = _Grid(first=one.first, machine=machine, run=changed)
        return self.grids[key]


def _place(grid: _Grid, one: _Sized) -> int:
    """Row of a kernel."""
    place = grid.places.get(one.key)
    if place is None:
        place = grid.places[one.key] = len(grid.sizes)
        grid.sizes.append(one.sizes)
    return place


def _times(grid: _Grid, points: int) -> Array:
    """Time of each kernel of a grid, by point, s."""
    columns = []
    for column in zip(*grid.sizes, strict=True):
        if all(size.__class__ is not np.ndarray for size in column):
            # A size common to all stays a number, which is faster.
            columns.append(column[0] if len(set(column)) == 1 else np.array(column, dtype=float)[:, None])
        else:
            values = np.empty((len(column), points))
            for row, size in enumerate(column):
                values[row] = size
            columns.append(values)
    kernel = _joined(grid.first, iter(columns))
    timed = message_timing if isinstance(kernel, Message) else kernel_timing
    time_s = timed(kernel, grid.machine, grid.run).time_s
    return np.broadcast_to(np.asarray(time_s, dtype=float), (len(grid.sizes), points))


@lru_cache(maxsize=64)
def _fields(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    """Fields of a record by role: sizes, records, rows of records, and others."""
    types = get_type_hints(kind)
    return tuple((one.name, _role(types[one.name])) for one in dataclasses.fields(kind))


def _role(type_: Any) -> str:  # noqa: ANN401  a type
    if type_ == Numeric:
        return "size"
    if type_ in (Levels, Levels | None):
        return "sizes"
    return "record" if any(map(dataclasses.is_dataclass, get_args(type_))) else ""


_Get = Callable[[Any], tuple[Any, ...]]


@lru_cache(maxsize=64)
def _flat(kind: Any) -> tuple[_Get, _Get] | None:  # noqa: ANN401  a class, which mypy takes for no key of a cache
    """Getters of a record's fields without its sizes, and of its sizes; None where parts of it have sizes, too."""
    names: dict[str, list[str]] = {"": [], "size": []}
    for name, role in _fields(kind):
        if role not in names:
            return None
        names[role].append(name)
    sizes = attrgetter(*names["size"])
    is_one = len(names["size"]) == 1  # which a getter returns as it is
    return attrgetter("__class__", *names[""]), (lambda record: (sizes(record),)) if is_one else sizes


def _split(record: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:  # noqa: ANN401  a kernel, a message or a part of one
    """A record's fields without its sizes, and its sizes."""
    flat = _flat(record.__class__)
    if flat is not None:
        return flat[0](record), flat[1](record)
    kind: list[Any] = [record.__class__]
    sizes: list[Any] = []
    for name, role in _fields(record.__class__):
        value = getattr(record, name)
        if role == "size":
            sizes.append(value)
        elif role == "" or value is None:
            kind.append(value)
        elif role == "sizes":
            kind.append(len(value))
            sizes += value
        else:
            inner_kind, inner_sizes = _split(value)
            kind.append(inner_kind)
            sizes += inner_sizes
    return tuple(kind), tuple(sizes)


def _joined(record: Any, sizes: Iterable[Any]) -> Any:  # noqa: ANN401  a kernel, a message or a part of one
    """The record with other sizes."""
    changes: dict[str, Any] = {}
    rest = iter(sizes)
    for name, role in _fields(record.__class__):
        value = getattr(record, name)
        if role == "size":
            changes[name] = next(rest)
        elif role == "sizes" and value is not None:
            changes[name] = tuple(next(rest) for _ in value)
        elif role == "record" and value is not None:
            changes[name] = _joined(value, rest)
    return dataclasses.replace(record, **changes)
