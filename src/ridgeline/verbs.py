"""The verbs as a person calls them: names, paths or records, and the defaults of the command line.

Rooms below take records and every choice in full; they know no catalog. Here names become records, and what is left out
is chosen. The command line calls these too, so that both answer alike.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from numpy.typing import ArrayLike

from ridgeline import catalog
from ridgeline.catalog import engines as catalog_engines
from ridgeline.catalog.acceptance import accepted, known_drafts, measured_on, spread_of
from ridgeline.catalog.engine_options import options_named, run_with
from ridgeline.catalog.expert_load import load_expert_load
from ridgeline.catalog.kernels import with_own_kernels
from ridgeline.errors import RidgelineError
from ridgeline.estimator import estimate as steps
from ridgeline.estimator import grid
from ridgeline.estimator.deploy import deploy as settle
from ridgeline.estimator.drafts import DRAFTS, draft_model, named_draft
from ridgeline.estimator.estimate import Estimate
from ridgeline.estimator.grid import StepGrid
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, is_ideal
from ridgeline.specs.engine_options import EngineOptions
from ridgeline.specs.expert_load import ExpertLoad
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.fidelity import FIDELITIES, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass
from ridgeline.specs.speculation import MOST_DRAFTED, NO_SPECULATION, Draft, Speculation
from ridgeline.specs.tariff import Tariff
from ridgeline.specs.workload import Workload

if TYPE_CHECKING:
    from ridgeline.caching.cache import Caching
    from ridgeline.calibration.cases import Case
    from ridgeline.calibration.cases.model_table import ModelTable
    from ridgeline.calibration.judge.validate import Validation
    from ridgeline.planner.expect import Expectation
    from ridgeline.planner.outcome import Planning
    from ridgeline.planner.two_pools.outcome import TwoPools
    from ridgeline.simulator.outcome import Served, Simulation
    from ridgeline.simulator.player import PromptReplicas
    from ridgeline.simulator.policy import Policy
    from ridgeline.traces import Requests, RequestSource
    from ridgeline.training.outcome import Training

__all__ = [
    "cache",
    "deploy",
    "engine_for",
    "estimate",
    "estimate_grid",
    "expect",
    "fidelity_of",
    "layout_of",
    "load_engine",
    "load_machine",
    "load_model",
    "plan",
    "plan_two_pools",
    "refuse_beside_peaks",
    "simulate",
    "speculation_of",
    "speculations_of",
    "train",
    "validate",
    "with_expert_imbalance",
    "with_expert_load",
]

Name = str | os.PathLike[str]
Record = TypeVar("Record")


def _record(given: object, kind: type[Record], read: Callable[[str], Record], accepted: str) -> Record:
    """What was given where it is the record already, else what its name names."""
    if isinstance(given, kind):
        return given
    if isinstance(given, str | os.PathLike):
        return read(os.fspath(given))
    raise RidgelineError(f"{kind.__name__} {given!r} is neither a {kind.__name__} nor a name; give {accepted}")


def load_model(model: Model | Name, *, ignore_unknown: bool = False) -> Model:
    """A model by catalog id, by path to a ``config.json``, its folder or a ``.toml`` file, or by ``hf:org/name``.

    Args:
        model: its name, a path or the record itself.
        ignore_unknown: whether keys of a configuration that are not known are left out of account, and named.

    Raises:
        CatalogError: there is none of that name (lists the nearest), or its file is not of the form.
    """
    read = partial(catalog.load_model, ignore_unknown=ignore_unknown)
    return _record(model, Model, read, 'a catalog id ("deepseek-v3") or a path to a config.json')


def load_machine(machine: Machine | Name, *, kernels: Name | None = None, market: str | None = None) -> Machine:
    """A machine by catalog id, or by path to a ``.toml`` file.

    Args:
        machine: its name, a path or the record itself.
        kernels: profile or folder of one's own calibration, in place of the catalog's numbers of what it has measured.
        market: of a name, whose newest price a chip is taken at: "on-demand", "list", "spot", "contract", or
            "contract@2025-10" for the newest up to then; left out, the first of these that is known.

    Raises:
        CatalogError: there is none of that name (lists the nearest), its file is not of the form, or no price of that
            market is known.

    >>> round(load_machine("h100-sxm", market="contract@2025").tariff.usd_per_chip_s * 3600, 2)
    1.7
    """
    read = partial(catalog.load_machine, market=market)
    found = _record(machine, Machine, read, 'a catalog id ("h100-sxm") or a path to a .toml file')
    return found if kernels is None else with_own_kernels(found, os.fspath(kernels))


def load_engine(
    engine: Engine | str,
    *,
    kernels: Name | None = None,
    memory_fraction: float | None = None,
    max_sequences: int | None = None,
    max_step_tokens: int | None = None,
    options: Mapping[str, object] | None = None,
) -> Engine:
    """An engine by its catalog name, as somebody runs it.

    Args:
        engine: its name or the record itself.
        kernels: profile or folder of one's own calibration, in place of the catalog's numbers where it has them; for
            a name, since a record has its numbers.
        memory_fraction: part of a chip's memory that it may use, in place of its default: vLLM's
            ``gpu_memory_utilization``, SGLang's ``mem_fraction_static``, TensorRT-LLM's ``free_gpu_memory_fraction``.
        max_sequences: most sequences of a group in a step (``max_num_seqs``).
        max_step_tokens: most prompt tokens of a group in a step (``max_num_batched_tokens``).
        options: further ones by the engine's own names, such as ``{"enforce_eager": True}``.

    Raises:
        CatalogError: there is none of that name, or it has no such option; lists those that are.
        RidgelineError: ``kernels`` beside a record, or a limit that is none.
    """
    if isinstance(engine, Engine) and kernels is not None:
        raise RidgelineError(
            f"engine {engine.name} is a record, which kernels={os.fspath(kernels)!r} does not change; give its name"
        )
    read = partial(catalog_engines.load_engine, kernels=_folder(kernels))
    found = _record(engine, Engine, read, f"one of {', '.join(catalog_engines.engine_ids())}")
    limits = EngineOptions(memory_fraction=memory_fraction, sequences=max_sequences, step_tokens=max_step_tokens)
    named = options_named(found.name, options or {})
    for field in sorted(limits.given.keys() & named.given.keys()):
        raise RidgelineError(f"engine {found.name}: {field} is set in two ways; keep one")
    return run_with(found, dataclasses.replace(limits, **named.given))


def with_expert_imbalance(machine: Machine, expert_imbalance: float | None) -> Machine:
    """A machine on which the busiest group of experts gets so many times the tokens that even choices give it.

    Raises:
        RidgelineError: it is no number, or below 1, where the busiest would have less than the others.
    """
    if expert_imbalance is None:
        return machine
    return machine.with_efficiency(dataclasses.replace(machine.efficiency, expert_imbalance=expert_imbalance))


def with_expert_load(model: Model, expert_load: ExpertLoad | str | None) -> Model:
    """A model whose tokens choose their experts unevenly.

    Args:
        model: with routed experts.
        expert_load: a record, or "uniform", "zipf:0.5" or a path; None for even choices.

    Raises:
        RidgelineError: the model has no routed experts, or not as many as loads are given of.
    """
    load = load_expert_load(expert_load) if isinstance(expert_load, str) else expert_load
    if load is None:
        return model
    groups = tuple(
        dataclasses.replace(group, feed_forward=dataclasses.replace(group.feed_forward, load=load))
        if isinstance(group.feed_forward, RoutedExperts)
        else group
        for group in model.groups
    )
    if groups == model.groups:
        raise RidgelineError(f"{model.name} has no routed experts, whose load {load.name!r} would be; leave it out")
    return dataclasses.replace(model, groups=groups)


def refuse_beside_peaks(fidelity: Fidelity, given: Sequence[str]) -> None:
    """Refuse what a fidelity at the spec sheet's peaks would ignore.

    Args:
        fidelity: resolution of the model of time.
        given: names of what was given and holds of measured machines and of engines alone.

    Raises:
        RidgelineError: there is such a one; says what to leave out.
    """
    if given and fidelity.at_peaks:
        raise RidgelineError(
            f"fidelity {fidelity.name} knows the spec sheet's peaks alone, no engine, kernels or imbalance; leave"
            f" {' and '.join(given)} out, or take fidelity measured"
        )


def _folder(kernels: Name | None) -> str | None:
    return None if kernels is None else os.fspath(kernels)


NONE, ALL = "none", "auto"
"""What stands for no speculation, and for all that was measured with a model, and none."""

SPECULATED = re.compile(r"(?P<draft>.+):(?P<drafted>\d{1,3})(=(?P<accepted>\d+(\.\d*)?))?")


def speculation_of(speculate: Speculation | str | None, model: Model, machine: Machine) -> Speculation:
    """Speculation by its text: "mtp:3", "eagle3:3=2.4", "qwen3-0.6b:4=2.9" or "none".

    Before the colon stands what drafts, a kind or a model; behind it the tokens that are drafted in a step; after an
    equals sign the tokens that a step adds on the mean, its own among them. Left out, that is the catalog's.

    Args:
        speculate: the text, or the record.
        model: that checks what is drafted.
        machine: where both run.

    Raises:
        RidgelineError: the text is none, or how much is accepted is neither given nor known; lists what is known.
    """
    if speculate is None or speculate == NONE:
        return NO_SPECULATION
    if isinstance(speculate, Speculation):
        return speculate
    match = SPECULATED.fullmatch(speculate.strip())
    if match is None:
        example = drafts_of(model)[0]
        raise RidgelineError(
            f"speculation {speculate!r} is not DRAFT:TOKENS or DRAFT:TOKENS=ACCEPTED, such as {example}:3=2.4; DRAFT"
            f" is {', '.join(drafts_of(model))} or a model's id; {KNOWN}"
        )
    drafted = int(match["drafted"])
    if drafted == 0:
        return NO_SPECULATION
    draft = _draft(match["draft"], model, machine)
    if match["accepted"] is not None:
        number = float(match["accepted"])
        return Speculation(draft=draft, drafted_tokens=drafted, accepted_tokens=number, source="as asked")
    return _measured(draft, drafted, model)


KNOWN = "what was measured: ridgeline catalog acceptance"


def drafts_of(model: Model) -> tuple[str, ...]:
    """Kinds of drafts that a model is known to have, or that any model may have."""
    own = {"mtp"} if model.predicts_ahead else set()
    return tuple(one for one in DRAFTS if one in own | ANY_MODELS | known_drafts(model.id).keys())


ANY_MODELS = {"eagle3", "ngram"}
"""Kinds of drafts that are trained for a model beside it, or take none."""


def _draft(name: str, model: Model, machine: Machine) -> Draft:
    if name in DRAFTS:
        return named_draft(name, model)
    try:
        drafting = load_model(name)
    except RidgelineError as error:
        raise RidgelineError(
            f"draft {name!r} is none of {', '.join(drafts_of(model))} ({KNOWN}), and {error}"
        ) from None
    return draft_model(drafting, model, machine.chip)


def _measured(draft: Draft, drafted: int, model: Model) -> Speculation:
    """Speculation with the catalog's acceptance length."""
    found = accepted(model.id, draft.name, drafted)
    if found is None:
        known = [
            f"{name}:1" + (f" to {name}:{most}" if most > 1 else "") for name, most in known_drafts(model.id).items()
        ]
        there = f"measured with {model.id}: {', '.join(known)}" if known else f"nothing was measured with {model.id}"
        if draft.name in set(DRAFTS) - set(drafts_of(model)):
            raise RidgelineError(
                f"{model.name} has no draft of the kind {draft.name} that is known; name"
                f" {' or '.join(drafts_of(model))}, or a smaller model, with the tokens that a step adds on the mean:"
                f" {drafts_of(model)[0]}:{drafted}={min(drafted, 2) * 0.7 + 1:g}; {KNOWN}"
            )
        raise RidgelineError(
            f"how many tokens {model.id} accepts of {draft.name}:{drafted} is not known ({there}); say how many a step"
            f" adds on the mean, its own among them: {draft.name}:{drafted}={min(drafted, 2) * 0.7 + 1:g}; {KNOWN}"
        )
    width, count = spread_of(drafted)
    where = measured_on(model.id, draft.name, drafted)
    wide = f"; interval from how {count} measured drafts scatter" if width else ""
    return Speculation(
        draft=draft,
        drafted_tokens=drafted,
        accepted_tokens=found,
        accepted_width=width,
        source=f"{where}{wide}; other text is guessed better or worse",
    )


