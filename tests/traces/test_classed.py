"""Classes of requests: by chance the same however they are cut, or as a column of a log says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridgeline.errors import RidgelineError
from ridgeline.simulator.arrivals import as_one
from ridgeline.traces import RequestSource, TraceError, classed, open_trace, paced, synthetic
from ridgeline.traces.arrivals import Even
from ridgeline.traces.request_lengths import Fixed
from ridgeline.traces.requests import BATCH, FAST, STANDARD
from ridgeline.traces.trace_file import sorted_requests

MADE = synthetic(requests=20_000, arrivals=Even(1.0), lengths=Fixed(prompt_tokens=10, output_tokens=5))
VIDUR = "arrived_at,num_prefill_tokens,num_decode_tokens,priority"


def kinds(source: RequestSource, most: int = 65_536) -> list[int]:
    return [kind for block in source.blocks(most) for kind in ([] if block.classes is None else block.classes.tolist())]


def test_shares_are_met_and_the_same_seed_gives_the_same_classes_however_they_are_cut() -> None:
    found = classed(MADE, {"fast": 0.2, "batch": 0.8}, seed=1)
    counts = np.bincount(kinds(found), minlength=3)
    assert counts.sum() == 20_000
    assert counts[STANDARD] == 0
    assert counts[FAST] == pytest.approx(4000, abs=250)  # more than four deviations of 57
    assert kinds(found) == kinds(found, 7)
    assert kinds(found) != kinds(classed(MADE, {"fast": 0.2, "batch": 0.8}, seed=2))
    assert as_one(found.blocks(7)).classes is not None


@pytest.mark.parametrize("shares", [{"fast": 0.5}, {"quick": 1.0}, {"fast": 1.5, "batch": -0.5}, {}])
def test_shares_that_are_none(shares: dict[str, float]) -> None:
    with pytest.raises(RidgelineError, match=r"add up to 1, such as fast:0\.2,standard"):
        classed(MADE, shares)


def log(folder: Path, *classes: str) -> Path:
    path = folder / "log"
    path.write_text("\n".join([VIDUR, *(f"{at},10,5,{name}" for at, name in enumerate(classes))]))
    return path


def test_a_column_of_a_log(tmp_path: Path) -> None:
    path = log(tmp_path, "batch", "0", "standard", "fast")
    found = open_trace(path, classes="priority")
    expected = [BATCH, FAST, STANDARD, FAST]
    assert kinds(found) == kinds(found, 1) == kinds(paced(found, Even(1.0))) == expected
    assert sorted_requests(found).classes is not None
    assert kinds(open_trace(path)) == []
    lines = tmp_path / "lines"
    lines.write_text('{"timestamp": 0, "input_length": 5, "output_length": 2, "hash_ids": [0], "kind": 2}\n')
    assert kinds(open_trace(lines, classes="kind")) == [BATCH]


def test_columns_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"has no column 'class' for classes; its columns are arrived_at, .*priority"):
        open_trace(log(tmp_path, "fast"), classes="class")
    with pytest.raises(TraceError, match="log:3: priority='quick' is none of the classes fast, 0, standard, 1"):
        kinds(open_trace(log(tmp_path, "fast", "quick"), classes="priority"))
