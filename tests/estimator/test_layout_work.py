"""What each degree of a layout divides, and what it leaves whole: the work of all chips together."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.each import of_each
from tests.estimator.plain import DEEPSEEK, LLAMA, QWEN, TPU

from ridgeline.catalog import load_model
from ridgeline.estimator.attention import cores
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.kernels import ExpertMatmul, Kernel, Matmul, Work, work
from ridgeline.estimator.messages import Message
from ridgeline.estimator.parameters import layer_matrices, weight_bytes
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import step_operations
from ridgeline.numeric import Numeric
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, decode, prefill


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


@pytest.mark.slow
@of_each(("model_id", "text"), CASES)
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
