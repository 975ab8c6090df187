"""Exercises on what a batch costs, on fast and slow modes, and on attention that reads a part of its context.

Five percent leaves room for mental arithmetic in several steps, one percent for a single one; what is counted, or comes
out round, is asked exactly.
"""

from __future__ import annotations

from ridgeline.boards.card import Level
from ridgeline.boards.exercise import Exercise, compose
from ridgeline.boards.place import Place, Way
from ridgeline.equations import attention, contexts, modes, speculation

__all__ = ["CONTEXTS", "EXERCISES"]

LECTURE = {"price_ratio": 6.0, "speed_ratio": 2.5}
"""Of the fast mode that the lecture opens with."""
SMALL_BATCH = 0.02
"""Of the balance batch, at which checking takes no time."""

EXERCISES: tuple[Exercise, ...] = (
    compose(
        "modes-batch",
        time_stamp="0:01:00",
        question="A fast mode costs {price_ratio} times as much a token and is {speed_ratio} times as fast; the chips"
        " earn as much as before, and nothing but the batch differs. How many times smaller is its batch?",
        inputs={"price_ratio": 4.0, "speed_ratio": 2.0},
        equation=modes.batch_ratio,
        dimension="count",
        tolerance=0.0,
        working="fewer pay more, and more often: {price_ratio} * {speed_ratio}",
    ),
    compose(
        "modes-lecture-batch",
        time_stamp="0:01:00",
        question="The fast mode of the lecture's opening question costs {price_ratio} times as much a token and is"
        " {speed_ratio} times as fast. How many times smaller is its batch, if the chips earn as much as before?",
        inputs=LECTURE,
        equation=modes.batch_ratio,
        dimension="count",
        tolerance=0.0,
        working="fewer pay more, and more often: {price_ratio} * {speed_ratio}",
    ),
    compose(
        "modes-limit",
        time_stamp="0:01:20",
        question="A smaller batch, at {price_ratio} times the price a token, makes a model {speed_ratio} times as fast;"
        " the chips earn as much as before, and nothing but the batch differs. How many times as fast could it be at"
        " any price at all?",
        inputs={"price_ratio": 4.0, "speed_ratio": 2.0},
        equation=modes.largest_speed_up,
        dimension="count",
        tolerance=0.05,
        working="until only the weights are left to read: 1 + ({speed_ratio} - 1) / (1 - 1 / {price_ratio})",
    ),
    compose(
        "modes-saving",
        time_stamp="0:15:39",
        question="A smaller batch, at {price_ratio} times the price a token, makes a model {speed_ratio} times as fast;"
        " the chips earn as much as before, and nothing but the batch differs. Which part of the regular price could a"
        " slow mode with a batch without end save at most?",
        inputs={"price_ratio": 3.0, "speed_ratio": 2.0},
        equation=modes.largest_saving_fraction,
        dimension="fraction",
        tolerance=0.05,
        working="the weights' part of a regular step: 1 / (1 + ({speed_ratio} - 1) / (1 - 1 / {price_ratio}))",
    ),
    compose(
        "modes-drafts",
        time_stamp="0:01:50",
        question="Each step of a model checks {drafted_tokens} drafted tokens a sequence and adds one of its own; a"
        " draft counts with a chance of {acceptance_fraction} where all before it did. The batch is so small that"
        " checking takes no time, and drafting takes none either. How many times as fast do a user's tokens come as"
        " without drafts?",
        inputs={"drafted_tokens": 3.0, "acceptance_fraction": 0.5},
        equation=speculation.accepted_tokens,
        dimension="count",
        tolerance=0.01,
        working="tokens a step, its own and the drafts that count: (1 - {acceptance_fraction}^({drafted_tokens} + 1)) /"
        " (1 - {acceptance_fraction})",
        level=Level.COMBINE,
        place=Place(
            board="modes",
            view=1,
            way=Way.UPRIGHT,
            line="with drafts",
            at=lambda _: SMALL_BATCH,
            turned=dict,
            lines=("no gain",),
        ),
    ),
    compose(
        "modes-small-batch",
        time_stamp="0:04:26",
        question="Reading all weights takes {weight_time_s}; a sequence adds {compute_time_per_sequence_s} of"
        " arithmetic and {kv_time_per_sequence_s} of reading its cache. What does a token cost at a batch of {batch},"
        " over the least that it costs at any batch?",
        inputs={
            "batch": 100.0,
            "weight_time_s": 3e-3,
            "compute_time_per_sequence_s": 5e-6,
            "kv_time_per_sequence_s": 2e-6,
        },
        equation=modes.cost_over_floor,
        dimension="count",
        tolerance=0.05,
        working="a step's time a sequence, over the least that it can be: ({weight_time_s} + {batch} *"
        " {kv_time_per_sequence_s}) / {batch} / {compute_time_per_sequence_s}",
    ),
    compose(
        "modes-slow",
        time_stamp="0:15:39",
        question="Contexts are so long that reading binds at any batch: a sequence's cache takes"
        " {kv_time_per_sequence_s} to read and its token {compute_time_per_sequence_s} to compute. Reading all weights"
        " takes {weight_time_s}. What does a token cost at a batch of {batch}, over what a slow mode with a batch"
        " without end could offer it for?",
        inputs={
            "batch": 4000.0,
            "weight_time_s": 4e-3,
            "compute_time_per_sequence_s": 2e-6,
            "kv_time_per_sequence_s": 5e-6,
        },
        equation=modes.cost_over_floor,
        dimension="count",
        tolerance=0.01,
        working="only the weights' part can be shared further: ({weight_time_s} / {batch} + {kv_time_per_sequence_s}) /"
        " {kv_time_per_sequence_s}",
    ),
)

