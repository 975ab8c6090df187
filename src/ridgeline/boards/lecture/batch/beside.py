"""The rack beside this chapter's steps: a batch that computes, and reads what lies in its memory."""

from __future__ import annotations

from dataclasses import replace

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.batch.step import read_fraction, step_times, weight_bytes
from ridgeline.boards.lecture.batch.trains import HBM_BYTES, full_batch, step_s
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Piece, RackPicture, Standing, cabinets, number, words
from ridgeline.equations import contexts, modes
from ridgeline.numeric import INFINITY
from ridgeline.quantity_text import format_quantity

__all__ = [
    "alone",
    "at_balance",
    "computing",
    "crowded",
    "decoding",
    "fast_and_regular",
    "full",
    "long_contexts",
    "offered",
    "patient",
    "reading",
]

ALL = (Colour.COMPUTE, Colour.WEIGHTS, Colour.KV)
PATIENT = 4.0
"""Balance batches of somebody who has time."""
DOUBLE = 2.0
"""Crossovers that a context of the question is long."""


def decoding(at: Standing, batch: float, shown: tuple[Colour, ...] = ALL) -> RackPicture:
    """A decode step of so many sequences, as far as it has been told.

    Args:
        at: the board's numbers.
        batch: sequences on all chips.
        shown: what the lecture has come to.
    """
    chips, held = number(at, controls.chips()), _held_bytes(at)
    values = {**at.values, "chips": chips}
    times, step = step_times(values), float(step_s(values, batch))
    weights_s = times.weights_s * float(read_fraction(values, batch))
    compute_s, kv_s = batch * times.compute_s, batch * times.kv_s
    weights, kv = weight_bytes(values) / held, _kv_bytes(at, batch) / held
    memory = [(Colour.WEIGHTS, weights), (Colour.KV, kv)]
    read = [(Colour.WEIGHTS, 0.0, weights_s / step), (Colour.KV, weights_s / step, (weights_s + kv_s) / step)]
    users = "1 user" if batch == 1 else f"{batch:,.0f} users"
    pieces: list[Piece] = [f"With {users}, each chip ", (f"computes for {_time(compute_s)}", Colour.COMPUTE)]
    if Colour.WEIGHTS not in shown:
        pieces = ["Each square is a chip, the bar below them one step. ", *pieces, "."]
    elif Colour.KV not in shown:
        pieces += [" and reads ", (f"weights for {_time(weights_s)}", Colour.WEIGHTS), ". They fill "]
        pieces += [(_part(weights), Colour.WEIGHTS), " of its memory, the part of its square in colour."]
    else:
        pieces += [". It reads ", (f"weights for {_time(weights_s)}", Colour.WEIGHTS), " and "]
        pieces += [(f"KV cache for {_time(kv_s)}", Colour.KV), ", which fill ", (_part(weights), Colour.WEIGHTS)]
        pieces += [" and ", (_part(kv), Colour.KV), " of its memory."]
    return RackPicture(
        cabinets=cabinets(
            1,
            chips=chips,
            memory=[one for one in memory if one[0] in shown],
            tracks=[[one for one in read if one[0] in shown], [(Colour.COMPUTE, 0.0, compute_s / step)]],
        ),
        words=words(*pieces),
        asked=(Colour.KV,) if Colour.KV in shown else (),
    )


def _balance(at: Standing) -> float:
    """Batch at which computing takes as long as reading the weights."""
    return step_times({**at.values, "chips": number(at, controls.chips())}).balance_batch


def _following(at: Standing, batch: float) -> RackPicture:
    """A decode step that goes along with the bill, wherever that is read."""
    return replace(decoding(at, batch), kv_of_one=_kv_bytes(at, 1.0) / _held_bytes(at))


def _held_bytes(at: Standing) -> float:
    """Memory of all chips."""
    return number(at, controls.chips()) * number(at, controls.hbm_bytes(HBM_BYTES))


def _kv_bytes(at: Standing, batch: float) -> float:
    """KV cache of a batch."""
    return batch * at.values["context_tokens"] * at.values["kv_bytes_per_token"]


def computing(at: Standing) -> RackPicture:
    """The balance batch, of which only the arithmetic was told."""
    return decoding(at, _balance(at), (Colour.COMPUTE,))


