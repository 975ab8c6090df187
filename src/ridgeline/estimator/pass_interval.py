"""The 80 % interval of a pass's time."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from ridgeline.estimator.interval import DECODE_ERRORS, PREFILL_ERRORS, bands_with, interval_factors
from ridgeline.estimator.timed import TimedOperation, parts_of_step, timed_operations
from ridgeline.numeric import Numeric, maximum, minimum
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine_options import AS_BY_DEFAULT
from ridgeline.specs.passes import Pass

__all__ = ["pass_interval"]


def pass_interval(deployment: Deployment, pass_: Pass, operations: Sequence[TimedOperation]) -> tuple[Numeric, Numeric]:
    """Factors on the time of a pass for both ends of its interval.

    Its errors are those of whole passes, else those of latencies under load; where steps of this very deployment were
    measured, the remaining ones. With unmeasured options it is no narrower than with the engine's defaults: host time,
    which they add to that of the kernels, has no band, and is no more certain than they are.

    Args:
        deployment: deployment that runs the pass.
        pass_: pass of numbers, or of grids.
        operations: operations of the pass, as ``timed_operations`` returns them.
    """
    width = deployment.correction.tpot_width
    if width is not None and not pass_.is_prefill:
        return math.exp(-width), math.exp(width)
    found = _by_parts(deployment, pass_, operations)
    if not deployment.engine.options.unmeasured:
        return found
    plain = dataclasses.replace(deployment, engine=dataclasses.replace(deployment.engine, options=AS_BY_DEFAULT))
    by_default = _by_parts(plain, pass_, timed_operations(plain, pass_))
    return minimum(found[0], by_default[0]), maximum(found[1], by_default[1])


def _by_parts(deployment: Deployment, pass_: Pass, operations: Sequence[TimedOperation]) -> tuple[Numeric, Numeric]:
    errors = PREFILL_ERRORS if pass_.is_prefill else DECODE_ERRORS
    bands = bands_with(deployment.machine.efficiency.bands, deployment.engine, errors)
    return interval_factors(parts_of_step(operations), bands, is_step=True)
