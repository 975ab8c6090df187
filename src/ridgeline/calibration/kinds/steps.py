"""Kinds of cases that are passes of a whole model: one step, a prefill, a static batch."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.kinds.run import Run, layout_of, model_of, precision_of
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.divisibility import require_divides
from ridgeline.estimator.engine_support import engine_faults
from ridgeline.estimator.interval import Part
from ridgeline.estimator.parameters import kv_bytes_held, stage_weight_bytes
from ridgeline.estimator.shares import Shares, shares_of
from ridgeline.estimator.stage_cuts import stages_of
from ridgeline.estimator.timed import TimedOperation, launched_operations, parts_of_step, with_engine
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import Engine
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.passes import Pass, decode, prefill

__all__ = ["LaunchedPass", "decode_step", "deployed", "generate", "passed", "prompts"]


@dataclass(frozen=True, kw_only=True)
class LaunchedPass:
    """A pass, or a grid of them, before its engine's own time.

    Attributes:
        deployment: deployment that ran.
        done: pass, or grid of passes, that ran.
        operations: kernels and messages as the engine launches them.
        warnings: assumptions about its deployment.
    """

    deployment: Deployment
    done: Pass
    operations: tuple[TimedOperation, ...]
    warnings: tuple[str, ...] = ()

    def parts(self, engine: Engine) -> tuple[Part, ...]:
        """Parts of the time of all passes of the grid together, with an engine's own time."""
        launched = self._launched
        deployment = dataclasses.replace(self.deployment, engine=engine)
        own = with_engine(self.operations, deployment, self._shares)[len(launched) :]
        return (*launched, *self._together(own))

    @cached_property
    def _shares(self) -> Shares:
        return shares_of(self.done, self.deployment.layout)

    @cached_property  # a fit asks for the same kernels with one engine's own time after the other
    def _launched(self) -> tuple[Part, ...]:
        """Parts of the kernels' and messages' time."""
        timed = with_engine(self.operations, self.deployment, self._shares)
        return self._together(timed[: len(self.operations)])

    def _together(self, operations: Sequence[TimedOperation]) -> tuple[Part, ...]:
        count = np.size(self.done.sequences)
        return tuple(
            [
                Part(kind=part.kind, time_s=_sum_of(part.time_s, count), once_s=_mean_of(part.once_s))
                for part in parts_of_step(operations)
            ]
        )


def deployed(run: Run, layout: Layout) -> tuple[Deployment, tuple[str, ...]]:
    """Deployment of a run in a layout, with assumptions.

    A deployment that its engine does not support is predicted all the same.

    Raises:
        Unsupported: the layout does not divide the model or the machine.
    """
    model = model_of(run)
    try:
        require_divides(model, run.machine, layout)
    except LayoutError as error:
        raise Unsupported(str(error)) from None
    precision, warnings = precision_of(run, model)
    found = deploy(model, run.machine, layout, fidelity=run.fidelity, engine=run.engine, precision=precision)
    return found, (*warnings, *(f"{fault}; predicted all the same" for fault in engine_faults(found)))


def _launched(run: Run, done: Pass) -> LaunchedPass:
    deployment, warnings = deployed(run, layout_of(run))
    _require_room(deployment, done)
    operations = launched_operations(deployment, shares_of(done, deployment.layout))
    return LaunchedPass(deployment=deployment, done=done, operations=operations, warnings=warnings)


def _require_room(deployment: Deployment, done: Pass) -> None:
    """Refuse a pass whose weights and cache exceed the chip's usable memory.

    Memory reserved by a runtime is not counted: the measured deployment did run.
    """
    model, machine, layout = deployment.model, deployment.machine, deployment.layout
    (lane,) = done.lanes
    of_one = np.max(kv_bytes_held(model, deployment.precision, lane.context_tokens, tp=layout.attention_tp))
    sequences = np.ceil(np.max(lane.sequences) / layout.dp / layout.kv_dp) / layout.cp
    taken = [
        (
            stage_weight_bytes(model, deployment.precision, layout, stage),
            float(sequences * of_one) * stage.layers / model.layers,
        )
        for stage in stages_of(deployment)
    ]
    weights, cache = max(taken, key=sum)
    room = machine.chip.hbm_bytes
    if weights + cache > room:
        raise Unsupported(
            f"{model.id} in {layout} does not fit: a chip of {machine.id} has {format_quantity(room, 'bytes')}, its"
            f" weights take {format_quantity(weights, 'bytes')} and the batch's KV {format_quantity(cache, 'bytes')}"
        )


def passed(passes: Iterable[LaunchedPass], engine: Engine) -> tuple[Part, ...]:
    """Parts of passes' time, all of a grid together, with an engine's own time."""
    return tuple([part for one in passes for part in one.parts(engine)])


def _sum_of(values: Numeric, count: int) -> float:
    """Sum over a grid of so many passes; of a number for a single pass, that number, without NumPy's long way."""
    if count == 1 and isinstance(values, float):
        return values
    return float(np.sum(np.broadcast_to(np.asarray(values, dtype=float), (count,))))


def _mean_of(values: Numeric) -> float:
    """Mean over a grid; of a number, the number itself."""
    return values if isinstance(values, float) else float(np.mean(np.asarray(values, dtype=float)))


def decode_step(run: Run) -> tuple[LaunchedPass, ...]:
    """One step in which every sequence gains a token."""
    return (_launched(run, decode(batch=run.case.number("batch"), context_tokens=run.case.number("context_tokens"))),)


def prompts(run: Run) -> tuple[LaunchedPass, ...]:
    """One pass over the prompts of a batch."""
    return (_launched(run, prefill(batch=run.case.number("batch"), prompt_tokens=run.case.number("prompt_tokens"))),)


def generate(run: Run) -> tuple[LaunchedPass, ...]:
    """A static batch: the prompt gives the first token, each further one a step over one more token of context."""
    case = run.case
    contexts = case.number("prompt_tokens") + np.arange(1.0, case.whole("output_tokens"))
    if len(contexts) == 0:
        return prompts(run)
    # One length for the whole grid, so that operations without context are counted as often.
    batch = np.full(len(contexts), case.number("batch"))
    return (*prompts(run), _launched(run, decode(batch=batch, context_tokens=contexts)))
