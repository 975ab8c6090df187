"""The walk from 1:33:02: conclusions from a price list, where two readings of it part, and where caches wait."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ridgeline.boards import constant
from ridgeline.boards.board import Mode
from ridgeline.boards.clause import Clause
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text, time_text
from ridgeline.boards.lecture.numbers import HUGE_TOKENS
from ridgeline.boards.lecture.prices import (
    choices,
    context,
    drain_times,
    grounds,
    kv_bytes,
    long_context,
    others,
    prefill,
    tiers,
)
from ridgeline.boards.lecture.prices.cache_places import places_of
from ridgeline.boards.lecture.prices.cache_prices import DISK, FLASH
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Colour
from ridgeline.boards.tied_to import as_said, control, handle, in_picture, mark_x, mark_y, not_drawn, on_mark, whole
from ridgeline.boards.walk import (
    FAIR,
    MAGNITUDE,
    Question,
    Seen,
    Step,
    along,
    drawn,
    height,
    is_as_opened,
    line_named,
    mark_named,
    once_turned,
    upright,
)
from ridgeline.catalog.storage import storage_device
from ridgeline.quantity_text import counted

__all__ = ["STEPS"]

LARGE_BATCHES = constant.said(3.0, "0:19:50", hedge="double or triple it")
"""Balance batches of a batch as operators run it, for which the weights cost little."""

FEW_BATCHES = 0.3
"""Balance batches up to which the cost of an output token is drawn: there it still waits for memory."""

HARDLY = 0.995
"""Ratio of two contexts that read alike to three digits."""
LARGE = {"balance_batches": LARGE_BATCHES}
MANY_NAMES = 4
"""Models from which on they are counted in a sentence and not named."""
MILLION = 1e6
"""Tokens of which prices are named."""
LONG_TOKENS = 1e6
"""Length of a prompt: 'in the millions', as he says, begins here."""
KNOWN_TOKENS = 1e4
"""Length of a prompt up to which its cost is drawn: attention hardly shows in it yet."""


def _leak(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"Beyond {shown(values['price_step_tokens'], 'count')} tokens of context, Gemini's output"
        " costs half as much again. He takes this for the crossover, where reading the caches begins to take longer"
        " than computing. But weights are read, too. Even in a batch"
        f" {values['balance_batches']:g} times the balance batch, reading overtakes computing at"
        f" {along(seen, mark_named(seen, 'crossover').x)} tokens."
    )


def _late(seen: Seen) -> int:
    """Number of models that cross over no earlier, with what each has to compute."""
    params, models = choices.models(seen)
    return int(np.sum(models <= np.interp(params, drawn(seen).x, line_named(drawn(seen), "crossover").y)))


def _read_as_little(seen: Seen) -> str:
    """Names of the models that read no more than the crossover asks for."""
    most = choices.implied_bytes(seen)
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


def _read_backwards(seen: Seen) -> str:
    return others.read_backwards(seen, len(choices.models(seen)[1]), _who_reads_as_little(seen))


def _who_crosses_late(seen: Seen) -> str:
    """Sentences on what a price step there tells: something of memory only if a model crosses over no earlier."""
    late, names = _late(seen), _read_as_little(seen)
    if late:
        return (
            f"Counting what each computes as well, {counted(late, 'model')} cross{'es' if late == 1 else ''} over there"
            " or later, so memory could explain a price step"
        )
    if not names:
        return "None crosses over as late, so a price step may have other reasons"
    they = (
        "They compute less for a token, too, and cross"
        if " and " in names
        else "It computes less for a token, too, and crosses"
    )
    return f"{they} over earlier. So a price step may have other reasons"


def _bytes(seen: Seen) -> str:
    read = choices.implied_bytes(seen)
    values = seen.values[seen.mode]
    return (
        f"He reckons back: a crossover at {shown(values['context_tokens'], 'count')} tokens means that each has"
        f" {upright(seen, read)} of KV cache. Of the published models, drawn as dots,"
        f" {_who_reads_as_little(seen)}. {_who_crosses_late(seen)}."
    )


def _rates(seen: Seen) -> str:
    """Words that follow once a chip's numbers are turned: its tokens per second, as the two chips have them."""
    decode, prefill = (side.rate_text.removesuffix(" tokens/s a chip") for side in others.sides(seen))
    return f". Here a chip writes {decode} tokens a second and reads {'as many' if prefill == decode else prefill}"


