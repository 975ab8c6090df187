"""Boards of long contexts: where one begins to cost more, and what a hundred million tokens take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ridgeline.boards.board import Board, Control, Facts, Term, Values, View
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture import fleet as deepseek
from ridgeline.boards.lecture.mechanisms import BLOCKS, indexed_pair_flop, indexed_read, reading_all, state_bytes
from ridgeline.boards.old_numbers import (
    ACTIVE_PARAMS,
    BALANCE_RATIO,
    HUGE_TOKENS,
    NEXT_HBM_BYTES,
    STEP_TOKENS,
)
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark
from ridgeline.equations import attention, contexts, pricing, roofline
from ridgeline.estimator import parameters
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

POINTS = 401


def _context(at: Values) -> Curves:
    crossover = float(
        contexts.crossover_context_tokens(
            active_params=at["active_params"],
            bytes_per_param=at["bytes_per_param"],
            balance_ratio=at["balance_ratio"],
            kv_bytes_per_token=at["kv_bytes_per_token"],
        )
    )
    weights = 1 / at["balance_batches"]
    step, margin = at["price_step_tokens"], at["price_ratio"]

    def memory(context: np.ndarray) -> np.ndarray:
        found = contexts.memory_over_compute(
            context_over_crossover=context / crossover, batch_over_balance=at["balance_batches"]
        )
        return np.asarray(found)

    price = max(1.0, float(memory(np.array([step]))[0]))
    covered = (margin * price - weights) * crossover
    balance = (1 - weights) * crossover
    end = 2.2 * step
    marked = [where for where in (balance, covered) if 0 < where <= end]
    x = np.union1d(np.linspace(0.0, end, POINTS), [*marked, step, step * (1 + 1e-9)])
    cost = np.maximum(memory(x), 1.0)
    marks = []
    if balance in marked:
        marks.append(
            Mark(
                name="crossover",
                x=balance,
                y=1.0,
                line="cost",
                text=f"crossover: {format_quantity(balance, 'count')}",
                colour=Colour.BOUND,
            )
        )
    if covered in marked and covered > step:
        marks.append(
            Mark(
                name="end of the price",
                x=covered,
                y=margin * price,
                line="cost",
                text=f"covered up to {format_quantity(covered, 'count')}",
                colour=Colour.OTHER,
            )
        )
    return Curves(
        x=x,
        lines=(
            Line(name="cost", y=cost, colour=Colour.BOUND, is_bold=True),
            Line(name="compute", y=np.ones_like(x), colour=Colour.COMPUTE),
            Line(name="memory", y=memory(x), colour=Colour.KV),
            Line(
                name="a price that steps\nand leaves no margin",
                y=np.where(x > step, margin * price, price),
                colour=Colour.OTHER,
                is_floor=True,
            ),
        ),
        marks=tuple(marks),
        top=1.15 * max(float(cost[-1]), margin * price),
    )


SHORTEST, LONGEST = 1e3, 1e8
FULL = "full"


def _contexts(at: Values) -> np.ndarray:
    """Of all views."""
    return np.union1d(np.geomspace(SHORTEST, LONGEST, POINTS), [at["context_tokens"]])


def _here(name: str, at: Values, x: np.ndarray, y: np.ndarray, text: str) -> Mark:
    """The chosen context, on the line of full attention."""
    context = at["context_tokens"]
    return Mark(
        name=name,
        x=context,
        y=float(y[np.searchsorted(x, context)]),
        line=FULL,
        text=f"{format_quantity(context, 'count')}: {text}",
        colour=Colour.BOUND,
    )


def _held(at: Values) -> Curves:
    x, state = _contexts(at), state_bytes()
    levels = {"one chip": at["hbm_bytes"], "all chips": at["chips"] * at["hbm_bytes"]}
    reached = {
        f"fills {name}": level / at["kv_bytes_per_token"]
        for name, level in levels.items()
        if SHORTEST <= level / at["kv_bytes_per_token"] <= LONGEST
    }
    if at["chips"] == 1:
        # Both levels are the same.
        levels.pop("all chips")
        reached.pop("fills all chips", None)
    x = np.union1d(x, list(reached.values()))
    full = x * at["kv_bytes_per_token"]
    held = format_quantity(at["context_tokens"] * at["kv_bytes_per_token"], "bytes")
    return Curves(
        x=x,
        lines=(
            *(
                Line(name=name, y=np.full_like(x, level), colour=Colour.ASIDE, is_floor=True)
                for name, level in levels.items()
            ),
            Line(name="state", y=np.full_like(x, state), colour=Colour.COMPUTE),
            Line(name=FULL, y=full, colour=Colour.BOUND, is_bold=True),
        ),
        marks=(
            _here("memory at that context", at, x, full, held),
            *(
                Mark(
                    name=name,
                    x=where,
                    y=where * at["kv_bytes_per_token"],
                    line=FULL,
                    text=format_quantity(where, "count"),
                    colour=Colour.ASIDE,
                )
                for name, where in reached.items()
            ),
        ),
        top=5 * max(float(full[-1]), *levels.values()),
        bottom=0.3 * min(float(full[0]), state),
    )


def _decode(at: Values) -> Curves:
    x = _contexts(at)

    def read_s(tokens: Numeric) -> np.ndarray:
        """Time in which all chips read so many tokens' keys and values."""
        found = roofline.memory_time_s(
            batch=1,
            weight_bytes=0,
            kv_bytes_per_sequence=tokens * at["kv_bytes_per_token"],
            hbm_bytes_per_s=at["chips"] * at["hbm_bytes_per_s"],
        )
        return np.asarray(found)

    # A state is read and written.
    state = np.full_like(x, 2 * state_bytes() / at["kv_bytes_per_token"])
    lines = _lines(
        read_s,
        least=("state", state),
        root=attention.square_root_tokens(context_tokens=x),
        blocks=attention.block_sparse_tokens(context_tokens=x, **BLOCKS),
        indexed=attention.indexed_tokens(context_tokens=x, **indexed_read()),
        full=x,
    )
    here_s = float(read_s(at["context_tokens"]))
    usd = float(pricing.usd_per_token(time_s=here_s, chips=at["chips"], tokens=1, usd_per_chip_s=at["usd_per_chip_s"]))
    said = f"{format_quantity(here_s, 's')},\n{format_quantity(usd, 'usd_per_token')}"
    return Curves(
        x=x,
        lines=lines,
        marks=(_here("step at that context", at, x, lines[-1].y, said),),
        top=5 * max(float(line.y[-1]) for line in lines),
        bottom=0.3 * min(float(line.y[0]) for line in lines),
    )


