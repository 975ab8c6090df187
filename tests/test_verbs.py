from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import click
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from tests.each import of_each

import ridgeline
from ridgeline.catalog.engines_text import engines_text
from ridgeline.catalog.kernels import Sureness, written
from ridgeline.catalog.models import MODELS
from ridgeline.cli import commands
from ridgeline.planner import compare
from ridgeline.simulator.player import Player
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.verbs.unserved import ARGUMENTS

STEP = ridgeline.decode(batch=8, context_tokens=1000)
CASES = """case,kind,model,machine,chips,tp,batch,context_tokens,quantity,measured
a,decode_step,llama-3.1-8b,h100-sxm,1,1,8,1000,latency_s,0.008
"""


def document(line: str) -> dict[str, Any]:
    result = CliRunner().invoke(commands, [*line.split(), "--json"])
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_prompt_and_an_output_that_are_too_long_together_are_named() -> None:
    with pytest.raises(ridgeline.RidgelineError, match="output_tokens=1,000 make a context of more than 1,000,000,000"):
        ridgeline.Workload(prompt_tokens=1_000_000_000, output_tokens=1000)


def test_a_plan_is_the_command_lines() -> None:
    found = ridgeline.plan("llama-3.1-8b", "h100-sxm", prompt_tokens=1000, output_tokens=200, tpot_s=0.05, chips=1)
    said = document("plan llama-3.1-8b --on h100-sxm --prompt 1000 --output 200 --tpot 50ms --chips 1")
    assert [one.tpot_s for one in found.plans] == [one["tpot_s"] for one in said["plans"]]
    assert list(found.notes) == said["notes"]
    assert found.notes[-1].startswith("engine vllm 0.")


def parameters(function: Callable[..., object]) -> set[str]:
    return set(inspect.signature(function).parameters)


SHOWS = {"top", "details", "figure", "theme", "picture", "export", "checkpoint", "as_json"}
"""Options that say how an answer is shown, or handed over."""

RECORDS = {
    "machines",
    "ignore_unknown",
    "market",
    "engine_option",
    "trace",
    "no_arrivals",
    "anchor",
    "budget_usd_per_s",
}
"""Options by which the command line makes the machine, engine, workload, correction and budget that verbs take."""


def test_verbs_take_what_the_command_line_takes() -> None:
    command = commands.get_command(click.Context(commands), "plan")
    assert command is not None
    options = {str(one.name) for one in command.params} - SHOWS - RECORDS - {"pools"}
    made = parameters(ridgeline.load_engine) | {field.name for field in dataclasses.fields(ridgeline.Demand)}
    assert options - made == parameters(ridgeline.plan) - {"machine", "workload", "demand", "corrected"} - made
    assert parameters(ridgeline.plan_two_pools) - {"machines"} == parameters(ridgeline.plan) - {"machine", "corrected"}


def test_an_estimate_takes_what_the_command_line_takes() -> None:
    command = commands.get_command(click.Context(commands), "estimate")
    assert command is not None
    options = {str(one.name) for one in command.params} - SHOWS - RECORDS
    made = parameters(ridgeline.load_engine) - parameters(ridgeline.estimate)
    of_the_pass = {"phase", "batch", "context_tokens"}
    assert options - made - of_the_pass - {"chips"} == parameters(ridgeline.estimate) - {"pass_", "correction"}


def test_a_simulation_takes_all_that_its_player_plays() -> None:
    """The command line makes the same player of its options, to play it again at other rates and into a file."""
    played = {field.name for field in dataclasses.fields(Player)}
    assert parameters(ridgeline.simulate) == played | {"has_bands"}


