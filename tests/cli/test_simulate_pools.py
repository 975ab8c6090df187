"""Two pools, classes and comparisons on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import ridgeline
from ridgeline.cli import commands
from ridgeline.simulator.policies import CLASSES
from ridgeline.traces.arrivals import Poisson
from ridgeline.traces.request_lengths import Fixed

ONE = "llama-3.1-8b --on h100-sxm --layout tp1 --prompt 1000 --output 200 --rate 8/s --requests 300 --no-bands"
TWO = ONE.replace("--layout tp1", "--layout tp1/tp2 --replicas 1/2")
SHARES = "--classes fast:0.2,standard:0.6,batch:0.2"


def run(line: str) -> Result:
    return CliRunner().invoke(commands, f"simulate {line}".split())


def document(line: str) -> dict[str, Any]:
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def words(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def test_two_pools_have_their_layouts_memory_and_price() -> None:
    found = document(f"{TWO} --price $2/h --kv-blocks 4000/9000")
    pools = found["pools"]
    assert [pools[name]["layout"]["tp"] for name in ("prefill", "decode")] == [1, 2]
    assert [pools[name]["replicas"] for name in ("prefill", "decode")] == [1, 2]
    assert [pools[name]["kv_blocks"] for name in ("prefill", "decode")] == [4000, 9000]
    assert found["inputs"]["prompt_pool"]["replicas"] == 1
    assert found["kv_blocks"] == 9000
    # What five chips cost is what tokens and prompts do.
    paid = found["usd_per_output_token"] * 300 * 200 + found["usd_per_input_token"] * 300 * 1000
    assert paid == pytest.approx((1 + 4) * 2 / 3600 * found["simulated_s"])
    assert found["usd_per_request"] * 300 == pytest.approx(paid)
    at_work = found["at_work_usd_per_output_token"] * 300 * 200 + found["at_work_usd_per_input_token"] * 300 * 1000
    assert at_work == pytest.approx(found["chip_busy_fraction"] * paid)
    busy = (pools["prefill"]["busy_fraction"] + 4 * pools["decode"]["busy_fraction"]) / 5
    assert found["chip_busy_fraction"] == pytest.approx(busy)
    # Tokens are not held up by prompts.
    assert found["tpot_s"]["p99"] < document(ONE)["tpot_s"]["p50"]
    assert document(ONE)["pools"] is None


def test_two_pools_in_words_and_in_python_are_the_same() -> None:
    text = words(run(TWO).stdout)
    assert "1 replica of 1 chip in layout tp1 for prompts, 2 replicas of 2 chips in layout tp2 for tokens" in text
    assert text.index("KV cache of prompts") < text.index("KV cache of tokens") < text.index("prompt pool busy")
    deployments = [ridgeline.deploy("llama-3.1-8b", "h100-sxm", layout) for layout in ("tp1", "tp2")]
    requests = ridgeline.synthetic(
        requests=300, arrivals=Poisson(8.0), lengths=Fixed(prompt_tokens=1000, output_tokens=200)
    )
    pool = ridgeline.PromptReplicas(deployment=deployments[0])
    found, served = ridgeline.simulate(deployments[1], requests, replicas=2, prompt_pool=pool, has_bands=False)
    assert len(served) == 300
    assert found.e2e_s.mean == document(TWO)["e2e_s"]["mean"]


def test_intervals_of_two_pools_hold_what_is_between() -> None:
    found = document(TWO.replace(" --no-bands", ""))
    for name in ("ttft_s", "tpot_s", "e2e_s"):
        low, high = found["bands"][name]
        assert low["mean"] < found[name]["mean"] < high["mean"]


def test_classes_are_told_apart_and_fast_ones_wait_least() -> None:
    # Eight sequences at a time are too few for this rate, so that most wait.
    crowded = f"{ONE} {SHARES} --max-sequences 8 --ttft 2s"
    found, in_turn = document(crowded), document(f"{crowded} --order first")
    assert found["inputs"]["order"] == "classes"
    assert [one["name"] for one in found["classes"]] == ["fast", "standard", "batch"]
    assert sum(one["completed"] for one in found["classes"]) == 300
    assert sum(one["goodput_requests_per_s"] for one in found["classes"]) == pytest.approx(
        found["goodput_requests_per_s"]
    )
    waits = [one["ttft_s"]["mean"] for one in found["classes"]]
    assert waits == sorted(waits)
    assert found["classes"][0]["within_fraction"] > found["classes"][2]["within_fraction"]
    assert waits[0] < in_turn["classes"][0]["ttft_s"]["mean"] / 2
    assert [one["completed"] for one in in_turn["classes"]] == [one["completed"] for one in found["classes"]]
    assert words(run(crowded).stdout).count("standard") == 2  # what the order is, and a row
    assert document(ONE)["classes"] == []


def test_classes_of_a_column_and_of_users(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    rows = [f"{at / 50},1000,100,{'batch' if at % 3 else 'fast'}" for at in range(90)]
    log.write_text("\n".join(["arrived_at,num_prefill_tokens,num_decode_tokens,priority", *rows]))
    of_log = f"llama-3.1-8b --on h100-sxm --layout tp1 --trace {log} --no-bands --classes priority --max-sequences 4"
    for line in (of_log, f"{of_log} --users 30"):
        fast, batch = document(line)["classes"]
        assert (fast["completed"], batch["completed"]) == (30, 60)
        assert fast["ttft_s"]["mean"] < batch["ttft_s"]["mean"]
    source = ridgeline.open_trace(log, classes="priority")
    deployment = ridgeline.deploy(
        "llama-3.1-8b", "h100-sxm", "tp1", engine=ridgeline.load_engine("vllm", max_sequences=4)
    )
    found, _ = ridgeline.simulate(deployment, source, policy=CLASSES, has_bands=False)
    assert [one.completed for one in found.classes] == [30, 60]
    assert found.classes[0].e2e_s.mean == document(of_log)["classes"][0]["e2e_s"]["mean"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (ONE.replace("tp1", "tp1/tp1/tp1"), "names more than two pools; write PROMPTS/TOKENS: tp1/tp8"),
        (f"{ONE} --replicas 1/2", "has more numbers than --layout has pools (1)"),
        (f"{TWO} --chips 2", "two pools have the chips of their layouts; leave it out"),
        (TWO.replace("--rate 8/s", "--users 8"), "two pools are given requests as they come, and not by --users"),
        (TWO.replace("1/2", "1/0"), "'0' is not a whole number from 1 up"),
        (TWO.replace("tp1/tp2", "tp1/tp3"), "tp=3 does not divide"),
        (TWO.replace("tp1/tp2", "tp3/tp1"), "tp=3 does not divide"),
        (f"{TWO} --kv-blocks 10/9000", "none of 300 requests fits"),
        (f"{TWO} --picture timeline --figure a.svg", "is of one pool; of two, --picture latencies is drawn"),
        (f"{ONE} --order classes", "--order classes needs some; add --classes fast:0.2,standard:0.6,batch:0.2"),
        (f"{ONE} --classes priority", "there is no log with a column 'priority'; write fast:0.2"),
        (f"{ONE} --classes fast:0.2", "add up to 1, such as fast:0.2,standard:0.6,batch:0.2"),
        (f"{ONE} --classes fast:0.2,batch", "add up to 1, such as fast:0.2,standard:0.6,batch:0.2"),
        (f"{ONE} --classes fast:most", "has a share that is no number; write fast:0.2"),
    ],
)
def test_refusals(line: str, said: str) -> None:
    result = run(line)
    assert result.exit_code != 0
    assert said in words(result.stderr)
    assert not result.stdout


A = """
model = "llama-3.1-8b"
on = "h100-sxm"
layout = "tp1"
trace = "log.jsonl"
rate = "20/s"
requests = 60
ttft = "100ms"
engine-option = ["enforce_eager=true"]
"""
B = """
model = "llama-3.1-8b"
on = "h100-sxm"
layout = "tp1/tp2"
no-prefix-cache = true
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "there"
    folder.mkdir()
    (folder / "log.jsonl").write_bytes(Path("docs/example_trace.jsonl").read_bytes())
    for name, text in (("A", A), ("B", B)):
        (folder / f"{name}.toml").write_text(text)
    return folder


