"""Sentences of the chapter's steps on the numbers that they do not open in."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.prices import kv_bytes, long_context, tiers
from ridgeline.boards.lecture.prices.cache_prices import MOMENTS
from ridgeline.boards.lecture.prices.long_context import NOTICED_TOKENS
from ridgeline.boards.lecture.prices.prefill import LIST_RATIO, over_arithmetic
from ridgeline.boards.lecture.whose import otherwise_his, where_he
from ridgeline.boards.note import DIGITS
from ridgeline.boards.two_chips import Side, TwoChips
from ridgeline.boards.walk import Seen, drawn, height, is_as_opened, mark_named, upright

__all__ = [
    "FEW_TOKENS",
    "accounted",
    "both_readings",
    "drains",
    "holding",
    "leak",
    "output_cost",
    "read_backwards",
    "rereading",
    "sides",
]

FEW_TOKENS = 10
"""Context below which nobody counts its tokens."""
ROUNDED = 2
"""Significant digits of ratios and rates."""
MODEL = "DeepSeek-V3"
SHORT, *_ = MOMENTS
"""The shorter of the times for which caches are sold."""


def _his(seen: Seen, name: str, dimension: str) -> str:
    return shown(float(seen.board.control(name).lecture), dimension, DIGITS)


def leak(seen: Seen) -> str:
    """Sentence on the context at which reading overtakes computing, and whether a price step can tell of it."""
    values = seen.values[seen.mode]
    own = MODEL if is_as_opened(seen, "kv_bytes_per_token") else "this model"
    cache = shown(values["kv_bytes_per_token"], "bytes", DIGITS)
    begins = (
        f"A token of {own} has {cache} of KV"
        f" cache{where_he('he works out', _his(seen, 'kv_bytes_per_token', 'bytes'), cache)}."
    )
    step = count_text(values["price_step_tokens"], DIGITS)
    crossing = next((mark.x for mark in drawn(seen).marks if mark.name == "crossover"), None)
    if crossing is None:
        return (
            f"{begins} Reading takes longer than computing at any context, so no crossover explains a step at {step}."
        )
    few = "the first" if crossing < FEW_TOKENS else count_text(crossing, ROUNDED)
    where = f"Reading takes longer than computing from {few} tokens on"
    if crossing < values["price_step_tokens"]:
        return f"{begins} {where}, so a price that steps at {step} says nothing of it."
    return f"{begins} {where}, beyond the step at {step}."


def read_backwards(seen: Seen, models: int, who: str) -> str:
    """Sentence on the KV bytes that the crossover asks of a model that exists.

    Args:
        seen: state of the step.
        models: number of known models.
        who: words for the models among them that read as little.
    """
    values = seen.values[seen.mode]
    own = f"{MODEL}'s" if is_as_opened(seen, "active_params") else "this model's"
    at_his = {**seen.values[Mode.LECTURE], "context_tokens": values["context_tokens"]}
    implied, his = (shown(kv_bytes.own_crossover_bytes(one), "bytes", DIGITS) for one in (values, at_his))
    turned = otherwise_his(seen, "context_tokens")
    beside = f"; {turned}, {his}" if turned else where_he("he has", his, implied)
    return (
        f"With {own} {shown(values['active_params'], 'count', DIGITS)} active parameters, a crossover at"
        f" {count_text(values['context_tokens'], DIGITS)} tokens means {implied} of cache per"
        f" token{beside}. Of {models} models, {who}."
    )


def sides(seen: Seen) -> tuple[Side, Side]:
    """Decode and prefill as the two chips have them."""
    return _sides(seen, seen.mode)


def _sides(seen: Seen, mode: Mode) -> tuple[Side, Side]:
    picture = seen.pictures[mode]
    if not isinstance(picture, TwoChips):
        raise TypeError(f"two chips are asked of a view of {type(picture).__name__}; ask the second of the board")
    return picture.sides


def _per_token(side: Side) -> float:
    return max(side.weights + side.kv, side.compute) / side.tokens


def _cached(seen: Seen, mode: Mode) -> str:
    decode, _ = _sides(seen, mode)
    return shown(decode.kv / (decode.weights + decode.kv), "fraction", ROUNDED)


def rereading(seen: Seen) -> str:
    """Sentence on how many times as much an output token costs, and on what decode waits for."""
    decode, prefill = sides(seen)
    ratio = _per_token(decode) / _per_token(prefill)
    same = {"context_tokens", "crossover_tokens", "balance_batches", "active_params", "flop_per_s"}
    own = f"By {MODEL}'s numbers on a GB200" if is_as_opened(seen, *same) else "Here"
    costs = (
        f"costs {shown(ratio, 'count', ROUNDED)} times an input token, where a list asks"
        f" {shown(LIST_RATIO, 'count', ROUNDED)} times"
        if ratio > 1
        else "costs no more than one of input"
    )
    return (
        f"{own}, an output token {costs}. KV caches are {_cached(seen, seen.mode)} of what a decode pass"
        f" fetches; by his numbers they are {_cached(seen, Mode.LECTURE)}."
    )


def both_readings(seen: Seen) -> str:
    """Sentence on the cost of an output token where the crossover is that of a model that exists."""
    values = seen.values[seen.mode]
    own = f"By {MODEL}'s cache" if is_as_opened(seen, "crossover_tokens") else "Here"
    cost, his = (over_arithmetic(output_cost(seen, mode), " its arithmetic") for mode in (seen.mode, Mode.LECTURE))
    crossover, his_crossover = count_text(values["crossover_tokens"], DIGITS), _his(seen, "crossover_tokens", "count")
    not_his = "" if crossover == his_crossover else f", not at {his_crossover}"
    return (
        f"{own}, reading overtakes computing at {crossover} tokens"
        f"{not_his}. In a batch {shown(values['balance_batches'], 'count', DIGITS)}"
        f" times the balance batch, an output token with {count_text(values['context_tokens'], DIGITS)} before it costs"
        f" {f'{cost}, as by his numbers' if cost == his else f'{cost}; by his numbers, {his}'}."
    )


def output_cost(seen: Seen, mode: Mode) -> float:
    """Cost of an output token over that of its arithmetic, in the batch that is chosen."""
    return height(seen, "cost", seen.values[mode]["balance_batches"], mode)


def accounted(seen: Seen) -> str:
    """Sentence on the prompt by his account of attention's arithmetic."""
    values = seen.values[seen.mode]
    tokens = values["context_tokens"]
    his, ours = (
        shown(long_context.whole_prompt_usd({**seen.values[mode], "context_tokens": tokens}), "usd", DIGITS)
        for mode in (seen.mode, Mode.CAREFUL)
    )
    doubled = count_text(long_context.doubled_tokens(values), ROUNDED)
    own = otherwise_his(seen)
    return (
        f"He notices attention's arithmetic from {count_text(float(NOTICED_TOKENS), ROUNDED)} tokens of context on. If"
        f" so, {f'{own}, ' if own else ''}it doubles a prompt's cost at {doubled}, and a prompt of"
        f" {count_text(tokens, DIGITS)} costs {his}; by sourced numbers that prompt costs {ours}."
    )


