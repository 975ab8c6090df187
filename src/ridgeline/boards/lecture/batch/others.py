"""What the chapter's steps say of the numbers that they do not open in."""

from __future__ import annotations

import math

from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch.step import step_times
from ridgeline.boards.lecture.numbers import BALANCE_RATIO, EXPANSION
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Seen, height, is_as_opened, upright

__all__ = ["crowded"]


def crowded(seen: Seen) -> str:
    """Sentence on the step with contexts, whose caches are larger than his."""
    values, at = seen.values[seen.mode], float(BALANCE_RATIO) * float(EXPANSION)
    own = "DeepSeek-V3" if is_as_opened(seen, "kv_bytes_per_token") else "this model"
    cache = shown(values["kv_bytes_per_token"], "bytes", DIGITS)
    his = shown(float(seen.board.control("kv_bytes_per_token").lecture), "bytes", DIGITS)
    is_read_longer = math.isinf(step_times(values).balance_batch_with_kv)
    limit = (
        "reading it takes longer than computing at any batch" if is_read_longer else "computing takes longer at last"
    )
    return (
        f"Of each token of context, {own} keeps {cache}, where he implies {his}: {limit}. At"
        f" {count_text(at, DIGITS)} sequences the step takes {upright(seen, height(seen, 'step', at))}, and reading the"
        f" weights {upright(seen, height(seen, 'weight fetch', at))} of it."
    )
