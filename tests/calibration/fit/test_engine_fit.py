"""Engines are found by what runs call them; a fit finds the numbers that passes were made with."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.engine_fit import engine_residuals, engine_runs, fit_engines
from ridgeline.calibration.fit.priors import STARTS
from ridgeline.calibration.kinds.kind import KINDS, PassKind
from ridgeline.calibration.kinds.run import Run
from ridgeline.calibration.kinds.steps import passed
from ridgeline.catalog import CatalogError, engines, load_machine
from ridgeline.catalog.engines import ENGINES, engine_ids, engine_of, load_engine
from ridgeline.catalog.engines_text import engines_text
from ridgeline.catalog.fitted_numbers import Uncertainty
from ridgeline.cli import commands
from ridgeline.estimator.interval import total_s
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, Replay, Scheduling
from ridgeline.specs.fidelity import MEASURED

TRUE = dataclasses.replace(
    load_engine("vllm-2023"), step_s=8e-3, sequence_s=2e-4, prefill_pass_s=2e-2, launch_layer_s=5e-4
)


def made(engine: Engine) -> list[Case]:
    """Passes as they would take with this engine."""
    cases = []
    for kind, tokens in (("decode_step", "context_tokens"), ("prefill", "prompt_tokens")):
        for chips in (1, 4):
            for batch in (1, 8, 32):
                facts: dict[str, Any] = {"model": "llama-3.1-8b", "chips": chips, "tp": chips, "batch": batch}
                facts |= {tokens: 300, "kv_dtype": "bf16", "engine": "vllm-2023"}
                case = Case(
                    name=kind,
                    family="made",
                    kind=kind,
                    quantity="output_tokens_per_s" if kind == "decode_step" else "ttft_s",
                    machine="a100-80-sxm",
                    measured=1.0,
                    **facts,
                )
                run = Run(case=case, machine=load_machine(case.machine), fidelity=MEASURED, models={}, engine=engine)
                how = KINDS[kind]
                assert isinstance(how, PassKind)
                time_s = float(total_s(passed(how.passes(run), engine)))
                measured = batch / time_s if kind == "decode_step" else time_s
                cases.append(dataclasses.replace(case, measured=measured))
    return cases


def test_runs_name_their_engine_version_and_all() -> None:
    for text, name in (
        ("vllm-0.12.0", "vllm"),
        ("vllm-0.6.3/0.6.4", "vllm-v0"),
        ("vllm-2023", "vllm-2023"),
        ("vllm-2024", "torch"),
        ("trtllm-v0.9", "tensorrt-llm"),
        ("dynamo-sglang-0.5.8.post1", "sglang"),
        ("gpt-fast (torch.compile)", "gpt-fast"),
        ("FasterTransformer", "fastertransformer"),
        ("", "ideal"),
        ("deepseek-internal", "ideal"),
    ):
        assert engine_of(text).name == name


def test_unknown_engines_are_refused_with_those_that_are() -> None:
    assert load_engine("ideal") is IDEAL_ENGINE
    assert {load_engine(name).name for name in engine_ids()} == set(engine_ids())
    with pytest.raises(CatalogError, match=r"no engine .* tensorrt-llm"):
        load_engine("tensort-llm")


def test_passes_leave_no_residual_with_what_they_were_made_with() -> None:
    (runs,) = engine_runs(made(TRUE), models={}, machines=load_machine).values()
    assert engine_residuals(runs, TRUE) == pytest.approx(0, abs=1e-9)
    assert np.abs(engine_residuals(runs, load_engine("torch"))).max() > 0.5


def test_a_fit_finds_what_passes_were_made_with() -> None:
    fitted = fit_engines(engine_runs(made(TRUE), models={}, machines=load_machine))
    assert set(fitted) == {"vllm-2023"}
    found = fitted["vllm-2023"]
    assert found.engine.status == "fitted on 12 measured passes"
    for one in found.parameters:
        true = getattr(TRUE, one.name.partition(".")[2])
        # The prior pulls towards the start, the more the less the rows say.
        assert abs(np.log(one.value / true)) < 2 * one.log_sd + 0.03, one.name


def test_few_passes_say_nothing_of_an_engine() -> None:
    assert not fit_engines(engine_runs(made(TRUE)[:9], models={}, machines=load_machine))


def test_a_written_file_says_the_same() -> None:
    changed = dataclasses.replace(load_engine("sglang"), layer_s=2.5e-5, status="made up")
    text = engines_text({"sglang": changed}, {"sglang.layer_s": Uncertainty(log_sd=0.1, rows=12)})
    assert "layer_s = { value = 2.5e-05, log_sd = 0.1, rows = 12 }" in text
    tables, before = tomllib.loads(text)["engines"], tomllib.loads(ENGINES.read_text())["engines"]
    after = tables.pop("sglang")
    assert after.pop("layer_s") == {"value": 2.5e-5, "log_sd": 0.1, "rows": 12}
    # What nothing is said of is written plain.
    known = {name: plain(value) for name, value in before.pop("sglang").items() if name != "layer_s"}
    assert after == {**known, "status": "made up"}
    assert tables == before
    assert set(STARTS) <= set(before)


def plain(value: Any) -> Any:  # noqa: ANN401  what TOML holds
    """Without what is said of numbers."""
    if not isinstance(value, dict):
        return value
    return value["value"] if "value" in value else {name: plain(one) for name, one in value.items()}


def test_every_number_of_an_engine_comes_back_from_a_written_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replays, scheduling and widths, too: to the four digits that are written, counts whole."""
    vllm = load_engine("vllm")
    assert vllm.replay is not None
    numbers = dataclasses.asdict(vllm.replay)
    changed = dataclasses.replace(
        vllm,
        dequantise_layer_s=1.234e-5,
        replay=Replay(**{name: round(value * 1.5, 8) for name, value in numbers.items()}),
        scheduling=Scheduling(
            first_token_s=0.123,
            first_token_users_power=0.25,
            first_token_steps=3.0,
            dp_balance_steps=4.0,
            arrivals_wait_fraction=1.5,
            prefill_first_fraction=0.75,
            stream_interval_steps=5.0,
            batch_occupancy_fraction=0.5,
        ),
        widths={"tpot_s": 0.25, "disaggregated_ttft_s": 1.5, "requests_per_s": 0.0},
    )
    path = tmp_path / "engines.toml"
    path.write_text(engines_text({"vllm": changed}, {"replay.dispatch_s": Uncertainty(log_sd=0.5, rows=3)}))
    replay = tomllib.loads(path.read_text())["replay"]
    assert replay["dispatch_s"].keys() == {"value", "log_sd", "rows"}
    assert isinstance(replay["launch_fraction"], float)  # what changed is no surer for what was known before
    before = {name: load_engine(name) for name in engine_ids()}
    monkeypatch.setattr(engines, "ENGINES", path)
    engines.known_tables.cache_clear()  # what was read before is kept there
    try:
        after = {name: load_engine(name) for name in engine_ids()}
    finally:
        engines.known_tables.cache_clear()  # as above
    assert set(after) == set(before)
    assert dataclasses.replace(after["vllm"], replay=None) == dataclasses.replace(changed, replay=None)
    assert changed.replay is not None
    for name, engine in before.items():
        found = after[name]
        assert (found.replay is None) == (engine.replay is None)
        if found.replay is not None:  # what is shared changes for all
            assert dataclasses.asdict(found.replay) == pytest.approx(dataclasses.asdict(changed.replay), rel=5e-4)
        if name != "vllm":
            assert dataclasses.replace(found, replay=None) == dataclasses.replace(engine, replay=None)


def test_the_file_s_own_text_is_what_is_written_of_it() -> None:
    """Nothing is lost by reading and writing."""
    assert engines_text({}, {}) == ENGINES.read_text()


def test_calibrate_writes_engines_beside_kernels(tmp_path: Path) -> None:
    facts = ("model", "chips", "tp", "batch", "context_tokens", "prompt_tokens", "kv_dtype", "engine")
    lines = [f"kind,machine,quantity,measured,case,{','.join(facts)}"]
    for number, case in enumerate(made(TRUE)):
        cells = ",".join(case.text(name) for name in facts)
        lines.append(f"{case.kind},{case.machine},{case.quantity},{case.measured},{number},{cells}")
    path = tmp_path / "made.csv"
    path.write_text("\n".join(lines) + "\n")
    texts = []
    for folder in ("first", "second"):
        result = CliRunner().invoke(commands, ["calibrate", str(path), "--jobs", "1", "--to", str(tmp_path / folder)])
        assert result.exit_code == 0, result.output
        texts.append((tmp_path / folder / "engines.toml").read_text())
    assert texts[0] == texts[1]
    assert "vllm-2023.launch_layer_s" in result.stdout
    assert "fitted on 12 measured passes" in texts[0]
