"""Engines as operators run them: memory fraction, sequences and tokens of a step, imbalance of experts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import ridgeline
from ridgeline.cli import commands
from ridgeline.errors import RidgelineError

LLAMA = ("plan", "llama-3.1-8b", "--on", "h100-sxm", "--chips", "1", "--prompt", "1000", "--output", "500")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands, list(arguments))


def best(*arguments: str) -> dict[str, Any]:
    result = run(*LLAMA, *arguments, "--json")
    assert result.exit_code == 0, result.output
    plan: dict[str, Any] = json.loads(result.stdout)["plans"][0]
    return plan


@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt-llm", "ideal"])
def test_a_fraction_of_the_memory_is_what_the_cache_has_less(engine: str) -> None:
    """A tenth of the memory, or of what weights leave, in tokens of 131,072 bytes."""
    more, less = (best("--engine", engine, "--memory-fraction", part)["kv_capacity_tokens"] for part in ("0.9", "0.8"))
    hbm_bytes = ridgeline.load_machine("h100-sxm").chip.hbm_bytes
    left = hbm_bytes - 16.06e9 if engine == "tensorrt-llm" else hbm_bytes
    # Of what weights leave, a pass takes a percent or two.
    assert (more - less) * 131_072 == pytest.approx(0.1 * left, rel=0.03)


@pytest.mark.parametrize("engine", ["ideal", "gpt-fast"])
def test_a_limit_of_sequences_leaves_the_memory_as_it_was(engine: str) -> None:
    """Of an engine of whose memory nothing is known, the machine says what is usable."""
    plain, limited = (best("--engine", engine, *given)["memory"] for given in ((), ("--max-sequences", "100000000")))
    assert plain == limited


def test_who_says_how_much_memory_gets_no_more() -> None:
    """72.7 GB of weights do not fit half of 85.5; by default the engine is given more where it needs it."""
    one = (
        "plan",
        "llama-3.1-70b",
        "--on",
        "h100-sxm",
        "--chips",
        "1",
        "--weights",
        "fp8",
        "--prompt",
        "1k",
        "--output",
    )
    assert run(*one, "500").exit_code == 0
    assert run(*one, "500", "--memory-fraction", "0.5").exit_code == 1


def test_sequences_and_tokens_of_a_step_are_bounded() -> None:
    assert best("--max-sequences", "16")["batch"] == 16
    assert best("--max-sequences", "16")["limited_by"] == "engine"
    small, large = (best("--max-step-tokens", tokens)["kv_capacity_tokens"] for tokens in ("2k", "64k"))
    assert small > large  # a pass of so many tokens keeps more


def test_a_batch_beyond_the_limit_is_said_beside_its_estimate() -> None:
    asked = ("estimate", "llama-3.1-8b", "--on", "h100-sxm", "--layout", "dp2", "--context", "1k", "--json", "--batch")
    said = "33 sequences of a group are more than the 32 that the engine takes in a step"
    for batch, is_said in (("65", True), ("64", False)):
        result = run(*asked, batch, "--max-sequences", "32")
        assert result.exit_code == 0, result.output
        assert any(note.startswith(said) for note in json.loads(result.stdout)["notes"]) is is_said


def test_the_busiest_group_of_experts_holds_a_step_up() -> None:
    asked = ("estimate", "deepseek-v3", "--on", "h200-sxm", "--layout", "dp8,ep8", "--batch", "2048", "--context", "1k")
    times = []
    for given in ((), ("--expert-imbalance", "1"), ("--expert-imbalance", "3")):
        result = run(*asked, *given, "--json")
        assert result.exit_code == 0, result.output
        times.append(json.loads(result.stdout)["step_time_s"])
    assert times[0] == times[1] < times[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--memory-fraction", "0.9", "--fidelity", "roofline"),
            "leave --memory-fraction out, or take fidelity measured",
        ),
        (("--expert-imbalance", "2", "--fidelity", "napkin"), "leave --expert-imbalance out"),
        (("--memory-fraction", "1.5"), "--memory-fraction"),
        (("--memory-fraction", "0"), "--memory-fraction"),
        (("--max-sequences", "0"), "'--max-sequences': '0' is not a whole number from 1 up"),
        (("--engine-option", "max_num_sqs=8"), "nearest: max_num_seqs"),
        (("--engine-option", "=8"), "'=8' names no option"),
        (("--engine-option", "max_num_seqs=8", "--engine-option", "max_num_seqs=9"), "is given twice"),
        (("--engine-option", "max_num_seqs=8", "--max-sequences", "9"), "sequences is set in two ways; keep one"),
        (("--engine-option", "max_num_seqs=8", "--fidelity", "roofline"), "leave --engine-option out"),
        (("--expert-imbalance", "nan"), "'nan' is not a number in the range from 1 up"),
        (("--expert-imbalance", "0.5"), "--expert-imbalance"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[str, ...], said: str) -> None:
    result = run(*LLAMA, *arguments)
    assert result.exit_code in {1, 2}
    assert said in " ".join(result.output.split())


def test_an_engine_without_time_of_its_own_stays_one_where_it_is_limited() -> None:
    result = run(*LLAMA, "--engine", "ideal", "--max-sequences", "64")
    assert "No engine: these times are those of kernels" in result.stdout
    assert "nothing is known" not in result.stdout
    said = json.loads(run(*LLAMA, "--engine", "ideal", "--max-sequences", "64", "--json").stdout)
    assert said["lower_bound"] is True
    assert said["plans"][0]["batch"] <= 64
    limited = ridgeline.load_engine("ideal", max_sequences=64)
    with pytest.raises(RidgelineError, match="engine ideal has limits that fidelity roofline leaves out"):
        ridgeline.plan(
            "llama-3.1-8b", "h100-sxm", prompt_tokens=1000, output_tokens=500, fidelity="roofline", engine=limited
        )


def test_in_python_an_engine_is_loaded_as_it_is_run() -> None:
    engine = ridgeline.load_engine("vllm", memory_fraction=0.8, max_sequences=64, max_step_tokens=4096)
    assert {(one.memory_fraction, one.sequences, one.pass_tokens) for one in engine.limits} == {(0.8, 64, 4096)}
    with pytest.raises(RidgelineError, match="memory_fraction"):
        ridgeline.load_engine("vllm", memory_fraction=1.2)
    with pytest.raises(RidgelineError, match="expert_imbalance"):
        ridgeline.estimate(
            "deepseek-v3",
            "h200-sxm",
            "dp8,ep8",
            ridgeline.decode(batch=64, context_tokens=1000),
            expert_imbalance=0.5,
        )


def test_an_engines_own_options_are_taken_and_repeated() -> None:
    asked = ("estimate", "llama-3.1-8b", "--on", "h100-sxm", "--layout", "tp1", "--batch", "16", "--context", "1k")
    plain, eager = (
        json.loads(run(*asked, *given, "--json").stdout) for given in ((), ("--engine-option", "enforce_eager=true"))
    )
    assert eager["step_time_s"] > plain["step_time_s"]
    assert plain["inputs"]["engine_options"] | {"enforce_eager": True} == eager["inputs"]["engine_options"]
    assert any("kernels launched one by one: no load was measured so" in note for note in eager["notes"])
    flag, dashed = (
        run(*asked, "--engine-option", text, "--json").stdout for text in ("enforce_eager", "enforce-eager=1")
    )
    assert flag == dashed
    narrow, wide = (best(*given) for given in ((), ("--engine-option", "enforce_eager")))
    ratio = [one["tpot_high_s"] / one["tpot_s"] for one in (narrow, wide)]
    assert wide["tpot_s"] > narrow["tpot_s"]
    assert 1 < ratio[0] < ratio[1]  # no load was measured so


def test_both_ways_to_set_a_limit_are_one() -> None:
    own, named = best("--max-sequences", "16"), best("--engine-option", "max_num_seqs=16")
    assert own == named
    assert own["batch"] == 16


def test_a_server_that_sends_tokens_together_sends_the_first_one_late() -> None:
    """29 steps of the 499 pass before a client's clock for tokens starts."""
    plain, late = (
        best("--engine", "sglang", "--max-sequences", "8", *given)
        for given in ((), ("--engine-option", "stream_interval=30"))
    )
    assert late["batch"] == plain["batch"] == 8
    assert late["ttft_s"] > plain["ttft_s"]
    assert late["tpot_s"] == pytest.approx(plain["tpot_s"] - 29 / 499 * plain["decode_step_s"], rel=1e-6)


