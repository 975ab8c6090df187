"""Logs of requests: each format is known by its header, and a line that does not read is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ridgeline.traces import TraceError, read_trace
from ridgeline.traces.formats import FORMATS

AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens"
BURST = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type"
VIDUR = "arrived_at,num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio"


def written(folder: Path, *lines: str, end: str = "\n") -> Path:
    path = folder / "log"
    path.write_bytes(end.join([*lines, ""]).encode())
    return path


def mooncake(**changes: object) -> str:
    return json.dumps({"timestamp": 0, "input_length": 700, "output_length": 5, "hash_ids": [1, 2]} | changes)


LOGS = {
    "Azure": (AZURE, "2023-11-16 18:15:46.6805900,374,44", "2023-11-16 18:16:46.6805900,396,109"),
    "Azure of a zone": (AZURE, "2024-05-10 00:00:00.009930+00:00,374,44", "2024-05-10 01:01:00.009930+01:00,396,109"),
    "BurstGPT": (BURST, "5,ChatGPT,374,44,418,Conversation log", "65,GPT-4,396,109,505,API log"),
    "Mooncake": (
        mooncake(timestamp=5000, input_length=374, output_length=44),
        mooncake(timestamp=65000, input_length=396, output_length=109),
    ),
    "Vidur": (VIDUR, "0.5,374,44,418,8.5", "60.5,396,109,505,3.6"),
}


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_format_tells_the_same_of_the_same_requests(name: str, end: str, tmp_path: Path) -> None:
    found = read_trace(written(tmp_path, *LOGS[name], end=end))
    assert found.format == name.removesuffix(" of a zone")
    assert found.prompt_tokens.tolist() == [374, 396]
    assert found.output_tokens.tolist() == [44, 109]
    assert found.requests_per_s == pytest.approx(1 / 60, rel=1e-9)  # seconds from far off, in floats


def test_lengths_alone_have_no_rate(tmp_path: Path) -> None:
    found = read_trace(written(tmp_path, "num_prefill_tokens,num_decode_tokens", "374,44", "", "396,109"))
    assert (found.requests_per_s, found.busiest_requests_per_s, len(found.prompt_tokens)) == (None, None, 2)


def test_requests_that_failed_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = [f"{second},ChatGPT,10,{output},0,API log" for second, output in enumerate((4, 0, 6))]
    found = read_trace(written(tmp_path, BURST, *rows))
    assert (found.output_tokens.tolist(), found.failed) == ([4, 6], 1)


def test_the_busiest_minute_is_a_whole_one(tmp_path: Path) -> None:
    seconds = [0, *(60 + 2 * number for number in range(30)), *(190 + 0.1 * number for number in range(90))]
    found = read_trace(written(tmp_path, VIDUR, *(f"{second},10,10,20,1" for second in seconds)))
    assert found.busiest_requests_per_s == 30 / 60  # the last 90 come in a minute that is not over
    assert found.requests_per_s == pytest.approx(120 / (190 + 8.9))


def test_blocks_that_were_there_before_are_hits(tmp_path: Path) -> None:
    blocks = ([1, 2], [1, 2, 3], [4])
    found = read_trace(written(tmp_path, *(mooncake(hash_ids=one) for one in blocks)))
    assert found.prefix_hit_fraction == 2 / 6


BAD = {
    "a,b": ("1,2", "log:1: no trace that is known: its columns are a,b"),
    AZURE: ("2023-11-16 18:15:46,3.5,44", "log:2: ContextTokens='3.5' is no whole number"),
    f"{AZURE},": ("2023-11-16 18:15:46,3,44", "log:2: has 3 values, and its header has 4 columns"),
    f"{AZURE},x": ("yesterday,3,44,0", "log:2: TIMESTAMP='yesterday' is no time as Azure writes it"),
    f"x,{AZURE}": ("0,2023-11-16 18:15:46,3,0", "log: has no requests with an output: 1 failed"),
    f"{AZURE},y": ("2023-11-16 18:15:46,-3,1,0", "log:2: ContextTokens=-3 and GeneratedTokens=1 must each be from 1"),
    f"y,{AZURE}": ("", "has no requests"),
    "": ("", "its columns are missing"),
    mooncake(): ("{", "log:2: is no JSON"),
    mooncake(timestamp=1): (mooncake(output_length=True), "log:2: output_length=True is no whole number"),
    mooncake(timestamp=2): ("[1]", "log:2: is no JSON object"),
    mooncake(timestamp=3): ('{"timestamp": 3, "input_length": 4}', "log:2: has no output_length and no hash_ids"),
    mooncake(timestamp=4): (mooncake(hash_ids=7), "log:2: hash_ids=7 is no list"),
    mooncake(timestamp=5): (mooncake(hash_ids=[[7]]), "log:2: hash_ids=.* is no list"),
    mooncake(timestamp=6): (mooncake(timestamp=None), "log:2: timestamp=None is no time"),
    VIDUR: ("nan,3,4,7,1", "log:2: arrived_at='nan' is no time"),
}


@pytest.mark.parametrize(("header", "row", "said"), [(header, *rest) for header, rest in BAD.items()])
def test_a_line_that_does_not_read_is_named(header: str, row: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=said):
        read_trace(written(tmp_path, header, row))


def test_what_is_expected_is_said_of_every_format(tmp_path: Path) -> None:
    with pytest.raises(TraceError) as refused:
        read_trace(written(tmp_path, "tokens", "1"))
    assert all(f"{','.join(one.told_by)} ({one.name})" in str(refused.value) for one in FORMATS)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(TraceError, match="cannot be read"):
        read_trace(path)