def test_a_comparison_is_of_what_each_file_asks_for(files: Path) -> None:
    found = document(f"--compare {files / 'A.toml'} {files / 'B.toml'}")
    first, other = found["simulations"]
    line = f"llama-3.1-8b --on h100-sxm --trace {files / 'log.jsonl'} --rate 20/s --requests 60 --ttft 100ms --no-bands"
    alone = document(f"{line} --layout tp1 --engine-option enforce_eager=true")
    in_two = document(f"{line} --layout tp1/tp2 --no-prefix-cache")
    for one, single in ((first, alone), (other, in_two)):
        for name in ("e2e_s", "within_fraction", "usd_per_request", "cached_fraction"):
            assert one[name] == single[name]
    rows = {row["quantity"]: row for row in found["differences"]}
    ends_s = [one["e2e_s"]["p99"] for one in (alone, in_two)]
    assert rows["e2e_s.p99"]["values"] == ends_s
    assert rows["e2e_s.p99"]["ratios"] == [pytest.approx(ends_s[1] / ends_s[0])]
    assert rows["preemptions"]["ratios"] == [None]
    table = words(run(f"--compare {files / 'A.toml'} {files / 'B.toml'}").stdout)
    assert "A B over A" in table
    assert f"{ends_s[1] / ends_s[0]:.3f}" in table
    assert "$ a request" in table
    assert "preemptions" not in table  # neither has any


