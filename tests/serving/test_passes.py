"""What a pool's passes take is what estimates say, and as many are let in as have room."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from ridgeline.calibration.kinds.loads import times_by
from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.errors import RidgelineError
from ridgeline.estimator.attention import small_kernels_of
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.interval import interval_factors
from ridgeline.estimator.memory import LEAST_ROOM, PROFILED_SEQUENCES, activation_bytes, limits_of
from ridgeline.estimator.parameters import kv_bytes_per_token, stage_weight_bytes
from ridgeline.estimator.stage_cuts import Stage
from ridgeline.estimator.timed import parts_of_step
from ridgeline.serving.admission import admitted_sequences
from ridgeline.serving.interval import asked_of, load_width
from ridgeline.serving.load import step_at
from ridgeline.serving.passes import PoolPasses, pool_passes, pool_times
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.specs.band import STEP, Band
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, Limits
from ridgeline.specs.engine_options import EngineOptions
from ridgeline.specs.evidence import Asked, Evidence
from ridgeline.specs.fidelity import MEASURED, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import prefill
from ridgeline.specs.workload import Workload

H100 = load_machine("h100-sxm")
LLAMA = load_model("llama-3.1-70b")
VLLM = load_engine("vllm")
WORKLOAD = Workload(prompt_tokens=2000, output_tokens=501)


def deployed(**changes: Any) -> Deployment:  # noqa: ANN401  what is deployed
    usual: dict[str, Any] = {"model": LLAMA, "machine": H100, "layout": Layout(tp=8), "engine": VLLM}
    return deploy(**usual | changes)


def passes_of(most: float, **changes: Any) -> PoolPasses:  # noqa: ANN401  as above
    return pool_passes(deployed(**changes), WORKLOAD, most)


def times_of(most: float, workload: Workload = WORKLOAD, **changes: Any) -> PoolTimes:  # noqa: ANN401  as above
    return pool_times([deployed(**changes)], workload, most)


SERVED = {
    "llama-3.1-70b": Layout(tp=8),
    "deepseek-v3": Layout(tp=1, dp=8, ep=8),
    "gpt-oss-120b": Layout(tp=2, dp=2, ep=4),
}


@pytest.mark.parametrize("engine_id", ["ideal", "vllm", "tensorrt-llm", "vllm-2023"])
@pytest.mark.parametrize("model_id", SERVED)
def test_timed_steps_and_passes_are_those_of_estimates(model_id: str, engine_id: str) -> None:
    model, layout, engine = load_model(model_id), SERVED[model_id], load_engine(engine_id)
    machine = load_machine("h200-sxm")
    times = times_of(64, model=model, machine=machine, layout=layout, engine=engine)
    assert times.sequences[0] == 1
    assert times.sequences[-1] == 64
    for place in (0, 5, -1):
        step = WORKLOAD.decode_step(float(times.sequences[place]) * layout.dp)
        # One sum in two orders.
        expected = estimate(deploy(model, machine, layout, engine=engine), step).step_time_s
        assert times.step_s[0, place] == pytest.approx(expected, rel=1e-9)
    assert times.most_together == 4  # 8,192 tokens a pass
    for prompts, found in ((1, times.lone_s), (layout.dp, times.alone_s), (4 * layout.dp, times.full_s)):
        read = prefill(batch=prompts, prompt_tokens=2000)
        assert found == pytest.approx(
            estimate(deploy(model, machine, layout, engine=engine), read).step_time_s, rel=1e-9
        )


def test_steps_between_those_that_were_timed_are_close() -> None:
    """Between two of 16 batches lies a factor of 1.6; products grow in tiles, which no straight line follows."""
    times = times_of(1024)
    for batch in (3.0, 11.0, 50.0, 145.0, 700.0):
        exact = estimate(deploy(LLAMA, H100, Layout(tp=8), engine=VLLM), WORKLOAD.decode_step(batch)).step_time_s
        assert step_at(times, np.array([batch])) == pytest.approx(exact, rel=0.04)


def test_a_long_prompt_is_read_alone_and_in_passes() -> None:
    long = Workload(prompt_tokens=20_000, output_tokens=100)
    times = times_of(4, long)
    read = prefill(batch=1, prompt_tokens=20_000, passes=3)
    assert times.most_together == 1
    assert times.alone_s == times.full_s
    expected = estimate(deploy(LLAMA, H100, Layout(tp=8), engine=VLLM), read).step_time_s
    assert times.alone_s == pytest.approx(expected, rel=1e-9)
    assert times.more_s == times.alone_s
    assert times.once_s == 0


def test_a_pass_is_what_it_takes_once_and_for_each_prompt() -> None:
    times = times_of(4)
    assert times.once_s + times.more_s == pytest.approx(times.alone_s, rel=1e-12)
    assert times.once_s + 4 * times.more_s == pytest.approx(times.full_s, rel=1e-12)


def test_peaks_know_no_engine_here_either() -> None:
    ideal, slow = (times_of(16, fidelity=ROOFLINE, engine=engine) for engine in (IDEAL_ENGINE, VLLM))
    assert ideal.step_s == pytest.approx(slow.step_s, rel=1e-12)
    assert ideal.alone_s == slow.alone_s


def test_an_engine_changes_times_of_the_same_passes() -> None:
    """Passes are timed once, and any engine that launches alike can be asked of them."""
    passes = passes_of(16)
    slower = dataclasses.replace(VLLM, layer_s=VLLM.layer_s + 1e-5)
    difference = times_by(passes, slower).step_s - times_by(passes, VLLM).step_s
    assert difference == pytest.approx(VLLM.overhead_fraction * 80 * 1e-5, rel=1e-6)


@pytest.mark.parametrize("fidelity", [MEASURED, ROOFLINE])
def test_kernels_are_as_sure_as_their_bands(fidelity: Fidelity) -> None:
    passes = passes_of(16, fidelity=fidelity)
    of_step, of_prompt = passes.run_by(VLLM).kernel_widths
    widest = max((band.above for band in passes.deployment.machine.efficiency.bands.values()), default=0.0)
    assert 0 <= of_step <= 2 * widest
    assert 0 <= of_prompt <= 2 * widest
    assert (of_step > 0) == (fidelity is MEASURED)


@pytest.mark.parametrize("model_id", SERVED)
def test_kernels_widths_are_those_of_two_passes_of_the_grids(model_id: str) -> None:
    """Only these are timed for them: a fit asks thousands of engines."""
    passes = passes_of(100, model=load_model(model_id), layout=SERVED[model_id], fidelity=MEASURED).run_by(VLLM)
    bands = {**passes.deployment.machine.efficiency.bands, STEP: Band(below=0.0, above=0.0)}
    places = len(passes.sequences) // 2, 1
    run = passes.run_steps, passes.run_passes
    for (operations, pass_), place, width in zip(run, places, passes.kernel_widths, strict=True):
        _, high = interval_factors(parts_of_step(operations), bands, is_step=True)
        over = np.broadcast_to(np.log(np.asarray(high)), np.shape(pass_.sequences))
        # Powers of grids and of numbers may differ in their last bits.
        assert width == pytest.approx(float(over[place]), rel=1e-12)


def test_passes_of_an_engine_that_launches_alike_are_not_timed_again() -> None:
    passes = passes_of(16)
    slower = passes.run_by(dataclasses.replace(VLLM, layer_s=VLLM.layer_s + 1e-5))
    assert slower.steps is passes.steps
    assert slower.passes is passes.passes
    # Outside of its graphs a kernel is launched as in a benchmark, which takes longer.
    eager = passes.run_by(dataclasses.replace(VLLM, replay=None))
    assert np.all(np.asarray(eager.steps[0].timing.time_s) > np.asarray(passes.steps[0].timing.time_s))


# Who is let in.

HBM = H100.chip.hbm_bytes
WHOLE = Stage(layers=LLAMA.layers, is_first=True, is_last=True)
WEIGHTS = stage_weight_bytes(LLAMA, LLAMA.precision, Layout(tp=8), WHOLE)
KEPT = float(activation_bytes(LLAMA, Layout(tp=8), rows=8192, sampled=PROFILED_SEQUENCES))
OF_A_TOKEN = kv_bytes_per_token(LLAMA, LLAMA.precision) / 8
PAGES = Limits(memory_fraction=0.9, output_fraction=0.5, profiles_pass=True, raised_fraction=0.95)


def let_in(limits: Limits, **changes: Any) -> float:  # noqa: ANN401  as above
    engine = Engine(name="made", status="made up", limits=(limits,))
    return admitted_sequences(deployed(engine=engine, **changes), WORKLOAD)


def test_with_room_for_all_of_its_tokens_a_sequence_takes_all_of_them() -> None:
    free = (HBM - WEIGHTS - KEPT) * 0.9
    assert let_in(Limits(memory_fraction=1.0, cache_fraction=0.9, profiles_pass=True)) == pytest.approx(
        free / (2501 * OF_A_TOKEN)
    )


def test_with_pages_a_sequence_takes_half_of_what_it_is_still_to_become() -> None:
    free = HBM * 0.9 - WEIGHTS - KEPT
    assert let_in(PAGES) == pytest.approx(free / ((2000 + 0.5 * 501) * OF_A_TOKEN))


def test_what_is_reserved_may_hold_a_pass() -> None:
    free = HBM - 18e9 - WEIGHTS
    found = let_in(Limits(memory_fraction=1.0, output_fraction=0.5, reserved_bytes=18e9, reserves_pass=True))
    assert found == pytest.approx(free / ((2000 + 0.5 * 501) * OF_A_TOKEN))


TIGHT = (
    dataclasses.replace(PAGES, memory_fraction=0.2),
    Limits(memory_fraction=1.0, output_fraction=0.5, reserved_bytes=8e10, reserves_pass=True, raised_fraction=0.95),
)


@pytest.mark.parametrize("limits", TIGHT)
def test_where_the_default_leaves_hardly_any_room_it_is_raised(limits: Limits) -> None:
    assert (limits.memory_fraction or 1.0) * HBM - limits.reserved_bytes - WEIGHTS < LEAST_ROOM * HBM
    assert let_in(limits) == pytest.approx(LEAST_ROOM * HBM / ((2000 + 0.5 * 501) * OF_A_TOKEN))
    assert let_in(dataclasses.replace(limits, raised_fraction=0.0)) == 0.0


@pytest.mark.parametrize("limits", [PAGES, *TIGHT])
def test_more_memory_never_leaves_less_room(limits: Limits) -> None:
    """Also where the default comes to leave enough; and never a jump."""
    sizes = np.linspace(0.2, 1.5, 400) * HBM
    machines = [dataclasses.replace(H100, chip=dataclasses.replace(H100.chip, hbm_bytes=size)) for size in sizes]
    rooms = np.array([let_in(limits, machine=machine) for machine in machines])
    # The cache takes all that comes on top at the most; the first sequence is let in whole.
    steps, most = np.diff(rooms), np.diff(sizes)[0] / ((2000 + 0.5 * 501) * OF_A_TOKEN)
    assert steps.min() >= 0
    assert steps[rooms[:-1] > 1].max() <= most * (1 + 1e-9)


def test_the_first_limits_that_suit_a_chip_hold() -> None:
    large = Limits(least_hbm_bytes=7e10, not_on=("A100",), memory_fraction=0.9, sequences=1024)
    small = Limits(memory_fraction=0.8, sequences=256)
    engine = Engine(name="made", status="made up", limits=(large, small))
    machines = {name: load_machine(name) for name in ("h100-sxm", "a100-80-sxm", "l40s")}
    found = {name: limits_of(deployed(machine=machine, engine=engine)) for name, machine in machines.items()}
    assert found == {"h100-sxm": large, "a100-80-sxm": small, "l40s": small}
    assert limits_of(deployed(engine=IDEAL_ENGINE)).memory_fraction == H100.efficiency.usable_hbm_fraction


def test_weights_that_do_not_fit_let_nobody_in() -> None:
    """141 GB on one chip of 80."""
    assert let_in(PAGES, layout=Layout()) == 0.0


def test_groups_each_let_in_as_many() -> None:
    model = load_model("llama-3.1-8b")
    one, four = (times_of(8, model=model, layout=Layout(dp=groups)).admitted for groups in (1, 4))
    assert four == pytest.approx(4 * one)


@pytest.mark.parametrize("groups", [1, 4])
def test_a_pool_lets_in_what_memory_and_the_engine_both_do(groups: int) -> None:
    """Memory of a chip has room for some 200 such requests: a limit above that changes nothing."""
    model, layout = load_model("llama-3.1-8b"), Layout(dp=groups)
    limits = [tuple(dataclasses.replace(one, sequences=most) for one in VLLM.limits) for most in (16, 1000)]
    memory = admitted_sequences(deployed(model=model, layout=layout), WORKLOAD)
    limited = (dataclasses.replace(VLLM, limits=one) for one in limits)
    low, high = (times_of(8, model=model, layout=layout, engine=one).admitted[0] for one in limited)
    assert 16 < memory < 1000
    assert (low, high) == (16 * groups, memory * groups)


def test_chips_that_share_sequences_hold_a_part_of_each() -> None:
    """Context over two chips: each holds half of a sequence, and all of the weights."""
    model = load_model("llama-3.1-8b")
    alone, shared = (let_in(PAGES, model=model, layout=Layout(cp=ranks)) for ranks in (1, 2))
    assert shared == pytest.approx(2 * alone, rel=0.01)  # a chip of two keeps no more of a pass


def test_intervals_widen_by_how_far_a_deployment_is_from_what_was_measured() -> None:
    factors = {"machine": 2.0, "known": 0.5, "layer_kind": 1.5, "release": 1.25, "users": 1.1, "chips": 1.2}
    widths: dict[str, Any] = {f"of_{what}": {"tpot_s": factor} for what, factor in factors.items()}
    evidence = Evidence(
        deployments=(("llama-3.1-70b", "h100-sxm"),),
        machines=("h100-sxm",),
        layer_kinds=("latent_attention_layer_s",),
        newest="2026-05-29",
        users=64,
        chips=4,
        of_options={"tpot_s": 1.3},
        of_drafts={"tpot_s": 1.4},
        **widths,
    )

    def wider(**changes: Any) -> float:  # noqa: ANN401  fields of the question
        near: dict[str, Any] = {"model": "another", "machine": "h100-sxm", "chips": 4, "released": "2026-05-29"}
        return evidence.widening(Asked(**(near | changes)), "tpot_s")

    assert wider() == wider(layer_kinds=("latent_attention_layer_s",)) == wider(users=64) == 1
    assert wider(model="llama-3.1-70b") == 0.5
    assert wider(machine="b200-sxm") == 2
    assert wider(layer_kinds=("linear_attention_layer_s",)) == 1.5
    assert wider(released="2026-05-30") == 1.25
    assert wider(released="") == 1  # of no release that is named
    assert wider(users=256) == pytest.approx(1.1**2)  # two doublings
    assert wider(chips=8) == pytest.approx(1.2)
    assert wider(chips=2) == pytest.approx(1 / 1.2)
    assert wider(is_run_as_measured=False) == 1.3
    assert wider(drafts=True) == 1.4
    assert wider(machine="b200-sxm", chips=16) == pytest.approx(2 * 1.2**2)
    asked = Asked(model="another", machine="b200-sxm", chips=8)
    assert evidence.widening(asked, "ttft_s") == Evidence().widening(asked, "tpot_s") == 1
    with pytest.raises(RidgelineError, match="users=0"):
        Evidence(users=0)


def test_groups_wait_for_each_other_where_they_share_experts() -> None:
    """Groups of a dense model are servers of their own."""
    for model, groups, waits in (("llama-3.1-8b", 4, 0), ("gpt-oss-120b", 4, 1), ("gpt-oss-120b", 1, 0)):
        times = times_of(8, model=load_model(model), layout=Layout(dp=groups, ep=groups if waits else 1))
        assert times.waits_for_groups == waits


def test_a_load_says_how_far_it_lies() -> None:
    eager = dataclasses.replace(VLLM, options=EngineOptions(replays_graphs=False))
    asked = asked_of(passes_of(16, fidelity=MEASURED).run_by(eager))
    assert (asked.model, asked.machine) == (passes_of(16).deployment.model.id, "h100-sxm")
    assert (asked.chips, asked.users) == (passes_of(16).deployment.layout.chips, 16)
    assert asked.layer_kinds == ()  # grouped heads have no small kernels of their own
    assert not asked.is_run_as_measured
    assert small_kernels_of(load_model("deepseek-v3").groups[0].attention) == ("latent_attention_layer_s",)


def test_an_interval_is_as_much_wider_as_its_load_is_far() -> None:
    evidence = Evidence(
        deployments=(("llama-3.1-70b", "h100-sxm"),), machines=("h100-sxm",), of_known={"tpot_s": 0.5}, chips=8
    )
    plain = passes_of(16, fidelity=MEASURED).run_by(dataclasses.replace(VLLM, evidence=Evidence()))
    known = plain.run_by(dataclasses.replace(VLLM, evidence=evidence))
    of_step, of_prompt = plain.kernel_widths
    width = VLLM.widths["tpot_s"]
    assert load_width(plain, "tpot_s") == pytest.approx(math.hypot(of_step, width))
    assert load_width(known, "tpot_s") == pytest.approx(0.5 * math.hypot(of_step, width))
    assert load_width(known, "ttft_s") == load_width(plain, "ttft_s") > of_prompt


@pytest.mark.parametrize(
    "options",
    [
        EngineOptions(replays_graphs=False),
        EngineOptions(overlaps_host=False),
        EngineOptions(captured_sequences=1),
        EngineOptions(replays_graphs=False, overlaps_host=False),
    ],
)
def test_an_engine_run_as_nobody_measured_it_is_no_surer_than_by_default(options: EngineOptions) -> None:
    plain = passes_of(16, fidelity=MEASURED).run_by(VLLM)
    run = plain.run_by(dataclasses.replace(VLLM, options=options))
    # Kernels weigh less beside the host's time, which has no band.
    assert run.kernel_widths[0] < plain.kernel_widths[0]
    # Also where nothing says how much wider what nobody measured is.
    for evidence in (VLLM.evidence, Evidence()):
        before, after = (
            one.run_by(dataclasses.replace(one.deployment.engine, evidence=evidence)) for one in (plain, run)
        )
        for quantity in ("tpot_s", "ttft_s"):
            assert load_width(after, quantity) >= load_width(before, quantity)


def test_options_widen_first_tokens_as_steps_and_not_as_an_engine_that_nobody_knows() -> None:
    """They add host time and waits of some steps to prompts that are read as ever."""
    plain = passes_of(16, fidelity=MEASURED).run_by(VLLM)
    run = plain.run_by(dataclasses.replace(VLLM, options=EngineOptions(aligned_prompt_steps=16)))
    widths = [load_width(run, quantity) / load_width(plain, quantity) for quantity in ("tpot_s", "ttft_s")]
    assert widths[0] == pytest.approx(widths[1])
    assert 1 < widths[1] < 1.5
