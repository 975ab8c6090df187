"""The walk from 1:33:02: conclusions from a price list, where two readings of it part, and where caches wait."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ridgeline.boards import constant
from ridgeline.boards.board import Mode
from ridgeline.boards.clause import Clause
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text, time_text
from ridgeline.boards.lecture.prices import context, drain_times, kv_bytes, long_context, tiers
from ridgeline.boards.lecture.prices.cache_prices import DISK, FLASH, SMALL_FLASH
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Colour
from ridgeline.boards.tied_to import as_said, control, handle, mark_x, mark_y, not_drawn
from ridgeline.boards.two_chips import TwoChips
from ridgeline.boards.walk import (
    FAIR,
    MAGNITUDE,
    Question,
    Seen,
    Step,
    along,
    at_mark,
    computed_of,
    drawn,
    height,
    line_named,
    mark_named,
    upright,
)
from ridgeline.catalog.storage import storage_device

__all__ = ["STEPS"]

LARGE_BATCHES = constant.said(3.0, "0:19:50", hedge="double or triple it")
"""Balance batches of a batch as operators run it, for which the weights cost little."""

MANY_NAMES = 4
"""Models from which on they are counted in a sentence and not named."""
LONG_TOKENS = 1e6
"""Length of a prompt: 'in the millions', as he says, begins here."""
KNOWN_TOKENS = 1e4
"""Length of a prompt up to which its cost is drawn: attention hardly shows in it yet."""


def _leak(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        "Price lists leak: Gemini charges half as much again per output token beyond"
        f" {shown(values['price_step_tokens'], 'count')} tokens of context. Perhaps reading the context overtakes"
        " computing there. It does so earlier if weights are read, too: with"
        f" {values['balance_batches']:g} balance batches, at {along(seen, mark_named(seen, 'crossover').x)}."
    )


def _models(seen: Seen) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Active parameters and KV bytes of all models that are drawn."""
    params, read = (np.concatenate([getattr(dots, axis) for dots in drawn(seen).dots]) for axis in "xy")
    return params, read


def _late(seen: Seen) -> int:
    """Number of models that cross over no earlier, with what each has to compute."""
    params, models = _models(seen)
    return int(np.sum(models <= np.interp(params, drawn(seen).x, line_named(drawn(seen), "crossover").y)))


def _read_as_little(seen: Seen) -> str:
    """Names of the models that read no more than the crossover asks for."""
    most = mark_named(seen, "crossover at that context").y
    below = [
        label for dots in drawn(seen).dots for label, read in zip(dots.labels, dots.y, strict=True) if read <= most
    ]
    # The nearest to the line is named first in the picture, and shortest.
    return " and ".join(reversed(below))


def _who_reads_as_little(seen: Seen) -> str:
    names = _read_as_little(seen)
    count = names.count(" and ") + 1 if names else 0
    if not 0 < count < MANY_NAMES:
        return f"{count or 'none'} read as little"
    return f"only {names.replace(' and ', ', ', count - 2)} read{'s' if count == 1 else ''} as little"


def _who_crosses_late(seen: Seen) -> str:
    late = _late(seen)
    if not late and _read_as_little(seen):
        return "With less to compute, they cross over earlier, too"
    return f"Given what each computes, {late or 'none'} would cross over as late"


def _bytes(seen: Seen) -> str:
    read = mark_named(seen, "crossover at that context").y
    values = seen.values[seen.mode]
    return (
        f"Read backwards, a crossover at {shown(values['context_tokens'], 'count')} tokens means"
        f" {upright(seen, read)} of KV cache per token. Of {len(_models(seen)[1])} known models (dots),"
        f" {_who_reads_as_little(seen)}. {_who_crosses_late(seen)}. Perhaps it is mere policy."
    )


def _both_readings(seen: Seen) -> str:
    step = shown(seen.values[seen.mode]["crossover_tokens"], "count")
    return (
        f"Can this and the higher price above {step} tokens both reflect costs? To explain the higher price, he"
        " assumed a batch so large that the weights cost almost nothing."
    )


def _both_readings_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"Take such a batch, {values['balance_batches']:g} times the balance batch, and contexts of"
        f" {shown(values['context_tokens'], 'count')} tokens. How many times its arithmetic does an output token cost?"
    )


def _both_readings_reveal(seen: Seen) -> str:
    start = seen.board.values(Mode.LECTURE)["balance_batches"]
    return (
        f"By our numbers only {upright(seen, height(seen, 'cost', 1), 2)}, so output would cost no more than"
        f" input. A factor of five takes a batch of {start:.1g} times the balance batch. The price list cannot mean"
        " both."
    )


