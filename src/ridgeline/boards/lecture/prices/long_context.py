"""A hundred million tokens of context: memory to hold them, time to read them, and cost of the prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ridgeline.boards.board import NEXT, Board, Control, Facts, Term, Values, View
from ridgeline.boards.companions import Companion, Pairs
from ridgeline.boards.constant import implied
from ridgeline.boards.exercise import shown
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.lecture.batch.trains import HBM_BYTES
from ridgeline.boards.lecture.mechanisms import (
    BLOCKS,
    READ,
    indexed_pair_flop,
    indexed_read,
    read_numbers,
    reading_all,
    state_bytes,
)
from ridgeline.boards.lecture.numbers import ACTIVE_PARAMS, HUGE_TOKENS
from ridgeline.boards.picture import Axis, Colour, Curves
from ridgeline.boards.pictures import At, Curve, Form, at, curve, curves, logarithmic
from ridgeline.equations import attention, contexts, pricing, roofline
from ridgeline.estimator import parameters
from ridgeline.numeric import Numeric
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARD", "NOTICED_TOKENS", "PROMPT_EQUATION", "prompt_usd", "read_s", "written_usd"]

SHORTEST, LONGEST = 1e3, 1e8
FULL, PARAMETERS = "full", "parameters"
STRIDE = BLOCKS["summary_stride"]

NOTICED_TOKENS = implied(1e6, "1:52:00", hedge="in the millions of tokens or so", between=(1e6, 1e7), claim="D9")
"""Context from which on a reader of his notices the square."""


def read_s(values: Values, tokens: Any) -> Any:  # noqa: ANN401  a number or many
    """Time in which all chips read the keys and values of a number of tokens."""
    return roofline.memory_time_s(
        batch=1,
        weight_bytes=0,
        kv_bytes_per_sequence=tokens * values["kv_bytes_per_token"],
        hbm_bytes_per_s=values["chips"] * values["hbm_bytes_per_s"],
    )


def written_usd(values: Values, tokens: float) -> float:
    """Cost of a written token, $, for which all chips read the keys and values of a number of tokens."""
    found = pricing.usd_per_token(
        time_s=read_s(values, tokens), chips=values["chips"], tokens=1, usd_per_chip_s=values["usd_per_chip_s"]
    )
    return float(found)


def _prompt_usd(values: Values, pairs: Callable[[Numeric], Numeric]) -> Form:
    """Cost of a prompt by its pairs of a query and a key, $, at the chips' peak, however many share it."""

    def usd(tokens: Numeric) -> Numeric:
        flop = contexts.prompt_flop(
            prompt_tokens=tokens,
            active_params=values["active_params"],
            pairs=pairs(tokens),
            flop_per_pair=values["flop_per_pair"],
        )
        return flop / values["flop_per_s"] * values["usd_per_chip_s"]

    return usd


def prompt_usd(values: Values, *, with_attention: bool) -> Form:
    """Cost of a prompt by its length, for the parameters alone or with full attention."""
    return _prompt_usd(values, _causal if with_attention else _none)


def whole_prompt_usd(values: Values) -> float:
    """Cost of a prompt as long as the chosen context, with full attention."""
    return float(prompt_usd(values, with_attention=True)(np.array(values["context_tokens"])))


def _causal(tokens: Numeric) -> Numeric:
    return attention.causal_pairs(prompt_tokens=tokens)


def _none(tokens: Numeric) -> Numeric:
    return 0.0 * tokens


def _held(values: Values) -> Curves:
    chip, kv = values["hbm_bytes"], values["kv_bytes_per_token"]
    levels = {"one chip": chip} | ({"all chips": chip * values["chips"]} if values["chips"] > 1 else {})
    filled = [
        at(f"fills {name}", level / kv, on=FULL, text=format_quantity(level / kv, "count", 3), colour=Colour.ASIDE)
        for name, level in levels.items()
    ]
    held = _here("memory at that context", values, lambda y: format_quantity(y, "bytes"))
    return curves(
        logarithmic(SHORTEST, LONGEST),
        *(curve(name, level, Colour.ASIDE, is_floor=True) for name, level in levels.items()),
        curve("state", state_bytes(), Colour.KV),
        curve(FULL, lambda context: context * kv, Colour.BOUND, is_bold=True),
        marks=[held, *filled],
        top=5 * max(LONGEST * kv, *levels.values()),
        bottom=0.3 * min(SHORTEST * kv, state_bytes()),
    )


