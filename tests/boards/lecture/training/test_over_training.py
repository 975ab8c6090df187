"""The board of over-training: the lecture's hundred times by each fit, and models where they truly stand."""

from __future__ import annotations

import pytest
from tests.boards.reading import mark
from tests.boards.walked import SEEN, STEPS

from ridgeline.boards.board import ControlError, Facts, Mode
from ridgeline.boards.lecture.training.numbers import (
    LIFETIME_MONTHS,
    MODEL_TRAFFIC_FRACTION,
    RELATIVE_EFFICIENCY,
    TRAFFIC_TOKENS_PER_S,
)
from ridgeline.boards.lecture.training.over_training import BOARD
from ridgeline.boards.lecture.walk import sentence_of
from ridgeline.boards.picture import Curves
from ridgeline.catalog import load_machine, load_model, model_ids
from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM

MACHINE = "h100-sxm"


def drawn(mode: Mode, model: str = "deepseek-v3") -> Curves:
    facts = Facts(model=load_model(model), machine=load_machine(MACHINE))
    (picture,) = BOARD.pictures(BOARD.values(mode, facts=facts))
    assert isinstance(picture, Curves)
    return picture


@pytest.mark.parametrize(
    ("name", "times"),
    [("20 per parameter", 100), ("fit of Hoffmann", 17), ("Hoffmann unrounded", 28), ("fit of Besiroglu", 111)],
)
def test_over_training_depends_on_the_fit(name: str, times: float) -> None:
    """C10; 2 %, as the numbers are written with two or three digits."""
    assert mark(drawn(Mode.LECTURE), f"by {name}") == pytest.approx((100e9, times), rel=0.02)


@pytest.mark.parametrize(
    ("model", "tokens", "params", "times"),
    [
        # 15e12 / (20 * 8.03e9), as the model card says; 14.8e12 / (20 * 37e9), as the report says.
        ("llama-3.1-8b", 15e12, 8.03e9, 93.4),
        ("deepseek-v3", 14.8e12, 37e9, 20.0),
        ("llama-3.1-405b", 15.6e12, 405e9, 1.93),
    ],
)
def test_a_named_model_stands_where_it_truly_is(model: str, tokens: float, params: float, times: float) -> None:
    """2 %: reports round parameters to two or three digits, the catalog counts them."""
    facts = Facts(model=load_model(model), machine=load_machine(MACHINE))
    assert BOARD.values(Mode.CAREFUL, facts=facts)["tokens"] == tokens
    assert mark(drawn(Mode.CAREFUL, model), "by 20 per parameter") == pytest.approx((params, times), rel=0.02)


def test_a_model_whose_tokens_are_not_published_has_to_be_given_them() -> None:
    facts = Facts(model=load_model("gpt-oss-120b"), machine=load_machine(MACHINE))
    with pytest.raises(ControlError, match="has no tokens"):
        BOARD.values(Mode.CAREFUL, facts=facts)
    assert BOARD.values(Mode.CAREFUL, {"tokens": 5e12}, facts)["tokens"] == 5e12


def test_a_model_of_the_same_shape_was_not_trained_on_the_same_tokens() -> None:
    assert load_model("deepseek-v3").trained_tokens == 14.8e12
    assert load_model("DeepSeek-R1").trained_tokens is None


def test_every_published_model_is_a_point_and_the_boards_own_bears_no_second_name() -> None:
    picture = drawn(Mode.CAREFUL)
    (dots,) = picture.dots
    known = [name for name in model_ids() if load_model(name).trained_tokens]
    assert len(dots.x) == len(known) > 20  # enough to see a trend
    assert "DeepSeek-V3" not in dots.labels
    assert "DeepSeek-V3" in drawn(Mode.LECTURE).dots[0].labels
    assert picture.top is not None
    assert picture.bottom is not None
    assert picture.bottom < dots.y.min() < dots.y.max() < picture.top


def test_no_lab_has_published_more_than_40_trillion_tokens() -> None:
    """What C9's reason says of the catalog."""
    assert max(load_model(name).trained_tokens or 0 for name in model_ids()) == 40e12


def test_a_served_token_takes_as_much_as_one_trained_on() -> None:
    """ "A third", twice: 2 FLOP a parameter, not 6, at his relative efficiency, make equal bills equal tokens."""
    (said,) = (sentence_of(step, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step.board == BOARD.name)
    assert (FLOP_PER_PARAM / TRAINING_FLOP_PER_PARAM, float(RELATIVE_EFFICIENCY)) == (1 / 3, 1 / 3)
    assert "A served token takes a third of a trained token's FLOP, at a third of the efficiency." in said


def test_what_his_model_serves_a_second_is_his_part_of_the_traffic() -> None:
    """Tokens a second and "two months" are of the constants that the number and the claim are computed from."""
    (said,) = (sentence_of(step, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step.board == BOARD.name)
    assert (float(TRAFFIC_TOKENS_PER_S), float(MODEL_TRAFFIC_FRACTION), LIFETIME_MONTHS) == (500e6, 1 / 10, 2)
    assert "serves 50M tokens a second for two months:" in said