def _prompt_prompt(seen: Seen) -> str:
    parameters = upright(seen, height(seen, "parameters", LONG_TOKENS), 2)
    return (
        f"DeepSeek-V3 by its config.json reads a prompt of {along(seen, LONG_TOKENS)} tokens on GB200. Its"
        f" parameters' arithmetic costs {parameters}; what is the cost with attention included?"
    )


def _prompt_reveal(seen: Seen) -> str:
    doubled = mark_named(seen, "attention doubles it").x
    times = height(seen, "full", LONG_TOKENS) / height(seen, "parameters", LONG_TOKENS)
    return (
        f"We compute {upright(seen, height(seen, 'full', LONG_TOKENS), 2)}, {times:.0f} times as much. In this model,"
        f" attention doubles the cost of reading a prompt at {along(seen, doubled, 2)} tokens, not in the"
        " millions. For a token written by a dense model of his size, that happens at"
        f" {count_text(computed_of(seen, 'D9'), DIGITS)}."
    )


def _held(seen: Seen) -> float:
    """Holding time of a cache that is sold for five minutes."""
    return mark_named(seen, "5 min in the cheapest").x


def _hold_prompt(seen: Seen) -> str:
    return (
        f"The cache of {shown(tiers.TOKENS, 'count')} tokens is used again after {along(seen, _held(seen))}. What does"
        " it cost to hold it in HBM until then?"
    )


def _hold_reveal(seen: Seen) -> str:
    hbm, flash, again, listed = (height(seen, name, _held(seen)) for name in ("HBM", "flash", "recompute", "list"))
    return (
        f"{upright(seen, hbm)}, {hbm / flash:.0f} times as much as in flash. Here our numbers differ: computing it"
        f" again costs {upright(seen, again)}, 1/{listed / again:.0f} of a list's {upright(seen, listed)}. So the"
        " ratios of a price list say something about costs; its dollars do not."
    )


def _drained(seen: Seen) -> str:
    flash, disk = (tiers.drain_text(seen.values[seen.mode], tier) for tier in ("flash", "disk"))
    small_s = computed_of(seen, "D15")
    return (
        "Caches are sold for five minutes or an hour: as long, he says, as all of a flash drive or a disk takes to"
        f" read. But a small flash drive takes {time_text(small_s, 2)}, a usual one {flash} and a disk {disk}. By the"
        " costs just seen, flash wins both."
    )


def _crossover(seen: Seen) -> float | None:
    """Context at which reading overtakes computing with weights read; None where it is ahead at any."""
    return next((mark.x for mark in drawn(seen).marks if mark.name == "crossover"), None)


def _crosses_earlier(seen: Seen) -> bool:
    found = _crossover(seen)
    return found is not None and found < seen.values[seen.mode]["price_step_tokens"]


def _crosses_elsewhere(seen: Seen) -> str:
    batches, found = f"{seen.values[seen.mode]['balance_batches']:.3g}", _crossover(seen)
    if found is None:
        return f"With weights read, too, and {batches} balance batches, reading is ahead at any context"
    return f"With weights read, too, and {batches} balance batches, it does so at {along(seen, found)}"


def _waits(seen: Seen) -> bool:
    decode, _ = _two_chips(seen).sides
    return decode.weights + decode.kv > decode.compute


def _two_chips(seen: Seen) -> TwoChips:
    picture = seen.pictures[seen.mode]
    if not isinstance(picture, TwoChips):
        raise TypeError(f"two chips are asked of a view of {type(picture).__name__}; ask the second of the board")
    return picture


def _each_is_cheaper(seen: Seen) -> bool:
    """Whether each tier costs less for each second, and more to begin with, than the one before."""
    x, tiers_ = drawn(seen).x, ("HBM", "DDR", "flash", "disk")
    ends = [[height(seen, name, at) for at in (x[0], x[-1])] for name in tiers_]
    return all(first < then and first_late > late for (first, first_late), (then, late) in pairwise(ends))