def _decode(values: Values) -> Curves:
    read = partial(read_s, values)
    # A state is read and written.
    least = 2 * state_bytes() / values["kv_bytes_per_token"]

    def text(time_s: float) -> str:
        usd = written_usd(values, values["context_tokens"])
        return f"{format_quantity(time_s, 's')},\n{format_quantity(usd, 'usd_per_token')}"

    return _kinds(
        curve("state", lambda context: 0.0 * context + read(least), Colour.KV),
        root=lambda context: read(attention.square_root_tokens(context_tokens=context)),
        blocks=lambda context: read(attention.block_sparse_tokens(context_tokens=context, **BLOCKS)),
        indexed=lambda context: read(attention.indexed_tokens(context_tokens=context, **indexed_read())),
        full=read,
        marks=[_here("step at that context", values, text)],
    )


def doubled_tokens(values: Values) -> float:
    """Length of the prompt whose attention costs as much as its parameters."""
    # A token of it attends to half of the prompt on average.
    return 2 * float(
        pricing.attention_parity_tokens(active_params=values["active_params"], flop_per_pair=values["flop_per_pair"])
    )


def _doubled(values: Values) -> At:
    tokens = doubled_tokens(values)
    text = f"{format_quantity(tokens, 'count', 2)}: attention\ndoubles the cost"
    return at("attention doubles it", tokens, on=FULL, text=text)


def _prompt(values: Values) -> Curves:
    def text(usd: float) -> str:
        time_s = usd / (values["chips"] * values["usd_per_chip_s"])
        chips = "chip" if values["chips"] == 1 else "chips"
        return f"{format_quantity(usd, 'usd')},\n{shown(time_s, 's', 3)} on {values['chips']:g} {chips}"

    return _kinds(
        curve(PARAMETERS, prompt_usd(values, with_attention=False), Colour.COMPUTE),
        root=_prompt_usd(values, lambda tokens: attention.square_root_pairs(prompt_tokens=tokens)),
        blocks=_prompt_usd(values, lambda tokens: attention.block_sparse_pairs(prompt_tokens=tokens, **BLOCKS)),
        indexed=_prompt_usd(
            values, lambda tokens: attention.indexed_pairs(prompt_tokens=tokens, **indexed_pair_flop())
        ),
        full=prompt_usd(values, with_attention=True),
        marks=[_here("prompt of that length", values, text), _doubled(values)],
        companion=Pairs(by_parameters=PARAMETERS, with_attention=FULL, text="What a prompt's tokens are computed with"),
    )


def _kinds(
    least: Curve,
    *,
    root: Form,
    blocks: Form,
    indexed: Form,
    full: Form,
    marks: list[At],
    companion: Companion | None = None,
) -> Curves:
    """Lines of the kinds of attention, by the tokens that they read."""
    lines = (
        least,
        curve("square root", root, Colour.ASIDE),
        curve("NSA", blocks, Colour.ALSO),
        curve("DSA", indexed, Colour.KV),
        curve(FULL, full, Colour.BOUND, is_bold=True),
    )
    low, high = (np.array([line.of(np.array([end])) for line in lines]) for end in (SHORTEST, LONGEST))
    return curves(
        logarithmic(SHORTEST, LONGEST),
        *lines,
        marks=marks,
        top=3 * float(high.max()),
        bottom=0.1 * float(low.min()),
        companion=companion,
    )


def _here(name: str, values: Values, text: Callable[[float], str]) -> At:
    """Mark of the chosen context on the line of full attention."""
    context = format_quantity(values["context_tokens"], "count")
    return at(name, values["context_tokens"], on=FULL, text=lambda y: f"{context}: {text(y)}")