def speculations_of(
    speculate: Speculation | str | Sequence[Speculation | str] | None, model: Model, machine: Machine
) -> tuple[Speculation, ...]:
    """What is searched: one or several texts of ``speculation_of``, or "auto" for none and all that was measured.

    Raises:
        RidgelineError: a text is none, or nothing was measured with the model; says what to give instead.
    """
    if speculate is None or isinstance(speculate, str | Speculation):
        speculate = [NONE if speculate is None else speculate]
    asked: list[Speculation | str] = []
    for one in speculate:
        asked += _all_measured(model) if one == ALL else [one]
    return tuple(dict.fromkeys(speculation_of(one, model, machine) for one in asked))


def _all_measured(model: Model) -> list[str]:
    known = known_drafts(model.id)
    if not known:
        raise RidgelineError(
            f"no draft was measured with {model.id}; name those to search, each with the tokens that a step adds:"
            f" none, {drafts_of(model)[0]}:1=1.7, {drafts_of(model)[0]}:3=2.4; {KNOWN}"
        )
    drafted = range(1, MOST_DRAFTED + 1)
    return [NONE, *(f"{name}:{count}" for name, most in known.items() for count in drafted if count <= most)]


def layout_of(layout: Layout | str) -> Layout:
    """A layout, or what its text says: "tp8,ep8".

    Raises:
        LayoutError: the text is none.
    """
    return _record(layout, Layout, Layout.from_text, 'degrees of parallelism ("tp8,ep8")')


