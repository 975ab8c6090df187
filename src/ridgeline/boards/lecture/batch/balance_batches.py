"""The balance batches that the walk comes to, one beside the other: one name, and several numbers."""

from __future__ import annotations

from ridgeline.boards.board import Mode, Values
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch.claims_balance import PUBLISHED_PARAMS
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS
from ridgeline.boards.lecture.numbers import BALANCE_RATIO
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Rung, Seen, drawn, mark_named
from ridgeline.equations import roofline

__all__ = ["CROWDED", "balance_batches"]

CROWDED = "balance batch without contexts"
"""Name of the mark where computing takes as long as reading the weights alone."""


def balance_batches(seen: Seen) -> tuple[Rung, ...]:
    """All balance batches up to here: his, his with contexts, the model's by his ratio, and on its machine."""
    his, own = (seen.values[mode] for mode in Mode)
    ratio_of, published = float(BALANCE_RATIO), float(PUBLISHED_PARAMS) / float(ACTIVE_PARAMS)
    by_his_ratio = float(roofline.balance_batch(balance_ratio=ratio_of, expansion=published))
    alone, theirs = (mark_named(seen, CROWDED, mode).x for mode in Mode)
    with_contexts = mark_named(seen, "balance batch", Mode.LECTURE).x
    is_balanced = any(mark.name == "balance batch" for mark in drawn(seen).marks)

    def rung(name: str, of: str, batch: float) -> Rung:
        return Rung(name=name, of=of, value=batch, text=count_text(batch, DIGITS))

    def contexts(values: Values) -> str:
        return f"of {count_text(values['context_tokens'], 3)} tokens"

    last = (
        rung("with its contexts", contexts(own), mark_named(seen, "balance batch").x)
        if is_balanced
        else Rung(name="with its contexts", of=contexts(own), value=None, text="no batch balances")
    )
    return (
        rung("his", f"{ratio_of:g} × {his['expansion']:.3g}", alone),
        rung("his, with contexts", contexts(his), with_contexts),
        rung("DeepSeek-V3's, by his ratio", f"{ratio_of:g} × {published:.3g}", by_his_ratio),
        rung("DeepSeek-V3's on GB200", f"{theirs / own['expansion']:.3g} × {own['expansion']:.3g}", theirs),
        last,
    )
