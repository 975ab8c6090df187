"""Sentences of the walk through the batch that have numbers: what is argued, asked and revealed."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture.batch import modes
from ridgeline.boards.walk import Seen, along, drawn, height, line_named, mark_named, upright
from ridgeline.equations import modes as modes_equations

__all__ = [
    "CROWDED",
    "FASTER",
    "LONG_TOKENS",
    "alone_prompt",
    "alone_reveal",
    "clocked",
    "crowded_prompt",
    "crowded_reveal",
    "dearer",
    "dearer_prompt",
    "dearer_reveal",
    "faster_prompt",
    "faster_reveal",
    "fewer",
    "longer_prompt",
    "longer_reveal",
    "offer",
    "parted_balance",
    "ratios",
    "sparse_prompt",
    "sparse_reveal",
    "trains",
    "unclocked_prompt",
    "unclocked_reveal",
    "worth_prompt",
    "worth_reveal",
]

CAREFUL = Mode.CAREFUL
BOTH = (Mode.LECTURE, Mode.CAREFUL)

CROWDED = "balance batch without contexts"
FASTER = 2.75
"""Times the regular speed: more than is sold, and just short of the wall."""
LONG_TOKENS = 1e6
"""Of a context that sparse attention is made for."""


def crowded_prompt(seen: Seen) -> str:
    """The step at the balance batch, asked."""
    balance = mark_named(seen, CROWDED)
    return (
        f"At {along(seen, balance.x)} sequences, the balance batch, the arithmetic takes exactly as long as fetching"
        f" the weights: {upright(seen, balance.y)}. With contexts of"
        f" {shown(seen.values[seen.mode]['context_tokens'], 'count')} tokens, how long does the step take?"
    )


def crowded_reveal(seen: Seen) -> str:
    """That step, and the batch from which compute is the limit."""
    at = mark_named(seen, CROWDED).x
    return (
        f"{upright(seen, height(seen, 'step', at))}: reading the KV caches adds"
        f" {upright(seen, height(seen, 'KV fetch', at))}. Compute becomes the limit only above"
        f" {along(seen, mark_named(seen, 'balance batch').x, 4)} sequences."
    )


def fewer(seen: Seen) -> str:
    """How small the batch of the opening offer is."""
    values = seen.values[seen.mode]
    price, speed = values["price_ratio"], values["speed_ratio"]
    fewer = float(modes_equations.batch_ratio(price_ratio=price, speed_ratio=speed))
    return (
        f"Smaller batches make shorter steps. The opening offer, {speed:g} times the speed at {price:g} times the"
        f" price, means {fewer:g} times fewer sequences; but no step is shorter than one read of all the weights,"
        " whatever anyone pays."
    )


def faster_prompt(seen: Seen) -> str:
    """The price of a little more speed than is sold, asked."""
    values = seen.values[seen.mode]
    return (
        f"If {values['speed_ratio']:g} times the speed costs {values['price_ratio']:g} times as much per token, what"
        f" does {FASTER:g} times the speed cost?"
    )


def faster_reveal(seen: Seen) -> str:
    """That price, and what a hundred times the price buys."""
    more, hundred = FASTER / seen.values[seen.mode]["speed_ratio"] - 1, mark_named(seen, "any price")
    return (
        f"About {height(seen, 'price', FASTER):.0f} times as much, for {shown(more, 'fraction', 2)} more speed."
        f" {hundred.y:.0f} times the price would buy {hundred.x:.2f} times the speed, and no price buys much more."
    )


def longer_prompt(seen: Seen) -> str:
    """The share of the peak at twice the ideal context, asked."""
    best, twice = (mark_named(seen, name).x for name in ("crossover", "twice the crossover"))
    return (
        f"Suppose that length is {along(seen, best)} tokens, and your contexts have {along(seen, twice)}. What share of"
        " its peak does compute still reach?"
    )


def longer_reveal(seen: Seen) -> str:
    """That share, with a batch without end and with a real one."""
    batches, at = seen.values[seen.mode]["balance_batches"], mark_named(seen, "twice the crossover").x
    less = height(seen, f"{batches:g} balance batches", at)
    return (
        f"{upright(seen, height(seen, 'largest batches', at))}: twice the reading for the same arithmetic. That"
        f" holds where the weights cost nothing; at {batches:g} times the balance batch the share"
        f" is {upright(seen, less, 2)}."
    )


def sparse_prompt(seen: Seen) -> str:
    """What DeepSeek-V3.2 reads of a long context, asked."""
    read = height(seen, "square root", LONG_TOKENS)
    root, half = upright(seen, read, 2), upright(seen, read / 2, 2)
    return (
        f"At {along(seen, LONG_TOKENS)} tokens of context, full attention reads all of them; the square root reads"
        f" {root}, as {half} block summaries and a block of {half}. How many does DeepSeek-V3.2 read?"
    )


def sparse_reveal(seen: Seen) -> str:
    """What it reads, and why that is no square root."""
    read = height(seen, "indexer (DSA)", LONG_TOKENS)
    return (
        f"Here our numbers differ: as many bytes as {upright(seen, read, 2)} tokens. It attends to few tokens, but to"
        f" find them it scans an index of all: 1/{LONG_TOKENS / read:.0f} of full attention, yet still in proportion to"
        " the context."
    )


def alone_prompt(seen: Seen) -> str:
    """What a token costs a user alone, asked."""
    floor = height(seen, "compute", drawn(seen).x[-1])
    return (
        f"On chips at {shown(seen.values[seen.mode]['usd_per_chip_s'], 'usd_per_s')} and in a large batch, tokens cost"
        f" {upright(seen, floor, 2)}, just their arithmetic. What do they cost a user who has all the chips alone?"
    )


def alone_reveal(seen: Seen) -> str:
    """That cost, over the floor in both modes."""
    his, ours = (
        height(seen, "cost", 1, mode) / max(height(seen, name, 1, mode) for name in ("compute", "KV fetch"))
        for mode in BOTH
    )
    return (
        f"{upright(seen, height(seen, 'cost', 1))}, {his:,.0f} times the floor; he says a thousand. DeepSeek-V3 as"
        f" published, with contexts of {shown(seen.values[CAREFUL]['context_tokens'], 'count')} tokens, gives"
        f" {ours:.0f}: a lone token reads few experts, and its KV cache raises the floor."
    )


def ratios(seen: Seen) -> str:
    """His 300, and the range over all chips of the catalog."""
    all_of = [float(value) for dots in drawn(seen).dots for value in dots.y]
    return (
        "How large a batch must be depends on how many parameters a chip can multiply while it reads one. About 300, he"
        " says, generation after generation; the chips in our catalog, a dot for each number format, range from"
        f" {min(all_of):.0f} to {max(all_of):.0f}."
    )


def parted_balance(seen: Seen) -> str:
    """His balance batch, that of the true sparsity, and that of a GB200."""
    his, on_gb200 = (mark_named(seen, CROWDED, mode).x for mode in BOTH)
    eight, eighteen = (seen.values[mode]["expansion"] for mode in BOTH)
    of_weights = seen.claims["A12"].lecture_mode()
    if of_weights is None:
        raise TypeError("claim A12 has no number of ours; the sentence takes the balance batch from it")
    return (
        f"The balance batch is that 300 times total over active parameters: for DeepSeek {eight:g}, he says, so"
        f" {along(seen, his, 4)} sequences. Here our numbers differ: {eighteen:.0f}, not {eight:g}, makes"
        f" {along(seen, of_weights, 4)} ({along(seen, on_gb200, 4)} on a GB200), and KV caches keep memory the limit at"
        " any batch."
    )


def trains(seen: Seen) -> str:
    """Batches that leave by a timetable."""
    values = seen.values[seen.mode]
    number, unit = shown(values["period_s"], "s").split()
    return (
        f"Must your token wait for {shown(values['seats'], 'count')} others? No: batches leave like trains, every"
        f" {number} {unit}, full or not, so at worst you just miss one, wait {number} {unit} for the next and ride it"
        f" for another {number}."
    )


def clocked(seen: Seen) -> str:
    """Tokens per second of a timetable."""
    values, trains = seen.values[seen.mode], mark_named(seen, "seats")
    rate = height(seen, "trains", trains.x)
    return (
        "A train takes about as long as a chip needs to read all its memory once, and nothing needs reading twice. On"
        f" newer chips that is some 15 ms, so {1 / values['period_s']:.0f} trains leave each second, and"
        f" {along(seen, trains.x)} seats on each make {rate:,.0f} tokens."
    )


def unclocked_reveal(seen: Seen) -> str:
    """That rate, and how short its step is."""
    at = mark_named(seen, "seats").x
    free, clocked = (height(seen, name, at) for name in ("B / t", "trains"))
    return (
        f"{upright(seen, free)} per second, {free / clocked:.0f} times as many. Here our numbers differ: their step"
        f" takes {shown(at / free, 's', 2)}, not {shown(seen.values[seen.mode]['period_s'], 's', 3)}. The two agree"
        " only if the weights fill the whole memory."
    )


def unclocked_prompt(seen: Seen) -> str:
    """Tokens per second without a timetable, asked."""
    return (
        f"What if each train left as soon as the one before it was done? How many tokens per second would the same"
        f" {along(seen, mark_named(seen, 'seats').x)} sequences get?"
    )


def worth_prompt(seen: Seen) -> str:
    """The dense model that experts are worth, asked."""
    values = seen.values[seen.mode]
    return (
        f"A model has {shown(values['active_params'], 'count')} active parameters and {values['experts']:g} experts to"
        " choose from. How large a dense model is just as good?"
    )


def worth_reveal(seen: Seen) -> str:
    """That model's size, beside what he reads off the chart."""
    worth = mark_named(seen, "S-BASE").y
    return (
        f"{upright(seen, worth)}, {worth / seen.values[seen.mode]['active_params']:.1f} times as large; he reads"
        " 4 off the chart. To him a pure win, until you run out of users: one fetch of the extra weights serves the"
        " whole batch."
    )


