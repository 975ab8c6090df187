"""A grid of steps says of each of its points what an estimate of that step alone says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.each import of_each

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import estimate
from ridgeline.estimator.grid import StepGrid, estimate_grid
from ridgeline.estimator.timing import Cause
from ridgeline.glossary import ImplausibleError
from ridgeline.specs.engine import IDEAL_ENGINE, Engine
from ridgeline.specs.fidelity import FIDELITIES, MEASURED, ROOFLINE, Fidelity
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import Pass, decode, prefill
from ridgeline.specs.workload import passes_of

H100, V5E, A100 = load_machine("h100-sxm"), load_machine("tpu-v5e"), load_machine("a100-80-sxm")
LLAMA, DEEPSEEK, QWEN = (load_model(name) for name in ("llama-3.1-8b", "deepseek-v3", "qwen3.5-35b-a3b"))
BATCHES = [1, 7, 3000]
CONTEXTS = [1, 8192, 70_000]

CASES: list[tuple[Model, Machine, list[str]]] = [
    (LLAMA, H100, ["tp1", "tp8,pp2", "tp4,cp4,kv_dp2", "dp4,fsdp4,pp4", "tp8,tp_rows2"]),
    (DEEPSEEK, H100, ["tp8,ep8", "dp64,ep64", "tp2,dp8,ep16,pp4", "dp72,ep72,redundant32", "tp8,cp2,kv_dp8"]),
    (QWEN, V5E, ["tp4,ep2", "dp8,ep8,pp2", "tp2,dp2,cp2"]),
]


def steps(layout: Layout, batch: int, context: int, *, is_prompt: bool) -> Pass:
    """The step at a point: a long prompt is read in passes of 8,192 tokens a chip that shares it."""
    if not is_prompt:
        return decode(batch=batch, context_tokens=context)
    return prefill(batch=batch, prompt_tokens=context, passes=passes_of(context / layout.cp))


def assert_agrees(
    found: StepGrid,
    model: Model,
    machine: Machine,
    fidelity: Fidelity,
    engine: Engine = IDEAL_ENGINE,
    *,
    is_prompt: bool,
    **formats: Any,  # noqa: ANN401  names of formats
) -> None:
    shape = (len(found.layouts), len(found.batch), len(found.context_tokens))
    assert found.step_time_s.shape == found.free_bytes.shape == found.bound.shape == shape
    for (place, batch, context), time_s in np.ndenumerate(found.step_time_s):
        layout = found.layouts[place]
        step = steps(layout, int(found.batch[batch]), int(found.context_tokens[context]), is_prompt=is_prompt)
        alone = estimate(deploy(model, machine, layout, fidelity=fidelity, engine=engine, **formats), step)
        at = (place, batch, context)
        # Sums of the same terms in another order.
        assert time_s == pytest.approx(alone.step_time_s, rel=1e-12)
        assert found.low_s[at] == pytest.approx(alone.low_s, rel=1e-12)
        assert found.high_s[at] == pytest.approx(alone.high_s, rel=1e-12)
        assert found.free_bytes[at] == pytest.approx(alone.memory.free_bytes, rel=1e-12, abs=1)  # a byte, near zero
        causes = {cause: part_s[at] for cause, part_s in found.causes_s.items()}
        assert causes == pytest.approx(alone.causes, rel=1e-12, abs=1e-12 * alone.step_time_s)
        assert found.bound[at] == alone.bound.value


@of_each("is_prompt", [False, True], ids=["decode", "prefill"])
@of_each("fidelity", FIDELITIES.values(), ids=FIDELITIES)
@of_each(("model", "machine", "texts"), CASES, ids=lambda case: getattr(case, "id", ""))
def test_every_point_equals_its_estimate(
    model: Model, machine: Machine, texts: list[str], fidelity: Fidelity, *, is_prompt: bool
) -> None:
    """Prompts of up to 9 passes; layouts in which fewer sequences than stages, or than groups, are in flight."""
    layouts = [Layout.from_text(text) for text in texts]
    found = estimate_grid(
        deploy(model, machine, fidelity=fidelity), layouts, batch=BATCHES, context_tokens=CONTEXTS, is_prompt=is_prompt
    )
    assert found.layouts == tuple(layouts)
    assert_agrees(found, model, machine, fidelity, is_prompt=is_prompt)


@settings(max_examples=15)
@given(
    batches=st.lists(st.integers(1, 10_000), min_size=1, max_size=3),
    contexts=st.lists(st.integers(1, 200_000), min_size=1, max_size=3),
    is_prompt=st.booleans(),
)
def test_points_agree_in_any_order_and_more_than_once(
    batches: list[int], contexts: list[int], *, is_prompt: bool
) -> None:
    layouts = [Layout(tp=2, pp=3), Layout(dp=4, cp=2, ep=4), Layout(tp=2, pp=3)]
    found = estimate_grid(deploy(DEEPSEEK, H100), layouts, batch=batches, context_tokens=contexts, is_prompt=is_prompt)
    assert_agrees(found, DEEPSEEK, H100, MEASURED, is_prompt=is_prompt)


@pytest.mark.parametrize("formats", [{"weights": "int4"}, {"kv": "fp8"}, {"weights": "fp8", "kv": "int8"}])
def test_other_formats_agree(formats: dict[str, Any]) -> None:
    """Those that a chip widens among them."""
    layouts = [Layout(tp=2), Layout(pp=2)]
    found = estimate_grid(
        deploy(LLAMA, A100, fidelity=MEASURED, **formats), layouts, batch=[1, 40], context_tokens=[10, 9000]
    )
    assert_agrees(found, LLAMA, A100, MEASURED, is_prompt=False, **formats)


@pytest.mark.parametrize("is_prompt", [False, True], ids=["decode", "prefill"])
def test_what_an_engine_takes_agrees(*, is_prompt: bool) -> None:
    """Hosts that are slower than their chips at small batches, and faster at large ones."""
    engine = Engine(
        name="slow",
        status="made up",
        is_captured=False,
        has_custom_all_reduce=False,
        step_s=1e-3,
        sequence_s=1e-5,
        prefill_pass_s=5e-3,
        layer_s=1e-5,
        layer_token_s=1e-7,
        launch_layer_s=3e-4,
    )
    layouts = [Layout(tp=2), Layout(pp=2), Layout(dp=4)]
    found = estimate_grid(
        deploy(LLAMA, A100, engine=engine), layouts, batch=BATCHES, context_tokens=CONTEXTS, is_prompt=is_prompt
    )
    assert_agrees(found, LLAMA, A100, MEASURED, engine, is_prompt=is_prompt)


def test_a_single_number_is_a_grid_of_one_point() -> None:
    found = estimate_grid(deploy(LLAMA, H100, fidelity=ROOFLINE), [Layout(tp=2)], batch=64, context_tokens=8000)
    alone = estimate(deploy(LLAMA, H100, Layout(tp=2), fidelity=ROOFLINE), decode(batch=64, context_tokens=8000))
    assert found.step_time_s.shape == (1, 1, 1)
    assert found.step_time_s.item() == pytest.approx(alone.step_time_s, rel=1e-12)


def test_causes_of_every_point_add_up_and_the_largest_binds() -> None:
    layouts = [Layout(tp=8), Layout(tp=4, pp=2), Layout(dp=8)]
    found = estimate_grid(deploy(LLAMA, H100), layouts, batch=[1, 256, 4096], context_tokens=[1, 4000, 100_000])
    total = np.sum(list(found.causes_s.values()), axis=0)
    assert total == pytest.approx(found.step_time_s, rel=1e-12)
    largest = np.max(list(found.causes_s.values()), axis=0)
    for at, bound in np.ndenumerate(found.bound):
        assert found.causes_s[Cause(str(bound))][at] == largest[at]
    assert (found.low_s <= found.step_time_s).all()
    assert (found.step_time_s <= found.high_s).all()
    # Each of 8 groups alone: a batch of one, long contexts, many sequences of one token.
    assert found.bound[2, 0, 0] == "weights"
    assert found.bound[2, 1, 2] == "kv"
    assert found.bound[2, 2, 0] == "compute"


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"layouts": []}, ValueError, "at least one layout, one batch and one context"),
        ({"batch": []}, ValueError, "at least one layout, one batch and one context"),
        ({"context_tokens": []}, ValueError, "at least one layout, one batch and one context"),
        ({"batch": [4, 0]}, ImplausibleError, "batch=.*0\\.0.* is outside"),
        ({"batch": [-1]}, ImplausibleError, "batch=.* is outside"),
        ({"batch": [float("nan"), 4]}, ImplausibleError, "batch=.*nan.* is outside"),
        ({"context_tokens": [100, 0]}, ImplausibleError, "context_tokens=.* is outside"),
        ({"context_tokens": [0.5], "is_prompt": True}, ImplausibleError, "prompt_tokens=.* is outside"),
        ({"layouts": [Layout(tp=2), Layout(tp=3)]}, LayoutError, "tp=3 does not divide query_heads=32"),
        ({"layouts": [Layout(pp=33)]}, LayoutError, "pp=33 stages are more than layers=32"),
        ({"weights": "fp5"}, ValueError, "'fp5' is not known"),
        ({"kv": "fp5"}, ValueError, "'fp5' is not known"),
    ],
)
def test_what_is_no_grid_is_refused(changes: dict[str, Any], error: type[Exception], said: str) -> None:
    given_anyway: dict[str, Any] = {"layouts": [Layout()], "batch": [1], "context_tokens": [1]}
    formats: dict[str, Any] = {name: changes[name] for name in ("weights", "kv") if name in changes}
    asked = {name: value for name, value in (given_anyway | changes).items() if name not in formats}
    with pytest.raises(error, match=said):
        estimate_grid(deploy(LLAMA, H100, **formats), **asked)
