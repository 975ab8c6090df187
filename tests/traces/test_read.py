"""Logs of requests: each format is known by its header, and a line that does not read is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ridgeline.traces import TraceError, open_trace, read_trace
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


def bailian(second: float, prompt: int, output: int) -> str:
    """A line as AIPerf's page on these logs shows it."""
    return json.dumps(
        {"chat_id": 159, "parent_chat_id": -1, "timestamp": second, "input_length": prompt, "output_length": output}
        | {"type": "text", "turn": 1, "hash_ids": [1089, 1090]}
    )


def vllm_bench(**changes: object) -> str:
    """Lists as ``vllm bench serve`` keeps them; the second request was sent first, and the third failed."""
    result = {"duration": 61.0, "completed": 2, "input_lens": [396, 374, 7], "output_lens": [109, 44, 0]}
    detailed = {"ttfts": [0.1, 0.1, 0.0], "itls": [[0.05], [0.1], []], "start_times": [70.5, 10.5, 11.0]}
    return json.dumps(result | detailed | {"errors": ["", "", "refused"]} | changes)


def aiperf(start_s: float, prompt: int, output: int, **changes: object) -> str:
    start_ns = 1759813207532900363 + round(start_s * 1e9)
    metrics = {"input_sequence_length": prompt, "output_sequence_length": output, "output_token_count": 1}
    shown = {name: {"value": value, "unit": "tokens"} for name, value in metrics.items()}
    record = {"metadata": {"request_start_ns": start_ns, "benchmark_phase": "profiling"}, "metrics": shown}
    return json.dumps(record | {"error": None} | changes)


def guidellm(indent: int | None = None, **changes: object) -> str:
    """A sweep of two benchmarks, with a request that did not end."""
    times = 1759813207.5, 1759813267.5
    first, second = (
        {"request_start_time": start, "prompt_tokens": prompt, "output_tokens": output, "request_latency": 1.0}
        for start, prompt, output in zip(times, (374, 396), (44, 109), strict=True)
    )
    ends = {"successful": [first], "incomplete": [{"output_tokens": 3}], "errored": []}
    benchmarks = [{"requests": ends}, {"requests": {"successful": [second], "incomplete": [], "errored": []}}]
    return json.dumps({"metadata": {"version": 1}, "benchmarks": benchmarks} | changes, indent=indent)


LOGS = {
    "Azure": (AZURE, "2023-11-16 18:15:46.6805900,374,44", "2023-11-16 18:16:46.6805900,396,109"),
    "Azure of a zone": (AZURE, "2024-05-10 00:00:00.009930+00:00,374,44", "2024-05-10 01:01:00.009930+01:00,396,109"),
    "BurstGPT": (BURST, "5,ChatGPT,374,44,418,Conversation log", "65,GPT-4,396,109,505,API log"),
    "Mooncake": (
        mooncake(timestamp=5000, input_length=374, output_length=44),
        mooncake(timestamp=65000, input_length=396, output_length=109),
    ),
    "BurstGPT of sessions": (
        "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type",
        "5,17,3.5,ChatGPT,374,44,418,Conversation log",
        "65,,9.25,GPT-4,396,109,505,API log",
    ),
    "Bailian": (bailian(61.114, 374, 44), bailian(121.114, 396, 109)),
    "vllm bench serve --save-detailed": (vllm_bench(),),
    "vllm bench serve --save-detailed of two runs": (
        vllm_bench(input_lens=[374], output_lens=[44], start_times=[5.0], errors=[""]),
        vllm_bench(input_lens=[396], output_lens=[109], start_times=[65.0], errors=[""]),
    ),
    "AIPerf": (
        aiperf(60, 396, 109),
        aiperf(0, 374, 44),
        aiperf(1, 9, 9, metrics={"error_isl": {"value": 550, "unit": "tokens"}}, error={"code": 499}),
    ),
    "GuideLLM": (guidellm(),),
    "GuideLLM of many lines": (guidellm(indent=4),),
    "Ridgeline's runs": (
        "request,arrival_s,prompt_tokens,output_tokens,queued_s,trace_arrival_s",
        "bench-0,0.000000,374,44,0.001,0.05",
        "bench-1,60.000000,396,109,0.001,59.0",
    ),
    "Vidur": (VIDUR, "0.5,374,44,418,8.5", "60.5,396,109,505,3.6"),
}


