"""Routed experts of one chip, all of a layer's kernels together: gather, up, activate, down, sum."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations.kernels import overlapped_time_s, tiled_time_s
from ridgeline.equations.matrices import matmul_flop
from ridgeline.estimator.kernels.kernel import (
    OVERLAP_SQUARINGS,
    RESIDUAL,
    Ground,
    Kernel,
    fitted,
    passing_time_s,
    rests_on,
    roofline,
    units_of,
    work,
)
from ridgeline.estimator.kernels.matmul import (
    TILES,
    achieved_flop_per_s,
    dequantise_time_s,
    format_text,
    known_format,
    of_format,
    stands_in,
    wave_values,
)
from ridgeline.estimator.timing import Timing, Work, fitted_timing, roofline_timing
from ridgeline.numeric import Numeric, ceil, least_of, maximum, total_of
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.kernels import Experts
from ridgeline.specs.machine import Chip, Machine
from ridgeline.specs.number_format import MatmulFormat

KIND = "experts"
"""Kind of kernel, a key of the bands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertMatmul(Kernel):
    """The routed experts of a chip, as engines run them: gather, up, activate, down, sum.

    Attributes:
        visits: pairs of a token and an expert that this chip computes.
        experts_touched: distinct experts among them, whose weights are read.
        hidden: width of the residual stream.
        expert_hidden: width inside an expert, this chip's part.
        gated: whether a third matrix gates the first.
        format: number formats of the matrices and of the products.
        held: experts that the chip holds, touched or not.
        tokens: tokens gathered and summed on the chip, whether or not they visit its experts; 0 leaves both out.
    """

    visits: Numeric
    experts_touched: Numeric
    hidden: Numeric
    expert_hidden: Numeric
    gated: bool
    format: MatmulFormat
    held: Numeric = 1
    tokens: Numeric = 0
    launches: int = 5
    changed = frozenset(
        {"experts_launch_fraction", "experts_busy_fraction", "dequantises_experts", "gap_fraction", "eager_launch_s"}
    )


@work.register
def _work(kernel: ExpertMatmul) -> Work:
    widths = 2 if kernel.gated else 1  # products that the activation turns into one
    columns = (widths + 1) * kernel.expert_hidden  # of up, gate and down together
    operand, residual = kernel.format.operand.bytes_per_value, RESIDUAL.bytes_per_value
    moved_per_visit = (
        kernel.hidden * (operand + residual)  # the token in, the result out
        + 2 * widths * kernel.expert_hidden * residual  # up and gate, written and read
        + 2 * kernel.expert_hidden * operand  # their product, written and read
    )
    return Work(
        flop=matmul_flop(rows=kernel.visits, columns=columns, inner=kernel.hidden),
        weight_bytes=kernel.experts_touched * columns * kernel.hidden * kernel.format.weight.bytes_per_value,
        activation_bytes=kernel.visits * moved_per_visit + 2 * kernel.tokens * kernel.hidden * residual,
    )


@roofline.register
def _(kernel: ExpertMatmul, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    done = _work(kernel)
    return roofline_timing(
        done,
        kind=KIND,
        flop_per_s=achieved_flop_per_s(machine, kernel.format.operand),
        hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * machine.efficiency.hbm_fraction,
        launch_s=kernel.launches * machine.efficiency.kernel_launch_s * run.experts_launch_fraction,
        dequantise_s=dequantise_time_s(
            kernel.format, done.weight_bytes, machine.chip, machine.efficiency.dequantise_flop_per_value
        ),
        busy_fraction=run.experts_busy_fraction,
        gap_fraction=run.gap_fraction,
    )


@fitted.register
def _(kernel: ExpertMatmul, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    done, numbers, chip = _work(kernel), machine.efficiency.fitted.experts, machine.chip
    flop_per_s = chip.flop_per_s[kernel.format.operand.arithmetic] * of_format(numbers.fraction, kernel.format)
    compute_s, tiled_s = done.flop / flop_per_s, _both_products_s(kernel, chip, numbers)
    weights_s = done.weight_bytes / (chip.hbm_bytes_per_s * numbers.hbm_fraction)
    passing_s = passing_time_s(done.activation_bytes, chip, numbers.hbm_fraction, numbers.unit_bytes_per_s)
    dequantise_s: Numeric = 0.0
    if run.dequantises_experts:
        dequantise_s = dequantise_time_s(kernel.format, done.weight_bytes, chip, numbers.dequantise_flop_per_value)
    held_s = numbers.expert_s * maximum(kernel.held, kernel.experts_touched)
    launch_s = run.experts_launch_fraction * (of_format(numbers.launch_s, kernel.format) + held_s)
    overlapped_s = overlapped_time_s(first_s=tiled_s, second_s=weights_s, squarings=OVERLAP_SQUARINGS)
    filled_s = overlapped_time_s(first_s=compute_s, second_s=weights_s, squarings=OVERLAP_SQUARINGS)
    busy_s = run.experts_busy_fraction * (overlapped_s + passing_s)
    gap_s = run.gap_fraction * (overlapped_s + passing_s + dequantise_s + launch_s)
    return fitted_timing(
        done,
        kind=KIND,
        time_s=busy_s + dequantise_s + launch_s + gap_s,
        compute_s=compute_s,
        memory_s=weights_s + passing_s,
        launch_s=launch_s + gap_s,
        dequantise_s=dequantise_s,
        tiles_s=run.experts_busy_fraction * maximum(overlapped_s - filled_s, 0.0),
    )


@rests_on.register
def _(kernel: ExpertMatmul, machine: Machine) -> Ground:
    kernels = machine.efficiency.kernels
    known, stand_in, launched = "", "", ""
    if kernels is not None:
        known, stand_in = stands_in(kernels.experts.fraction, kernel.format)
        launched = known_format(kernels.experts.launch_s, kernel.format)
    return Ground(
        part=f"routed experts, {format_text(kernel.format)}",
        number=f"experts.fraction.{known}",
        launch=f"experts.launch_s.{launched}",
        launched="experts_launch_fraction",
        stand_in=stand_in,
    )


def _both_products_s(kernel: ExpertMatmul, chip: Chip, numbers: Experts) -> Numeric:
    """Time to compute both products of all experts with the best tile that a library may choose, s."""
    flop_per_s = chip.flop_per_s[kernel.format.operand.arithmetic] * of_format(numbers.fraction, kernel.format)
    units = units_of(chip)
    wave_values_s = wave_values(units, flop_per_s, numbers.penalty_values, 0.0)
    rows = kernel.visits / kernel.experts_touched
    widths = 2 if kernel.gated else 1
    products = ((widths * kernel.expert_hidden, kernel.hidden), (kernel.hidden, kernel.expert_hidden))
    return least_of(
        total_of(
            tiled_time_s(
                tiles=kernel.experts_touched * ceil(rows / tile_rows) * ceil(columns / tile_columns),
                units=units,
                inner=inner,
                prologue_values=numbers.prologue_values,
                wave_value_s=wave_value_s,
            )
            for columns, inner in products
        )
        for (tile_rows, tile_columns), wave_value_s in zip(TILES, wave_values_s, strict=True)
    )
