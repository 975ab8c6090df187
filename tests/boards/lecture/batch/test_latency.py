"""Latency against batch: the roofline's maximum, and the balance batch with and without contexts."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of, line, mark

from ridgeline.boards.board import Facts, Mode
from ridgeline.boards.lecture import CLAIMS, fleet
from ridgeline.boards.lecture.batch.latency import BOARD
from ridgeline.boards.picture import Curves
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import roofline

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL


drawn = partial(curves_of, BOARD)


def careful(claim_id: str) -> float:
    found = next(one for one in CLAIMS if one.id == claim_id).careful()
    assert found is not None
    return found


def test_the_lectures_2400_is_on_its_picture_beside_the_batch_with_contexts() -> None:
    """A11 and A25: 20,000 tokens of 2 kB take a third of a sequence's arithmetic, so that the batch grows by half."""
    found = drawn()
    assert mark(found, "balance batch without contexts")[0] == pytest.approx(2400)
    at = BOARD.values(LECTURE)
    kv_s = at["context_tokens"] * at["kv_bytes_per_token"] / at["hbm_bytes_per_s"]
    compute_s = 2 * at["active_params"] / at["flop_per_s"]
    assert mark(found, "balance batch")[0] == pytest.approx(2400 / (1 - kv_s / compute_s))


def test_both_marks_lie_where_two_lines_meet() -> None:
    found = drawn()
    batch, time_s = mark(found, "balance batch without contexts")
    assert time_s == pytest.approx(line(found, "weight fetch")[0])
    assert np.interp(batch, found.x, line(found, "compute")) == pytest.approx(time_s)
    batch, time_s = mark(found, "balance batch")
    reading = line(found, "weight fetch") + line(found, "KV fetch")
    assert np.interp(batch, found.x, reading) == pytest.approx(time_s)
    assert np.interp(batch, found.x, line(found, "compute")) == pytest.approx(time_s)


def test_a_step_is_the_larger_of_computing_and_reading_and_at_most_their_sum() -> None:
    at, found = BOARD.values(CAREFUL), drawn(CAREFUL)
    expected = roofline.step_time_s(
        batch=found.x,
        active_params=at["active_params"],
        weight_bytes=at["active_params"] * at["expansion"] * at["bytes_per_param"],
        kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
        flop_per_s=at["chips"] * at["flop_per_s"],
        hbm_bytes_per_s=at["chips"] * at["hbm_bytes_per_s"],
    )
    # From some hundred sequences on every expert is read.
    many = found.x > 300
    assert line(found, "step")[many] == pytest.approx(np.asarray(expected)[many], rel=1e-3)
    assert np.all(line(found, "step") <= expected * (1 + 1e-12))
    serial = line(found, "compute") + line(found, "KV fetch") + line(found, "weight fetch")
    assert line(found, "without overlap") == pytest.approx(serial)  # A1
    assert np.all(serial <= 2 * line(found, "step") * (1 + 1e-12))


def test_the_floor_and_the_balance_batch_are_the_claims() -> None:
    """A6 and A11, careful."""
    found = drawn(CAREFUL, context_tokens=1)
    assert line(found, "weight fetch")[-1] == pytest.approx(careful("A6"))  # all experts, of a full batch
    assert mark(found, "balance batch without contexts")[0] == pytest.approx(careful("A11"))
    alone = np.interp(1, found.x, line(found, "weight fetch"))
    assert alone < 0.2 * line(found, "weight fetch")[-1]  # one sequence reads its active parameters


def test_at_its_fleets_mean_context_no_batch_of_deepseek_v3_balances() -> None:
    """D5 and A25: careful mode starts there, and not at a context that would hide it."""
    assert BOARD.values(CAREFUL)["context_tokens"] == fleet.MEAN_CONTEXT_TOKENS > fleet.crossover_tokens(BOARD.machine)
    found = drawn(CAREFUL)
    assert any(one.name == "KV fetch:\nbinds at any batch" for one in found.lines)
    assert {one.name for one in found.marks} == {"balance batch without contexts", "nearly all experts"}
    assert np.all(line(found, "KV fetch")[1:] > line(found, "compute")[1:])


def test_where_few_sequences_leave_experts_unread_the_line_of_weights_says_so() -> None:
    """And of his numbers, by which every step reads all, it is flat from the start."""
    (few,) = (one for one in drawn(CAREFUL).marks if one.name == "nearly all experts")
    whole = line(drawn(CAREFUL), "weight fetch")[-1]
    assert few.y > 0.95 * whole > line(drawn(CAREFUL), "weight fetch")[drawn(CAREFUL).x < few.x - 1].max()
    assert "nearly all experts" not in {one.name for one in drawn(Mode.LECTURE).marks}


def test_a_balance_batch_far_off_is_not_drawn() -> None:
    """Just below the crossover context it would be hundreds of times that of the weights alone."""
    near = fleet.crossover_tokens(BOARD.machine)
    assert "balance batch" in {one.name for one in drawn(CAREFUL, context_tokens=0.8 * near).marks}
    assert "balance batch" not in {one.name for one in drawn(CAREFUL, context_tokens=0.99 * near).marks}


def test_a_dense_model_reads_all_at_any_batch() -> None:
    facts = Facts(model=load_model("llama-3.1-8b"), machine=load_machine("h100-sxm"))
    picture = BOARD.views[0].compute(BOARD.values(CAREFUL, facts=facts))
    assert isinstance(picture, Curves)
    fetch = line(picture, "weight fetch")
    assert fetch == pytest.approx(np.full_like(fetch, fetch[0]))
