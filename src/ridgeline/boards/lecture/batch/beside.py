"""The rack beside this chapter's steps: a batch that computes, and reads what lies in its memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ridgeline.boards.board import Values
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.batch.step import read_fraction, step_times, weight_bytes
from ridgeline.boards.lecture.batch.trains import HBM_BYTES, full_batch
from ridgeline.boards.lecture.shares import ALL
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import (
    DecodeStep,
    Piece,
    RackPicture,
    Standing,
    cabinets,
    decode_step,
    number,
    stated,
    words,
)
from ridgeline.numeric import INFINITY
from ridgeline.quantity_text import format_quantity

__all__ = [
    "aboard",
    "alone",
    "at_balance",
    "computing",
    "crowded",
    "held_alone",
    "offered",
    "patient",
    "reading",
    "shared_bill",
    "sparser",
    "swept",
]

PATIENT = 4.0
"""Batch of a patient user, in balance batches."""
HELD = (Colour.WEIGHTS, Colour.KV)
HBM = controls.hbm_bytes(HBM_BYTES)


def _decoding(
    at: Standing, batch: float, shown: Sequence[Colour] = ALL, *, with_times: bool = True, digits: int | None = None
) -> RackPicture:
    """A decode step of a batch, as far as it has been told.

    Args:
        at: the board's numbers.
        batch: sequences on all chips.
        shown: parts of the step that the lecture has come to.
        with_times: whether it is told how long each part takes.
        digits: significant digits of the batch; None for all.
    """
    chips = number(at, controls.chips())
    values = {**at.values, "chips": chips}
    took, held = _took(values, batch), _held(at, batch)
    users = "1 user" if batch == 1 else f"{f'{batch:,.0f}' if digits is None else count_text(batch, digits)} users"
    step = decode_step(
        weights=took[Colour.WEIGHTS] if Colour.WEIGHTS in shown else 0.0,
        kv=took[Colour.KV] if Colour.KV in shown else 0.0,
        compute=took[Colour.COMPUTE],
    )
    pieces: list[Piece] = [f"{chips:.0f} chips, ", users]
    if with_times:
        pieces += [": ", *_timed(took, shown)]
    return RackPicture(
        cabinets=cabinets(
            1,
            chips=chips,
            memory=[(colour, held[colour]) for colour in HELD if colour in shown],
            tracks=step.tracks(shown) if with_times else (),
        ),
        words=words(*pieces, ". ", *_lying(at, held, shown)),
    )


def _took(values: Values, batch: float) -> dict[Colour, float]:
    """Times of a batch's step for computing, and for reading weights and KV cache, s."""
    times = step_times(values)
    return {
        Colour.COMPUTE: batch * times.compute_s,
        Colour.WEIGHTS: times.weights_s * float(read_fraction(values, batch)),
        Colour.KV: batch * times.kv_s,
    }


def _timed(took: dict[Colour, float], shown: Sequence[Colour]) -> list[Piece]:
    """'compute 1.23 ms; read weights 1.23 ms + KV 400 µs', as far as it is shown."""
    pieces: list[Piece] = [(f"compute {_time(took[Colour.COMPUTE])}", Colour.COMPUTE)]
    if Colour.WEIGHTS in shown:
        pieces += ["; read ", (f"weights {_time(took[Colour.WEIGHTS])}", Colour.WEIGHTS)]
    if Colour.KV in shown:
        pieces += [" + ", (f"KV {_time(took[Colour.KV])}", Colour.KV)]
    return pieces


def _lying(at: Standing, held: dict[Colour, float], shown: Sequence[Colour] = HELD) -> list[Piece]:
    """'Memory: weights 6.2 %, KV 2 % of 66.7 GB a chip.', as far as it is shown."""
    names = {Colour.WEIGHTS: "weights", Colour.KV: "KV"}
    pieces: list[Piece] = []
    for colour in HELD:
        if colour in shown:
            pieces += [", " if pieces else "Memory: ", (f"{names[colour]} {_part(held[colour])}", colour)]
    return [*pieces, " of ", stated(at, HBM), " a chip."] if pieces else []


def _hbm_bytes(at: Standing) -> float:
    """Memory of a chip."""
    return number(at, HBM)


def _held(at: Standing, batch: float) -> dict[Colour, float]:
    """Parts of all memory that weights and the KV cache of a batch take."""
    memory = number(at, controls.chips()) * _hbm_bytes(at)
    kv_bytes = batch * at.values["context_tokens"] * at.values["kv_bytes_per_token"]
    return {Colour.WEIGHTS: weight_bytes(at.values) / memory, Colour.KV: kv_bytes / memory}