@pytest.mark.slow
def test_two_pools_take_the_draft_and_the_load_of_the_command_line() -> None:
    found = ridgeline.plan_two_pools(
        "deepseek-v3",
        "h200-sxm",
        prompt_tokens=1000,
        output_tokens=200,
        chips=16,
        hit_fraction=0.2,
        expert_load="zipf:0.5",
        speculate=["none", "mtp:1"],
    )
    said = document(
        "plan deepseek-v3 --on h200-sxm --prompt 1000 --output 200 --chips 16 --pools 2 --hit-rate 0.2"
        " --expert-load zipf:0.5 --speculate none --speculate mtp:1"
    )
    assert list(found.notes) == said["notes"]
    assert found.plans[0].tpot_s == said["plans"][0]["tpot_s"]
    assert any(note.startswith("drafts: ") for note in found.notes)


@pytest.mark.parametrize("fidelity", ["measured", "roofline", "napkin"])
def test_an_estimate_is_the_command_lines(fidelity: str) -> None:
    found = ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", STEP, fidelity=fidelity)
    said = document(f"estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 8 --context 1000 --fidelity {fidelity}")
    assert found.step_time_s == said["step_time_s"]
    assert f"engine {said['inputs']['engine']['name']}" in found.notes[-1]


def test_verbs_of_a_deployment_say_how_to_make_one() -> None:
    asked: dict[Callable[..., object], dict[str, Any]] = {
        ridgeline.simulate: {"requests": "h100-sxm"},
        ridgeline.expect: {"prompt_tokens": 10, "output_tokens": 10, "users": 1, "measured_tpot_s": 0.01},
    }
    for verb, others in asked.items():
        refusal = f"{verb.__name__}: 'llama-3.1-8b' is no Deployment; give deploy"
        with pytest.raises(ridgeline.RidgelineError, match=refusal):
            verb("llama-3.1-8b", **others)


def test_records_show_themselves_in_short() -> None:
    deployment = ridgeline.deploy("deepseek-v3", "h100-sxm", "tp8")
    assert repr(deployment.machine) == "Machine(id='h100-sxm', ...)"
    assert repr(deployment.model) == "Model(id='deepseek-v3', ...)"
    assert repr(deployment.engine).startswith("Engine(name='vllm', release='0.")
    found = ridgeline.plan("llama-3.1-8b", "h100-sxm", prompt_tokens=100, output_tokens=100, chips=1)
    assert repr(found.plans) == f"Ranked({len(found.plans)} found, the best first)"
    best = found.plans[0]
    assert repr(found) == (f"Planning(1 plan, the best tp1, batch {best.batch:,}; to_rows() has them all)")
    trained = ridgeline.train("llama-3.1-8b", "h100-sxm", layout="dp8", tokens=1e12, batch_tokens=2**22)
    assert repr(trained).startswith("Training(1 plan, the first dp8 with ")


def test_a_plan_where_none_serves_says_what_would() -> None:
    found = ridgeline.plan("llama-3.1-70b", "h100-sxm", prompt_tokens=1000, output_tokens=100, chips=1)
    assert not found.plans
    assert not list(found.plans)
    assert not found.to_rows()
    assert found.plans[:3] == ()
    with pytest.raises(IndexError, match=r"no layout serves this; it does not fit.*chips=\d+ are enough") as raised:
        found.plans[0]
    assert isinstance(raised.value, ridgeline.RidgelineError)
    enough = int(str(raised.value).rpartition("chips=")[2].split()[0])
    workload = ridgeline.Workload(prompt_tokens=1000, output_tokens=100)
    assert ridgeline.plan("llama-3.1-70b", "h100-sxm", workload, chips=enough).plans
    fast = ridgeline.plan("llama-3.1-8b", "h100-sxm", dataclasses.replace(workload, tpot_s=1e-4), chips=1)
    with pytest.raises(IndexError, match="relax tpot_s"):
        fast.plans[0]
    assert len(repr(found)) < 100


