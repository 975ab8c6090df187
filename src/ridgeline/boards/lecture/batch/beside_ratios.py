"""The rack beside steps of this chapter whose boards know how things compare, and no batch or time of their own."""

from __future__ import annotations

from dataclasses import replace

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.batch.quality import total_params
from ridgeline.boards.lecture.batch.sparse import DRAWN, reads
from ridgeline.boards.lecture.numbers import BALANCE_RATIO
from ridgeline.boards.lecture.shares import in_shares, told_shares
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Piece, RackPicture, Standing, cabinets, decode_step, number, portions, words
from ridgeline.equations import departures, modes, roofline
from ridgeline.quantity_text import format_quantity

__all__ = [
    "at_crossover",
    "boarding",
    "fast_and_regular",
    "long_contexts",
    "multiplied",
    "one_token",
    "read_of_all",
    "read_of_some",
    "shorter",
]

DOUBLE = 2.0
"""Context of the question, in crossovers."""
LONG_TOKENS = 1e6
"""Context length of the question on sparse attention."""


def multiplied(at: Standing) -> RackPicture:
    """A dense model's batch of the lecture's 300: every parameter that is read is multiplied once for each of them."""
    chips, batch = number(at, controls.chips()), float(BALANCE_RATIO)
    balance = float(roofline.balance_batch(balance_ratio=at.values["balance_ratio"], expansion=1))
    step = decode_step(weights=1.0, kv=0.0, compute=batch / balance)
    shown = Colour.COMPUTE, Colour.WEIGHTS
    return RackPicture(
        cabinets=cabinets(1, chips=chips, tracks=step.tracks(shown)),
        words=words(f"{chips:.0f} chips, a dense model, {batch:,.0f} users: ", *told_shares(step, shown)),
    )


def boarding(at: Standing) -> RackPicture:
    """Two steps of the rack, seen by a request that has just missed the first."""
    chips, period_s = number(at, controls.chips()), at.values["period_s"]
    worst_s = float(departures.worst_latency_s(period_s=period_s))
    missed = period_s / worst_s
    return RackPicture(
        cabinets=cabinets(1, chips=chips, tracks=[[(Colour.ASIDE, 0.0, missed), (Colour.BOUND, missed, 1.0)]]),
        words=words(
            f"{chips:.0f} chips, two steps. Just missed: wait ",
            (f"{_time(worst_s - period_s)} for the batch before", Colour.ASIDE),
            ", then ",
            (f"{_time(period_s)} for your own", Colour.BOUND),
            ".",
        ),
    )


def shorter(at: Standing) -> RackPicture:
    """Lengths of a regular step and a fast one."""
    return _two_steps(at, with_weights=False)


def fast_and_regular(at: Standing) -> RackPicture:
    """Regular step and fast one, with the part of the regular one that reading the weights takes."""
    return _two_steps(at, with_weights=True)


def _two_steps(at: Standing, *, with_weights: bool) -> RackPicture:
    """Two racks of one price a chip, a large batch and a small one: both read all weights in every step."""
    ratios = {"price_ratio": at.values["price_ratio"], "speed_ratio": at.values["speed_ratio"]}
    weights = float(modes.largest_saving_fraction(**ratios))
    smaller, chips = float(modes.batch_ratio(**ratios)), number(at, controls.chips())
    shared = 1 - weights, (1 - weights) / smaller
    first = [(Colour.WEIGHTS, 0.0, weights)] if with_weights else [(Colour.ASIDE, 0.0, weights)]
    regular, fast = (
        cabinets(1, chips=chips, tracks=[[*first, (Colour.ASIDE, weights, weights + part)]]) for part in shared
    )
    pieces: list[Piece] = [
        f"A regular rack, and one with 1/{smaller:.3g} of the users: ",
        (f"steps {ratios['speed_ratio']:.3g} times shorter", Colour.ASIDE),
    ]
    if with_weights:
        pieces += [". Reading ", (f"weights takes {_part(weights)}", Colour.WEIGHTS), " of the regular step"]
    return RackPicture(cabinets=regular + fast, words=words(*pieces, "."))


def at_crossover(at: Standing) -> RackPicture:
    """Contexts at which KV cache takes as long to read as is computed, where weights cost nothing."""
    crossover = at.values["crossover_tokens"]
    shown = Colour.COMPUTE, Colour.KV
    return in_shares(at, context_tokens=crossover, crossover_tokens=crossover, shown=shown)


def long_contexts(at: Standing) -> RackPicture:
    """Contexts of twice the crossover, in batches so large that the weights cost nothing, as the question has them."""
    crossover = at.values["crossover_tokens"]
    shown = Colour.COMPUTE, Colour.KV
    return in_shares(
        at,
        context_tokens=DOUBLE * crossover,
        crossover_tokens=crossover,
        shown=shown,
        beside=" in the largest batches",
    )


def read_of_all(at: Standing) -> RackPicture:
    """Long context as full attention and the square root read it."""
    return _read(at, with_index=False)


def read_of_some(at: Standing) -> RackPicture:
    """Long context as these and an index read it."""
    return _read(at, with_index=True)


def _read(at: Standing, *, with_index: bool) -> RackPicture:
    chips = number(at, controls.chips())
    parts = {name: float(form(LONG_TOKENS)) / LONG_TOKENS for name, form in reads(with_index=with_index).items()}
    pieces: list[Piece] = []
    for name, part in parts.items():
        pieces += [", " if pieces else "", (f"{_part(part)} by {DRAWN[name]}", Colour.KV)]
    return RackPicture(
        cabinets=cabinets(1, chips=chips, tracks=[[(Colour.KV, 0.0, part)] for part in parts.values()]),
        words=words(
            f"{chips:.0f} chips, contexts of {format_quantity(LONG_TOKENS, 'count')} tokens. KV read per token: ",
            *(piece for piece in pieces if piece),
            ".",
        ),
    )


def one_token(at: Standing) -> RackPicture:
    """Weights in a rack that one token is multiplied with."""
    chips, params = number(at, controls.chips()), at.values["active_params"]
    total = float(total_params(at.values, at.values["experts"]))
    (rack,) = cabinets(1, chips=chips)
    return RackPicture(
        cabinets=(replace(rack, painted=portions(rack.chips, {Colour.WEIGHTS: params / total})),),
        words=words(
            f"{chips:.0f} chips hold {format_quantity(total, 'count')} parameters. One token uses ",
            (f"{_part(params / total)} of them", Colour.WEIGHTS),
            "; a batch reads all.",
        ),
    )


def _time(value_s: float) -> str:
    return format_quantity(value_s, "s")


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
