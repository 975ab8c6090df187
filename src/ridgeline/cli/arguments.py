"""Arguments of the command line, read into base units and records; each refusal says what to write instead."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from ridgeline import verbs
from ridgeline.catalog import CatalogError, load_machine, load_model, machine_ids, model_ids
from ridgeline.catalog.engines import engine_ids, load_engine
from ridgeline.catalog.expert_load import load_expert_load
from ridgeline.catalog.rentals import MarketError
from ridgeline.cli.completion import Completes, completes
from ridgeline.cli.kernels import KERNELS, refuse_at_peaks
from ridgeline.cli.market import MARKET
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.once_option import OnceOption
from ridgeline.cli.output import json_option
from ridgeline.errors import RidgelineError
from ridgeline.glossary import GLOSSARY, Quantity
from ridgeline.quantity_text import QuantityError, format_quantity, parse_quantity
from ridgeline.specs.engine import Engine
from ridgeline.specs.expert_load import ExpertLoad
from ridgeline.specs.fidelity import FIDELITIES, Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import FORMATS, number_format
from ridgeline.verbs import fidelity_of

__all__ = [
    "DOLLAR_RATE",
    "ELECTRICITY",
    "FIDELITY",
    "LAYOUT",
    "LAYOUTS",
    "MACHINE",
    "MODEL",
    "POWER",
    "PUE_HELP",
    "RATE",
    "TIME",
    "WHOLE",
    "WHOLES",
    "Operated",
    "QuantityType",
    "as_run",
    "engine_for",
    "engine_option",
    "fidelity_option",
    "ignore_unknown_option",
    "ignores_unknown",
    "json_option",
    "kv_option",
    "machine_option",
    "operator_options",
    "parts_of",
    "weights_option",
    "weights_or_auto_option",
    "with_load",
]

TRILLION = 1e12

AUTO = "auto"
"""All formats that the chip has, to plan with."""


class QuantityType(click.ParamType[Any]):
    """A number with a unit.

    Attributes:
        whole: whether it is a count from 1 up, without fractions.
        of: name of the quantity whose range holds, where the parameter has another name.
        least: smallest number above 0 that is no slip; one below it was probably meant in trillions.
    """

    def __init__(self, dimension: str, name: str, *, whole: bool = False, of: str = "", least: float = 0.0) -> None:
        self.dimension, self.name, self.whole, self.of, self.least = dimension, name, whole, of, least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """The value in base units, checked against the glossary where the parameter is one of its quantities."""
        if not isinstance(value, str):
            return float(value)
        try:
            number = parse_quantity(value, self.dimension)
        except QuantityError as error:
            self.fail(self._meant(value) or f"{error}{self._quoted}", param, ctx)
        quantity = GLOSSARY.get(self.of or (param.name if param is not None else "") or "")
        most = math.inf if quantity is None else quantity.high
        if self.whole and number != int(number):
            is_plain = value.strip().replace(".", "", 1).isdigit()
            beside = [one for one in (math.floor(number), math.ceil(number)) if one >= 1]
            near = f"; write {' or '.join(map(str, beside))}"
            meant = f"; with its unit it is, such as {value}T" if TRILLION * number <= most < math.inf else near
            self.fail(f"{value!r} is not a whole number{meant if is_plain else ''}", param, ctx)
        if 0 < number < self.least:
            self.fail(f"{value!r} is fewer than {format_quantity(self.least, 'count')}; write {value}T", param, ctx)
        if self.whole and number > most:
            self.fail(f"{value!r} is over {most:,.0f}, the most that is taken", param, ctx)
        if self.whole and number < 1:
            up = "up" if math.isinf(most) else f"to {most:,.0f}"
            self.fail(f"{value!r} is not a whole number from 1 {up}", param, ctx)
        if quantity is not None and number < 0 <= quantity.low:
            self.fail(f"{value!r} is below zero: {quantity.meaning}", param, ctx)
        if quantity is not None and not quantity.low <= number <= quantity.high:
            self.fail(f"{value!r} is outside {self._range(quantity)}: {quantity.meaning}", param, ctx)
        # A count without a fraction reads as one in JSON, too: 8000 and not 8000.0.
        return int(number) if self.dimension == "count" and number == int(number) else number

    @property
    def _quoted(self) -> str:
        return "; in a shell, quote the dollar: '$2/h'" if self.dimension == "usd_per_s" else ""

    def _meant(self, value: str) -> str:
        """Message on a rate in place of a time, or on money in place of a rate of it; empty for all else."""
        other = {"s": "tokens_per_s", "usd_per_s": "usd"}.get(self.dimension)
        if other is None:
            return ""
        try:
            number = parse_quantity(value, other)
        except QuantityError:
            return ""
        if other == "usd":
            return f"{value!r} is an amount, and this is one an hour: write '{value.strip()}/h'"
        if number <= 0:
            return ""
        each = format_quantity(1 / number, "s").replace(" ", "")
        return f"{value!r} is a rate, and this is a time: a token each {each}"

    def _range(self, quantity: Quantity) -> str:
        """Range that is allowed, in the unit in which people write it."""
        if self.dimension == "usd_per_s":
            low, high = (format_quantity(end, self.dimension) for end in (quantity.low, quantity.high))
            return f"{low} to {high}"
        return f"[{quantity.low:g}, {quantity.high:g}]" + (f" {quantity.unit}" if quantity.unit else "")


class WholesType(click.ParamType[Any]):
    """A whole number from 1 up, or one for either of two pools: 2/1."""

    name = "COUNT[/COUNT]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:  # noqa: ANN401
        """Numbers as read from the option's text."""
        if not isinstance(value, str):
            return tuple(value)
        return tuple(int(WHOLE.convert(part, param, ctx)) for part in value.split("/"))


