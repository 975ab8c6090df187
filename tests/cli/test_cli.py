from __future__ import annotations

import dataclasses
import functools
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.catalog.engines import load_engine
from ridgeline.cli import COMMANDS, commands
from ridgeline.cli.output import show
from ridgeline.specs.layout import Layout

MAIN_JOB = "plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --tpot 50ms"
SMALL_JOB = "plan llama-3.1-8b --on h100-sxm --chips 1 --prompt 1000 --output 100"
"""Without a limit, on a chip that is the best plan's replica."""
ESTIMATE = "estimate deepseek-v3 --on gb200-nvl72 --layout dp8,ep8 --batch 64 --context 8k"


def run(line: str, *extra: str) -> Any:  # noqa: ANN401  click's result
    return CliRunner().invoke(commands, [*line.split(), *extra])


@functools.cache
def main_job() -> Any:  # noqa: ANN401  click's result
    """The main job, run once."""
    return run(MAIN_JOB)


def words(result: Any) -> str:  # noqa: ANN401  click's result
    """What is printed, without where its lines end."""
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def document(line: str) -> dict[str, Any]:
    result = run(line, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_help_names_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert name in result.output
        assert run(name, "--help").exit_code == 0


def test_the_main_job_as_json() -> None:
    found = document(MAIN_JOB + " --top 3")
    assert len(found["plans"]) == 3
    best = found["plans"][0]
    assert {"tp", "pp", "ep", "dp", "cp"} <= set(best["layout"])
    relied_on = {
        *("chips", "replicas", "batch", "tpot_s", "ttft_s", "output_tokens_per_s_per_chip", "usd_per_output_token"),
        *("usd_per_input_token", "bound", "memory", "tpot_low_s", "tpot_high_s"),
    }
    assert relied_on <= set(best)
    assert {"weights_bytes", "kv_bytes", "activation_bytes", "free_bytes"} <= set(best["memory"])
    assert best["chips"] == best["layout"]["tp"] * best["layout"]["dp"] * best["layout"]["pp"]
    top = {"inputs", "rejected", "floor_step_time_s", "balance_batch", "balance_batch_with_kv", "memory_full_batch"}
    assert top | {"elasticities", "points_evaluated"} <= set(found)
    assert {"layout", "reason"} <= set(found["rejected"][0])
    assert all(isinstance(value, float) for value in found["elasticities"].values())
    inputs = found["inputs"]
    assert (inputs["model"], inputs["machine"], inputs["chips"]) == ("deepseek-v3", "gb200-nvl72", 72)
    assert (inputs["prompt_tokens"], inputs["output_tokens"], inputs["tpot_s"]) == (4000, 1000, 0.05)


def test_the_main_job_as_a_table() -> None:
    said = words(main_job())
    for part in (
        *("TPOT", "$/Mtok", "80 % interval", "bound by", "9, of 8 chips each, no chip idle", "KV cache"),
        *("What the runners-up cost", "Rejected", "latency floor", "balance batch", "fitted on", "more: --details"),
    ):
        assert part in said
    assert "What speed costs" not in said
    more = " ".join(run(f"{MAIN_JOB} --details").stdout.split())
    for part in ("Plan 5", "decode step", "What speed costs", "1 % more"):
        assert part in more
    assert re.search(r"do not fit in memory; such as \S+: a chip needs \d+ GB", more)


def test_the_budget_that_nobody_named_is_said_with_how_to_name_another() -> None:
    job = "plan llama-3.1-8b --on tpu-v5e --prompt 1000 --output 100"
    assert "on 256 chips, one scale-up domain (--chips N sets another budget)" in words(run(job))
    assert "scale-up domain" not in words(run(f"{job} --chips 4")).split("weights", 1)[0]


def test_times_without_an_engine_are_said_to_be_those_of_kernels() -> None:
    job = "plan llama-3.1-8b --chips 4 --prompt 1000 --output 100 --on"
    kernels, peaks = (
        "No engine: these times are those of kernels",
        "No engine: times are those at the spec sheet's peaks",
    )
    cases = ("tpu-v5e", kernels), ("h100-sxm", ""), ("h100-sxm --fidelity roofline", peaks)
    for machine, expected in cases:
        is_bound, text = bool(expected), words(run(f"{job} {machine}"))
        assert [said for said in (kernels, peaks) if said in text] == [said for said in (expected,) if said]
        assert document(f"{job} {machine}")["lower_bound"] is is_bound


@pytest.mark.slow
def test_each_part_of_the_layouts_that_are_shown_is_explained_and_no_other() -> None:
    # TensorRT-LLM's groups start their prefills together, so that many of them are best.
    (legend,) = re.findall(r"batch: requests under way.*?Best plan", words(run(f"{MAIN_JOB} --engine tensorrt-llm")))
    assert "redundant: experts held twice" in legend
    assert "dp: groups that each serve sequences of their own" in legend
    assert "tp_rows" not in legend


def test_a_plan_has_its_requests_its_dollars_and_its_room_for_tokens() -> None:
    found = document("plan llama-3.1-8b --on h100-sxm --chips 3 --prompt 1000 --output 101 --price $2/h --top 9")
    for one in found["plans"]:
        # A request takes a decode step for each of its tokens but the first, after a wait no shorter than a lone one's.
        assert one["requests_per_s"] < one["replicas"] * one["batch"] / (100 * one["tpot_s"] + one["ttft_s"])
        chips = math.prod(one["layout"][degree] for degree in ("tp", "pp", "dp", "cp"))
        assert one["requests_per_s"] == pytest.approx(one["replicas"] * chips / one["chip_s_per_request"])
        tokens_per_s = one["replicas"] * chips * one["output_tokens_per_s_per_chip"]
        assert tokens_per_s == pytest.approx(101 * one["requests_per_s"])
        # As many leave as have their first token, over their steps: up to what theory and engines differ in queues.
        leaving_per_s = one["replicas"] * one["in_flight"] / (100 * one["tpot_s"])
        assert one["requests_per_s"] == pytest.approx(leaving_per_s, rel=0.1)
        assert one["usd_per_h"] == pytest.approx(3 * 2)
    alone = next(one for one in found["plans"] if one["layout"] == dataclasses.asdict(Layout()))
    free = alone["memory"]["free_bytes"] + alone["memory"]["kv_bytes"]
    # 32 layers, 8 KV heads of 128, keys and values in 2 bytes.
    assert alone["kv_capacity_tokens"] == int(free / (32 * 8 * 128 * 2 * 2))
    priceless = document("plan llama-3.1-8b --on h20-sxm --chips 1 --prompt 1000 --output 100")["plans"][0]
    assert priceless["usd_per_h"] is None
    said = words(run("estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 8 --context 1k"))
    assert "KV cache of a replica: room for" in said


def test_a_step_as_json_adds_up() -> None:
    found = document(ESTIMATE)
    assert {"inputs", "step_time_s", "low_s", "high_s", "bound", "operations", "memory"} <= set(found)
    assert [repr(found["inputs"][name]) for name in ("batch", "context_tokens")] == ["64", "8000"]
    relied_on = {"name", "flop", "weight_bytes", "kv_bytes", "activation_bytes", "message_bytes", "time_s", "bound"}
    for operation in found["operations"]:
        assert relied_on <= set(operation)
    assert sum(one["time_s"] for one in found["operations"]) == pytest.approx(found["step_time_s"])
    assert len({one["name"] for one in found["operations"]}) == len(found["operations"])


def test_a_step_as_a_table_shows_each_operation() -> None:
    result = run(ESTIMATE)
    assert result.exit_code == 0
    for part in ("expert dispatch", "attention core", "sampling", "free"):
        assert part in result.stdout


def test_a_long_prompt_is_read_as_the_plan_reads_it() -> None:
    found = document("plan llama-3.1-70b --on h100-sxm --prompt 20000 --output 100 --top 50")
    eight = next(one for one in found["plans"] if one["layout"] == dataclasses.asdict(Layout(tp=8)))
    host_s = found["inputs"]["engine"]["scheduling"]["first_token_s"]
    assert host_s > 0
    step = document("estimate llama-3.1-70b --on h100-sxm --layout tp8 --phase prefill --batch 1 --context 20000")
    assert step["step_time_s"] + host_s == pytest.approx(eight["ttft_s"])  # no other request is before it


@pytest.mark.slow
def test_limits_that_the_upper_end_breaks_are_said() -> None:
    assert "would not keep to 12 ms" in words(run(MAIN_JOB.replace("50ms", "12ms")))
    assert "would not" not in words(run(SMALL_JOB))


def test_the_board_says_what_a_replica_of_the_best_plan_can_reach() -> None:
    """All chips of a budget read the weights once as fast as no replica does."""
    found, said = (
        document(MAIN_JOB),
        words(run(f"{MAIN_JOB} --details")).partition("Bounds of the lecture's blackboard, ")[2],
    )
    best = found["plans"][0]
    floor_s = found["floor_step_time_s"] * found["inputs"]["chips"] / best["chips"]
    assert f", and {show(floor_s, 's')} on the {best['chips']} chips of a replica of the best plan" in said
    assert floor_s < best["tpot_s"]
    assert "with KV reads counted, no batch is bound by compute" in said
    assert "a replica" not in words(run(SMALL_JOB)).partition("Bounds of the lecture's blackboard, ")[2]


def test_rejected_layouts_are_counted_once() -> None:
    (said,) = re.findall(r"Rejected \(([\d,]+) layouts\): (.*?) Bounds of the lecture's blackboard", words(main_job()))
    total, *kinds = (
        int(number.replace(",", "")) for number in (said[0], *re.findall(r"([\d,]+) (?:do|are|is) ", said[1]))
    )
    assert len(kinds) > 1
    assert sum(kinds) == total


def test_the_catalog_shows_facts_with_sources() -> None:
    models = document("catalog models")["models"]
    by_id = {one["id"]: one for one in models}
    assert {"deepseek-v3", "llama-3.1-8b", "mixtral-8x7b"} <= by_id.keys()
    # Of 8 KV heads of 128 in 32 layers, keys and values of 16 bits; only the first 4,096 tokens have room.
    windowed = by_id["mistral-7b"]
    assert (windowed["kv_bytes_per_first_token"], windowed["kv_bytes_per_token"]) == (2 * 2 * 8 * 128 * 32, 0)
    # OpenAI's model card says 5.13 billion active, and so do balance batches: no row of the embedding is multiplied.
    sparse = by_id["gpt-oss-120b"]
    assert sparse["multiplied_params"] == sparse["active_params"] - 201_088 * 2880
    assert sparse["multiplied_params"] == pytest.approx(5.13e9, rel=2e-3)
    (machine,) = document("catalog machines gb200-nvl72 --model deepseek-v3")["machines"]
    assert all(fact["source"] and fact["date"] for fact in machine["facts"].values())
    assert machine["scale_up_chips"] == 72
    assert machine["implied"]["balance_batch"] > 5000
    assert run("catalog machines h100-sxm --model deepseek-v3").exit_code == 0
    assert run("catalog models deepseek-v3").exit_code == 0
    assert run("catalog machines").exit_code == 0


def test_a_machine_without_a_price_says_how_to_give_one() -> None:
    line = "plan llama-3.1-70b --on vr200-nvl144 --chips 2 --prompt 100 --output 100"
    found = document(line)
    assert found["inputs"]["usd_per_chip_s"] is None
    assert any("--price '$2/h'" in note for note in found["notes"])
    assert "--price '$2/h'" in run("catalog machines vr200-nvl144").stdout
    priced = document(f"{line} --price $2/h")
    assert not any("--price" in note for note in priced["notes"])


def test_machines_that_are_rented_have_a_dated_price() -> None:
    machines = {one["id"]: one for one in document("catalog machines")["machines"]}
    for name in ("a100-40-sxm", "a100-80-pcie", "a100-80-sxm", "l40s", "b300-sxm", "rtx-4090", "rtx-pro-6000"):
        newest = max(machines[name]["rental"], key=lambda one: one["date"])
        assert newest["date"] >= "2026"
        assert 0.1 / 3600 < newest["value"] < 10 / 3600
        assert newest["source"]


def test_validation_as_json(evidence: Path) -> None:
    cases = evidence / "open" / "decode_gptfast.csv"
    found = document(f"validate {cases} --models {evidence / 'models.csv'}")
    assert set(found) >= {"groups", "unsupported", "warnings", "rows"}
    (group,) = found["groups"]
    assert group["family"] == "decode_gptfast"
    assert {"median_ratio", "median_abs_log_error", "p90_abs_log_error", "spearman", "interval_80_coverage"} <= set(
        group
    )
    assert {"case", "family", "quantity", "predicted", "measured", "low", "high"} <= set(found["rows"][0])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("plan deepseek --on gb200-nvl72 --prompt 4000 --output 1000", "may be any of deepseek-v2, deepseek-v3"),
        ("plan deepseek-v3 --on gb200nvl72 --prompt 4000 --output 1000", "nearest: gb200-nvl72"),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --tpot 50", "has no unit"),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --tpot 50GB", "is a unit of bytes"),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 0 --output 1000", "is not a whole number from 1 to 1,000,000,000"),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1", "nothing to decode"),
        (
            "plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --tpot 0,5s",
            "write the decimal point as a point",
        ),
        (
            "estimate deepseek-v3 --on gb200-nvl72 --layout tp8 --phase prefill --batch 1 --context 0",
            "is not a whole number from 1 to 1,000,000,000",
        ),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 1.5 --output 1000", "not a whole number"),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --price /h", "quote the dollar"),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --price $-1/h", "'$-1/h' is below zero"),
        (
            "plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --chips 0",
            "is not a whole number from 1 to 10,000,000",
        ),
        (
            "plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --weights fp7",
            "number format 'fp7' is not known",
        ),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --kv x", "number format 'x' is not known"),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 4000 --output 1000 --fidelity exact", "not a fidelity"),
        ("plan deepseek-v3 --on gb200-nvl72 --prompt 4000", "Missing option '--output'"),
        ("plan deepseek-v3 --on h100-sxm --prompt 4000 --output 1000", "no layout serves this"),
        ("estimate deepseek-v3 --on gb200-nvl72 --layout tp3 --batch 1 --context 8k", "does not divide"),
        (
            "estimate deepseek-v3 --on gb200-nvl72 --layout tp2,dp2,ep3 --batch 1 --context 8k",
            "does not divide tp*dp=4",
        ),
        ("estimate deepseek-v3 --on gb200-nvl72 --layout 8 --batch 1 --context 8k", "is not one of"),
        ("estimate deepseek-v3 --on gb200-nvl72 --layout tp8 --chips 16 --batch 1 --context 8k", "leave --chips out"),
        ("estimate deepseek-v3 --on h100-sxm --layout tp8 --batch 1 --context 8k", "does not fit"),
        ("catalog models nothing", "no model 'nothing' in the catalog. All: ridgeline catalog models"),
        ("catalog storage nothing", "flash-qlc-61tb"),
        ("catalog prices nothing", "there are anthropic"),
        ("validate missing.csv", "does not exist"),
        ("plann llama-3.1-8b --on h100-sxm", "No such command 'plann'. Did you mean 'plan'?"),
    ],
)
def test_bad_input_gives_the_remedy_and_no_number(line: str, said: str) -> None:
    result = run(line)
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.split()).replace("│ ", "")
    assert not isinstance(result.exception, (KeyError, TypeError, AttributeError))


