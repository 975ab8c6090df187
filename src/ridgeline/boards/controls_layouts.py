"""What boards of layouts share: controls, the format of values that chips send, and how counts are written."""

from __future__ import annotations

from ridgeline.boards.board import Control, Facts
from ridgeline.boards.lecture import controls
from ridgeline.boards.old_numbers import BALANCE_BATCH, HIDDEN
from ridgeline.estimator.kernels import RESIDUAL

__all__ = ["VALUE_BYTES", "batch", "count_text", "dispatch_bytes", "hidden", "layers_per_stage"]

IN_FULL = 1000.0
"""Counts from here on are written to their last digit."""

VALUE_BYTES = RESIDUAL.bytes_per_value
"""Of the stream between layers, of results and of what stages hand on."""


def hidden() -> Control:
    """Values of the stream between layers."""
    return Control(
        name="hidden",
        meaning="values wide",
        dimension="count",
        low=256,
        high=65536,
        lecture=HIDDEN,
        careful=lambda facts: facts.model.hidden,
    )


def batch() -> Control:
    """Sequences of a step; a token each."""
    return Control(
        name="batch",
        meaning="sequences",
        dimension="count",
        low=1,
        high=1e6,
        lecture=BALANCE_BATCH,
        careful=controls.balance_batch,
    )


def dispatch_bytes(*, lecture: float) -> Control:
    """Of a value on its way to an expert."""
    return Control(
        name="dispatch_bytes",
        meaning="a value sent to experts",
        dimension="bytes",
        low=0.5,
        high=4,
        lecture=lecture,
        careful=_dispatch_bytes,
    )


def layers_per_stage() -> Control:
    """The lecture's hundred layers, and DeepSeek-V3's 61, over its four racks."""
    return Control(
        name="layers_per_stage",
        meaning="layers a stage",
        dimension="count",
        low=1,
        high=100,
        lecture=25,
        careful=lambda facts: -(-facts.model.layers // 4),
        is_whole=True,
    )


def _dispatch_bytes(facts: Facts) -> float:
    return facts.model.precision.experts.operand.bytes_per_value


def count_text(value: float) -> str:
    """To three digits, or to the last.

    >>> count_text(0.5), count_text(11592.5)
    ('0.5', '11,592')
    """
    return f"{value:.3g}" if value < IN_FULL else f"{value:,.0f}"
