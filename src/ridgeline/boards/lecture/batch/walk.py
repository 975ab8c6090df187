"""The walk from 0:00:52: what one step takes, what a token costs, how large a batch has to be, and when it leaves."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.batch import walk_sentences as words
from ridgeline.boards.picture import Colour
from ridgeline.boards.place import Way
from ridgeline.boards.walk import FAIR, FINE, MAGNITUDE, ROUGH, Question, Step, at_mark

__all__ = ["STEPS"]

CAREFUL = Mode.CAREFUL
BOTH = (Mode.LECTURE, Mode.CAREFUL)

OF_COMPUTE = ("active_params", "flop_per_s", "chips")
OF_WEIGHTS = ("expansion", "bytes_per_param", "hbm_bytes_per_s", "expert_share")

STEPS = (
    Step(
        board="cost",
        time_stamp="0:00:52",
        modes=(CAREFUL,),
        terms=2,
        lines=("cost",),
        sentence=words.offer,
        named={"what a token of DeepSeek-V3 costs": Colour.MONEY},
        question=Question(
            prompt=words.dearer_prompt,
            line="cost",
            x=words.dearer,
            tolerance_ratio=ROUGH,
            reveal=words.dearer_reveal,
            way=Way.ALONG,
        ),
    ),
    Step(
        board="latency",
        time_stamp="0:03:45",
        terms=3,
        lines=("compute",),
        controls=OF_COMPUTE,
        sentence="Reiner Pope starts with one decode step, in which every sequence in the batch gains one token (from"
        " here on, the numbers are his). Each token passes through all the active parameters, so compute time grows"
        " with the batch.",
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
        " takes as long for one sequence as for a thousand, so this line is flat.",
        named={"fetch the weights": Colour.WEIGHTS},
        claims=("A3",),
    ),
    Step(
        board="latency",
        time_stamp="0:09:10",
        lines=("compute", "weight fetch", "KV fetch", "step"),
        sentence="Every sequence also has a context of its own, whose KV cache is read on top of the weights."
        " Compute and memory work at the same time, so the slower of the two sets the step time.",
        named={
            "KV cache": Colour.KV,
            "the weights": Colour.WEIGHTS,
            "Compute": Colour.COMPUTE,
            "step time": Colour.BOUND,
        },
        claims=("A1", "A3"),
        question=Question(
            prompt=words.crowded_prompt,
            line="step",
            x=at_mark(words.CROWDED),
            tolerance_ratio=FINE,
            reveal=words.crowded_reveal,
        ),
    ),
    Step(
        board="modes",
        time_stamp="0:09:54",
        lines=("slow mode", "price"),
        sentence=words.fewer,
        named={"anyone pays": Colour.MONEY},
        claims=("A22", "A30"),
        question=Question(
            prompt=words.faster_prompt,
            line="price",
            x=words.FASTER,
            tolerance_ratio=ROUGH,
            reveal=words.faster_reveal,
        ),
    ),
    Step(
        board="utilisation",
        time_stamp="0:11:00",
        lines=("peak", "largest batches"),
        sentence="The longer the contexts, the steeper the KV line. At one context length, memory and compute are both"
        " fully busy; beyond it, compute waits for memory.",
        named={"both fully busy": Colour.ASIDE},
        claims=("A7", "A27"),
        question=Question(
            prompt=words.longer_prompt,
            line="largest batches",
            x=at_mark("twice the crossover"),
            tolerance_ratio=FINE,
            reveal=words.longer_reveal,
        ),
    ),
    Step(
        board="sparse",
        time_stamp="0:12:31",
        lines=("full attention", "square root", "indexer (DSA)"),
        sentence="Sparse attention flattens that line: each new token reads only part of its context. DeepSeek's"
        " papers, he says, get it down to a square root.",
        named={"Sparse attention": Colour.OTHER, "a square root": Colour.ASIDE},
        claims=("A8",),
        question=Question(
            prompt=words.sparse_prompt,
            line="indexer (DSA)",
            x=words.LONG_TOKENS,
            tolerance_ratio=MAGNITUDE,
            reveal=words.sparse_reveal,
        ),
    ),
    Step(
        board="cost",
        time_stamp="0:13:00",
        terms=3,
        lines=("compute", "cost"),
        sentence="Now the price: chips are rented by the hour, so a token's cost is the step time shared among all"
        " sequences in the batch. A token's own arithmetic cannot be shared, and sets a floor.",
        named={"a token's cost": Colour.MONEY, "own arithmetic": Colour.COMPUTE},
        claims=("A4", "A9"),
        question=Question(
            prompt=words.alone_prompt,
            line="cost",
            x=1.0,
            tolerance_ratio=MAGNITUDE,
            reveal=words.alone_reveal,
        ),
    ),
    Step(
        board="cost",
        time_stamp="0:15:39",
        modes=BOTH,
        sentence="Could patience buy a discount? A larger batch dilutes the weights until they hardly count, but each"
        " sequence keeps its own KV cache and compute; in his numbers (dashed) and DeepSeek-V3's (solid), a slow mode"
        " soon has nothing left to save.",
        named={"the weights": Colour.WEIGHTS, "KV cache": Colour.KV, "compute": Colour.COMPUTE},
        claims=("A21", "A28"),
    ),
    Step(
        board="ratio",
        time_stamp="0:17:00",
        sentence=words.ratios,
        named={"a chip can multiply": Colour.COMPUTE, "reads one": Colour.WEIGHTS, "About 300": Colour.BOUND},
        claims=("A10",),
    ),
    Step(
        board="latency",
        time_stamp="0:19:22",
        modes=BOTH,
        sentence=words.parted_balance,
        named={"KV caches": Colour.KV},
        claims=("A11", "A12"),
    ),
    Step(
        board="departures",
        time_stamp="0:21:40",
        sentence=words.trains,
        named={"at worst": Colour.ASIDE},
        claims=("A17",),
    ),
    Step(
        board="tokens",
        time_stamp="0:26:25",
        lines=("trains", "B / t"),
        sentence=words.clocked,
        named={"128,000 tokens": Colour.ASIDE},
        claims=("A18", "A20"),
        question=Question(
            prompt=words.unclocked_prompt,
            line="B / t",
            x=at_mark("seats"),
            tolerance_ratio=ROUGH,
            reveal=words.unclocked_reveal,
        ),
    ),
    Step(
        board="quality",
        time_stamp="0:30:13",
        lines=("dense", "S-BASE"),
        sentence="Sparser models need larger batches: are they worth it? He shows a paper on small models that keep the"
        " same active size while the number of experts grows.",
        named={"the same active size": Colour.ASIDE},
        claims=("A23", "A24"),
        question=Question(
            prompt=words.worth_prompt,
            line="S-BASE",
            x=at_mark("S-BASE"),
            tolerance_ratio=FAIR,
            reveal=words.worth_reveal,
        ),
    ),
)
