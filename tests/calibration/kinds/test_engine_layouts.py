"""What engines are said to run, against measured runs of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ridgeline.calibration.cases import Case, Unsupported, read_cases
from ridgeline.calibration.cases.model_table import ModelTable, read_model_table
from ridgeline.calibration.judge.validate import validate
from ridgeline.calibration.kinds.run import Run, layout_of, machine_of, model_of, precision_of
from ridgeline.catalog.engines import engine_of
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.engine_support import engine_faults, format_faults
from ridgeline.specs.fidelity import MEASURED, ROOFLINE

HEADER = "case,kind,model,machine,chips,tp,dp,ep,batch,context_tokens,weight_dtype,kv_dtype,engine,quantity,measured\n"


def test_a_layout_that_its_engine_does_not_run_is_predicted_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "family.csv"
    rows = [
        f"{ep},decode_step,deepseek-v3,h200-sxm,8,2,4,{ep},64,2000,fp8_block,bf16,vllm,latency_s,0.02\n"
        for ep in (4, 8)
    ]
    path.write_text(HEADER + "".join(rows))
    found = validate(read_cases(path))
    assert len(found.rows) == 2
    (said,) = (warning for warning in found.warnings if "predicted all the same" in warning)
    assert said.startswith("vllm takes ep of 1 or tp*dp=8, not 4")
    assert said.endswith("(1 rows)")
    # Where only peaks count, no engine runs.
    assert not any("vllm" in warning for warning in validate(read_cases(path), fidelity=ROOFLINE).warnings)


@pytest.mark.slow
def test_every_measured_run_is_one_that_its_engine_is_said_to_run(evidence: Path) -> None:
    """What somebody measured can be run: the facts leave out no layout, attention, chip or format of any row."""
    models = read_model_table(evidence / "models.csv")
    looked_at = 0
    wrong: dict[str, tuple[str, ...]] = {}
    for path in sorted((evidence / "open").glob("*.csv")):
        for case in read_cases(path):
            faults = _faults(case, models)
            looked_at += faults is not None
            wrong |= {case.name: faults} if faults else {}
    assert wrong == {}
    assert looked_at > 2000


def _faults(case: Case, models: ModelTable) -> tuple[str, ...] | None:
    """What is said against a row; None where it is no pass of a model, or names no engine with facts."""
    engine = engine_of(case.engine)
    if engine.support is None:
        return None
    try:
        machine, _ = machine_of(case)
        run = Run(case=case, machine=machine, fidelity=MEASURED, models=models, engine=engine)
        model, layout = model_of(run), layout_of(run)
        precision, _ = precision_of(run, model)
    except Unsupported:
        return None
    deployment = deploy(model, machine, layout, engine=engine, precision=precision)
    return (*engine_faults(deployment), *format_faults(engine, machine, precision))
