"""Kinds of cases that are passes of a whole model: one step, a prefill, a static batch."""

from __future__ import annotations

import numpy as np

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.run import Run, is_eager, layout_of, model_of, precision_of
from ridgeline.estimator.estimate import TimedOperation, parts_of_step, timed_operations
from ridgeline.estimator.fit import require_divides
from ridgeline.estimator.interval import Part
from ridgeline.specs.layout import LayoutError
from ridgeline.specs.workload import Decode, Phase, Prefill

__all__ = ["decode", "generate", "prefill"]


def _step(run: Run, phase: Phase) -> tuple[Part, ...]:
    """What one pass is made of, or all of a grid of passes together."""
    model, layout = model_of(run), layout_of(run)
    try:
        require_divides(model, run.machine, layout)
    except LayoutError as error:
        raise Unsupported(str(error)) from None
    precision = precision_of(run, model)
    operations = timed_operations(run.fidelity, model, run.machine, layout, phase, precision)
    parts = (*parts_of_step(operations), _launched_one_by_one(run, operations))
    steps = np.size(phase.batch)
    return tuple(
        Part(
            kind=part.kind,
            time_s=float(np.sum(np.broadcast_to(part.time_s, (steps,)))),
            once_s=float(np.mean(part.once_s)),
        )
        for part in parts
    )


def _launched_one_by_one(run: Run, operations: tuple[TimedOperation, ...]) -> Part:
    """What kernels take longer in an engine that captures no graph of a step; nothing where it does or is not known."""
    kernels = run.fidelity.efficiency(run.machine).kernels
    if kernels is None or not is_eager(run):
        return Part(kind="", time_s=0.0, once_s=0.0)
    runs = sum(one.runs for one in operations if one.timing.message is None)
    return Part(kind="", time_s=kernels.products.eager_s * runs, once_s=kernels.products.eager_s)


def decode(run: Run) -> tuple[Part, ...]:
    """One step in which every sequence gains a token."""
    return _step(run, Decode(batch=run.case.number("batch"), context_tokens=run.case.number("context_tokens")))


def prefill(run: Run) -> tuple[Part, ...]:
    """One pass over the prompts of a batch."""
    return _step(run, Prefill(batch=run.case.number("batch"), prompt_tokens=run.case.number("prompt_tokens")))


def generate(run: Run) -> tuple[Part, ...]:
    """A static batch: the prompt gives the first token, each further one a step over one more token of context."""
    case = run.case
    contexts = case.number("prompt_tokens") + np.arange(1.0, case.whole("output_tokens"))
    if len(contexts) == 0:
        return prefill(run)
    # One length for the whole grid, so that operations without context count as often.
    batch = np.full(len(contexts), case.number("batch"))
    return (*prefill(run), *_step(run, Decode(batch=batch, context_tokens=contexts)))
