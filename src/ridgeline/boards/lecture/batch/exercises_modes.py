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
"""Price and speed of the fast mode that the lecture opens with, over the regular one's."""
SMALL_BATCH = 0.02
"""Batch over the balance batch, at which checking takes no time."""

EXERCISES: tuple[Exercise, ...] = (
    compose(
        "modes-batch",
        time_stamp="0:01:00",
        question="A fast mode costs {price_ratio} times as much per token and is {speed_ratio} times as fast, by a"
        " smaller batch alone. If the chips still earn the same, how many times smaller is the batch?",
        inputs={"price_ratio": 4.0, "speed_ratio": 2.0},
        equation=modes.batch_ratio,
        dimension="count",
        tolerance=0.0,
        working="Each user pays more per token and takes tokens faster, so that many times fewer users earn the same:"
        " {price_ratio} * {speed_ratio}",
    ),
    compose(
        "modes-lecture-batch",
        time_stamp="0:01:00",
        question="The fast mode in the lecture's opening question costs {price_ratio} times as much per token and is"
        " {speed_ratio} times as fast. If the chips still earn the same, how many times smaller is its batch?",
        inputs=LECTURE,
        equation=modes.batch_ratio,
        dimension="count",
        tolerance=0.0,
        working="Each user pays more per token and takes tokens faster, so that many times fewer users earn the same:"
        " {price_ratio} * {speed_ratio}",
    ),
    compose(
        "modes-limit",
        time_stamp="0:01:20",
        question="A smaller batch makes a model {speed_ratio} times as fast at {price_ratio} times the price per"
        " token, and the chips still earn the same. How many times as fast could it be at any price?",
        inputs={"price_ratio": 4.0, "speed_ratio": 2.0},
        equation=modes.largest_speed_up,
        dimension="count",
        tolerance=0.05,
        working="Until nothing but the weights is left to read: 1 + ({speed_ratio} - 1) / (1 - 1 / {price_ratio})",
    ),
    compose(
        "modes-saving",
        time_stamp="0:15:39",
        question="A smaller batch makes a model {speed_ratio} times as fast at {price_ratio} times the price per"
        " token, and the chips still earn the same. What share of the regular price could a slow mode save at most,"
        " with a batch of any size?",
        inputs={"price_ratio": 3.0, "speed_ratio": 2.0},
        equation=modes.largest_saving_fraction,
        dimension="fraction",
        tolerance=0.05,
        working="At most the share of a regular step that reads the weights: 1 / (1 + ({speed_ratio} - 1) / (1 - 1 /"
        " {price_ratio}))",
    ),
    compose(
        "modes-drafts",
        time_stamp="0:01:50",
        question="In each step a model checks {drafted_tokens} drafted tokens per sequence and adds one of its own."
        " Each draft is accepted with a chance of {acceptance_fraction}, if all before it were. Drafting and checking"
        " take no extra time. How many times as fast do tokens come as without drafts?",
        inputs={"drafted_tokens": 3.0, "acceptance_fraction": 0.5},
        equation=speculation.accepted_tokens,
        dimension="count",
        tolerance=0.01,
        working="Tokens per step, the accepted drafts and its own: (1 - {acceptance_fraction}^({drafted_tokens} + 1))"
        " / (1 - {acceptance_fraction})",
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
        question="Reading all weights takes {weight_time_s}. Each sequence adds {compute_time_per_sequence_s} of"
        " arithmetic and {kv_time_per_sequence_s} of reading its cache. At a batch of {batch}, how many times the"
        " lowest possible cost does a token cost?",
        inputs={
            "batch": 100.0,
            "weight_time_s": 3e-3,
            "compute_time_per_sequence_s": 5e-6,
            "kv_time_per_sequence_s": 2e-6,
        },
        equation=modes.cost_over_floor,
        dimension="count",
        tolerance=0.05,
        working="The step's time per sequence over the shortest possible, its arithmetic: ({weight_time_s} + {batch} *"
        " {kv_time_per_sequence_s}) / {batch} / {compute_time_per_sequence_s}",
    ),
    compose(
        "modes-slow",
        time_stamp="0:15:39",
        question="A sequence's cache takes {kv_time_per_sequence_s} to read and its token only"
        " {compute_time_per_sequence_s} to compute. Reading all weights takes {weight_time_s}. At a batch of {batch},"
        " how many times as much does a token cost as in an endless batch?",
        inputs={
            "batch": 4000.0,
            "weight_time_s": 4e-3,
            "compute_time_per_sequence_s": 2e-6,
            "kv_time_per_sequence_s": 5e-6,
        },
        equation=modes.cost_over_floor,
        dimension="count",
        tolerance=0.01,
        working="Only the weights' part can be shared among more: ({weight_time_s} / {batch} +"
        " {kv_time_per_sequence_s}) / {kv_time_per_sequence_s}",
    ),
)

CONTEXTS: tuple[Exercise, ...] = (
    compose(
        "contexts-square-root",
        time_stamp="0:12:31",
        question="With full attention, reading a sequence's cache takes as long as computing its token at"
        " {crossover_context_tokens} tokens of context. At what context does it, if a token reads only twice the"
        " square root of the context?",
        inputs={"crossover_context_tokens": 8000.0},
        equation=contexts.square_root_crossover_tokens,
        dimension="count",
        tolerance=0.01,
        working="2 √L must equal the tokens read before, so L is ({crossover_context_tokens} / 2)²",
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
        working="Summaries, chosen tokens and the window: {context_tokens} / {summary_stride} + {chosen_tokens} +"
        " {window}",
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
        question="An indexer reads {index_bytes} of every token to score it; attention then reads the best {top_k}"
        " tokens in full, {bytes_per_token} each. At a context of {context_tokens} tokens, how many full tokens have"
        " as many bytes as it reads in all?",
        inputs={"context_tokens": 100e3, "top_k": 2048.0, "index_bytes": 128.0, "bytes_per_token": 1280.0},
        equation=attention.indexed_tokens,
        dimension="count",
        tolerance=0.01,
        working="The best tokens, and the index counted in full tokens: {top_k} + {context_tokens} * {index_bytes} /"
        " {bytes_per_token}",
    ),
)
"""Exercises on attention that reads a part; those on crossovers stand with the chapter on prices."""
