"""Linear attention between its projections: tokens update and query a state of fixed size."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.estimator.kernels.kernel import (
    RESIDUAL,
    Ground,
    Kernel,
    divided,
    fitted,
    joined,
    rests_on,
    roofline,
    summed,
    work,
)
from ridgeline.estimator.kernels.matmul import smallest_time_s
from ridgeline.estimator.timing import Timing, Work, fitted_timing, passing_roofline
from ridgeline.numeric import Numeric, maximum
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.machine import Machine

KIND = "elementwise"
"""Kind of kernel, a key of the bands; none was measured by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateUpdate(Kernel):
    """Linear attention's core: tokens update and query a state of fixed size.

    Attributes:
        flop: FLOP of updates and queries.
        state_bytes: bytes of the state that are read and written.
        tokens: number of tokens that pass.
        width: input and output values of a token.
    """

    flop: Numeric
    state_bytes: Numeric
    tokens: Numeric
    width: Numeric
    launches: int = 2
    changed = frozenset({"launch_fraction", "gap_fraction", "eager_launch_s"})


@work.register
def _work(kernel: StateUpdate) -> Work:
    passed = kernel.tokens * kernel.width * RESIDUAL.bytes_per_value
    return Work(flop=kernel.flop, kv_bytes=kernel.state_bytes, activation_bytes=passed)


@roofline.register
def _(kernel: StateUpdate, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    return passing_roofline(_work(kernel), machine, run, kind=KIND, launches=kernel.launches)


@fitted.register
def _(kernel: StateUpdate, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    done, numbers, chip = _work(kernel), machine.efficiency.fitted.gemm, machine.chip
    compute_s = done.flop / chip.flop_per_s["bf16"]
    memory_s = (done.kv_bytes + done.activation_bytes) / (chip.hbm_bytes_per_s * numbers.hbm_fraction)
    one_s = numbers.launch_s + smallest_time_s(chip, numbers)
    launch_s = kernel.launches * run.launch_fraction * one_s
    return fitted_timing(
        done,
        kind=KIND,
        time_s=maximum(compute_s, memory_s) + launch_s,
        compute_s=compute_s,
        memory_s=memory_s,
        launch_s=launch_s,
        gap_fraction=run.gap_fraction,
    )


@rests_on.register
def _(kernel: StateUpdate, machine: Machine) -> Ground:
    return Ground(
        part="state updates of linear attention",
        number="gemm.hbm_fraction",
        stand_in="no such kernel was measured, GEMMs' bandwidth stands in",
    )


@joined.register
def _(kernel: StateUpdate, others: Sequence[StateUpdate]) -> StateUpdate:
    return summed(kernel, others, "flop", "state_bytes", "tokens")


@divided.register
def _(kernel: StateUpdate, chips: int, *, is_prompt: bool) -> StateUpdate:
    return dataclasses.replace(
        kernel, flop=kernel.flop / chips, state_bytes=kernel.state_bytes / chips, tokens=kernel.tokens / chips
    )
