"""The board of cost against context."""

from __future__ import annotations

import numpy as np
import pytest
from tests.boards.reading import line, mark

from ridgeline.boards.board import Facts, Mode
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.prices.context import BOARD
from ridgeline.boards.picture import Curves
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import contexts

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL


def drawn(mode: Mode, **turned: float) -> Curves:
    picture, _ = BOARD.pictures(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def claimed(name: str, **inputs: float) -> float:
    (claim,) = (one for one in CLAIMS if one.id == name)
    found = claim.value(inputs) if inputs else claim.careful()
    assert found is not None
    return found


def test_without_weights_the_lectures_cost_rises_at_the_price_step_and_with_them_before() -> None:
    """D2 neglects the weights, which he draws; filled in is a third of the arithmetic at no context."""
    found = drawn(LECTURE)
    assert mark(found, "without weights") == pytest.approx((200e3, 1))
    assert mark(found, "crossover") == pytest.approx((200e3 * (1 - 1 / 3), 1))
    assert line(found, "weights + KV")[0] == pytest.approx(1 / 3 + found.x[0] / 200e3)
    assert line(found, "KV alone")[0] == pytest.approx(found.x[0] / 200e3)


def test_the_price_covers_the_cost_up_to_its_mark_and_no_further() -> None:
    """D18."""
    found = drawn(LECTURE)
    reach, _ = mark(found, "end of the price")
    assert reach == pytest.approx(claimed("D18", balance_batches=3))
    loses = line(found, "cost") > line(found, "list price") * (1 + 1e-9)  # rounding, where both are alike
    assert np.array_equal(loses, found.x > reach * (1 + 1e-9))
    assert mark(drawn(LECTURE, balance_batches=1e6), "end of the price")[0] == pytest.approx(300e3, rel=1e-5)


def test_where_weights_alone_outlast_computing_there_is_no_crossover() -> None:
    assert "crossover" not in {one.name for one in drawn(LECTURE, balance_batches=0.5).marks}


def test_careful_crossover_is_the_claims_far_below_the_step_that_is_listed() -> None:
    """D5, and A26's batch."""
    found = drawn(CAREFUL)
    assert mark(found, "without weights")[0] == pytest.approx(claimed("D5"))
    assert mark(found, "without weights")[0] < BOARD.values(CAREFUL)["price_step_tokens"] < found.x[-1]
    at = BOARD.values(CAREFUL)
    expected = contexts.crossover_context_tokens(
        **{name: value for name, value in at.items() if not name.startswith("price")}
    )
    assert mark(found, "crossover")[0] == pytest.approx(float(expected))
    assert at["balance_batches"] == pytest.approx(claimed("A26"))


@pytest.mark.parametrize("model", ["llama-3.1-8b", "gpt-oss-120b", "qwen3.5-397b-a17b", "deepseek-v4-pro"])
def test_every_mark_of_any_model_lies_in_the_picture(model: str) -> None:
    facts = Facts(model=load_model(model), machine=load_machine("h100-sxm"))
    picture, _ = BOARD.pictures(BOARD.values(CAREFUL, facts=facts))
    assert isinstance(picture, Curves)
    assert {one.name for one in picture.marks} == {"without weights", "crossover", "end of the price"}
