"""What stages do to a step's time: nothing but hops and waits, in turns of micro-batches."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import Estimate, estimate
from ridgeline.estimator.messages import Message
from ridgeline.estimator.pipeline import slowest_stage_s
from ridgeline.estimator.placement import domain_sizes, placement_faults, stage_hops
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.stage_cuts import engine_cut
from ridgeline.estimator.timed import WAIT, occupied_causes
from ridgeline.estimator.timing import Cause
from ridgeline.specs.fidelity import FIDELITIES, MEASURED, NAPKIN, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, decode, prefill
from ridgeline.specs.stage_cut import SpareLayers
from ridgeline.specs.topology import Switch

GB200, H100 = load_machine("gb200-nvl72"), load_machine("h100-sxm")
ROW = FabricLevel(name="row", chips=64, bytes_per_s=200e9, topology=Switch())
THREE_LEVELS = dataclasses.replace(H100, id="three-levels", fabric=(H100.fabric[0], ROW, H100.fabric[1]))
LLAMA, QWEN, DEEPSEEK = (load_model(name) for name in ("llama-3.1-70b", "qwen3-30b-a3b", "deepseek-v3"))
HOPS = frozenset({"stage send", "stage gather", "token return"})


def times_s(found: Estimate, *, without: frozenset[str] = frozenset()) -> dict[str, float]:
    """The time of each operation by its name."""
    times: dict[str, float] = {}
    for one in found.operations:
        if one.name not in without:
            times[one.name] = times.get(one.name, 0.0) + float(one.time_s)
    return times


def parts_s(found: Estimate) -> tuple[float, float]:
    """Time of one micro-batch in the layers of all stages, and at both ends."""
    on_the_way = [one for one in found.operations if one.name != WAIT]
    layers_s = sum(one.repeats * float(one.timing.time_s) for one in on_the_way if one.is_layer)
    return layers_s, sum(one.repeats * float(one.timing.time_s) for one in on_the_way if not one.is_layer)


def stages_s(parts: tuple[float, float], layers: int, stages: int) -> list[float]:
    """Times of all stages, one by one: what does not divide evenly lies before the last stage, from the back."""
    layer_s, ends_s = parts[0] / layers, parts[1]
    counts = [layers // stages] * stages
    for back in range(layers % stages):
        counts[-2 - back] += 1
    assert sum(counts) == layers
    return [count * layer_s for count in counts[:-1]] + [counts[-1] * layer_s + ends_s]


# A step of a pipeline against one of a stage's chips.

EQUAL_STAGES: list[tuple[Model, str, int]] = [
    (LLAMA, "tp8", 2),
    (LLAMA, "tp8", 5),
    (LLAMA, "tp4,dp2,kv_dp2", 4),
    (LLAMA, "dp8,fsdp8", 8),
    (QWEN, "dp8,ep8", 4),
    (QWEN, "tp4,cp2,ep4", 6),
    (DEEPSEEK, "tp2,dp4,ep8", 61),
]


@pytest.mark.parametrize(("model", "text", "stages"), EQUAL_STAGES)
@pytest.mark.parametrize("fidelity", [ROOFLINE, MEASURED], ids=lambda fidelity: fidelity.name)
@given(sequences=st.integers(1, 100), context=st.integers(1, 20_000))
def test_a_full_pipeline_steps_as_one_stages_chips_would_but_for_hops_and_waits(
    model: Model, text: str, stages: int, fidelity: Fidelity, sequences: int, context: int
) -> None:
    """Lecture B11: as many micro-batches as stages, each as large as the batch without a pipeline."""
    alone = Layout.from_text(text)
    layout = dataclasses.replace(alone, pp=stages)
    batch = sequences * alone.dp * alone.cp * alone.kv_dp
    one, piped = (
        estimate(deploy(model, H100, cut, fidelity=fidelity), decode(batch=count, context_tokens=context))
        for cut, count in ((alone, batch), (layout, batch * stages))
    )
    assert times_s(piped, without=HOPS | {WAIT}) == pytest.approx(times_s(one), rel=1e-9)
    extra_s = sum(time_s for name, time_s in times_s(piped).items() if name in HOPS | {WAIT})
    assert piped.step_time_s == pytest.approx(one.step_time_s + extra_s, rel=1e-9)
    # Where layers divide evenly, stages wait for no more than the ends, which one of them has besides.
    _, ends_s = parts_s(piped)
    assert 0 <= piped.causes[Cause.PIPELINE] <= (stages - 1) * ends_s + 1e-9 * piped.step_time_s


def test_a_pipeline_of_large_equal_stages_is_neutral() -> None:
    """Llama-3.1-405B's 126 layers over 2 nodes: 1 % for a head that is a layer's worth of one of them, and the hop."""
    model = load_model("llama-3.1-405b")
    one = estimate(deploy(model, H100, Layout(tp=8)), decode(batch=64, context_tokens=4000)).step_time_s
    two = estimate(deploy(model, H100, Layout(tp=8, pp=2)), decode(batch=128, context_tokens=4000)).step_time_s
    assert one < two < 1.01 * one


@given(stages=st.integers(1, 80), sequences=st.integers(1, 50), context=st.integers(1, 50_000))
def test_the_napkins_pipeline_waits_for_whole_layers_alone(stages: int, sequences: int, context: int) -> None:
    """The fullest stage has 80 / p layers, rounded up, and every micro-batch passes it."""
    one = estimate(deploy(LLAMA, H100, Layout(tp=8), fidelity=NAPKIN), decode(batch=sequences, context_tokens=context))
    step = decode(batch=sequences * stages, context_tokens=context)
    piped = estimate(deploy(LLAMA, H100, Layout(tp=8, pp=stages), fidelity=NAPKIN), step)
    uneven = stages * -(-80 // stages) / 80
    assert piped.step_time_s == pytest.approx(one.step_time_s * uneven, rel=1e-9)


@given(stages=st.sampled_from([2, 4, 8]), tp=st.sampled_from([1, 4]), sequences=st.integers(1, 32))
def test_where_reading_binds_napkin_and_roofline_read_a_pipeline_for_the_same_time(
    stages: int, tp: int, sequences: int
) -> None:
    """With arithmetic a hundred times as fast; activations, messages and waits are counted apart."""
    free = dataclasses.replace(
        GB200.chip, flop_per_s={name: 100 * peak for name, peak in GB200.chip.flop_per_s.items()}
    )
    machine = dataclasses.replace(GB200, chip=free)
    step = decode(batch=sequences * stages, context_tokens=4000)
    napkin, detailed = (
        estimate(deploy(LLAMA, machine, Layout(tp=tp, pp=stages), fidelity=fidelity), step)
        for fidelity in (NAPKIN, ROOFLINE)
    )
    read_s = detailed.causes[Cause.WEIGHTS] + detailed.causes[Cause.KV]
    assert read_s == pytest.approx(napkin.step_time_s, rel=1e-9)  # 80 layers divide evenly
    counted = (Cause.ACTIVATIONS, Cause.SCALE_UP, Cause.SCALE_OUT, Cause.PIPELINE)
    apart_s = sum(detailed.causes[cause] for cause in counted)
    assert detailed.step_time_s == pytest.approx(read_s + apart_s, rel=1e-9)


# Waits.

PHASES = st.one_of(
    st.builds(decode, batch=st.integers(1, 500), context_tokens=st.integers(1, 20_000)),
    st.builds(prefill, batch=st.integers(1, 40), prompt_tokens=st.integers(1, 20_000), passes=st.integers(1, 4)),
)


@pytest.mark.parametrize("model", [LLAMA, DEEPSEEK, load_model("gemma-3-27b")], ids=lambda model: model.id)
@given(pass_=PHASES, stages=st.integers(2, 16), data=st.data())
def test_a_step_takes_as_long_as_its_stages_simulated_one_by_one(
    model: Model, pass_: Pass, stages: int, data: st.DataObject
) -> None:
    """Micro-batches of a step come round and round; passes of prompts follow each other once."""
    layout = Layout(tp=data.draw(st.sampled_from([1, 4])), pp=stages)
    found = estimate(deploy(model, GB200, layout), pass_)
    passes = pass_.chunks
    in_flight = shares_of(pass_, layout).micro_batches
    layers_s, ends_s = parts_s(found)
    each_s = stages_s((layers_s / passes, ends_s / passes), model.layers, stages)
    count = int(in_flight) * passes
    rounds = 1 if pass_.has_prompts else 4 * stages + 8
    free_s, ready_s, ends = [0.0] * stages, [0.0] * count, []
    for _ in range(rounds):
        for number in range(count):
            for stage, stage_s in enumerate(each_s):
                free_s[stage] = ready_s[number] = max(free_s[stage], ready_s[number]) + stage_s
        ends.append(ready_s[-1])
    half = rounds // 2
    simulated_s = ends[-1] if rounds == 1 else (ends[-1] - ends[half - 1]) / (rounds - half)
    assert found.step_time_s == pytest.approx(simulated_s, rel=1e-9)


@given(
    layers_s=st.floats(1e-6, 1),
    ends_s=st.floats(0, 1),
    layers=st.integers(1, 130),
    stages=st.integers(1, 64),
)
def test_the_slowest_stage_is_the_largest_of_all(layers_s: float, ends_s: float, layers: int, stages: int) -> None:
    assume(stages <= layers)
    cut = engine_cut(SpareLayers.BEFORE_LAST, layers=layers, stages=stages)
    found = float(slowest_stage_s((layers_s, ends_s), cut))
    assert found == pytest.approx(max(stages_s((layers_s, ends_s), layers, stages)), rel=1e-12)
    # From the mean stage, which whole layers exceed by less than one, to one with both ends besides.
    rounding = 1 + 1e-12
    assert (layers_s + ends_s) / stages <= found * rounding
    assert found <= (layers_s / stages + layers_s / layers + ends_s) * rounding


@pytest.mark.parametrize("fidelity", FIDELITIES.values(), ids=FIDELITIES)
@given(pass_=PHASES, stages=st.integers(1, 18))
def test_causes_of_a_pipeline_add_up_and_no_stage_waits_for_less_than_nothing(
    fidelity: Fidelity, pass_: Pass, stages: int
) -> None:
    layout = Layout(tp=4, pp=stages)
    found = estimate(deploy(DEEPSEEK, GB200, layout, fidelity=fidelity), pass_)
    assert sum(found.causes.values()) == pytest.approx(found.step_time_s, rel=1e-9)
    assert sum(times_s(found).values()) == pytest.approx(found.step_time_s, rel=1e-9)
    assert found.causes[Cause.PIPELINE] >= -1e-12 * found.step_time_s
    # What the stages do on the mean: each its part of the way of every micro-batch.
    in_flight = shares_of(pass_, layout).micro_batches
    done_s = sum(parts_s(found)) * float(in_flight) / stages
    assert found.step_time_s - found.causes[Cause.PIPELINE] == pytest.approx(done_s, rel=1e-9)


@pytest.mark.parametrize("fidelity", FIDELITIES.values(), ids=FIDELITIES)
@given(pass_=PHASES, stages=st.integers(1, 18))
def test_a_pass_takes_up_its_chips_for_no_longer_than_it_lasts(fidelity: Fidelity, pass_: Pass, stages: int) -> None:
    """A step for all of its time; prompts for theirs in the slowest stage, which others follow at once."""
    layout = Layout(tp=4, pp=stages)
    deployment = deploy(DEEPSEEK, GB200, layout, fidelity=fidelity)
    found = estimate(deployment, pass_)
    causes = occupied_causes(found.operations, deployment, shares_of(pass_, layout))
    occupied_s = sum(float(part_s) for part_s in causes.values())
    assert float(causes[Cause.PIPELINE]) >= -1e-12 * float(occupied_s)
    in_flight = shares_of(pass_, layout).micro_batches
    slowest_s = max(stages_s(parts_s(found), DEEPSEEK.layers, stages))
    expected_s = float(in_flight) * slowest_s if pass_.has_prompts else found.step_time_s
    assert float(occupied_s) == pytest.approx(expected_s, rel=1e-9)
    assert float(occupied_s) <= found.step_time_s * (1 + 1e-12)


@given(sequences=st.integers(1, 16), stages=st.sampled_from([4, 5, 8, 10, 16]))
def test_a_pipeline_with_fewer_sequences_than_stages_stands_partly_idle(sequences: int, stages: int) -> None:
    """Lecture B9: each is a micro-batch of its own, so that a stage works once for each of them."""
    assume(sequences < stages)
    layout, step = Layout(tp=4, pp=stages), decode(batch=sequences, context_tokens=1000)
    found = estimate(deploy(LLAMA, GB200, layout), step)
    lone = estimate(deploy(LLAMA, GB200, layout), decode(batch=1, context_tokens=1000))
    assert parts_s(found) == pytest.approx(parts_s(lone), rel=1e-9)
    path_s, slowest_s = sum(parts_s(found)), max(stages_s(parts_s(found), 80, stages))
    assert found.step_time_s == pytest.approx(max(path_s, sequences * slowest_s), rel=1e-9)
    idle_s = found.step_time_s - path_s * sequences / stages
    assert found.causes[Cause.PIPELINE] == pytest.approx(idle_s, rel=1e-9)


def test_one_stage_is_no_pipeline() -> None:
    deployment, step = deploy(LLAMA, H100, Layout(tp=8)), decode(batch=64, context_tokens=1000)
    found = estimate(deployment, step)
    assert not any(one.name in HOPS | {WAIT} for one in found.operations)
    assert found.causes[Cause.PIPELINE] == 0
    causes = occupied_causes(found.operations, deployment, shares_of(step, deployment.layout))
    assert causes == pytest.approx(found.causes, rel=1e-12)


# Micro-batches and hops.


@given(batch=st.integers(1, 2000), dp=st.integers(1, 8), stages=st.integers(1, 70))
def test_micro_batches_hold_every_sequence_and_are_no_more_than_stages(batch: int, dp: int, stages: int) -> None:
    found = shares_of(decode(batch=batch, context_tokens=1), Layout(dp=dp, pp=stages))
    of_one, in_flight = float(found.sequences), float(found.micro_batches)
    assert of_one * in_flight * dp >= batch
    assert of_one * (in_flight - 1) * dp < batch
    assert 1 <= in_flight <= stages


@pytest.mark.parametrize(
    ("pass_", "rows", "hops"),
    [
        (decode(batch=64, context_tokens=100), 16, 3),
        (prefill(batch=4, prompt_tokens=4096, passes=2), 2048, 6),  # one prompt in two parts, each over three hops
    ],
)
def test_stages_hand_on_the_residual_stream_in_parts(pass_: Pass, rows: int, hops: int) -> None:
    """Each of 8 chips an eighth of it, in 16 bits; the next stage's gather the rest."""
    found = estimate(deploy(LLAMA, H100, Layout(tp=8, pp=4)), pass_)
    for name, expected in (("stage send", rows * 8192 * 2 / 8), ("stage gather", rows * 8192 * 2)):
        handed = [one for one in found.operations if one.name == name]
        assert sum(one.repeats for one in handed) == hops
        for one in handed:
            assert isinstance(one.timing.message, Message)
            assert float(one.timing.message.buffer_bytes) == expected
    returned = [one for one in found.operations if one.name == "token return"]
    assert len(returned) == (not pass_.has_prompts)  # a prompt's tokens are known