def _decode_beside_prefill(seen: Seen) -> str:
    return (
        "Price lists also show that output costs about five times as much as input. Output is written one token at a"
        " time (decode) and waits for memory. Input is read a whole prompt at a time (prefill), and one fetch from"
        " memory serves all of it. The picture's batch is"
        f" {shown(seen.values[seen.mode]['balance_batches'], 'count', 1)} times the balance batch."
    )


def _both_readings(seen: Seen) -> str:
    step = shown(seen.values[seen.mode]["crossover_tokens"], "count")
    return (
        f"Can one batch explain two prices: output dearer than input, and dearer still above {step} tokens? For the"
        " second, he assumed a batch so large that the weights cost almost nothing. Does that batch explain the first?"
    )


def _both_readings_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"Take a batch {values['balance_batches']:g} times the balance batch, with contexts of"
        f" {shown(values['context_tokens'], 'count')} tokens. How many times its own arithmetic does an output token"
        " cost?"
    )


def _both_readings_reveal(seen: Seen) -> str:
    start = seen.board.values(Mode.LECTURE)["balance_batches"]
    return (
        f"{upright(seen, others.output_cost(seen, seen.mode), 2)}: it costs just its arithmetic. Nothing waits"
        " for memory, so output costs no more than input. For output to cost five times as much, the batch has to be"
        f" {start:.1g} times the balance batch. So no single batch explains both prices."
    )


def _batches(seen: Seen) -> float:
    return seen.values[seen.mode]["balance_batches"]


def _cost_now(seen: Seen) -> str:
    cost = upright(seen, others.output_cost(seen, seen.mode), 3)
    batches = seen.values[seen.mode]["balance_batches"]
    of = "the balance batch" if batches == 1 else f"a batch {shown(batches, 'count')} times the balance batch"
    return f" Here, in {of}, an output token costs {'no more than' if cost == '1' else f'{cost} times'} its arithmetic."


def _huge_fraction(seen: Seen) -> float:
    """Size of a cache of a hundred million tokens, over the memory of all chips."""
    values = seen.values[seen.mode]
    return float(HUGE_TOKENS) * values["kv_bytes_per_token"] / (values["chips"] * values["hbm_bytes"])


def _huge_read_s(seen: Seen) -> float:
    """Time in which all chips read that cache once."""
    return float(long_context.read_s(seen.values[seen.mode], float(HUGE_TOKENS)))


def _forbidden(seen: Seen) -> str:
    return (
        f"Why does nobody sell contexts of {shown(float(HUGE_TOKENS), 'count')} tokens? Memory, he says; attention's"
        " arithmetic hardly matters below millions. A GB200 rack holds DeepSeek-V3's cache of them, but reading it"
        f" takes {shown(_huge_read_s(seen), 's', DIGITS)} a token: a million cost {_huge_usd_text(seen)}."
        " Attention's arithmetic grows with length squared."
    )


def _huge_usd(seen: Seen) -> float:
    """Cost of a million tokens that are written with such a context."""
    return MILLION * long_context.written_usd(seen.values[seen.mode], float(HUGE_TOKENS))


def _huge_usd_text(seen: Seen) -> str:
    return shown(_huge_usd(seen), "usd", DIGITS)


def _here_forbidden(seen: Seen) -> str:
    """Words on that cache and another memory, or another model's: whether it fits, and what reading it costs."""
    fraction, chips = _huge_fraction(seen), counted(seen.values[seen.mode]["chips"], "chip")
    read = shown(_huge_read_s(seen), "s", DIGITS)
    if fraction > 1:
        return f"Here such a cache takes {shown(fraction, 'count', 2)} times the memory of {chips}, which forbids it"
    return (
        f"Here such a cache fills {shown(fraction, 'fraction', 2)} of the memory of {chips}. Reading it takes {read}"
        f" a token: a million cost {_huge_usd_text(seen)}"
    )


def _prompt_prompt(seen: Seen) -> str:
    parameters = upright(seen, height(seen, "parameters", LONG_TOKENS), 2)
    return (
        f"DeepSeek-V3 reads a prompt of {along(seen, LONG_TOKENS)} tokens on GB200. Multiplying by its parameters costs"
        f" {parameters}. What does the prompt cost with attention included?"
    )


def _prompt_reveal(seen: Seen) -> str:
    doubled = mark_named(seen, "attention doubles it").x
    times = height(seen, "full", LONG_TOKENS) / height(seen, "parameters", LONG_TOKENS)
    return (
        f"{upright(seen, height(seen, 'full', LONG_TOKENS), 2)}, {times:.0f} times as much. In this model, attention"
        f" doubles the cost of reading a prompt at {along(seen, doubled, 2)} tokens, not at millions."
    )