def test_advice_on_options_names_arguments_that_there_are() -> None:
    """Of all options that the module of the advice writes."""
    assert set(re.findall(r"--[a-z-]+", inspect.getsource(compare))) == ARGUMENTS.keys()
    names = inspect.signature(ridgeline.plan).parameters.keys()
    fields = {field.name for field in dataclasses.fields(ridgeline.Demand)}
    for one in ARGUMENTS.values():
        of_demand = re.match(r"Demand\((\w+)=", one)
        assert one in names if of_demand is None else of_demand[1] in fields
    workload = ridgeline.Workload(prompt_tokens=1000, output_tokens=100)
    hungry = ridgeline.plan("llama-3.1-70b", "h100-sxm", workload, chips=8, demand=ridgeline.Demand(site_power_w=500.0))
    with pytest.raises(ridgeline.RidgelineError, match=r"give Demand\(site_power_w=\d+\)") as raised:
        hungry.plans[0]
    fed = ridgeline.Demand(site_power_w=float(re.findall(r"site_power_w=(\d+)", str(raised.value))[0]))
    assert ridgeline.plan("llama-3.1-70b", "h100-sxm", workload, chips=8, demand=fed).plans


def test_names_paths_and_records_are_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((MODELS / "llama-3.1-8b.toml").read_text())
    by_record = ridgeline.estimate(
        ridgeline.load_model("llama-3.1-8b"),
        ridgeline.load_machine("h100-sxm"),
        ridgeline.Layout(tp=1),
        STEP,
        engine=ridgeline.load_engine("sglang"),
        fidelity=ridgeline.FIDELITIES["measured"],
    )
    for model in ("llama-3.1-8b", path, str(path), ridgeline.load_model(path)):
        assert ridgeline.estimate(model, "h100-sxm", "tp1", STEP, engine="sglang") == by_record


def test_a_grid_takes_names_and_the_same_engine() -> None:
    found = ridgeline.estimate_grid("llama-3.1-8b", "h100-sxm", "tp1", batch=[8], context_tokens=[1000])
    alone = ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", STEP)
    # Sums in another order.
    assert found.step_time_s.item() == pytest.approx(alone.step_time_s, rel=1e-12)


def test_a_machine_without_fitted_kernels_and_peaks_have_the_ideal_engine() -> None:
    machine = ridgeline.load_machine("tpu-v5e")
    assert machine.efficiency.kernels is None
    assert "engine ideal" in ridgeline.estimate("llama-3.1-8b", machine, "tp2", STEP).notes[-1]
    with pytest.raises(ridgeline.RidgelineError, match="engine vllm takes time that fidelity roofline leaves out"):
        ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", STEP, fidelity="roofline", engine="vllm")
    ideal = ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", STEP, fidelity="roofline", engine=IDEAL_ENGINE)
    assert ideal.notes[-1].startswith("engine ideal")


@of_each(
    ("asked", "said"),
    [
        ({"model": 7}, "Model 7 is neither a Model nor a name"),
        ({"model": "deepseek"}, "may be any of deepseek-v2"),
        ({"machine": None}, "Machine None is neither"),
        ({"fidelity": "exact"}, "there are napkin, roofline, measured"),
        ({"engine": "vlm"}, "no engine 'vlm'"),
        ({"weights": "fp7"}, "number format 'fp7' is not known"),
        ({"chips": 0}, r"plan: chips=0 is outside \[1, 1e\+07\]"),
        ({"chips": 1.5}, "plan: chips=1.5 must be a whole number"),
        ({"usd_per_chip_s": -1}, "plan: usd_per_chip_s=-1 is outside"),
        ({"usd_per_chip_s": float("nan")}, "plan: usd_per_chip_s=nan is outside"),
        ({"usd_per_chip_s": float("inf")}, "plan: usd_per_chip_s=inf is outside"),
        ({"usd_per_chip_s": "$2/h"}, r"plan: usd_per_chip_s='\$2/h' is not a number"),
        ({"prompt_tokens": 1000.5}, "Workload: prompt_tokens=1000.5 must be a whole number: write 1000"),
        ({"tpot_s": "50ms"}, "Workload: tpot_s='50ms' is not a number"),
        ({"output_tokens": None}, "give a workload, or prompt_tokens and output_tokens"),
        ({"output_tokens": 1}, "nothing to decode"),
        ({"workload": ridgeline.Workload(prompt_tokens=10, output_tokens=10)}, "given twice"),
        ({"workload": 50}, "workload 50 is no Workload"),
        ({"why_not": "tp"}, "layout 'tp': 'tp' is not one of"),
        ({"fidelity": "roofline", "expert_imbalance": 3}, "fidelity roofline .* leave expert_imbalance out"),
        ({"fidelity": "napkin", "kernels": "mine"}, "fidelity napkin .* leave kernels out"),
        ({"expert_imbalance": float("nan")}, "expert_imbalance=nan must be a number from 1 up"),
        ({"expert_imbalance": float("inf")}, "expert_imbalance=inf must be a number from 1 up"),
    ],
)
def test_what_is_refused_is_said(asked: dict[str, Any], said: str) -> None:
    usual: dict[str, Any] = {
        "model": "llama-3.1-8b",
        "machine": "h100-sxm",
        "prompt_tokens": 100,
        "output_tokens": 100,
        "chips": 1,
    }
    with pytest.raises(ridgeline.RidgelineError, match=said):
        ridgeline.plan(**(usual | asked))


