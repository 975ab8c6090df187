"""The stand-in against NumPy itself, function by function, on numbers that hypothesis picks."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each import of_each

from ridgeline.web.worker import numpy as ours
from ridgeline.web.worker.numpy import products

# Whole powers of two apart from sums, so that what is equal here is equal there.
NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda one: round(one, 6))
ANY_NUMBERS = NUMBERS | st.sampled_from([0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 1e200, 1e-200])
LISTS = st.lists(ANY_NUMBERS, min_size=1, max_size=8)
SHAPES = st.sampled_from([(3,), (1, 3), (2, 3), (2, 1), (1,), (2, 2, 3), (2, 1, 1), (2, 1, 3)])
SEEDS = st.integers(0, 2**70)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """NumPy warns where it has no number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def same(mine: Any, theirs: Any) -> None:
    """Of the same shape and kind, and equal to rounding."""
    if isinstance(mine, ours.ndarray):
        assert isinstance(theirs, np.ndarray)
        assert mine.shape == theirs.shape
        assert mine.dtype is type(theirs.dtype.type(0).item())
        np.testing.assert_allclose(np.array(mine.flat, dtype=float), theirs.ravel().astype(float), rtol=1e-12)
    else:
        assert not isinstance(theirs, np.ndarray) or theirs.ndim == 0
        np.testing.assert_allclose(float(mine), float(theirs), rtol=1e-12)


def both(values: list[Any], shape: tuple[int, ...] | None = None) -> tuple[Any, Any]:
    """The same array twice."""
    theirs = np.array(values)
    if shape is not None:
        theirs = np.resize(theirs, shape)
    return ours.array(theirs.tolist()), theirs


ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


@pytest.mark.slow
@pytest.mark.parametrize("form", ARITHMETIC + COMPARISONS)
@given(first=LISTS, second=LISTS, shapes=st.tuples(SHAPES, SHAPES))
def test_arithmetic_is_numpys_and_stretches_as_its_does(
    form: Callable[[Any, Any], Any], first: list[float], second: list[float], shapes: tuple[Any, Any]
) -> None:
    (a, x), (b, y) = both(first, shapes[0]), both(second, shapes[1])
    try:
        wanted = form(x, y)
    except ValueError:
        with pytest.raises(ValueError, match="broadcast"):
            form(a, b)
        return
    same(form(a, b), wanted)


@pytest.mark.parametrize("form", ARITHMETIC + COMPARISONS)
@given(values=LISTS, number=ANY_NUMBERS)
def test_arithmetic_with_a_number_is_numpys_from_either_side(
    form: Callable[[Any, Any], Any], values: list[float], number: float
) -> None:
    a, x = both(values)
    same(form(a, number), form(x, number))
    same(form(number, a), form(number, x))


@given(values=LISTS, whole=st.lists(st.integers(-50, 50), min_size=1, max_size=6))
def test_a_square_is_numpys_and_of_whole_numbers_whole(values: list[float], whole: list[int]) -> None:
    for one in (values, whole):
        a, x = both(one)
        same(a**2, x**2)


@given(values=st.lists(st.integers(-50, 50), min_size=1, max_size=6), number=st.integers(-5, 5))
def test_whole_numbers_stay_whole(values: list[int], number: int) -> None:
    a, x = both(values)
    for form in (operator.add, operator.mul, operator.floordiv, operator.mod):
        same(form(a, number), form(x, number))
    same(a * 1.0, x * 1.0)
    same(-a, -x)
    same(abs(a), abs(x))


@pytest.mark.parametrize("name", ["ceil", "exp", "floor", "isfinite", "isnan", "log", "log10", "sign", "sqrt", "tanh"])
@given(values=LISTS)
def test_functions_of_one_number_are_numpys(name: str, values: list[float]) -> None:
    a, x = both(values)
    same(getattr(ours, name)(a), getattr(np, name)(x))
    same(getattr(ours, name)(values[0]), getattr(np, name)(values[0]))


