"""Efficiencies from measured kernels and messages: few physical numbers a chip, fitted in logarithms.

A first fit over all chips finds numbers that they share; a chip's own then depart from these where its measurements
say so, held by a prior. What is fitted of a chip are its rates and launches; how far work overlaps, what tiles cost
and their like are kernels' business, and shared.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.fit.robust import robust_fit
from ridgeline.calibration.kinds.kind import KINDS, KernelKind
from ridgeline.calibration.kinds.run import Run, machine_of
from ridgeline.catalog.engines import engine_of
from ridgeline.catalog.harnesses import harness_of
from ridgeline.estimator.interval import Part, total_s
from ridgeline.specs.band import Band
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.kernels import (
    Collectives,
    DecodeAttention,
    Elementwise,
    ExpertAllToAll,
    Experts,
    Gemm,
    Kernels,
    LatentAttentionKernels,
    PrefillAttention,
)
from ridgeline.specs.machine import Machine
from ridgeline.specs.topology import Switch

__all__ = [
    "BLOCKS",
    "FEWEST_ROWS",
    "START",
    "Fitted",
    "Parameter",
    "block_of",
    "fit_chips",
    "fit_machine",
    "is_fitted_on",
    "residuals",
    "training",
]

Array = NDArray[np.float64]

LOOSE = 1.0
"""Standard deviation of the shared numbers' prior, in logarithms: a factor of e either way."""

CLOSE = 0.35
"""And of a chip's own around the shared ones: chips of one maker reach alike parts of their peaks."""

OUTLIER = 0.15
"""Error from which a row pulls no harder: another kernel was chosen there, which no closed form follows."""

FEWEST_ROWS = 10
"""Fewer say less of a chip than its family does."""

START = Kernels(
    gemm=Gemm(
        fraction={"bf16": 0.76, "fp8": 0.6, "fp8_row": 0.43, "nvfp4": 0.43},
        hbm_fraction=0.84,
        unit_bytes_per_s=2e10,
        launch_s=2.6e-6,
        eager_launch_s=1.2e-6,
        penalty_values=190.0,
        prologue_values=97.0,
        k_value_s=1e-9,
        split_k_s=3.3e-6,
        quantise_s={"fp8": 9.6e-6, "fp8_row": 1.8e-6, "nvfp4": 8.8e-6},
        quantise_hbm_fraction=0.9,
    ),
    decode_attention=DecodeAttention(launch_s=1.2e-5, hbm_fraction=0.8, unit_bytes_per_s=2.2e10, kv_head_s=1.2e-6),
    latent_attention=LatentAttentionKernels(
        launch_s=1.4e-5, fraction=1.0, hbm_fraction=0.85, query_head_bytes=5e3, mid_heads_factor=1.1
    ),
    prefill_attention=PrefillAttention(
        launch_s=1.5e-5,
        fraction=0.8,
        fp8_speedup_factor=1.2,
        hbm_fraction=0.8,
        unit_bytes_per_s=2e10,
        softmax_values=110.0,
        tail_fraction=0.32,
        block_keys=64.0,
        window_tiles=3.8,
    ),
    experts=Experts(
        launch_s={"bf16": 2.6e-5, "mxfp8": 2e-5, "mxfp4_as_bf16": 6e-5},
        fraction={"bf16": 0.54, "fp8": 0.72, "fp8_row": 0.43, "nvfp4": 0.51, "mxfp8": 0.26, "mxfp4_as_bf16": 0.26},
        hbm_fraction=0.84,
        unit_bytes_per_s=2.2e10,
        expert_s=4.6e-8,
        penalty_values=11.0,
        prologue_values=53.0,
        dequantise_flop_per_value=14.0,
    ),
    collectives=Collectives(
        launch_s=9e-6,
        step_s=1.6e-6,
        simple_s=1.5e-5,
        simple_fraction=0.6,
        ranks_power=0.05,
        ll_fraction=0.55,
        in_switch_s=2.4e-5,
        in_switch_fraction=0.6,
        one_shot_s=5e-6,
        second_shot_s=1.4e-5,
        shot_fraction=0.6,
        end_barrier_s=2e-6,
        send_fraction=0.82,
        eager_launch_s=1.9e-5,
    ),
    expert_all_to_all=ExpertAllToAll(
        launch_s=1e-5,
        low_latency_expert_s=2e-8,
        low_latency_fraction=0.6,
        scale_out_s=1.2e-5,
        scale_out_fraction=0.9,
        high_throughput_s=1.2e-5,
        high_throughput_value_s=3.5e-9,
        high_throughput_fraction=0.8,
        unit_bytes_per_s=1.3e10,
        eager_launch_s=1.5e-5,
        host_dispatch_s=7e-5,
    ),
    elementwise=Elementwise(isolated_launch_s=1.5e-6, row_value_s=7e-10, hbm_fraction=0.9, row_hbm_fraction=0.55),
)
"""Where a fit starts, and what holds it where nothing was measured: round numbers of public kernel timings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Numbers that are fitted together.

    Attributes:
        kinds: of cases that they are fitted on.
        own: those that a chip has of its own; the others are shared.
        is_inside: whether rows that leave the domain are left out.
    """

    kinds: tuple[str, ...]
    own: tuple[str, ...]
    is_inside: bool = False


