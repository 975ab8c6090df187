"""Stages of unlike layers, and what stages bring and cost."""

from __future__ import annotations

import numpy as np
import pytest
from tests.each import of_each

from ridgeline.boards.board import ControlError, Facts, Mode
from ridgeline.boards.journeys import Loop
from ridgeline.boards.lecture.not_wise import layer_kinds
from ridgeline.boards.lecture.not_wise.claims import CLAIMS
from ridgeline.boards.lecture.not_wise.not_wise import BOARD as NOT_WISE
from ridgeline.boards.lecture.not_wise.not_wise import handed_on
from ridgeline.boards.lecture.not_wise.uneven_stages import BOARD
from ridgeline.boards.picture import Colour, Curves
from ridgeline.catalog import load_machine, load_model, model_ids
from ridgeline.equations import pipelines


def facts(model: str) -> Facts:
    return Facts(model=load_model(model), machine=load_machine("h100-sxm"))


def loop(**turned: float) -> Loop:
    picture = BOARD.views[0].compute(BOARD.values(Mode.CAREFUL, turned))
    assert isinstance(picture, Loop)
    return picture


def waiting(mode: Mode = Mode.CAREFUL, model: str = "gemma-3-27b", **turned: float) -> Curves:
    picture = BOARD.views[1].compute(BOARD.values(mode, turned, facts(model)))
    assert isinstance(picture, Curves)
    return picture


def line(picture: Curves, name: str) -> np.ndarray:
    return next(one.y for one in picture.lines if one.name == name)


@pytest.mark.parametrize(
    ("model", "every", "window"),
    [("gemma-3-27b", 6, 1024), ("gpt-oss-120b", 2, 128), ("llama-4-scout", 4, 8192), ("llama-3.1-8b", 1, 1)],
)
def test_the_pattern_is_the_models(model: str, every: int, window: int) -> None:
    assert layer_kinds.global_every(facts(model)) == every
    assert layer_kinds.window_tokens(facts(model)) == pytest.approx(window)


def test_a_round_places_as_many_global_layers_as_a_model_has() -> None:
    """Of the models that mix windows or states with full attention in whole rounds."""
    for model in ("gemma-2-27b", "gemma-3-27b", "gemma-4-26b-a4b", "gpt-oss-20b", "minimax-m1", "qwen3.5-397b-a17b"):
        found = facts(model)
        every = int(layer_kinds.global_every(found))
        placed = sum(layer_kinds.is_global(layer, every) for layer in range(found.model.layers))
        assert placed == layer_kinds.global_layers(found.model.layers, every)
        assert placed == found.model.groups[-1].layers


WINDOWS_ALONE = "mistral-7b"


def test_a_model_of_windows_alone_is_refused() -> None:
    with pytest.raises(ControlError, match=f"{WINDOWS_ALONE} on h100-sxm has no"):
        BOARD.values(Mode.CAREFUL, facts=facts(WINDOWS_ALONE))


@pytest.mark.slow
@of_each("model", [one for one in model_ids() if one != WINDOWS_ALONE])
def test_every_other_model_of_the_catalog_is_drawn(model: str) -> None:
    for board in (BOARD, NOT_WISE):
        at = board.values(Mode.CAREFUL, facts=facts(model))
        assert all(picture is not None for picture in board.pictures(at))


def test_stages_hold_the_models_layers_in_order() -> None:
    picture = loop()
    first = [(batch.starts[stage], batch.ends[stage]) for batch in picture.batches[:1] for stage in range(4)]
    drawn = [
        (cells.colour, row)
        for cells in picture.gantt.played[0].cells
        for row, start, end in zip(cells.rows, cells.starts, cells.ends, strict=True)
        if first[row][0] <= start and end <= first[row][1] * (1 + 1e-9)
    ]
    counts = [sum(row == stage for _, row in drawn) for stage in range(4)]
    assert sum(counts) == 62
    assert max(counts) - min(counts) <= 1
    assert sum(colour is Colour.KV for colour, _ in drawn) == 10


def test_waiting_is_what_the_drawing_leaves_empty() -> None:
    """Of the last round, in which the loop is full."""
    picture = loop()
    times_s = [picture.batches[0].ends[stage] - picture.batches[0].starts[stage] for stage in range(4)]
    period_s = picture.batches[0].starts[8] - picture.batches[0].starts[4]
    assert period_s == pytest.approx(4 * max(times_s))
    idle = 1 - 4 * sum(times_s) / (4 * period_s)
    assert f"{100 * idle:.3g} %" in picture.text
    assert idle == pytest.approx(pipelines.uneven_idle_fraction(path_s=sum(times_s), slowest_s=max(times_s), stages=4))


def test_batches_wait_before_stages_that_are_slower_than_those_before_them() -> None:
    picture = loop()
    times_s = [picture.batches[0].ends[stage] - picture.batches[0].starts[stage] for stage in range(4)]
    last = picture.batches[2]
    waits_s = [last.starts[4 + stage] - last.ends[3 + stage] for stage in range(4)]
    for stage, wait_s in enumerate(waits_s):
        assert (wait_s > 1e-9) == (times_s[stage] > times_s[stage - 1])
    # Together as long as the slowest stage takes for all batches, but for what this one is worked on.
    assert sum(waits_s) == pytest.approx(4 * max(times_s) - sum(times_s))


def test_the_best_cut_of_each_context_is_a_bound() -> None:
    found = waiting()
    best = line(found, "best split for\neach context")
    assert np.all(best <= line(found, "equal layers\nper stage") + 1e-12)
    assert np.all(best <= line(found, "best split for\nthis context") + 1e-12)


def test_alike_layers_wait_for_their_number_alone() -> None:
    """61 layers over four stages: 16 in one, 15 in the others, at any context."""
    found = line(waiting(model="deepseek-v3"), "equal layers\nper stage")
    assert found == pytest.approx(np.full_like(found, 1 - 61 / (4 * 16)))


def test_long_contexts_leave_the_numbers_of_global_layers() -> None:
    """Gemma 3 27B over four stages has 2, 3, 2 and 3 of them."""
    found = line(waiting(context_tokens=1e6), "equal layers\nper stage")[-1]
    assert found == pytest.approx(1 - 10 / (4 * 3), abs=0.005)  # windows take the rest


def test_what_stages_hand_on() -> None:
    assert handed_on(layers=100, stages=4, attended_layers=1) == 3
    assert handed_on(layers=100, stages=4, attended_layers=4) == 12
    assert handed_on(layers=100, stages=4, attended_layers=100) == 25 + 50 + 75
    # Sums of eight blocks: by the border after a quarter of the layers two of them exist, then four, then six.
    assert handed_on(layers=8, stages=4, attended_layers=8) == 2 + 4 + 6
    assert {one.id: one for one in CLAIMS}["B36"].careful() == 12 / 3
