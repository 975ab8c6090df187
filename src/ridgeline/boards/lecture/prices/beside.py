"""The rack beside this chapter's steps: what it does for an output token and for an input token, and a vast context."""

from __future__ import annotations

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.prices.crossover import crossover_tokens
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import RackPicture, Standing, cabinets, number, words
from ridgeline.equations import contexts, memory
from ridgeline.quantity_text import format_quantity

__all__ = ["at_the_step", "vast", "written_and_read"]


def _decode(at: Standing, context_tokens: float, crossover: float) -> RackPicture:
    """A decode step with contexts of that length, beside its arithmetic."""
    batches = at.values["balance_batches"]
    weights, over = (
        float(contexts.memory_over_compute(context_over_crossover=length / crossover, batch_over_balance=batches))
        for length in (0.0, context_tokens)
    )
    step = max(1.0, over)
    return RackPicture(
        cabinets=cabinets(
            1,
            chips=number(at, controls.chips()),
            tracks=[
                [(Colour.WEIGHTS, 0.0, weights / step), (Colour.KV, weights / step, over / step)],
                [(Colour.COMPUTE, 0.0, 1 / step)],
            ],
        ),
        words=words(
            f"Writing after {format_quantity(context_tokens, 'count')} tokens of context, chips ",
            (f"compute for {_part(1 / step)}", Colour.COMPUTE),
            " of the step. They read ",
            (f"weights for {_part(weights / step)}", Colour.WEIGHTS),
            " and ",
            (f"KV cache for {_part((over - weights) / step)}", Colour.KV),
            ".",
        ),
    )


def at_the_step(at: Standing) -> RackPicture:
    """A decode step with contexts as long as those at which the price steps."""
    return _decode(at, at.values["price_step_tokens"], crossover_tokens(at.values))


def written_and_read(at: Standing) -> RackPicture:
    """A decode step of the board's contexts."""
    return _decode(at, at.values["context_tokens"], at.values["crossover_tokens"])


def vast(at: Standing) -> RackPicture:
    """The memory that one context takes."""
    values = at.values
    _, kv = memory.bytes_per_chip(
        weight_bytes=0.0,
        kv_bytes_per_sequence=values["context_tokens"] * values["kv_bytes_per_token"],
        batch=1,
        chips_per_stage=values["chips"],
        stages=1,
    )
    part = float(kv) / values["hbm_bytes"]
    return RackPicture(
        cabinets=cabinets(1, chips=values["chips"], memory=[(Colour.KV, part)]),
        words=words(
            f"One user with {format_quantity(values['context_tokens'], 'count')} tokens: their ",
            (f"KV cache takes {_part(part)}", Colour.KV),
            f" of the memory of {values['chips']:.0f} chips.",
        ),
        asked=(Colour.BOUND,),
    )


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
