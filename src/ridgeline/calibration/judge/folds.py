"""Predictions of measured kernels and messages by fits without them.

Three questions are asked, each by leaving other rows out: how well other shapes on a measured chip are predicted, how
well an unmeasured chip is, and how errors grow beyond the longest measured time.
"""

from __future__ import annotations

import dataclasses
import math
import multiprocessing
import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.fit.blocks import is_fitted_on
from ridgeline.calibration.fit.chip_fit import Fitted, fit_chips
from ridgeline.calibration.fit.mapped import Mapped
from ridgeline.calibration.kinds.kind import KINDS, KernelKind
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.kinds.run import Machines
from ridgeline.catalog.machines import kernels_reference, load_machine, machine_entry, machine_ids
from ridgeline.estimator.interval import total_s
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.machine import Machine

__all__ = [
    "SHAPES",
    "Fold",
    "Held",
    "Left",
    "fold_workers",
    "folds",
    "held_out",
    "of_kernels",
    "shape_of",
    "with_fit",
    "with_numbers_of",
]

SHAPES = 5
"""Parts into which shapes are divided."""

SHAPE_COLUMNS = (
    *("batch", "context_tokens", "prompt_tokens", "m", "n", "k", "groups", "query_heads", "kv_heads", "head_dim"),
    *("message_bytes", "ranks"),
)
"""Columns that make up a shape: rows that differ only in formats or engines are left out together."""

LONGEST = 0.3
"""Part of a kind's rows on a machine, the longest, that is left out to measure how errors grow beyond the others."""

FEWEST_FOR_LONGEST = 30
"""Least number of rows for that; of fewer, the longest 30 % say nothing."""


class Left(StrEnum):
    """Kinds of rows that a fold leaves out."""

    SHAPES = "shapes"
    FAMILY = "family"
    LONGEST = "longest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Rows that are left out together.

    Attributes:
        left: kind of rows that it leaves out.
        name: name of the part of shapes, or of the family of chips.
        held: indices of the rows among all.
    """

    left: Left
    name: str
    held: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Prediction of a row by a fit without it.

    Attributes:
        place: index of the row among all.
        left: kind of rows that the fit left out.
        fold: name of the fold.
        kind: kind of its kernel or message.
        predicted: predicted value of the row's quantity.
        log_error: ``ln(predicted / measured)`` of the time behind it.
        time_s: measured time, s.
        beyond: extrapolation distance, ``ln(t / longest fitted t)``, for a row longer than all in the fit.
    """

    place: int
    left: Left
    fold: str
    kind: str
    predicted: float
    log_error: float
    time_s: float
    beyond: float = 0.0


def of_kernels(cases: Iterable[Case]) -> list[Case]:
    """Measured rows that are isolated kernels and messages, on machines of the catalog."""
    known = set(machine_ids())
    return [
        case
        for case in cases
        if isinstance(KINDS.get(case.kind), KernelKind) and case.measured and case.machine in known
    ]


def folds(cases: Sequence[Case]) -> list[Fold]:
    """All folds of measured kernels and messages."""
    shapes: dict[str, set[int]] = defaultdict(set)
    families: dict[str, set[int]] = defaultdict(set)
    for place, case in enumerate(cases):
        shapes[str(zlib.crc32(shape_of(case).encode()) % SHAPES)].add(place)
        if kernels_reference(case.machine) is not None:
            families[machine_entry(case.machine).facts.family].add(place)
    return [
        *(Fold(left=Left.SHAPES, name=name, held=frozenset(held)) for name, held in sorted(shapes.items())),
        *(
            Fold(left=Left.FAMILY, name=family, held=frozenset(held))
            for family, held in sorted(families.items())
            if len(held) >= FEWEST_FOR_LONGEST
        ),
        Fold(left=Left.LONGEST, name="longest", held=frozenset(_longest(cases))),
    ]


def shape_of(case: Case) -> str:
    """Key of rows that are left out together."""
    return repr([case.text(column) or None for column in SHAPE_COLUMNS])


def _longest(cases: Sequence[Case]) -> dict[int, float]:
    """Longest rows of each kind and machine, with the distance of each beyond the others."""
    times: dict[tuple[str, str], list[tuple[float, int]]] = defaultdict(list)
    for place, case in enumerate(cases):
        if case.quantity == "latency_s" and case.measured and is_fitted_on(case):
            times[case.kind, case.machine].append((case.measured, place))
    found: dict[int, float] = {}
    for rows in times.values():
        if len(rows) < FEWEST_FOR_LONGEST:
            continue
        last = float(np.quantile([time_s for time_s, _ in rows], 1 - LONGEST))
        found |= {place: math.log(time_s / last) for time_s, place in rows if time_s > last}
    return found


def fitted_on(cases: Sequence[Case], asked: Collection[str]) -> Machines:
    """Machines with kernels of the requested chips as fitted on these cases alone."""
    return with_fit(*fit_chips(cases, reference=kernels_reference, asked=asked))


def held_out(
    cases: Sequence[Case], fold: Fold, fitted: Callable[[Sequence[Case], Collection[str]], Machines] = fitted_on
) -> list[Held]:
    """Predictions of a fold's rows by a fit on the other rows.

    Args:
        cases: all measured rows.
        fold: rows that are left out.
        fitted: function from the other rows to fitted machines, for the requested ones.
    """
    named = {cases[place].machine for place in fold.held}  # ids, or paths to a user's files
    asked = {load_machine(name).id for name in named} | {
        nearest for name in named if (nearest := kernels_reference(name)) is not None
    }
    machines = fitted([case for place, case in enumerate(cases) if place not in fold.held], asked)
    beyond = _longest(cases) if fold.left is Left.LONGEST else {}
    found = []
    for place in sorted(fold.held):
        case = cases[place]
        try:
            prediction = predict(case, {}, MEASURED, machines=machines)
        except Unsupported:
            continue
        if not case.measured:
            continue
        ratio = prediction.value / case.measured
        time_s = float(total_s(prediction.parts))
        log_error = math.log(ratio if prediction.is_time else 1 / ratio)
        found.append(
            Held(
                place=place,
                left=fold.left,
                fold=fold.name,
                kind=prediction.parts[0].kind,
                predicted=prediction.value,
                log_error=log_error,
                time_s=time_s / math.exp(log_error),
                beyond=beyond.get(place, 0.0),
            )
        )
    return found


@contextmanager
def fold_workers(jobs: int) -> Iterator[Mapped]:
    """``map`` over folds, and other groups that are left out, in ``jobs`` processes."""
    if jobs == 1:
        yield map
        return
    # Fresh processes: a copy of one that has threads may hang.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor.map


def with_fit(shared: Fitted, chips: Mapping[str, Fitted]) -> Machines:
    """Machines with a fit's kernels and bands in place of the catalog's."""

    def machine(name: str) -> Machine:
        found = load_machine(name)
        nearest = kernels_reference(found.id)
        if nearest is None:
            return found
        fitted = chips.get(found.id) or chips.get(nearest) or shared
        return with_numbers_of(fitted, found)

    return machine


def with_numbers_of(fitted: Fitted, machine: Machine) -> Machine:
    """A machine with fitted kernels and their bands."""
    bands = {**machine.efficiency.bands, **fitted.bands}
    efficiency = dataclasses.replace(machine.efficiency, kernels=fitted.kernels, bands=bands)
    return machine.with_efficiency(efficiency)
