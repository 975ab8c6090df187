"""What a plan says of a layout is what predictions say that are held against measurements: one model of a pool."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from ridgeline.calibration.cases import Case
from ridgeline.calibration.kinds.loads import in_a_loop
from ridgeline.calibration.kinds.predict import Prediction, predict
from ridgeline.calibration.kinds.run import Run, machine_of
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.grid import estimate_grid
from ridgeline.planner.outcome import Plan
from ridgeline.planner.plan import plan
from ridgeline.serving.admission import admitted_sequences
from ridgeline.serving.pool import most_sequences
from ridgeline.specs.correction import NO_CORRECTION, Correction
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.fidelity import MEASURED, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import chunk, decode, prefill, together
from ridgeline.specs.workload import Workload

WORKLOAD = Workload(prompt_tokens=1500, output_tokens=400)

# Dense, with groups of experts, latent and linear attention; one chip, several, stages; with and without an engine.
# None of these engines keeps requests in waves: a plan's requests differ in length, and so never stay together.
PLANNED = [
    ("llama-3.1-8b", "h100-sxm", "tp1", "vllm", MEASURED),
    ("llama-3.1-70b", "h100-sxm", "tp4", "sglang", MEASURED),
    ("llama-3.1-70b", "h200-sxm", "tp2,pp2", "ideal", MEASURED),
    ("llama-3.1-70b", "a100-80-sxm", "tp4", "vllm", MEASURED),
    ("llama-3.1-70b", "tpu-v5p", "tp4", "ideal", MEASURED),
    ("deepseek-v3", "h200-sxm", "dp8,ep8", "vllm", MEASURED),
    ("deepseek-v3", "b200-sxm", "tp8", "tensorrt-llm", MEASURED),
    ("gpt-oss-120b", "h100-sxm", "tp2", "vllm", MEASURED),
    ("qwen3.5-397b-a17b", "b200-sxm", "tp8", "sglang", MEASURED),
    ("qwen3-32b", "h100-sxm", "tp2", "vllm", ROOFLINE),
]
RUNS = {"vllm": "vllm-0.12", "sglang": "sglang-0.5.9", "tensorrt-llm": "trtllm-1.0", "ideal": "ideal"}


def case(deployment: Deployment, users: int, quantity: str) -> Case:
    """As many users as a plan has requests under way, each of the same lengths."""
    layout = deployment.layout
    facts: dict[str, Any] = {
        "model": deployment.model.id,
        "chips": str(layout.chips),
        "engine": RUNS[deployment.engine.name],
    }
    facts |= {name: str(getattr(layout, name)) for name in ("tp", "pp", "ep", "dp", "cp")}
    facts |= {"batch": str(users), "kv_dtype": deployment.precision.kv.name}
    facts |= {"prompt_tokens": str(WORKLOAD.prompt_tokens), "output_tokens": str(WORKLOAD.output_tokens)}
    return Case(
        name="planned",
        family="planned",
        kind="closed_loop",
        quantity=quantity,
        machine=deployment.machine.id,
        measured=None,
        **facts,
    )


def planned(
    text: str,
    correction: Correction = NO_CORRECTION,
    batch: int | None = None,
    **asked: Any,  # noqa: ANN401  of deploy
) -> tuple[Deployment, Plan]:
    deployment = deploy(**asked, layout=Layout.from_text(text))
    chips = deployment.layout.chips
    found = plan(
        deployment,
        WORKLOAD,
        chips=chips,
        why_not=deployment.layout,
        corrected=lambda _: correction,
        demand=Demand(batch=batch),
        is_brief=True,
    ).why_not
    assert found is not None
    assert found.plan is not None
    return deployment, found.plan


@pytest.mark.parametrize(("model_id", "machine_id", "layout", "engine_id", "fidelity"), PLANNED)
def test_a_plan_says_what_is_held_against_measurements(
    model_id: str, machine_id: str, layout: str, engine_id: str, fidelity: Fidelity
) -> None:
    deployment, found = planned(
        layout,
        model=load_model(model_id),
        machine=load_machine(machine_id),
        engine=load_engine(engine_id),
        fidelity=fidelity,
    )
    assert deployment.engine.scheduling.prefill_first_fraction == 0

    # Servers that no benchmark's scripts started send each token at once.
    at_once = dataclasses.replace(deployment.engine.scheduling, stream_interval_steps=0.0)
    engine = dataclasses.replace(deployment.engine, scheduling=at_once)

    def predicted(quantity: str) -> Prediction:
        return predict(case(deployment, found.batch, quantity), {}, fidelity, engine=engine)

    tokens = predicted("tpot_s")
    # Sums of the same kernels, by themselves and with other layouts'.
    assert found.tpot_s == pytest.approx(tokens.value, rel=1e-9)
    output_tokens_per_s = predicted("output_tokens_per_s").value
    assert found.requests_per_s * WORKLOAD.output_tokens == pytest.approx(output_tokens_per_s, rel=1e-9)
    per_chip = predicted("output_tokens_per_s_per_chip").value
    assert found.output_tokens_per_s_per_chip == pytest.approx(per_chip, rel=1e-9)
    assert (found.tpot_low_s, found.tpot_high_s) == pytest.approx((tokens.low, tokens.high), rel=1e-9)
    first = predicted("ttft_s")
    assert found.ttft_high_s / found.ttft_s == pytest.approx(first.high / first.value, rel=1e-9)


@pytest.mark.parametrize(("model_id", "machine_id", "layout", "engine_id", "fidelity"), PLANNED)
def test_memory_admits_as_many_to_a_plan_as_to_a_prediction(
    model_id: str, machine_id: str, layout: str, engine_id: str, fidelity: Fidelity
) -> None:
    deployment = deploy(
        load_model(model_id),
        load_machine(machine_id),
        Layout.from_text(layout),
        engine=load_engine(engine_id),
        fidelity=fidelity,
    )
    asked = case(deployment, 64, "tpot_s")
    run = Run(
        case=asked,
        machine=machine_of(asked)[0],
        fidelity=fidelity,
        models={},
        engine=deployment.engine,
        is_engine_asked=True,
    )
    theirs = in_a_loop(run).deployment
    assert admitted_sequences(theirs, WORKLOAD) == admitted_sequences(deployment, WORKLOAD)
    assert most_sequences(theirs, WORKLOAD) == most_sequences(deployment, WORKLOAD)


CORRECTION = Correction(tpot_factor=1.3, ttft_factor=0.7, rows=2)


@pytest.mark.parametrize("engine_id", ["ideal", "vllm"])
@pytest.mark.parametrize("layout", ["tp1", "tp2"])
def test_a_correction_scales_what_users_see_wherever_they_look(layout: str, engine_id: str) -> None:
    asked: dict[str, Any] = {
        "model": load_model("llama-3.1-8b"),
        "machine": load_machine("h100-sxm"),
        "engine": load_engine(engine_id),
    }
    deployment, plain = planned(layout, **asked)
    # Either would take the batch that is best for it: at one batch, the factors are what is between them.
    _, moved = planned(layout, CORRECTION, batch=plain.batch, **asked)
    assert moved.correction == CORRECTION
    corrected = dataclasses.replace(deployment, correction=CORRECTION)
    for pass_, factor in (
        (prefill(batch=1, prompt_tokens=WORKLOAD.prompt_tokens), CORRECTION.ttft_factor),
        (WORKLOAD.decode_step(plain.batch), CORRECTION.tpot_factor),
        # A prompt that is read beside decoding sequences delays their tokens.
        (together(WORKLOAD.decode_step(8), chunk(batch=1, new_tokens=64, past_tokens=0)), CORRECTION.tpot_factor),
    ):
        assert estimate(corrected, pass_).step_time_s == pytest.approx(factor * estimate(deployment, pass_).step_time_s)
    grid = estimate_grid(corrected, [corrected.layout], batch=[plain.batch], context_tokens=[1000])
    one = estimate(corrected, decode(batch=plain.batch, context_tokens=1000))
    assert (grid.low_s.item(), grid.step_time_s.item()) == pytest.approx((one.low_s, one.step_time_s))
    assert moved.ttft_s == pytest.approx(CORRECTION.ttft_factor * plain.ttft_s)
    assert moved.batch == plain.batch
    assert moved.tpot_s == pytest.approx(CORRECTION.tpot_factor * plain.tpot_s)
    assert moved.decode_step_s == pytest.approx(CORRECTION.tpot_factor * plain.decode_step_s)
    # Little's law before and after: users wait for a first token, and then for the others.
    steps_s = WORKLOAD.decode_steps * plain.tpot_s
    first_token_s = plain.replicas * plain.batch / plain.requests_per_s - steps_s
    waited_s = CORRECTION.tpot_factor * steps_s + CORRECTION.ttft_factor * first_token_s
    assert moved.requests_per_s == pytest.approx(moved.replicas * moved.batch / waited_s)
    assert moved.chip_s_per_request == pytest.approx(moved.layout.chips * moved.replicas / moved.requests_per_s)
