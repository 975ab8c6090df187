"""``ridgeline trace``: what is written reads the same, is whole or not there, and nothing is overwritten unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands
from ridgeline.traces import open_trace

LOG = "docs/example_trace.jsonl"
VIDUR = "arrived_at,num_prefill_tokens,num_decode_tokens"


def traced(*words: object) -> Result:
    return CliRunner(env={"COLUMNS": "1000"}).invoke(commands, ["trace", *map(str, words)])


def test_what_is_in_a_log_is_said() -> None:
    said = traced(LOG)
    assert said.exit_code == 0, said.output
    document = json.loads(traced(LOG, "--json").stdout)
    assert document["written"] is None
    requests, mean = document["trace"]["requests"], document["trace"]["mean_prompt_tokens"]
    assert requests == len(Path(LOG).read_text().splitlines())
    assert f"(Mooncake): {requests} requests" in said.stdout
    assert f"prompts of {mean:,.0f} tokens on the mean" in said.stdout


def test_a_log_of_first_tokens_alone_is_said_too(tmp_path: Path) -> None:
    (tmp_path / "log").write_text(f"{VIDUR}\n0,10,1\n1,20,1\n")
    assert "attends" not in traced(tmp_path / "log").stdout
    assert json.loads(traced(tmp_path / "log", "--json").stdout)["trace"]["attended_tokens"] is None


def test_a_log_is_sorted_scaled_and_cut(tmp_path: Path) -> None:
    (tmp_path / "log").write_text(f"{VIDUR}\n7,513,2\n5,512,3\n6,1,0\n9.5,1,9\n")
    out = tmp_path / "out"
    said = traced(tmp_path / "log", "--to", "mooncake", out, "--rate-scale", "2", "--requests", "2")
    assert said.stdout.startswith("Written 2 requests over 1 s")
    assert "1 without output left out; the log names no blocks" in said.stdout
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        {"timestamp": 0, "input_length": 512, "output_length": 3, "hash_ids": [0]},
        {"timestamp": 1000, "input_length": 513, "output_length": 2, "hash_ids": [1, 2]},
    ]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_log_without_arrivals_is_written_at_a_rate(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("num_prefill_tokens,num_decode_tokens\n5,6\n7,8\n")
    out = tmp_path / "out"
    refused = traced(tmp_path / "log", "--to", "mooncake", out)
    assert (refused.exit_code, out.exists()) == (2, False)
    assert "give a rate: --rate" in refused.stderr
    assert traced(tmp_path / "log", "--to", "mooncake", out, "--rate", "20/s", "--seed", "3").exit_code == 0
    assert [block.prompt_tokens.tolist() for block in open_trace(out).blocks()] == [[5, 7]]


def test_a_terminal_sees_how_far_it_is_and_a_pipe_does_not(tmp_path: Path) -> None:
    words = ["trace", LOG, "--to", "mooncake"]
    piped = CliRunner().invoke(commands, [*words, str(tmp_path / "piped")])
    shown = CliRunner(env={"FORCE_COLOR": "1", "COLUMNS": "100"}).invoke(commands, [*words, str(tmp_path / "shown")])
    count = len(Path(LOG).read_text().splitlines())
    assert (piped.exit_code, piped.stderr) == (0, "")
    assert "Reading" in shown.stderr
    assert f"{count}/{count}" in shown.stderr
    assert "Reading" not in shown.stdout


def test_a_log_may_be_written_over_itself_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(f"{VIDUR}\n7,513,2\n5,512,3\n")
    document = json.loads(traced(path, "--to", "mooncake", path, "--force", "--json").stdout)
    assert (document["trace"]["format"], open_trace(path).format) == ("Vidur", "Mooncake")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "mooncake", "there"], "'there' is there; name another file, or write over it: --force"),
        (["--to", "mooncake", "no/folder"], "'no/folder' is not written: No such file or directory"),
        (["--to", "azure", "out"], "'azure' is not 'mooncake'"),
        (["--rate-scale", "2", "--force"], "--rate-scale and --force: of what is written; give --to mooncake OUT"),
        (["--to", "mooncake", "out", "--seed", "1"], "--seed: of arrivals at random; give --rate"),
        (["--to", "mooncake", "out", "--rate-scale", "nan"], "'nan' is not a number in the range"),
        (["--to", "mooncake", "out", "--rate-scale", "0"], "0 is not in the range"),
        (["--to", "mooncake", "out", "--rate", "0/s"], "must be more than 0"),
    ],
)
def test_what_is_refused_leaves_all_as_it_was(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Path(LOG).absolute()
    monkeypatch.chdir(tmp_path)
    Path("there").write_text("kept")
    found = traced(log, *words)
    assert found.exit_code in {1, 2}
    assert said in found.stderr
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("there", "kept")]