def fidelity_of(fidelity: Fidelity | str) -> Fidelity:
    """A resolution of the model of time by its name.

    Raises:
        RidgelineError: there is none of that name; lists those that are.
    """
    if isinstance(fidelity, str) and fidelity not in FIDELITIES:
        raise RidgelineError(f"{fidelity!r} is not a fidelity; there are {', '.join(FIDELITIES)}")
    return _record(fidelity, Fidelity, FIDELITIES.__getitem__, f"one of {', '.join(FIDELITIES)}")


def engine_for(
    machine: Machine, fidelity: Fidelity, asked: Engine | str | None = None, *, kernels: Name | None = None
) -> Engine:
    """The engine asked for, else the usual one of the machine; at the spec sheet's peaks there is none.

    Where a name was asked for, or nothing, ``kernels`` holds of the engine; a record has its numbers.

    Raises:
        RidgelineError: an engine is asked for where only peaks count, or the catalog has none of that name.
    """
    engine = None if asked is None else load_engine(asked, kernels=None if isinstance(asked, Engine) else kernels)
    if not fidelity.at_peaks:
        return engine or catalog_engines.default_engine(machine, kernels=_folder(kernels))
    if engine is not None and engine != IDEAL_ENGINE:
        what = "has limits" if is_ideal(engine) else "takes time"
        raise RidgelineError(
            f"engine {engine.name} {what} that fidelity {fidelity.name} leaves out; take fidelity measured"
        )
    return IDEAL_ENGINE


