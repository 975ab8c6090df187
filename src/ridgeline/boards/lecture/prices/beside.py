"""The rack beside this chapter's steps: its work for an output token, and the KV cache in its memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.batch.trains import HBM_BYTES
from ridgeline.boards.lecture.prices.crossover import crossover_tokens
from ridgeline.boards.lecture.prices.long_context import prompt_usd
from ridgeline.boards.lecture.prices.step_evidence import read_bytes, usual_bytes
from ridgeline.boards.lecture.prices.tiers import TOKENS, changes
from ridgeline.boards.lecture.shares import ALL, in_shares, step_of
from ridgeline.boards.picture import Colour
from ridgeline.boards.rack import Piece, RackPicture, Standing, cabinets, decode_step, number, portions, stated, words
from ridgeline.equations import memory
from ridgeline.quantity_text import format_number, format_quantity

__all__ = [
    "LONG_TOKENS",
    "at_crossover",
    "beyond_crossover",
    "held",
    "held_longer",
    "read_by_one",
    "vast",
    "vast_and_read",
    "without_contexts",
    "written",
    "written_and_read",
]

HBM = controls.hbm_bytes(HBM_BYTES)

LONG_TOKENS = 1e6
"""Length of a prompt: 'in the millions', as he says, begins here."""
DOUBLE = 2.0
"""Context of the question, in crossovers."""


def at_crossover(at: Standing) -> RackPicture:
    """Contexts whose KV cache takes as long to read as their token to compute, where weights cost nothing."""
    crossover, shown = crossover_tokens(at.values), (Colour.COMPUTE, Colour.KV)
    return in_shares(at, context_tokens=crossover, crossover_tokens=crossover, shown=shown)


def beyond_crossover(at: Standing) -> RackPicture:
    """Contexts of twice that length, with the weights; or as long as the bill is read at."""
    crossover = crossover_tokens(at.values)
    return in_shares(at, context_tokens=DOUBLE * crossover, crossover_tokens=crossover, follows_bill=True)


def read_by_one(at: Standing) -> RackPicture:
    """Part of a chip's memory that one context takes, by his reading of the price and in half of the open models."""
    chips, hbm_bytes = number(at, controls.chips()), number(at, HBM)
    tokens = at.values["context_tokens"]
    his = read_bytes({**at.values, "price_step_tokens": tokens})
    read, usual = (tokens * one / hbm_bytes for one in (his, usual_bytes(tokens)))
    return RackPicture(
        cabinets=tuple(
            cabinet for part in (read, usual) for cabinet in cabinets(1, chips=chips, memory=[(Colour.KV, part)])
        ),
        words=words(
            f"{format_quantity(tokens, 'count')} tokens of context in a chip's ",
            stated(at, HBM),
            ": ",
            (f"{_part(read)} by his reading, {_part(usual)} in half of the open models", Colour.KV),
            ".",
        ),
    )


def without_contexts(at: Standing) -> RackPicture:
    """A decode step of the board's batch before any context is read."""
    values, shown = at.values, (Colour.COMPUTE, Colour.WEIGHTS)
    context, crossover = values["context_tokens"], values["crossover_tokens"]
    return in_shares(at, context_tokens=context, crossover_tokens=crossover, shown=shown, beside=", not read yet")


def written(at: Standing) -> RackPicture:
    """A decode step of the board's contexts."""
    values = at.values
    return in_shares(at, context_tokens=values["context_tokens"], crossover_tokens=values["crossover_tokens"])


def written_and_read(at: Standing) -> RackPicture:
    """Decode step beside a pass over a prompt of that length, which reads memory once for all its tokens."""
    values, chips = at.values, number(at, controls.chips())
    tokens = values["context_tokens"]
    one = step_of(context_over_crossover=tokens / values["crossover_tokens"], balance_batches=values["balance_batches"])
    whole = decode_step(weights=one.weights / tokens, kv=one.kv / tokens, compute=one.compute)
    return RackPicture(
        cabinets=tuple(
            cabinet for step in (one, whole) for cabinet in cabinets(1, chips=chips, tracks=step.tracks(ALL))
        ),
        words=words(
            "Output, 1 token a pass: ",
            (f"weights {_part(one.weights)}", Colour.WEIGHTS),
            ", ",
            (f"KV {_part(one.kv)}", Colour.KV),
            ", ",
            (f"compute {_part(one.compute)}", Colour.COMPUTE),
            ". Input, ",
            stated(at, at.board.control("context_tokens")),
            " a pass: ",
            (f"compute {_part(whole.compute)}", Colour.COMPUTE),
            ".",
        ),
    )


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
            f"{values['chips']:.0f} chips, 1 user with {format_quantity(values['context_tokens'], 'count')} tokens."
            " Memory: ",
            (f"KV {_part(part)}", Colour.KV),
            " of ",
            stated(at, HBM),
            " a chip.",
        ),
    )


def vast_and_read(at: Standing) -> RackPicture:
    """Rack with a vast context, and the compute time of the chips while they read a prompt of a million tokens."""
    found, parameters = vast(at), _parameters_part(at)
    busy = [[(Colour.COMPUTE, 0.0, parameters), (Colour.BOUND, parameters, 1.0)]]
    (timed,) = cabinets(1, chips=at.values["chips"], tracks=busy)
    pieces: list[Piece] = [
        f" Reading {format_quantity(LONG_TOKENS, 'count')}: ",
        (f"parameters {_part(parameters)} of the time", Colour.COMPUTE),
        ", ",
        (f"attention {_part(1 - parameters)}", Colour.BOUND),
        ".",
    ]
    return replace(
        found,
        cabinets=tuple(replace(one, tracks=timed.tracks) for one in found.cabinets),
        words=(*found.words, *words(*pieces)),
    )


def _parameters_part(at: Standing) -> float:
    """Fraction of a long prompt's arithmetic that the parameters take."""
    tokens = np.array([LONG_TOKENS])
    parameters, full = (prompt_usd(at.values, with_attention=one)(tokens) for one in (False, True))
    return float((parameters / full)[0])


def held(at: Standing) -> RackPicture:
    """Chips whose memory the caches of a billion tokens take."""
    values, chips = at.values, number(at, controls.chips())
    kv_bytes = TOKENS * values["kv_bytes_per_token"]
    part = kv_bytes / (chips * values["hbm_bytes"])
    (rack,) = cabinets(1, chips=chips)
    return RackPicture(
        cabinets=(replace(rack, painted=portions(rack.chips, {Colour.KV: min(1.0, part)})),),
        words=words(
            f"{format_quantity(TOKENS, 'count')} tokens of KV cache, {format_quantity(kv_bytes, 'bytes')}: ",
            (_portion(part, "the HBM"), Colour.KV),
            f" of {chips:.0f} chips of ",
            stated(at, HBM),
            ".",
        ),
    )


def held_longer(at: Standing) -> RackPicture:
    """Rack with a held context, and the cheaper places for it once the next use is far off."""
    found = held(at)
    moves = [f"{there} from {format_quantity(held_s, 'duration', 2)}" for (_, there), held_s in changes(at.values)]
    return replace(found, words=(*found.words, *words(f" Cheaper: {', '.join(moves)}."))) if moves else found


def _portion(fraction: float, whole: str) -> str:
    """'9.6 % of the HBM'; of what exceeds it '4.9 times the HBM'."""
    return f"{_part(fraction)} of {whole}" if fraction <= 1 else f"{format_number(fraction, 2)} times {whole}"


def _part(fraction: float) -> str:
    return format_quantity(fraction, "fraction", 2)
