"""The board of reading against writing."""

from __future__ import annotations

import pytest
from tests.boards.reading import mark

from ridgeline.boards.board import Mode
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.lecture.prices.prefill import BOARD
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.boards.picture import Curves
from ridgeline.boards.two_chips import TwoChips
from ridgeline.equations import caching
from ridgeline.quantity_text import parse_quantity


def drawn(mode: Mode, **turned: float) -> Curves:
    picture = BOARD.views[0].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def careful(name: str) -> float:
    (claim,) = (one for one in CLAIMS if one.id == name)
    found = claim.careful()
    assert found is not None
    return found


def test_prefill_is_bound_by_compute_from_the_price_ratio_on() -> None:
    found = drawn(Mode.LECTURE)
    assert mark(found, "decode") == pytest.approx((1, 5))  # D6
    assert mark(found, "bound by compute from here") == pytest.approx((5, 1))  # D8


@pytest.mark.parametrize("turned", [{}, {"balance_batches": 3.0}, {"tokens_per_pass": 2.0}, {"context_tokens": 1e6}])
@pytest.mark.parametrize("mode", Mode)
def test_two_chips_pass_as_the_curve_says(mode: Mode, turned: dict[str, float]) -> None:
    """A token's cost over its arithmetic, as drawn, is a pass' time over its arithmetic's, and so are its dollars."""
    found = drawn(mode, **turned)
    (cost,) = (one for one in found.lines if one.name == "cost")
    (memory,) = (one for one in found.lines if one.name == "memory")
    values = BOARD.values(mode, turned)
    picture = BOARD.views[1].compute(values)
    assert isinstance(picture, TwoChips)
    decode, prefill = picture.sides
    assert (decode.tokens, prefill.tokens) == (1, values["tokens_per_pass"])
    for side in picture.sides:
        reads = side.weights + side.kv
        # The line falls as one over the tokens.
        assert reads / side.compute == pytest.approx(memory.y[0] / side.tokens)
        arithmetic_usd = caching.recompute_usd_per_token(
            active_params=values["active_params"],
            flop_per_s=values["flop_per_s"],
            usd_per_chip_s=values["usd_per_chip_s"],
        )
        usd = parse_quantity(side.price_text, "usd_per_token")
        # Two digits are written.
        assert usd / arithmetic_usd == pytest.approx(max(reads, side.compute) / side.compute, rel=0.05)
        rate = float(side.rate_text.removesuffix(" tokens/s a chip").replace(",", ""))
        assert rate * usd == pytest.approx(values["usd_per_chip_s"], rel=0.1)
    assert max(decode.weights + decode.kv, decode.compute) == pytest.approx(1)
    assert (decode.weights, decode.kv) == (prefill.weights, prefill.kv)
    assert cost.y[0] == pytest.approx(1 / decode.compute)


def test_a_large_batch_short_of_the_crossover_computes() -> None:
    """D7: without the filled-in fifth of a balance batch, decode costs what prefill does."""
    batches = BOARD.control("balance_batches").lecture
    assert isinstance(batches, Constant)
    assert batches.origin is Origin.FILLED_IN
    found = drawn(Mode.LECTURE, balance_batches=1e6)
    assert [one.name for one in found.marks] == ["decode"]
    assert mark(found, "decode") == (1, 1)


def test_the_board_and_the_claims_have_one_careful_number() -> None:
    """D7 and D8, and A26's balance batches."""
    found = drawn(Mode.CAREFUL)
    assert mark(found, "decode")[1] == pytest.approx(careful("D7"))
    assert mark(found, "bound by compute from here")[0] == pytest.approx(careful("D8"))
    assert BOARD.values(Mode.CAREFUL)["balance_batches"] == pytest.approx(careful("A26"))


def test_the_step_on_both_chips_explains_every_number_of_their_prices() -> None:
    """By hand: $2 an hour x 2 x 100B / 2 PFLOP/s are $0.056 a million tokens; decode waits five times as long."""
    (step,) = (one for one in walk_document()["steps"] if one["board"] == BOARD.name and one["view"] == 1)
    turned = {letter["control"] for letter in step["letters"]}
    assert turned >= {"active_params", "flop_per_s", "usd_per_chip_s", "balance_batches"}
    picture = BOARD.views[1].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, TwoChips)
    assert [side.price_text for side in picture.sides] == ["$0.28/Mtok", "$0.056/Mtok"]
