"""Timed operations as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ridgeline.estimator.timed import TimedOperation
from ridgeline.estimator.timing import Cause, Timing
from ridgeline.numeric import Numeric

__all__ = ["operation_rows"]


def operation_rows(operations: Iterable[TimedOperation]) -> list[dict[str, Any]]:
    """The operations as rows of a table, those of one name together: layers of several kinds share most of theirs.

    Work, bytes and times are sums over a chip's ``repeats`` runs; messages are split by destination.
    """
    merged: dict[str, list[TimedOperation]] = {}
    for operation in operations:
        merged.setdefault(operation.name, []).append(operation)
    return [_row(name, runs) for name, runs in merged.items()]


def _row(name: str, runs: list[TimedOperation]) -> dict[str, Any]:
    def total(of: Callable[[Timing], Numeric]) -> float:
        return sum(float(of(run.timing)) * float(run.runs) for run in runs)

    causes = {cause: sum(float(run.timing.causes.get(cause, 0)) * float(run.runs) for run in runs) for cause in Cause}
    scale_up_bytes = total(lambda timing: timing.scale_up_bytes)
    scale_out_bytes = total(lambda timing: timing.scale_out_bytes)
    return {
        "name": name,
        "repeats": round(sum(float(run.runs) for run in runs), 2),
        "flop": total(lambda timing: timing.work.flop),
        "weight_bytes": total(lambda timing: timing.work.weight_bytes),
        "kv_bytes": total(lambda timing: timing.work.kv_bytes),
        "activation_bytes": total(lambda timing: timing.work.activation_bytes),
        "message_bytes": scale_up_bytes + scale_out_bytes,
        "scale_up_bytes": scale_up_bytes,
        "scale_out_bytes": scale_out_bytes,
        "time_s": sum(float(run.time_s) for run in runs),
        "bound": max(causes, key=lambda cause: causes[cause]).value,
    }