@pytest.mark.parametrize("name", ["hypot", "maximum", "minimum"])
@given(first=LISTS, second=ANY_NUMBERS)
def test_functions_of_two_numbers_are_numpys(name: str, first: list[float], second: float) -> None:
    a, x = both(first)
    same(getattr(ours, name)(a, second), getattr(np, name)(x, second))
    same(getattr(ours, name)(a, a), getattr(np, name)(x, x))


@given(values=st.lists(ANY_NUMBERS, min_size=6, max_size=6))
def test_many_arrays_reduce_to_their_least(values: list[float]) -> None:
    parts = [values[:2], values[2:4], values[4:]]
    same(ours.minimum.reduce(parts), np.minimum.reduce(parts))


@pytest.mark.slow
@of_each("name", ["max", "min", "sum", "mean", "all", "any"])
@of_each("axis", [None, 0, 1, -1])
@given(values=LISTS)
def test_reductions_are_numpys_along_each_axis(name: str, axis: int | None, values: list[float]) -> None:
    a, x = both(values, (2, 3))
    if name in {"sum", "mean"} and not np.isfinite(x).all():
        return  # the order of the sum decides between infinite and none
    same_to_scale(getattr(ours, name)(a, axis=axis), getattr(np, name)(x, axis=axis), float(abs(x).max()))


def same_to_scale(mine: Any, theirs: Any, scale: float) -> None:
    """Sums of large numbers may be small."""
    found = np.array(mine.tolist() if isinstance(mine, ours.ndarray) else mine, dtype=float)
    np.testing.assert_allclose(found, np.asarray(theirs, dtype=float), rtol=1e-12, atol=1e-14 * scale)


KEYS = [
    0,
    -1,
    slice(1, None),
    slice(None, None, -1),
    (0, 1),
    (slice(None), 0),
    (slice(None), None, slice(None)),
    (None, slice(None), 1),
    (slice(0, 1), slice(0, 2)),
]


@pytest.mark.parametrize("key", KEYS, ids=str)
@given(values=LISTS)
def test_indices_pick_and_set_what_numpys_do(key: Any, values: list[float]) -> None:
    a, x = both(values, (2, 3))
    same(a[key], x[key])
    a[key], x[key] = 7.0, 7.0
    same(a, x)


@given(values=LISTS, bound=NUMBERS)
def test_masks_pick_what_numpys_do(values: list[float], bound: float) -> None:
    a, x = both(values)
    same(a[a > bound], x[x > bound])
    b, y = both(values, (2, 3))
    same(b[ours.any(b > bound, axis=1)], y[np.any(y > bound, axis=1)])


def test_an_index_beyond_the_end_is_refused() -> None:
    for key in (3, -4):
        with pytest.raises(IndexError):
            ours.arange(3)[key]
    with pytest.raises(IndexError, match="out of bounds"):
        ours.eye(2)[0, 2]
    with pytest.raises(IndexError, match="too many"):
        ours.eye(2)[0, 0, 0]


@given(low=NUMBERS, high=NUMBERS, count=st.integers(1, 50))
def test_equal_steps_are_numpys_to_the_last_bit(low: float, high: float, count: int) -> None:
    assert ours.linspace(low, high, count).tolist() == np.linspace(low, high, count).tolist()


@given(low=st.floats(1e-6, 1e6), ratio=st.floats(1.001, 1e6), count=st.integers(2, 50))
def test_equal_ratios_are_numpys(low: float, ratio: float, count: int) -> None:
    same(ours.geomspace(low, low * ratio, count), np.geomspace(low, low * ratio, count))


@given(start=st.integers(-5, 5), stop=st.integers(-5, 20), step=st.sampled_from([1, 2, 0.5]))
def test_ranges_are_numpys(start: int, stop: int, step: float) -> None:
    same(ours.arange(start, stop, step), np.arange(start, stop, step))
    same(ours.arange(1.0, stop), np.arange(1.0, stop))
    same(ours.arange(start, stop, dtype=float), np.arange(start, stop, dtype=float))


