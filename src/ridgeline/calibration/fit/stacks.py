"""Measured kernels and messages as few arrays, and their errors for given kernels of their machines."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.fit.blocks import START, Block, takes
from ridgeline.calibration.kinds.kind import KINDS, KernelKind
from ridgeline.calibration.kinds.run import Run, machine_of
from ridgeline.catalog.engines import engine_of
from ridgeline.estimator.interval import Part, total_s
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.kernels import (
    Kernels,
)
from ridgeline.specs.machine import Machine

__all__ = [
    "Stack",
    "residuals",
    "training",
    "with_kernels",
]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Rows that are one case except for the values of some columns.

    Attributes:
        run: case with arrays as columns.
        made: kernels or messages that it runs, for any fitted numbers.
        timed: function from each of these to its time.
        seconds: measured times, s.
        places: indices of the rows among all.
    """

    run: Run
    made: tuple[Any, ...]
    timed: Callable[[Run, Any], Part]
    seconds: Array
    places: NDArray[np.intp]


STACKED = ("batch", "context_tokens", "prompt_tokens", "m", "n", "k", "groups", "message_bytes")
"""Columns in which rows of one stack differ."""

STACKED_ATTRIBUTES = {"grouped_gemm": ("rows", "local_experts", "experts", "moe_ep", "moe_tp", "top_k")}
"""Attributes in which rows of one stack differ, by kind."""


def training(cases: Sequence[Case], block: Block) -> list[Stack]:
    """Measured rows of a block's kinds in as few stacks as possible; rows that are not predicted are left out."""
    alike: dict[str, list[int]] = defaultdict(list)
    for place, case in enumerate(cases):
        if case.measured and takes(block, case):
            alike[_what_is_alike(case)].append(place)
    return [stack for places in alike.values() if (stack := _stack([cases[at] for at in places], places)) is not None]


def _what_is_alike(case: Case) -> str:
    told = {"name", "family", "measured", "attributes", "unknown_columns", "stacked", *STACKED}
    facts = [getattr(case, name) for name in Case.__dataclass_fields__ if name not in told]
    given = [name for name in STACKED if getattr(case, name) is not None]
    stacked = STACKED_ATTRIBUTES.get(case.kind, ())
    attributes = {name: value for name, value in case.attributes.items() if name not in stacked}
    return repr((facts, given, sorted(map(repr, attributes.items()))))


def _stack(cases: list[Case], places: list[int]) -> Stack | None:
    first = cases[0]
    given = [name for name in STACKED if getattr(first, name) is not None]
    columns = {name: np.array([one.number(name) for one in cases]) for name in given}
    attributes = dict(first.attributes)
    for name in STACKED_ATTRIBUTES.get(first.kind, ()):
        if name in attributes:
            attributes[name] = np.array([float(one.attributes[name]) for one in cases])
    case = dataclasses.replace(first, stacked=columns, attributes=attributes)
    machine, _ = machine_of(case)
    if machine.efficiency.kernels is None:  # some rows are made otherwise where nothing is fitted
        machine = with_kernels(machine, START)
    engine = engine_of(case.engine)
    run = Run(case=case, machine=machine, fidelity=MEASURED, models={}, engine=engine)
    kind = KINDS[case.kind]
    if not isinstance(kind, KernelKind) or case.quantity not in kind.quantities:
        return None
    measured = np.array([float(one.measured or 0) for one in cases])
    try:
        seconds = np.asarray(kind.quantities[case.quantity].time_s(run, measured))
        made = kind.made(run)
    except Unsupported:
        return None
    return Stack(run=run, made=made, timed=kind.timed, seconds=seconds, places=np.array(places))


def residuals(stacks: Sequence[Stack], kernels: Mapping[str, Kernels]) -> Array:
    """``ln(predicted / measured)`` of every row of the stacks, by the kernels of its machine.

    Where numbers of the kernels are columns, one number a line, the result has a line for each.
    """
    found = []
    # Stacks share machines, each of which is changed once.
    machines = {id(stack.run.machine): stack.run.machine for stack in stacks}
    changed = {place: with_kernels(machine, kernels[machine.id]) for place, machine in machines.items()}
    for stack in stacks:
        run = dataclasses.replace(stack.run, machine=changed[id(stack.run.machine)])
        predicted = np.asarray(total_s(stack.timed(run, one) for one in stack.made), dtype=float)
        found.append(np.log(predicted / stack.seconds))
    lines = np.broadcast_shapes(*(one.shape[:-1] for one in found))
    each = [np.broadcast_to(one, (*lines, one.shape[-1])) for one in found]
    return np.concatenate(each, axis=-1) if each else np.empty(0)


def with_kernels(machine: Machine, kernels: Kernels) -> Machine:
    """The machine with other kernels."""
    return machine.with_efficiency(dataclasses.replace(machine.efficiency, kernels=kernels))