def _balance(at: Standing) -> float:
    """Batch at which computing takes as long as reading the weights."""
    return step_times({**at.values, "chips": number(at, controls.chips())}).balance_batch


def _following(at: Standing, batch: float) -> RackPicture:
    """A decode step that goes along with the bill, wherever that is read."""
    return replace(_decoding(at, batch), follows_bill=True, kv_of_one=_held(at, 1.0)[Colour.KV])


def offered(at: Standing) -> RackPicture:
    """The weights of a model that is sold, before anybody uses it."""
    chips = number(at, controls.chips())
    weights = _held(at, 0.0)[Colour.WEIGHTS]
    return RackPicture(
        cabinets=cabinets(1, chips=chips, memory=[(Colour.WEIGHTS, weights)]),
        words=words(
            f"A rack of {chips:.0f} chips for ",
            (format_quantity(chips * at.values["usd_per_chip_s"], "usd_per_s"), Colour.MONEY),
            ". In colour what fills their memory: ",
            (f"weights {_part(weights)}", Colour.WEIGHTS),
            " of ",
            stated(at, HBM),
            " a chip.",
        ),
    )


def shared_bill(at: Standing) -> RackPicture:
    """All sequences that fit, which share the cost of a step."""
    return _following(at, max(1.0, full_batch(at.values)))


def computing(at: Standing) -> RackPicture:
    """The balance batch, of which only the arithmetic was told."""
    found = _decoding(at, _balance(at), (Colour.COMPUTE,))
    return replace(found, words=(*words("Each square is a chip, the bar below one step. "), *found.words))


def reading(at: Standing) -> RackPicture:
    """Balance batch with the weights that it reads."""
    return _decoding(at, _balance(at), (Colour.COMPUTE, Colour.WEIGHTS))


def sparser(at: Standing) -> RackPicture:
    """Balance batch of a sparsity with the weights that it reads."""
    return _decoding(at, _balance(at), (Colour.COMPUTE, Colour.WEIGHTS), digits=3)


def crowded(at: Standing) -> RackPicture:
    """Balance batch with its contexts."""
    return _decoding(at, _balance(at))


def at_balance(at: Standing) -> RackPicture:
    """The batch at which computing takes as long as all that is read; that of the weights alone where none is."""
    balance = step_times(at.values).balance_batch_with_kv
    return _decoding(at, balance if balance < INFINITY else _balance(at))


def held_alone(at: Standing) -> RackPicture:
    """Memory with one sequence on all chips."""
    return _decoding(at, 1.0, HELD, with_times=False)


def alone(at: Standing) -> RackPicture:
    """One sequence on all chips."""
    return _following(at, 1.0)


def patient(at: Standing) -> RackPicture:
    """A batch that dilutes the weights."""
    return _following(at, PATIENT * _balance(at))


def swept(at: Standing) -> RackPicture:
    """A train: as long as chips take to read all of their memory, whatever lies there."""
    chips, period_s = number(at, controls.chips()), at.values["period_s"]
    return RackPicture(
        cabinets=cabinets(1, chips=chips, tracks=[[(Colour.ASIDE, 0.0, 1.0)]]),
        words=words(
            f"{chips:.0f} chips, {at.values['seats']:,.0f} users: ",
            (f"one train takes {_time(period_s)}", Colour.ASIDE),
            ".",
        ),
    )


def aboard(at: Standing) -> RackPicture:
    """Memory of the users of a full train, and the part of the train's time that reading it takes."""
    seats, period_s = at.values["seats"], at.values["period_s"]
    took, held = _took(at.values, seats), _held(at, seats)
    read_s = took[Colour.WEIGHTS] + took[Colour.KV]
    whole = max(period_s, read_s, took[Colour.COMPUTE])
    parts = DecodeStep(
        weights=took[Colour.WEIGHTS] / whole, kv=took[Colour.KV] / whole, compute=took[Colour.COMPUTE] / whole
    )
    chips = at.values["chips"]
    return RackPicture(
        cabinets=cabinets(1, chips=chips, memory=list(held.items()), tracks=parts.tracks(ALL)),
        words=words(
            f"{chips:.0f} chips, {seats:,.0f} users: reading takes {_time(read_s)} of the train's {_time(period_s)}. ",
            *_lying(at, held),
        ),
    )


def _time(value_s: float) -> str:
    return format_quantity(value_s, "s")


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
