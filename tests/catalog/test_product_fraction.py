"""A chip whose family has no kernels of its own multiplies as fast as its largest products were measured to."""

from __future__ import annotations

import pytest

from ridgeline.catalog import load_machine
from ridgeline.catalog.machines import machine_entry
from ridgeline.estimator.clock import kernel_timing
from ridgeline.estimator.kernels import Matmul
from ridgeline.specs.number_format import matmul_format


def test_large_products_reach_what_was_measured_of_the_chip() -> None:
    machine, reached = load_machine("mi300x"), machine_entry("mi300x").facts.chip.largest_product_flop_per_s
    assert reached is not None
    large = Matmul(rows=16384, columns=16384, inner=16384, format=matmul_format("bf16"))
    flop_per_s = 2 * 16384**3 / float(kernel_timing(large, machine).time_s)
    # Launches, the last wave of tiles and memory beside it take a few percent of what the largest tile reaches.
    assert flop_per_s == pytest.approx(reached.value, rel=0.06)


def test_what_a_chips_own_kernels_reach_is_left_to_them() -> None:
    own, shared = (load_machine(name).efficiency for name in ("h100-sxm", "mi355x"))
    assert "largest" not in own.status
    assert "largest" not in shared.status
    slower = load_machine("mi300x").efficiency
    assert slower.kernels is not None
    assert shared.kernels is not None
    factor = slower.kernels.gemm.fraction["bf16"] / shared.kernels.gemm.fraction["bf16"]
    assert factor < 1
    assert slower.kernels.gemm.fraction["fp8"] == pytest.approx(factor * shared.kernels.gemm.fraction["fp8"])
    assert slower.kernels.gemm.hbm_fraction == shared.kernels.gemm.hbm_fraction
