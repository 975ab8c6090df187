"""What kinds of attention read: published mechanisms, and where each takes as long as computing."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import fleet
from ridgeline.boards.lecture.batch.sparse import BOARD
from ridgeline.boards.picture import Curves

drawn = partial(curves_of, BOARD)


def crossover(drawing: Curves, kind: str) -> tuple[float, float]:
    return next((one.x, one.y) for one in drawing.marks if one.name == f"crossover of {kind}")


def line(drawing: Curves, name: str) -> np.ndarray:
    return next(found.y for found in drawing.lines if found.name == name)


@pytest.mark.parametrize(
    ("kind", "tokens"),
    # DSA: 200k = 2,048 + 132/1,152 L; NSA: 200k = L/16 + 1,024 + 512.
    [
        ("full attention", 200e3),
        ("indexer (DSA)", (200e3 - 2048) * 1152 / 132),
        ("blocks (NSA)", (200e3 - 1536) * 16),
    ],
)
def test_each_kind_crosses_where_it_reads_the_crossovers_tokens(kind: str, tokens: float) -> None:
    assert crossover(drawn(), kind) == pytest.approx((tokens, 200e3))


def test_the_lectures_square_root_crosses_far_beyond_the_picture() -> None:
    assert drawn().x[-1] < (200e3 / 2) ** 2
    assert len(drawn().marks) == 3
    tokens, read = crossover(drawn(crossover_tokens=2000.0), "square root")
    assert (tokens, read) == pytest.approx((1e6, 2000))


def test_long_contexts_are_read_in_the_order_of_their_mechanisms() -> None:
    found = drawn()
    last = [line(found, name)[-1] for name in ("square root", "blocks (NSA)", "indexer (DSA)", "full attention")]
    assert last == sorted(last)
    grown = {
        name: line(found, name)[-1] / np.interp(found.x[-1] / 4, found.x, line(found, name))
        for name in ("full attention", "indexer (DSA)", "blocks (NSA)", "square root")
    }
    assert grown["square root"] == pytest.approx(2, rel=1e-3)  # four times the context; between two points
    for name in ("full attention", "indexer (DSA)", "blocks (NSA)"):
        assert grown[name] == pytest.approx(4, rel=1e-3), name  # A8: published kinds scan all


def test_careful_mode_crosses_where_the_fleets_model_does() -> None:
    """There a context is too short for an indexer to help: it reads its index besides."""
    found = drawn(Mode.CAREFUL)
    full = fleet.crossover_tokens(BOARD.machine)
    assert crossover(found, "full attention")[0] == pytest.approx(full)
    assert crossover(found, "indexer (DSA)")[0] < full
