"""A grid gives what each of its points gives alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.timed import time_step, timed_operations
from ridgeline.estimator.timing import Cause
from ridgeline.numeric import Numeric
from ridgeline.specs.fidelity import FIDELITIES, Fidelity
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Pass, decode, prefill

MACHINE = load_machine("gb200-nvl72")
LAYOUTS = {False: [Layout(tp=8)], True: [Layout(tp=4), Layout(dp=8, ep=8), Layout(tp=2, dp=4, ep=4)]}


@pytest.mark.parametrize("fidelity", FIDELITIES.values(), ids=FIDELITIES)
@settings(max_examples=3)  # of each of twenty kinds of models at each fidelity, a hundred and fifty in all
@given(points=st.lists(st.tuples(st.integers(1, 20_000), st.integers(1, 100_000)), min_size=1, max_size=4))
def test_time_and_causes_agree(fidelity: Fidelity, varied_model_id: str, points: list[tuple[int, int]]) -> None:
    model = load_model(varied_model_id)
    deployment = deploy(model, MACHINE, fidelity=fidelity)
    batches = np.array([float(batch) for batch, _ in points])
    contexts = np.array([float(context) for _, context in points])

    def timed(layout: Layout, pass_: Pass) -> tuple[Numeric, dict[Cause, Numeric]]:
        return time_step(timed_operations(dataclasses.replace(deployment, layout=layout), pass_))

    for layout in LAYOUTS[any(hasattr(group.feed_forward, "experts") for group in model.groups)]:
        for grid, alone in (
            (
                timed(layout, decode(batch=batches, context_tokens=contexts)),
                [timed(layout, decode(batch=batch, context_tokens=context)) for batch, context in points],
            ),
            (
                timed(layout, prefill(batch=batches, prompt_tokens=contexts)),
                [timed(layout, prefill(batch=batch, prompt_tokens=context)) for batch, context in points],
            ),
        ):
            time_s, causes = grid
            assert np.broadcast_to(time_s, len(points)) == pytest.approx([one[0] for one in alone], rel=1e-12)
            for cause, part_s in causes.items():
                expected = [one[1][cause] for one in alone]
                assert np.broadcast_to(part_s, len(points)) == pytest.approx(expected, rel=1e-12)
