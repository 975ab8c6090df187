"""Kinds of cases that are engines under load: users in a closed loop, an unending queue of requests, two pools."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.kinds.quantity import Measure
from ridgeline.calibration.kinds.run import Run, layout_of, unread
from ridgeline.calibration.kinds.steps import deployed
from ridgeline.catalog.engines import USUAL, as_of, unknown_engine
from ridgeline.catalog.harnesses import benchmark_of
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.parameters import weight_bytes_per_chip
from ridgeline.estimator.stage_cuts import stages_of
from ridgeline.quantity_text import format_quantity
from ridgeline.serving.admission import admitted_sequences, sequence_limit
from ridgeline.serving.energy import joules_per_request
from ridgeline.serving.load import Loaded, closed_loop, disaggregated, saturated
from ridgeline.serving.passes import PoolPasses, pool_passes, pool_times
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.serving.rules import Rules, rules_of
from ridgeline.serving.transfer import cache_move_s
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, Limits
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.workload import Workload

__all__ = [
    "LOOP_QUANTITIES",
    "SATURATED_QUANTITIES",
    "TWO_POOL_QUANTITIES",
    "LoadPasses",
    "LoadQuantity",
    "in_a_loop",
    "loaded",
    "over_two_pools",
    "times_by",
    "without_end",
]

Array = NDArray[np.float64]

MIN_OUTPUT_TOKENS = 2
"""Shortest output with a decode step, tokens: prefill gives the first token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadPasses:
    """A row's passes, before its engine's own time.

    Attributes:
        pools: one pool, or prefill and decode pools.
        engine: engine that ran it.
        users: users in a closed loop; 0 for an unending queue of requests.
        equal_lengths: whether all requests are equal.
        copies: number of copies of the pool in the deployment.
        workers: number of workers of each pool, where there are two.
        limits: maximum sequences of a group that a worker of each pool admits.
        move_s: time to send a prompt's cache from one pool to the other, s.
        by: function from passes, their times and an engine's rules to latency and throughput.
        warnings: assumptions and omissions of the passes.
    """

    pools: tuple[PoolPasses, ...]
    engine: Engine
    users: float
    equal_lengths: bool
    copies: float = 1.0
    workers: tuple[float, ...] = ()
    limits: tuple[float, ...] = ()
    move_s: float = 0.0
    by: Callable[[LoadPasses, tuple[PoolTimes, ...], Engine], Loaded]
    warnings: tuple[str, ...] = ()

    @property
    def deployment(self) -> Deployment:
        """Deployment that decodes, with the row's engine; its passes may be shared with engines of equal kernels."""
        return dataclasses.replace(self.pools[-1].deployment, engine=self.engine)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """Requests and deployment of a row, with assumptions."""

    engine: Engine
    workload: Workload
    equal_lengths: bool
    warnings: tuple[str, ...]


def in_a_loop(run: Run) -> LoadPasses:
    """Passes of a pool with users in a closed loop."""
    asked = _asked(run)
    return _best_layout(run, asked, users=float(run.case.number("batch")), by=_closed)


def without_end(run: Run) -> LoadPasses:
    """Passes of a pool with an unending queue of requests."""
    asked = _asked(run, of_benchmark=False)
    if run.case.batch is not None:
        left = f"{run.case.kind}: batch is not modelled: as many are in flight as the engine lets in"
        asked = dataclasses.replace(asked, warnings=(*asked.warnings, left))
    return _best_layout(run, asked, users=0.0, by=_saturated)


def _best_layout(
    run: Run, asked: _Asked, *, users: float, by: Callable[[LoadPasses, tuple[PoolTimes, ...], Engine], Loaded]
) -> LoadPasses:
    """Result of a pool in the row's layout, or in the best one where it leaves that open."""
    if not run.attribute("layout_free"):
        return _one_pool(run, layout_of(run), asked, users=users, by=by)
    found = []
    for layout in _free_layouts(run):
        try:
            found.append(_one_pool(run, layout, asked, users=users, by=by))
        except Unsupported:
            continue
    if not found:
        raise Unsupported(f"{run.case.kind}: no layout of {run.case.number('chips'):g} chips divides the model")
    best = max(found, key=lambda one: one.copies * float(loaded(one, asked.engine).requests_per_s[0]))
    return dataclasses.replace(best, warnings=(*best.warnings, *unread(run, ["ffn_layout", "attention_shard"])))