IGNORES_UNKNOWN = "ridgeline.ignore_unknown"
"""Key of a command's context under which ``--ignore-unknown`` is kept."""


def ignores_unknown() -> bool:
    """Whether the running command was told to ignore unknown keys of a configuration."""
    return bool(click.get_current_context().meta.get(IGNORES_UNKNOWN))


def _model(name: str) -> Model:
    return load_model(name, ignore_unknown=ignores_unknown())


class NamedType(click.ParamType[Any]):
    """Name that a reader turns into a record, or refuses with the nearest names."""

    def __init__(
        self,
        name: str,
        read: Callable[..., Any],
        offered: Completes | None = None,
        *,
        beside: Mapping[str, str] | None = None,
    ) -> None:
        self.name, self.read, self.offered, self.beside = name, read, offered, beside or {}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Record of a name."""
        if not isinstance(value, str):
            return value
        try:
            if ctx is not None:
                return self.read(value, **{name: ctx.meta.get(key) for name, key in self.beside.items()})
            return self.read(value)
        except MarketError as error:
            raise click.BadParameter(str(error), ctx, param_hint="'--market'") from None
        except (CatalogError, LayoutError, ValueError) as error:
            self.fail(_one_by_one(value, param) or str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Completions that a shell is offered."""
        return [] if self.offered is None else self.offered(ctx, param, incomplete)


def _one_by_one(value: str, param: click.Parameter | None) -> str:
    """Message on names between commas of an option that is repeated instead; empty where that is not the fault."""
    names = parts_of(value)
    if len(names) <= 1 or param is None or param.type is not MACHINE:
        return ""
    option = max(param.opts, key=len)
    if not param.multiple or isinstance(param, OnceOption):
        return f"{value!r} is {len(names)} machines, and this command takes one; run it for each"
    return f"{value!r} is {len(names)} machines; repeat the option: {' '.join(f'{option} {one}' for one in names)}"


def _weights(name: str) -> str:
    if name == AUTO:
        raise ValueError(f"{AUTO!r} is for plan; name one format here")
    return number_format(name).name


def _weights_or_auto(name: str) -> str:
    return name if name == AUTO else number_format(name).name


def _kv(name: str) -> str:
    return number_format(name).name


TIME = QuantityType("s", "TIME")
DOLLAR_RATE = QuantityType("usd_per_s", "PRICE")
RATE = QuantityType("requests_per_s", "RATE")
POWER = QuantityType("w", "POWER")
ELECTRICITY = QuantityType("usd_per_j", "PRICE")
PUE_HELP = (
    "What the site draws over what its chips draw: 1.3. Hosts and switches count only in it, so that it is more than"
    " the building's power usage effectiveness."
)
WHOLE = QuantityType("count", "COUNT", whole=True)
MODEL = NamedType("MODEL", _model, completes(model_ids, or_files=True))
MACHINE = NamedType(
    "MACHINE", load_machine, completes(machine_ids, or_files=True), beside={"kernels": KERNELS, "market": MARKET}
)
WHOLES = WholesType()
LAYOUT = NamedType("LAYOUT", Layout.from_text)
LAYOUTS = NamedType("LAYOUT", lambda text: tuple(Layout.from_text(part) for part in text.split("/")))
FIDELITY = NamedType("FIDELITY", fidelity_of, completes(lambda: FIDELITIES))


def engine_for(machine: Machine, fidelity: Fidelity, asked: Engine | None, kernels: Path | None = None) -> Engine:
    """Engine as asked for, or the verbs' default."""
    refuse_at_peaks(kernels, fidelity)
    try:
        return verbs.engine_for(machine, fidelity, asked, kernels=kernels)
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--engine") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Operated:
    """Settings by which an operator runs an engine: the parameters of ``operator_options``.

    Attributes:
        engine_option: options by the engine's own names, as ``KEY=VALUE``.
        memory_fraction: part of a chip's memory that the engine may use; None for the engine's.
        max_sequences: maximum sequences of a group in a step; None for the engine's.
        max_step_tokens: maximum prompt tokens of a group in a step; None for the engine's.
        expert_imbalance: tokens at the busiest group of experts, over what even choices by chance give it; None for 1.
        expert_load: distribution of tokens over experts; None for a uniform one.
    """

    engine_option: tuple[str, ...]
    memory_fraction: float | None
    max_sequences: int | None
    max_step_tokens: int | None
    expert_imbalance: float | None
    expert_load: ExpertLoad | None

    @property
    def given(self) -> list[str]:
        """Options that were given, as they are written."""
        return [f"--{one.name.replace('_', '-')}" for one in fields(self) if getattr(self, one.name)]


