"""The board of shapes that keep little."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.prices.kv_shapes import BOARD
from ridgeline.boards.lecture.prices.shapes import KINDS
from ridgeline.boards.picture import Curves, Sheet


def drawn(mode: Mode = Mode.LECTURE, **turned: float) -> tuple[Curves, Sheet]:
    dense, sparse = BOARD.pictures(BOARD.values(mode, turned))
    assert isinstance(dense, Curves)
    assert isinstance(sparse, Sheet)
    return dense, sparse


def test_eight_heads_in_one_layer_are_one_in_eight() -> None:
    """D4: "or you could have fewer KV heads, but more layers"."""
    dense, _ = drawn()
    assert {one.name: (one.x, one.y) for one in dense.marks} == {
        "this shape": (1, 2048),
        "4 KV heads near it": (2, 2048),
        "2 KV heads near it": (4, 2048),
        "1 KV head near it": (8, 2048),
    }


def test_another_shape_is_marked_on_its_line() -> None:
    dense, _ = drawn(kv_heads=2, layers=10)
    (mark,) = (one for one in dense.marks if one.name == "this shape")
    assert (mark.x, mark.y, mark.line) == (10, 5120, "2 KV heads")
    assert next(one.name for one in dense.lines if one.is_bold) == "2 KV heads"


@pytest.mark.parametrize("mode", list(Mode))
def test_rows_are_kinds_from_the_least_read_on_and_bold_where_that_is_little_enough(mode: Mode) -> None:
    _, sparse = drawn(mode)
    assert {row[0] for row in sparse.rows} == {kind.short for kind in KINDS}
    assert sparse.bold == ((0,) if mode is Mode.LECTURE else ())
    assert drawn(mode, kv_bytes_per_token=1e6)[1].bold == tuple(range(len(KINDS)))
    assert all(len(row) == len(sparse.columns) for row in sparse.rows)


def test_careful_wants_what_puts_the_models_own_crossover_at_the_step() -> None:
    """DeepSeek-V3 on a GB200: its 70 kB put it at 1,715 tokens (D5)."""
    assert BOARD.values(Mode.CAREFUL)["kv_bytes_per_token"] == pytest.approx(70_272 * 1715 / 200e3, rel=1e-3)
