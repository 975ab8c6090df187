"""The board's floors bound the napkin, and the napkin the roofline, for every model of the catalog."""

from __future__ import annotations

import dataclasses

import pytest

from ridgeline.catalog import load_machine, load_model, model_ids
from ridgeline.estimator.bounds import bounds_of
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.divisibility import layout_faults
from ridgeline.estimator.estimate import estimate
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.fidelity import NAPKIN, ROOFLINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import decode

MACHINES = [load_machine(name) for name in ("h100-sxm", "gb200-nvl72", "mi300x", "tpu-v5e")]
LAYOUTS = [
    Layout.from_text(text)
    for text in ("tp1", "tp8", "tp8,tp_rows2", "tp4,pp2", "tp4,cp2", "tp4,kv_dp4", "dp8", "tp8,ep8", "dp8,ep8")
]
ONE, MANY = 1, 32_768
"""So many touch every expert of any model; on each of 8 groups, too."""

LESS = 1 - 1e-9
"""Sums of the same terms in another order."""


def test_floor_napkin_and_roofline_come_in_this_order(every_model_id: str) -> None:
    """The napkin reads every expert, so that of routed ones the full floor bounds it at any batch.

    The roofline reads those that are touched: of one sequence no more than the floor of one sequence, so that this
    floor bounds it there, and the napkin does where every expert is touched. Of a dense model both are one.
    """
    model = load_model(every_model_id)
    is_routed = any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups)
    compared = 0
    for machine in MACHINES:
        for layout in LAYOUTS:
            if layout_faults(model, machine, layout):
                continue
            napkin, roofline = (deploy(model, machine, layout, fidelity=fidelity) for fidelity in (NAPKIN, ROOFLINE))
            for batch, context in ((ONE, 1), (ONE, 8000), (MANY, 8000)):
                step = decode(batch=batch, context_tokens=context)
                bounds = bounds_of(napkin, step, chips=layout.chips, held_tokens=context, usd_per_chip_s=None)
                by_formula, by_operation = (estimate(one, step).step_time_s for one in (napkin, roofline))
                assert bounds.has_experts == is_routed
                assert bounds.floor_one_sequence_s <= bounds.floor_step_time_s / LESS
                assert is_routed or bounds.floor_one_sequence_s == pytest.approx(bounds.floor_step_time_s, rel=1e-12)
                assert by_formula >= bounds.floor_step_time_s * LESS
                assert by_operation >= bounds.floor_one_sequence_s * LESS
                if batch == MANY or not is_routed:
                    assert by_operation >= by_formula * LESS
                compared += 1
    assert compared


@pytest.mark.slow
@pytest.mark.parametrize("model_id", model_ids())
def test_the_floors_know_no_layout(model_id: str) -> None:
    """Nor a batch: all chips together hold each weight once, and share it evenly."""
    model, machine = load_model(model_id), MACHINES[1]
    deployment = deploy(model, machine, Layout(), fidelity=NAPKIN)
    found = {
        bounds_of(
            dataclasses.replace(deployment, layout=layout),
            decode(batch=batch, context_tokens=8000),
            chips=8,
            held_tokens=8000,
            usd_per_chip_s=1.0,
        )
        for layout in LAYOUTS
        for batch in (ONE, MANY)
    }
    assert len(found) == 1