CONTEXTS: tuple[Exercise, ...] = (
    compose(
        "contexts-square-root",
        time_stamp="0:12:31",
        question="With full attention, reading a sequence's cache takes as long as computing its token at"
        " {crossover_context_tokens} tokens of context. At how many, if a token read only twice the square root of its"
        " context?",
        inputs={"crossover_context_tokens": 8000.0},
        equation=contexts.square_root_crossover_tokens,
        dimension="count",
        tolerance=0.01,
        working="2 √L tokens read have to be as many as before, so L is ({crossover_context_tokens} / 2)²",
        place=Place(
            board="sparse",
            way=Way.ALONG,
            line="square root",
            turned=lambda given: {"crossover_tokens": given["crossover_context_tokens"]},
            lines=("computing takes as long", "full attention"),
            on="computing takes as long",
        ),
    ),
    compose(
        "contexts-blocks",
        time_stamp="0:12:31",
        question="Block-sparse attention reads one summary for every {summary_stride} tokens, the best {chosen_tokens}"
        " tokens, and a window of {window}. How many keys does it read at a context of {context_tokens} tokens?",
        inputs={"context_tokens": 32768.0, "summary_stride": 16.0, "chosen_tokens": 1024.0, "window": 512.0},
        equation=attention.block_sparse_tokens,
        dimension="count",
        tolerance=0.01,
        working="summaries, chosen and window: {context_tokens} / {summary_stride} + {chosen_tokens} + {window}",
        place=Place(
            board="sparse",
            way=Way.UPRIGHT,
            line="blocks (NSA)",
            at=lambda given: given["context_tokens"],
            turned=lambda _: {},
            lines=("full attention", "square root"),
        ),
    ),
    compose(
        "contexts-indexer",
        time_stamp="0:12:31",
        question="An indexer reads {index_bytes} of every token to score it, and attention then reads the best {top_k}"
        " tokens in full, {bytes_per_token} each. As many bytes as how many full tokens does it read altogether, at a"
        " context of {context_tokens} tokens?",
        inputs={"context_tokens": 100e3, "top_k": 2048.0, "index_bytes": 128.0, "bytes_per_token": 1280.0},
        equation=attention.indexed_tokens,
        dimension="count",
        tolerance=0.01,
        working="the best, and the index in parts of a token: {top_k} + {context_tokens} * {index_bytes} /"
        " {bytes_per_token}",
    ),
)
"""On attention that reads a part; those on crossovers stand with the chapter on prices."""
