"""One layer by itself, held against the step that runs all of them."""

from __future__ import annotations

import pytest

from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import layer_operations, step_operations
from ridgeline.specs.passes import decode
from ridgeline.verbs import deploy


@pytest.mark.parametrize(
    ("model", "machine", "layout"),
    [("llama-3.1-8b", "h100-sxm", "tp2"), ("deepseek-v3", "h200-sxm", "dp8,ep8"), ("gemma-3-27b", "h100-sxm", "tp2")],
)
def test_all_layers_one_by_one_are_those_of_the_step(model: str, machine: str, layout: str) -> None:
    deployment, step = deploy(model, machine, layout), decode(batch=64, context_tokens=4096)
    runs: dict[tuple[str, object], int] = {}
    for group in deployment.model.groups:
        layer = layer_operations(deployment, step, group)
        assert {operation.repeats for operation in layer} == {1}
        assert layer[0].name == "attention norm"
        for operation in layer:
            runs[operation.name, operation.kernel] = runs.get((operation.name, operation.kernel), 0) + group.layers
    expected: dict[tuple[str, object], int] = {}
    for operation in step_operations(deployment, shares_of(step, deployment.layout)):
        if operation.is_layer:
            key = operation.name, operation.kernel
            expected[key] = expected.get(key, 0) + operation.repeats
    assert runs == expected