def _kv_bytes(facts: Facts) -> float | None:
    """Bytes of keys and values a token, without an indexer's; None for a model that keeps nothing of each token."""
    model = reading_all(facts.model)
    return None if model is None else controls.kv_bytes(replace(facts, model=model)) or None


def _flop_per_pair(facts: Facts) -> float | None:
    """FLOP per pair of full attention, which the board compares kinds with; None where layers read summaries alone."""
    model = reading_all(facts.model)
    return None if model is None else parameters.flop_per_pair(model)


CONTEXT = Axis(caption="context, tokens", dimension="count", is_logarithmic=True)

PROMPT_EQUATION = (
    Term(tex=r"\$_{prompt}", colour=Colour.BOUND),
    Term(tex=r"\;=\;\dfrac{\$_{chip}}{F}\,("),
    Term(tex=r"2\,N_a\,L", colour=Colour.COMPUTE),
    Term(tex=r"\;+\;\dfrac{c_{att}\,L^2}{2}\,)"),
)
"""Cost of a prompt under full attention."""

BOARD = Board(
    name="long-context",
    time_stamp="1:52:00",
    title="A hundred million tokens",
    question="What keeps contexts short: the memory that holds them, the time to read them, or the price?",
    caption="Full attention reads every token. An index (DSA), blocks (NSA) and the lecture's square root keep all"
    " tokens and read some of them. A state, as in Qwen3.5's linear layers, never grows.",
    formula=(
        Term(tex=r"L\,\beta", colour=Colour.BOUND),
        Term(tex=r"\;\leq\;n\,C,\qquad t\;=\;\dfrac{L_r\,\beta}{n\,W}"),
        NEXT,
        Term(tex=r"\$_{prompt}\;=\;\dfrac{\$_{chip}}{F}\,("),
        Term(tex=r"2\,N_a\,L", colour=Colour.COMPUTE),
        Term(tex=r"\;+\;c_{att}\sum_{i=1}^{L}L_r(i)\,),\qquad"),
        *READ,
    ),
    letter_numbers=(*read_numbers(),),
    controls=(
        controls.context_tokens(lecture=HUGE_TOKENS, careful=float(HUGE_TOKENS), low=SHORTEST, high=LONGEST),
        controls.active_params(ACTIVE_PARAMS),
        replace(controls.kv_bytes_per_token(), careful=_kv_bytes),
        Control(
            name="flop_per_pair",
            meaning="per query-key pair",
            short="per pair",
            dimension="flop",
            low=1e3,
            high=1e9,
            # As much as the parameters at a million tokens, from where on one notices it.
            lecture=implied(
                roofline.FLOP_PER_PARAM * float(ACTIVE_PARAMS) / float(NOTICED_TOKENS),
                "1:52:00",
                hedge=NOTICED_TOKENS.hedge,
                claim="D9",
            ),
            careful=_flop_per_pair,
        ),
        controls.chips(),
        controls.flop_per_s(),
        controls.hbm_bytes(HBM_BYTES),
        controls.hbm_bytes_per_s(),
        controls.usd_per_chip_s(),
    ),
    views=(
        View(
            heading="Memory that holds it",
            x=CONTEXT,
            y=Axis(caption="KV cache of one sequence", dimension="bytes", is_logarithmic=True),
            compute=_held,
        ),
        View(
            equations=(1,),
            heading="Time for one token",
            x=CONTEXT,
            y=Axis(caption="time to read the context once", dimension="s", is_logarithmic=True),
            compute=_decode,
        ),
        View(
            equations=(2,),
            heading="Price of the prompt",
            x=CONTEXT,
            y=Axis(caption="cost to prefill the whole prompt", dimension="usd", is_logarithmic=True),
            compute=_prompt,
        ),
    ),
    claims=("D9", "D10", "D11", "D20", "D23", "A8", "A8q"),
    exercises=("contexts-held", "contexts-square", "contexts-prompt"),
    first_move=FirstMove(
        control="kv_bytes_per_token",
        to=100.0,
        then="the line falls: longer contexts fit",
        seen=(Moves(what="full", way=Way.DOWN),),
    ),
)
