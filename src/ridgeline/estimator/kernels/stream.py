"""Elementwise kernels, bound by memory: norms, activations, look-ups, sampling."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations.kernels import overlapped_time_s
from ridgeline.equations.matrices import stream_bytes
from ridgeline.estimator.kernels.kernel import (
    OVERLAP_SQUARINGS,
    RESIDUAL,
    Ground,
    Kernel,
    fitted,
    rests_on,
    roofline,
    work,
)
from ridgeline.estimator.kernels.matmul import smallest_time_s
from ridgeline.estimator.timing import Timing, Work, fitted_timing, passing_roofline
from ridgeline.numeric import Numeric
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.machine import Machine

KIND = "elementwise"
"""Kind of kernel, a key of the bands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream(Kernel):
    """An elementwise operation: norms, activations, look-ups, sampling.

    Attributes:
        rows: number of tokens that pass.
        width: values of a token.
        streams: tensors that are read and written.
        is_by_row: whether a thread block handles a row by itself, as where a row is summed.
    """

    rows: Numeric
    width: Numeric
    streams: Numeric
    is_by_row: bool = False
    changed = frozenset({"launch_fraction", "gap_fraction", "eager_launch_s"})


@work.register
def _work(kernel: Stream) -> Work:
    moved = stream_bytes(
        rows=kernel.rows, width=kernel.width, streams=kernel.streams, bytes_per_value=RESIDUAL.bytes_per_value
    )
    return Work(flop=0.0, activation_bytes=moved)


@roofline.register
def _(kernel: Stream, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    return passing_roofline(_work(kernel), machine, run, kind=KIND, launches=kernel.launches)


@fitted.register
def _(kernel: Stream, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    done, numbers, chip = _work(kernel), machine.efficiency.fitted.elementwise, machine.chip
    gemm = machine.efficiency.fitted.gemm
    fraction = numbers.row_hbm_fraction if kernel.is_by_row else numbers.hbm_fraction
    busy_s = memory_s = done.activation_bytes / (chip.hbm_bytes_per_s * fraction)
    if kernel.is_by_row:
        # A few rows wait for the longest, not for memory.
        row_s = numbers.row_value_s * kernel.width
        busy_s = overlapped_time_s(first_s=row_s, second_s=memory_s, squarings=OVERLAP_SQUARINGS)
    one_s = gemm.launch_s + smallest_time_s(chip, gemm)
    launch_s = kernel.launches * run.launch_fraction * one_s
    return fitted_timing(
        done,
        kind=KIND,
        time_s=busy_s + launch_s,
        compute_s=0.0,
        memory_s=memory_s,
        launch_s=launch_s,
        gap_fraction=run.gap_fraction,
    )


@rests_on.register
def _(kernel: Stream, machine: Machine) -> Ground:
    number = "row_hbm_fraction" if kernel.is_by_row else "hbm_fraction"
    return Ground(part="norms, activations and other elementwise kernels", number=f"elementwise.{number}")