def _free_layouts(run: Run) -> list[Layout]:
    """Layouts of one replica on a part of a domain, where a row leaves the layout to the best one."""
    chips = int(run.case.number("chips"))
    most = min(chips, run.machine.fabric[0].chips or chips)
    return [Layout(tp=tp) for tp in range(1, most + 1) if chips % tp == 0]


def _one_pool(
    run: Run,
    layout: Layout,
    asked: _Asked,
    *,
    users: float,
    by: Callable[[LoadPasses, tuple[PoolTimes, ...], Engine], Loaded],
) -> LoadPasses:
    chips = float(run.case.number_or("chips", layout.chips))
    deployment, warnings = _served(run, layout, asked)
    most = users / layout.dp if users else float(sequence_limit(deployment))
    return LoadPasses(
        pools=(_passes(deployment, asked.workload, most),),
        engine=asked.engine,
        users=users,
        equal_lengths=asked.equal_lengths,
        copies=chips / layout.chips,
        by=by,
        warnings=(*asked.warnings, *warnings),
    )


def _asked(run: Run, *, of_benchmark: bool = True) -> _Asked:
    """Requests and deployment of a row: with the ideal engine where only peaks count, and mean lengths.

    Args:
        run: row with its records.
        of_benchmark: whether lengths that identify a public benchmark vary as the benchmark's do.
    """
    engine, warnings = run.engine, []
    if not run.fidelity.at_peaks and run.engine == IDEAL_ENGINE and not run.is_engine_asked:
        unknown = f"engine {run.case.engine!r} is not known" if run.case.engine else "no engine is named"
        warnings.append(f"{unknown}: taken as {USUAL} as of {as_of()}")
        engine = unknown_engine(kernels=run.kernels)
    elif engine.replay and not engine.release.version and not run.is_engine_asked:
        warnings.append(f"engine {run.case.engine!r} names no release: taken as of {as_of()}")
    lengths = float(run.case.number("prompt_tokens")), float(run.case.number("output_tokens"))
    if lengths[1] < MIN_OUTPUT_TOKENS:
        raise Unsupported(f"{run.case.kind}: output_tokens={lengths[1]:g} leaves nothing to decode")
    benchmark = benchmark_of(*lengths) if of_benchmark else None
    least = run.attribute("length_ratio_min", 1.0 if benchmark is None else benchmark.least_length_fraction)
    if isinstance(least, bool) or not isinstance(least, (int, float)) or not 0 <= least <= 1:
        raise Unsupported(f"{run.case.kind} rows need case.length_ratio_min from 0 to 1, not {least!r}")
    mean = (1 + least) / 2
    if run.attribute("length_ratio_min") is None and benchmark is not None:
        warnings.append(f"lengths are taken as {least:g} to 1 of those given, as in {benchmark.name}")
    prompt, output = (
        max(least_tokens, round(mean * tokens)) for tokens, least_tokens in zip(lengths, (1, 2), strict=True)
    )
    try:
        workload = Workload(prompt_tokens=prompt, output_tokens=output)
    except ValueError as error:
        raise Unsupported(str(error)) from None
    return _Asked(
        engine=engine,
        workload=workload,
        equal_lengths=least == 1,
        warnings=tuple(warnings),
    )


def _served(run: Run, layout: Layout, asked: _Asked) -> tuple[Deployment, tuple[str, ...]]:
    """Deployment of a run with room for a request, with assumptions."""
    found, warnings = deployed(run, layout)
    found = dataclasses.replace(found, engine=asked.engine)
    if admitted_sequences(found, asked.workload) == 0:
        weights = weight_bytes_per_chip(found.model, found.precision, layout, stages_of(found))
        raise Unsupported(
            f"{found.model.id} in {layout} needs {format_quantity(weights, 'bytes')} of weights on a chip, and of"
            f" {run.machine.id}'s {format_quantity(run.machine.chip.hbm_bytes, 'bytes')} {asked.engine.name} has no"
            " room for one request's cache beside them"
        )
    return found, warnings


