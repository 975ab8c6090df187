"""The balance batches that the walk comes to, one beside the other: one name, and several numbers."""

from __future__ import annotations

from math import isfinite

from ridgeline.boards.board import Mode, Values
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch.claims_balance import PUBLISHED_PARAMS
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS, step_times
from ridgeline.boards.lecture.numbers import BALANCE_RATIO
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Rung, Seen
from ridgeline.equations import roofline

__all__ = ["CROWDED", "balance_batches"]

CROWDED = "balance batch without contexts"
"""Name of the mark where computing takes as long as reading the weights alone."""


def balance_batches(seen: Seen) -> tuple[Rung, ...]:
    """All balance batches up to here: his, his with contexts, the model's by his ratio, and on its machine."""
    his, own = (seen.values[mode] for mode in Mode)
    ratio_of, published = float(BALANCE_RATIO), float(PUBLISHED_PARAMS) / float(ACTIVE_PARAMS)
    by_his_ratio = float(roofline.balance_batch(balance_ratio=ratio_of, expansion=published))
    his_times, times = step_times(his), step_times(own)

    def rung(name: str, of: str, batch: float) -> Rung:
        if not isfinite(batch):
            return Rung(name=name, of=of, value=None, text="no batch balances")
        return Rung(name=name, of=of, value=batch, text=count_text(batch, DIGITS))

    def contexts(values: Values) -> str:
        return f"of {count_text(values['context_tokens'], 3)} tokens"

    is_published = all(own[name] == value for name, value in seen.board.values(Mode.CAREFUL).items())
    here = "DeepSeek-V3's on GB200" if is_published else "by the numbers set here"
    return (
        rung("his", f"{ratio_of:g} × {his['expansion']:.3g}", his_times.balance_batch),
        rung("his, with contexts", contexts(his), his_times.balance_batch_with_kv),
        rung("DeepSeek-V3's, by his ratio", f"{ratio_of:g} × {published:.4g}", by_his_ratio),
        rung(
            here,
            f"{times.balance_batch / own['expansion']:.3g} × {own['expansion']:.3g}, rounded",
            times.balance_batch,
        ),
        rung("with its contexts", contexts(own), times.balance_batch_with_kv),
    )