def test_what_changes_nothing_is_said() -> None:
    """An imbalance of experts that a model does not have, and how an engine that is no server lets requests in."""
    dense = " ".join(run(*LLAMA, "--expert-imbalance", "2").output.split())
    assert "has no routed experts: their imbalance changes nothing" in dense
    assert "no server that is known" in " ".join(run(*LLAMA, "--engine", "gpt-fast").output.split())
    assert "no server that is known" not in run(*LLAMA).output


def test_a_load_of_experts_slows_the_step_by_its_skew_alone(tmp_path: Path) -> None:
    asked = "estimate deepseek-v3 --on h200-sxm --layout dp32,ep32 --batch 2048 --context 4k --json"
    line = asked.split()
    counted = tmp_path / "counted.csv"
    counted.write_text("expert,load\n" + "".join(f"{number},{1 + (number < 8)}\n" for number in range(256)))
    ways = ("uniform", "zipf:0", "zipf:0.5", "zipf:1", str(counted))
    results = [CliRunner().invoke(commands, line + more) for more in ([], *(["--expert-load", way] for way in ways))]
    assert all(one.exit_code == 0 for one in results), results[-1].output
    default, uniform, zero, half, whole, first = (json.loads(one.stdout)["step_time_s"] for one in results)
    assert default == uniform
    assert zero == pytest.approx(default, rel=1e-9)
    assert default < half < whole
    assert default < first < whole
    assert "as zipf:0.5 says" in " ".join(json.loads(results[3].stdout)["notes"])


