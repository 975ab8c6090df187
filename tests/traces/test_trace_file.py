"""A log as a source: blocks are the whole however they are cut, times count from the first, order is kept."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from ridgeline.traces import Requests, RequestSource, TraceError, open_trace, paced, read_trace
from ridgeline.traces.arrivals import Even
from ridgeline.traces.trace_file import sorted_requests

VIDUR = "arrived_at,num_prefill_tokens,num_decode_tokens"
BURST = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type"


def written(folder: Path, header: str, *rows: str) -> Path:
    path = folder / "log"
    path.write_text("\n".join([header, *rows]))
    return path


def whole(blocks: list[Requests]) -> tuple[list[float], list[int], list[int], list[tuple[int, ...]], int]:
    return (
        [one for block in blocks for one in block.arrivals_s.tolist()],
        [one for block in blocks for one in block.prompt_tokens.tolist()],
        [one for block in blocks for one in block.output_tokens.tolist()],
        [one for block in blocks for one in block.prefix_hashes or ()],
        sum(block.failed for block in blocks),
    )


@pytest.mark.parametrize("most", [1, 2, 3, 7, 65_536])
def test_blocks_are_the_whole_however_they_are_cut(most: int, tmp_path: Path) -> None:
    rows = [f"{second},GPT-4,10,{output},0,API log" for second, output in enumerate((0, 4, 5, 0, 0, 0, 6, 7, 0, 0))]
    source: RequestSource = open_trace(written(tmp_path, BURST, *rows))
    assert (source.format, source.block_tokens, source.has_arrivals) == ("BurstGPT", None, True)
    first, again = list(source.blocks(most)), list(source.blocks(most))
    assert whole(first) == whole(again) == ([0, 1, 5, 6], [10] * 4, [4, 5, 6, 7], [], 6)
    assert all(0 < len(block) <= most for block in first)


def test_blocks_of_prompts_come_along() -> None:
    (block,) = open_trace("docs/example_trace.jsonl").blocks()
    assert block.prefix_hashes is not None
    assert block.prefix_hashes[:3] == ((0, 1), (0, 1, 2), (3,))
    assert open_trace("docs/example_trace.jsonl").block_tokens == 512
    assert [len(one) for one in block.prefix_hashes] == np.ceil(block.prompt_tokens / 512).tolist()


@pytest.mark.parametrize("most", [1, 2, 100])
def test_a_log_out_of_order_is_refused_by_the_line(most: int, tmp_path: Path) -> None:
    path = written(tmp_path, VIDUR, "5,1,1", "7,2,1", "", "6,3,1", "4,4,1")
    with pytest.raises(TraceError, match=r"log:5: .* sort the log: ridgeline trace .*log --to mooncake SORTED"):
        list(open_trace(path).blocks(most))
    found = sorted_requests(open_trace(path))
    assert (found.arrivals_s.tolist(), found.prompt_tokens.tolist()) == ([0, 1, 2, 3], [4, 1, 3, 2])


def test_requests_that_come_together_keep_their_order(tmp_path: Path) -> None:
    rows = (f"{number % 2},{number + 1},1" for number in range(40))
    found = sorted_requests(open_trace(written(tmp_path, VIDUR, *rows)))
    assert found.prompt_tokens.tolist() == [*range(1, 41, 2), *range(2, 41, 2)]


@pytest.mark.parametrize("pace", [None, Even(2.0)])
def test_who_looks_on_is_told_of_every_request(pace: Even | None, tmp_path: Path) -> None:
    source = open_trace(written(tmp_path, VIDUR, *(f"{number},1,{number % 2}" for number in range(20_000))))
    told: list[int] = []
    sorted_requests(source if pace is None else paced(source, pace), told.append)
    assert (len(told) > 1, sum(told)) == (True, 10_000)


def test_a_log_without_arrivals_asks_for_a_rate(tmp_path: Path) -> None:
    source = open_trace(written(tmp_path, "num_prefill_tokens,num_decode_tokens", "3,1", "4,2"))
    assert not source.has_arrivals
    for refused in (source.blocks, lambda: sorted_requests(source)):
        with pytest.raises(TraceError, match="give a rate: --rate"):
            refused()


def test_a_bad_line_is_named_behind_many_good_ones(tmp_path: Path) -> None:
    path = written(tmp_path, VIDUR, *(f"{number},1,1" for number in range(9000)), "9000,1,x")
    for read in (read_trace, lambda name: list(open_trace(name).blocks(1000))):
        with pytest.raises(TraceError, match="log:9002: num_decode_tokens='x'"):
            read(path)


def test_microseconds_of_a_date_survive(tmp_path: Path) -> None:
    days = ("2023-11-16 18:15:46.6805900", "2023-11-16 18:15:50.9951690", "2023-11-17 18:15:46.6805910")
    path = written(tmp_path, "TIMESTAMP,ContextTokens,GeneratedTokens", *(f"{day},1,1" for day in days))
    (block,) = open_trace(path).blocks()
    assert_array_equal(block.arrivals_s, [0, 4.314579, 86400.000001])


@pytest.mark.parametrize("value", ["1e30", "inf", "", "1e400"])
def test_no_clock_shows_such_times(value: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="is not a time as Vidur"):
        list(open_trace(written(tmp_path, VIDUR, "0,1,1", f"{value},1,1")).blocks())


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    def most_bytes(count: int) -> int:
        path = written(tmp_path, VIDUR, *(f"{number},11,12" for number in range(count)))
        tracemalloc.start()
        for _ in open_trace(path).blocks(500):
            pass
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    most_bytes(500)  # what is loaded once belongs to no log
    few, many = most_bytes(4000), most_bytes(20_000)
    assert many < 1.2 * few  # a fifth for the allocator; kept, it would be five times as much
