"""Time of a kernel or a message on a machine: the one place that chooses between roofline and fitted time.

On its roofline, a kernel takes the larger of compute and memory time, each at the achieved fraction of its peak, and a
launch overhead. The spec sheet is the same with every fraction 1 and no launch. Where kernels were measured on the
machine's family, they take their fitted time.
"""

from __future__ import annotations

from ridgeline.estimator.kernels import Kernel, fitted, roofline
from ridgeline.estimator.messages import Message
from ridgeline.estimator.messages.levels import fitted_kernels, inside_and_across_s, times_and_parts
from ridgeline.estimator.messages.message import kind
from ridgeline.estimator.timing import NO_WORK, Cause, Timing, delayed
from ridgeline.numeric import is_zero
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.machine import Machine

__all__ = ["kernel_timing", "message_timing"]


def kernel_timing(kernel: Kernel, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    """Time of a kernel as an engine runs it: fitted where kernels were measured, else roofline at achieved rates."""
    timing = (roofline if machine.efficiency.kernels is None else fitted)(kernel, machine, run)
    return timing if is_zero(run.eager_launch_s) else delayed(timing, kernel.launches * run.eager_launch_s)


def message_timing(message: Message, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    """Time of a message: its levels' times at the achieved rates and latencies, and its launches."""
    times_s, parts = times_and_parts(message, machine)
    inside_s, across_s = inside_and_across_s(message, times_s)
    # The time of a fitted collective includes its launch.
    is_fitted = fitted_kernels(message, machine) is not None
    launch_s = 0.0 if is_fitted else message.launches * machine.efficiency.kernel_launch_s
    if not message.is_custom:  # an engine's own sums need no launch of their own
        launch_s = launch_s + run.eager_message_s
    return Timing(
        time_s=inside_s + across_s + launch_s,
        time_by_cause_s=((Cause.SCALE_UP, inside_s), (Cause.SCALE_OUT, across_s), (Cause.LAUNCH, launch_s)),
        work=NO_WORK,
        message=message,
        parts=parts,
        kind=kind(message),
    )