def deploy(
    model: Model | Name,
    machine: Machine | Name,
    layout: Layout | str = "tp1",
    *,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    weights: str | None = None,
    kv: str | None = None,
    expert_imbalance: float | None = None,
    expert_load: ExpertLoad | str | None = None,
    correction: Correction = NO_CORRECTION,
    speculate: Speculation | str | None = None,
) -> Deployment:
    """A model on a machine, laid out and run in one way: what every estimate and plan is of.

    Args:
        model: catalog id, path or record of what runs.
        machine: catalog id, path or record of where.
        layout: how one replica is cut: a record, or text such as "tp8,ep8".
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, that of the command line: "vllm" on machines whose kernels are fitted, else
            "ideal".
        kernels: profile or folder of one's own calibration, for the machine and for an engine that is no record.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.
        expert_imbalance: tokens at the busiest group of experts over what even, independent choices would give it.
        expert_load: how unevenly tokens choose experts: "uniform", "zipf:0.5", a path or a record.
        correction: by what was measured of this deployment.
        speculate: what drafts tokens, and how many: "mtp:3", "eagle3:3=2.4" (``speculation_of``).

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.

    >>> found = deploy("llama-3.1-8b", "h100-sxm", "tp2")
    >>> found.engine.name, found.precision.kv.name
    ('vllm', 'bf16')
    """
    fidelity = fidelity_of(fidelity)
    given = {"kernels": kernels, "expert_imbalance": expert_imbalance, "expert_load": expert_load}
    refuse_beside_peaks(fidelity, [name for name, value in given.items() if value is not None])
    machine = with_expert_imbalance(load_machine(machine, kernels=kernels), expert_imbalance)
    model = with_expert_load(load_model(model), expert_load)
    return settle(
        model,
        machine,
        layout_of(layout),
        fidelity=fidelity,
        engine=engine_for(machine, fidelity, engine, kernels=kernels),
        weights=weights,
        kv=kv,
        correction=correction,
        speculation=speculation_of(speculate, model, machine),
    )


def plan(
    model: Model | Name,
    machine: Machine | Name,
    workload: Workload | None = None,
    *,
    prompt_tokens: int | None = None,
    output_tokens: int | None = None,
    tpot_s: float | None = None,
    ttft_s: float | None = None,
    chips: int | None = None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    usd_per_chip_s: float | None = None,
    weights: str | None = None,
    kv: str | None = None,
    expert_imbalance: float | None = None,
    expert_load: ExpertLoad | str | None = None,
    why_not: Layout | str | None = None,
    corrected: Callable[[Layout], Correction] | None = None,
    speculate: Speculation | str | Sequence[Speculation | str] | None = None,
) -> Planning:
    """Search layouts and batches for the cheapest ways to serve a model, as ``ridgeline plan`` does.

    Args:
        model: catalog id, path or record of what is served.
        machine: catalog id, path or record of where.
        workload: lengths of requests and limits on their latency; or the next four instead.
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        tpot_s: longest time per output token; None for no limit.
        ttft_s: longest time to the first token in an idle system; None for no limit.
        chips: budget of chips, replicas included; left out, one scale-up domain, or as many as the load needs.
        demand: users or requests a second to serve with as few chips as possible, or a batch, and how sure the limits
            must be kept; left out, as much as the budget gives.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, that of the command line: "vllm" on machines whose kernels are fitted, else
            "ideal". The notes of the result say which.
        kernels: profile or folder of one's own calibration, for the machine and for an engine that is no record.
        usd_per_chip_s: price of a chip; left out, the catalog's.
        weights: number format of the layers' weights instead of the published one, or "auto" for all that the chip has.
        kv: number format of the KV cache instead of the published one.
        expert_imbalance: tokens at the busiest group of experts over what even, independent choices would give it.
        expert_load: how unevenly tokens choose experts: "uniform", "zipf:0.5", a path or a record.
        why_not: a layout, or its text, to say of why it is not the plan.
        corrected: what was measured says of each layout.
        speculate: what drafts tokens, and how many: "mtp:3", "eagle3:3=2.4" (``speculation_of``); several of which the
            search chooses, or "auto" for none and all that was measured with the model.

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.

    >>> found = plan("llama-3.1-8b", "h100-sxm", prompt_tokens=1000, output_tokens=200, chips=1)
    >>> str(found.plans[0].layout), found.notes[-1].split(" of ")[0]
    ('tp1', 'engine vllm 0.22.0')
    """
    # Which nobody waits for who only estimates.
    from ridgeline.planner import plan as search  # noqa: PLC0415

    deployment = deploy(
        model,
        machine,
        fidelity=fidelity,
        engine=engine,
        kernels=kernels,
        weights=None if weights == "auto" else weights,
        kv=kv,
        expert_imbalance=expert_imbalance,
        expert_load=expert_load,
    )
    return search.plan(
        deployment,
        _workload(workload, prompt_tokens, output_tokens, tpot_s, ttft_s),
        weights=weights,
        chips=chips,
        demand=demand,
        usd_per_chip_s=usd_per_chip_s,
        why_not=None if why_not is None else layout_of(why_not),
        corrected=search.uncorrected if corrected is None else corrected,
        speculations=speculations_of(speculate, deployment.model, deployment.machine),
    )


