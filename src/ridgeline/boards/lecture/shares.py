"""The rack in a decode step whose parts a board knows relative to one another, without times."""

from __future__ import annotations

from collections.abc import Sequence

from ridgeline.boards.lecture import controls
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import DecodeStep, Piece, RackPicture, Standing, cabinets, decode_step, number, words
from ridgeline.equations import contexts
from ridgeline.quantity_text import format_quantity

__all__ = ["ALL", "in_shares", "step_of", "told_shares"]

ALL = (Colour.COMPUTE, Colour.WEIGHTS, Colour.KV)
"""Parts of a decode step's time."""


def step_of(*, context_over_crossover: float, balance_batches: float, shown: Sequence[Colour] = ALL) -> DecodeStep:
    """The step as far as it is shown, where L* and B* are known.

    Args:
        context_over_crossover: contexts, in those whose KV cache takes as long to read as their token to compute.
        balance_batches: the batch, in those whose arithmetic takes as long as reading the weights.
        shown: parts of the step that are shown.
    """
    weights, over = (
        float(contexts.memory_over_compute(context_over_crossover=length, batch_over_balance=balance_batches))
        for length in (0.0, context_over_crossover)
    )
    return decode_step(
        weights=weights if Colour.WEIGHTS in shown else 0.0,
        kv=over - weights if Colour.KV in shown else 0.0,
        compute=1.0,
    )


def told_shares(step: DecodeStep, shown: Sequence[Colour] = ALL) -> list[Piece]:
    """Caption pieces with the share of each part, as 'weights 14 %, KV 86 % of the step, compute 43 %.'."""
    reads = [("weights", step.weights, Colour.WEIGHTS), ("KV", step.kv, Colour.KV)]
    pieces: list[Piece] = []
    for name, part, colour in reads:
        if colour in shown:
            pieces += [", "] if pieces else []
            pieces.append((f"{name} {format_quantity(part, 'fraction', 2)}", colour))
    return [
        *pieces,
        " of the step, ",
        (f"compute {format_quantity(step.compute, 'fraction', 2)}", Colour.COMPUTE),
        ".",
    ]


def in_shares(
    at: Standing,
    *,
    context_tokens: float,
    crossover_tokens: float,
    shown: Sequence[Colour] = ALL,
    beside: str = "",
    follows_bill: bool = False,
) -> RackPicture:
    """A decode step with contexts of that length, of the board's balance batches.

    Args:
        at: the board's numbers.
        context_tokens: context length of each sequence.
        crossover_tokens: contexts whose KV cache takes as long to read as their token to compute.
        shown: parts of the step that are shown.
        beside: words of the caption beside the contexts' length.
        follows_bill: whether it follows the bill of the step's picture.
    """
    chips = number(at, controls.chips())
    step = step_of(
        context_over_crossover=context_tokens / crossover_tokens,
        balance_batches=at.values["balance_batches"],
        shown=shown,
    )
    length = format_quantity(context_tokens, "count")
    return RackPicture(
        cabinets=cabinets(1, chips=chips, tracks=step.tracks(shown)),
        words=words(f"{chips:.0f} chips, ", f"contexts of {length} tokens{beside}: ", *told_shares(step, shown)),
        follows_bill=follows_bill,
    )
