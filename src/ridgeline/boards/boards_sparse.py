"""The board of attention that reads a part of its context."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Board, Term, Values, View
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.mechanisms import BLOCKS, indexed_read
from ridgeline.boards.old_numbers import STEP_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark
from ridgeline.equations import attention, contexts
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

POINTS = 401
SHORTEST, LONGEST = 100.0, 1e8


def _sparse(at: Values) -> Curves:
    crossover, indexer = at["crossover_tokens"], indexed_read()
    full = float(crossover)
    indexed = contexts.scanned_crossover_tokens(
        crossover_context_tokens=crossover,
        chosen_tokens=indexer["top_k"],
        scan_fraction=indexer["index_bytes"] / indexer["bytes_per_token"],
    )
    blocks = contexts.scanned_crossover_tokens(
        crossover_context_tokens=crossover,
        chosen_tokens=BLOCKS["chosen_tokens"],
        window=BLOCKS["window"],
        scan_fraction=1 / BLOCKS["summary_stride"],
    )
    root = contexts.square_root_crossover_tokens(crossover_context_tokens=crossover)
    found = {
        "full attention": (full, Colour.BOUND),
        "indexer (DSA)": (float(indexed), Colour.OTHER),
        "blocks (NSA)": (float(blocks), Colour.WEIGHTS),
        "square root": (float(root), Colour.KV),
    }
    crossings = [where for where, _ in found.values() if where <= LONGEST]
    x = np.union1d(np.geomspace(min(SHORTEST, *crossings), LONGEST, POINTS), crossings)
    reads = {
        "full attention": x,
        "indexer (DSA)": attention.indexed_tokens(context_tokens=x, **indexer),
        "blocks (NSA)": attention.block_sparse_tokens(context_tokens=x, **BLOCKS),
        "square root": attention.square_root_tokens(context_tokens=x),
    }
    return Curves(
        x=x,
        lines=(
            Line(
                name="computing\ntakes as long",
                y=np.full_like(x, crossover),
                colour=Colour.COMPUTE,
                is_floor=True,
            ),
            *(
                Line(
                    name=name,
                    y=np.asarray(reads[name]),
                    colour=colour,
                    is_bold=name == "full attention",
                )
                for name, (_, colour) in found.items()
            ),
        ),
        marks=tuple(
            Mark(
                name=f"crossover of {name}",
                x=where,
                y=float(np.interp(where, x, reads[name])),
                line=name,
                text=format_quantity(where, "count"),
                colour=colour,
            )
            for name, (where, colour) in found.items()
            if where <= LONGEST
        ),
        top=2e8,
        bottom=20.0,
    )


BOARDS: tuple[Board, ...] = (
    Board(
        name="sparse",
        title="What sparse attention reads",
        question="From which context on does reading take longer than computing, for each kind of attention?",
        caption="Tokens' worth of keys and values read for one new token: DSA as in DeepSeek-V3.2, NSA as published;"
        " the square root is the lecture's form, which no published mechanism has.",
        formula=(
            Term(tex=r"L", colour=Colour.BOUND),
            Term(tex=r",\quad"),
            Term(tex=r"k+L\,\dfrac{b_{index}}{b_{entry}}", colour=Colour.OTHER),
            Term(tex=r",\quad"),
            Term(tex=r"\dfrac{L}{16}+m\,b+w", colour=Colour.WEIGHTS),
            Term(tex=r",\quad"),
            Term(tex=r"2\sqrt{L}", colour=Colour.KV),
            Term(tex=r"\quad\mathrm{against}\quad"),
            Term(tex=r"L^{*}=\dfrac{2\,N_a\,W}{F\,\beta}", colour=Colour.COMPUTE),
        ),
        controls=(controls.crossover_context(STEP_TOKENS),),
        views=(
            View(
                x=Axis(caption="context, tokens", dimension="count", is_logarithmic=True),
                y=Axis(caption="tokens read for a new one", dimension="count", is_logarithmic=True),
                compute=_sparse,
            ),
        ),
        claims=("A7", "A8", "A8q", "D2"),
        exercises=(
            "contexts-square-root",
            "contexts-blocks",
            "contexts-indexer",
        ),
    ),
)