def plan_two_pools(
    model: Model | Name,
    machines: Machine | Name | Sequence[Machine | Name],
    workload: Workload | None = None,
    *,
    prompt_tokens: int | None = None,
    output_tokens: int | None = None,
    tpot_s: float | None = None,
    ttft_s: float | None = None,
    chips: int | None = None,
    demand: Demand = AS_MUCH_AS_IT_GIVES,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    usd_per_chip_s: float | None = None,
    weights: str | None = None,
    kv: str | None = None,
    expert_imbalance: float | None = None,
    why_not: tuple[Layout | str, Layout | str] | None = None,
    speculate: Speculation | str | None = None,
) -> TwoPools:
    """Search for a pool that reads prompts and one that makes tokens, as ``ridgeline plan --pools 2`` does.

    Args:
        model: as of ``plan``, and so what is not named here.
        machines: of which either pool may be; one, or several.
        workload: lengths of requests and limits on their latency; or the next four instead.
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        tpot_s: longest time per output token; None for no limit.
        ttft_s: longest time to the first token, the cache's move included; None for no limit.
        chips: budget of both pools; left out, one scale-up domain of the first machine, or what the load needs.
        demand: the load; a batch is that of a replica that makes tokens.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record.
        kernels: profile or folder of one's own calibration.
        usd_per_chip_s: price of a chip of any machine; left out, the catalog's of each.
        weights: number format of the layers' weights instead of the published one; "auto" searches all that chip and
            engine have, for either pool by itself.
        kv: number format of the KV cache instead of the published one.
        expert_imbalance: tokens at the busiest group of experts over what even, independent choices would give it.
        why_not: layouts of both pools, prompts first, to say of why they are not the plan.
        speculate: what drafts tokens, and how many: "mtp:3", "eagle3:3=2.4" (``speculation_of``).

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.

    >>> found = plan_two_pools("llama-3.1-8b", "h100-sxm", prompt_tokens=1000, output_tokens=200, chips=8)
    >>> found.plans[0].prefill.chips + found.plans[0].decode.chips <= 8
    True
    """
    from ridgeline.planner.two_pools import search  # noqa: PLC0415

    named = [machines] if isinstance(machines, (Machine, str, os.PathLike)) else list(machines)
    deployments = [
        deploy(
            model,
            machine,
            fidelity=fidelity,
            engine=engine,
            kernels=kernels,
            weights=None if weights == "auto" else weights,
            kv=kv,
            expert_imbalance=expert_imbalance,
            speculate=speculate,
        )
        for machine in named
    ]
    return search.plan_two_pools(
        deployments,
        deployments,
        _workload(workload, prompt_tokens, output_tokens, tpot_s, ttft_s),
        weights=weights,
        chips=chips,
        demand=demand,
        usd_per_chip_s=usd_per_chip_s,
        why_not=None if why_not is None else (layout_of(why_not[0]), layout_of(why_not[1])),
    )


def expect(
    deployment: Deployment, *, prompt_tokens: int, output_tokens: int, users: int, measured_tpot_s: float
) -> Expectation:
    """Hold what was measured of a deployment against what it should give, as ``ridgeline expect`` does.

    Args:
        deployment: what serves, as ``deploy`` gives it.
        prompt_tokens: input tokens of a request.
        output_tokens: output tokens of a request.
        users: of one replica, who ask again as soon as they are answered.
        measured_tpot_s: mean time per output token, s.

    Raises:
        RidgelineError: a number is refused, or the deployment cannot run; says what to give instead.

    >>> found = expect(
    ...     deploy("llama-3.1-70b", "h100-sxm", "tp8"),
    ...     prompt_tokens=1000,
    ...     output_tokens=1000,
    ...     users=64,
    ...     measured_tpot_s=0.031,
    ... )
    >>> found.ratio > 1
    True
    """
    from ridgeline.planner import expect as judge  # noqa: PLC0415

    workload = Workload(prompt_tokens=prompt_tokens, output_tokens=output_tokens)
    return judge.expect(deployment, workload, users=users, measured_tpot_s=measured_tpot_s)