def test_a_pass_that_is_none_or_a_grid_is_told_what_to_write() -> None:
    with pytest.raises(ridgeline.RidgelineError, match=r"no pass; give decode\(batch=\.\.\."):
        ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", cast("Any", "decode"))
    grid = ridgeline.decode(batch=np.array([1.0, 8.0]), context_tokens=1000)
    with pytest.raises(ridgeline.RidgelineError, match=r"the pass has a grid.*estimate_grid\("):
        ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", grid)


def test_a_phase_of_a_grid_has_a_name() -> None:
    asked: dict[str, Any] = {"batch": 8, "context_tokens": 1000}
    for other in ("prompt", ridgeline.prefill):
        with pytest.raises(ridgeline.RidgelineError, match=r"phase .* is neither 'decode' nor 'prefill'"):
            ridgeline.estimate_grid("llama-3.1-8b", "h100-sxm", "tp1", phase=cast("Any", other), **asked)
    prefill = ridgeline.estimate_grid("llama-3.1-8b", "h100-sxm", "tp1", phase="prefill", **asked)
    decode = ridgeline.estimate_grid("llama-3.1-8b", "h100-sxm", "tp1", **asked)
    assert prefill.step_time_s.item() > 2 * decode.step_time_s.item()


TOO_LARGE = ridgeline.decode(batch=100_000, context_tokens=8000)


def test_what_memory_does_not_hold_is_said_first() -> None:
    found = ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", TOO_LARGE)
    assert not found.fits
    assert "layout tp1 does not fit: a chip needs" in found.notes[0]
    assert ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", STEP).fits


