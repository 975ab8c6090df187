"""Efficiencies from measured kernels and messages: few physical numbers per chip, fitted in logarithms.

A first fit over all chips finds the shared numbers; a chip's own numbers then depart from these where its measurements
say so, against a prior. A chip's own numbers are its rates and launches; overlap, costs of tiles and the like are
properties of kernels, and shared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.blocks import BLOCKS, START
from ridgeline.calibration.fit.robust import robust_fit
from ridgeline.calibration.fit.stacks import Stack, residuals, training
from ridgeline.callbacks import Report, no_report
from ridgeline.numeric import Numeric
from ridgeline.specs.band import Band
from ridgeline.specs.kernels import (
    Kernels,
)
from ridgeline.specs.machine import Machine
from ridgeline.specs.topology import Switch

__all__ = [
    "CLOSE",
    "FEWEST_ROWS",
    "LOOSE",
    "OUTLIER",
    "Fitted",
    "Parameter",
    "fit_chips",
    "fit_machine",
]

Array = NDArray[np.float64]

LOOSE = 1.0
"""Standard deviation of the shared numbers' prior, in logarithms: a factor of e either way."""

CLOSE = 0.35
"""Standard deviation of a chip's own prior around the shared numbers: chips of one maker have similar fractions."""

OUTLIER = 0.15
"""Error from which a row's pull is constant: there, another kernel was chosen, which no closed form follows."""

