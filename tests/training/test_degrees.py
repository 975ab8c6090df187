"""Degrees that divide a model, its sequences and its experts."""

from __future__ import annotations

import pytest
from tests.training.jobs import job

from ridgeline.specs.layout import LayoutError
from ridgeline.training.degrees import context_degrees, expert_degrees, require_divides, tensor_degrees


def test_degrees_that_are_searched_are_not_refused() -> None:
    one = job("deepseek-v3", "dp64,ep64", sequence_tokens=12_288)
    assert (tensor_degrees(one), context_degrees(one)) == ([1, 2, 4, 8], [1, 2, 4, 8])
    for tp in tensor_degrees(one):
        for cp in context_degrees(one):
            for ep, expert_tp in expert_degrees(one.model, tp=tp, stage_chips=64 * tp * cp):
                require_divides(job("deepseek-v3", f"tp{tp},cp{cp},dp64,ep{ep},etp{expert_tp}", sequence_tokens=12_288))


@pytest.mark.parametrize(
    ("model", "layout", "said"),
    [
        ("llama-3.1-8b", "tp16", "more than the 8 chips of a scale-up domain of h100-sxm; 1, 2, 4, 8 can be had"),
        ("llama-3.1-8b", "tp3", "tp=3 does not divide the 32 heads of llama-3.1-8b; 1, 2, 4, 8 do"),
        ("llama-3.1-8b", "dp8,ep8", "has no routed experts"),
        ("deepseek-v3", "dp96,ep96", "does not divide 256 experts"),
        ("llama-3.1-8b", "cp3", "does not divide the 4,096 tokens"),
    ],
)
def test_degrees_that_do_not_divide_are_named_with_those_that_do(model: str, layout: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        require_divides(job(model, layout))