@given(first=st.lists(NUMBERS, max_size=6), second=st.lists(NUMBERS, max_size=6))
def test_unions_are_numpys(first: list[float], second: list[float]) -> None:
    same(ours.union1d(ours.array(first, float), second), np.union1d(np.array(first, float), np.array(second)))
    same(ours.unique([*first, 1.0]), np.unique([*first, 1.0]))
    same(ours.concatenate([first, [1.0]]), np.concatenate([first, [1.0]]))


@given(condition=st.lists(st.booleans(), min_size=2, max_size=2), yes=NUMBERS, no=NUMBERS)
def test_a_choice_is_numpys(condition: list[bool], yes: float, no: float) -> None:
    same(ours.where(ours.array(condition), yes, [no, 1.0]), np.where(condition, yes, [no, 1.0]))


@given(values=LISTS)
def test_shapes_change_as_numpys(values: list[float]) -> None:
    a, x = both(values, (2, 3))
    same(a.T, x.T)
    same(a.reshape(3, -1), x.reshape(3, -1))
    same(ours.ravel(a), np.ravel(x))
    same(ours.broadcast_to(a, (2, 2, 3)), np.broadcast_to(x, (2, 2, 3)))
    assert (a.ndim, a.size, len(a), ours.ndim(a), ours.ndim(1.0)) == (x.ndim, x.size, len(x), 2, 0)
    assert (values[0] in a) == (values[0] in x)
    for mine, theirs in zip(a, x, strict=True):
        same(mine, theirs)


def test_arrays_are_made_as_numpys() -> None:
    same(ours.eye(3), np.eye(3))
    same(ours.zeros((2, 3)), np.zeros((2, 3)))
    same(ours.ones(4), np.ones(4))
    same(ours.array([1, 2.0]), np.array([1, 2.0]))
    same(ours.array([True, False]), np.array([True, False]))
    same(ours.array([ours.arange(2), ours.arange(2)]), np.array([[0, 1], [0, 1]]))
    same(ours.trace(ours.array([[1.0, 2.0], [3.0, 4.0]])), 5.0)
    same(ours.array([1.5, -2.5, 0.5, math.nan]).round(), np.array([1.5, -2.5, 0.5, math.nan]).round())
    same(ours.array([1.2345, -2.5551]).round(3), np.array([1.2345, -2.5551]).round(3))
    same(ours.frompyfunc(math.erfc, 1, 1)([0.0, 1.0]), np.array([math.erfc(0.0), math.erfc(1.0)]))
    same(~ours.array([True, False]), ~np.array([True, False]))


