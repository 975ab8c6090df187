"""Sentences of the chapter's steps on the numbers that they do not open in."""

from __future__ import annotations

from math import ceil

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.lecture.whose import where_he
from ridgeline.boards.note import DIGITS
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.walk import Seen, along, height, is_as_opened, mark_named, upright
from ridgeline.quantity_text import format_number

__all__ = ["cached_more", "hops_of_more", "lighter", "racks_in_a_row", "read_sooner"]


def _own(seen: Seen) -> str:
    return "DeepSeek-V3" if is_as_opened(seen, "weight_bytes") else "this model"


def racks_in_a_row(seen: Seen, mode: Mode | None = None) -> RowOfRacks:
    """The step's picture of what chips hold.

    Raises:
        TypeError: it is another.
    """
    picture = seen.pictures[mode or seen.mode]
    if not isinstance(picture, RowOfRacks):
        raise TypeError(f"racks are asked of a view of {type(picture).__name__}; ask the last of the board")
    return picture


def lighter(seen: Seen) -> str:
    """Sentence on the weights of a known model in one rack."""
    values, his, weights = seen.values[seen.mode], seen.values[Mode.LECTURE], racks_in_a_row(seen).parts[0]
    alone, has = weights.held_text[0], _bytes(values["hbm_bytes"])
    needed = ceil(weights.held[0] / values["hbm_bytes"])
    rack = f"on a rack of {times(values['chips_per_stage'], 'chip')}"
    fits = (
        f"takes {alone} of each chip's {has}: memory asks for no pipeline"
        if needed == 1
        else f"would take {alone} of each chip, which has {has}: the weights need a row of {needed:,} racks"
    )
    return (
        f"With {_bytes(values['weight_bytes'])} of weights {rack}, {_own(seen)} {fits}. His model takes"
        f" {_bytes(his['weight_bytes'] / his['chips_per_stage'])} of {_bytes(his['hbm_bytes'])}."
    )


def _bytes(value: float) -> str:
    return shown(value, "bytes", DIGITS)


def cached_more(seen: Seen) -> str:
    """Sentence on caches that outweigh the weights."""
    values, picture, his = seen.values[seen.mode], racks_in_a_row(seen), racks_in_a_row(seen, Mode.LECTURE)
    weights, cache = picture.parts
    cached, his_cached = cache.held_text[picture.here], his.parts[1].held_text[his.here]
    tokens = f"{count_text(values['context_tokens'], DIGITS)} token{'' if values['context_tokens'] == 1 else 's'}"
    less = "less" if cache.held[0] > weights.held[0] else "more"
    is_over = cache.held[picture.here] > picture.hbm_bytes
    holds, room = ("would hold", "more than it has room for") if is_over else ("holds", "however many racks there are")
    each = _bytes(values["kv_bytes_per_token"])
    return (
        f"Contexts have {tokens} here, each of {each}. A chip {holds} {cached} of KV cache,"
        f" {room}{where_he('his holds', his_cached, cached)}. In one rack a chip's weights take {less}:"
        f" {weights.held_text[0]}."
    )


def hops_of_more(seen: Seen) -> str:
    """Sentence on the hop of a fleet's batch."""
    values, his = seen.values[seen.mode], seen.values[Mode.LECTURE]
    every, with_his = mark_named(seen, "ports"), mark_named(seen, "ports", Mode.LECTURE)
    guess, count = height(seen, "his guess", every.x), count_text(values["batch"], DIGITS)
    ratio, less = (guess / every.y, " less than") if guess >= every.y else (every.y / guess, "")
    batch, his_batch = f"{count} sequence{'' if values['batch'] == 1 else 's'}", count_text(his["batch"], DIGITS)
    beside = f"{format_number(ratio, 2)} times{less} the {upright(seen, guess)} that he guesses"
    return (
        f"Through {times(every.x, 'port')} a hop of {batch} takes {upright(seen, every.y)}, {beside}. His own"
        f" {his_batch} would take {upright(seen, with_his.y)}."
    )


def read_sooner(seen: Seen) -> str:
    """Sentence on the weights of a known model that two domains read."""
    small, large = (mark_named(seen, f"domain of {name}") for name in ("H100", "GB200"))
    return (
        f"The weights of {_own(seen)} are {shown(seen.values[seen.mode]['weight_bytes'], 'bytes', DIGITS)}."
        f" {along(seen, small.x)} Hoppers read them in {upright(seen, small.y)}, {along(seen, large.x)} Blackwells in"
        f" {upright(seen, large.y)}. The factor of {small.y / large.y:.0f} is that of the racks, whatever they read."
    )