def _prompt(at: Values) -> Curves:
    x = _contexts(at)

    def usd(pairs: Numeric) -> np.ndarray:
        """To read the whole prompt once, at the chips' peak: chip-seconds, however many chips share them."""
        flop = contexts.prompt_flop(
            prompt_tokens=x, active_params=at["active_params"], pairs=pairs, flop_per_pair=at["flop_per_pair"]
        )
        return np.asarray(flop / at["flop_per_s"] * at["usd_per_chip_s"])

    lines = _lines(
        usd,
        least=("parameters", 0.0),
        root=attention.square_root_pairs(prompt_tokens=x),
        blocks=attention.block_sparse_pairs(prompt_tokens=x, **BLOCKS),
        indexed=attention.indexed_pairs(prompt_tokens=x, **indexed_pair_flop()),
        full=attention.causal_pairs(prompt_tokens=x),
    )
    here = float(lines[-1].y[np.searchsorted(x, at["context_tokens"])])
    time_s = here / (at["chips"] * at["usd_per_chip_s"])
    return Curves(
        x=x,
        lines=lines,
        marks=(
            _here(
                "prompt of that length", at, x, lines[-1].y, f"{format_quantity(here, 'usd')},\n{shown(time_s, 's', 3)}"
            ),
        ),
        top=5 * max(float(line.y[-1]) for line in lines),
        bottom=0.3 * min(float(line.y[0]) for line in lines),
    )


def _lines(
    cost: Callable[[Numeric], np.ndarray],
    *,
    least: tuple[str, Numeric],
    root: Numeric,
    blocks: Numeric,
    indexed: Numeric,
    full: Numeric,
) -> tuple[Line, ...]:
    """Of the kinds, by what each reads."""
    name, nothing = least
    return (
        Line(name=name, y=cost(nothing), colour=Colour.COMPUTE),
        Line(name="root", y=cost(root), colour=Colour.KV),
        Line(name="NSA", y=cost(blocks), colour=Colour.WEIGHTS),
        Line(name="DSA", y=cost(indexed), colour=Colour.OTHER),
        Line(name=FULL, y=cost(full), colour=Colour.BOUND, is_bold=True),
    )


def _kv_bytes(facts: Facts) -> float | None:
    """Of a token, without an indexer's; None of a model that keeps nothing of each token."""
    model = reading_all(facts.model)
    return None if model is None else controls.kv_bytes(replace(facts, model=model)) or None


def _flop_per_pair(facts: Facts) -> float | None:
    """Of full attention, which the board compares kinds with; None where layers read summaries alone."""
    model = reading_all(facts.model)
    return None if model is None else parameters.flop_per_pair(model)


