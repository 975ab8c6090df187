"""What a replica has room for, and how fast a cache goes to the host."""

from __future__ import annotations

import dataclasses

import pytest

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.simulator.capacity import capacity_of
from ridgeline.specs.layout import Layout

LLAMA = load_model("llama-3.1-8b")
TOKEN_BYTES = 32 * 2 * 8 * 128 * 2


@pytest.mark.parametrize(
    ("machine", "bytes_per_s"),
    [("a100-80-sxm", 26e9), ("h100-sxm", 54e9), ("gh200", 384e9), ("gb200-nvl72", 192e9)],
)
@pytest.mark.parametrize("tp", [1, 2])
def test_a_swapped_cache_goes_over_the_link_of_its_machine(machine: str, bytes_per_s: float, tp: int) -> None:
    """PCIe of its generation, or NVLink-C2C to Grace's memory, as the catalog has them; each chip over its own."""
    found = capacity_of(deploy(LLAMA, load_machine(machine), Layout(tp=tp)), 1000.0)
    assert found.swap_token_s == pytest.approx(TOKEN_BYTES / tp / bytes_per_s, rel=1e-12)


def test_a_machine_of_ones_own_has_pcie_5() -> None:
    machine = dataclasses.replace(load_machine("a100-80-sxm"), id="mine")
    assert capacity_of(deploy(LLAMA, machine, Layout()), 1000.0).swap_token_s == pytest.approx(TOKEN_BYTES / 54e9)


def test_the_stage_with_the_most_layers_is_swapped_longest() -> None:
    """Seven of 32 layers over five stages."""
    found = capacity_of(deploy(LLAMA, load_machine("h100-sxm"), Layout(pp=5)), 1000.0)
    assert found.swap_token_s == pytest.approx(7 / 32 * TOKEN_BYTES / 54e9, rel=1e-12)
