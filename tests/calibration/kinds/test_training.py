"""Cases that are training steps: what is read of a row, and what is refused."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from ridgeline.calibration.cases import Case, Unsupported
from ridgeline.calibration.kinds.kind import KINDS
from ridgeline.calibration.kinds.predict import predict
from ridgeline.calibration.kinds.run import Run
from ridgeline.calibration.kinds.training import measured_step_s
from ridgeline.calibration.kinds.training_job import job_of
from ridgeline.catalog import load_machine
from ridgeline.specs.fidelity import MEASURED, ROOFLINE

CASE = Case(
    name="made",
    family="made",
    kind="train_step",
    model="llama-3.1-70b",
    machine="h100-sxm",
    chips=64,
    tp=4,
    pp=4,
    dp=4,
    batch=128,
    micro_batch=1,
    prompt_tokens=8192,
    virtual_stages=5,
    engine="nemo-25.11",
    quantity="step_s",
    measured=20.0,
)


def of(case: Case = CASE, **changed: Any) -> Run:  # noqa: ANN401  fields of the row
    attributes = changed.pop("attributes", {})
    row = dataclasses.replace(case, attributes=attributes, **changed)
    return Run(case=row, machine=load_machine("h100-sxm"), fidelity=MEASURED, models={})


def test_a_row_becomes_a_job() -> None:
    job = job_of(
        of(
            recompute="selective",
            attributes={"recompute_modules": ["layernorm"], "overlap_tp": True, "cuda_graphs": "full_iteration"},
        )
    )
    assert str(job.layout) == "tp4,pp4,dp4,vpp5"
    assert job.pipeline.id == "interleaved"
    assert str(job.recipe.recompute) == "selective:layernorm"
    assert job.recipe.hides_tp
    assert "full_iteration" in job.recipe.graphs
    assert job.trainer.name == "megatron"


def test_quantities_of_a_row_are_of_one_time() -> None:
    case = dataclasses.replace(CASE, attributes={})
    predicted = {
        name: predict(dataclasses.replace(case, quantity=name), {}, MEASURED).value
        for name in KINDS["train_step"].quantities
        if name not in {"bytes", "bubble_fraction"}
    }
    job = job_of(of())
    for name, value in predicted.items():
        assert measured_step_s(job, name, value) == pytest.approx(predicted["step_s"])
    assert predicted["tokens_per_s_per_chip"] == pytest.approx(128 * 8192 / 64 / predicted["step_s"])


def test_the_roofline_takes_no_frameworks_time() -> None:
    measured, bound = (predict(CASE, {}, fidelity).value for fidelity in (MEASURED, ROOFLINE))
    assert bound < measured


def test_memory_is_of_the_part_that_is_stated() -> None:
    def size(**attributes: str) -> float:
        case = dataclasses.replace(CASE, kind="memory", quantity="bytes", attributes=attributes)
        return predict(case, {}, MEASURED).value

    assert size(part="activations") + size(part="params_plus_optimizer") < size()
    assert size(stage="last") < size(stage="first") <= size()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"engine": "mine"}, "is not known"),
        ({"chips": 65}, "but the run has 65 chips"),
        ({"recompute": "some"}, "recompute 'some' is not modelled"),
        ({"weight_dtype": "fp4"}, "training in fp4 is not modelled"),
        ({"schedule": "zigzag", "virtual_stages": None}, "there is no schedule"),
        ({"pp": 128, "dp": 1, "tp": 1, "chips": 128, "virtual_stages": None}, "fewer than pp=128"),
    ],
)
def test_what_is_not_modelled_is_said(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(Unsupported, match=said):
        job_of(of(**changed))


def test_a_power_limit_slows_products_and_is_not_said_to_be_left_out() -> None:
    limited = dataclasses.replace(CASE, machine_overrides={"power_limit_w": 350.0})
    plain, slower = predict(CASE, {}, MEASURED), predict(limited, {}, MEASURED)
    assert slower.value > plain.value
    assert slower.warnings == plain.warnings == ()


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"recompute_modules": ["head"]}, "recompute: 'head' is not one of"),
        ({"offload_modules": ["head"]}, "offloads='head' is not one of"),
        ({"cuda_graphs": "local", "cuda_graph_scope": ["head"]}, "graphs='head' is not one of"),
        ({"float8_recipe": "fourwise"}, "float8_recipe 'fourwise' is not modelled"),
    ],
)
def test_settings_that_are_not_known_are_refused_and_not_passed_over(attributes: dict[str, Any], said: str) -> None:
    with pytest.raises(Unsupported, match=said):
        job_of(of(recompute="selective", weight_dtype="fp8", attributes=attributes))