def test_the_same_file_twice_makes_no_difference(files: Path) -> None:
    found = document(f"--compare {files / 'A.toml'} {files / 'A.toml'}")
    assert {ratio for row in found["differences"] for ratio in row["ratios"]} == {1.0, None}


def test_paths_count_from_the_files_folder_and_names_are_the_catalogs(files: Path) -> None:
    config = {
        "model_type": "llama",
        "hidden_size": 2048,
        "intermediate_size": 8192,
        "num_hidden_layers": 16,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "torch_dtype": "bfloat16",
    }
    (files / "mine").mkdir()
    (files / "mine" / "config.json").write_text(json.dumps(config))
    (files / "B.toml").write_text(B.replace("llama-3.1-8b", "mine"))
    found = document(f"--compare {files / 'A.toml'} {files / 'B.toml'}")
    layers = [one["inputs"]["model_record"]["groups"][0]["layers"] for one in found["simulations"]]
    assert layers == [32, 16]
    assert found["simulations"][1]["inputs"]["trace"] == str(files / "log.jsonl")
    (files / "log.jsonl").unlink()
    assert "log.jsonl' does not exist" in words(run(f"--compare {files / 'A.toml'} {files / 'B.toml'}").stderr)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("layout", "layuot"), "'layuot' is none of model, ignore-unknown, on, layout"),
        (("layout", "layuot"), "did you mean layout?"),
        (("no-prefix-cache = true", "seed = 3"), "seed is not that of"),
        (("no-prefix-cache = true", 'rate = "3/s"'), "rate is not that of"),
        (("no-prefix-cache = true", 'out = "a.parquet"'), "out is of a single run of ridgeline simulate; leave it out"),
        (("true", '"yes"'), "no-prefix-cache = 'yes' must be true or false"),
        (("tp1/tp2", "tp3"), "tp=3 does not divide"),
        (('"tp1/tp2"', "[1]"), "layout = [1] must be a text or a number"),
        (('model = "llama-3.1-8b"', ""), "Missing argument 'MODEL'"),
        (("tp1/tp2", "tp1"), "B.toml: --order classes needs some"),
        (("=", ""), "cannot be read as TOML"),
    ],
)
def test_what_a_file_gets_wrong_is_said_with_its_name(files: Path, change: tuple[str, str], said: str) -> None:
    text = B.replace(*change)
    if "order" in said:
        text += 'order = "classes"'
    (files / "B.toml").write_text(text)
    result = run(f"--compare {files / 'A.toml'} {files / 'B.toml'}")
    assert result.exit_code != 0
    assert said in words(result.stderr)
    assert "B.toml" in words(result.stderr)
    assert not result.stdout


def test_a_comparison_is_of_two() -> None:
    assert "a comparison is of two files or more" in run("--compare").stderr


@pytest.mark.parametrize(("layout", "shares"), [("dp2", True), ("dp2/tp1", True), ("tp2/dp2", False), ("tp2", False)])
def test_groups_that_share_a_prefix_cache_are_said(layout: str, shares: bool) -> None:  # noqa: FBT001  a case
    line = f"llama-3.1-8b --on h100-sxm --layout {layout} --trace docs/example_trace.jsonl --no-bands"
    assert ("groups of dp share one prefix cache" in words(run(line).stdout)) is shares
    assert "share one prefix cache" not in run(f"{line} --no-prefix-cache").stdout


def test_the_same_seed_gives_the_same_pools_and_classes_and_another_one_does_not() -> None:
    first, again, other = (document(f"{TWO} {SHARES} --seed {seed}") for seed in (3, 3, 4))
    for found in (first, again, other):
        found.pop("wall_s")
    assert first == again
    assert first["classes"] != other["classes"]