def test_the_command_line_says_so_in_a_document_and_in_its_exit_code() -> None:
    line = "estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 100000 --context 8000"
    result = CliRunner().invoke(commands, [*line.split(), "--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["fits"] is False
    assert "does not fit" in result.stderr
    plain = CliRunner().invoke(commands, line.split())
    assert (plain.exit_code, plain.stdout) == (1, "")


def test_rows_are_plain_and_make_a_frame() -> None:
    planned = ridgeline.plan("llama-3.1-8b", "h100-sxm", prompt_tokens=1000, output_tokens=200, chips=2)
    rows = planned.to_rows()
    assert [row["layout"] for row in rows] == [str(one.layout) for one in planned.plans]
    assert rows[0]["memory_kv_bytes"] == planned.plans[0].memory.kv_bytes
    assert all(isinstance(value, str | int | float | None) for value in rows[0].values())
    assert len(pd.DataFrame(rows)) == len(planned.plans)
    step = ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", STEP)
    # The same numbers in another order of addition.
    assert pd.DataFrame(step.to_rows())["time_s"].sum() == pytest.approx(step.step_time_s, rel=1e-12)


def test_a_grid_makes_a_frame_of_its_points() -> None:
    grid = ridgeline.estimate_grid(
        "llama-3.1-8b", "h100-sxm", ["tp1", "tp2"], batch=[1, 8, 10**6], context_tokens=[500, 1000]
    )
    frame = grid.to_frame()
    assert len(frame) == 2 * 3 * 2
    row = frame[(frame.layout == "tp2") & (frame.batch == 8) & (frame.context_tokens == 1000)]
    assert row.step_time_s.item() == grid.step_time_s[1, 1, 1]
    assert row.bound.item() == grid.bound[1, 1, 1]
    assert list(frame.fits) == [True, True, True, True, False, False] * 2


def test_a_frame_without_pandas_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    grid = ridgeline.estimate_grid("llama-3.1-8b", "h100-sxm", "tp1", batch=1, context_tokens=500)
    with pytest.raises(ridgeline.RidgelineError, match="pip install pandas"):
        grid.to_frame()
    assert set(grid.to_columns()) >= {"layout", "batch", "context_tokens", "step_time_s", "fits"}


def test_validation_takes_paths_and_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(CASES)
    found = ridgeline.validate(path, fidelity="roofline")
    (row,) = found.to_rows()
    assert (row["case"], row["measured"]) == ("a", 0.008)
    assert 0 < row["predicted"] < row["measured"]
    with pytest.raises(ridgeline.CaseError):
        ridgeline.validate(tmp_path / "none.csv")


def test_ones_own_kernels_are_taken_by_every_verb(tmp_path: Path) -> None:
    """A kernel of the machine at half its speed, and an engine whose host takes half a second for a step."""
    machine = ridgeline.load_machine("h100-sxm")
    kernels = machine.efficiency.kernels
    assert kernels is not None
    slow = dataclasses.replace(kernels.latent_attention, fraction=kernels.latent_attention.fraction / 2)
    text = written(
        "own", Sureness(), dataclasses.replace(kernels, latent_attention=slow), {}, blocks=("latent_attention",)
    )
    (tmp_path / "h100-sxm.toml").write_text(text)
    engine = dataclasses.replace(ridgeline.load_engine("vllm"), step_s=0.5)
    (tmp_path / "engines.toml").write_text(engines_text({"vllm": engine}, {}, is_whole=False))
    assert ridgeline.load_machine(machine, kernels=tmp_path) == ridgeline.load_machine("h100-sxm", kernels=tmp_path)
    assert ridgeline.load_machine(machine, kernels=tmp_path) != machine
    with pytest.raises(ridgeline.RidgelineError, match="engine vllm is a record, which kernels="):
        ridgeline.load_engine(engine, kernels=tmp_path)
    where = machine.with_efficiency(ridgeline.load_machine(machine, kernels=tmp_path).efficiency)
    step = ridgeline.estimate("llama-3.1-8b", "h100-sxm", "tp1", STEP, kernels=tmp_path)
    assert step.step_time_s > 0.5
    assert step == ridgeline.estimate(
        "llama-3.1-8b", where, "tp1", STEP, engine=ridgeline.load_engine("vllm", kernels=tmp_path)
    )
    grid = ridgeline.estimate_grid(
        "llama-3.1-8b", "h100-sxm", "tp1", batch=[8], context_tokens=[1000], kernels=tmp_path
    )
    # Sums in another order.
    assert grid.step_time_s.item() == pytest.approx(step.step_time_s, rel=1e-12)
    asked: dict[str, Any] = {"prompt_tokens": 1000, "output_tokens": 200, "chips": 1}
    assert ridgeline.plan("llama-3.1-8b", "h100-sxm", **asked, kernels=tmp_path).plans[0].tpot_s > 0.5
    cases = tmp_path / "mine.csv"
    cases.write_text(
        CASES.replace("quantity", "engine,quantity").replace("latency_s", f"vllm-{engine.release.version},latency_s")
    )
    (row,) = ridgeline.validate(cases, kernels=tmp_path).to_rows()
    assert row["predicted"] == pytest.approx(step.step_time_s, rel=1e-12)


@pytest.mark.parametrize("step_tokens", [4096, 32768])
def test_an_engine_is_the_same_whichever_way_its_limits_are_said(step_tokens: int) -> None:
    """SGLang, told how much of the memory to take, reserves nothing for its chunks on top.

    Its own option counts the tokens of all groups together, ours those of one.
    """
    by_options: dict[str, object] = {"chunked_prefill_size": step_tokens}
    told = ridgeline.load_engine("sglang", memory_fraction=0.85, options=by_options)
    assert told == ridgeline.load_engine("sglang", options={**by_options, "mem_fraction_static": 0.85})
    assert {one.reserved_bytes for one in told.limits} == {0.0}
    of_group = ridgeline.load_engine("sglang", memory_fraction=0.85, max_step_tokens=step_tokens)
    assert of_group.limits == tuple(dataclasses.replace(one, shares_pass_tokens=False) for one in told.limits)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: ridgeline.plan(
                "llama-3.1-8b", cast(Any, ["h100-sxm", "h200-sxm"]), prompt_tokens=1, output_tokens=1
            ),
            r"several machines are planned one by one, as --on A --on B does: found = \{one: plan\(model, one",
        ),
        (
            lambda: ridgeline.plan("llama-3.1-8b", "h100-sxm", prompt_tokens=1, output_tokens=1, demand=cast(Any, 20)),
            r"demand 20 is no Demand; give Demand\(requests_per_s",
        ),
        (
            lambda: ridgeline.plan("llama-3.1-8b", "h100-sxm", prompt_tokens=9, output_tokens=9, chips=0),
            r"chips=0 is outside \[1, 1e\+07\] \(chips of all replicas together\)",
        ),
        (
            lambda: ridgeline.deploy(cast(Any, ["a", "b"]), "h100-sxm"),
            r"model is a list of 2, and one is taken; call once for each",
        ),
        (lambda: played([1, 2]), r"\[1, 2\] are no requests; give the path of a log, Requests\(arrivals_s="),
        (lambda: played("docs/example_trace.jsonl", users="4"), r"users='4' must be a whole number"),
        (lambda: played("docs/example_trace.jsonl", users=0), r"users=0 must be from 1 up"),
        (lambda: played("docs/example_trace.jsonl", replicas=1.5), r"replicas=1.5 must be a whole number: write 1"),
        (lambda: played("docs/example_trace.jsonl", policy="static"), r"policy 'static' is a name; give its record"),
    ],
)
def test_what_a_verb_cannot_take_says_what_it_takes(call: Callable[[], object], said: str) -> None:
    with pytest.raises(ridgeline.RidgelineError, match=said):
        call()


def played(requests: Any, **options: Any) -> object:  # noqa: ANN401  whatever was given
    """What is played of something given as requests."""
    return ridgeline.simulate(ridgeline.deploy("llama-3.1-8b", "h100-sxm", "tp1"), requests, **options)


def test_machines_planned_one_by_one_are_those_of_the_command_line() -> None:
    """The cheapest by the error's own rule comes first there."""
    machines = ("h100-sxm", "h200-sxm")
    lengths = {"prompt_tokens": 1000, "output_tokens": 200, "chips": 1}
    found = {one: ridgeline.plan("llama-3.1-8b", one, **cast(Any, lengths)) for one in machines}
    costs = {
        one: cast(float, each.usd_per_chip_s) * each.plans[0].paid_chip_s_per_request for one, each in found.items()
    }
    said = document("plan llama-3.1-8b --on h100-sxm --on h200-sxm --prompt 1000 --output 200 --chips 1")["plans"]
    assert said[0]["machine"] == min(costs, key=lambda one: costs[one])