def as_run(machine: Machine, fidelity: Fidelity, engine: Engine, operated: Operated) -> tuple[Machine, Engine]:
    """Machine and engine with an operator's settings."""
    try:
        verbs.refuse_beside_peaks(fidelity, operated.given)
    except RidgelineError as error:
        raise click.UsageError(str(error)) from None
    machine = verbs.with_expert_imbalance(machine, operated.expert_imbalance)
    try:
        return machine, verbs.load_engine(
            engine,
            memory_fraction=operated.memory_fraction,
            max_sequences=operated.max_sequences,
            max_step_tokens=operated.max_step_tokens,
            options=_pairs(operated.engine_option),
        )
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--engine-option") from None


def with_load(model: Model, operated: Operated) -> Model:
    """Model with the expert load that was asked for."""
    try:
        return verbs.with_expert_load(model, operated.expert_load)
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--expert-load") from None


def parts_of(text: str) -> tuple[str, ...]:
    """Parts of a text between commas, none of them empty.

    >>> parts_of("7min, 2h,")
    ('7min', '2h')
    """
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _pairs(written: Sequence[str]) -> dict[str, str]:
    """Options as ``KEY=VALUE``; one without a value is a flag that is set."""
    found: dict[str, str] = {}
    for text in written:
        key, _, value = text.partition("=")
        if not key or key in found:
            said = "is given twice" if key else "names no option"
            raise click.BadParameter(f"{text!r} {said}; write KEY=VALUE once", param_hint="--engine-option")
        found[key] = value or "true"
    return found


def operator_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on how an operator runs an engine: memory, sequences, tokens, and the engine's own options."""
    options = (
        click.option(
            "--engine-option",
            metavar="KEY=VALUE",
            multiple=True,
            help="An option of the engine by its own name, such as enforce_eager=true, stream_interval=10 or"
            " max_num_batched_tokens=16k; repeatable. An unknown one is refused with those that are known.",
        ),
        click.option(
            "--memory-fraction",
            type=NumberRange(0, 1, min_open=True, example=0.9),
            help="Part of a chip's memory that the engine may use: vLLM's --gpu-memory-utilization, SGLang's"
            " --mem-fraction-static, TensorRT-LLM's free_gpu_memory_fraction.  [default: the engine's]",
        ),
        click.option(
            "--max-sequences",
            type=WHOLE,
            help="Most sequences of a group in a step (max_num_seqs).  [default: the engine's]",
        ),
        click.option(
            "--max-step-tokens",
            type=WHOLE,
            help="Most prompt tokens of a group in a step (max_num_batched_tokens).  [default: the engine's]",
        ),
        click.option(
            "--expert-imbalance",
            type=NumberRange(1),
            help="Tokens at the busiest group of experts, over what even choices by chance give it.  [default: 1]",
        ),
        click.option(
            "--expert-load",
            type=NamedType("LOAD", load_expert_load),
            help="How tokens choose experts: uniform; zipf:0.5, by a power of an expert's rank; or a .csv with a column"
            " load, an expert a line.  [default: uniform]",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


machine_option = click.option(
    "--on",
    "machine",
    cls=OnceOption,
    type=MACHINE,
    required=True,
    help="Machine: a catalog id, or a path to a .toml file.",
)
fidelity_option = click.option(
    "--fidelity",
    type=FIDELITY,
    default="measured",
    show_default=True,
    help="napkin: the lecture's formula; roofline: every operation at the spec sheet's peaks;"
    " measured: the same with the efficiencies that machines reach.",
)
engine_option = click.option(
    "--engine",
    type=NamedType("ENGINE", load_engine, completes(engine_ids), beside={"kernels": KERNELS}),
    help="Whose time is among the numbers: vllm, sglang, tensorrt-llm, ..., of the newest release that was measured;"
    " a release, such as vllm-0.18.0; or ideal, which takes none."
    "  [default: vllm where kernels were measured on the chip, or are taken from its family or from all measured GPUs;"
    " else ideal]",
)
weights_option = click.option(
    "--weights",
    type=NamedType("FORMAT", _weights, completes(lambda: FORMATS)),
    help="Number format of the layers' weights instead of the published one: bf16, fp8, ...",
)
weights_or_auto_option = click.option(
    "--weights",
    type=NamedType("FORMAT", _weights_or_auto, completes(lambda: (AUTO, *FORMATS))),
    help="Number format of the layers' weights instead of the published one; auto: all that the chip has.",
)
kv_option = click.option(
    "--kv",
    type=NamedType("FORMAT", _kv, completes(lambda: FORMATS)),
    help="Number format of the KV cache: bf16, fp8, ...",
)
ignore_unknown_option = click.option(
    "--ignore-unknown",
    is_flag=True,
    is_eager=True,  # before the model, whose file it is about
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({IGNORES_UNKNOWN: value}),
    help="Ignore keys of a config.json that are not known, and name them beside every number.",
)