FEWEST_ROWS = 10
"""Least number of rows; fewer say less about a chip than its family does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A fitted number.

    Attributes:
        name: block, field and, for a mapping, key.
        value: value in its unit.
        log_sd: standard deviation of its logarithm; a lower bound, since rows are taken as independent, which they are
            not.
        rows: number of rows that depend on it, among those that its block was fitted on.
    """

    name: str
    value: float
    log_sd: float
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Kernels of a chip, with their fit.

    Attributes:
        kernels: all numbers of the kernels.
        parameters: numbers that rows determine.
        rows: number of rows that each block was fitted on.
        bands: intervals of the kernels' times, by kind; empty until rows were predicted by fits without them.
        band_rows: number of rows behind each band.
    """

    kernels: Kernels
    parameters: tuple[Parameter, ...]
    rows: Mapping[str, int] = field(default_factory=dict)
    bands: Mapping[str, Band] = field(default_factory=dict)
    band_rows: Mapping[str, str] = field(default_factory=dict)


def _names(block: str, fields: Iterable[str], kernels: Kernels) -> list[str]:
    """Names of the numbers of some fields; those of a mapping each by its key."""
    held = getattr(kernels, block)
    names = []
    for name in fields:
        value = getattr(held, name)
        names += [f"{name}.{key}" for key in value] if isinstance(value, Mapping) else [name]
    return names


def _value(block: str, name: str, kernels: Kernels) -> float:
    of, _, key = name.partition(".")
    held = getattr(getattr(kernels, block), of)
    return float(held[key] if key else held)


def _changed(block: str, names: Sequence[str], values: Iterable[Numeric], kernels: Kernels) -> Kernels:
    """Kernels with other numbers, or with grids of them."""
    held = getattr(kernels, block)
    changes: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        of, _, key = name.partition(".")
        if key:
            changes[of] = {**changes.get(of, getattr(held, of)), key: value}
        else:
            changes[of] = value
    return dataclasses.replace(kernels, **{block: dataclasses.replace(held, **changes)})


def _fit(
    block: str, names: Sequence[str], stacks: Sequence[Stack], centre: Kernels, spread: float
) -> tuple[Kernels, list[Parameter]]:
    """Numbers that fit the stacks best, and those that some row determines; no fraction is above one."""
    prior = np.log([_value(block, name, centre) for name in names])
    most = np.array([0.0 if name.partition(".")[0].endswith("fraction") else np.inf for name in names])
    machines = {stack.run.machine.id for stack in stacks}

    def errors(logs: Array) -> Array:
        # A column for each number, beside which a stack's rows are a line.
        kernels = _changed(block, names, np.exp(logs).T[..., np.newaxis], centre)
        return residuals(stacks, dict.fromkeys(machines, kernels))

    best = robust_fit(errors, centre=prior, spread=spread, soft=OUTLIER, most=most, at_once=True)
    kernels = _changed(block, names, np.exp(np.minimum(best.logs, most)).tolist(), centre)
    found = [
        Parameter(name=f"{block}.{name}", value=_value(block, name, kernels), log_sd=float(sd), rows=int(rows))
        for name, sd, rows in zip(names, best.log_sd, best.rows, strict=True)
        if rows
    ]
    return kernels, found


def fit_machine(
    machine: str,
    by_block: Mapping[str, Sequence[Stack]],
    kernels: Kernels,
    *,
    fewest: int = FEWEST_ROWS,
    spreads: Mapping[str, float] | None = None,
    said: Report = no_report,
) -> Fitted | None:
    """Numbers of a machine; None where no block has enough rows.

    Args:
        machine: id of the machine.
        by_block: measured rows; those of other machines are ignored.
        kernels: start and prior of the fit.
        fewest: least number of rows of a block.
        spreads: standard deviations of blocks' priors, where not ``CLOSE``.
        said: progress callback, called with a line of text.
    """
    parameters: list[Parameter] = []
    mine = {name: [stack for stack in stacks if stack.run.machine.id == machine] for name, stacks in by_block.items()}
    rows = {name: sum(len(stack.seconds) for stack in stacks) for name, stacks in mine.items()}
    rows = {name: count for name, count in rows.items() if count >= fewest}
    for name in rows:
        said(f"{name}, {machine}")
        names = _names(name, BLOCKS[name].own, kernels)
        kernels, found = _fit(name, names, mine[name], kernels, (spreads or {}).get(name, CLOSE))
        parameters += found
    return Fitted(kernels=kernels, parameters=tuple(parameters), rows=rows) if rows else None


def fit_chips(
    cases: Sequence[Case],
    *,
    reference: Callable[[str], str | None],
    start: Kernels = START,
    asked: Collection[str] | None = None,
    said: Report = no_report,
) -> tuple[Fitted, dict[str, Fitted]]:
    """Fit the kernels shared by all chips, and those of every machine with measurements.

    Args:
        cases: measured kernels and messages; other kinds are ignored.
        reference: the machine whose numbers another starts from; None for machines without kernels of this kind.
        start: start of the shared numbers.
        asked: machines whose own numbers are wanted, with those that they start from; left out, all.
        said: progress callback, called with a line of text.

    Returns:
        The result is the shared fit, and each machine's own.
    """
    shared, parameters, rows = start, [], {}
    by_block = {name: training(cases, block) for name, block in BLOCKS.items()}
    for name, stacks in by_block.items():
        said(f"{name}, all chips")
        fields = [one.name for one in dataclasses.fields(getattr(start, name))]
        # The effect of a bus on messages says nothing about those through a switch.
        alike = [stack for stack in stacks if not (BLOCKS[name].is_inside and _is_bus(stack.run.machine))] or stacks
        if not alike:
            continue
        shared, found = _fit(name, _names(name, fields, start), alike, shared, LOOSE)
        parameters += found
        rows[name] = sum(len(stack.seconds) for stack in alike)
    chips: dict[str, Fitted] = {}
    machines = {stack.run.machine.id: stack.run.machine for stacks in by_block.values() for stack in stacks}
    # Chips that others of their family start from come first.
    for name in sorted(machines, key=lambda one: (reference(one) != one, one)):
        nearest = reference(name)
        if nearest is None or (asked is not None and name not in asked):
            continue
        kernels, spreads = shared, {}
        if nearest in chips:
            kernels = chips[nearest].kernels
        elif _is_bus(machines[name]):
            kernels, spreads = (
                dataclasses.replace(shared, collectives=shared.collectives.over_a_bus()),
                {"collectives": LOOSE},
            )
        own = fit_machine(name, by_block, kernels, spreads=spreads, said=said)
        if own is not None:
            chips[name] = own
    return Fitted(kernels=shared, parameters=tuple(parameters), rows=rows), chips


def _is_bus(machine: Machine) -> bool:
    topology = machine.fabric[0].topology
    return isinstance(topology, Switch) and topology.is_bus
