"""Limits on a replica's steps."""

from __future__ import annotations

import pytest

from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.limits import MOST_SEQUENCES, limits_for
from ridgeline.simulator.policies import CONTINUOUS
from ridgeline.specs.engine import UNLIMITED
from ridgeline.verbs import deploy
from ridgeline.verbs.names import load_engine

MORE = MOST_SEQUENCES + 1000


@pytest.mark.parametrize(
    ("engine", "asked", "blocks", "sequences"),
    [
        ("vllm", 64, None, 64),
        ("vllm", MORE, None, MORE),
        ("vllm", UNLIMITED - 1, MORE, MORE),  # each has a block at least
        ("ideal", None, None, MOST_SEQUENCES),
    ],
)
def test_as_many_sequences_run_as_are_asked_for_and_have_blocks(
    engine: str, asked: int | None, blocks: int | None, sequences: int
) -> None:
    for layout, groups in (("tp1", 1), ("dp2", 2)):
        run_by = load_engine(engine, max_sequences=asked)
        deployment = deploy("llama-3.1-8b", "h100-sxm", layout, engine=run_by)
        capacity = capacity_of(deployment, 100.0, kv_blocks=None if blocks is None else groups * blocks)
        assert limits_for(deployment, CONTINUOUS, capacity).sequences == groups * sequences
