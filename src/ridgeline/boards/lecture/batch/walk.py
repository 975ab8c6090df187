"""The walk from 0:00:52: what one step takes, what a token costs, how large a batch has to be, and when it leaves."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.constant import filled_in
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture.batch import (
    choices,
    clauses,
    cost,
    grounds,
    modes,
    others,
    quality,
    ratio,
    sparse,
    utilisation,
    walk_balance,
)
from ridgeline.boards.lecture.batch.balance_batches import PUBLISHED_EXPANSION
from ridgeline.boards.lecture.batch.modes import FASTER
from ridgeline.boards.lecture.batch.speed import BATCH_RATIO, SPEED_EQUATION, UNTIL_GUESSED, offered_batches
from ridgeline.boards.lecture.batch.step import step_times
from ridgeline.boards.lecture.numbers import BALANCE_BATCH, BALANCE_RATIO, EXPANSION
from ridgeline.boards.note import DIGITS
from ridgeline.boards.picture import Colour
from ridgeline.boards.tied_to import (
    as_said,
    control,
    handle,
    in_picture,
    mark_x,
    mark_y,
    not_drawn,
    read_from,
)
from ridgeline.boards.walk import (
    FAIR,
    MAGNITUDE,
    ROUGH,
    Question,
    Seen,
    Step,
    along,
    at_mark,
    drawn,
    height,
    mark_named,
    upright,
)
from ridgeline.catalog.fast_modes import fast_modes
from ridgeline.equations import modes as modes_equations

__all__ = ["STEPS"]

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL
BOTH = (LECTURE, CAREFUL)

ARITHMETIC = (Colour.COMPUTE,)
FETCH = (*ARITHMETIC, Colour.WEIGHTS)
WHOLE = (*FETCH, Colour.KV)
"""Parts of a decode step, as far as the lecture has come to them."""

OF_COMPUTE = ("active_params", "flop_per_s", "chips")
OF_WEIGHTS = ("expansion", "bytes_per_param", "hbm_bytes_per_s", "expert_share")
THOUSAND = 1000.0
"""Sequences of which it is said that their weights take as long to fetch as a hundred's."""
LONG_TOKENS = 1e5
"""Context length that sparse attention is made for."""
ENDLESS = 1e3
"""Batch over the balance batch from which its weights take next to no time."""
LEAST_SAVED = 1e-8
"""Part of a cost below which it is rounding."""
ONE_EXPERT = 1.0
"""Experts up to which the line is known, those of the dense model: a few more, and it is almost straight and gives the
answer away.
"""


def _cache_share(seen: Seen) -> float:
    """Time that a regular step spends on KV caches over that on weights, by the board's own prices and speeds."""
    price, speed = (seen.values[seen.mode][name] for name in ("price_ratio", "speed_ratio"))
    return float(modes_equations.sequence_share_ratio(price_ratio=price, speed_ratio=speed))


def _cache_text(seen: Seen) -> str:
    return shown(_cache_share(seen), "count", 2)


def _fewer(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"Back to the offer: {values['speed_ratio']:g} times the speed for {values['price_ratio']:g} times the price."
        " A smaller batch's step reads fewer caches but all weights, and fewer users pay for it."
        f" The regular step ({count_text(_offered()[1], DIGITS)} sequences in the first chart) spends"
        f" {_cache_text(seen)} times as long on caches as on weights. How much more speed can money buy?"
    )


def _faster_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"If {values['speed_ratio']:g} times the speed costs {values['price_ratio']:g} times as much per token, what"
        f" does {FASTER:g} times the speed cost?"
    )


def _faster_reveal(seen: Seen) -> str:
    price, speed = (seen.values[seen.mode][name] for name in ("price_ratio", "speed_ratio"))
    largest = float(modes_equations.largest_speed_up(price_ratio=price, speed_ratio=speed))
    dearer, more = height(seen, "price", FASTER), FASTER / speed - 1
    return (
        f"About {dearer:.0f} times the regular price, {dearer / price:.2g} times the fast one's, for"
        f" {shown(more, 'fraction', 2)} more speed. A step that reads only weights would be"
        f" {shown(largest, 'count', 2)} times as fast, and no price buys more."
        f" {modes.others_on_curve(fast_modes().values(), price, speed)}"
    )


def _sparse_prompt(seen: Seen) -> str:
    read = height(seen, "square root", LONG_TOKENS)
    root = upright(seen, read)
    return (
        f"Full attention reads the bytes of {along(seen, LONG_TOKENS)} tokens of context, the square-root scheme those"
        f" of {root}. How many tokens' bytes does DeepSeek-V3.2 read?"
    )


