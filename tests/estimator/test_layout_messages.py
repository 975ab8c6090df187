"""What each degree of a layout sends, and blocks side by side, which send once."""

from __future__ import annotations

import dataclasses

import pytest
from tests.each import of_each
from tests.estimator.plain import DEEPSEEK, H100, LLAMA, PALM, SMALL, TPU

from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.kernels import Stream
from ridgeline.estimator.messages import AllReduce, Message
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import step_operations
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, decode, prefill

STEP, PROMPTS = decode(batch=64, context_tokens=1000), prefill(batch=8, prompt_tokens=3000, passes=3)
LAYER = 2 * (4096 * (32 + 2 * 8 + 32) * 128 + 3 * 4096 * 14336)
STORED = 2 * 8 * 128 * 2


@of_each(
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


def test_models_of_these_tests_have_what_they_are_taken_for() -> None:
    assert all(part.is_parallel for part in PALM.groups)
    assert not any(isinstance(part.feed_forward, RoutedExperts) for part in LLAMA.groups + PALM.groups)
