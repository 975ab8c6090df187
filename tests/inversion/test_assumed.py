from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.inversion.lists import PLAIN, infer, likelihood

from ridgeline.errors import RidgelineError
from ridgeline.inversion.assumed import assumed_of
from ridgeline.inversion.evidence import Multiplier, Step


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"size": 1.0}, "no unknown 'size' to assume; there are active_params"),
        ({"active_params": 1e30}, "it lies from 100M to 100T"),
        ({"utilisation_fraction": 3.0}, "cannot be 300 %; it lies from 1 % to 100 %"),
        ({"tier": 7.0}, "tier cannot be 7.0; it is one of HBM, DDR, flash, disk"),
        ({"kind": "sparse"}, "it is one of experts, dense"),
        ({"line_margins": 1.0}, "no unknown 'line_margins'"),
        ({"meaning": 0.0}, "no unknown 'meaning'"),
        ({"total_params": 1e12}, "beside active_params"),
        ({"active_params": 1e12, "total_params": 1e11}, "beside active_params"),
        ({"active_params": 1e11, "total_params": 1e12, "kind": "dense"}, "is not 'dense'"),
    ],
)
def test_what_cannot_be_is_refused(named: dict[str, float | str], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        assumed_of(named)


def test_what_is_assumed_is_given_back() -> None:
    named: dict[str, float | str] = {"active_params": 37e9, "price_over_cost": 3.0, "kind": "dense", "tier": "DDR"}
    assert assumed_of(named).given() == named
    assert assumed_of({"active_params": 70e9, "total_params": 70e9}).kind == "dense"


def test_what_is_assumed_of_a_model_is_not_of_its_siblings() -> None:
    """How far a vendor's other models lie apart is the same, whatever is known of this one."""
    policy = Multiplier(line="output", ratio=4.0, shared_by=9, of=9, input_span=100.0, is_policy=True)
    step = Step(threshold_tokens=200e3, shared_by=9, input_span=100.0)
    listed = dataclasses.replace(
        PLAIN,
        multipliers=(policy,),
        step=step,
    )
    free = likelihood(listed)
    whole: dict[str, float | str] = {"active_params": 1e11, "kv_bytes_per_token": 6e4, "read_fraction": 1.0}
    for named in ({"active_params": whole["active_params"]}, whole):
        pinned = likelihood(listed, assumed_of(named))
        assert pinned.step_spread == free.step_spread
        np.testing.assert_array_equal(pinned.covariance, free.covariance)


@pytest.mark.slow
def test_answers_that_are_assumed_are_not_asked() -> None:
    found = infer(PLAIN, assumed_of({"kind": "dense", "tier": "DDR", "active_params": 5e10, "total_params": 5e10}))
    assert {one.name for one in found.questions} == {"machine", "format"}
    assert not {"active_params", "total_params", "expansion"} & {one.name for one in found.unknowns}
