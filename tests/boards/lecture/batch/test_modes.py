"""Fast and slow modes: what a price and a speed fix, and what speculative decoding gives."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.boards.reading import mark

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.batch.modes import BOARD, others_on_curve
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.boards.picture import Curves, Sheet
from ridgeline.catalog.fast_modes import FastMode, fast_modes
from ridgeline.equations import modes, speculation


def drawn(view: int = 0, **turned: float) -> Curves:
    picture = BOARD.views[view].compute(BOARD.values(Mode.LECTURE, turned))
    assert isinstance(picture, Curves)
    return picture


def test_the_curve_goes_through_both_modes_of_the_question() -> None:
    """A22: a regular mode costs and runs as itself, and six times the price buys 2.5 times the speed."""
    found = drawn()
    price = next(one.y for one in found.lines if one.name == "price")
    assert np.interp(1.0, found.x, price) == pytest.approx(1, abs=1e-4)  # between points of the drawing
    assert mark(found, "fast mode") == pytest.approx((2.5, 6))
    assert "15" in next(one.text for one in found.marks if one.name == "fast mode")


def test_a_hundred_times_the_price_buys_hardly_more() -> None:
    """By hand: r = 1.5 / (5/6) = 1.8, so that 100 times the price buys 1 + 1.8 * 0.99."""
    speed, price = mark(drawn(), "any price")
    assert (speed, price) == pytest.approx((2.782, 100))
    assert drawn().x[-1] < 2.8


def test_a_slow_mode_never_costs_less_than_the_floor() -> None:
    """A21: 36 % of the price are the weights' part of a step, which a batch without end shares away."""
    found = drawn()
    price, floor = (next(one.y for one in found.lines if one.name.startswith(name)) for name in ("price", "slow mode"))
    assert floor[0] == pytest.approx(1 - 1 / 2.8)
    assert np.all(price > floor)
    assert np.all(np.diff(price) > 0)


@given(st.floats(1.1, 100), st.floats(1.05, 10), st.floats(1.01, 1e4))
def test_price_and_speed_turn_each_other_round(price: float, speed: float, other: float) -> None:
    share = modes.sequence_share_ratio(price_ratio=price, speed_ratio=speed)
    bought = modes.speed_at_price(price_ratio=other, sequence_share_ratio=share)
    assert bought < modes.largest_speed_up(price_ratio=price, speed_ratio=speed)
    again = modes.price_at_speed(speed_up=bought, sequence_share_ratio=share)
    assert again == pytest.approx(other, rel=1e-6)  # near the limit the speed leaves few digits of the price


def test_modes_that_are_sold_are_where_their_price_lists_say() -> None:
    _, dots = drawn().dots
    sold = {one.name: (one.speed_ratio, one.price_ratio) for one in fast_modes().values()}
    assert dots.names is not None
    assert {name: (x, y) for name, x, y in zip(dots.names, dots.x, dots.y, strict=True)} == sold
    # A key says what they are, and the one that is set here is named where it is marked.
    assert (dots.name, dots.is_named) == ("fast modes as sold", True)
    assert set(sold) - set(dots.labels) == {"Opus 4.6"}
    assert next(one.text for one in drawn().marks if one.name == "fast mode") == "Opus 4.6:\nbatch 1/15"
    moved = drawn(price_ratio=7.0)
    assert set(moved.dots[1].labels) == set(sold)
    assert next(one.text for one in moved.marks if one.name == "fast mode") == "batch 1/18"
    assert all(one.source.startswith("https://") for one in fast_modes().values())
    # Opus 4.6 is the question's own; the curve through it asks three times as much for the speed of Opus 5.
    assert (sold["Opus 4.6"], sold["Opus 5"]) == ((2.5, 6), (2.5, 2))


def told_of(*sold: FastMode) -> str:
    """What is told beside the offer's curve of modes that are sold."""
    return others_on_curve(sold, 6.0, 2.5)


def sold_as(name: str, *, price: float, speed: float) -> FastMode:
    one = next(iter(fast_modes().values()))
    return replace(one, name=name, regular_price=1.0, fast_price=price, speed_ratio=speed)


