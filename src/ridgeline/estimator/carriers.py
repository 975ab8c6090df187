"""Carriers of an estimate: the fitted numbers that each part of its time rests on, and their sources.

A number is measured on this chip, taken from its family, or assumed. A time that rests on several takes the worst grade
of theirs: a launch in an engine's graph rests on the chip's launches and on the engine's factor on them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import lru_cache, singledispatch
from typing import Any

from ridgeline.estimator.clock import message_timing
from ridgeline.estimator.drafting import pass_operations
from ridgeline.estimator.engine_overhead import as_run, overhead_s, sent
from ridgeline.estimator.kernels import Kernel, rests_on
from ridgeline.estimator.messages import AllReduce, Message
from ridgeline.estimator.messages.levels import fitted_kernels
from ridgeline.estimator.messages.message import ground_across, ground_inside
from ridgeline.estimator.shares import Shares, shares_of
from ridgeline.estimator.timed import OVERHEAD, WAIT, TimedOperation
from ridgeline.estimator.timing import Cause
from ridgeline.specs.as_run import AsRun
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine, Replay
from ridgeline.specs.engine_options import HostTime
from ridgeline.specs.evidence import REPLAYED
from ridgeline.specs.passes import Pass
from ridgeline.specs.provenance import Carrier, Grade, Source, heaviest_first, least_sure

__all__ = ["BUBBLES", "carriers"]

Share = tuple[str, Source, float]
"""Part, source, and time in seconds."""


def carriers(deployment: Deployment, pass_: Pass, operations: Sequence[TimedOperation]) -> tuple[Carrier, ...]:
    """Carriers of a pass's time, worst first; their times add up to that of the pass.

    Args:
        deployment: deployment that runs the pass.
        pass_: pass of plain numbers, not a grid.
        operations: operations of the pass, as ``timed_operations`` returns them.
    """
    return heaviest_first(_shares(deployment, shares_of(pass_, deployment.layout), operations))


def _shares(deployment: Deployment, shares: Shares, operations: Sequence[TimedOperation]) -> Iterator[Share]:
    if not deployment.fidelity.by_operation:
        source = deployment.machine.efficiency.source_of("")
        yield from ((f"the lecture's formula, {one.name}", source, float(one.time_s)) for one in operations)
        return
    run = as_run(deployment, has_prompts=shares.has_prompts)
    launched = tuple(pass_operations(deployment, shares))
    for done, operation in zip(launched, operations, strict=False):
        yield from _of(done.kernel, operation, deployment, run, shares)
    for operation in operations[len(launched) :]:
        if operation.name == WAIT:
            yield BUBBLES, NO_STAGES_MEASURED, float(operation.time_s)
        else:
            place = OVERHEAD.index(operation.name)
            yield from _of_engine(deployment, shares, place, float(operation.time_s), _layers_s(operations))


BUBBLES = "pipeline bubbles"
"""Part of a time in which stages of a pipeline wait."""

NO_STAGES_MEASURED = Source(grade=Grade.ASSUMED, note="no run with pipeline stages was measured")


def _by_cause(operation: TimedOperation) -> dict[Cause, float]:
    return {cause: float(operation.runs) * float(part_s) for cause, part_s in operation.timing.time_by_cause_s}


@singledispatch
def _of(
    done: Kernel | Message, operation: TimedOperation, deployment: Deployment, run: AsRun, shares: Shares
) -> Iterator[Share]:
    """Fitted numbers that the time of a kernel or message rests on."""
    raise TypeError(f"{type(done).__name__} is no kind of kernel or message known to the estimator")


@_of.register
def _(done: Kernel, operation: TimedOperation, deployment: Deployment, run: AsRun, shares: Shares) -> Iterator[Share]:
    ground, efficiency = rests_on(done, deployment.machine), deployment.machine.efficiency
    launch_s = _by_cause(operation).get(Cause.LAUNCH, 0.0)
    source = efficiency.source_of(ground.number)
    launched = _of_launches(deployment, run, shares, ground.launch, ground.launched)
    if ground.stand_in and efficiency.kernels is not None:
        source, launched = (
            Source(grade=Grade.ASSUMED, machine=one.machine, rows=one.rows, note=ground.stand_in)
            for one in (source, launched)
        )
    yield ground.part, source, float(operation.time_s) - launch_s
    yield f"launches of {ground.part}", launched, launch_s


def _of_launches(deployment: Deployment, run: AsRun, shares: Shares, launch: str, launched: str) -> Source:
    """Source of launch overhead: the chip's, and the engine's factor on it."""
    efficiency = deployment.machine.efficiency
    found = [efficiency.source_of(launch)]
    if run.eager_launch_s:
        found.append(efficiency.source_of("gemm.eager_launch_s"))
    if deployment.engine.replay is not None:
        # In a prefill pass, an engine changes no launches, and adds gaps.
        number = "prefill_gap_fraction" if shares.has_prompts else launched
        found.append(_engine_source(deployment, f"{REPLAYED}{number}"))
    return least_sure(found)


def _engine_source(deployment: Deployment, number: str) -> Source:
    machine = deployment.machine
    return deployment.engine.source_on(number, machine.id, machine.family)


@_of.register
def _(done: Message, operation: TimedOperation, deployment: Deployment, run: AsRun, shares: Shares) -> Iterator[Share]:
    message, machine = sent(done, deployment.engine), deployment.machine
    efficiency, causes = machine.efficiency, _by_cause(operation)
    crossed = [level.name for level, ranks in zip(machine.fabric, message.group.ranks, strict=True) if ranks != 1]
    inside = (
        ground_inside(message, is_custom=_is_custom(message, deployment, run))
        if fitted_kernels(message, machine) is not None
        else ("messages in the domain", f"link_fraction.{machine.fabric[0].name}")
    )
    # Levels without a fraction of their own are taken as links out of the domain.
    level = crossed[-1] if crossed and crossed[-1] in efficiency.link_fraction else "scale_out"
    across = ground_across(message, level)
    for (part, number), cause in ((inside, Cause.SCALE_UP), (across, Cause.SCALE_OUT)):
        yield part, efficiency.source_of(number), causes.get(cause, 0.0)
    launch = "collectives.eager_launch_s" if run.eager_message_s else "kernel_launch_s"
    yield "launches of messages", efficiency.source_of(launch), causes.get(Cause.LAUNCH, 0.0)


def _is_custom(message: Message, deployment: Deployment, run: AsRun) -> bool:
    """Whether the engine's own kernel is the fastest way to send a message."""
    if not isinstance(message, AllReduce) or not message.is_custom:
        return False
    by_library = dataclasses.replace(message, is_custom=False)
    times_s = [float(message_timing(one, deployment.machine, run).time_s) for one in (message, by_library)]
    return times_s[0] < times_s[1]


