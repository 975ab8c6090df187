"""The balance batches that the walk comes to, one beside the other: one name, and a number more from step to step."""

from __future__ import annotations

from math import isfinite

from ridgeline.boards.board import Mode, Values
from ridgeline.boards.constant import filled_in
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch.claims_balance import PUBLISHED_PARAMS
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS, step_times
from ridgeline.boards.lecture.numbers import EXPANSION
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Rung, Seen
from ridgeline.quantity_text import format_quantity

__all__ = ["CROWDED", "PUBLISHED_EXPANSION", "balance_batches", "published_batches"]

PUBLISHED_EXPANSION = filled_in(
    float(PUBLISHED_PARAMS) / float(ACTIVE_PARAMS),
    why=f"DeepSeek-V3's published {format_quantity(float(PUBLISHED_PARAMS), 'count')} over its"
    f" {format_quantity(float(ACTIVE_PARAMS), 'count')}, in place of his {float(EXPANSION):g}",
)
"""Total over active parameters of DeepSeek-V3, by which his balance batch is corrected."""
AS_SET = "by the numbers set here"

CROWDED = "balance batch without contexts"
"""Name of the mark where computing takes as long as reading the weights alone."""


def published_batches(seen: Seen) -> tuple[Rung, ...]:
    """Balance batches of the lecture, and of the model as sparse as it is here, by the lecture's ratio of chips."""
    return (*_told(seen), _by_his_ratio(seen, seen.values[Mode.LECTURE]))


def balance_batches(seen: Seen) -> tuple[Rung, ...]:
    """Balance batches as earlier steps told them, and that of the model on its machine with its contexts."""
    return (
        *_told(seen),
        _by_his_ratio(seen, _as_published(seen)),
        _with_contexts(seen.values[Mode.CAREFUL]),
    )


def _told(seen: Seen) -> tuple[Rung, ...]:
    """Balance batches of the lecture, as earlier steps told them: of weights alone, and with contexts."""
    values = seen.board.values(Mode.LECTURE)
    return _rung("his", _product(values), step_times(values).balance_batch), _with_contexts(values)


def _as_published(seen: Seen) -> Values:
    """Values of the lecture with the model's sparsity."""
    return seen.board.values(Mode.LECTURE, {"expansion": float(PUBLISHED_EXPANSION)})


def _by_his_ratio(seen: Seen, values: Values) -> Rung:
    name = "DeepSeek-V3's, by his ratio" if values == _as_published(seen) else AS_SET
    return _rung(name, _product(values), step_times(values).balance_batch)


def _with_contexts(values: Values) -> Rung:
    """Rung with the contexts that are read besides."""
    contexts = f"of {count_text(values['context_tokens'], 3)} tokens"
    return _rung("with its contexts", contexts, step_times(values).balance_batch_with_kv)


def _product(values: Values) -> str:
    """A balance batch of weights alone as the chip's ratio times the model's sparsity, in digits that make it."""
    expansion = values["expansion"]
    return f"{step_times(values).balance_batch / expansion:.4g} × {expansion:.4g}"


def _rung(name: str, of: str, batch: float) -> Rung:
    if not isfinite(batch):
        return Rung(name=name, of=of, value=None, text="no batch balances")
    return Rung(name=name, of=of, value=batch, text=count_text(batch, DIGITS))