@pytest.mark.parametrize(
    ("model", "load", "said"),
    [
        ("deepseek-v3", "zipf:much", "'much' is no power of a rank"),
        ("deepseek-v3", "zipf:-1", "skew=-1.0 is outside"),
        ("deepseek-v3", "nothing", "'nothing' is no load of experts; write uniform, zipf:0.5"),
        ("deepseek-v3", "FEW", "has 2 experts, and a layer of the model 256"),
        ("deepseek-v3", "TEXT", "loads.csv:2: load='x' is no number"),
        ("deepseek-v3", "LATE", "loads.csv:4: load='nan' is no number from 0 up"),
        ("deepseek-v3", "EMPTY", "loads.csv: has no load above 0"),
        ("deepseek-v3", "HEADLESS", "has no column load"),
        ("deepseek-v3", "NEGATIVE", "is no number from 0 up"),
        ("llama-3.1-8b", "zipf:0.5", "has no routed experts"),
    ],
)
def test_a_load_that_is_none_is_refused(model: str, load: str, said: str, tmp_path: Path) -> None:
    files = {"FEW": "load\n1\n2\n", "TEXT": "load\nx\n", "HEADLESS": "1\n2\n", "NEGATIVE": "load\n-1\n"}
    files |= {"LATE": "load\n1\n2\nnan\n", "EMPTY": "load\n"}
    if load in files:
        path = tmp_path / "loads.csv"
        path.write_text(files[load])
        load = str(path)
    line = f"estimate {model} --on h200-sxm --layout tp8 --batch 8 --context 1k --expert-load {load}"
    result = CliRunner().invoke(commands, line.split())
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())


def test_a_prefill_names_what_its_passes_are_limited_to() -> None:
    line = "estimate llama-3.1-8b --on h100-sxm --layout dp2 --batch 16 --context 2k --phase prefill --engine"
    text = " ".join(run(*line.split(), "sglang").stdout.split())
    # SGLang's 8,192 are of all groups together.
    assert "in 4 passes of at most 4,096 prompt tokens a group, 8,192 in all 2 (--max-step-tokens takes more)" in text
    assert "passes of" not in run(*line.split(), "sglang", "--max-step-tokens", "16k").stdout
    # At the spec sheet's peaks that option is refused, and not named.
    peaks = " ".join(run(*line.split(), "ideal", "--fidelity", "roofline").stdout.split())
    assert "in 2 passes of at most 8,192 prompt tokens a group, 16,384 in all 2 step" in peaks
