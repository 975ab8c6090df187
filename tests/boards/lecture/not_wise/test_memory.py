"""What stages divide and what they do not: B12 to B15, B34, B37."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture import CLAIMS, controls, fleet
from ridgeline.boards.lecture.not_wise.memory import BOARD
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.quantity_text import parse_quantity

drawn = partial(curves_of, BOARD)


def claim(name: str) -> Claim:
    return next(one for one in CLAIMS if one.id == name)


def test_memory_divides_weights_and_never_the_cache() -> None:
    found = drawn()
    kv = line(found, "KV cache")
    assert found.is_whole
    assert kv == pytest.approx(np.full_like(kv, 7.5e9))
    assert line(found, "weights")[[0, -1]] == pytest.approx([15.625e9, 1.953e9], rel=1e-3)
    assert mark(found, "stages") == pytest.approx((4, 7.5e9 + 3.90625e9))


@pytest.mark.parametrize("stages", [1, 4, 8])
def test_what_a_chip_has_is_drawn_however_far_it_lies(stages: int) -> None:
    found = drawn(stages=stages)
    assert mark(found, "memory of a chip") == (stages, 288e9)
    low, high = found.ends(BOARD.views[0].y)
    assert low < line(found, "weights").min()
    assert high > 288e9


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("stages", [1, 4, 8])
def test_racks_in_a_row_hold_what_the_lines_say(mode: Mode, stages: int) -> None:
    found = drawn(mode, stages=stages)
    values = BOARD.values(mode, {"stages": stages})
    weights_alone, row = (view.compute(values) for view in BOARD.views[1:])
    assert isinstance(weights_alone, RowOfRacks)
    assert isinstance(row, RowOfRacks)
    assert row.counts == tuple(found.x)
    assert row.counts[row.here] == stages
    for part, name in zip(row.parts, ("weights", "KV cache"), strict=True):
        assert part.held == pytest.approx(line(found, name))
    assert weights_alone.parts == row.parts[:1]
    assert weights_alone.both_text == row.parts[0].held_text
    # Written to three digits.
    assert [parse_quantity(one, "bytes") for one in row.both_text] == pytest.approx(
        line(found, "weights +\nKV cache"), rel=5e-3
    )
    assert row.hbm_bytes == mark(found, "memory of a chip")[1]


@pytest.mark.parametrize("mode", list(Mode))
def test_board_and_claim_say_one_number(mode: Mode) -> None:
    one = claim("B14")
    stated = one.lecture_mode() if mode is Mode.LECTURE else one.careful()
    assert mark(drawn(mode), "stages")[1] == pytest.approx(stated)


def test_careful_numbers_are_of_deepseek_as_it_is_served() -> None:
    facts = fleet.facts("gb200-nvl72")
    found = claim("B14").careful_inputs()
    assert found["context_tokens"] == fleet.MEAN_CONTEXT_TOKENS
    assert found["kv_bytes_per_token"] == controls.kv_bytes(facts)
    assert found["batch_per_stage"] == controls.whole_balance_batch(facts)


def test_twice_as_many_micro_batches_double_a_chips_cache() -> None:
    assert claim("B15").lecture_mode() == 1
    assert claim("B15").careful() == 2


def test_a_trillion_parameters_need_a_terabyte_by_the_format() -> None:
    *_, in_four, in_sixteen = (value for _, value in claim("B12").bridge())
    assert in_sixteen == pytest.approx(4 * in_four)
    assert claim("B12").careful() == pytest.approx(1.03e12, rel=0.01)  # Kimi K2's checkpoint


def test_two_stages_are_where_caches_outweigh_weights() -> None:
    found = drawn()
    weights, kv = line(found, "weights"), line(found, "KV cache")
    assert weights[1] > kv[1] > weights[2]
    assert claim("B37").lecture_mode() == pytest.approx(2.083, rel=1e-3)


def test_inference_needs_one_stage_on_a_rack_and_two_on_a_node() -> None:
    assert (claim("B18").lecture_mode(), claim("B18").careful()) == (1, 2)
