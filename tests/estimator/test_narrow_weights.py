"""Weights that are narrower than what they are multiplied in are widened first."""

from __future__ import annotations

import dataclasses

import pytest
from tests.estimator.plain import A100, H100, SMALL

from ridgeline.catalog import load_machine
from ridgeline.estimator.clock import kernel_timing
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.estimate import Estimate, estimate
from ridgeline.estimator.kernels import ExpertMatmul, Matmul
from ridgeline.estimator.timing import Cause
from ridgeline.specs.efficiency import IDEAL
from ridgeline.specs.fidelity import ROOFLINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.number_format import matmul_format
from ridgeline.specs.passes import decode

INT4, BF16 = matmul_format("int4"), matmul_format("bf16")


@pytest.mark.parametrize("rows", [1, 16_384])
def test_narrow_weights_are_widened_before_the_product(rows: int) -> None:
    """Four operations a value at the A100's 19.5 TFLOP/s outside its matrix units, whatever else binds."""
    product = Matmul(rows=rows, columns=8192, inner=4096, format=INT4)
    routed = ExpertMatmul(visits=rows, experts_touched=3, hidden=4096, expert_hidden=1024, gated=True, format=INT4)
    for kernel, values in ((product, 8192 * 4096), (routed, 3 * 3 * 4096 * 1024)):
        free = dataclasses.replace(A100.efficiency, dequantise_flop_per_value=0)
        packed = kernel_timing(kernel, A100)
        without = kernel_timing(kernel, A100.with_efficiency(free))
        extra_s = 4 * values / 19.5e12
        assert A100.efficiency.dequantise_flop_per_value == 4
        assert float(packed.time_s) - float(without.time_s) == pytest.approx(extra_s, rel=1e-9)
        assert float(packed.causes[Cause.DEQUANTISE]) == pytest.approx(extra_s)
        assert packed.causes[Cause.COMPUTE] == without.causes[Cause.COMPUTE]
        assert sum(float(part) for part in packed.causes.values()) == pytest.approx(float(packed.time_s))


@pytest.mark.parametrize(
    ("machine", "formats"),
    [
        (A100, BF16),
        (H100, matmul_format("fp8")),
        (H100, matmul_format("fp8_block")),
        (load_machine("b200-sxm"), matmul_format("nvfp4")),
    ],
)
def test_weights_as_wide_as_what_they_are_multiplied_in_need_nothing(machine: Machine, formats: object) -> None:
    kernel = Matmul(rows=16, columns=8192, inner=4096, format=formats)  # type: ignore[arg-type]
    none = dataclasses.replace(machine.efficiency, dequantise_flop_per_value=0)
    assert kernel_timing(kernel, machine) == kernel_timing(kernel, machine.with_efficiency(none))


def test_a_whole_step_widens_every_weight_that_it_reads_narrow() -> None:
    """Llama-3.1-8B in int4 on an A100: 32 layers of 218 million values, and no head, which stays in 16 bits."""
    step = decode(batch=1, context_tokens=100)
    free = A100.with_efficiency(dataclasses.replace(A100.efficiency, dequantise_flop_per_value=0))

    def found(machine: Machine, **options: str) -> Estimate:
        return estimate(deploy(SMALL, machine, Layout(), **options), step)  # type: ignore[arg-type]

    layer = 4096 * (32 + 2 * 8 + 32) * 128 + 3 * 4096 * 14336
    extra_s = found(A100, weights="int4").step_time_s - found(free, weights="int4").step_time_s
    assert extra_s == pytest.approx(32 * layer * 4 / 19.5e12, rel=1e-9)
    assert found(A100).step_time_s == found(free).step_time_s
    ideal = A100.with_efficiency(IDEAL)
    spec_sheet = estimate(deploy(SMALL, A100, Layout(), fidelity=ROOFLINE, weights="int4"), step)
    assert spec_sheet.causes[Cause.COMPUTE] == spec_sheet.causes[Cause.DEQUANTISE] == 0
    assert spec_sheet.step_time_s == found(ideal, weights="int4").step_time_s