@given(
    seed=SEEDS,
    shape=st.sampled_from([((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((3,), (3, 2))]),
)
def test_products_are_numpys(seed: int, shape: tuple[Any, Any]) -> None:
    draw = np.random.default_rng(seed)
    x, y = (draw.standard_normal(one) for one in shape)
    same_to_scale(ours.array(x.tolist()) @ ours.array(y.tolist()), x @ y, 10.0)


def test_large_products_are_handed_to_what_is_quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(0)
    x, y = draw.standard_normal((40, 30)), draw.standard_normal((30, 20))

    def quick(first: Any, second: Any, into: Any, inner: int, width: int) -> None:
        into[:] = type(into)("d", (np.array(first).reshape(-1, inner) @ np.array(second).reshape(-1, width)).ravel())

    a, b = ours.array(x.tolist()), ours.array(y.tolist())
    plain = a @ b
    monkeypatch.setattr(products, "quick_product", quick)
    same_to_scale(a @ b, x @ y, 10.0)
    same_to_scale(plain, x @ y, 10.0)


@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (6, 3), (3, 6), (12, 12)])
def test_singular_values_are_numpys(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(3).standard_normal(shape)
    found = ours.linalg.svd(ours.array(x.tolist()), compute_uv=False)
    np.testing.assert_allclose(found.tolist(), np.linalg.svd(x, compute_uv=False), rtol=1e-12)


@given(seed=SEEDS)
def test_normal_draws_are_numpys(seed: int) -> None:
    mine, theirs = ours.random.default_rng(seed), np.random.default_rng(seed)
    same_to_scale(mine.standard_normal((40, 5)), theirs.standard_normal((40, 5)), 1.0)
    assert mine.random() == theirs.random()  # as many words were taken


def test_draws_from_the_tail_are_numpys() -> None:
    """Beyond 3.65 lies one in four thousand."""
    mine = np.array(ours.random.default_rng(7).standard_normal(40_000).tolist())
    assert (abs(mine) > ours.random.NORMAL.right).sum() > 3  # where another way of drawing begins
    np.testing.assert_allclose(mine, np.random.default_rng(7).standard_normal(40_000), rtol=1e-12)


@given(seed=SEEDS, mean=st.floats(0, 40) | st.floats(40, 1e7))
def test_poisson_draws_are_numpys(seed: int, mean: float) -> None:
    mine, theirs = ours.random.default_rng(seed), np.random.default_rng(seed)
    assert mine.poisson(mean, 30).tolist() == theirs.poisson(mean, 30).tolist()


@given(seed=SEEDS, count=st.integers(1, 300))
def test_choices_are_numpys(seed: int, count: int) -> None:
    given = [float(one) for one in range(count)]
    mine, theirs = ours.random.default_rng(seed), np.random.default_rng(seed)
    assert mine.choice(given, size=(5, 4)).tolist() == theirs.choice(given, size=(5, 4)).tolist()


@given(seed=SEEDS, shapes=st.lists(st.integers(1, 9) | st.floats(1, 1e4), min_size=1, max_size=20))
def test_gamma_draws_are_numpys(seed: int, shapes: list[float]) -> None:
    mine, theirs = ours.random.default_rng(seed), np.random.default_rng(seed)
    same(mine.standard_gamma(shapes), theirs.standard_gamma(shapes))
    assert mine.random() == theirs.random()


def test_exponential_draws_from_the_tail_are_numpys() -> None:
    mine = np.array(ours.random.default_rng(7).standard_gamma([1] * 20_000).tolist())
    assert (mine > ours.random.EXPONENTIAL.right).sum() > 3
    np.testing.assert_allclose(mine, np.random.default_rng(7).standard_gamma([1] * 20_000), rtol=1e-12)


@given(seed=SEEDS, counts=st.lists(st.integers(1, 40), min_size=1, max_size=10))
def test_whole_numbers_and_orders_are_numpys(seed: int, counts: list[int]) -> None:
    mine, theirs = ours.random.default_rng(seed), np.random.default_rng(seed)
    for count in counts:
        assert mine.integers(count) == theirs.integers(count)
        assert mine.permutation(count).tolist() == theirs.permutation(count).tolist()


@given(values=st.lists(NUMBERS, min_size=1, max_size=12), sought=st.lists(NUMBERS, min_size=1, max_size=5))
def test_orders_and_sums_are_numpys(values: list[float], sought: list[float]) -> None:
    a, x = both(values)
    same(ours.sort(a), np.sort(x))
    same(ours.argsort(a, kind="stable"), np.argsort(x, kind="stable"))
    same_to_scale(ours.cumsum(a), np.cumsum(x), float(abs(x).max()))
    same_to_scale(ours.diff(a), np.diff(x), float(abs(x).max()))
    same(ours.median(a), np.median(x))
    assert a.argmax() == x.argmax()
    held = sorted(values)
    for side in ("left", "right"):
        both_sought = [*sought, values[0]]
        same(ours.searchsorted(held, both_sought, side=side), np.searchsorted(held, both_sought, side=side))
        same(ours.searchsorted(held, values[0], side=side), np.searchsorted(held, values[0], side=side))


@given(x=st.floats(-2, 12), ys=st.lists(NUMBERS, min_size=1, max_size=10))
def test_heights_of_a_line_are_numpys(x: float, ys: list[float]) -> None:
    along = list(range(len(ys)))
    for place in (x, 0, len(ys) - 1):
        same_to_scale(ours.interp(place, along, ys), np.interp(place, along, ys), max(map(abs, ys)))
    several = [x, 0.0, x / 2]
    same_to_scale(ours.interp(several, along, ys), np.interp(several, along, ys), max(map(abs, ys)))
