"""Kinds of cases that are passes of a whole model: one step, a prefill, a static batch."""

from __future__ import annotations

import numpy as np

from ridgeline.calibration.cases import Unsupported
from ridgeline.calibration.run import Run, layout_of, model_of, precision_of
from ridgeline.estimator.estimate import time_step, timed_operations
from ridgeline.estimator.fit import require_divides
from ridgeline.specs.layout import LayoutError
from ridgeline.specs.workload import Decode, Phase, Prefill

__all__ = ["decode_s", "generate_s", "prefill_s"]


def _step_time_s(run: Run, phase: Phase) -> float:
    """The time of one pass, or the sum over a grid of passes."""
    model, layout = model_of(run), layout_of(run)
    try:
        require_divides(model, run.machine, layout)
    except LayoutError as error:
        raise Unsupported(str(error)) from None
    precision = precision_of(run, model)
    operations = timed_operations(run.fidelity, model, run.machine, layout, phase, precision, run.engine)
    return float(np.sum(time_step(operations)[0]))


def decode_s(run: Run) -> float:
    """One step in which every sequence gains a token."""
    return _step_time_s(run, Decode(batch=run.case.number("batch"), context_tokens=run.case.number("context_tokens")))


def prefill_s(run: Run) -> float:
    """One pass over the prompts of a batch."""
    return _step_time_s(run, Prefill(batch=run.case.number("batch"), prompt_tokens=run.case.number("prompt_tokens")))


def generate_s(run: Run) -> float:
    """A static batch: the prompt gives the first token, each further one a step over one more token of context."""
    case = run.case
    contexts = case.number("prompt_tokens") + np.arange(1.0, case.whole("output_tokens"))
    if len(contexts) == 0:
        return prefill_s(run)
    # One length for the whole grid, so that operations without context count as often.
    batch = np.full(len(contexts), case.number("batch"))
    return prefill_s(run) + _step_time_s(run, Decode(batch=batch, context_tokens=contexts))