def simulate(
    deployment: Deployment,
    requests: Requests | RequestSource | Name,
    *,
    count: int | None = None,
    rate_scale: float = 1.0,
    users: int | None = None,
    replicas: int = 1,
    policy: Policy | None = None,
    router: str = "round-robin",
    kv_blocks: int | None = None,
    block_tokens: int | None = None,
    has_prefix_cache: bool = True,
    usd_per_chip_s: float | None = None,
    prompt_pool: PromptReplicas | None = None,
    tiers: Sequence[CacheTier] = (),
    has_bands: bool = True,
) -> tuple[Simulation, Served]:
    """Play requests through replicas of a deployment, as ``ridgeline simulate`` does.

    Args:
        deployment: of each replica, as ``deploy`` gives it.
        requests: in the order of their arrival; a source of them, such as ``open_trace`` and ``synthetic`` give; or the
            path of a log.
        count: the first so many of them; left out, all.
        rate_scale: how many times as fast they come.
        users: who ask again as soon as they are answered, whatever arrivals say; left out, requests come by themselves.
        replicas: that share the requests.
        policy: by which each schedules, such as ``simulator.policies.CLASSES`` for requests that have classes; left
            out, as its engine does.
        router: which replica a request goes to: round-robin, least-loaded or prefix-aware.
        kv_blocks: blocks of a replica's cache, as an engine logs them; left out, what weights leave.
        block_tokens: of a block; left out, as its engine has it.
        has_prefix_cache: whether blocks of prompts that a log names are kept, and found again.
        usd_per_chip_s: price of a chip, dollars a second; left out, the machine's.
        prompt_pool: other replicas, which read prompts, so that those of the deployment make tokens alone.
        tiers: below the prefix cache of each replica, the fastest first.
        has_bands: whether 80 % intervals are found, for which the same requests are played again by other steps.

    Raises:
        RidgelineError: a number is refused, nothing can be served, or the deployment cannot run; says what to give.

    >>> import numpy as np
    >>> from ridgeline import Requests
    >>> requests = Requests(
    ...     arrivals_s=np.arange(100) / 10,
    ...     prompt_tokens=np.full(100, 1000),
    ...     output_tokens=np.full(100, 100),
    ... )
    >>> found, served = simulate(deploy("llama-3.1-8b", "h100-sxm", "tp1"), requests)
    >>> found.completed, found.ttft_s.p99 < 0.2, len(served)
    (100, True, 100)
    """
    from ridgeline.simulator.bands import with_bands  # noqa: PLC0415
    from ridgeline.simulator.outcome import joined  # noqa: PLC0415
    from ridgeline.simulator.player import Player  # noqa: PLC0415
    from ridgeline.traces import open_trace  # noqa: PLC0415

    player = Player(
        deployment=deployment,
        requests=open_trace(requests) if isinstance(requests, str | os.PathLike) else requests,
        count=count,
        rate_scale=rate_scale,
        users=users,
        replicas=replicas,
        policy=policy,
        router=router,
        kv_blocks=kv_blocks,
        block_tokens=block_tokens,
        has_prefix_cache=has_prefix_cache,
        usd_per_chip_s=usd_per_chip_s,
        prompt_pool=prompt_pool,
        tiers=tuple(tiers),
    )

    def at(step_factor: float) -> tuple[Simulation, Served]:
        parts: list[Served] = []
        return player.play(step_factor, each=parts.append), joined(parts)

    return with_bands(at) if has_bands else at(1.0)


def _workload(
    workload: Workload | None,
    prompt_tokens: int | None,
    output_tokens: int | None,
    tpot_s: float | None,
    ttft_s: float | None,
) -> Workload:
    """The workload that was given, in one of the two ways."""
    if workload is None:
        if prompt_tokens is None or output_tokens is None:
            raise RidgelineError("plan: give a workload, or prompt_tokens and output_tokens of a request")
        return Workload(prompt_tokens=prompt_tokens, output_tokens=output_tokens, tpot_s=tpot_s, ttft_s=ttft_s)
    if not isinstance(workload, Workload):
        raise RidgelineError(
            f"plan: workload {workload!r} is no Workload; give prompt_tokens=... and output_tokens=..."
        )
    if any(given is not None for given in (prompt_tokens, output_tokens, tpot_s, ttft_s)):
        raise RidgelineError("plan: lengths and limits are given twice; give a workload, or them")
    return workload


def estimate(
    model: Model | Name,
    machine: Machine | Name,
    layout: Layout | str,
    pass_: Pass,
    *,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    weights: str | None = None,
    kv: str | None = None,
    expert_imbalance: float | None = None,
    expert_load: ExpertLoad | str | None = None,
    correction: Correction | None = None,
    speculate: Speculation | str | None = None,
) -> Estimate:
    """Estimate one step operation by operation, as ``ridgeline estimate`` does.

    Args:
        model: catalog id, path or record of what runs.
        machine: catalog id, path or record of where.
        layout: how one replica is cut: a record, or text such as "tp8,ep8"; must divide both.
        pass_: ``decode(...)``, ``prefill(...)``, ``chunk(...)`` or ``verify(...)``, or several ``together(...)``.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, that of the command line. The notes of the result say which.
        kernels: profile or folder of one's own calibration, for the machine and for an engine that is no record.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.
        expert_imbalance: tokens at the busiest group of experts over what even, independent choices would give it.
        expert_load: how unevenly tokens choose experts: "uniform", "zipf:0.5", a path or a record.
        correction: by what was measured of this deployment.
        speculate: what drafts the tokens that ``verify(...)`` checks: "mtp:3", "eagle3:3=2.4" (``speculation_of``).

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead. A step that the memory
            does not hold is a result whose ``fits`` is false.

    >>> from ridgeline import decode
    >>> found = estimate("llama-3.1-8b", "h100-sxm", "tp1", decode(batch=64, context_tokens=4096))
    >>> found.fits, found.low_s < found.step_time_s < found.high_s
    (True, True)
    """
    if not isinstance(pass_, Pass):
        raise RidgelineError(
            f"estimate: {pass_!r} is no pass; give decode(batch=..., context_tokens=...) or"
            " prefill(batch=..., prompt_tokens=...)"
        )
    deployment = deploy(
        model,
        machine,
        layout,
        fidelity=fidelity,
        engine=engine,
        kernels=kernels,
        weights=weights,
        kv=kv,
        expert_imbalance=expert_imbalance,
        expert_load=expert_load,
        correction=NO_CORRECTION if correction is None else correction,
        speculate=speculate,
    )
    return steps.estimate(deployment, pass_)


