"""A study from its file; what is wrong with it is said with the field and what to write."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ridgeline.catalog import load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.catalog.trainers import load_trainer
from ridgeline.errors import RidgelineError
from ridgeline.glossary import GLOSSARY
from ridgeline.planner.candidates import candidates as layouts_of
from ridgeline.specs.fidelity import FIDELITIES, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import number_format
from ridgeline.studies.axis import Axis, StudyError, number, numbers, require_keys
from ridgeline.studies.hypothetical import Candidate, Hypothetical, given, read_hypothetical
from ridgeline.studies.own_numbers import KEY, kernels_named, own_engines, with_kernels, with_whole_path
from ridgeline.studies.planning import NO_LIMIT, Planning
from ridgeline.studies.serving import PUBLISHED, USUAL, Serving
from ridgeline.studies.study import Study, all_columns
from ridgeline.studies.training import SEARCHED, USUAL_FRAMEWORK, Training
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.usual import FORMATS

__all__ = ["MOST_POINTS", "read_study", "study_of"]

MOST_POINTS = 10**12
"""Most points of a study: at a million a second, eleven days."""

SHARED_KEYS = ("name", "kind", "models", "machines", "fidelity", KEY, "market", "prices", "machine", "layouts")
SERVING_KEYS = ("phases", "engines", "weights", "kv", "batch", "context_tokens")
PLANNING_KEYS = ("engines", "weights", "kv", "chips", "prompt_tokens", "output_tokens", "tpot_s", "ttft_s")
TRAINING_KEYS = ("tokens", "chips", "batch_tokens", "sequence_tokens", "number_formats", "frameworks")


def read_study(path: Path, *, kernels: Path | None = None) -> Study:
    """A study from its file.

    Args:
        path: path of the file.
        kernels: folder of the user's own calibration, for a study that names none.

    Raises:
        StudyError: the file cannot be read, or a field is not what it must be.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "is no text"
        raise StudyError(f"{path}: {said}; give a study's TOML file") from None
    text = with_whole_path(text, path) if kernels is None else with_kernels(text, str(path), kernels)
    return study_of(text, str(path))