ENGINE_PARTS = {
    "layer_s": "unfused kernels of the engine",
    "layer_token_s": "unfused kernels of the engine",
    "launch_layer_s": "host launches of layers",
    "step_s": "host time of a pass",
    "sequence_s": "host time of a pass",
    "prefill_pass_s": "host time of a pass",
    "dequantise_layer_s": "dequantising experts in the engine's graphs",
    "replay.latent_attention_layer_s": "small kernels of latent attention",
    "replay.linear_attention_layer_s": "small kernels of linear attention",
    "replay.token_topk_layer_s": "small kernels that choose tokens",
    "replay.block_topk_layer_s": "small kernels that choose blocks",
    "replay.compressed_attention_layer_s": "small kernels of compressed attention",
    "replay.dispatch_s": "overhead of exchanges between dp groups",
    "replay.dispatch_sequence_s": "overhead of exchanges between dp groups",
    "host.eager_layer_s": "host launches of layers without CUDA graphs",
    "host.step_s": "host time that nothing overlaps",
}
"""Part of the time that each number of an engine, its graphs and its host stands for; others go by their names."""

HOST = "host."
"""Prefix of the numbers of ``HostTime``, which were not fitted to any run under load."""

HOST_ON_OTHERS = Source(grade=Grade.ASSUMED, note="published times of other models, fitted to no run")


def _of_engine(deployment: Deployment, shares: Shares, place: int, time_s: float, layers_s: float) -> Iterator[Share]:
    """Numbers that an engine's overhead rests on; the part of each is the overhead with all others at zero.

    Args:
        deployment: deployment with the engine.
        shares: a chip's share of the pass.
        place: index of the overhead in the result of ``overhead_s``.
        time_s: time of all overhead, as timed, s.
        layers_s: time of the layers' kernels, with which host launches overlap, s.
    """
    alone_s = {}
    for number, engine in _one_by_one(deployment.engine):
        one = dataclasses.replace(deployment, engine=engine)
        alone_s[number] = float(overhead_s(one, shares, layers_s=layers_s)[place])
    whole_s = sum(alone_s.values())
    for number, part_s in alone_s.items():
        if part_s:
            part = ENGINE_PARTS.get(number, number)
            source = HOST_ON_OTHERS if number.startswith(HOST) else _engine_source(deployment, number)
            yield part, source, time_s * part_s / whole_s


@lru_cache(maxsize=32)
def _one_by_one(engine: Engine) -> tuple[tuple[str, Engine], ...]:
    """The engine with each of its times alone, by the number's name."""
    return tuple(_each_alone(engine))


def _each_alone(engine: Engine) -> Iterator[tuple[str, Engine]]:
    replay, times = engine.replay, _times(engine)
    without = None if replay is None else dataclasses.replace(replay, **_nothing(_times(replay)))
    bare = dataclasses.replace(engine, replay=without, host=HostTime(), **_nothing(times))
    for name, value in times.items():
        yield name, dataclasses.replace(bare, **{name: value})
    if without is not None and replay is not None:
        for name, value in _times(replay).items():
            yield f"{REPLAYED}{name}", dataclasses.replace(bare, replay=dataclasses.replace(without, **{name: value}))
    # Where no graph is replayed, the engine's launches stand for those of its host.
    is_own = engine.launch_layer_s > 0 and not engine.replays_graphs
    for name, value in _times(engine.host).items():
        if is_own and name == "eager_layer_s":
            continue
        yield f"{HOST}{name}", dataclasses.replace(bare, host=HostTime(**{name: value}))


def _nothing(times: dict[str, Any]) -> dict[str, Any]:
    return dict.fromkeys(times, 0.0)


def _times(record: Engine | Replay | HostTime) -> dict[str, Any]:
    return {
        field.name: getattr(record, field.name)
        for field in dataclasses.fields(record)
        if field.name.endswith("_s") and getattr(record, field.name)
    }


def _layers_s(operations: Sequence[TimedOperation]) -> float:
    """Time of the kernels and messages of layers through all stages, s."""
    own = (WAIT, *OVERHEAD)
    return sum(float(one.repeats * one.timing.time_s) for one in operations if one.is_layer and one.name not in own)