def holding(seen: Seen) -> str:
    """Sentence on what a cache costs to hold that is as large as a model's that exists."""
    values = seen.values[seen.mode]
    own = f"{MODEL}'s" if is_as_opened(seen, "kv_bytes_per_token") else "this model's"
    cache = shown(values["kv_bytes_per_token"], "bytes", DIGITS)
    mark = mark_named(seen, f"{SHORT} in the cheapest")
    hbm, again, least = (height(seen, one, mark.x) for one in ("HBM", "recompute", "cheapest"))
    beside = where_he("he takes", _his(seen, "kv_bytes_per_token", "bytes"), cache)
    return (
        f"At {own} {cache} per token{beside}, {mark.text} in HBM cost {upright(seen, hbm)}:"
        f" {'more' if hbm > again else 'less'} than the {upright(seen, again)} of computing it again. The cheapest"
        f" store takes {upright(seen, least)}."
    )


def drains(seen: Seen) -> str:
    """Sentence on the memory of a chip that is sold."""
    own = "a GB200's" if is_as_opened(seen, "hbm_bytes", "hbm_bytes_per_s") else "this chip's"
    here, his = (tiers.drain_text(seen.values[mode], "HBM") for mode in (seen.mode, Mode.LECTURE))
    return (
        f"Drives and disks are the same by either numbers; only the chip differs. All of {own} HBM is read in {here},"
        f" that of his next chip in {his}."
    )
