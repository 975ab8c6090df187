"""Five ways to cut a layer: B25."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.layouts.claims import CLAIMS
from ridgeline.boards.lecture.layouts.cuts import BOARD
from ridgeline.equations import cuts

drawn = partial(curves_of, BOARD)


def test_each_cut_sends_the_equations_bytes() -> None:
    found = drawn()
    tensor = cuts.tensor_bytes(tokens=2400, hidden=7168, value_bytes=2, ranks=64)
    assert line(found, "tensor") == pytest.approx(np.full_like(found.x, tensor))
    width, sent = mark(found, "width of an expert")
    assert sent == pytest.approx(63 / 64 * 256 * 3 * 7168 * width)


def test_cuts_hide_where_times_are_equal() -> None:
    found, times = drawn(), drawn(view=1)
    # Reading the experts of a layer takes 53 us; the balance batch of 2,400 computes them faster.
    floor = line(times, "the layer's own")
    assert floor[0] == pytest.approx(256 * 3 * 7168 * 2048 / (64 * 1e15 / 300))
    for name in ("tensor", "expert"):
        wide, _ = mark(found, f"width from which the {name} cut is hidden")
        assert np.interp(wide, found.x, line(found, "hides")) == pytest.approx(
            np.interp(wide, found.x, line(found, name))
        )
        _, time_s = mark(times, f"links that hide the {name} cut")
        assert time_s == pytest.approx(floor[0])


@pytest.mark.parametrize("mode", list(Mode))
def test_how_much_wider_an_expert_would_have_to_be_is_what_the_claim_says(mode: Mode) -> None:
    (claim,) = (one for one in CLAIMS if one.id == "B25")
    values = BOARD.values(mode)
    wide, _ = mark(drawn(mode), "width from which the tensor cut is hidden")
    said = claim.careful() if mode is Mode.CAREFUL else claim.lecture_mode()
    assert wide / values["expert_hidden"] == pytest.approx(said)


def test_the_narrower_its_experts_the_less_tensor_parallelism_pays() -> None:
    """Its bytes do not fall with the width, and the layer's work does."""
    found = drawn()
    over = line(found, "tensor") / line(found, "hides")
    assert np.all(np.diff(over) < 0)