def _sparse_reveal(seen: Seen) -> str:
    read = height(seen, "indexer (DSA)", LONG_TOKENS)
    return (
        f"By our count, the bytes of {upright(seen, read)} whole tokens. It attends to few, but to find these it scans"
        f" a small index of all. That is 1/{LONG_TOKENS / read:.0f} of full attention, and grows with the context."
    )


def _alone_prompt(seen: Seen) -> str:
    floor = height(seen, "compute", drawn(seen).x[-1])
    return (
        f"In a large batch, on chips at {shown(seen.values[seen.mode]['usd_per_chip_s'], 'usd_per_s')}, tokens cost"
        f" just their arithmetic: {upright(seen, floor)}, the price of a million. What do they cost a user who shares"
        " the chips with nobody?"
    )


def _alone_reveal(seen: Seen) -> str:
    his, published = (
        height(seen, "cost", 1, mode) / max(height(seen, name, 1, mode) for name in ("compute", "KV fetch"))
        for mode in BOTH
    )
    return (
        f"{upright(seen, height(seen, 'cost', 1))}, {his:,.0f} times the floor, as one user pays for reading all"
        " weights. He says a thousand. By DeepSeek-V3's published numbers it is"
        f" {published:.0f} times: a lone token reads few experts, and the KV cache raises the floor."
    )


def _twice_the_balance(seen: Seen) -> float:
    """Twice the batch from which computing is the limit."""
    return 2 * mark_named(seen, "balance batch").x


def _patient(seen: Seen) -> str:
    at = _twice_the_balance(seen)
    part = _saved(seen, at)
    saved = "nothing" if part < LEAST_SAVED else shown(part, "fraction", 1)
    return (
        "Could patience buy a discount? A larger batch shares one read of the weights, but each sequence has its own"
        f" KV cache and compute. From {count_text(at / 2, DIGITS)} sequences on, computing takes longer than all"
        f" reading. So a slow mode with {count_text(at, DIGITS)} saves {saved} more."
    )


def _saved(seen: Seen, batch: float) -> float:
    """Part of a token's cost in a batch that larger batches save."""
    (floor,) = (line.y[0] for line in drawn(seen).lines if line.is_floor)
    return 1 - float(floor) / height(seen, "cost", batch)


def _ratios(_: Seen) -> str:
    (low, lowest), (high, highest) = min(ratio.every_ratio()), max(ratio.every_ratio())
    return (
        "How large must a batch be to keep a chip busy? While it reads one parameter, a chip can multiply about 300"
        " times, he says, in every generation. So each parameter should serve as many tokens. Each dot is one"
        f" chip of our catalog in one number format, from {low:.0f} ({lowest}) to {high:.0f} ({highest})."
    )


def _crowded(seen: Seen) -> str:
    at = float(BALANCE_BATCH)
    return (
        "A sequence's tokens so far are its context. A step reads vectors kept of each, the KV cache, with the"
        " weights. Reading and computing overlap; the longer sets the step time."
        f" At {along(seen, at)} sequences, the balance batch B*, computing takes as long as reading weights:"
        f" {upright(seen, height(seen, 'weight fetch', at))}."
    )


def _longer(seen: Seen) -> str:
    twice = height(seen, "largest batches", mark_named(seen, "twice the crossover").x)
    equal = mark_named(seen, "crossover").x
    return (
        "Longer contexts take longer to read; what attention computes on them is left out. Say that to read"
        f" {count_text(equal, DIGITS)} tokens takes as long as to compute the next one: that is the crossover. At twice"
        f" that length, chips compute at most {upright(seen, twice)} of the time, and wait for memory in the rest."
    )


def _worth_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"A model has {shown(values['active_params'], 'count')} active parameters and {values['experts']:g} experts to"
        " choose from. A dense model uses all of itself for each token. How large must it be to be as good?"
    )


def _worth_reveal(seen: Seen) -> str:
    worth = mark_named(seen, "S-BASE").y
    return (
        f"{upright(seen, worth)}, {worth / seen.values[seen.mode]['active_params']:.1f} times as large by the paper's"
        " fit; he reads 4 off the chart. He calls more experts a pure win until you run out of users:"
        " one fetch of the extra weights serves the whole batch."
    )


def _bought(_: Seen) -> str:
    his, own = (float(BALANCE_RATIO) * float(expansion) for expansion in (EXPANSION, PUBLISHED_EXPANSION))
    with_contexts = step_times(cost.BOARD.values(Mode.LECTURE)).balance_batch_with_kv
    fast, regular = (count_text(one, DIGITS) for one in _offered())
    return (
        f"The money buys a smaller batch: {fast} sequences share a step of DeepSeek-V3, not {regular}. And a token is"
        f" cheap from the balance batch on: for weights alone, {count_text(his, DIGITS)} sequences by his numbers,"
        f" {count_text(own, DIGITS)} by DeepSeek-V3's sizes. Contexts move his to {count_text(with_contexts, DIGITS)},"
        " and DeepSeek-V3's out of reach."
    )