def offer(_: Seen) -> str:
    """The opening question, and the curve that is drawn first."""
    speed, price = (float(one) for one in (modes.SPEED_RATIO, modes.PRICE_RATIO))
    return (
        f"You can buy the same model at {speed:g} times the speed for {price:g} times the price: what does the extra"
        " money buy? Here is what a token of DeepSeek-V3 costs on a GB200 rack, by how many users share each step, one"
        " sequence per user."
    )


def _largest(seen: Seen) -> tuple[float, float]:
    """Where the cost curve ends: its batch and its cost."""
    curves = drawn(seen)
    return float(curves.x[-1]), float(line_named(curves, "cost").y[-1])


def dearer(seen: Seen) -> float:
    """The batch at which a token costs as many times as much as in the fast mode."""
    curves, (_, least) = drawn(seen), _largest(seen)
    cost = line_named(curves, "cost").y
    # The curve falls from left to right.
    return float(np.interp(-float(modes.PRICE_RATIO) * least, -cost, curves.x))


def dearer_prompt(seen: Seen) -> str:
    """The batch of the dearer mode, asked."""
    batch, usd = _largest(seen)
    return (
        f"With {along(seen, batch, 2)} sequences, tokens cost {upright(seen, usd, 2)}. Slide the dot to where they cost"
        f" {float(modes.PRICE_RATIO):g} times that: how many sequences are left?"
    )


def dearer_reveal(seen: Seen) -> str:
    """That batch, over the largest one."""
    (batch, _), there = _largest(seen), dearer(seen)
    return (
        f"About {along(seen, there, 2)}, on this curve {batch / there:.0f} times fewer. The extra money buys a smaller"
        " crowd: fewer users share the bill for each step. The next steps build this curve line by line."
    )
