"""Tokens read by attention that reads a part of its context."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.companions import Attended, Attention
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.mechanisms import BLOCKS, READ, indexed_read
from ridgeline.boards.lecture.numbers import STEP_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import at, curve, curves, logarithmic
from ridgeline.equations import attention, contexts
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "DRAWN", "READ_EQUATION", "reads"]

SHORTEST, LONGEST = 100.0, 1e8
FULL, INDEXER, BLOCKED, ROOT = "full attention", "indexer (DSA)", "blocks (NSA)", "square root"
COMPUTING = "computing\ntakes as long"


DRAWN = {FULL: "full attention", ROOT: "the square root", INDEXER: "an index"}
"""Kinds that the walk comes to, in its order and words."""


def reads(*, with_index: bool) -> dict[str, Callable[[Numeric], Numeric]]:
    """Tokens' worth that each kind of attention reads, as functions of the context."""
    kinds = _reads(indexed_read())
    return {name: kinds[name][0] for name in DRAWN if with_index or name != INDEXER}


def _indexer(values: Values) -> dict[str, float]:
    """An indexer by the values of the controls, with the bytes of a token of DeepSeek-V3.2."""
    entry = indexed_read()["bytes_per_token"]
    return {"top_k": values["top_k"], "index_bytes": values["index_fraction"] * entry, "bytes_per_token": entry}


def _reads(indexer: dict[str, float]) -> dict[str, tuple[Callable[[Numeric], Numeric], Colour]]:
    """Tokens' worth of keys and values that each kind reads, of its context."""
    return {
        FULL: (lambda tokens: tokens, Colour.BOUND),
        INDEXER: (lambda tokens: attention.indexed_tokens(context_tokens=tokens, **indexer), Colour.KV),
        BLOCKED: (lambda tokens: attention.block_sparse_tokens(context_tokens=tokens, **BLOCKS), Colour.ALSO),
        ROOT: (lambda tokens: attention.square_root_tokens(context_tokens=tokens), Colour.ASIDE),
    }


def _crossovers(full_tokens: float, indexer: dict[str, float]) -> dict[str, float]:
    """Contexts at which each kind reads for as long as the model computes."""
    scanned = partial(contexts.scanned_crossover_tokens, crossover_context_tokens=full_tokens)
    found = {
        FULL: full_tokens,
        INDEXER: scanned(
            chosen_tokens=indexer["top_k"], scan_fraction=indexer["index_bytes"] / indexer["bytes_per_token"]
        ),
        BLOCKED: scanned(
            chosen_tokens=BLOCKS["chosen_tokens"],
            window=BLOCKS["window"],
            scan_fraction=1 / BLOCKS["summary_stride"],
        ),
        ROOT: contexts.square_root_crossover_tokens(crossover_context_tokens=full_tokens),
    }
    return {name: float(tokens) for name, tokens in found.items()}


def _sparse(values: Values) -> Curves:
    indexer = _indexer(values)
    kinds, crossings = _reads(indexer), _crossovers(values["crossover_tokens"], indexer)
    return curves(
        logarithmic(min(SHORTEST, *crossings.values()), LONGEST),
        curve(COMPUTING, values["crossover_tokens"], Colour.COMPUTE, is_floor=True),
        *(curve(name, reads, colour, is_bold=name == FULL) for name, (reads, colour) in kinds.items()),
        marks=[
            at(
                f"crossover of {name}",
                tokens,
                on=name,
                crosses=COMPUTING,
                text=f"{name} {format_quantity(tokens, 'count')}",
                colour=kinds[name][1],
                is_quiet=name == BLOCKED,
            )
            for name, tokens in crossings.items()
        ],
        top=2 * LONGEST,
        bottom=SHORTEST / 5,
        companion=_pages(indexer),
    )


def _pages(indexer: dict[str, float]) -> Attended:
    """Parts of one context that each kind of attention on the walk reads."""
    fraction = indexer["index_bytes"] / indexer["bytes_per_token"]
    return Attended(
        attended=(
            Attention(line=FULL, name="full"),
            Attention(line=ROOT, name=ROOT, is_root=True),
            Attention(line=INDEXER, name="indexer", picked_tokens=indexer["top_k"], index_fraction=fraction),
        ),
        text="What a new token reads of its context",
    )


READ_EQUATION = (
    Term(tex=r"L_r"),
    Term(tex=r"\;=\;"),
    Term(tex=r"L", colour=Colour.BOUND),
    Term(tex=r"\;\;\mathrm{or}\;\;"),
    Term(tex=r"2\sqrt{L}", colour=Colour.ASIDE),
    Term(tex=r"\;\;\mathrm{or}\;\;"),
    Term(tex=r"K+f_{idx}\,L", colour=Colour.KV),
)
"""Tokens read by full attention, the square root and an index."""

INDEXED = indexed_read()

BOARD = Board(
    name="sparse",
    time_stamp="0:12:31",
    title="What sparse attention reads",
    question="For each kind of attention, at what context does reading begin to take longer than computing?",
    caption="Keys and values read for one new token, counted in tokens: DSA as in DeepSeek-V3.2, NSA as published."
    " The square root is the lecture's form. No published mechanism has it.",
    formula=(
        *READ,
        Term(tex=r",\qquad L^{*}="),
        Term(tex=r"\dfrac{2\,N_a\,W}{F\,\beta}", colour=Colour.COMPUTE),
    ),
    controls=(
        controls.crossover_context(STEP_TOKENS),
        Control(
            name="top_k",
            meaning="tokens picked by the index",
            short="tokens picked",
            dimension="count",
            low=64,
            high=1e6,
            lecture=filled_in(INDEXED["top_k"], why="DeepSeek-V3.2's"),
            careful=INDEXED["top_k"],
            is_whole=True,
        ),
        Control(
            name="index_fraction",
            meaning="of a token's KV bytes in the index",
            called="index bytes over KV bytes",
            short="index over KV",
            dimension="fraction",
            low=0.001,
            high=1,
            lecture=filled_in(INDEXED["index_bytes"] / INDEXED["bytes_per_token"], why="DeepSeek-V3.2's"),
            careful=INDEXED["index_bytes"] / INDEXED["bytes_per_token"],
        ),
    ),
    views=(
        View(
            compute=_sparse,
            x=Axis(caption="context, tokens", dimension="count", is_logarithmic=True),
            y=Axis(caption="tokens read for each new token", dimension="count", is_logarithmic=True),
        ),
    ),
    claims=("A8", "A8q", "D2"),
    exercises=("contexts-square-root", "contexts-blocks", "contexts-indexer"),
    first_move=FirstMove(
        control="crossover_tokens",
        to=1e6,
        then="every crossing moves right, to longer contexts",
        seen=(
            Moves(what="crossover of full attention", way=Way.RIGHT),
            Moves(what="crossover of blocks (NSA)", way=Way.RIGHT),
        ),
    ),
)