PIPELINES = [
    (machine, layout)
    for machine in (H100, GB200, THREE_LEVELS)
    for tp, dp, cp, pp in itertools.product((1, 2, 8, 16), (1, 3, 8), (1, 2), (2, 3, 4, 9, 16))
    for layout in (Layout(tp=tp, dp=dp, cp=cp, pp=pp),)
    if not placement_faults(machine, layout)
]


@given(st.sampled_from(PIPELINES))
def test_each_hop_crosses_the_level_that_lies_between_its_stages(replica: tuple[Machine, Layout]) -> None:
    """Stage by stage, over the chips of each."""
    machine, layout = replica
    sizes = domain_sizes(tuple(level.chips for level in machine.fabric), layout.chips)
    assert sizes is not None
    per_stage = layout.chips // layout.pp
    crossed: Counter[int] = Counter()
    for stage in range(layout.pp - 1):
        # The last chip of a stage and the first of the next are in one domain of this level, and of none inside.
        here, there = (stage + 1) * per_stage - 1, (stage + 1) * per_stage
        crossed[next(level for level, size in enumerate(sizes) if here // size == there // size)] += 1
    found = Counter({group.ranks.index(2): count for group, count in stage_hops(machine.fabric, layout)})
    assert found == crossed
    assert all(sorted(group.ranks)[:-1] == [1] * (len(sizes) - 1) for group, _ in stage_hops(machine.fabric, layout))


def test_a_pipeline_over_two_nodes_hands_on_between_them_once_and_returns_its_tokens() -> None:
    """Four stages of 4 chips: two hops inside nodes of 8, and one between."""
    found = estimate(deploy(LLAMA, H100, Layout(tp=4, pp=4), fidelity=ROOFLINE), decode(batch=64, context_tokens=1000))
    rows_bytes = 16 * 8192 * 2 / 4
    across_s = rows_bytes / 50e9 + 16 * 4 / 50e9
    assert found.causes[Cause.SCALE_OUT] == pytest.approx(across_s, rel=1e-9)
    inside = [one for one in found.operations if one.name == "stage send" and one.timing.causes[Cause.SCALE_UP] > 0]
    assert sum(float(one.time_s) for one in inside) == pytest.approx(2 * rows_bytes / 450e9, rel=1e-9)
