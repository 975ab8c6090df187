"""(deployment, pass) -> the step: its time, its bound, its operations, and the memory it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ridgeline.errors import RidgelineError
from ridgeline.estimator.carriers import carriers
from ridgeline.estimator.drafting import require_divided, speculation_notes
from ridgeline.estimator.engine_support import engine_notes
from ridgeline.estimator.memory import Memory, pass_memory
from ridgeline.estimator.notes import (
    caveats,
    crossing_notes,
    engine_note,
    idle_notes,
    limit_notes,
    memory_notes,
    options_notes,
)
from ridgeline.estimator.operation_table import operation_rows
from ridgeline.estimator.pass_interval import pass_interval
from ridgeline.estimator.timed import TimedOperation, time_step, timed_operations
from ridgeline.estimator.timing import Cause
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Pass
from ridgeline.specs.precision import Precision
from ridgeline.specs.provenance import Carrier

__all__ = ["Estimate", "estimate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Estimate of one step.

    Attributes:
        step_time_s: time of the pass, s.
        low_s: lower end of the 80 % interval, s.
        high_s: upper end of the 80 % interval, s.
        bound: cause that takes most of the time.
        causes: time by cause, s; adds up to ``step_time_s``.
        operations: operations of the busiest chip, in order; in a pipeline, the mean of its stages.
        memory: memory use of the fullest chip.
        deployment: deployment that was estimated.
        done: pass that was estimated.
    """

    step_time_s: float
    low_s: float
    high_s: float
    bound: Cause
    causes: dict[Cause, float]
    operations: tuple[TimedOperation, ...]
    memory: Memory
    deployment: Deployment
    done: Pass

    @property
    def precision(self) -> Precision:
        """Number formats used."""
        return self.deployment.precision

    @property
    def notes(self) -> tuple[str, ...]:
        """Deviations and omissions to show beside the numbers."""
        deployment = self.deployment
        return (
            *memory_notes(self.memory, deployment),
            *deployment.notes,
            *idle_notes(deployment.layout, self.done),
            *crossing_notes(deployment),
            *speculation_notes([deployment.speculation]),
            *limit_notes(deployment, self.done),
            *caveats(deployment, self.longest_tokens),
            engine_note(deployment),
            *options_notes(deployment, is_pass=True),
            *engine_notes(deployment),
        )

    @property
    def longest_tokens(self) -> float:
        """Length of the longest sequence."""
        return max(float(lane.context_tokens) for lane in self.done.lanes)

    @property
    def tpot_s(self) -> float | None:
        """Time per token of a step's sequences over the tokens that it adds, s; None where prompts are read."""
        return None if self.done.has_prompts else self.step_time_s / self.deployment.speculation.accepted_tokens

    @property
    def tpot_interval_s(self) -> tuple[float, float] | None:
        """The 80 % interval of ``tpot_s``, s."""
        if self.tpot_s is None:
            return None
        step_s = self.step_time_s
        low, high = self.deployment.speculation.interval(self.low_s / step_s, self.high_s / step_s)
        return self.tpot_s * low, self.tpot_s * high

    @property
    def carried_by(self) -> tuple[Carrier, ...]:
        """Carriers of the time: numbers measured on this chip, on its family, or assumed; worst first."""
        return carriers(self.deployment, self.done, self.operations)

    @property
    def fits(self) -> bool:
        """Whether the memory of the fullest chip suffices; the times are void where it does not."""
        return bool(self.memory.free_bytes >= 0)

    def to_rows(self) -> list[dict[str, Any]]:
        """The operations as rows of a table, those of one name together."""
        return operation_rows(self.operations)


def estimate(deployment: Deployment, pass_: Pass) -> Estimate:
    """Estimate one pass.

    Args:
        deployment: deployment whose layout must divide its model and its machine.
        pass_: pass of plain numbers, not a grid.

    Raises:
        LayoutError: the layout does not divide the model or the machine; the message names both numbers.
        RidgelineError: the pass is a grid; the message says how to estimate one.

    A step that memory does not hold has times, too, but is marked: ``fits`` is false, and the first note says by how
    much it is too large.
    """
    if pass_.is_grid:
        raise RidgelineError(
            "estimate: the pass has a grid, and this is one step; write"
            " estimate_grid(model, machine, [layout], batch=..., context_tokens=...)"
        )
    require_divided(deployment)
    _require_checked(deployment, pass_)
    operations = timed_operations(deployment, pass_)
    time_s, causes = time_step(operations)
    low, high = pass_interval(deployment, pass_, operations)
    memory = pass_memory(deployment, pass_)
    return Estimate(
        step_time_s=float(time_s),
        low_s=float(time_s * low),
        high_s=float(time_s * high),
        bound=max(causes, key=lambda cause: float(causes[cause])),
        causes={cause: float(part_s) for cause, part_s in causes.items()},
        operations=operations,
        memory=memory,
        deployment=deployment,
        done=pass_,
    )


def _require_checked(deployment: Deployment, pass_: Pass) -> None:
    """Refuse a step that does not verify the deployment's draft tokens.

    Raises:
        RidgelineError: the pass does not verify the draft tokens; the message names one that does.
    """
    speculation = deployment.speculation
    steps = [lane for lane in pass_.lanes if not lane.is_prompt]
    if speculation and any(lane.new_tokens != speculation.checked_tokens for lane in steps):
        raise RidgelineError(
            f"estimate: speculation {speculation} checks {speculation.drafted_tokens} drafted tokens in each step; give"
            f" verify(batch=..., context_tokens=..., drafted_tokens={speculation.drafted_tokens})"
        )
