"""A recorded run, played again: open ones within what they are held to, made ones without a fault, bad ones refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ridgeline.cli import commands
from ridgeline.errors import RidgelineError
from ridgeline.simulator.recorded import read_recorded, replay

GATES = {"tpot_s": 0.08, "e2e_s": 0.08, "ttft_s": 0.15}
"""What means may be off by, as was asked of these runs; the 99th percentile of first tokens by a quarter."""

TOML = """
model = "{model}"
machine = "rtx-pro-6000"
tp = {tp}
dp = {dp}
ep = {ep}
weight_dtype = "bf16"
kv_dtype = "bf16"
engine = "vllm-0.19.0"
[scheduler]
max_num_seqs = 128
max_num_batched_tokens = 2048
{more}
[machine_facts]
memory_gb = 96
"""

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes a folder of 120 requests in half a minute, of which nothing was measured."""

    def of(model: str = "llama-3.1-8b", tp: int = 1, dp: int = 1, ep: int = 1, more: str = "") -> Path:
        rng = np.random.default_rng(4)
        (tmp_path / "run.toml").write_text(TOML.format(model=model, tp=tp, dp=dp, ep=ep, more=more))
        rows = [f"{at / 4 + 5:.3f},{rng.integers(100, 1500)},{rng.integers(50, 400)}" for at in range(120)]
        (tmp_path / "requests.csv").write_text("\n".join(["arrival_s,prompt_tokens,output_tokens", *rows]) + "\n")
        return tmp_path

    return of


@pytest.mark.parametrize("run", ["rtxpro6000-llama-3.1-8b-tp1", "rtxpro6000-qwen3-32b-tp2"])
def test_open_runs_are_predicted_within_what_they_are_held_to(evidence: Path, run: str) -> None:
    found = replay(read_recorded(evidence / "serving_runs" / "open" / run))
    for name, gate in GATES.items():
        assert getattr(found.predicted, name).mean == pytest.approx(getattr(found.measured, name).mean, rel=gate), name
    # A run ends with its last request, so that it may be off by what requests may; of the percentile as was asked.
    assert found.predicted.makespan_s == pytest.approx(found.measured.makespan_s, rel=GATES["e2e_s"])
    assert found.predicted.ttft_s.p99 == pytest.approx(found.measured.ttft_s.p99, rel=0.25)


def test_nothing_that_was_measured_is_read(evidence: Path, tmp_path: Path) -> None:
    run = evidence / "serving_runs" / "open" / "rtxpro6000-llama-3.1-8b-tp1"
    lines = [line.split(",")[:4] for line in (run / "requests.csv").read_text().splitlines()]
    (tmp_path / "requests.csv").write_text("\n".join(",".join(line) for line in lines))
    (tmp_path / "run.toml").write_text((run / "run.toml").read_text())
    blank = replay(read_recorded(tmp_path))
    assert blank.predicted == replay(read_recorded(run)).predicted
    assert np.isnan(blank.measured.ttft_s.mean)


@pytest.mark.parametrize("cut", [{"tp": 2}, {"tp": 2, "ep": 2}, {"dp": 2, "ep": 2}])
def test_a_mixture_of_experts_is_served_however_it_is_cut(make: Make, cut: dict[str, int]) -> None:
    found = replay(read_recorded(make(model="qwen3-30b-a3b", **cut)))
    assert found.simulation.completed == 120
    # Its 61 GB of weights take 17 ms of two chips' 3.6 TB/s where all experts are read, an eighth for one token.
    assert 0.004 < found.predicted.tpot_s.mean < 0.06


def test_little_memory_is_given_up_and_taken_again(make: Make) -> None:
    plenty = replay(read_recorded(make()))
    starved = replay(read_recorded(make(more="num_gpu_blocks_override = 500")))
    assert plenty.simulation.preemptions == 0 < starved.simulation.preemptions
    assert starved.recorded.capacity.tokens == 8000
    assert starved.predicted.makespan_s > plenty.predicted.makespan_s
    assert replay(read_recorded(make(more="kv_tokens = 8000"))).predicted == starved.predicted
    again = replay(read_recorded(make(more="num_gpu_blocks_override = 500\nprefix_caching = false")))
    assert again.simulation.reading_fraction > starved.simulation.reading_fraction  # all of it is read again
    less = replay(read_recorded(make(more="gpu_memory_utilization = 0.3"))).recorded.capacity
    assert less.tokens < 0.25 * plenty.recorded.capacity.tokens


def test_what_a_run_says_otherwise_than_the_catalog_is_said(make: Make) -> None:
    remarks = read_recorded(make(more="speculative_tokens = 3")).remarks
    assert any("96 GB of memory" in one and "102.6" in one for one in remarks)
    assert any("speculative_tokens, which no prediction follows" in one for one in remarks)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: (path / "run.toml").unlink(), "run.toml: No such file.*give a folder with run.toml"),
        (lambda path: (path / "requests.csv").unlink(), "requests.csv: No such file"),
        (lambda path: (path / "run.toml").write_text("model = "), "is not TOML"),
        (lambda path: (path / "run.toml").write_text('model = "llama-3.1-8b"'), 'machine = "rtx-pro-6000"'),
        (lambda path: (path / "requests.csv").write_text("arrival_s,prompt_tokens,output_tokens\n"), "has no requests"),
        (
            lambda path: (path / "requests.csv").write_text("arrival_s,prompt_tokens,output_tokens\n0,10,\n"),
            "line 2: output_tokens is ''",
        ),
    ],
)
def test_what_does_not_read_is_named(make: Make, spoil: Callable[[Path], object], says: str) -> None:
    folder = make()
    spoil(folder)
    with pytest.raises(RidgelineError, match=says):
        read_recorded(folder)


def test_the_command_prints_both_beside_each_other_and_a_document(make: Make) -> None:
    folder = make()
    shown = CliRunner().invoke(commands, ["simulate", "--run", str(folder)])
    assert shown.exit_code == 0
    assert "predicted/measured" in shown.output
    printed = CliRunner().invoke(commands, ["simulate", f"--run={folder}", "--json"])
    document = json.loads(printed.output)
    assert set(document["predicted"]) == set(document["measured"]) == {"ttft_s", "tpot_s", "e2e_s", "makespan_s"}
    assert set(document["predicted"]["ttft_s"]) == {"mean", "p50", "p90", "p99"}
    assert document["measured"]["makespan_s"] is None
    assert CliRunner().invoke(commands, ["simulate", "--run", str(folder), "--layout", "tp1"]).exit_code != 0
