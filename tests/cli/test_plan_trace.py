"""``ridgeline plan --trace``: a log of requests in place of lengths and of a rate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands

LOG = str(Path(__file__).parents[2] / "docs" / "example_trace.jsonl")
ASKED = f"plan llama-3.1-8b --on h100-sxm --trace {LOG}"


def run(line: str) -> Result:
    return CliRunner().invoke(commands, line.split())


def document(line: str) -> Any:  # noqa: ANN401  JSON
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.slow
def test_a_log_gives_lengths_and_rate_and_is_said() -> None:
    rows = [json.loads(line) for line in Path(LOG).read_text().splitlines()]
    inputs = document(ASKED)["inputs"]
    assert inputs["prompt_tokens"] == pytest.approx(sum(one["input_length"] for one in rows) / len(rows))
    assert inputs["output_tokens"] == pytest.approx(sum(one["output_length"] for one in rows) / len(rows))
    span_s = (rows[-1]["timestamp"] - rows[0]["timestamp"]) / 1e3
    assert inputs["requests_per_s"] == pytest.approx((len(rows) - 1) / span_s)
    assert inputs["trace"]["requests"] == len(rows)
    said = " ".join(run(ASKED).stdout.split())
    assert f"Trace example_trace.jsonl (Mooncake): {len(rows)} requests; 0.113/s" in said
    assert "(--hit-rate)" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("load", "field", "value"),
    [("--rate 2/s", "requests_per_s", 2), ("--users 20", "users", 20), ("--batch 8", "batch", 8)],
)
def test_another_load_stands_in_place_of_its_rate(load: str, field: str, value: float) -> None:
    inputs = document(f"{ASKED} {load}")["inputs"]
    assert {name: inputs[name] for name in ("requests_per_s", "users", "batch") if inputs[name] is not None} == {
        field: value
    }


@pytest.mark.parametrize("requests", [1, 2])
def test_a_log_of_one_moment_gives_no_rate_and_says_so(requests: int, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    row = "2023-11-16 18:17:03.9799600,4808,10\n"
    log.write_text("TIMESTAMP,ContextTokens,GeneratedTokens\n" + requests * row)
    line = f"plan llama-3.1-8b --on h100-sxm --trace {log}"
    result = run(line)
    assert result.exit_code == 2
    assert f"has {requests} request" in " ".join(result.stderr.split())
    assert all(option in result.stderr for option in ("--no-arrivals", "--rate", "--users", "--batch"))
    for load in ("--no-arrivals", "--rate 2/s", "--batch 8"):
        assert run(f"{line} {load}").exit_code == 0


def test_lengths_alone_are_of_an_idle_system_at_a_quantile() -> None:
    half, most = (document(f"{ASKED} --no-arrivals --ttft-quantile {part}") for part in (0.5, 0.99))
    assert half["inputs"]["requests_per_s"] is None
    assert half["plans"][0]["layout"] == most["plans"][0]["layout"]
    assert half["plans"][0]["ttft_s"] < most["plans"][0]["ttft_s"]
    assert "of prompts' within it, in an idle system" in " ".join(run(f"{ASKED} --no-arrivals").stdout.split())


def test_several_machines_and_two_pools_take_a_log() -> None:
    assert "Trace example_trace.jsonl" in run(f"{ASKED} --on h200-sxm").stdout
    assert document(f"{ASKED} --pools 2")["inputs"]["trace"]["format"] == "Mooncake"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{ASKED} --prompt 10", "--prompt and --trace each say how long requests are"),
        ("plan llama-3.1-8b --on h100-sxm --prompt 10", "Missing option '--output'"),
        ("plan llama-3.1-8b --on h100-sxm", "Missing option '--prompt' and '--output'"),
        ("plan llama-3.1-8b --on h100-sxm --prompt 10 --output 9 --no-arrivals", "--no-arrivals is of a log"),
        ("plan llama-3.1-8b --on h100-sxm --trace README.md", "no trace that is known"),
    ],
)
def test_what_does_not_go_together_is_refused(line: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(LOG).parents[1])
    result = run(line)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())
