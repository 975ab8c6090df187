"""What each degree of a layout divides, and what it leaves whole: work, memory, and where chips lie."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.equations.memory import bytes_per_chip
from ridgeline.estimator.attention import cores
from ridgeline.estimator.clock import Cause, kernel_timing
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.estimate import Estimate, estimate
from ridgeline.estimator.kernels import ExpertMatmul, Kernel, Matmul, Stream, Work, work
from ridgeline.estimator.memory import Memory
from ridgeline.estimator.messages import AllGather, AllReduce, Message
from ridgeline.estimator.parameters import layer_matrices, weight_bytes, weight_bytes_per_chip
from ridgeline.estimator.placement import domain_sizes, group, placement_faults, torus_box
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import step_operations
from ridgeline.numeric import Numeric
from ridgeline.specs.efficiency import IDEAL
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.fidelity import MEASURED, ROOFLINE
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import matmul_format
from ridgeline.specs.passes import Pass, decode, prefill
from ridgeline.specs.topology import Switch

H100, MI300X, A100, TPU = (
    # Without fitted kernels: what is said here of rates and unpacking is the plain form's.
    machine.with_efficiency(dataclasses.replace(machine.efficiency, kernels=None))
    for machine in (load_machine(name) for name in ("h100-sxm", "mi300x", "a100-80-sxm", "tpu-v4"))
)
ROWS = FabricLevel(name="row", chips=64, bytes_per_s=200e9, topology=Switch())
THREE_LEVELS = dataclasses.replace(H100, id="three-levels", fabric=(H100.fabric[0], ROWS, H100.fabric[1]))
LLAMA, SMALL, PALM = (load_model(name) for name in ("llama-3.1-70b", "llama-3.1-8b", "palm-540b"))
DEEPSEEK, QWEN = load_model("deepseek-v3"), load_model("qwen3-30b-a3b")


# Work.


def kernels(model: Model, layout: Layout, pass_: Pass) -> Iterator[tuple[int, Kernel]]:
    """What a chip of every stage does for one micro-batch, all stages together, and how often."""
    for one in step_operations(deploy(model, TPU, layout, precision=model.precision), shares_of(pass_, layout)):
        if not isinstance(one.kernel, Message):
            yield one.repeats, one.kernel


def of_replica(model: Model, layout: Layout, pass_: Pass, amount: Callable[[Work], Numeric]) -> float:
    """An amount of work of all chips of a replica in a step: of each, for all micro-batches, its stage's part."""
    in_flight = shares_of(pass_, layout).micro_batches
    chip = sum(repeats * float(amount(work(kernel))) for repeats, kernel in kernels(model, layout, pass_))
    return float(in_flight) * layout.chips / layout.pp * chip


def done_again(model: Model, layout: Layout, pass_: Pass) -> float:
    """FLOP of matrices that several chips of ``tp`` hold alike, and of an indexer's scores, but for the first time."""
    (lane,) = pass_.lanes
    tokens = float(pass_.tokens)
    flop = 0.0
    for part in model.groups:
        for matrix in layer_matrices(part, model.hidden):
            copies = max(1.0, layout.tp / layout.tp_rows / matrix.parts)
            flop += part.layers * (copies - 1) * 2 * tokens * matrix.params
        for name, core in cores(
            part.attention, lane, sequences=lane.sequences, tp=1, kv_format=model.precision.kv
        ).items():
            if name == "index scores":
                flop += part.layers * (layout.tp / layout.kv_dp - 1) * float(work(core).flop)
    return flop


def evenly(layout: Layout, sequences: int, *, decodes: bool, prompt: int = 100) -> Pass:
    """A pass whose sequences divide by every degree of a layout."""
    batch = sequences * layout.dp * layout.pp * layout.cp * layout.kv_dp
    return decode(batch=batch, context_tokens=prompt) if decodes else prefill(batch=batch, prompt_tokens=prompt)


DENSE_LAYOUTS = (
    "pp4",
    "cp4",
    "tp8,tp_rows2",
    "tp64,tp_rows8",
    "tp16,tp_rows4,kv_dp4",
    "dp4,fsdp4",
    "tp4,pp2,dp4,cp2,tp_rows2,kv_dp2,fsdp2",
)
ROUTED_LAYOUTS = ("pp4", "cp4", "tp4,kv_dp4", "dp8", "tp2,pp2,dp4,cp2")
CASES = [
    *itertools.product(("llama-3.1-70b", "palm-540b", "gemma-3-27b"), DENSE_LAYOUTS[:3]),
    *(("llama-3.1-70b", text) for text in DENSE_LAYOUTS[3:]),
    ("palm-540b", "tp64,tp_rows4,kv_dp64"),
    ("qwen3.5-27b", "tp2,pp4,cp2,kv_dp2"),
    *itertools.product(("qwen3-30b-a3b", "deepseek-v3"), ROUTED_LAYOUTS),
    ("deepseek-v3.2", "tp8,kv_dp2"),
]


