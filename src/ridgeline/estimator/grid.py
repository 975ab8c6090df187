"""Estimates over a whole grid at once: every layout with every batch and every context, as arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ridgeline.errors import RidgelineError
from ridgeline.estimator.divisibility import require_divides
from ridgeline.estimator.memory import limits_of, pass_memory
from ridgeline.estimator.pass_interval import pass_interval
from ridgeline.estimator.timed import time_step, timed_operations
from ridgeline.estimator.timing import Cause
from ridgeline.numeric import is_plain
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, decode, prefill
from ridgeline.specs.workload import passes_of
from ridgeline.tables import frame

__all__ = ["StepGrid", "estimate_grid"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepGrid:
    """Estimates of every layout at every batch and context; the arrays' axes, in that order.

    Attributes:
        layouts: layouts along the first axis.
        batch: sequences of a replica, along the second axis.
        context_tokens: tokens of each sequence, along the third axis: attended to by a step, or read by a prefill.
        step_time_s: time of the pass, s.
        low_s: lower end of its 80 % interval, s.
        high_s: upper end of its 80 % interval, s.
        causes_s: time by cause, s; adds up to ``step_time_s``.
        free_bytes: free memory of the fullest chip, bytes; negative where the step does not fit.
    """

    layouts: tuple[Layout, ...]
    batch: Array
    context_tokens: Array
    step_time_s: Array
    low_s: Array
    high_s: Array
    causes_s: dict[Cause, Array]
    free_bytes: Array

    @property
    def bound(self) -> NDArray[np.str_]:
        """Cause that takes most of each step's time."""
        names = np.array([cause.value for cause in self.causes_s])
        largest: NDArray[np.intp] = np.argmax(np.stack(list(self.causes_s.values())), axis=0)
        return np.take(names, largest)

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Whether the memory of the fullest chip suffices, at each point; times are void where it does not."""
        return self.free_bytes >= 0

    def to_columns(self) -> dict[str, NDArray[Any]]:
        """The grid as columns of a table, a point a row: ``pandas.DataFrame(grid.to_columns())``."""
        axes = [np.array([str(layout) for layout in self.layouts]), self.batch, self.context_tokens]
        layout, batch, context_tokens = (axis.reshape(-1) for axis in np.meshgrid(*axes, indexing="ij"))
        points = {
            "step_time_s": self.step_time_s,
            "low_s": self.low_s,
            "high_s": self.high_s,
            "bound": self.bound,
            "free_bytes": self.free_bytes,
            "fits": self.fits,
        }
        return {
            "layout": layout,
            "batch": batch,
            "context_tokens": context_tokens,
            **{name: values.reshape(-1) for name, values in points.items()},
        }

    def to_frame(self) -> Any:  # noqa: ANN401  a pandas.DataFrame, whose library is no dependency
        """The grid as a ``pandas.DataFrame``."""
        return frame(self.to_columns())


def estimate_grid(
    deployment: Deployment,
    layouts: Sequence[Layout],
    *,
    batch: ArrayLike,
    context_tokens: ArrayLike,
    is_prompt: bool = False,
) -> StepGrid:
    """Estimate a step at every point of a grid; each point equals the result of ``estimate``.

    Values that do not depend on the context are computed once for all contexts, so that a point of a large grid costs
    little more than its sum.

    Args:
        deployment: deployment whose layout is varied.
        layouts: layouts in place of its own; each must divide model and machine.
        batch: sequences of the whole replica; numbers from 1 up.
        context_tokens: tokens of each sequence, or of each prompt; numbers from 1 up.
        is_prompt: whether prompts are read; long ones take several passes, as in a plan.

    Raises:
        LayoutError: a layout does not divide the model or the machine.
        RidgelineError: a number is out of range, or there is nothing to estimate.
    """
    batches = np.asarray(batch, dtype=float).reshape(-1)
    contexts = np.asarray(context_tokens, dtype=float).reshape(-1)
    if not (len(layouts) and len(batches) and len(contexts)):
        raise RidgelineError("estimate_grid: give at least one layout, one batch and one context")
    pass_tokens = limits_of(deployment).pass_tokens
    shape = (len(layouts), len(batches), len(contexts))
    times, free, low, high = (np.empty(shape) for _ in range(4))
    causes = {cause: np.zeros(shape) for cause in Cause}
    for number, layout in enumerate(layouts):
        laid_out = dataclasses.replace(deployment, layout=layout)
        require_divides(laid_out.model, laid_out.machine, layout)
        for columns, step in _steps(is_prompt, batches, contexts, layout, pass_tokens):
            operations = timed_operations(laid_out, step)
            time_s, parts_s = time_step(operations)
            times[number][:, columns] = time_s
            low[number][:, columns], high[number][:, columns] = pass_interval(laid_out, step, operations)
            free[number][:, columns] = pass_memory(laid_out, step).free_bytes
            for cause, part_s in parts_s.items():
                if not is_plain(part_s) or part_s:
                    causes[cause][number][:, columns] = part_s
    return StepGrid(
        layouts=tuple(layouts),
        batch=batches,
        context_tokens=contexts,
        step_time_s=times,
        low_s=times * low,
        high_s=times * high,
        causes_s=causes,
        free_bytes=free,
    )


def _steps(
    is_prompt: bool,  # noqa: FBT001  the first of what tells a pass
    batches: Array,
    contexts: Array,
    layout: Layout,
    pass_tokens: int,
) -> list[tuple[slice | NDArray[np.intp], Pass]]:
    """The grid in as many passes as needed: one, or one for each number of prefill chunks."""
    down = batches[:, None]
    if not is_prompt:
        return [(slice(None), decode(batch=down, context_tokens=contexts[None, :]))]
    chunks = np.array([passes_of(tokens / layout.cp, tokens_per_pass=pass_tokens) for tokens in contexts])
    return [
        (
            np.flatnonzero(chunks == number),
            prefill(batch=down, prompt_tokens=contexts[None, chunks == number], passes=int(number)),
        )
        for number in np.unique(chunks)
    ]
