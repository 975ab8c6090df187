"""The stream between layers, of which chips and stages send parts: its controls, and the format of its values."""

from __future__ import annotations

from ridgeline.boards.board import Control, LetterNumber
from ridgeline.boards.constant import Constant
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.numbers import BALANCE_BATCH, HIDDEN
from ridgeline.estimator.kernels import RESIDUAL

__all__ = ["HANDED_ON", "SENT_BACK", "VALUE_BYTES", "batch", "hidden"]

VALUE_BYTES = RESIDUAL.bytes_per_value
"""Bytes of a value of the stream between layers, of results and of messages between stages."""


def hidden(lecture: Constant = HIDDEN, *, is_whole: bool = False) -> Control:
    """Values of the stream between layers.

    Args:
        lecture: width that the board stands at in the lecture's mode.
        is_whole: whether only whole numbers can be chosen.
    """
    return Control(
        name="hidden",
        meaning="values wide",
        called="hidden size",
        dimension="count",
        low=256,
        high=65536,
        lecture=lecture,
        careful=lambda facts: facts.model.hidden,
        is_whole=is_whole,
    )


def batch() -> Control:
    """Sequences of a step or of a micro-batch; a token each."""
    return Control(
        name="batch",
        meaning="sequences",
        dimension="count",
        low=1,
        high=1e6,
        lecture=BALANCE_BATCH,
        careful=controls.whole_balance_batch,
        is_whole=True,
    )


HANDED_ON = LetterNumber(tex="b_a", value=lambda _: VALUE_BYTES, dimension="bytes")
SENT_BACK = LetterNumber(tex="b_{comb}", value=lambda _: VALUE_BYTES, dimension="bytes")
"""Bytes of a value between layers, and on its way back from an expert, in formulas."""