def _offer(_: Seen) -> str:
    speed, price = (float(one) for one in (modes.SPEED_RATIO, modes.PRICE_RATIO))
    return (
        f"Reiner Pope's lecture opens with an offer: the same model, {speed:g} times as fast, for {price:g} times the"
        " price. What does the money buy? A model writes many texts at once, a batch of sequences. Each step adds one"
        " token, part of a word, to each. The chart is DeepSeek-V3's, by published numbers."
    )


def _offered() -> tuple[float, float]:
    """Batches of the offer's fast and regular mode in the first chart."""
    return offered_batches(step_times(cost.BOARD.values(CAREFUL)))


def _fast(seen: Seen) -> float:
    return mark_named(seen, "fast mode").x


def _regular(seen: Seen) -> float:
    return mark_named(seen, "regular mode").x


def _larger_prompt(seen: Seen) -> str:
    return (
        f"When {_fast(seen):,.0f} sequences share a step, each gets {height(seen, 'speed', _fast(seen)):,.0f} tokens a"
        f" second. How many does each get when {_regular(seen):,.0f} share it, {BATCH_RATIO:g} times as many?"
    )


def _larger_reveal(seen: Seen) -> str:
    first, there = (height(seen, "speed", batch) for batch in (_fast(seen), _regular(seen)))
    faster = first / there
    return (
        f"{there:,.0f}, not {first / BATCH_RATIO:.0f} ({first:,.0f}/{BATCH_RATIO:g}): all share one read of the model."
        f" Turned round, a batch {BATCH_RATIO:g} times smaller is {faster:.2g} times as fast, and its tokens cost"
        f" {BATCH_RATIO / faster:.2g} times as much. That is the offer, if nothing else differs."
    )