def _prompt_now(seen: Seen) -> str:
    values = seen.values[seen.mode]
    doubled, usd = long_context.doubled_tokens(values), long_context.whole_prompt_usd(values)
    return (
        f". Here it doubles a prompt's cost at {count_text(doubled, 2)} tokens, and a prompt of"
        f" {count_text(values['context_tokens'], 3)} costs {upright(seen, usd)}"
    )


def _stored(seen: Seen) -> str:
    again = upright(seen, height(seen, "recompute", choices.held_s(seen)))
    return (
        "A conversation pauses; where should its KV cache wait? In HBM, in the server's DDR, on flash or on disk: each"
        " holds it for less than the one before, but costs more to read back. Or drop it and compute it again:"
        f" {again} per {shown(tiers.TOKENS, 'count')} tokens."
    )


def _as_long_in_hbm(seen: Seen) -> str:
    """Words once prices are turned: how long in HBM costs as much as computing a cache again."""
    start_s = drawn(seen).x[0]
    again, hbm = (height(seen, name, start_s) for name in ("recompute", "HBM"))
    return f". Here {time_text(again / hbm * start_s, 2)} in HBM cost as much"


def _hbm_drains(seen: Seen) -> str:
    return f". Here HBM is read whole in {tiers.drain_text(seen.values[seen.mode], 'HBM')}"


def _drained(seen: Seen) -> str:
    flash, disk = (tiers.drain_text(seen.values[seen.mode], tier) for tier in ("flash", "disk"))
    return (
        "Caches are sold for five minutes or an hour. He guesses that they wait in flash and on disk, which take that"
        f" long to be read. But a usual flash drive takes {flash}, and a disk {disk}. By price, flash is cheapest for"
        " both times, if wear is left out."
    )


def _crossover(seen: Seen) -> float | None:
    """Context at which reading overtakes computing with weights read; None where it is ahead at any."""
    return next((mark.x for mark in drawn(seen).marks if mark.name == "crossover"), None)


def _step_drawn(seen: Seen) -> str:
    values = seen.values[seen.mode]
    if values["price_ratio"] == 1:
        return " (here the price has no step)"
    ratio = shown(values["price_ratio"], "count", 2)
    return f" (here the price steps to {ratio} times at {along(seen, values['price_step_tokens'])})"


def _crosses_earlier(seen: Seen) -> bool:
    """Whether it does so before the step, as a sentence writes both, at a context worth the name and in batches."""
    values, found = seen.values[seen.mode], _crossover(seen)
    return (
        found is not None
        and others.FEW_TOKENS <= found < HARDLY * values["price_step_tokens"]
        and values["balance_batches"] != 1
    )


def _crosses_elsewhere(seen: Seen) -> str:
    batches = seen.values[seen.mode]["balance_batches"]
    said, found = (
        "the balance batch" if batches == 1 else f"a batch {shown(batches, 'count', 3)} times the balance batch",
        _crossover(seen),
    )
    if found is None:
        return f"But weights are read, too, so {said} waits for memory at any context"
    where = "within the first tokens" if found < others.FEW_TOKENS else f"at {along(seen, found)} tokens"
    return f"But weights are read, too. In {said}, reading overtakes computing {where}"


def _waits(seen: Seen) -> bool:
    decode, _ = others.sides(seen)
    return decode.weights + decode.kv > decode.compute