def reading(at: Standing) -> RackPicture:
    """The same batch, and the weights."""
    return decoding(at, _balance(at), (Colour.COMPUTE, Colour.WEIGHTS))


def crowded(at: Standing) -> RackPicture:
    """The same batch with its contexts."""
    return decoding(at, _balance(at))


def at_balance(at: Standing) -> RackPicture:
    """The batch at which computing takes as long as all that is read; that of the weights alone where none is."""
    balance = step_times(at.values).balance_batch_with_kv
    return decoding(at, balance if balance < INFINITY else _balance(at))


def alone(at: Standing) -> RackPicture:
    """One sequence on all chips."""
    return _following(at, 1.0)


def patient(at: Standing) -> RackPicture:
    """A batch that dilutes the weights."""
    return _following(at, PATIENT * _balance(at))


def full(at: Standing) -> RackPicture:
    """All sequences whose contexts have room."""
    batch = max(1.0, full_batch(at.values))
    times, found = step_times(at.values), decoding(at, batch)
    read_s = times.weights_s * float(read_fraction(at.values, batch)) + batch * times.kv_s
    return replace(
        found,
        words=words(
            f"The memory is full: {batch:,.0f} users. Reading all of it, ",
            ("weights", Colour.WEIGHTS),
            " and ",
            ("KV cache", Colour.KV),
            f", takes {_time(read_s)}; ",
            (f"computing takes {_time(batch * times.compute_s)}", Colour.COMPUTE),
            ".",
        ),
        asked=(),
    )


def offered(at: Standing) -> RackPicture:
    """The weights of a model that is sold, before anybody uses it."""
    chips = number(at, controls.chips())
    weights = weight_bytes(at.values) / _held_bytes(at)
    return RackPicture(
        cabinets=cabinets(1, chips=chips, memory=[(Colour.WEIGHTS, weights)]),
        words=words(
            f"A rack of {chips:.0f} chips, rented at ",
            (format_quantity(chips * at.values["usd_per_chip_s"], "usd_per_s"), Colour.MONEY),
            ". The ",
            (f"weights fill {_part(weights)}", Colour.WEIGHTS),
            " of its memory, the part of each square in colour.",
        ),
        asked=(Colour.KV,),
    )


def fast_and_regular(at: Standing) -> RackPicture:
    """Two racks of one price a chip, a large batch and a small one: both read all weights in every step."""
    ratios = {"price_ratio": at.values["price_ratio"], "speed_ratio": at.values["speed_ratio"]}
    weights = float(modes.largest_saving_fraction(**ratios))
    smaller = float(modes.batch_ratio(**ratios))
    users = 1 - weights
    chips = number(at, controls.chips())
    regular, fast = (
        cabinets(1, chips=chips, tracks=[[(Colour.WEIGHTS, 0.0, weights), (Colour.OTHER, weights, weights + part)]])
        for part in (users, users / smaller)
    )
    return RackPicture(
        cabinets=regular + fast,
        words=words(
            f"A regular step, and one with a batch of 1/{smaller:.3g}. It saves ",
            (f"{_part(users - users / smaller)} of the time, spent on users", Colour.OTHER),
            ", but still takes ",
            (f"{_part(weights)} to read the weights", Colour.WEIGHTS),
            ".",
        ),
    )


def long_contexts(at: Standing) -> RackPicture:
    """Contexts of twice the crossover: how long each takes in a step."""
    batches = at.values["balance_batches"]
    over = float(contexts.memory_over_compute(context_over_crossover=DOUBLE, batch_over_balance=batches))
    weights = float(contexts.memory_over_compute(context_over_crossover=0.0, batch_over_balance=batches))
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
            "With contexts of twice the ideal length, reading takes ",
            (f"{_part(weights / step)} of the step for weights", Colour.WEIGHTS),
            " and ",
            (f"{_part((over - weights) / step)} for KV cache", Colour.KV),
            "; the chips ",
            (f"compute for {_part(1 / step)}", Colour.COMPUTE),
            " of it.",
        ),
    )


def _time(value_s: float) -> str:
    return format_quantity(value_s, "s")


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