FAILING = {"vllm bench serve --save-detailed", "AIPerf", "GuideLLM", "GuideLLM of many lines"}
"""Logs with one request that failed."""


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_format_tells_the_same_of_the_same_requests(name: str, end: str, tmp_path: Path) -> None:
    path = written(tmp_path, *LOGS[name], end=end)
    found = read_trace(path)
    assert found.format == name.partition(" of ")[0]
    assert found.requests_per_s == pytest.approx(1 / 60, rel=1e-9)  # seconds from far off, in floats
    source = open_trace(path)
    (block,) = source.blocks()
    assert (source.name, source.format) == (str(path), found.format)
    assert (block.prompt_tokens.tolist(), block.output_tokens.tolist()) == ([374, 396], [44, 109])
    assert sorted(found.prompt_tokens.tolist()) == [374, 396]
    assert block.arrivals_s.tolist() == [0, 60]
    assert block.failed == found.failed == (name in FAILING)
    assert (block.prefix_hashes is None) is (source.block_tokens is None) is (name not in {"Mooncake", "Bailian"})


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
    f"{AZURE},x": ("yesterday,3,44,0", "log:2: TIMESTAMP='yesterday' is not a time as Azure writes it"),
    f"x,{AZURE}": ("0,2023-11-16 18:15:46,3,0", "log: has no requests with an output: 1 failed"),
    f"{AZURE},y": ("2023-11-16 18:15:46,-3,1,0", "log:2: ContextTokens=-3 and GeneratedTokens=1 must each be from 1"),
    f"y,{AZURE}": ("", "has no requests"),
    "": ("", "its columns are missing"),
    mooncake(): ("{", "log:2: is no JSON: Expecting property name enclosed in double quotes, column 2; a file"),
    mooncake(hash_ids=[3]): ('{"a": 1,     x}', "log:2: is no JSON: .*, column 14; a file"),
    '{"a": 1,': ("     x}", "log:2: is no JSON: .*, column 6; a file"),
    mooncake(timestamp=1): (mooncake(output_length=True), "log:2: output_length=True is no whole number"),
    mooncake(timestamp=2): ("[1]", "log:2: is no JSON object"),
    mooncake(timestamp=3): ('{"timestamp": 3, "input_length": 4}', "log:2: has no output_length and no hash_ids"),
    mooncake(timestamp=4): (mooncake(hash_ids=7), "log:2: hash_ids=7 is no list"),
    mooncake(timestamp=5): (mooncake(hash_ids=[[7]]), "log:2: hash_ids=.* is no list"),
    mooncake(timestamp=6): (mooncake(timestamp=None), "log:2: timestamp=None is not a time"),
    mooncake(timestamp=7): (mooncake(timestamp=True), "log:2: timestamp=True is not a time"),
    bailian(0, 3, 4): ('{"chat_id": 1}', "log:2: has no input_length and no output_length and no timestamp"),
    aiperf(0, 3, 4): (aiperf(0, 3, 4, metrics=[]), "log:2: has no input_sequence_length and no output_sequence"),
    aiperf(1, 3, 4): (aiperf(1, 3, 4, metadata=None), "log:2: has no request_start_ns"),
    aiperf(2, 3, 4): (aiperf(2, 3, 4, metadata={"request_start_ns": "x"}), "log:2: request_start_ns='x' is not a time"),
    vllm_bench(start_times=[1.0]): ("", "log: its .* are not as vllm bench serve --save-detailed writes them"),
    vllm_bench(input_lens=3): ("", "log: its .* are not as vllm bench"),
    vllm_bench(input_lens=["x", 1, 2]): ("", "log: request 1: input_lens='x' is no whole number"),
    vllm_bench(errors=["no"] * 3): ("", "log: has no requests with an output: 3 failed"),
    guidellm(benchmarks=3): ("", "log: its benchmarks are not as GuideLLM writes them"),
    guidellm(benchmarks=[{"requests": {"successful": [{"output_tokens": 1}]}}]): (
        "",
        "request 1: has no prompt_tokens",
    ),
    guidellm(benchmarks=[{"requests": {"successful": [1]}}]): ("", "log: request 1: 1 is no request"),
    guidellm(benchmarks=[{"requests": {"successful": [1, 2]}, "metrics": {"request_totals": {"successful": 400}}}]): (
        "",
        "log: GuideLLM kept 2 of 400 requests as samples.*--sample-requests",
    ),
    guidellm(benchmarks=[{"requests": {"errored": [1]}, "request_totals": {"errored": 2}}]): ("", "kept 1 of 2"),
    guidellm(benchmarks=[]): ("", "log: has no requests"),
    "[" * 100_000: ("", "log:1: no trace that is known"),
    '{"a":' * 100_000: ("", "log:1: is no JSON"),
    VIDUR: ("nan,3,4,7,1", "log:2: arrived_at='nan' is not a time"),
}


@pytest.mark.parametrize(("header", "row", "said"), [(header, *rest) for header, rest in BAD.items()])
def test_a_line_that_does_not_read_is_named(header: str, row: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=said):
        read_trace(written(tmp_path, header, row))


def test_an_empty_file_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("")
    with pytest.raises(TraceError, match="log: the file is empty; give a log of requests"):
        read_trace(tmp_path / "log")


def test_what_is_expected_is_said_of_every_format(tmp_path: Path) -> None:
    with pytest.raises(TraceError) as refused:
        read_trace(written(tmp_path, "tokens", "1"))
    assert all(f"{','.join(one.told_by)} ({one.name})" in str(refused.value) for one in FORMATS)


@pytest.mark.parametrize("name", LOGS)
def test_a_file_that_was_cut_short_names_its_last_line(name: str, tmp_path: Path) -> None:
    """Cut within the last number that is read, a CSV cannot tell: Azure's own end without a line end."""
    path = written(tmp_path, *LOGS[name])
    whole = path.read_text()
    cut = whole[: whole.rindex("39")] if name.startswith(("Azure", "Vidur", "Ridgeline")) else whole.rstrip("\n")[:-4]
    path.write_text(cut)
    line = 1 + cut.rstrip().count("\n")
    if "BurstGPT" in name:  # the kind of use, which is not read
        assert len(read_trace(path).prompt_tokens) == 2
        return
    with pytest.raises(TraceError, match=f"log:{line}: "):
        read_trace(path)


@pytest.mark.parametrize("name", LOGS)
def test_a_mark_of_the_order_of_bytes_does_no_harm(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, *LOGS[name])
    plain = read_trace(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    marked = read_trace(path)
    assert (marked.format, marked.prompt_tokens.tolist()) == (plain.format, plain.prompt_tokens.tolist())


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(TraceError, match="is no UTF-8 text; a log of requests is CSV"):
        read_trace(path)