def test_json_stays_one_document_where_nothing_serves() -> None:
    result = run("plan deepseek-v3 --on h100-sxm --prompt 4000 --output 1000 --json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["plans"] == []


def test_files_that_are_no_cases_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("a,b\n1,2\n")
    result = run(f"validate {path}")
    assert result.exit_code == 2
    assert "has no column" in result.stderr


def test_measurements_outside_of_their_intervals_are_told() -> None:
    """Of the example, whose numbers are made up: all decode steps lie inside, no closed loop does."""
    result = run("validate docs/example_cases.csv")
    shown = " ".join(result.stdout.split())
    said = re.findall(r"(\w+) of example_cases on h100-sxm: (\d+) of (\d+) measurements lie inside", shown)
    rows = document("validate docs/example_cases.csv")["groups"]
    few = [one for one in rows if one["interval_80_coverage"] < 0.6]
    assert [(name, int(inside) / int(of)) for name, inside, of in said] == [
        (one["quantity"], one["interval_80_coverage"]) for one in few
    ]
    assert 0 < len(few) < len(rows)
    assert all(f"{name}:" in shown or f"{name}," in shown for name in ("scored", "unsupported", "in 80 %", "shape"))


def test_files_of_which_nothing_is_predicted_end_badly_and_say_why(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    header = "case,kind,model,machine,chips,tp,weight_dtype,batch,context_tokens,quantity,measured"
    path.write_text(f"{header}\na,decode_step,llama-3.1-405b,h100-sxm,1,1,bf16,100000,1000,latency_s,1\n")
    result = run(f"validate {path}")
    assert result.exit_code == 1
    assert "nothing in these files is predicted" in result.stderr
    assert "llama-3.1-405b in tp1 does not fit: a chip of h100-sxm has" in result.stdout
    result = run(f"validate {path} --json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["rows"] == []
    assert len(json.loads(result.stdout)["unsupported"]) == 1


ANCHORS = """case,kind,model,machine,chips,tp,batch,prompt_tokens,output_tokens,engine,quantity,measured
a,closed_loop,llama-3.1-8b,h100-sxm,1,1,16,2000,500,vllm-0.12,tpot_s,0.012
b,closed_loop,llama-3.1-8b,h100-sxm,1,1,64,2000,500,vllm-0.12,tpot_s,0.022
c,closed_loop,llama-3.1-8b,h200-sxm,1,1,64,2000,500,vllm-0.12,tpot_s,0.022
"""


def test_anchors_correct_and_what_they_moved_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(ANCHORS)
    step = "estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 64 --context 2250"
    plain, moved = document(step), document(f"{step} --anchor {path}")
    factor = moved["correction"]["tpot_factor"]
    assert factor != 1
    assert moved["step_time_s"] == pytest.approx(factor * plain["step_time_s"])
    anchor = moved["inputs"]["anchor"]
    assert [len(rows) for rows in anchor["rows"].values()] == [2]
    assert anchor["unused"] == ["c: machine 'h200-sxm' is not 'h100-sxm'"]
    assert f"x {factor:.3f} by 2 measured rows" in words(run(f"{step} --anchor {path}"))
    # What is left out is said before the numbers, too.
    assert run(f"{step} --anchor {path}").output.startswith("warning: --anchor leaves out c: machine 'h200-sxm' is")
    line = f"plan llama-3.1-8b --on h100-sxm --chips 2 --prompt 2000 --output 500 --anchor {path}"
    text = run(line).stdout
    assert "none of this layout" in words(run(line))
    assert text.index("anchor, plan 1") < text.index("with --anchor no cheaper ways") < text.index("\nmore: ")
    planned = document(f"plan llama-3.1-8b --on h100-sxm --chips 1 --prompt 2000 --output 500 --anchor {path}")
    assert planned["plans"][0]["correction"]["tpot_factor"] == pytest.approx(factor)


def test_a_column_of_anchors_that_is_not_known_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(ANCHORS.replace("quantity,measured", "quantity,measured,batchsize").replace("0.012", "0.012,16"))
    result = run(f"estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 64 --context 2250 --anchor {path}")
    assert result.exit_code == 0
    assert "batchsize" in result.stderr


def test_gains_of_several_percent_for_one_say_how_that_can_be() -> None:
    """Weights fill most of two chips here, so that a percent more of the memory is much more room."""
    asked = "--chips 2 --prompt 1000 --output 1000 --engine ideal"
    tight = words(run(f"plan llama-3.1-70b --on h100-sxm {asked} --details"))
    usual = words(run("plan llama-3.1-8b --on h100-sxm --chips 1 --prompt 1000 --output 200 --details"))
    assert "more than 1 % for 1 %" in tight
    assert "more than 1 % for 1 %" not in usual


def test_anchors_of_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(ANCHORS)
    result = run(f"plan llama-3.1-8b --on b200-sxm --prompt 100 --output 100 --anchor {path}")
    assert result.exit_code == 2
    assert "says nothing of llama-3.1-8b on b200-sxm: a: machine 'h100-sxm' is not 'b200-sxm'" in result.stderr


def test_the_engine_is_said_and_peaks_have_none() -> None:
    step = "estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 8 --context 1k"
    assert "engine vllm" in words(run(step))
    release = load_engine("vllm").release
    assert f"note: engine vllm {release.version} of {release.date}: fitted on" in words(run(step))
    times = {name: document(f"{step} --engine {name}")["step_time_s"] for name in ("ideal", "vllm", "tensorrt-llm")}
    assert len(set(times.values())) == 3
    assert document(f"{step} --fidelity roofline")["inputs"]["engine"]["name"] == "ideal"
    refused = run(f"{step} --fidelity roofline --engine vllm")
    assert refused.exit_code == 2
    assert "take fidelity measured" in refused.stderr
    assert "no engine 'vlm' in the catalog" in run(f"{step} --engine vlm").stderr


CONFIG = {
    "model_type": "llama",
    "hidden_size": 1024,
    "num_hidden_layers": 8,
    "num_attention_heads": 16,
    "num_key_value_heads": 4,
    "intermediate_size": 4096,
    "vocab_size": 32000,
    "tie_word_embeddings": False,
    "new_trick": 7,
}


@pytest.mark.parametrize(
    "line",
    [
        "plan {} --on h100-sxm --prompt 100 --output 100",
        "estimate {} --on h100-sxm --layout tp1 --batch 1 --context 100",
        "catalog models {}",
        "catalog machines --model {}",
        "catalog machines h100-sxm --model {}",
        "board latency --model {}",
    ],
)
def test_unknown_keys_are_let_through_by_a_switch_wherever_it_stands_and_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))
    asked = line.format(path)
    refused = run(asked)
    assert refused.exit_code == 2
    assert "new_trick: Ridgeline does not know what this changes; --ignore-unknown" in refused.output
    for extra in (["--ignore-unknown"], ["--ignore-unknown", "--json"]):
        result = run(asked, *extra)
        assert result.exit_code == 0, result.output
        assert "keys of config.json that were ignored: new_trick" in result.stdout


@pytest.mark.parametrize(
    "line",
    [
        ("plan", "", "--on", "h100-sxm", "--prompt", "10", "--output", "10"),
        ("catalog", "models", ""),
        ("catalog", "machines", ""),
    ],
)
def test_an_empty_name_is_an_error(line: tuple[str, ...]) -> None:
    result = CliRunner().invoke(commands, line)
    assert result.exit_code == 2
    assert "has a name, and this is empty" in result.output


@pytest.mark.slow
def test_a_model_of_another_name_heads_its_outputs_with_both() -> None:
    heading = "DeepSeek-R1 (of the shape of DeepSeek-V3)"
    for line in (ESTIMATE, MAIN_JOB, "catalog models deepseek-v3"):
        assert run(line.replace("deepseek-v3", "deepseek-r1")).output.startswith(heading)


def test_a_cache_that_stops_growing_says_why() -> None:
    why = "every layer has a window or a state, so that the cache grows no more beyond 4,096 tokens"
    assert f"mistral-7b: {why}" in words(run("catalog models"))
    assert f"bf16: {why}" in words(run("catalog models mistral-7b"))
    assert "window or a state" not in words(run("catalog models llama-3.1-8b"))