def estimate_grid(
    model: Model | Name,
    machine: Machine | Name,
    layouts: Sequence[Layout | str] | Layout | str,
    *,
    batch: ArrayLike,
    context_tokens: ArrayLike,
    phase: str = "decode",
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    weights: str | None = None,
    kv: str | None = None,
) -> StepGrid:
    """Estimate a step at every point of a grid; each point equals what ``estimate`` says of it.

    Args:
        model: catalog id, path or record of what runs.
        machine: catalog id, path or record of where.
        layouts: how one replica is cut: one layout or several, as records or text.
        batch: sequences over the whole replica; numbers from 1 up.
        context_tokens: tokens of each sequence, or of each prompt; numbers from 1 up.
        phase: "decode" or "prefill"; a long prompt is read in passes, as a plan reads it.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, that of the command line.
        kernels: profile or folder of one's own calibration, for the machine and for an engine that is no record.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.

    >>> found = estimate_grid("llama-3.1-8b", "h100-sxm", ["tp1", "tp2"], batch=[1, 8], context_tokens=4096)
    >>> found.step_time_s.shape
    (2, 2, 1)
    """
    if phase not in ("decode", "prefill"):
        raise RidgelineError(f"estimate_grid: phase {phase!r} is neither 'decode' nor 'prefill'")
    several = [layouts] if isinstance(layouts, Layout | str) else layouts
    return grid.estimate_grid(
        deploy(model, machine, fidelity=fidelity, engine=engine, kernels=kernels, weights=weights, kv=kv),
        [layout_of(one) for one in several],
        batch=batch,
        context_tokens=context_tokens,
        is_prompt=phase == "prefill",
    )


def train(
    model: Model | Name,
    machine: Machine | Name,
    *,
    chips: int | Sequence[int] | None = None,
    tokens: float,
    batch_tokens: float,
    sequence_tokens: int = 8192,
    layout: str | None = None,
    why_not: str | None = None,
    schedule: str | None = None,
    recompute: str | None = None,
    micro_batch: int | None = None,
    number_format: str = "bf16",
    framework: str | None = None,
    dispatcher: str = "alltoall",
    routing: str | None = None,
    gradients: str | None = None,
    hides_dispatch: bool = False,
    fidelity: Fidelity | str = "measured",
    usd_per_chip_s: float | None = None,
    electricity_usd_per_j: float | None = None,
    pue: float = 1.0,
    chip_mtbf_s: float | None = None,
    measured_s: float | None = None,
    count: int = 5,
) -> Training:
    """Search ways to train a model for the fastest step, or take one that is given, as ``ridgeline train`` does.

    Args:
        model: catalog id, path or record of what is trained.
        machine: catalog id, path or record of where.
        chips: of the run, or several numbers, the best of each beside the others; left out with a layout, those of it.
        tokens: that the run is trained on.
        batch_tokens: tokens of a step.
        sequence_tokens: tokens of a sequence.
        layout: the one to take: "tp8,pp16,dp64,vpp8"; left out, all are searched.
        why_not: a layout to say of why it is not the best.
        schedule: how stages take turns, "all" for every way that is timed; left out, 1F1B and interleaved.
        recompute: "none", "full", "selective:layernorm+mlp"; left out, several are tried, or none with a layout.
        micro_batch: sequences that go through the model together; left out, powers of two are tried, or the layout's.
        number_format: what layers multiply in: bf16, fp8, fp8-tensor, fp8-row, fp8-block or mxfp8.
        framework: whose time is among the numbers: megatron, torchtitan, maxtext, llm-foundry, or ideal, which takes
            none; left out, megatron, or maxtext on TPUs.
        dispatcher: what sends tokens to experts: alltoall, allgather, deepep or hybridep.
        routing: "balanced" or "natural"; left out, the framework's.
        gradients: number format of summed gradients, bf16 or fp32; left out, the framework's.
        hides_dispatch: whether tokens travel to experts while another micro-batch computes.
        fidelity: "roofline" or "measured".
        usd_per_chip_s: price of a chip; left out, the catalog's.
        electricity_usd_per_j: price of electricity beside it.
        pue: power usage effectiveness of the site.
        chip_mtbf_s: mean time between failures of one chip; left out, that of published runs.
        measured_s: a measured step, to be held beside the predicted one.
        count: plans to find.

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.

    >>> found = train("llama-3.1-8b", "h100-sxm", chips=64, tokens=1e12, batch_tokens=4 * 2**20)
    >>> found.plans[0].job.layout.chips, found.plans[0].fits
    (64, True)
    """
    # Which nobody waits for who serves.
    from ridgeline.training.asked import Asked  # noqa: PLC0415
    from ridgeline.training.train import train as trained  # noqa: PLC0415

    loaded = load_machine(machine)
    tariff = loaded.tariff if usd_per_chip_s is None else Tariff(usd_per_chip_s=usd_per_chip_s, label="as given")
    asked = Asked(
        model=load_model(model),
        machine=loaded,
        chips=() if chips is None else (chips,) if isinstance(chips, int) else tuple(chips),
        tokens=tokens,
        batch_tokens=batch_tokens,
        sequence_tokens=sequence_tokens,
        layout=layout,
        why_not=why_not,
        schedule=schedule,
        recompute=recompute,
        micro_batch=micro_batch,
        number_format=number_format,
        framework=framework,
        dispatcher=dispatcher,
        routing=routing,
        gradients=gradients,
        hides_dispatch=hides_dispatch,
        fidelity=fidelity_of(fidelity),
        tariff=tariff,
        electricity_usd_per_j=electricity_usd_per_j,
        pue=pue,
        chip_mtbf_s=chip_mtbf_s,
        measured_s=measured_s,
        count=count,
    )
    return trained(asked)


