"""Drawings of what is read and computed: they say what the lines of their charts say, wherever they are read."""

from __future__ import annotations

import numpy as np
import pytest
from tests.each import of_each

from ridgeline.boards.board import Board, Mode
from ridgeline.boards.companions import Attended, Batched, Clocked, Pairs, TwoModes
from ridgeline.boards.lecture.batch import modes, sparse, tokens, utilisation
from ridgeline.boards.lecture.prices import context, long_context
from ridgeline.boards.picture import Curves


def drawn(board: Board, mode: Mode, turned: dict[str, float] | None = None, view: int = 0) -> Curves:
    picture = board.views[view].compute(board.values(mode, turned or {}))
    assert isinstance(picture, Curves)
    return picture


def height(picture: Curves, name: str) -> np.ndarray:
    (found,) = (line.y for line in picture.lines if line.name == name)
    return np.broadcast_to(found, picture.x.shape)


@of_each("mode", Mode)
@of_each("turned", [{}, {"index_fraction": 0.5, "top_k": 64.0}])
def test_what_is_lit_of_a_page_is_what_the_line_reads(mode: Mode, turned: dict[str, float]) -> None:
    picture = drawn(sparse.BOARD, mode, turned)
    assert isinstance(picture.companion, Attended)
    for kind in picture.companion.attended:
        x = picture.x
        if kind.is_root:
            lit = 2 * np.sqrt(x)  # a summary of each block, and one block
        elif kind.picked_tokens is None:
            lit = x
        else:
            lit = np.minimum(kind.picked_tokens, x) + kind.index_fraction * x
        assert lit == pytest.approx(height(picture, kind.line), rel=1e-12)  # rounding


@of_each("mode", Mode)
@of_each("batch", [0.5, 3.0, 1e4])
def test_rows_are_as_long_as_utilisation_and_cost_say(mode: Mode, batch: float) -> None:
    picture = drawn(utilisation.BOARD, mode, {"balance_batches": batch})
    rows = picture.companion
    assert isinstance(rows, Batched)
    reading = 1 / rows.balance_batches + picture.x / rows.crossover_tokens
    (own,) = (line.name for line in picture.lines if line.name.startswith("this batch"))
    assert 1 / np.maximum(1, reading) == pytest.approx(height(picture, own), rel=1e-12)  # rounding
    picture = drawn(context.BOARD, mode, {"balance_batches": batch})
    rows = picture.companion
    assert isinstance(rows, Batched)
    reading = 1 / rows.balance_batches + picture.x / rows.crossover_tokens
    assert np.maximum(1, reading) == pytest.approx(height(picture, "cost"), rel=1e-12)  # rounding
    assert rows.price in {line.name for line in picture.lines}


@of_each("mode", Mode)
def test_two_modes_share_one_read_of_the_weights(mode: Mode) -> None:
    """Rows times what a sequence pays beyond its own part is alike at every speed; all of it is the time."""
    picture = drawn(modes.BOARD, mode)
    piles = picture.companion
    assert isinstance(piles, TwoModes)
    price, own = height(picture, piles.price), height(picture, piles.alone)
    rows = piles.regular_rows / (price * picture.x)
    weights = rows * (price - own)
    assert weights == pytest.approx(piles.regular_rows * (1 - own), rel=1e-9)  # of differences
    assert rows * price == pytest.approx(piles.regular_rows / picture.x, rel=1e-12)  # rounding
    fast = next(mark.x for mark in picture.marks if mark.name == "fast mode")
    assert np.interp(fast, picture.x, rows) == pytest.approx(1)


def test_attention_is_a_triangle_over_the_parameters_rectangle() -> None:
    """Its highest column is in proportion to the prompt, so that its area is to its square."""
    picture = drawn(long_context.BOARD, Mode.CAREFUL, view=2)
    pairs = picture.companion
    assert isinstance(pairs, Pairs)
    over = height(picture, pairs.with_attention) / height(picture, pairs.by_parameters) - 1
    # Of a causal prompt half a token more than half of it is read on average.
    assert 2 * over / (picture.x + 1) == pytest.approx(2 * over[0] / (picture.x[0] + 1), rel=1e-6)  # of differences


@of_each("mode", Mode)
def test_trains_leave_no_sooner_than_the_last_one_is_back(mode: Mode) -> None:
    picture = drawn(tokens.BOARD, mode)
    clocked = picture.companion
    assert isinstance(clocked, Clocked)
    every_s, step_s = (picture.x / height(picture, name) for name in (clocked.by_clock, clocked.at_once))
    assert every_s == pytest.approx(np.maximum(clocked.period_s, step_s), rel=1e-12)  # rounding