@pytest.mark.parametrize(
    ("times", "is_on_it"), [(1.0, True), (1.04, True), (1 / 1.04, True), (1.06, False), (1 / 1.06, False)]
)
def test_a_mode_is_on_a_curve_that_asks_its_price_within_two_digits_for_its_speed(
    times: float,
    is_on_it: bool,  # noqa: FBT001  a row of a table
) -> None:
    """By the offer's ratio of 1.8, 1.5 times the speed costs 1.8/1.3 = 1.38 times as much."""
    near = sold_as("near", price=times * 1.8 / 1.3, speed=1.5)
    assert ("near" in told_of(near)) is is_on_it


def test_the_offer_itself_is_no_check_of_its_curve() -> None:
    offer, first, second = (
        sold_as(name, price=1.8 / (2.8 - speed), speed=speed)
        for name, speed in (("offer", 2.5), ("first", 1.5), ("second", 2.0))
    )
    offer = replace(offer, fast_price=6.0)  # 1.8/0.3 in binary is a little more
    none = "The other fast modes on sale do not lie on this curve."
    assert told_of() == told_of(offer) == told_of(offer, sold_as("dear", price=6.0, speed=1.5)) == none
    assert told_of(offer, first) == "Other fast modes that are sold on this curve: first."
    assert told_of(first, offer, second) == "Other fast modes that are sold on this curve: first, second."


def test_the_walk_tells_which_other_modes_lie_on_the_offers_curve() -> None:
    """None: it asks 1.38 for 1.5 times the speed, and 6 for 2.5 times, of which GPT's ask 2 and 2.5, and Opus 5 2."""
    (step,) = (one for one in walk_document()["steps"] if one["board"] == BOARD.name)
    assert step["question"]
    assert step["question"]["reveal"].endswith(" The other fast modes on sale do not lie on this curve.")


def test_a_mode_faster_than_any_price_makes_it_is_left_out_of_the_picture() -> None:
    _, dots = drawn(price_ratio=100.0, speed_ratio=2.0).dots
    assert set(dots.labels) == {"GPT-5.4", "GPT-5.5"}  # 2.5 is beyond the 2.01 that this curve allows
    assert [one.name for one in drawn(price_ratio=100.0, speed_ratio=1.2).dots] == ["regular"]


def test_the_table_has_the_same_sums_for_every_mode() -> None:
    picture = BOARD.views[2].compute(BOARD.values(Mode.LECTURE))
    assert isinstance(picture, Sheet)
    assert picture.rows[0][1:] == picture.rows[1][1:] == ("6", "2.5", "1/15", "2.8")
    assert picture.rows[2] == ("Opus 5", "2", "2.5", "1/5", "4")  # 1 + 1.5 / (1/2)
    assert [row[0] for row in picture.rows[1:]] == [one.name for one in fast_modes().values()]


def test_drafts_give_what_is_accepted_until_arithmetic_binds() -> None:
    """1 + 0.7 + 0.7^2 + 0.7^3 tokens a step; verifying four tokens binds at a quarter of the balance batch."""
    found = drawn(view=1)
    assert mark(found, "small batches")[1] == pytest.approx(1 + 0.7 + 0.49 + 0.343)
    batch, speed = mark(found, "no gain from here")
    assert (batch, speed) == pytest.approx((2.533 / 4, 1))
    gain = next(one.y for one in found.lines if one.name == "with drafts")
    assert np.all(gain[found.x <= 0.25] == gain[0])
    assert gain[-1] == pytest.approx(2.533 / 4)


@given(st.integers(1, 16), st.floats(0.05, 0.95))
def test_accepted_tokens_are_the_sum_of_chances(drafted: int, share: float) -> None:
    found = speculation.accepted_tokens(drafted_tokens=drafted, acceptance_fraction=share)
    assert found == pytest.approx(sum(share**place for place in range(drafted + 1)))


def test_more_drafts_help_small_batches_and_hurt_large_ones() -> None:
    gains = [
        next(one.y for one in drawn(view=1, drafted_tokens=n).lines if one.name == "with drafts") for n in (1, 3, 8)
    ]
    assert all(fewer[0] < more[0] and fewer[-1] > more[-1] for fewer, more in pairwise(gains))
