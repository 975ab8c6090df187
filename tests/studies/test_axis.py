from __future__ import annotations

import re

import pytest

from ridgeline.studies.axis import StudyError, numbers


@pytest.mark.parametrize(
    ("raw", "dimension", "values"),
    [
        (4096, "count", (4096.0,)),
        (["1k", 2048, "8Ki"], "count", (1000.0, 2048.0, 8192.0)),
        ({"from": "4 TB/s", "to": "16 TB/s", "count": 3}, "bytes_per_s", (4e12, 10e12, 16e12)),
        ({"from": 0.5, "to": 1.5, "step": 0.1}, "count", tuple(0.5 + 0.1 * at for at in range(11))),
        ({"from": 1, "to": 100, "count": 3, "spacing": "log"}, "count", (1.0, 10.0, 100.0)),
    ],
)
def test_values_are_listed_or_ranged_over(raw: object, dimension: str, values: tuple[float, ...]) -> None:
    assert numbers("batch", raw, dimension) == pytest.approx(values, rel=1e-12)  # of base units, but for rounding


def test_whole_numbers_of_a_range_are_rounded_and_kept_once() -> None:
    found = numbers("batch", {"from": 1, "to": 8, "count": 9, "spacing": "log"}, "count", whole=True)
    assert repr(found) == "(1, 2, 3, 4, 5, 6, 8)"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ([], "f: is empty"),
        ([1, 1], "f: has a value twice"),
        (["1.5"], "f: 1.5 is not a whole number"),
        ("many", "f: 'many' is not a number"),
        (True, "f: True is no quantity"),
        ([1, "x"], "f[1]: 'x' is not a number"),
        ({"from": 1}, "f: a range has from, to and either count or step"),
        ({"from": 1, "to": 2, "count": 2, "step": 1}, "f: a range has from, to and either count or step"),
        ({"from": 2, "to": 1, "count": 2}, "f: to=1 is not above from=2"),
        ({"from": 1, "to": 2, "count": 1}, "f.count: 1 is not a whole number from 2"),
        ({"from": 0, "to": 2, "count": 3, "spacing": "log"}, "f.spacing: 'log' is neither"),
        ({"from": 1, "to": 2, "step": 0}, "f.step: 0 must be above 0"),
        ({"from": 1, "to": 2, "counts": 3}, "f: counts: no key here; there are from, to, count, step, spacing"),
    ],
)
def test_what_is_no_axis_is_said_with_its_field(raw: object, said: str) -> None:
    with pytest.raises(StudyError, match=re.escape(said)):
        numbers("f", raw, "count", whole=True)
