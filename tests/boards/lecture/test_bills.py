"""What a token is paid for: the parts of a bill add up to the line, and change hands where the equations do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.each import of_each

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import board
from ridgeline.boards.lecture.batch.step import step_times
from ridgeline.boards.picture import Curves, Part
from ridgeline.equations import contexts
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

TURNED = [
    ("cost", {}),
    ("cost", {"context_tokens": 100.0}),
    ("cost", {"context_tokens": 1e5, "expert_share": 0.0}),
    ("context", {}),
    ("context", {"balance_batches": 0.5}),  # weights alone take longer than the arithmetic
    ("context", {"active_params": 822e9, "kv_bytes_per_token": 200.0}),
]


def drawn(name: str, mode: Mode, turned: dict[str, float]) -> Curves:
    one = board(name)
    picture = one.views[0].compute(one.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def total(side: tuple[Part, ...]) -> NDArray[np.float64]:
    return np.asarray(np.sum([part.y for part in side], axis=0), dtype=float)


def changes(picture: Curves) -> list[float]:
    """Where another side is paid than before, as the last value of x before it."""
    paid = np.argmax([total(side) for side in picture.bill], axis=0)
    return [float(x) for x in picture.x[:-1][np.diff(paid) != 0]]


@of_each("mode", Mode)
@of_each(("name", "turned"), TURNED)
def test_the_larger_sum_is_what_the_line_costs(name: str, turned: dict[str, float], mode: Mode) -> None:
    picture = drawn(name, mode, turned)
    (bold,) = (line for line in picture.lines if line.is_bold)
    sums = [total(side) for side in picture.bill]
    assert len(sums) == 2
    # Only rounding lies between a time that is divided by a batch and its parts that are.
    assert np.maximum(*sums) == pytest.approx(bold.y, rel=1e-12)
    assert all((part.y >= 0).all() for side in picture.bill for part in side)
    wider = picture.over(picture.x[0], 2 * picture.x[-1])
    (bold,) = (line for line in wider.lines if line.is_bold)
    assert np.maximum(*map(total, wider.bill)) == pytest.approx(bold.y, rel=1e-12)


@of_each("mode", Mode)
@of_each(("name", "turned"), TURNED)
def test_parts_have_the_colours_and_names_of_what_they_are(name: str, turned: dict[str, float], mode: Mode) -> None:
    compute, memory = drawn(name, mode, turned).bill
    assert [(part.name, part.colour) for part in compute] == [("compute", "compute")]
    assert [(part.name, part.colour) for part in memory] == [("weight fetch", "weights"), ("KV fetch", "kv")]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("turned", [{}, {"balance_batches": 10.0}, {"kv_bytes_per_token": 5e3}])
def test_a_context_is_paid_for_as_memory_beyond_the_crossover(mode: Mode, turned: dict[str, float]) -> None:
    one = board("context")
    values = one.values(mode, turned)
    names = ("active_params", "bytes_per_param", "balance_ratio", "kv_bytes_per_token", "balance_batches")
    crossover = float(contexts.crossover_context_tokens(**{name: values[name] for name in names}))
    picture = drawn("context", mode, turned).over(crossover / 10, crossover * 10)
    (change,) = changes(picture)
    # Between two values of x, or at one, where both are equal and rounding decides.
    beside = np.searchsorted(picture.x, change)
    assert picture.x[beside - 1] <= crossover <= picture.x[beside + 1]
    compute, memory = (total(side) for side in picture.bill)
    assert (memory < compute)[picture.x < 0.999 * crossover].all()
    assert (memory > compute)[picture.x > 1.001 * crossover].all()


@pytest.mark.parametrize("turned", [{}, {"context_tokens": 1000.0}])
def test_a_batch_is_paid_for_as_arithmetic_beyond_the_balance_batch(turned: dict[str, float]) -> None:
    values = board("cost").values(Mode.LECTURE, turned)
    balance = step_times({**values, "chips": 1.0}).balance_batch_with_kv
    picture = drawn("cost", Mode.LECTURE, turned)
    compute, memory = (total(side) for side in picture.bill)
    assert (memory > compute)[picture.x < 0.999 * balance].all()
    assert (memory < compute)[picture.x > 1.001 * balance].all()
    assert len(changes(picture)) == 1


def test_published_contexts_are_never_paid_for_as_arithmetic() -> None:
    values = board("cost").values(Mode.CAREFUL)
    assert step_times({**values, "chips": 1.0}).balance_batch_with_kv == np.inf
    assert changes(drawn("cost", Mode.CAREFUL, {})) == []


@pytest.mark.parametrize("name", ["cost", "context"])
def test_the_page_is_sent_the_bill(name: str) -> None:
    found: Any = answers(f"boards/{name}/views", {}, Dropped())
    for mode, picture in found["views"][0]["pictures"].items():
        own = drawn(name, Mode(mode), {})
        # Both modes are drawn over one axis, wider than each of their own.
        bill = own.over(picture["x"][0], picture["x"][-1]).bill
        assert picture["bill"] == [
            [{"name": part.name, "colour": part.colour, "y": part.y.tolist()} for part in side] for side in bill
        ]
