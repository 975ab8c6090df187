from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from ridgeline.errors import RidgelineError
from ridgeline.specs.reliability import CheckpointTier, Reliability

STORAGE = CheckpointTier(name="storage", bytes_per_s=2e12)
MEMORY = CheckpointTier(name="memory", chip_bytes_per_s=25e9, mended_fraction=0.9)


def reliability(*tiers: CheckpointTier) -> Reliability:
    return Reliability(chip_mtbf_s=2e8, restart_s=600.0, tiers=tiers)


def test_a_tier_is_as_fast_as_its_narrower_side() -> None:
    both = dataclasses.replace(STORAGE, chip_bytes_per_s=1e9)
    assert [both.rate_bytes_per_s(chips) for chips in (8, 16_384)] == [8e9, 2e12]
    assert STORAGE.rate_bytes_per_s(8) == 2e12
    assert MEMORY.rate_bytes_per_s(8) == 200e9


def test_tiers_by_name() -> None:
    assert (reliability(STORAGE).memory, reliability(STORAGE).storage) == (None, STORAGE)
    assert (reliability(MEMORY, STORAGE).memory, reliability(MEMORY, STORAGE).storage) == (MEMORY, STORAGE)


@pytest.mark.parametrize(
    ("tiers", "said"),
    [
        ((), "0 tiers of checkpoints; give one, on storage, or two"),
        ((MEMORY, MEMORY, STORAGE), "3 tiers of checkpoints"),
        ((MEMORY,), r"after 0\.9 of failures alone, and nothing mends the rest; end the tiers"),
        ((STORAGE, STORAGE), "mend 1 of failures; write a part above 0 and below 1"),
        ((dataclasses.replace(MEMORY, interval_s=60.0), STORAGE), "give both, or neither"),
        (
            (dataclasses.replace(MEMORY, interval_s=60.0), dataclasses.replace(STORAGE, interval_s=1000.0)),
            r"1000 s in 'storage' is no multiple of 60 s in 'memory'; write interval_s=1020",
        ),
        (
            (dataclasses.replace(MEMORY, interval_s=60.0), dataclasses.replace(STORAGE, interval_s=20.0)),
            "write interval_s=60",
        ),
    ],
)
def test_tiers_that_do_not_go_together_are_refused(tiers: tuple[CheckpointTier, ...], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        reliability(*tiers)


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(RidgelineError, match="how fast is it"):
        CheckpointTier(name="storage")
    narrow: list[dict[str, Any]] = [{"bytes_per_s": 2.0}, {"blocking_fraction": 0.0}, {"interval_s": math.nan}]
    for fields in narrow:
        with pytest.raises(RidgelineError, match=f"CheckpointTier 'storage': {next(iter(fields))}="):
            dataclasses.replace(STORAGE, **fields)
    wide: list[dict[str, Any]] = [{"chip_mtbf_s": 50.0}, {"restart_s": -1.0}, {"step_log_sd": 2.0}]
    for fields in wide:
        with pytest.raises(RidgelineError, match=f"Reliability: {next(iter(fields))}="):
            dataclasses.replace(reliability(STORAGE), **fields)