STEPS = (
    Step(
        board="context",
        time_stamp="1:33:30",
        formula=context.COST_EQUATION,
        lines=("compute", "KV alone", "list price", "cost"),
        sentence=_leak,
        read_at=lambda seen: seen.values[seen.mode]["price_step_tokens"],
        named={
            "half as much again": Colour.MONEY,
            "reading the context": Colour.KV,
            "computing": Colour.COMPUTE,
        },
        ties=(as_said(handle()), control("balance_batches"), mark_x("crossover")),
        claims=("D1", "D2"),
        clauses=(
            Clause(
                words="It does so earlier if weights are read, too: …",
                holds=_crosses_earlier,
                otherwise=_crosses_elsewhere,
            ),
        ),
    ),
    Step(
        board="kv-bytes",
        time_stamp="1:38:35",
        formula=kv_bytes.CROSSOVER_EQUATION,
        sentence=_bytes,
        named={"KV cache": Colour.KV, "a crossover": Colour.BOUND},
        ties=(
            control("context_tokens"),
            mark_y("crossover at that context"),
            not_drawn(lambda seen: len(_models(seen)[1]), "number of the dots"),
        ),
        claims=("D3",),
        clauses=(
            Clause(words="only DeepSeek-V4-Flash and V4-Pro read as little", otherwise=_who_reads_as_little),
            Clause(words="With less to compute, they cross over earlier, too", otherwise=_who_crosses_late),
        ),
    ),
    Step(
        board="prefill",
        view=1,
        time_stamp="1:45:30",
        sentence="Another leak: output costs about five times as much as input. Output is written one token at a time"
        " and waits for memory; input is read a whole prompt at a time, and one fetch of memory serves it all.",
        named={"a whole prompt at a time": Colour.COMPUTE},
        claims=("D6", "D8", "D22"),
        clauses=(
            Clause(
                words="and waits for memory", holds=_waits, otherwise="but here computes longer than it reads memory"
            ),
        ),
    ),
    Step(
        board="prefill",
        time_stamp="1:47:40",
        turned={"balance_batches": LARGE_BATCHES},
        lines=("memory", "cost"),
        sentence=_both_readings,
        ties=(as_said(control("crossover_tokens")),),
        claims=("D7",),
        question=Question(
            prompt=_both_readings_prompt,
            line="cost",
            x=1.0,
            tolerance_ratio=FAIR,
            reveal=_both_readings_reveal,
            terms=3,  # up to what memory takes: the next is the answer
        ),
    ),
    Step(
        board="long-context",
        view=2,
        time_stamp="1:52:00",
        formula=long_context.PROMPT_EQUATION,
        modes=(Mode.CAREFUL,),
        lines=("parameters", "full"),
        sentence="Why does nobody sell a hundred million tokens of context, a month of work? Memory cannot deliver them"
        " in time, he says. By his account attention's own arithmetic hardly matters before the millions.",
        named={"attention's own arithmetic": Colour.BOUND},
        claims=("D9", "D11"),
        question=Question(
            prompt=_prompt_prompt,
            line="full",
            x=LONG_TOKENS,
            known_to=KNOWN_TOKENS,
            tolerance_ratio=MAGNITUDE,
            reveal=_prompt_reveal,
        ),
    ),
    Step(
        board="tiers",
        time_stamp="2:00:50",
        formula=tiers.HIT_EQUATION,
        sentence="A KV cache that may be needed again can stay in HBM or move to DDR, flash or disk. Each of"
        " these costs less to keep it in than the last, and more to fetch it from. Or it is dropped and computed"
        " again.",
        named={
            "HBM": Colour.KV,
            "DDR": Colour.ASIDE,
            "flash": Colour.ALSO,
            "disk": Colour.BOUND,
            "computed again": Colour.COMPUTE,
        },
        claims=("D12", "D14", "D21"),
        question=Question(
            prompt=_hold_prompt,
            line="HBM",
            x=at_mark("5 min in the cheapest"),
            tolerance_ratio=MAGNITUDE,
            reveal=_hold_reveal,
        ),
        clauses=(
            Clause(
                words="Each of these costs less to keep it in than the last, and more to fetch it from",
                holds=_each_is_cheaper,
                otherwise="At these prices not each costs less to keep it in than the last, and more to fetch it from",
            ),
        ),
    ),
    Step(
        board="tiers",
        view=2,
        time_stamp="2:02:20",
        formula=drain_times.DRAIN_EQUATION,
        sentence=_drained,
        named={"flash": Colour.ALSO, "disk": Colour.BOUND},
        ties=tuple(mark_y(storage_device(name).name) for name in (SMALL_FLASH, FLASH, DISK)),
        claims=("D15", "D16", "D26"),
        answer="Where memory takes over from arithmetic: from which context on, with how many bytes of KV cache, and in"
        " which store a cache waits. Ratios of prices tell that; dollars hold more than costs.",
    ),
)
