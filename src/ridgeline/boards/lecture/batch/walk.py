"""The walk from 0:00:52: what one step takes, what a token costs, how large a batch has to be, and when it leaves."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
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
    mark_named,
    upright,
)

__all__ = ["STEPS"]

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL
BOTH = (LECTURE, CAREFUL)

CROWDED = "balance batch without contexts"
FASTER = 2.75
"""Times the regular speed: more than is sold, and just short of the wall."""
LONG_TOKENS = 1e6
"""Of a context that sparse attention is made for."""


def _crowded_prompt(seen: Seen) -> str:
    balance = mark_named(seen, CROWDED)
    return (
        f"With {along(seen, balance.x)} users, arithmetic takes exactly as long as fetching the weights:"
        f" {upright(seen, balance.y)}. How long does the step take?"
    )


def _crowded_reveal(seen: Seen) -> str:
    at = mark_named(seen, CROWDED).x
    return (
        f"{upright(seen, height(seen, 'step', at))}: the caches take another"
        f" {upright(seen, height(seen, 'KV fetch', at))} to read. Only from"
        f" {along(seen, mark_named(seen, 'balance batch').x, 4)} users on does arithmetic set the pace."
    )


def _faster_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"{values['speed_ratio']:g} times the speed costs {values['price_ratio']:g} times as much a token. What would"
        f" {FASTER:g} times the speed cost?"
    )


def _faster_reveal(seen: Seen) -> str:
    more, hundred = FASTER / seen.values[seen.mode]["speed_ratio"] - 1, mark_named(seen, "any price")
    return (
        f"About {height(seen, 'price', FASTER):.0f} times as much, for {shown(more, 'fraction', 2)} more speed."
        f" {hundred.y:.0f} times the price buys {hundred.x:.2f} times the speed, and the wall stands right behind it."
    )


def _longer_prompt(seen: Seen) -> str:
    best, twice = (mark_named(seen, name).x for name in ("crossover", "twice the crossover"))
    return (
        f"Say that {along(seen, best)} tokens of context are just right, and yours has {along(seen, twice)}. At what"
        " part of its peak does arithmetic still run?"
    )


def _longer_reveal(seen: Seen) -> str:
    batches, at = seen.values[seen.mode]["balance_batches"], mark_named(seen, "twice the crossover").x
    less = height(seen, f"{batches:g} balance batches", at)
    return (
        f"{upright(seen, height(seen, 'largest batches', at))}: twice the reading for the same arithmetic. That is"
        f" with a batch so large that its weights cost nothing; at {batches:g} balance batches it is"
        f" {upright(seen, less, 2)}."
    )


def _sparse_prompt(seen: Seen) -> str:
    root = upright(seen, height(seen, "square root", LONG_TOKENS), 2)
    return (
        f"Of {along(seen, LONG_TOKENS)} tokens full attention reads them all, and a square root would read {root}. How"
        " many does DeepSeek-V3.2 read for each new one?"
    )


def _sparse_reveal(seen: Seen) -> str:
    read = height(seen, "indexer (DSA)", LONG_TOKENS)
    return (
        f"Here our numbers differ: {upright(seen, read, 2)} tokens' worth. It picks a few tokens, but scans an index of"
        f" all of them to do so: {LONG_TOKENS / read:.0f} times less than all, and still in proportion to them."
    )


def _alone_prompt(seen: Seen) -> str:
    floor = height(seen, "compute", drawn(seen).x[-1])
    return (
        f"In a crowd a token costs {upright(seen, floor, 2)}, its arithmetic alone. What does it cost a single user"
        " with all those chips?"
    )


def _alone_reveal(seen: Seen) -> str:
    his, ours = (
        height(seen, "cost", 1, mode) / max(height(seen, name, 1, mode) for name in ("compute", "KV fetch"))
        for mode in BOTH
    )
    return (
        f"{upright(seen, height(seen, 'cost', 1))}, {his:,.0f} times the floor; he says a thousand. By DeepSeek's own"
        f" numbers it is {ours:.0f}, since one token wakes few of the experts and its cache lifts the floor."
    )


def _ratios(seen: Seen) -> str:
    all_of = [float(value) for dots in drawn(seen).dots for value in dots.y]
    return (
        "How large the batch must be depends on how many parameters a chip multiplies while it reads one. About 300, he"
        f" says, and steady over generations; the catalog's chips, a dot each, go from {min(all_of):.0f} to"
        f" {max(all_of):.0f}."
    )


def _parted_balance(seen: Seen) -> str:
    his, ours = (along(seen, mark_named(seen, CROWDED, mode).x, 4) for mode in BOTH)
    return (
        f"Reading weights and computing take equally long at 300 times total over active parameters. Here our numbers"
        f" differ: he has DeepSeek wake 32 of 256 experts, which makes {his} users; it wakes 8, and its own"
        f" lines cross at {ours}."
    )


def _unclocked_reveal(seen: Seen) -> str:
    at = mark_named(seen, "seats").x
    free, clocked = (height(seen, name, at) for name in ("B / t", "trains"))
    return (
        f"{upright(seen, free)} a second, {free / clocked:.0f} times as many. Here our numbers differ: such a step"
        f" takes {shown(at / free, 's', 2)}, and not 20 ms. Both hold together only where weights fill the whole"
        " memory."
    )


def _unclocked_prompt(seen: Seen) -> str:
    return (
        f"What if each train left as soon as the one before was through? How many tokens a second would the same"
        f" {along(seen, mark_named(seen, 'seats').x)} users get?"
    )


def _worth_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"A model keeps its {shown(values['active_params'], 'count')} active parameters and gets {values['experts']:g}"
        " experts to choose from. How large is the dense model that it equals?"
    )


def _worth_reveal(seen: Seen) -> str:
    worth = mark_named(seen, "S-BASE").y
    return (
        f"{upright(seen, worth)}, {worth / seen.values[seen.mode]['active_params']:.1f} times as large; he reads off"
        " 4. To him it is a win all the same: the many weights are fetched once for everybody, so ask more users in."
    )


STEPS = (
    Step(
        board="modes",
        time_stamp="0:00:52",
        terms=0,
        lines=("slow mode",),
        sentence="Pay six times the price, and the same model answers two and a half times as fast; each dot is such an"
        " offer. What does that money buy, and would a hundred times the price go faster still?",
        claims=("A22",),
    ),
    Step(
        board="latency",
        time_stamp="0:03:45",
        terms=3,
        lines=("compute",),
        sentence="Reiner Pope starts from a single step, which writes one token for every user in the batch. Each"
        " token is multiplied by all active parameters, so the arithmetic grows with the crowd.",
        claims=("A2",),
    ),
    Step(
        board="latency",
        time_stamp="0:05:00",
        terms=5,
        lines=("compute", "weight fetch"),
        sentence="Before it multiplies, a chip has to fetch. All the weights come out of memory once a step, for one"
        " user as for a thousand, so this line is flat.",
        claims=("A3",),
    ),
    Step(
        board="latency",
        time_stamp="0:09:10",
        lines=("compute", "weight fetch", "KV fetch", "step"),
        sentence="Each user also brings a context that nobody shares, and its KV cache is read on top of the weights."
        " Arithmetic runs alongside; whichever side takes longer sets the pace.",
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
        lines=("price",),
        sentence="There is his first answer. Fewer users make a step shorter, down to one reading of the weights;"
        " below that no step goes, whatever anybody pays.",
        claims=("A22", "A30"),
        question=Question(
            prompt=_faster_prompt,
            line="price",
            x=FASTER,
            tolerance_ratio=ROUGH,
            reveal=_faster_reveal,
        ),
    ),
    Step(
        board="utilisation",
        time_stamp="0:11:00",
        lines=("largest batches",),
        sentence="The longer the contexts, the steeper the cache's line. At one length memory and arithmetic both work"
        " without a break; beyond it, arithmetic stands and waits.",
        claims=("A7", "A27"),
        question=Question(
            prompt=_longer_prompt,
            line="largest batches",
            x=at_mark("twice the crossover"),
            tolerance_ratio=FINE,
            reveal=_longer_reveal,
        ),
    ),
    Step(
        board="sparse",
        time_stamp="0:12:31",
        lines=("full attention", "square root", "indexer (DSA)"),
        sentence="Sparse attention would tame that line, by reading a part of a context instead of all of it."
        " DeepSeek's papers, he says, bring it down to a square root.",
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
        sentence="Speed was half of the question; now the price: chips are rented by the hour, so a token costs the"
        " step's time, shared among its users. Arithmetic is everybody's own and makes a level floor.",
        claims=("A4", "A9"),
        question=Question(
            prompt=_alone_prompt,
            line="cost",
            x=1.0,
            tolerance_ratio=MAGNITUDE,
            reveal=_alone_reveal,
        ),
    ),
    Step(
        board="cost",
        time_stamp="0:15:39",
        modes=BOTH,
        sentence="And patience? A larger crowd shares the weights until they hardly count, but caches and arithmetic"
        " stay each user's own, so a slow mode soon has nothing left to save.",
        claims=("A21", "A28"),
    ),
    Step(board="ratio", time_stamp="0:17:00", sentence=_ratios, claims=("A10",)),
    Step(
        board="latency",
        time_stamp="0:19:22",
        modes=BOTH,
        sentence=_parted_balance,
        claims=("A11", "A12"),
    ),
    Step(
        board="departures",
        time_stamp="0:21:40",
        sentence="Does a user wait until 2,000 others have come? No, batches leave like trains, every 20 ms, full or"
        " not: just miss one and you wait for the next, then ride it, 40 ms at the worst.",
        claims=("A17",),
    ),
    Step(
        board="tokens",
        time_stamp="0:26:25",
        lines=("trains", "B / t"),
        sentence="Those 20 ms are about what a chip takes to read its whole memory once, and nothing needs reading"
        " twice. With 64 trains a second, 2,000 seats make 128,000 tokens a second.",
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
        sentence="Sparser models want larger crowds; are they any good? He holds up a paper whose models keep their"
        " active size and get more and more experts.",
        claims=("A23", "A24"),
        question=Question(
            prompt=_worth_prompt,
            line="S-BASE",
            x=at_mark("S-BASE"),
            tolerance_ratio=FAIR,
            reveal=_worth_reveal,
        ),
    ),
)