_timed = lru_cache(maxsize=512)(pool_passes)


def _passes(deployment: Deployment, workload: Workload, most: float) -> PoolPasses:
    """Passes of a pool, sized for the next power of two, so that rows that differ in users share them.

    Engines that run the same kernels, and take as many tokens in a pass, share them, too; an engine's other limits are
    taken from the engine, not from the passes.
    """
    engine = deployment.engine
    launching = Engine(
        name="launching",
        status="how kernels are launched, without what an engine takes besides",
        is_captured=engine.replays_graphs,
        has_custom_all_reduce=engine.has_custom_all_reduce,
        limits=(Limits(pass_tokens=limits_of(deployment).pass_tokens),),
        replay=engine.replay,
        release=engine.release,
    )
    alike = dataclasses.replace(deployment, engine=launching)
    return _timed(alike, workload, float(2 ** np.ceil(np.log2(max(most, 1.0)))))


def _layout(run: Run, degrees: Mapping[str, Any]) -> Layout:
    try:
        return Layout(**{name: int(degrees[name]) for name in ("tp", "pp", "ep", "dp", "cp") if name in degrees})
    except (LayoutError, ValueError, TypeError) as error:
        raise Unsupported(f"{run.case.kind}: {error}") from None


def over_two_pools(run: Run) -> LoadPasses:
    """Passes of a closed loop over a prefill pool and a decode pool."""
    asked = _asked(run)
    users = float(run.case.number("batch"))
    said = [run.attribute(name) for name in ("prefill", "decode")]
    if not all(isinstance(one, dict) for one in said):
        raise Unsupported("disaggregated rows need case.prefill and case.decode with their layouts and workers")
    prefill, decode = (_layout(run, one) for one in said)
    workers = tuple(_count(one, "workers") or 1.0 for one in said)
    limits = tuple(_count(one, "batch") or math.inf for one in said)
    both = [_served(run, layout, asked) for layout in (prefill, decode)]
    (of_prompts, _), (of_tokens, _) = both
    chips = round(sum(one.layout.chips * count for one, count in zip((of_prompts, of_tokens), workers, strict=True)))
    return LoadPasses(
        pools=(
            _passes(of_prompts, asked.workload, 1.0),
            _passes(of_tokens, asked.workload, users / decode.dp / workers[1]),
        ),
        engine=asked.engine,
        users=users,
        equal_lengths=asked.equal_lengths,
        workers=workers,
        limits=limits,
        move_s=cache_move_s(of_prompts, of_tokens, asked.workload.prompt_tokens, chips=chips),
        by=_disaggregated,
        warnings=(*asked.warnings, *(warning for _, warnings in both for warning in warnings)),
    )


def _count(pool: Mapping[str, Any], name: str) -> float | None:
    """A count of a pool; None where the row leaves it out."""
    value = pool.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 1:
        raise Unsupported(f"disaggregated rows need {name} of a pool as a number from 1 up, not {value!r}")
    return float(value)


@lru_cache(maxsize=2048)
def _times(deployment: Deployment, workload: Workload, most: float) -> PoolTimes:
    return pool_times([deployment], workload, most)


def times_by(passes: PoolPasses, engine: Engine) -> PoolTimes:
    """Times of a pool's passes with an engine's own time."""
    deployment = dataclasses.replace(passes.deployment, engine=engine)
    return _times(deployment, passes.workload, float(passes.sequences[-1]))


def loaded(passes: LoadPasses, engine: Engine) -> Loaded:
    """Latency and throughput of a row, with an engine's own time and rules."""
    times = tuple(times_by(one, engine) for one in passes.pools)
    return passes.by(passes, times, engine)


def _closed(passes: LoadPasses, times: tuple[PoolTimes, ...], engine: Engine) -> Loaded:
    return closed_loop(times[0], _rules(passes, engine), np.array([passes.users / passes.copies]))


