"""The walk from 0:00:52: what one step takes, what a token costs, how large a batch has to be, and when it leaves."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture.batch import modes
from ridgeline.boards.picture import Colour
from ridgeline.boards.place import Way
from ridgeline.boards.walk import (
    FAIR,
    FINE,
    MAGNITUDE,
    ROUGH,
    Question,
    Seen,
    Step,
    along,
    at_mark,
    drawn,
    height,
    line_named,
    mark_named,
    upright,
)
from ridgeline.equations import modes as modes_equations

__all__ = ["STEPS"]

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL
BOTH = (LECTURE, CAREFUL)

CROWDED = "balance batch without contexts"
OF_COMPUTE = ("active_params", "flop_per_s", "chips")
OF_WEIGHTS = ("expansion", "bytes_per_param", "hbm_bytes_per_s", "expert_share")
FASTER = 2.75
"""Times the regular speed: more than is sold, and just short of the wall."""
LONG_TOKENS = 1e6
"""Of a context that sparse attention is made for."""
ONE_EXPERT = 1.0
"""Where a model of experts is the dense one: from its first few on the line is all but straight, and would tell."""


def _crowded_prompt(seen: Seen) -> str:
    balance = mark_named(seen, CROWDED)
    return (
        f"With {along(seen, balance.x)} users, the arithmetic takes exactly as long as fetching the weights:"
        f" {upright(seen, balance.y)}. How long does the step take?"
    )


def _crowded_reveal(seen: Seen) -> str:
    at = mark_named(seen, CROWDED).x
    return (
        f"{upright(seen, height(seen, 'step', at))}: reading the KV caches adds"
        f" {upright(seen, height(seen, 'KV fetch', at))}. Compute becomes the limit only above"
        f" {along(seen, mark_named(seen, 'balance batch').x, 4)} users."
    )


def _faster_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"{values['speed_ratio']:g} times the speed costs {values['price_ratio']:g} times as much per token. What"
        f" would {FASTER:g} times the speed cost?"
    )


def _faster_reveal(seen: Seen) -> str:
    more, hundred = FASTER / seen.values[seen.mode]["speed_ratio"] - 1, mark_named(seen, "any price")
    return (
        f"About {height(seen, 'price', FASTER):.0f} times as much, for {shown(more, 'fraction', 2)} more speed."
        f" {hundred.y:.0f} times the price would buy {hundred.x:.2f} times the speed, and no price buys much more."
    )


def _longer_prompt(seen: Seen) -> str:
    best, twice = (mark_named(seen, name).x for name in ("crossover", "twice the crossover"))
    return (
        f"Suppose contexts of {along(seen, best)} tokens are the ideal length, and yours have {along(seen, twice)}."
        " What share of its peak does compute still reach?"
    )


def _longer_reveal(seen: Seen) -> str:
    batches, at = seen.values[seen.mode]["balance_batches"], mark_named(seen, "twice the crossover").x
    less = height(seen, f"{batches:g} balance batches", at)
    return (
        f"{upright(seen, height(seen, 'largest batches', at))}: twice the reading for the same arithmetic. That"
        f" assumes a batch so large that its weights cost nothing; at {batches:g} times the balance batch it is"
        f" {upright(seen, less, 2)}."
    )


def _sparse_prompt(seen: Seen) -> str:
    root = upright(seen, height(seen, "square root", LONG_TOKENS), 2)
    return (
        f"Out of {along(seen, LONG_TOKENS)} tokens, full attention reads all; blocks as long as the square root would"
        f" take {root}. How many does DeepSeek-V3.2 read for each new token?"
    )


def _sparse_reveal(seen: Seen) -> str:
    read = height(seen, "indexer (DSA)", LONG_TOKENS)
    return (
        f"Here our numbers differ: the equivalent of {upright(seen, read, 2)}. It attends to few tokens, but finds them"
        f" by scanning an index of all: {LONG_TOKENS / read:.0f} times less than full attention, and still proportional"
        " to the context."
    )


def _alone_prompt(seen: Seen) -> str:
    floor = height(seen, "compute", drawn(seen).x[-1])
    return (
        f"In a large batch tokens cost {upright(seen, floor, 2)}, just their arithmetic. What do they cost a user who"
        " has all those chips alone?"
    )


def _alone_reveal(seen: Seen) -> str:
    his, ours = (
        height(seen, "cost", 1, mode) / max(height(seen, name, 1, mode) for name in ("compute", "KV fetch"))
        for mode in BOTH
    )
    return (
        f"{upright(seen, height(seen, 'cost', 1))}, {his:,.0f} times the floor; he says a thousand. With DeepSeek's"
        f" real numbers it is {ours:.0f} times, since a lone token reads few experts and its KV cache raises the floor."
    )


def _ratios(seen: Seen) -> str:
    all_of = [float(value) for dots in drawn(seen).dots for value in dots.y]
    return (
        "How large a batch must be depends on how many parameters a chip can multiply while it reads one. He says about"
        " 300, stable over generations; the chips in our catalog, a dot for each and its formats, range from"
        f" {min(all_of):.0f} to {max(all_of):.0f}."
    )


def _parted_balance(seen: Seen) -> str:
    his, ours = (along(seen, mark_named(seen, CROWDED, mode).x, 4) for mode in BOTH)
    last = drawn(seen, CAREFUL).x[-1]
    longer = height(seen, "KV fetch", last, CAREFUL) / height(seen, "compute", last, CAREFUL)
    return (
        f"The balance batch is 300 times total over active parameters: for DeepSeek {his} users, he says. Here our"
        f" numbers differ: {ours}, and even that is no limit, since reading a user's cache takes {longer:.1f} times as"
        " long as computing the token."
    )


def _unclocked_reveal(seen: Seen) -> str:
    at = mark_named(seen, "seats").x
    free, clocked = (height(seen, name, at) for name in ("B / t", "trains"))
    return (
        f"{upright(seen, free)} per second, {free / clocked:.0f} times as many. Here our numbers differ: such a step"
        f" takes {shown(at / free, 's', 2)}, not 20 ms. The two agree only if the weights fill the whole memory."
    )


def _unclocked_prompt(seen: Seen) -> str:
    return (
        f"What if each train left as soon as the previous one was done? How many tokens per second would the same"
        f" {along(seen, mark_named(seen, 'seats').x)} users get?"
    )


def _worth_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"A model has {shown(values['active_params'], 'count')} active parameters and {values['experts']:g} experts to"
        " choose from. How large a dense model would be equally good?"
    )


def _worth_reveal(seen: Seen) -> str:
    worth = mark_named(seen, "S-BASE").y
    return (
        f"{upright(seen, worth)}, {worth / seen.values[seen.mode]['active_params']:.1f} times as large; he reads"
        " 4 off the chart. To him that is a win: the extra weights are fetched once for the whole batch, so a larger"
        " batch pays for them."
    )


def _offer(_: Seen) -> str:
    speed, price = (float(one) for one in (modes.SPEED_RATIO, modes.PRICE_RATIO))
    return (
        f"You can buy the same model at {speed:g} times the speed for {price:g} times the price: what does the extra"
        " money pay for? Here is what a token costs by how many users share the chips."
    )


def _largest(seen: Seen) -> tuple[float, float]:
    """Where the cost curve ends: its batch and its cost."""
    curves = drawn(seen)
    return float(curves.x[-1]), float(line_named(curves, "cost").y[-1])


def _dearer(seen: Seen) -> float:
    """The batch at which a token costs as many times as much as in the fast mode."""
    curves, (_, least) = drawn(seen), _largest(seen)
    cost = line_named(curves, "cost").y
    # The curve falls from left to right.
    return float(np.interp(-float(modes.PRICE_RATIO) * least, -cost, curves.x))


def _dearer_prompt(seen: Seen) -> str:
    batch, usd = _largest(seen)
    return (
        f"With {along(seen, batch, 2)} users tokens cost {upright(seen, usd, 2)}. Slide the dot to where they cost"
        f" {float(modes.PRICE_RATIO):g} times that: how many users are left?"
    )


def _dearer_reveal(seen: Seen) -> str:
    (batch, _), there = _largest(seen), _dearer(seen)
    price, speed = float(modes.PRICE_RATIO), float(modes.SPEED_RATIO)
    his = float(modes_equations.batch_ratio(price_ratio=price, speed_ratio=speed))
    return (
        f"About {along(seen, there, 2)}, {batch / there:.0f} times fewer: that is what you pay for, a smaller crowd."
        f" His {price:g} for {speed:g} make it {his:g} times fewer. The next steps build this curve line by line."
    )


STEPS = (
    Step(
        board="cost",
        time_stamp="0:00:52",
        modes=(CAREFUL,),
        terms=2,
        lines=("cost",),
        sentence=_offer,
        named={"a token costs": Colour.MONEY},
        question=Question(
            prompt=_dearer_prompt,
            line="cost",
            x=_dearer,
            tolerance_ratio=ROUGH,
            reveal=_dearer_reveal,
            way=Way.ALONG,
        ),
    ),
    Step(
        board="latency",
        time_stamp="0:03:45",
        terms=3,
        lines=("compute",),
        controls=OF_COMPUTE,
        sentence="Reiner Pope starts with one decode step, which writes one token for every user in the batch. Each"
        " token is multiplied by all the active parameters, so compute time grows with the batch.",
        named={"compute time": Colour.COMPUTE},
        claims=("A2",),
    ),
    Step(
        board="latency",
        time_stamp="0:05:00",
        terms=5,
        lines=("compute", "weight fetch"),
        controls=(*OF_COMPUTE, *OF_WEIGHTS),
        sentence="Before it can multiply, a chip has to fetch the weights from memory, all of them, in every step. That"
        " takes the same time for one user as for a thousand, so this line is flat.",
        named={"fetch the weights": Colour.WEIGHTS},
        claims=("A3",),
    ),
    Step(
        board="latency",
        time_stamp="0:09:10",
        lines=("compute", "weight fetch", "KV fetch", "step"),
        sentence="Every user also brings a context of their own, and its KV cache is read on top of the weights."
        " Compute and memory work at the same time, so the slower of the two sets the step time.",
        named={
            "KV cache": Colour.KV,
            "the weights": Colour.WEIGHTS,
            "Compute": Colour.COMPUTE,
            "step time": Colour.BOUND,
        },
        claims=("A1", "A3"),
        question=Question(
            prompt=_crowded_prompt,
            line="step",
            x=at_mark(CROWDED),
            tolerance_ratio=FINE,
            reveal=_crowded_reveal,
        ),
    ),
    Step(
        board="modes",
        time_stamp="0:09:54",
        lines=("slow mode", "price"),
        sentence="That answers the opening question. A smaller batch makes each step shorter, but never shorter than"
        " one read of all the weights, whatever anyone pays.",
        named={"anyone pays": Colour.MONEY},
        claims=("A22", "A30"),
        question=Question(
            prompt=_faster_prompt,
            line="price",
            x=FASTER,
            known_to=lambda seen: seen.values[seen.mode]["speed_ratio"],
            tolerance_ratio=ROUGH,
            reveal=_faster_reveal,
        ),
    ),
    Step(
        board="utilisation",
        time_stamp="0:11:00",
        lines=("peak", "largest batches"),
        sentence="The longer the contexts, the steeper the KV line. At one length, memory and compute are both fully"
        " busy; beyond it, compute sits waiting for memory.",
        named={"both fully busy": Colour.ASIDE},
        claims=("A7", "A27"),
        question=Question(
            prompt=_longer_prompt,
            line="largest batches",
            x=at_mark("twice the crossover"),
            known_to=at_mark("crossover"),
            tolerance_ratio=FINE,
            reveal=_longer_reveal,
        ),
    ),
    Step(
        board="sparse",
        time_stamp="0:12:31",
        lines=("full attention", "square root", "indexer (DSA)"),
        sentence="Sparse attention flattens that line by reading only part of each context. DeepSeek's papers, he says,"
        " get it down to a square root.",
        named={"Sparse attention": Colour.OTHER, "a square root": Colour.ASIDE},
        claims=("A8",),
        question=Question(
            prompt=_sparse_prompt,
            line="indexer (DSA)",
            x=LONG_TOKENS,
            tolerance_ratio=MAGNITUDE,
            reveal=_sparse_reveal,
        ),
    ),
    Step(
        board="cost",
        time_stamp="0:13:00",
        terms=3,
        lines=("compute", "cost"),
        sentence="Now the price: chips are rented by the hour, so a token's cost is the step time shared among all"
        " users in the batch. A token's own arithmetic cannot be shared, and sets a floor.",
        named={"a token's cost": Colour.MONEY, "own arithmetic": Colour.COMPUTE},
        claims=("A4", "A9"),
        question=Question(
            prompt=_alone_prompt,
            line="cost",
            x=1.0,
            known_from=at_mark("balance batch"),
            tolerance_ratio=MAGNITUDE,
            reveal=_alone_reveal,
        ),
    ),
    Step(
        board="cost",
        time_stamp="0:15:39",
        modes=BOTH,
        sentence="Could patience buy a discount? A larger batch dilutes the weights until they hardly count, but KV"
        " cache and compute stay each user's own, so a slow mode soon has nothing left to save.",
        named={"the weights": Colour.WEIGHTS, "KV cache": Colour.KV, "compute": Colour.COMPUTE},
        claims=("A21", "A28"),
    ),
    Step(
        board="ratio",
        time_stamp="0:17:00",
        sentence=_ratios,
        named={"a chip can multiply": Colour.COMPUTE, "reads one": Colour.WEIGHTS, "about 300": Colour.BOUND},
        claims=("A10",),
    ),
    Step(
        board="latency",
        time_stamp="0:19:22",
        modes=BOTH,
        sentence=_parted_balance,
        named={"reading a user's cache": Colour.KV, "computing the token": Colour.COMPUTE},
        claims=("A11", "A12"),
    ),
    Step(
        board="departures",
        time_stamp="0:21:40",
        sentence="Must you wait until 2,000 other users show up? No: batches leave like trains, every 20 ms, full or"
        " not, so at worst you just miss one, wait 20 ms for the next and ride it for another 20.",
        named={"at worst": Colour.ASIDE},
        claims=("A17",),
    ),
    Step(
        board="tokens",
        time_stamp="0:26:25",
        lines=("trains", "B / t"),
        sentence="Those 20 ms are roughly the time a chip takes to read all its memory once, and nothing needs reading"
        " twice. On chips that take 15, some 64 trains leave per second, and 2,000 seats give 128,000 tokens.",
        named={"128,000 tokens": Colour.ASIDE},
        claims=("A18", "A20"),
        question=Question(
            prompt=_unclocked_prompt,
            line="B / t",
            x=at_mark("seats"),
            tolerance_ratio=ROUGH,
            reveal=_unclocked_reveal,
        ),
    ),
    Step(
        board="quality",
        time_stamp="0:30:13",
        lines=("dense", "S-BASE"),
        sentence="Sparser models need larger batches; are they any good? He shows a paper in which models keep the same"
        " active size while the number of experts grows.",
        named={"the same active size": Colour.ASIDE},
        claims=("A23", "A24"),
        question=Question(
            prompt=_worth_prompt,
            line="S-BASE",
            x=at_mark("S-BASE"),
            known_to=ONE_EXPERT,
            tolerance_ratio=FAIR,
            reveal=_worth_reveal,
        ),
    ),
)