BOARDS: tuple[Board, ...] = (
    Board(
        name="context",
        title="Cost against context",
        question="Where does a longer context begin to cost more, and up to where does a stepped price cover it?",
        caption="Cost of an output token over that of its arithmetic: the larger of computing and reading. The price"
        " is what the step's context costs, and steps there.",
        formula=(
            Term(tex=r"\dfrac{\$(L)}{\$_{compute}}", colour=Colour.BOUND),
            Term(tex=r"\;=\;\max(\;"),
            Term(tex=r"1", colour=Colour.COMPUTE),
            Term(tex=r",\;\;"),
            Term(tex=r"\dfrac{B^{*}}{B}+\dfrac{L}{L^{*}}", colour=Colour.KV),
            Term(tex=r"\;),\qquad L^{*}=\dfrac{N_a\,b_w}{R\,\beta}"),
        ),
        controls=(
            controls.active_params(ACTIVE_PARAMS),
            controls.bytes_per_param(),
            controls.parameters_per_read(BALANCE_RATIO),
            # What the lecture reads off the step (D3), so that the crossover lies there.
            controls.kv_bytes_per_token(
                float(
                    pricing.kv_bytes_at_crossover(
                        active_params=ACTIVE_PARAMS,
                        bytes_per_param=1,
                        balance_ratio=BALANCE_RATIO,
                        context_tokens=STEP_TOKENS,
                    )
                )
            ),
            Control(
                name="balance_batches",
                meaning="balance batches",
                dimension="count",
                low=0.2,
                high=1e6,
                lecture=1e6,
                careful=lambda _: deepseek.balance_batches(),
            ),
            Control(
                name="price_step_tokens",
                meaning="tokens at the price step",
                dimension="count",
                low=1e4,
                high=1e6,
                lecture=STEP_TOKENS,
                careful=STEP_TOKENS,
            ),
            Control(
                name="price_ratio",
                meaning="times the price beyond it",
                dimension="count",
                low=1,
                high=4,
                lecture=1.5,
                careful=1.5,
            ),
        ),
        views=(
            View(
                x=Axis(caption="context, tokens", dimension="count"),
                y=Axis(caption="cost of an output token, over that of its arithmetic", dimension="count"),
                compute=_context,
            ),
        ),
        claims=("A7", "D1", "D2", "D3", "D4", "D5", "D9", "D10"),
        exercises=(
            "contexts-crossover",
            "contexts-busy",
            "contexts-cache",
            "prices-cache-bytes",
            "prices-reach",
            "prices-request",
        ),
        machine="h100-sxm",
    ),
    Board(
        name="long-context",
        title="A hundred million tokens",
        question="What keeps contexts short: the memory that holds them, the time to read them, or the price?",
        caption="Full attention; an index (DSA), blocks (NSA) and the lecture's root keep all of it and read a part; a"
        " state, of Qwen3.5's linear layers, never grows.",
        formula=(
            Term(tex=r"L\,\beta", colour=Colour.BOUND),
            Term(tex=r"\;\leq\;n\,C,\qquad"),
            Term(tex=r"t\;=\;\dfrac{a(L)\,\beta}{n\,W},\qquad"),
            Term(tex=r"\$\;=\;\dfrac{p}{F}\,("),
            Term(tex=r"2\,N_a\,L", colour=Colour.COMPUTE),
            Term(tex=r"\;+\;c\sum_{i=1}^{L}a(i)\,),\qquad"),
            Term(tex=r"a=L", colour=Colour.BOUND),
            Term(tex=r",\;\;"),
            Term(tex=r"k+f\,L", colour=Colour.OTHER),
            Term(tex=r",\;\;"),
            Term(tex=r"\dfrac{L}{16}+m\,b+w", colour=Colour.WEIGHTS),
            Term(tex=r",\;\;"),
            Term(tex=r"2\sqrt{L}", colour=Colour.KV),
        ),
        controls=(
            controls.context_tokens(lecture=HUGE_TOKENS, careful=HUGE_TOKENS, low=SHORTEST, high=LONGEST),
            controls.active_params(ACTIVE_PARAMS),
            replace(controls.kv_bytes_per_token(), careful=_kv_bytes),
            Control(
                name="flop_per_pair",
                meaning="of a query and a key",
                dimension="flop",
                low=1e3,
                high=1e9,
                # He sees the square's part in the millions of tokens: as much as the parameters at one million.
                lecture=roofline.FLOP_PER_PARAM * ACTIVE_PARAMS / 1e6,
                careful=_flop_per_pair,
            ),
            controls.chips(),
            controls.flop_per_s(),
            controls.hbm_bytes(NEXT_HBM_BYTES),
            controls.hbm_bytes_per_s(),
            controls.usd_per_chip_s(),
        ),
        views=(
            View(
                heading="What holds it",
                x=Axis(caption="context, tokens", dimension="count", is_logarithmic=True),
                y=Axis(caption="cache of one sequence", dimension="bytes", is_logarithmic=True),
                compute=_held,
            ),
            View(
                heading="What writes a token",
                x=Axis(caption="context, tokens", dimension="count", is_logarithmic=True),
                y=Axis(caption="to read one context", dimension="s", is_logarithmic=True),
                compute=_decode,
            ),
            View(
                heading="What reads it once",
                x=Axis(caption="context, tokens", dimension="count", is_logarithmic=True),
                y=Axis(caption="for the whole prompt", dimension="usd", is_logarithmic=True),
                compute=_prompt,
            ),
        ),
        claims=("A8", "D9", "D11"),
        exercises=("contexts-held", "contexts-square", "contexts-prompt"),
    ),
)