@pytest.mark.parametrize(("model_id", "text"), CASES)
@given(sequences=st.integers(1, 50), prompt=st.integers(1, 20_000), passes=st.integers(1, 5))
def test_all_chips_together_compute_what_one_would(
    model_id: str, text: str, sequences: int, prompt: int, passes: int
) -> None:
    """But for what several hold alike, which each computes."""
    model, layout = load_model(model_id), Layout.from_text(text)
    reading = evenly(layout, sequences, decodes=False, prompt=prompt)
    assert reading.has_prompts
    for pass_ in (
        evenly(layout, sequences, decodes=True, prompt=prompt),
        dataclasses.replace(reading, chunks=passes),
    ):
        alone = of_replica(model, Layout(), dataclasses.replace(pass_), lambda done: done.flop)
        together = of_replica(model, layout, pass_, lambda done: done.flop)
        # Sums of a few thousand terms in another order.
        assert together == pytest.approx(alone + done_again(model, layout, pass_), rel=1e-11)


@pytest.mark.parametrize("text", ["dp8,ep8", "tp2,dp4,ep4", "dp8,ep8,pp2,cp2"])
@pytest.mark.parametrize("model", [QWEN, DEEPSEEK], ids=lambda model: model.id)
def test_the_groups_of_experts_together_compute_what_one_chip_would(model: Model, text: str) -> None:
    """0.2 %: of a million tokens the busiest of 8 groups has 1.4 standard deviations more than the mean, 0.14 %."""
    layout = Layout.from_text(text)
    pass_ = evenly(layout, 2_000_000 // layout.chips, decodes=True)
    alone = of_replica(model, Layout(), pass_, lambda done: done.flop) + done_again(model, layout, pass_)
    together = of_replica(model, layout, pass_, lambda done: done.flop)
    assert alone <= together <= alone * 1.002


@given(
    batch=st.integers(1, 300),
    text=st.sampled_from([*DENSE_LAYOUTS, "cp3", "pp7", "dp5,cp2", "tp8,kv_dp8"]),
    decodes=st.booleans(),
)
def test_chips_that_do_not_share_evenly_do_more_and_never_less(batch: int, text: str, decodes: bool) -> None:  # noqa: FBT001
    layout = Layout.from_text(text)
    pass_ = decode(batch=batch, context_tokens=100) if decodes else prefill(batch=batch, prompt_tokens=100)
    alone = of_replica(LLAMA, Layout(), pass_, lambda done: done.flop)
    # Rounding of the last digits.
    assert of_replica(LLAMA, layout, pass_, lambda done: done.flop) >= alone * (1 - 1e-12)


@given(
    batch=st.integers(1, 300),
    text=st.sampled_from(["cp8", "pp4", "pp4,cp2", "pp7,cp3", "tp2,cp8"]),
    passes=st.integers(1, 3),
    decodes=st.booleans(),
)
def test_a_chip_with_all_experts_computes_every_visit_of_its_own_tokens(
    batch: int,
    text: str,
    passes: int,
    decodes: bool,  # noqa: FBT001
) -> None:
    """The fullest chip of a group that shares nothing else; a token visits 8 of Qwen3's 128 experts."""
    layout = Layout.from_text(text)
    pass_ = decode(batch=batch, context_tokens=9) if decodes else prefill(batch=batch, prompt_tokens=9, passes=passes)
    found = [kernel for _, kernel in kernels(QWEN, layout, pass_)]
    experts = next(kernel for kernel in found if isinstance(kernel, ExpertMatmul))
    rows = next(float(kernel.rows) for kernel in found if isinstance(kernel, Matmul))
    assert float(experts.visits) == pytest.approx(8 * rows)
    assert min(8.0, 8 * rows) <= float(experts.experts_touched) * (1 + 1e-12)


@pytest.mark.parametrize("text", [text for text in DENSE_LAYOUTS if text != "tp64,tp_rows8"])
@given(sequences=st.integers(1, 50))
def test_each_micro_batch_reads_every_weight_once_in_each_copy_of_the_model(text: str, sequences: int) -> None:
    """Weights that are gathered are read by every chip that gathers them."""
    layout = Layout.from_text(text)
    pass_ = evenly(layout, sequences, decodes=True)
    read = of_replica(LLAMA, layout, pass_, lambda done: done.weight_bytes)
    embedding = LLAMA.vocab * LLAMA.hidden * LLAMA.precision.embedding.weight.bytes_per_value
    every = weight_bytes(LLAMA, LLAMA.precision) - embedding
    assert read == pytest.approx(every * layout.dp * layout.cp * layout.pp, rel=1e-12)


@pytest.mark.parametrize(
    ("model_id", "text"),
    [
        ("llama-3.1-70b", "tp16,kv_dp2"),
        ("palm-540b", "tp8,kv_dp8"),
        ("deepseek-v3", "tp8,kv_dp8"),
        ("deepseek-v3", "pp4"),
        ("deepseek-v3", "tp4,kv_dp4,cp4"),
        ("deepseek-v3.2", "cp4"),
        ("gemma-3-27b", "cp8"),
        ("qwen3.5-27b", "cp4,pp2"),
    ],
)
@given(sequences=st.integers(1, 50), context=st.integers(1, 100_000))
def test_each_key_and_value_is_read_by_one_chip(model_id: str, text: str, sequences: int, context: int) -> None:
    model, layout = load_model(model_id), Layout.from_text(text)
    pass_ = evenly(layout, sequences, decodes=True, prompt=context)
    alone = of_replica(model, Layout(), pass_, lambda done: done.kv_bytes)
    assert of_replica(model, layout, pass_, lambda done: done.kv_bytes) == pytest.approx(alone, rel=1e-12)


def test_chips_of_one_group_that_keep_the_same_keys_all_read_them() -> None:
    """DeepSeek's latent is one for all heads: 8 chips that cut heads alone read it 8 times."""
    pass_ = decode(batch=64, context_tokens=1000)
    alone, together = (of_replica(DEEPSEEK, Layout(tp=tp), pass_, lambda done: done.kv_bytes) for tp in (1, 8))
    assert together == 8 * alone == 8 * 64 * 1000 * 70_272


# Memory.


def memory(model: Model, layout: Layout, pass_: Pass, machine: Machine = TPU) -> Memory:
    return estimate(deploy(model, machine, layout), pass_).memory


STAGES = st.sampled_from([1, 2, 4, 5, 8, 10, 16, 20, 40, 80])


@given(stages=STAGES, per_stage=st.integers(1, 64), context=st.integers(1, 100_000))
def test_stages_divide_weights_and_leave_a_chips_keys_and_values(stages: int, per_stage: int, context: int) -> None:
    """Lecture B15: with a micro-batch for every stage, Llama-3.1-70B's 80 layers of 1.7 GB in 16 bits."""
    layout = Layout(tp=8, pp=stages)
    found = memory(LLAMA, layout, decode(batch=per_stage * stages, context_tokens=context), H100)
    assert found.kv_bytes == pytest.approx(per_stage * context * 80 * 2 * 8 / 8 * 128 * 2, rel=1e-12)
    hidden, ffn = 8192, 28672
    layer = 2 * (hidden * (64 + 2 * 8 + 64) * 128 + 3 * hidden * ffn)
    end = 2 * 128_256 * hidden
    ends = 2 * end if stages == 1 else end  # embedding and head lie in different stages
    assert found.weights_bytes == pytest.approx((80 / stages * layer + ends) / 8, rel=1e-12)


@given(stages=STAGES, tp=st.sampled_from([1, 2, 4, 8]), per_stage=st.integers(1, 64), context=st.integers(1, 50_000))
def test_the_boards_memory_is_that_of_a_chip(stages: int, tp: int, per_stage: int, context: int) -> None:
    """Where stages are equal, all but the larger end."""
    layout, batch = Layout(tp=tp, pp=stages), per_stage * stages
    found = memory(LLAMA, layout, decode(batch=batch, context_tokens=context), TPU if tp * stages > 8 else H100)
    end = LLAMA.vocab * LLAMA.hidden * 2
    weights, kv = bytes_per_chip(
        weight_bytes=weight_bytes(LLAMA, LLAMA.precision) - 2 * end,
        kv_bytes_per_sequence=context * 327_680,
        batch=batch,
        chips_per_stage=tp,
        stages=stages,
    )
    ends = (2 if stages == 1 else 1) * end / tp
    assert found.weights_bytes == pytest.approx(weights + ends, rel=1e-12)
    assert found.kv_bytes == pytest.approx(kv, rel=1e-12)


@given(data=st.data())
def test_the_stages_of_a_pipeline_hold_the_whole_model(varied_model_id: str, data: st.DataObject) -> None:
    model = load_model(varied_model_id)
    stages = data.draw(st.integers(1, model.layers))
    chip = weight_bytes_per_chip(model, model.precision, Layout(pp=stages))
    # Rounding of the last digits.
    assert stages * chip >= weight_bytes(model, model.precision) * (1 - 1e-12)
    assert weight_bytes_per_chip(model, model.precision, Layout(pp=model.layers)) <= chip


@pytest.mark.parametrize("model", [LLAMA, DEEPSEEK, load_model("gemma-3-27b")], ids=lambda model: model.id)
@pytest.mark.parametrize("cp", [2, 8])
def test_chips_that_share_a_context_divide_its_keys_and_copy_the_weights(model: Model, cp: int) -> None:
    pass_ = decode(batch=64, context_tokens=30_000)
    alone, shared = memory(model, Layout(tp=8), pass_), memory(model, Layout(tp=8, cp=cp), pass_)
    assert shared.kv_bytes == pytest.approx(alone.kv_bytes / cp, rel=1e-12)
    assert shared.weights_bytes == alone.weights_bytes


@pytest.mark.parametrize(
    ("model", "tp", "kv_dp", "bytes_per_token"),
    [
        (LLAMA, 8, 4, 327_680 / 8),  # heads are cut already
        (LLAMA, 16, 2, 327_680 / 16),  # 8 heads over 16 chips: one of them each, in two copies
        (DEEPSEEK, 8, 8, 70_272 / 8),
        (DEEPSEEK, 8, 2, 70_272 / 2),
        (PALM, 64, 64, 118 * 2 * 256 * 2 / 64),
        (PALM, 64, 1, 118 * 2 * 256 * 2),
    ],
)
def test_groups_with_sequences_of_their_own_divide_what_tp_would_copy(
    model: Model, tp: int, kv_dp: int, bytes_per_token: float
) -> None:
    layout = Layout(tp=tp, tp_rows=4 if tp == 64 else 1, kv_dp=kv_dp)
    found = memory(model, layout, decode(batch=128, context_tokens=1000))
    assert found.kv_bytes == pytest.approx(128 * 1000 * bytes_per_token, rel=1e-12)


@pytest.mark.parametrize("sequences", [1, 7, 9])
def test_a_group_keeps_its_sequences_whole(sequences: int) -> None:
    """Of 8 groups the fullest keeps one of 7 sequences and two of 9, all 80 layers and 8 heads of them."""
    found = memory(LLAMA, Layout(tp=8, kv_dp=8), decode(batch=sequences, context_tokens=1000))
    assert found.kv_bytes == math.ceil(sequences / 8) * 1000 * 327_680


@pytest.mark.parametrize("tp", [1, 4])
@pytest.mark.parametrize("fsdp", [2, 8])
def test_weights_that_lie_spread_are_divided_but_for_the_layers_under_way(tp: int, fsdp: int) -> None:
    pass_ = decode(batch=64, context_tokens=1000)
    whole, spread = (memory(SMALL, Layout(tp=tp, dp=8, fsdp=degree), pass_) for degree in (1, fsdp))
    hidden, ffn = 4096, 14336
    layer = 2 * (hidden * (32 + 2 * 8 + 32) * 128 + 3 * hidden * ffn) / tp
    assert whole.weights_bytes == pytest.approx(32 * layer + 2 * 2 * 128_256 * hidden / tp)
    assert spread.weights_bytes == pytest.approx(whole.weights_bytes / fsdp)
    head = 2 * 128_256 * hidden / tp  # which is larger than a layer, and gathered while the last one runs
    assert spread.activation_bytes == pytest.approx(whole.activation_bytes + layer + max(layer, head))
    assert spread.kv_bytes == whole.kv_bytes


@pytest.mark.parametrize(
    ("model", "text"),
    [(SMALL, "dp4"), (SMALL, "tp4,dp4"), (SMALL, "tp8,dp4,tp_rows2"), (PALM, "tp16,dp4"), (PALM, "tp16,dp4,tp_rows4")],
)
def test_all_layers_gathered_are_the_weights_of_a_chip_that_spreads_none(model: Model, text: str) -> None:
    layout = Layout.from_text(text)
    spread = dataclasses.replace(layout, fsdp=4)
    found = step_operations(
        deploy(model, TPU, spread, precision=model.precision), shares_of(decode(batch=64, context_tokens=1), spread)
    )
    gathered = sum(
        one.repeats * float(one.kernel.buffer_bytes)
        for one in found
        if isinstance(one.kernel, AllGather) and one.name in {"weights gather", "head gather"}
    )
    looked_up = 0 if model.tied_embeddings else model.vocab * model.hidden * 2 / layout.tp
    assert gathered + looked_up == pytest.approx(weight_bytes_per_chip(model, model.precision, layout), rel=1e-12)


def test_a_cut_in_two_dimensions_holds_as_much_as_one_in_one() -> None:
    """PaLM's one stored head is cut along its rows alone: 4 chips share it, where 64 would each have all of it."""
    pass_ = decode(batch=64, context_tokens=1000)
    one, two = (memory(PALM, Layout(tp=16, tp_rows=rows), pass_).weights_bytes for rows in (1, 4))
    key_value = 118 * 2 * 18432 * 2 * 256
    assert float(one) - float(two) == pytest.approx(key_value * (1 - 1 / 4))


@pytest.mark.parametrize("redundant", [0, 32, 256])
def test_experts_held_twice_take_their_share(redundant: int) -> None:
    """Over 32 chips; each of 58 layers has 256 experts of 3 x 7168 x 2048 values in blocks of 8 bits."""
    pass_ = decode(batch=64, context_tokens=1000)
    layout = Layout(dp=32, ep=32)
    once = memory(DEEPSEEK, layout, pass_)
    twice = memory(DEEPSEEK, dataclasses.replace(layout, redundant_experts=redundant), pass_)
    expert = 3 * 7168 * 2048 * (1 + 4 / 128**2)
    assert float(twice.weights_bytes) - float(once.weights_bytes) == pytest.approx(58 * redundant * expert / 32)
    assert twice.kv_bytes == once.kv_bytes


def routed(layout: Layout, batch: int) -> ExpertMatmul:
    found = kernels(DEEPSEEK, layout, decode(batch=batch, context_tokens=1))
    return next(kernel for _, kernel in found if isinstance(kernel, ExpertMatmul))


def test_experts_held_twice_leave_each_group_as_much_to_compute_and_more_to_read() -> None:
    """The same visits, over 288 experts in place of 256; one token still wakes 8."""
    twice = 32
    assert (
        routed(Layout(dp=32, ep=32, redundant_experts=twice), 2048).visits == routed(Layout(dp=32, ep=32), 2048).visits
    )
    for batch, once, read in ((1, 8, 8), (100_000, 256, 288)):
        assert routed(Layout(), batch).experts_touched == pytest.approx(once)
        assert routed(Layout(redundant_experts=twice), batch).experts_touched == pytest.approx(read)
        assert routed(Layout(redundant_experts=twice), batch).visits == 8 * batch


# Layouts and where their chips lie.


@given(
    tp=st.sampled_from([1, 2, 8]),
    dp=st.sampled_from([1, 4, 8]),
    others=st.tuples(*(st.sampled_from([1, 2, 4]) for _ in range(5))),
    redundant=st.integers(0, 64),
)
def test_every_degree_is_read_back(tp: int, dp: int, others: tuple[int, ...], redundant: int) -> None:
    pp, cp, tp_rows, kv_dp, fsdp = others
    assume(tp % tp_rows == 0 and tp % kv_dp == 0 and dp % fsdp == 0)
    layout = Layout(tp=tp, dp=dp, pp=pp, cp=cp, tp_rows=tp_rows, kv_dp=kv_dp, fsdp=fsdp, redundant_experts=redundant)
    assert Layout.from_text(str(layout)) == layout
    assert Layout.from_text(str(layout).replace(",", "x")) == layout
    assert layout.chips == tp * dp * pp * cp


@pytest.mark.parametrize("text", ["dp72,ep72,redundant32", "dp72xep72xredundant32", "dp72 ep=72 redundant_experts=32"])
def test_a_layout_is_read_however_it_is_written(text: str) -> None:
    assert Layout.from_text(text) == Layout(dp=72, ep=72, redundant_experts=32)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tp8,tp_rows3", "tp_rows=3 does not divide tp=8"),
        ("tp2,kv_dp4", "kv_dp=4 does not divide tp=2"),
        ("tp8,dp2,fsdp8", "fsdp=8 does not divide dp=2"),
        ("tp2,pp8,ep16", r"ep=16 does not divide tp\*dp=2"),
        ("tp8,fsdp", "'fsdp' is not one of"),
        ("redundant4,redundant2", "given twice"),
    ],
)
def test_a_degree_that_cuts_what_is_not_there_is_refused(text: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        Layout.from_text(text)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=3), st.booleans(), st.integers(1, 2000))
def test_a_replica_lies_evenly_over_the_fewest_domains(factors: list[int], unbounded: bool, chips: int) -> None:  # noqa: FBT001
    """Level by level: what lies in a domain of the levels outside is divided among as few inside as hold it."""
    innermost, *others = itertools.accumulate(factors, lambda inner, factor: inner * factor)
    outside: list[int | None] = [*others, None] if unbounded else [*others]
    found = domain_sizes((innermost, *outside), chips)
    around = domain_sizes(tuple(outside), chips)
    if around is None:
        assert found is None
        return
    whole = around[0] if around else chips
    domains = next(count for count in itertools.count(1) if count * innermost >= whole)
    assert found == (None if whole % domains else (whole // domains, *around))


def met(members: list[int], sizes: tuple[int, ...]) -> tuple[float, ...]:
    """Chips in a domain, domains in the next: how many of each a group's members lie in, counted one by one."""
    ranks, units = [], len(members)
    for size in sizes:
        in_domain = Counter(chip // size for chip in members)
        assert len(set(in_domain.values())) == 1, "as many in each"
        ranks.append(units / len(in_domain))
        units = len(in_domain)
    return tuple(ranks)


DEGREES = (1, 2, 3, 4, 6, 8, 16)
REPLICAS = [
    (machine, layout)
    for machine in (H100, MI300X, TPU, THREE_LEVELS)
    for tp, dp, cp, pp in itertools.product(DEGREES, DEGREES, (1, 2, 3), (1, 2, 3, 8))
    for rows, fsdp in ((1, 1), (2, 1), (4, 2), (3, 3))
    if tp % rows == dp % fsdp == 0
    for layout in (Layout(tp=tp, dp=dp, cp=cp, pp=pp, tp_rows=rows, fsdp=fsdp),)
    if layout.chips <= 600 and not placement_faults(machine, layout)
]


@settings(max_examples=200)
@given(st.sampled_from(REPLICAS))
def test_every_group_meets_as_many_chips_of_each_level_as_lie_there(replica: tuple[Machine, Layout]) -> None:
    """Counted chip by chip, for every group of a replica without faults."""
    machine, layout = replica
    tp, rows, chips = layout.tp, layout.tp_rows, layout.chips
    sizes = domain_sizes(tuple(level.chips for level in machine.fabric), chips)
    assert sizes is not None
    plane = tp * layout.dp
    groups = ((tp, 1), (tp // rows, 1), (rows, tp // rows), (plane, 1), (layout.fsdp, tp), (layout.cp, plane))
    for ranks, stride in groups:
        found = group(machine.fabric, chips, ranks=ranks, stride=stride).ranks
        assert math.prod(int(count) for count in found) == ranks
        starts = (chip for chip in range(chips) if chip % (ranks * stride) < stride)
        for start in starts:
            assert met([start + stride * place for place in range(ranks)], sizes) == found


@pytest.mark.parametrize(
    ("machine", "text", "said"),
    [
        (H100, "dp9", "9 chips do not divide evenly over the domains of up to 8 chips of h100-sxm"),
        (H100, "tp4,dp3", "tp=4 neither divides nor is a multiple of the 6 chips in each domain"),
        (H100, "dp4,cp3", r"tp\*dp=4 neither divides nor is a multiple of the 6 chips"),
        (H100, "tp2,cp2,pp5", r"tp\*dp\*cp=4 neither divides nor is a multiple of the 5 chips|20 chips"),
        (THREE_LEVELS, "tp8,dp9", "tp=8 neither divides nor is a multiple of the 6|72 chips"),
        (H100, "tp24,tp_rows2", r"tp/tp_rows=12 neither divides nor is a multiple of the 8 chips"),
        (H100, "tp2,dp12,fsdp6", r"tp\*fsdp=12 neither divides nor is a multiple of the 8 chips"),
        (TPU, "tp17", "17 chips are no box of the 16 x 16 x 16 torus of tpu-v4"),
        (load_machine("tpu-v5e"), "tp2,pp17", "34 chips are no box of the 16 x 16 torus of tpu-v5e"),
    ],
)
def test_a_replica_that_does_not_lie_evenly_says_which_number(machine: Machine, text: str, said: str) -> None:
    faults = placement_faults(machine, Layout.from_text(text))
    assert len(faults) >= 1
    assert re.search(said, "; ".join(faults))


def test_a_machine_without_links_beyond_its_domains_holds_no_more_than_one() -> None:
    lone = dataclasses.replace(H100, fabric=H100.fabric[:1])
    assert not placement_faults(lone, Layout(tp=8))
    assert placement_faults(lone, Layout(tp=8, pp=2)) == (
        "16 chips do not fit the 8 of h100-sxm, which has no links beyond them",
    )


@pytest.mark.parametrize(
    ("machine_id", "chips", "sides", "rings"),
    [
        ("tpu-v4", 64, (4, 4, 4), (True, True, True)),
        ("tpu-v4", 8, (2, 2, 2), (False, False, False)),
        ("tpu-v4", 4096, (16, 16, 16), (True, True, True)),
        ("tpu-v5e", 8, (4, 2), (False, False)),
        ("tpu-v5e", 16, (4, 4), (False, False)),
        ("tpu-v5e", 32, (16, 2), (True, False)),
        ("tpu-v5e", 256, (16, 16), (True, True)),
    ],
)
def test_a_group_takes_the_box_with_the_most_links(
    machine_id: str, chips: int, sides: tuple[int, ...], rings: tuple[bool, ...]
) -> None:
    topology = load_machine(machine_id).fabric[0].topology
    found = torus_box(topology, chips)
    assert found is not None
    assert sorted(zip(*found, strict=True)) == sorted(zip(sides, rings, strict=True))


@given(chips=st.integers(1, 300), machine_id=st.sampled_from(["tpu-v4", "tpu-v5e", "tpu-v5p", "trainium2"]))
def test_no_box_has_more_links_than_the_one_taken(chips: int, machine_id: str) -> None:
    torus = load_machine(machine_id).fabric[0].topology
    found = torus_box(torus, chips)
    sides, every = torus.sides, torus.wraps_every  # type: ignore[union-attr]
    boxes = [box for box in itertools.product(*(range(1, side + 1) for side in sides)) if math.prod(box) == chips]

    def links(box: tuple[int, ...]) -> int:
        return sum((side > 1) + (side > 1 and side % every == 0) for side in box)

    if found is None:
        assert not boxes
        return
    box, rings = found
    assert box in boxes
    assert rings == tuple(side > 1 and side % every == 0 for side in box)
    assert links(box) == max(map(links, boxes))


# Messages. All values travel in 16 bits; Llama-3.1-8B has 32 layers of 32 heads that ask and 8 that are stored.

STEP, PROMPTS = decode(batch=64, context_tokens=1000), prefill(batch=8, prompt_tokens=3000, passes=3)
LAYER = 2 * (4096 * (32 + 2 * 8 + 32) * 128 + 3 * 4096 * 14336)
STORED = 2 * 8 * 128 * 2


@pytest.mark.parametrize(
    ("model", "text", "pass_", "name", "repeats", "buffer_bytes", "ranks"),
    [
        # Chips of dp that gather each layer, and the head, before it runs.
        (SMALL, "dp8,fsdp4", STEP, "weights gather", 32, LAYER, (4, 1)),
        (SMALL, "tp2,dp8,fsdp8", STEP, "weights gather", 32, LAYER / 2, (4, 2)),
        (SMALL, "dp8,fsdp4", PROMPTS, "weights gather", 3 * 32, LAYER, (4, 1)),
        (SMALL, "tp2,dp4,fsdp4", STEP, "head gather", 1, 128_256 * 4096 * 2 / 2, (4, 1)),
        # Chips of cp: a step's queries go to all parts of the context and come back; a prompt's context is gathered,
        # in the second of three passes that of two, in the third that of three: twice the whole.
        (SMALL, "tp2,cp4", STEP, "attention queries gather", 32, 64 * 16 * 128 * 2, (4, 1)),
        (SMALL, "tp2,cp4", STEP, "attention partial results", 32, 64 * 16 * 128 * 2, (4, 1)),
        (DEEPSEEK, "tp2,cp4", STEP, "attention queries gather", 61, 64 * 64 * 576 * 2, (4, 1)),
        (DEEPSEEK, "tp2,cp4", STEP, "attention partial results", 61, 64 * 64 * 512 * 2, (4, 1)),
        (SMALL, "tp2,cp4", PROMPTS, "attention context gather", 32, 2 * 8 * 3000 * STORED / 2, (4, 1)),
        (SMALL, "tp2,cp4,kv_dp2", PROMPTS, "attention context gather", 32, 2 * 8 / 2 * 3000 * STORED, (4, 1)),
        (SMALL, "tp8,cp2", PROMPTS, "attention context gather", 32, 2 * 8 * 3000 * STORED / 8, (1, 2)),
        # Groups of tp with their own sequences: queries leave their heads, and results come back.
        (SMALL, "tp8,kv_dp8", STEP, "attention queries to sequences", 32, 64 * 4 * 128 * 2, (8, 1)),
        (DEEPSEEK, "tp8,kv_dp8", STEP, "attention queries to sequences", 61, 64 * 16 * 576 * 2, (8, 1)),
        (DEEPSEEK, "tp8,kv_dp8", STEP, "attention results to heads", 61, 64 * 16 * 512 * 2, (8, 1)),
        # A cut in two dimensions, 4 by 4: sums of parts of the input, the stream in quarters.
        (SMALL, "tp16,tp_rows4", STEP, "attention qkv partial sums", 32, 64 * (32 + 2 * 8) / 4 * 128 * 2, (2, 2)),
        (SMALL, "tp16,tp_rows4", STEP, "attention output gather", 32, 64 * 32 / 4 * 128 * 2, (2, 2)),
        (SMALL, "tp16,tp_rows4", STEP, "dense up partial sums", 32, 64 * 2 * 14336 / 4 * 2, (2, 2)),
        (SMALL, "tp16,tp_rows4", STEP, "dense down gather", 32, 64 * 14336 / 4 * 2, (2, 2)),
        (SMALL, "tp16,tp_rows4", STEP, "attention all-reduce", 32, 64 * 4096 / 4 * 2, (4, 1)),
        (SMALL, "tp16,tp_rows4", STEP, "dense all-reduce", 32, 64 * 4096 / 4 * 2, (4, 1)),
        (SMALL, "tp16,tp_rows4", STEP, "head partial sums", 1, 64 * 128_256 / 4 * 2, (2, 2)),
        (SMALL, "tp16,tp_rows4", STEP, "logits all-gather", 1, 64 * 128_256 * 2, (8, 2)),
        # In one dimension the stream is whole.
        (SMALL, "tp16", STEP, "dense all-reduce", 32, 64 * 4096 * 2, (8, 2)),
        (SMALL, "tp8", PROMPTS, "dense all-reduce", 3 * 32, 8 * 1000 * 4096 * 2, (8, 1)),
    ],
)
def test_each_degree_sends_what_its_chips_lack(
    model: Model, text: str, pass_: Pass, name: str, repeats: int, buffer_bytes: float, ranks: tuple[int, int]
) -> None:
    found = step_operations(
        deploy(model, H100, Layout.from_text(text), precision=model.precision), shares_of(pass_, Layout.from_text(text))
    )
    sent = [one for one in found if one.name == name]
    assert sum(one.repeats for one in sent) == repeats
    for one in sent:
        assert isinstance(one.kernel, Message)
        assert float(one.kernel.buffer_bytes) == pytest.approx(buffer_bytes, rel=1e-12)
        assert one.kernel.group.ranks == ranks


# Blocks side by side.


def names(model: Model, layout: Layout, pass_: Pass) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in step_operations(deploy(model, TPU, layout, precision=model.precision), shares_of(pass_, layout)):
        found[one.name] = found.get(one.name, 0) + one.repeats
    return found


@pytest.mark.parametrize("pass_", [decode(batch=64, context_tokens=100), prefill(batch=4, prompt_tokens=512)])
def test_blocks_side_by_side_have_one_norm_and_one_all_reduce_a_layer(pass_: Pass) -> None:
    """PaLM-540B's 118 layers; the same one behind the other have two of each."""
    layout = Layout(tp=16)
    behind = dataclasses.replace(
        PALM, groups=tuple(dataclasses.replace(part, is_parallel=False) for part in PALM.groups)
    )
    beside_names, behind_names = names(PALM, layout, pass_), names(behind, layout, pass_)
    assert beside_names["attention norm"] == beside_names["dense all-reduce"] == 118
    assert "feed-forward norm" not in beside_names
    assert "attention all-reduce" not in beside_names
    assert behind_names == {**beside_names, "feed-forward norm": 118, "attention all-reduce": 118}
    # The time between them is that of these alone.
    beside, in_turn = (estimate(deploy(model, TPU, layout, fidelity=MEASURED), pass_) for model in (PALM, behind))
    extra = [one for one in in_turn.operations if one.name in {"feed-forward norm", "attention all-reduce"}]
    assert {type(one.timing.message) for one in extra} == {AllReduce, type(None)}
    expected = sum(float(one.time_s) for one in extra)
    assert in_turn.step_time_s - beside.step_time_s == pytest.approx(expected, rel=1e-9)
    assert in_turn.memory == beside.memory


def test_a_block_beside_attention_is_summed_with_it() -> None:
    """One sum carries the whole stream of 16 bits."""
    layout, pass_ = Layout(tp=16), decode(batch=64, context_tokens=100)
    found = step_operations(deploy(PALM, TPU, layout, precision=PALM.precision), shares_of(pass_, layout))
    summed = next(one.kernel for one in found if one.name == "dense all-reduce")
    norm = next(
        one.kernel
        for one in step_operations(deploy(PALM, TPU, layout, precision=PALM.precision), shares_of(pass_, layout))
        if one.name == "attention norm"
    )
    assert isinstance(summed, AllReduce)
    assert isinstance(norm, Stream)
    assert summed.buffer_bytes == 64 * 18432 * 2
    assert norm.width == 18432


# Weights that are narrower than what they are multiplied in.

INT4, BF16 = matmul_format("int4"), matmul_format("bf16")


@pytest.mark.parametrize("rows", [1, 16_384])
def test_narrow_weights_are_widened_before_the_product(rows: int) -> None:
    """Four operations a value at the A100's 19.5 TFLOP/s outside its matrix units, whatever else binds."""
    product = Matmul(rows=rows, columns=8192, inner=4096, format=INT4)
    routed = ExpertMatmul(visits=rows, experts_touched=3, hidden=4096, expert_hidden=1024, gated=True, format=INT4)
    for kernel, values in ((product, 8192 * 4096), (routed, 3 * 3 * 4096 * 1024)):
        free = dataclasses.replace(A100.efficiency, dequantise_flop_per_value=0)
        packed = kernel_timing(kernel, A100)
        without = kernel_timing(kernel, A100.with_efficiency(free))
        extra_s = 4 * values / 19.5e12
        assert A100.efficiency.dequantise_flop_per_value == 4
        assert float(packed.time_s) - float(without.time_s) == pytest.approx(extra_s, rel=1e-9)
        assert float(packed.causes[Cause.DEQUANTISE]) == pytest.approx(extra_s)
        assert packed.causes[Cause.COMPUTE] == without.causes[Cause.COMPUTE]
        assert sum(float(part) for part in packed.causes.values()) == pytest.approx(float(packed.time_s))


@pytest.mark.parametrize(
    ("machine", "formats"),
    [
        (A100, BF16),
        (H100, matmul_format("fp8")),
        (H100, matmul_format("fp8_block")),
        (load_machine("b200-sxm"), matmul_format("nvfp4")),
    ],
)
def test_weights_as_wide_as_what_they_are_multiplied_in_need_nothing(machine: Machine, formats: object) -> None:
    kernel = Matmul(rows=16, columns=8192, inner=4096, format=formats)  # type: ignore[arg-type]
    none = dataclasses.replace(machine.efficiency, dequantise_flop_per_value=0)
    assert kernel_timing(kernel, machine) == kernel_timing(kernel, machine.with_efficiency(none))


def test_a_whole_step_widens_every_weight_that_it_reads_narrow() -> None:
    """Llama-3.1-8B in int4 on an A100: 32 layers of 218 million values, and no head, which stays in 16 bits."""
    step = decode(batch=1, context_tokens=100)
    free = A100.with_efficiency(dataclasses.replace(A100.efficiency, dequantise_flop_per_value=0))

    def found(machine: Machine, **options: str) -> Estimate:
        return estimate(deploy(SMALL, machine, Layout(), **options), step)  # type: ignore[arg-type]

    layer = 4096 * (32 + 2 * 8 + 32) * 128 + 3 * 4096 * 14336
    extra_s = found(A100, weights="int4").step_time_s - found(free, weights="int4").step_time_s
    assert extra_s == pytest.approx(32 * layer * 4 / 19.5e12, rel=1e-9)
    assert found(A100).step_time_s == found(free).step_time_s
    ideal = A100.with_efficiency(IDEAL)
    spec_sheet = estimate(deploy(SMALL, A100, Layout(), fidelity=ROOFLINE, weights="int4"), step)
    assert spec_sheet.causes[Cause.COMPUTE] == spec_sheet.causes[Cause.DEQUANTISE] == 0
    assert spec_sheet.step_time_s == found(ideal, weights="int4").step_time_s


# Which layouts fit a model.


@pytest.mark.parametrize(
    ("model", "text", "said"),
    [
        (LLAMA, "tp96,tp_rows2", "tp/tp_rows=48 does not divide query_heads=64"),
        (LLAMA, "tp12,tp_rows4", "tp/tp_rows=3 does not divide query_heads=64"),
        (DEEPSEEK, "tp8,tp_rows2,dp4,ep32", "tp_rows=2 is for models without experts"),
        (DEEPSEEK, "dp32,ep32,redundant257", "redundant=257 is over experts=256"),
        (LLAMA, "tp24,tp_rows3", "tp_rows=3 does not divide hidden=8192"),
        (LLAMA, "pp81", "pp=81 stages are more than layers=80"),
    ],
)
def test_a_layout_that_does_not_divide_a_model_says_which_number(model: Model, text: str, said: str) -> None:
    found = "; ".join(layout_faults(model, H100, Layout.from_text(text)))
    assert said in found


def test_models_of_these_tests_have_what_they_are_taken_for() -> None:
    assert all(part.is_parallel for part in PALM.groups)
    assert not any(isinstance(part.feed_forward, RoutedExperts) for part in LLAMA.groups + PALM.groups)