def _rules(passes: LoadPasses, engine: Engine) -> Rules:
    """Rules of an engine under a benchmark."""
    return rules_of(engine, equal_lengths=passes.equal_lengths, is_benchmark=True)


def _saturated(passes: LoadPasses, times: tuple[PoolTimes, ...], engine: Engine) -> Loaded:
    most = float(sequence_limit(passes.deployment))
    return saturated(times[0], np.array([most]), np.array([engine.scheduling.batch_occupancy_fraction]))


def _disaggregated(passes: LoadPasses, times: tuple[PoolTimes, ...], engine: Engine) -> Loaded:
    prefill, decode = times
    limit = passes.limits[1] * decode.groups
    return disaggregated(
        prefill,
        dataclasses.replace(decode, admitted=np.minimum(decode.admitted, limit)),
        _rules(passes, engine),
        users=np.array([passes.users]),
        prefill_workers=np.array([passes.workers[0]]),
        decode_workers=np.array([passes.workers[1]]),
        prompts_at_once=np.array([passes.limits[0] if np.isfinite(passes.limits[0]) else 1.0]),
        move_s=np.array([passes.move_s]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadQuantity:
    """Relation of a quantity to latency and throughput.

    Attributes:
        value: value of the quantity for a run.
        band: quantity whose errors it has, a key of engines' widths.
        measure: whether it is a time or a rate.
    """

    value: Callable[[Run, LoadPasses, Loaded], float]
    band: str
    measure: Measure


def _tokens_per_s(*columns: str, per_chip: bool = False) -> LoadQuantity:
    def value(run: Run, passes: LoadPasses, found: Loaded) -> float:
        workload = passes.pools[-1].workload
        tokens = float(sum(getattr(workload, column) for column in columns))
        rate = passes.copies * float(found.requests_per_s[0]) * tokens
        return rate / float(run.case.number("chips")) if per_chip else rate

    return LoadQuantity(value=value, band="requests_per_s", measure=Measure.RATE)


def _tpot(_run: Run, _passes: LoadPasses, found: Loaded) -> float:
    return float(found.tpot_s[0])


def _ttft(_run: Run, _passes: LoadPasses, found: Loaded) -> float:
    return float(found.ttft_s[0])


def _joules_per_output_token(run: Run, passes: LoadPasses, found: Loaded) -> float:
    """Energy of all chips per output token, J."""
    pool, most_w = passes.pools[0], run.machine.chip.power_w
    if most_w is None:
        raise Unsupported(f"machine {run.machine.id}: its chip's power (power_w) is not known")
    return joules_per_request(pool.run_by(passes.engine), found, most_w=most_w) / pool.workload.output_tokens


_TPOT = LoadQuantity(value=_tpot, band="tpot_s", measure=Measure.TIME)
_TTFT = LoadQuantity(value=_ttft, band="ttft_s", measure=Measure.TIME)
_ENERGY = LoadQuantity(value=_joules_per_output_token, band="joules_per_output_token", measure=Measure.ENERGY)
_RATES = {
    "output_tokens_per_s": _tokens_per_s("output_tokens"),
    "output_tokens_per_s_per_chip": _tokens_per_s("output_tokens", per_chip=True),
    "total_tokens_per_s": _tokens_per_s("prompt_tokens", "output_tokens"),
    "total_tokens_per_s_per_chip": _tokens_per_s("prompt_tokens", "output_tokens", per_chip=True),
}
LOOP_QUANTITIES = {"tpot_s": _TPOT, "ttft_s": _TTFT, **_RATES, "joules_per_output_token": _ENERGY}
SATURATED_QUANTITIES = {name: dataclasses.replace(rate, band="saturated") for name, rate in _RATES.items()}
TWO_POOL_QUANTITIES = {
    "tpot_s": dataclasses.replace(_TPOT, band="disaggregated_tpot_s"),
    "ttft_s": dataclasses.replace(_TTFT, band="disaggregated_ttft_s"),
    **{name: dataclasses.replace(rate, band="disaggregated_tpot_s") for name, rate in _RATES.items()},
}