def _each_is_cheaper(seen: Seen) -> bool:
    """Whether each tier costs less for each second, and more to fetch from, than the one before."""
    places = places_of(seen.values[seen.mode])
    held = [places[name] for name in ("HBM", "DDR", "flash", "disk")]
    return all(
        one.retrieve_usd < then.retrieve_usd and one.hold_usd_per_s > then.hold_usd_per_s
        for one, then in pairwise(held)
    )


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
            "reading": Colour.KV,
            "computing": Colour.COMPUTE,
        },
        ties=(as_said(handle()), control("balance_batches"), whole(mark_x("crossover"))),
        claims=("D1", "D2"),
        other=others.leak,
        clauses=(
            once_turned("longer than computing", _step_drawn, "price_step_tokens", "price_ratio"),
            Clause(
                words="But weights are read, too. Even in a batch …",
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
            on_mark("crossover at that context", choices.implied_bytes),
        ),
        claims=("D3",),
        choice=choices.AS_LITTLE,
        other=_read_backwards,
        clauses=(
            Clause(words="only DeepSeek-V4-Flash and V4-Pro read as little", otherwise=_who_reads_as_little),
            Clause(words="They compute less … may have other reasons", otherwise=_who_crosses_late),
        ),
    ),
    Step(
        board="prefill",
        view=1,
        time_stamp="1:45:30",
        formula=prefill.PRICE_EQUATION,
        sentence=_decode_beside_prefill,
        ties=(control("balance_batches"),),
        named={"a whole prompt at a time": Colour.COMPUTE},
        claims=("D6", "D8", "D22"),
        other=others.rereading,
        clauses=(
            Clause(
                words="and waits for memory",
                holds=_waits,
                otherwise="and here takes longer to compute than to fetch from memory",
            ),
            once_turned(
                "one fetch from memory serves all of it",
                _rates,
                *("context_tokens", "crossover_tokens", "balance_batches", "tokens_per_pass"),
                *("active_params", "flop_per_s", "usd_per_chip_s"),
            ),
        ),
    ),
    Step(
        board="prefill",
        view=2,
        time_stamp="1:47:40",
        formula=prefill.OUTPUT_EQUATION,
        turned=LARGE,
        lines=("memory", "cost"),
        sentence=_both_readings,
        ties=(as_said(control("crossover_tokens")),),
        claims=("D7",),
        other=others.both_readings,
        clauses=(
            once_turned(
                "Does that batch explain the first?",
                _cost_now,
                *("context_tokens", "crossover_tokens", "balance_batches"),
                turned=LARGE,
            ),
        ),
        question=Question(
            prompt=_both_readings_prompt,
            line="cost",
            x=_batches,
            known_to=FEW_BATCHES,
            tolerance_ratio=FAIR,
            reveal=_both_readings_reveal,
            grounds=grounds.one_token,
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
        sentence=_forbidden,
        named={"attention's arithmetic": Colour.BOUND},
        ties=(
            as_said(control("context_tokens")),
            not_drawn(_huge_read_s, "time to read that cache, which the board's second view draws"),
            not_drawn(_huge_usd, "cost of that time, which the board's second view draws"),
        ),
        claims=("D9", "D11"),
        other=others.accounted,
        clauses=(
            Clause(
                words="A GB200 rack holds … a million cost …",
                holds=lambda seen: is_as_opened(
                    seen, "kv_bytes_per_token", "chips", "hbm_bytes", "hbm_bytes_per_s", "usd_per_chip_s"
                ),
                otherwise=_here_forbidden,
            ),
            once_turned(
                "grows with length squared",
                _prompt_now,
                *("context_tokens", "active_params", "flop_per_pair", "chips", "flop_per_s", "usd_per_chip_s"),
            ),
        ),
        question=Question(
            prompt=_prompt_prompt,
            line="full",
            x=LONG_TOKENS,
            known_to=KNOWN_TOKENS,
            tolerance_ratio=MAGNITUDE,
            reveal=_prompt_reveal,
            grounds=lambda seen: grounds.longer_prompt(seen, LONG_TOKENS),
        ),
    ),
    Step(
        board="tiers",
        time_stamp="2:00:50",
        formula=tiers.HIT_EQUATION,
        sentence=_stored,
        read_at=choices.held_s,
        named={
            "HBM": Colour.KV,
            "DDR": Colour.ASIDE,
            "flash": Colour.ALSO,
            "disk": Colour.BOUND,
            "compute it again": Colour.COMPUTE,
        },
        ties=(
            in_picture(lambda seen: height(seen, "recompute", choices.held_s(seen)), "the line of computing it again"),
            not_drawn(lambda _: tiers.TOKENS, "size that is priced, so that dollars are neither tiny nor huge"),
        ),
        claims=("D12", "D14", "D21"),
        other=others.holding,
        choice=choices.CHEAPEST,
        clauses=(
            Clause(
                words="each holds it for less than the one before, but costs more to read back",
                holds=_each_is_cheaper,
                otherwise="at these prices, a store that holds it for less does not always cost more to read back",
            ),
            once_turned(
                f"per {shown(tiers.TOKENS, 'count')} tokens",
                _as_long_in_hbm,
                *("active_params", "flop_per_s", "reached_fraction", "usd_per_chip_s", "hbm_bytes"),
                "kv_bytes_per_token",
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
        ties=tuple(mark_y(storage_device(name).name) for name in (FLASH, DISK)),
        claims=("D15", "D16", "D26"),
        other=others.drains,
        clauses=(once_turned("if wear is left out", _hbm_drains, "hbm_bytes", "hbm_bytes_per_s"),),
        answer="Ratios of its prices hint at the crossover, at the size of a token's KV cache and at the store in which"
        " a cache waits. Prices in dollars are far above what the chips cost.",
    ),
)