BLOCKS: dict[str, Block] = {
    "gemm": Block(kinds=("gemm",), own=("fraction", "hbm_fraction", "unit_bytes_per_s", "launch_s", "quantise_s")),
    "decode_attention": Block(kinds=("attention_decode",), own=("launch_s", "hbm_fraction", "kv_head_s")),
    "latent_attention": Block(
        kinds=("mla_decode",),
        own=("launch_s", "fraction", "hbm_fraction", "query_head_bytes", "mid_heads_factor"),
    ),
    "prefill_attention": Block(
        kinds=("attention_prefill",),
        own=("launch_s", "fraction", "fp8_speedup_factor", "unit_bytes_per_s", "window_tiles"),
    ),
    "experts": Block(
        kinds=("grouped_gemm",),
        own=("launch_s", "fraction", "unit_bytes_per_s", "expert_s", "dequantise_flop_per_value"),
    ),
    "collectives": Block(
        kinds=("all_reduce", "all_gather", "reduce_scatter", "point_to_point"),
        own=(
            *("launch_s", "step_s", "simple_s", "simple_fraction", "ranks_power", "ll_fraction", "in_switch_s"),
            *("in_switch_fraction", "one_shot_s", "second_shot_s", "shot_fraction", "end_barrier_s", "send_fraction"),
        ),
        is_inside=True,
    ),
    "expert_all_to_all": Block(
        kinds=("all_to_all_dispatch", "all_to_all_combine"),
        own=(
            "launch_s",
            "low_latency_expert_s",
            "low_latency_fraction",
            "high_throughput_s",
            "high_throughput_value_s",
            "high_throughput_fraction",
            "unit_bytes_per_s",
        ),
    ),
    "elementwise": Block(
        kinds=("elementwise",), own=("isolated_launch_s", "row_value_s", "hbm_fraction", "row_hbm_fraction")
    ),
}
"""What is fitted on which kinds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A fitted number.

    Attributes:
        name: block, field and, of a mapping, key.
        value: in its unit.
        log_sd: standard deviation of its logarithm; rows are taken as independent, which they are not, so that it is a
            bound from below.
        rows: that move with it, of those that its block was fitted on.
    """

    name: str
    value: float
    log_sd: float
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Kernels of a chip and how they came about.

    Attributes:
        kernels: all of its numbers.
        parameters: those that rows tell of.
        rows: that each block was fitted on.
        bands: how sure the kernels' times are, by kind; empty until rows were predicted that did not fit them.
        band_rows: rows behind each band.
    """

    kernels: Kernels
    parameters: tuple[Parameter, ...]
    rows: Mapping[str, int] = field(default_factory=dict)
    bands: Mapping[str, Band] = field(default_factory=dict)
    band_rows: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Rows that are one case but for numbers of some columns.

    Attributes:
        run: the case whose columns are arrays.
        made: what it runs, whatever the numbers of its machine's kernels.
        timed: how long each of these takes.
        seconds: as measured.
        places: of the rows among all.
    """

    run: Run
    made: tuple[Any, ...]
    timed: Callable[[Run, Any], Part]
    seconds: Array
    places: NDArray[np.intp]


STACKED = ("batch", "context_tokens", "prompt_tokens", "m", "n", "k", "groups", "message_bytes")
"""Columns in which rows of one stack differ."""

STACKED_ATTRIBUTES = {"grouped_gemm": ("rows", "local_experts", "experts", "moe_ep", "moe_tp", "top_k")}
"""And facts without a column, by kind."""


def is_fitted_on(case: Case) -> bool:
    """Whether numbers are fitted on a row."""
    return block_of(case) is not None


def block_of(case: Case) -> str | None:
    """The block whose numbers are fitted on a row; None where none is."""
    return next((name for name, block in BLOCKS.items() if _takes(block, case)), None)