def cache(
    model: Model | Name,
    machine: Machine | Name,
    *,
    context_tokens: int,
    hold_s: float,
    reuse: float,
    output_tokens: int = 500,
    layout: Layout | str | None = None,
    chips: int | None = None,
    ttft_s: float | None = None,
    pools: int = 1,
    tiers: Sequence[str] = (),
    storage: Name | None = None,
    devices_per_chip: int = 1,
    until: dt.date | None = None,
    life_s: float | None = None,
    electricity_usd_per_j: float = 0.0,
    margin_fraction: float = 0.6,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    usd_per_chip_s: float | None = None,
    weights: str | None = None,
    kv: str | None = None,
) -> Caching:
    """Say in which tier to keep a context's cache until its next use, or to read it anew, as ``ridgeline cache`` does.

    Args:
        model: catalog id, path or record of what is served.
        machine: catalog id, path or record of where.
        context_tokens: whose keys and values are kept.
        hold_s: for which they wait.
        reuse: times that they are used within that, on the mean.
        output_tokens: of an answer.
        layout: of a replica; left out, the cheapest way to serve such contexts.
        chips: budget over which layouts are sought; left out, one scale-up domain.
        ttft_s: longest time to the first token of a context that is found, on the loaded machine; None for no limit.
        pools: one, or two between which caches move.
        tiers: ids of storage devices to look at; left out, all that the machine can have and whose price is known.
        storage: file of one's own storage devices, beside the catalog's.
        devices_per_chip: of each kind that is bought, behind one chip.
        until: day up to which prices of devices are known; left out, the newest.
        life_s: over which a device's price is spread; left out, four years.
        electricity_usd_per_j: price of what devices draw.
        margin_fraction: of the prices that a provider would ask.
        fidelity: "napkin", "roofline" or "measured".
        engine: name or record; left out, that of the command line.
        kernels: profile or folder of one's own calibration, for the machine and for an engine that is no record.
        usd_per_chip_s: price of a chip; left out, the catalog's.
        weights: number format of the layers' weights instead of the published one.
        kv: number format of the KV cache instead of the published one.

    Raises:
        RidgelineError: a name, a number or a combination is refused; says what to give instead.

    >>> found = cache("deepseek-v3", "gb200-nvl72", context_tokens=100_000, hold_s=300, reuse=0.3)
    >>> found.choice, found.choice_by_drain
    ('DDR', 'flash')
    """
    # Which nobody waits for who only plans.
    from ridgeline.caching import cache as tiers_of  # noqa: PLC0415
    from ridgeline.caching.tiers import LIFE_S, Ownership  # noqa: PLC0415
    from ridgeline.catalog.storage import own_storage_devices, storage_devices  # noqa: PLC0415
    from ridgeline.planner.price import price_of  # noqa: PLC0415

    deployment = deploy(model, machine, fidelity=fidelity, engine=engine, kernels=kernels, weights=weights, kv=kv)
    price = price_of(deployment.machine, usd_per_chip_s)
    if price is None:
        raise RidgelineError(
            f"no price of {deployment.machine.id} is listed, and tiers are compared by what they cost; give one:"
            " --price '$2/h', usd_per_chip_s=2/3600"
        )
    own = {} if storage is None else own_storage_devices(Path(storage))
    return tiers_of.cache(
        tiers_of.Asked(
            deployment=deployment,
            context_tokens=context_tokens,
            output_tokens=output_tokens,
            hold_s=hold_s,
            reuse=reuse,
            layout=None if layout is None else layout_of(layout),
            chips=chips,
            usd_per_chip_s=price,
            devices={**storage_devices(), **own},
            tiers=tuple(tiers),
            owned=Ownership(
                life_s=LIFE_S if life_s is None else life_s,
                electricity_usd_per_j=electricity_usd_per_j,
                devices_per_chip=devices_per_chip,
                until=until,
            ),
            ttft_s=ttft_s,
            pools=pools,
            margin_fraction=margin_fraction,
        )
    )


def validate(
    cases: Iterable[Case] | Name,
    *,
    models: ModelTable | Name | None = None,
    fidelity: Fidelity | str = "measured",
    kernels: Name | None = None,
) -> Validation:
    """Hold predictions against measured cases, as ``ridgeline validate`` does.

    Args:
        cases: a path to a case file, or its rows.
        models: a path to a model table, or its rows, for models that the catalog lacks.
        fidelity: "napkin", "roofline" or "measured".
        kernels: profile or folder of one's own calibration, in place of the catalog's numbers.

    Raises:
        CaseError: a file does not read; names file and line.
        RidgelineError: a name is refused; says what to give instead.
    """
    # Most of the house, which nobody waits for who only plans.
    from ridgeline.calibration.cases import read_cases  # noqa: PLC0415
    from ridgeline.calibration.cases.model_table import read_model_table  # noqa: PLC0415
    from ridgeline.calibration.judge.validate import validate as judge  # noqa: PLC0415

    fidelity = fidelity_of(fidelity)
    refuse_beside_peaks(fidelity, [] if kernels is None else ["kernels"])
    rows = read_cases(Path(cases)) if isinstance(cases, str | os.PathLike) else cases
    table = read_model_table(Path(models)) if isinstance(models, str | os.PathLike) else models
    return judge(rows, models=table, fidelity=fidelity, kernels=_folder(kernels))
