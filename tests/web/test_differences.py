from __future__ import annotations

import json
import math
import struct
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ridgeline.web.differences import as_differences

ROWS = st.lists(st.floats(-1e300, 1e300, allow_subnormal=False), min_size=8, max_size=30)


def read(part: Any) -> Any:  # noqa: ANN401  any part of a document
    """As the page reads them: with doubles alone."""
    if isinstance(part, list):
        return [read(one) for one in part]
    if not isinstance(part, dict):
        return part
    if "differences" not in part:
        return {name: read(one) for name, one in part.items()}
    held = [float(one) for one in part["differences"]]
    for start in range(part["order"], 0, -1):
        for place in range(start, len(held)):
            held[place] += held[place - 1]
    return [in_doubles(one) for one in held]


def in_doubles(kept: float) -> float:
    """As a language does that has no other numbers."""
    high, low = divmod(abs(kept), 2**9)
    size: float = struct.unpack(">d", struct.pack(">II", int(high), int(low) << 23))[0]
    return -size if kept < 0 else size


@given(values=ROWS)
def test_numbers_come_back_to_a_billionth(values: list[float]) -> None:
    found = read(json.loads(json.dumps(as_differences({"row": values, "one": values[0]}))))
    for mine, theirs in zip([*found["row"], found["one"]], [*values, values[0]], strict=True):
        assert math.isclose(mine, theirs, rel_tol=2**-30)  # half of the last of 29 bits
    # A mark that lies on a line's point still does.
    assert found["one"] == found["row"][0]


def test_a_smooth_line_is_short_and_the_rest_stays() -> None:
    row = [math.exp(one / 40) for one in range(401)]
    packed = as_differences({"row": row, "few": [1.5, 2.5], "whole": list(range(20)), "words": ["a"] * 9, "none": None})
    assert len(json.dumps(packed["row"])) < 0.5 * len(json.dumps(row))
    assert packed["few"] == [1.5, 2.5]
    assert packed["whole"] == list(range(20))
    assert (packed["words"], packed["none"]) == (["a"] * 9, None)


def test_equal_steps_of_whole_numbers_are_exact() -> None:
    row = [float(one) for one in range(1, 300)]
    assert read(as_differences(row)) == row