def _takes(block: Block, case: Case) -> bool:
    # Plain parts for all are sent as gathers are.
    kind = "all_to_all" if case.attributes.get("uniform") else case.kind
    leaves = block.is_inside and case.attributes.get("scope") == "inter_node"
    is_served = kind not in harness_of(case.engine).unserved_kinds
    return kind in block.kinds and not leaves and is_served


def training(cases: Sequence[Case], block: Block) -> list[Stack]:
    """Measured rows of a block's kinds in as few stacks as they make; rows that are not predicted are left out."""
    alike: dict[str, list[int]] = defaultdict(list)
    for place, case in enumerate(cases):
        if case.measured and _takes(block, case):
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
    """``ln(predicted / measured)`` of every row of the stacks, by the kernels of its machine."""
    found = []
    # Stacks share machines, of which each is changed once.
    machines = {id(stack.run.machine): stack.run.machine for stack in stacks}
    changed = {place: with_kernels(machine, kernels[machine.id]) for place, machine in machines.items()}
    for stack in stacks:
        run = dataclasses.replace(stack.run, machine=changed[id(stack.run.machine)])
        predicted = np.asarray(total_s(stack.timed(run, one) for one in stack.made), dtype=float)
        found.append(np.log(predicted / stack.seconds))
    return np.concatenate(found) if found else np.empty(0)


def with_kernels(machine: Machine, kernels: Kernels) -> Machine:
    """The machine with other kernels."""
    return machine.with_efficiency(dataclasses.replace(machine.efficiency, kernels=kernels))


def _names(block: str, fields: Iterable[str], kernels: Kernels) -> list[str]:
    """The numbers of some fields, those of a mapping each by its key."""
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


def _changed(block: str, names: Sequence[str], values: Sequence[float], kernels: Kernels) -> Kernels:
    held = getattr(kernels, block)
    changes: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        of, _, key = name.partition(".")
        if key:
            changes[of] = {**changes.get(of, getattr(held, of)), key: float(value)}
        else:
            changes[of] = float(value)
    return dataclasses.replace(kernels, **{block: dataclasses.replace(held, **changes)})


def _fit(
    block: str, names: Sequence[str], stacks: Sequence[Stack], centre: Kernels, spread: float
) -> tuple[Kernels, list[Parameter]]:
    """The numbers that fit the stacks best, and those of them that some row tells of; no fraction is above one."""
    prior = np.log([_value(block, name, centre) for name in names])
    most = np.array([0.0 if name.partition(".")[0].endswith("fraction") else np.inf for name in names])
    machines = {stack.run.machine.id for stack in stacks}

    def changed(logs: Array) -> Kernels:
        return _changed(block, names, np.exp(logs).tolist(), centre)

    def errors(logs: Array) -> Array:
        return residuals(stacks, dict.fromkeys(machines, changed(logs)))

    best = robust_fit(errors, centre=prior, spread=spread, soft=OUTLIER, most=most)
    kernels = changed(np.minimum(best.logs, most))
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
    said: Callable[[str], None] = lambda _: None,
) -> Fitted | None:
    """A machine's own numbers; None where no block has enough rows.

    Args:
        machine: its id.
        by_block: measured rows; those of other machines are left alone.
        kernels: that it starts from, and that hold it.
        fewest: rows that a block needs.
        spreads: of blocks' priors that are not ``CLOSE``.
        said: told what is being fitted.
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
    said: Callable[[str], None] = lambda _: None,
) -> tuple[Fitted, dict[str, Fitted]]:
    """Fit kernels that chips share, and those of every machine with measurements.

    Args:
        cases: measured kernels and messages; other kinds are left alone.
        reference: the machine whose numbers another starts from; None for machines without kernels of this kind.
        start: where to start from.
        asked: machines whose own numbers are wanted, with those that they start from; all where it is left out.
        said: told what is being fitted.

    Returns:
        What chips share, and each machine's own.
    """
    shared, parameters, rows = start, [], {}
    by_block = {name: training(cases, block) for name, block in BLOCKS.items()}
    for name, stacks in by_block.items():
        said(f"{name}, all chips")
        fields = [one.name for one in dataclasses.fields(getattr(start, name))]
        # What a bus does to messages says nothing of those through a switch.
        alike = [stack for stack in stacks if not (BLOCKS[name].is_inside and _is_bus(stack.run.machine))] or stacks
        if not alike:
            continue
        shared, found = _fit(name, _names(name, fields, start), alike, shared, LOOSE)
        parameters += found
        rows[name] = sum(len(stack.seconds) for stack in alike)
    chips: dict[str, Fitted] = {}
    machines = {stack.run.machine.id: stack.run.machine for stacks in by_block.values() for stack in stacks}
    # Those that others of their family start from come first.
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