def study_of(text: str, where: str) -> Study:
    """A study from a file's text.

    Args:
        text: text of the file, TOML.
        where: name of the file, for errors.

    Raises:
        StudyError: a field is missing, unknown or not what it must be.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{where}: is not TOML: {error}") from None
    kind = _text(where, raw, "kind", "serving", KINDS)
    keys, read = KINDS[kind]
    require_keys(where, raw, (*SHARED_KEYS, *keys))
    names = _texts(where, raw, "models")
    models = tuple(_model(f"{where}: models[{at}]", name) for at, name in enumerate(names))
    market = _text(where, raw, "market") if "market" in raw else None
    fidelity = FIDELITIES[_text(where, raw, "fidelity", "measured", FIDELITIES)]
    kernels = kernels_named(where, raw, fidelity)
    found = _candidates(where, raw, market, kernels)
    told = read(where, raw, models, found, Numbers(fidelity, kernels))
    machines = Axis(name="machine", values=range(sum(one.variants for one in found)))
    study = Study(
        name=_text(where, raw, "name", Path(where).stem),
        text=text,
        kind=told.kind,
        model_names=names,
        models=models,
        candidates=found,
        axes=(Axis(name="model", values=names), machines, *told.axes),
        inner=told.inner,
        blocks_per_shard=told.blocks_per_shard,
        market=market,
        kernels=kernels,
    )
    columns = Counter(one.name for one in all_columns(study))
    if twice := [name for name, count in columns.items() if count > 1]:
        raise StudyError(
            f"{where}: machine: quantities: {twice[0]} is a column of every study; give yours another name"
        )
    if study.points > MOST_POINTS:
        raise StudyError(f"{where}: has {study.points:,} points, over {MOST_POINTS:,}; leave values of an axis out")
    return study


def _model(where: str, name: str) -> Model:
    try:
        return load_model(name)
    except RidgelineError as error:
        raise StudyError(f"{where}: {error}") from None


def _text(where: str, raw: dict[str, Any], key: str, usual: str = "", allowed: Collection[str] = ()) -> str:
    """Text of a field, one of those that are allowed where any are listed."""
    value = raw.get(key, usual)
    if allowed and not (isinstance(value, str) and value in allowed):
        raise StudyError(f"{where}: {key}: {value!r} is none; there are {', '.join(allowed)}")
    if not isinstance(value, str):
        raise StudyError(f"{where}: {key}: {value!r} is no text; put it in quotes")
    return value


def _candidates(where: str, raw: dict[str, Any], market: str | None, kernels: str | None) -> tuple[Candidate, ...]:
    tables, prices = raw.get("machine", {}), raw.get("prices", {})
    for key, table in (("machine", tables), ("prices", prices)):
        if not isinstance(table, dict):
            raise StudyError(
                f"{where}: {key}: is no table; write [{key}.NAME]" if key == "machine" else f"{where}: {key}"
            )
    names = _texts(where, raw, "machines")
    if idle := sorted(set(tables) - set(names)):
        raise StudyError(f"{where}: machine.{idle[0]}: is not among machines; name it there, or leave it out")
    if idle := sorted(set(prices) - set(names) | set(prices) & set(tables)):
        raise StudyError(
            f"{where}: prices.{idle[0]}: prices are of the catalog's machines that the study has; a machine of its own"
            " says usd_per_chip_s"
        )
    found: list[Candidate] = []
    for at, name in enumerate(names):
        if name in tables:
            if not isinstance(tables[name], dict):
                raise StudyError(f"{where}: machine.{name}: is no table; write [machine.{name}] with like = ...")
            found.append(read_hypothetical(f"{where}: machine.{name}", name, tables[name]))
        else:
            price = number(f"{where}: prices.{name}", prices[name], "usd_per_s") if name in prices else None
            offers = None if name in prices else market
            found.append(given(f"{where}: machines[{at}]", name, market=offers, usd_per_chip_s=price, kernels=kernels))
    return tuple(found)


def _texts(where: str, raw: dict[str, Any], key: str, usual: Sequence[str] | None = None) -> tuple[str, ...]:
    """List of names of a field."""
    listed = raw.get(key, usual)
    if isinstance(listed, str):
        listed = [listed]
    if not isinstance(listed, Sequence) or not listed or not all(isinstance(one, str) for one in listed):
        more = " or layouts = { chips = [4, 8] }" if key == "layouts" else ""
        raise StudyError(f'{where}: {key}: must be a list of names, such as {key} = ["{EXAMPLES[key]}"]{more}')
    if len(set(listed)) < len(listed):
        raise StudyError(f"{where}: {key}: has a name twice; each is one place of the axis")
    return tuple(listed)


EXAMPLES = {
    "models": "llama-3.1-70b",
    "machines": "h100-sxm",
    "phases": "decode",
    "engines": "vllm",
    "weights": "fp8",
    "kv": "fp8",
    "layouts": "tp8",
    "number_formats": "bf16",
    "frameworks": "megatron",
}


def _names(where: str, raw: dict[str, Any], key: str, name: str, usual: str, read: Callable[[str], object]) -> Axis:
    """An axis of names, each of which reads; ``usual`` stands where none is given, and is no name itself."""
    values = _texts(where, raw, key, [usual])
    for at, value in enumerate(values):
        try:
            if value != usual:
                read(value)
        except RidgelineError as error:
            raise StudyError(f"{where}: {key}[{at}]: {error}") from None
    return Axis(name=name, values=values)


def _wholes(where: str, raw: dict[str, Any], key: str, usual: object = None) -> Axis:
    """An axis of whole numbers, within the range of the quantity."""
    if key not in raw and usual is None:
        raise StudyError(f"{where}: {key}: is missing; give a number, a list or a range")
    values = numbers(f"{where}: {key}", raw.get(key, usual), "count", whole=True)
    quantity = GLOSSARY["context_tokens" if key == "sequence_tokens" else key]
    for value in (min(values), max(values)):
        if not quantity.low <= value <= quantity.high:
            raise StudyError(
                f"{where}: {key}: {value:,} is outside [{quantity.low:g}, {quantity.high:g}] ({quantity.meaning})"
            )
    return Axis(name=key, values=values)


class Numbers(NamedTuple):
    """Numbers by which times are predicted.

    Attributes:
        fidelity: kind of the prediction.
        kernels: profile or folder of the user's own calibration, as checked; None for the catalog's numbers.
    """

    fidelity: Fidelity
    kernels: str | None


class Told(NamedTuple):
    """Settings of a study, as read from the keys of its kind.

    Attributes:
        kind: settings that hold for all points.
        axes: axes beside models and machines.
        inner: number of the last axes that are estimated together.
        blocks_per_shard: most blocks of a shard.
    """

    kind: Serving | Planning | Training
    axes: tuple[Axis, ...]
    inner: int
    blocks_per_shard: int


SMALL_BLOCKS, GIVEN_LAYOUTS, SEARCHES = 2**11, 2**8, 4
"""Blocks of a shard that take some seconds: of few batches and contexts, of a training step, of a search of layouts."""


def _serving(where: str, raw: dict[str, Any], models: Sequence[Model], found: Sequence[Candidate], by: Numbers) -> Told:
    phases = _texts(where, raw, "phases", ["decode"])
    if unknown := sorted(set(phases) - {"decode", "prefill"}):
        raise StudyError(f"{where}: phases: {unknown[0]!r} is neither decode nor prefill")
    run_by = _run_by(where, raw)
    axes = (
        Axis(name="phase", values=phases),
        *run_by,
        Axis(name="layout", values=_layouts(where, raw, models, found)),
        _wholes(where, raw, "batch"),
        _wholes(where, raw, "context_tokens"),
    )
    own = own_engines(where, by.kernels, run_by[0].values)
    return Told(Serving(fidelity=by.fidelity, own_engines=own), axes, 2, SMALL_BLOCKS)


def _run_by(where: str, raw: dict[str, Any]) -> tuple[Axis, ...]:
    """Axes of engines and of number formats."""
    return (
        _names(where, raw, "engines", "engine", USUAL, load_engine),
        _names(where, raw, "weights", "weights", PUBLISHED, number_format),
        _names(where, raw, "kv", "kv", PUBLISHED, number_format),
    )


def _planning(
    where: str, raw: dict[str, Any], models: Sequence[Model], found: Sequence[Candidate], by: Numbers
) -> Told:
    if "layouts" in raw:
        raise StudyError(f"{where}: layouts: every point of a study of plans is a search of all; leave them out")
    limits = [
        Axis(name=f"{key}_limit_s", values=numbers(f"{where}: {key}_s", raw.get(f"{key}_s", NO_LIMIT), "s"))
        for key in ("tpot", "ttft")
    ]
    lengths = [_wholes(where, raw, key) for key in ("chips", "prompt_tokens", "output_tokens")]
    run_by = _run_by(where, raw)
    own = own_engines(where, by.kernels, run_by[0].values)
    return Told(Planning(fidelity=by.fidelity, own_engines=own), (*run_by, *lengths, *limits), 0, SEARCHES)


def _layouts(
    where: str, raw: dict[str, Any], models: Sequence[Model], found: Sequence[Candidate]
) -> tuple[Layout, ...]:
    """Layouts of a study: those listed, or all of the given numbers of chips that suit any model on any machine."""
    listed = raw.get("layouts")
    if isinstance(listed, dict):
        require_keys(f"{where}: layouts", listed, ("chips",))
        sizes = numbers(f"{where}: layouts.chips", listed.get("chips", 0), "count", whole=True)
        if min(sizes) < 1:
            raise StudyError(f"{where}: layouts.chips: gives the chips of one replica: layouts = {{ chips = [4, 8] }}")
        machines = [one.machine(0) if isinstance(one, Hypothetical) else one.machine for one in found]
        worth = (
            layout
            for model in models
            for machine in machines
            for size in sizes
            for layout in layouts_of(model, machine, int(size))
            if layout.chips == size
        )
        return tuple(dict.fromkeys(worth))
    layouts = []
    for at, text in enumerate(_texts(where, raw, "layouts")):
        try:
            layouts.append(Layout.from_text(text))
        except RidgelineError as error:
            raise StudyError(f"{where}: layouts[{at}]: {error}") from None
    return tuple(layouts)


def _training(
    where: str, raw: dict[str, Any], models: Sequence[Model], found: Sequence[Candidate], by: Numbers
) -> Told:
    if "tokens" not in raw:
        raise StudyError(f'{where}: tokens: is missing; give what a run is trained on: tokens = "15T"')
    if not by.fidelity.by_operation:
        raise StudyError(f"{where}: fidelity: {by.fidelity.name} times no step of training; write roofline or measured")
    formats = _texts(where, raw, "number_formats", ["bf16"])
    if unknown := sorted(set(formats) - set(FORMATS)):
        raise StudyError(f"{where}: number_formats: {unknown[0]!r} is none; there are {', '.join(FORMATS)}")
    axes = (
        _names(where, raw, "frameworks", "framework", USUAL_FRAMEWORK, load_trainer),
        Axis(name="number_format", values=formats),
        _wholes(where, raw, "chips"),
        _wholes(where, raw, "sequence_tokens", 8192),
        _wholes(where, raw, "batch_tokens"),
        _names(where, raw, "layouts", "layout", SEARCHED, TrainingLayout.from_text),
    )
    tokens = number(f"{where}: tokens", raw["tokens"], "count")
    is_searched = SEARCHED in axes[-1].values
    return Told(Training(fidelity=by.fidelity, tokens=tokens), axes, 0, SEARCHES if is_searched else GIVEN_LAYOUTS)


KINDS: dict[str, tuple[tuple[str, ...], Callable[..., Told]]] = {
    "serving": (SERVING_KEYS, _serving),
    "planning": (PLANNING_KEYS, _planning),
    "training": (TRAINING_KEYS, _training),
}