STEPS = (
    Step(
        board="cost",
        view=1,
        time_stamp="0:00:52",
        formula=SPEED_EQUATION,
        modes=(CAREFUL,),
        lines=("speed",),
        other=others.faster_alone,
        sentence=_offer,
        named={"The chart": Colour.BOUND},
        ties=(
            not_drawn(float(modes.SPEED_RATIO), "speed of an offer on a price list"),
            not_drawn(float(modes.PRICE_RATIO), "its price"),
        ),
        question=Question(
            prompt=_larger_prompt,
            line="speed",
            x=_regular,
            known_to=_fast,
            tolerance_ratio=FAIR,
            reveal=_larger_reveal,
            grounds=lambda seen: grounds.shared_step(seen, _fast(seen), _regular(seen)),
            terms=UNTIL_GUESSED,
        ),
    ),
    Step(
        board="latency",
        time_stamp="0:03:45",
        opened=ARITHMETIC,
        terms=3,
        lines=("compute",),
        controls=OF_COMPUTE,
        other=others.arithmetic,
        sentence="A decode step gives each sequence one token. Each is multiplied by the active parameters, those it"
        " uses, so compute time grows with the batch. Unless a step says otherwise, numbers are now Reiner Pope's; in"
        " italics, ours.",
        named={"compute time": Colour.COMPUTE},
        claims=("A2",),
        clauses=(clauses.HIS,),
    ),
    Step(
        board="latency",
        time_stamp="0:05:00",
        opened=FETCH,
        terms=5,
        lines=("compute", "weight fetch"),
        controls=(*OF_COMPUTE, *OF_WEIGHTS),
        other=others.fetched,
        sentence="Parameters, or weights, lie in memory, and every step has to fetch them. He counts all of them, since"
        " a large batch uses every part. The batch shares that fetch: it takes as long for a hundred sequences as for a"
        " thousand.",
        read_at=THOUSAND,
        named={"fetch": Colour.WEIGHTS},
        claims=("A6",),
        clauses=(clauses.FLAT,),
    ),
    Step(
        board="latency",
        time_stamp="0:09:10",
        opened=WHOLE,
        lines=("compute", "weight fetch", "KV fetch", "step"),
        other=others.crowded,
        sentence=_crowded,
        read_at=float(BALANCE_BATCH),
        named={
            "KV cache": Colour.KV,
            "the weights": Colour.WEIGHTS,
            "computing": Colour.COMPUTE,
            "step time": Colour.BOUND,
        },
        ties=(handle(), read_from("weight fetch")),
        claims=("A1", "A3"),
        clauses=(clauses.BALANCED,),
    ),
    Step(
        board="modes",
        time_stamp="0:09:54",
        formula=modes.PRICE_EQUATION,
        lines=("slow mode", "price"),
        sentence=_fewer,
        named={"How much more speed can money buy": Colour.MONEY},
        ties=(
            control("speed_ratio"),
            control("price_ratio"),
            not_drawn(lambda _: _offered()[1], "regular batch of the first chart"),
            not_drawn(_cache_share, "letter of the formula beside it"),
        ),
        claims=("A22", "A30"),
        question=Question(
            prompt=_faster_prompt,
            line="price",
            x=FASTER,
            known_to=lambda seen: seen.values[seen.mode]["speed_ratio"],
            tolerance_ratio=ROUGH,
            reveal=_faster_reveal,
            grounds=lambda seen: grounds.more_speed(seen, FASTER),
        ),
        clauses=clauses.OFFERED,
    ),
    Step(
        board="utilisation",
        time_stamp="0:11:00",
        formula=utilisation.MFU_EQUATION,
        turned={"balance_batches": filled_in(ENDLESS, why="so large a batch that reading weights takes no time")},
        lines=("peak", "largest batches"),
        controls=("crossover_tokens",),
        other=others.longer,
        sentence=_longer,
        read_mark="twice the crossover",
        named={"the crossover": Colour.ASIDE},
        ties=(
            control("crossover_tokens"),
            mark_y("twice the crossover"),
        ),
        claims=("A7", "A27"),
    ),
    Step(
        board="sparse",
        time_stamp="0:12:31",
        formula=sparse.READ_EQUATION,
        lines=("full attention", "square root", "indexer (DSA)"),
        controls=(),
        other=others.shorter,
        sentence="Sparse attention shortens the reading: each new token reads the KV cache of only part of its context."
        " DeepSeek's papers, he says, bring the number of tokens read down to the square root of the context.",
        named={"Sparse attention": Colour.KV, "the square root": Colour.ASIDE},
        claims=("A8",),
        question=Question(
            prompt=_sparse_prompt,
            line="indexer (DSA)",
            x=LONG_TOKENS,
            tolerance_ratio=MAGNITUDE,
            reveal=_sparse_reveal,
            grounds=lambda seen: grounds.fewer_reads(seen, LONG_TOKENS),
        ),
    ),
    Step(
        board="cost",
        time_stamp="0:13:00",
        opened=WHOLE,
        terms=3,
        lines=("compute", "cost"),
        other=others.alone,
        sentence="Now the price. Chips are rented by the hour, so a token's cost is the rent for one step, divided by"
        " the sequences in the batch. They share the fetch of the weights. A token's own arithmetic is not shared,"
        " which sets a floor.",
        named={"a token's cost": Colour.MONEY, "own arithmetic": Colour.COMPUTE},
        claims=("A4", "A9"),
        question=Question(
            prompt=_alone_prompt,
            line="cost",
            x=1.0,
            known_from=at_mark("balance batch"),
            tolerance_ratio=MAGNITUDE,
            reveal=_alone_reveal,
            grounds=grounds.all_chips,
        ),
        clauses=(clauses.FLOOR,),
    ),
    Step(
        board="cost",
        time_stamp="0:15:39",
        other=others.patient,
        sentence=_patient,
        read_mark="twice as many",
        named={"the weights": Colour.WEIGHTS, "KV cache": Colour.KV, "compute": Colour.COMPUTE},
        ties=(mark_x("balance batch"), handle()),
        claims=("A21", "A28"),
        choice=choices.PATIENCE,
        clauses=(clauses.PATIENCE,),
    ),
    Step(
        board="ratio",
        time_stamp="0:17:00",
        sentence=_ratios,
        named={"can multiply": Colour.COMPUTE, "reads one parameter": Colour.WEIGHTS, "about 300": Colour.BOUND},
        ties=(
            as_said(control("balance_ratio")),
            in_picture(lambda _: min(ratio.every_ratio())[0], "the lowest dot"),
            in_picture(lambda _: max(ratio.every_ratio())[0], "the highest dot"),
        ),
        claims=("A10",),
    ),
    *walk_balance.STEPS,
    Step(
        board="quality",
        time_stamp="0:30:13",
        formula=quality.RATIO_EQUATION,
        lines=("dense", quality.SPARSE),
        controls=("active_params", "experts"),
        other=others.worth,
        sentence="Sparser models need larger batches: are they worth it? They have many small networks, the experts,"
        " and each token uses one or a few. He shows a paper on small models that keep the same active size while the"
        " number of experts grows.",
        named={"the same active size": Colour.ASIDE},
        claims=("A23", "A24"),
        question=Question(
            prompt=_worth_prompt,
            line=quality.SPARSE,
            x=at_mark("S-BASE"),
            known_to=ONE_EXPERT,
            tolerance_ratio=FAIR,
            reveal=_worth_reveal,
            grounds=grounds.many_experts,
        ),
        answer=_bought,
    ),
)
