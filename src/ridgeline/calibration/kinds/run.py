"""Records behind a row of a case file: machine, model, layout, number formats."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.cases.model_table import ModelTable, table_model
from ridgeline.catalog import CatalogError, load_machine, load_model, model_ids
from ridgeline.catalog.engine_options import options_stated, run_with
from ridgeline.catalog.harnesses import benchmark_of, harness_of
from ridgeline.catalog.kernels import with_own_kernels
from ridgeline.estimator.deploy import at_fidelity
from ridgeline.estimator.precision import checkpoint_precision, runnable
from ridgeline.specs.attention import GroupedQueryAttention
from ridgeline.specs.engine import IDEAL_ENGINE, Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.harness import Benchmark, Harness
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.number_format import FORMATS, NumberFormat
from ridgeline.specs.precision import Component, Precision

__all__ = [
    "Machines",
    "Run",
    "as_stated",
    "format_named",
    "layout_of",
    "machine_of",
    "model_of",
    "precision_of",
    "unread",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A row with the records that it names.

    Attributes:
        case: row of the case file.
        machine: machine that it ran on, with the run's changes, at the row's fidelity.
        fidelity: resolution of the model of time.
        models: rows of a model table.
        engine: engine that ran it; the ideal one where only peaks count.
        is_engine_asked: whether the engine was given, and not the one that the row names.
        kernels: user's own calibration, whose numbers machine and engine have.
    """

    case: Case
    machine: Machine
    fidelity: Fidelity
    models: ModelTable
    engine: Engine = IDEAL_ENGINE
    is_engine_asked: bool = False
    kernels: Path | None = None

    def __post_init__(self) -> None:
        machine, engine = at_fidelity(self.machine, self.engine, self.fidelity)
        object.__setattr__(self, "machine", machine)
        object.__setattr__(self, "engine", engine)

    @property
    def harness(self) -> Harness:
        """Harness that timed the run, by its name for its engine."""
        return harness_of(self.case.engine)

    @property
    def benchmark(self) -> Benchmark | None:
        """Public benchmark with the run's lengths; None where the row says that lengths are others."""
        case = self.case
        found = benchmark_of(case.prompt_tokens or 0, case.output_tokens or 0) if case.kind == "closed_loop" else None
        if (
            found is None
            or self.attribute("length_ratio_min", found.least_length_fraction) != found.least_length_fraction
        ):
            return None
        return found

    def attribute(self, name: str, default: Any = None) -> Any:  # noqa: ANN401  a JSON value
        """Value of a fact without a column."""
        return self.case.attributes.get(name, default)

    def whole_attribute(self, name: str, default: int | None = None) -> int:
        """Value of a fact that counts.

        Raises:
            Unsupported: the value is missing without a default, or no whole number from 1 up.
        """
        value = self.attribute(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise Unsupported(f"{self.case.kind} rows need case.{name} as a whole number from 1 up, not {value!r}")
        return value


Machines = Callable[[str], Machine]
"""Function from a catalog id to a machine, the catalog's or with fitted numbers."""


def as_stated(engine: Engine, case: Case) -> Engine:
    """An engine with the options that a row states.

    Raises:
        Unsupported: an option has an invalid value.
    """
    try:
        return run_with(engine, options_stated(engine.name, case.attributes))
    except CatalogError as error:
        raise Unsupported(str(error)) from None


def machine_of(
    case: Case, machines: Machines = load_machine, kernels: Path | None = None
) -> tuple[Machine, tuple[str, ...]]:
    """The row's machine with the run's changes, and with the user's own kernels."""
    try:
        machine = machines(case.machine)
    except CatalogError:
        raise Unsupported(f"machine {case.machine!r} is not in the catalog") from None
    if kernels is not None:
        machine = with_own_kernels(machine, kernels)
    warnings = []
    for name, value in case.machine_overrides.items():
        if name == "hbm_bytes_per_s":
            machine = dataclasses.replace(machine, chip=dataclasses.replace(machine.chip, hbm_bytes_per_s=value))
        elif name == "scale_out_bytes_per_s":
            fabric = (*machine.fabric[:1], *(dataclasses.replace(one, bytes_per_s=value) for one in machine.fabric[1:]))
            machine = dataclasses.replace(machine, fabric=fabric)
        elif (case.kind, name) != ("train_step", "power_limit_w"):  # which a step's recipe has
            warnings.append(f"override {name} is not modelled")
    return machine, tuple(warnings)


def format_named(name: str) -> NumberFormat:
    """A number format by its name in case files."""
    if name not in FORMATS:
        raise Unsupported(f"number format {name!r} is not modelled; {', '.join(FORMATS)} are")
    return FORMATS[name]


@cache  # thousands of rows ask; the catalog stays as it is while a process runs
def _known_models() -> frozenset[str]:
    return frozenset(model_ids())


def model_of(run: Run) -> Model:
    """Model that ran, padded as in the run."""
    name = run.case.model
    if name in _known_models():
        model = load_model(name)
    elif name in run.models:
        model = table_model(run.models[name])
    else:
        raise Unsupported(f"model {name!r} is neither in the catalog nor in the model table")
    if run.attribute("padded_heads") is None:
        return model
    padded = run.whole_attribute("padded_heads")
    return dataclasses.replace(model, groups=tuple(_padded(group, padded) for group in model.groups))


def _padded(group: LayerGroup, query_heads: int) -> LayerGroup:
    """Layers with heads added so that they divide over the chips of the run."""
    if not isinstance(group.attention, GroupedQueryAttention):
        raise Unsupported(f"padded heads of {type(group.attention).__name__} are not modelled")
    try:
        attention = dataclasses.replace(group.attention, query_heads=query_heads)
    except ValueError as error:
        raise Unsupported(f"padded_heads: {error}") from None
    return dataclasses.replace(group, attention=attention)


def layout_of(run: Run) -> Layout:
    """Layout of the run; degrees left out are 1."""
    case = run.case
    degrees = {name: int(case.number_or(name, 1)) for name in ("tp", "pp", "ep", "dp", "cp")}
    try:
        layout = Layout(**degrees)
    except (LayoutError, ValueError) as error:
        raise Unsupported(str(error)) from None
    chips = int(case.number_or("chips", layout.chips))
    if chips != layout.chips:
        raise Unsupported(f"tp*pp*dp*cp = {layout.chips}, but the run has {chips} chips")
    return _divided(layout, str(run.attribute("ffn_layout", "ws1d")), str(run.attribute("attention_shard", "head")))


def unread(run: Run, attributes: Iterable[str]) -> tuple[str, ...]:
    """A warning for each of these attributes that a row has and no prediction uses."""
    return tuple(f"{run.case.kind}: case.{name} is not modelled" for name in attributes if name in run.case.attributes)


def _divided(layout: Layout, feed_forward: str, attention: str) -> Layout:
    """A layout whose ``tp`` group is divided as Pope et al. 2022 (arXiv 2211.05102) name it.

    Weights stay in place, cut in one dimension (``ws1d``) or two (``ws2d``, best where about half the square root of
    the chips cut the input side), or are gathered along one, two or all three axes of a cube of chips (``wg_x``,
    ``wg_xy``, ``wg_xyz``), each of which then has its own tokens. Attention is cut by heads or by sequences.
    """
    chips, side = layout.tp, round(layout.tp ** (1 / 3))
    axes = {"wg_x": 1, "wg_xy": 2, "wg_xyz": 3}.get(feed_forward)
    if attention not in {"head", "batch"} or (axes is None and feed_forward not in {"ws1d", "ws2d"}):
        raise Unsupported(f"ffn_layout {feed_forward!r} with attention_shard {attention!r} is not modelled")
    if axes is not None:
        if layout.dp > 1 or side**3 != chips:
            raise Unsupported(f"ffn_layout {feed_forward!r} needs a cube of chips in tp, which {chips} are not")
        layout = dataclasses.replace(layout, tp=chips // side**axes, dp=side**axes, fsdp=side**axes)
    elif feed_forward == "ws2d":
        divisors = (degree for degree in range(1, chips + 1) if chips % degree == 0)
        best = min(divisors, key=lambda degree: abs(math.log(degree / (0.5 * math.sqrt(chips)))))
        layout = dataclasses.replace(layout, tp_rows=best)
    return dataclasses.replace(layout, kv_dp=layout.tp) if attention == "batch" else layout


def precision_of(run: Run, model: Model) -> tuple[Precision, tuple[str, ...]]:
    """Number formats of a row, with assumptions; those left out are the model's."""
    case, precision = run.case, model.precision
    warnings: tuple[str, ...] = ()
    if case.weight_dtype:
        weights = format_named(case.weight_dtype).name
        operands = format_named(case.activation_dtype).name if case.activation_dtype else None
        # A block format of activations is that of rows, not of weights.
        operands = {"fp8_block": "fp8_row"}.get(operands or "", operands)
        precision = checkpoint_precision(model, run.machine.chip, weights, operands=operands)
        precision = _with_weight_group(precision, run.attribute("weight_group"))
    else:
        warnings = unread(run, ["weight_group"])
    benchmark = run.benchmark
    of_scripts = benchmark.kv_format(case.engine, case.weight_dtype) if benchmark else None
    kv = case.kv_dtype or of_scripts or run.harness.kv_formats.get(case.weight_dtype)
    if not case.kv_dtype:
        warnings = (*warnings, f"kv_dtype is empty: taken as {kv or precision.kv.name}")
    precision, lacks = runnable(
        dataclasses.replace(precision, kv=format_named(kv) if kv else precision.kv), run.machine.chip
    )
    return precision, (*warnings, *lacks)


def _with_weight_group(precision: Precision, group: int | None) -> Precision:
    """Integer weights whose scale and zero point, 16 bits each, are shared by ``group`` values."""
    if group is None:
        return precision
    for component in Component:
        formats = precision.of(component)
        if formats.weight.name == "int4":
            finer = dataclasses.replace(formats.weight, scale_bits=32, block_values=int(group))
            precision = precision.replaced(component, dataclasses.replace(formats, weight=finer))
    return precision
