"""The board of the budget: thirds in the lecture, the least by each fit, and a chance of never being deployed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.boards.reading import mark

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.training.budget import BOARD
from ridgeline.boards.picture import Curves

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL
ONE_FIT, EACH_FIT, TWO_COSTS = 0, 1, 2


def drawn(mode: Mode = LECTURE, *, view: int = ONE_FIT, **turned: float) -> Curves:
    picture = BOARD.views[view].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def line(picture: Curves, name: str) -> np.ndarray:
    return next(one.y for one in picture.lines if one.name == name)


def test_budget_is_in_thirds_on_the_board_and_least_where_the_fit_says() -> None:
    found = drawn()
    assert mark(found, "board") == pytest.approx((100e9, 1))
    for name in ("pre-training", "RL", "serving"):
        assert np.interp(100e9, found.x, line(found, name)) == pytest.approx(1 / 3), name  # C5
    assert line(found, "all").min() == pytest.approx(mark(found, "least")[1])
    assert mark(found, "least")[1] < 1


def test_careful_budget_gives_reinforcement_learning_a_tenth_of_pre_trainings() -> None:
    """C5's form, at the part that DeepSeek-V3.2 reports."""
    found = drawn(CAREFUL)
    here = BOARD.values(CAREFUL)["active_params"]
    parts = {name: float(np.interp(here, found.x, line(found, name))) for name in ("pre-training", "RL")}
    assert parts["RL"] / parts["pre-training"] == pytest.approx(0.1)


def test_careful_tokens_are_the_models_and_those_served_are_claim_c8s() -> None:
    values = BOARD.values(CAREFUL)
    assert values["tokens"] == 14.8e12
    assert values["served_tokens"] == pytest.approx(5e7 * 2 * 365.25 / 12 * 86400)


def test_the_least_by_each_fit_is_where_it_says() -> None:
    """C11, which leaves reinforcement learning out; 1 %, of three digits."""
    found = drawn(view=EACH_FIT, rl_tokens=0)
    assert mark(found, "fit of Hoffmann")[0] == pytest.approx(105e9, rel=0.01)
    assert mark(found, "fit of Besiroglu")[0] == pytest.approx(124e9, rel=0.01)
    for name in ("Hoffmann", "unrounded", "Besiroglu"):
        # The unrounded one bears no mark, so that its least lies between two points: near it the line is flat.
        assert line(found, name).min() == pytest.approx(1, rel=1e-3), name
    assert mark(found, "board")[1] > 1


def test_two_costs_add_up_to_the_least_at_the_ratio_of_their_powers() -> None:
    """C1."""
    found = drawn(view=TWO_COSTS, rising_power=1, falling_power=0.5)
    x, least = mark(found, "least")
    assert line(found, "sum").min() == pytest.approx(least)
    rising, falling = (np.interp(x, found.x, line(found, name)) for name in ("rises", "falls"))
    assert rising / falling == pytest.approx(0.5)
    assert mark(drawn(view=TWO_COSTS), "least") == pytest.approx((1, 2))


def test_half_a_chance_of_being_deployed_is_as_half_the_tokens_served() -> None:
    """C13: serving costs half, and the cheapest model of the same loss is larger."""
    sure, half = drawn(rl_tokens=0), drawn(rl_tokens=0, deployed_fraction=0.5)
    derated = drawn(rl_tokens=0, served_tokens=100e12)
    assert mark(half, "least") == pytest.approx(mark(derated, "least"))
    assert mark(half, "least")[0] > mark(sure, "least")[0]
