"""Matrix products: projections, feed-forward blocks, the router, the vocabulary head.

Sources: NVIDIA, "Matrix multiplication background user's guide" (tiles and waves); Osama et al. 2023, "Stream-K"
(arXiv 2301.03598), for splitting the inner dimension.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ridgeline.equations.kernels import (
    cached_fraction,
    overlapped_time_s,
    split_sum_time_s,
    tiled_time_s,
    wave_value_time_s,
)
from ridgeline.equations.matrices import matmul_flop
from ridgeline.errors import RidgelineError
from ridgeline.estimator.kernels.kernel import RESIDUAL, Ground, Kernel, fitted, rests_on, roofline, units_of, work
from ridgeline.estimator.timing import Timing, Work, fitted_timing, roofline_timing
from ridgeline.numeric import Numeric, ceil, is_plain, least_of, maximum, minimum
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.kernels import Gemm
from ridgeline.specs.machine import Chip, Machine
from ridgeline.specs.number_format import MatmulFormat, NumberFormat

KIND = "gemm"
"""Kind of kernel, a key of the bands."""

TILES = ((128, 128), (64, 64), (16, 64))
"""Rows and columns of the tiles that a library may choose from; further sizes between them change little."""

SPLITS = (1, 8)
"""Parts into which the inner dimension of a product may be cut, to give every unit something to do."""

OVERLAP_SQUARINGS = 2
"""Degree of overlap of compute and memory time: high in products, lower in kernels of several parts."""

LARGEST_TILE_SIDES = sum(1 / side for side in TILES[0])
"""Lost reuse of the largest tile, as the sum of its inverse sides."""

SMALLEST_INNER = 256
"""Inner dimension of the smallest products that were measured."""

QUANTISE_PASSES = {"fp8": 2, "fp8_row": 1, "mxfp8": 1, "nvfp4": 1, "int8": 2}
"""Passes over the activations that quantise them: with one scale per tensor, the first finds the largest value."""

FUSED = frozenset({"fp8", "nvfp4"})
"""Input formats that serving engines quantise in the kernel before: fp8 scales are static, nvfp4 scales small."""

DEQUANTISE_FLOP_PER_VALUE = 3.2
"""Arithmetic that dequantises a weight before a product, FLOP: between one and two instructions, each counted as a
multiply and an add, as gpt-fast's 8- and 4-bit kernels show on A100.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matmul(Kernel):
    """A matrix product ``y[rows, columns] = x[rows, inner] W``.

    Attributes:
        rows: number of tokens that are multiplied.
        columns: width of the output.
        inner: width of the input.
        format: number formats of the matrix and of the product.
        inputs: inputs that each meet a part of the matrix, such as the heads of an absorbed projection.
        matrices: matrices of this shape, each for its own rows.
        quantises: whether it also quantises its input to the operands' format.
        turns: matrices of this shape that a benchmark uses in turn, so that small ones stay in the cache; None for a
            model's, which come from memory.
    """

    rows: Numeric
    columns: Numeric
    inner: Numeric
    format: MatmulFormat
    inputs: Numeric = 1
    matrices: Numeric = 1
    quantises: bool = True
    turns: int | None = None
    changed = frozenset({"launch_fraction", "quantise_fraction", "gap_fraction", "eager_launch_s"})


@work.register
def _work(kernel: Matmul) -> Work:
    read = kernel.rows * kernel.inner * kernel.inputs * kernel.format.operand.bytes_per_value
    written = kernel.rows * kernel.columns * RESIDUAL.bytes_per_value
    return Work(
        flop=matmul_flop(rows=kernel.rows, columns=kernel.columns, inner=kernel.inner),
        weight_bytes=kernel.matrices * kernel.columns * kernel.inner * kernel.format.weight.bytes_per_value,
        activation_bytes=read + written,
    )


@roofline.register
def _(kernel: Matmul, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    done = _work(kernel)
    return roofline_timing(
        done,
        kind=KIND,
        flop_per_s=achieved_flop_per_s(machine, kernel.format.operand),
        hbm_bytes_per_s=machine.chip.hbm_bytes_per_s * machine.efficiency.hbm_fraction,
        launch_s=kernel.launches * machine.efficiency.kernel_launch_s * run.launch_fraction,
        dequantise_s=dequantise_time_s(
            kernel.format, done.weight_bytes, machine.chip, machine.efficiency.dequantise_flop_per_value
        ),
        gap_fraction=run.gap_fraction,
    )


@fitted.register
def _(kernel: Matmul, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    done, numbers, chip = _work(kernel), machine.efficiency.fitted.gemm, machine.chip
    operand = kernel.format.operand
    flop_per_s = chip.flop_per_s[operand.arithmetic] * of_format(numbers.fraction, kernel.format)
    hbm_bytes_per_s = chip.hbm_bytes_per_s * numbers.hbm_fraction
    cache_bytes_per_s = maximum(hbm_bytes_per_s, numbers.unit_bytes_per_s * units_of(chip))
    # Activations were just written, and a benchmark's matrices are used again; a model's come from memory.
    cached = done.activation_bytes * _cached(done.activation_bytes, chip)
    if kernel.turns is not None:
        cached = cached + done.weight_bytes * _cached(kernel.turns * done.weight_bytes + done.activation_bytes, chip)
    moved = done.weight_bytes + done.activation_bytes
    memory_s = (moved - cached) / hbm_bytes_per_s + cached / cache_bytes_per_s
    busy_s = _best_tiling_s(kernel, chip, numbers, flop_per_s=flop_per_s, memory_s=memory_s)
    vector_flop_per_s = chip.flop_per_s.get("fp32")
    if vector_flop_per_s is not None and kernel.format.weight.value_bits < operand.value_bits:
        # Weights dequantised outside the matrix units are also multiplied there, for a row or two.
        vector_s = overlapped_time_s(
            first_s=done.flop / vector_flop_per_s, second_s=memory_s, squarings=OVERLAP_SQUARINGS
        )
        busy_s = minimum(busy_s, vector_s + smallest_time_s(chip, numbers))
    compute_s = done.flop / flop_per_s
    filled_s = overlapped_time_s(first_s=compute_s, second_s=memory_s, squarings=OVERLAP_SQUARINGS)
    quantise_s: Numeric = 0.0
    fused_s: Numeric = 0.0
    passes = QUANTISE_PASSES.get(operand.name, 0) if kernel.quantises else 0
    if passes:
        passed = 3 * kernel.rows * kernel.inner * kernel.inputs
        warm = passed * _cached(passed, chip)
        pass_s = (passed - warm) / hbm_bytes_per_s + warm / cache_bytes_per_s
        quantise_s = numbers.quantise_s.get(operand.name, 0.0) + passes * pass_s / numbers.quantise_hbm_fraction
        if operand.name in FUSED:
            fused_s = (1 - run.quantise_fraction) * quantise_s
    launch_s = kernel.launches * numbers.launch_s * run.launch_fraction + quantise_s
    dequantise_s = dequantise_time_s(kernel.format, done.weight_bytes, chip, DEQUANTISE_FLOP_PER_VALUE)
    return fitted_timing(
        done,
        kind=KIND,
        time_s=busy_s + launch_s + dequantise_s,
        compute_s=compute_s,
        memory_s=memory_s,
        launch_s=launch_s,
        dequantise_s=dequantise_s,
        tiles_s=maximum(busy_s - filled_s, 0.0),
        fused_s=fused_s,
        gap_fraction=run.gap_fraction,
    )


@rests_on.register
def _(kernel: Matmul, machine: Machine) -> Ground:
    kernels = machine.efficiency.kernels
    known, stand_in = ("", "") if kernels is None else stands_in(kernels.gemm.fraction, kernel.format)
    return Ground(part=f"GEMMs, {format_text(kernel.format)}", number=f"gemm.fraction.{known}", stand_in=stand_in)


def format_text(format: MatmulFormat) -> str:  # noqa: A002  the field's name
    """The formats of a product in words."""
    weight, operand = format.weight.name, format.operand.name
    return weight if weight == operand else f"{weight} weights as {operand}"


def stands_in(numbers: Mapping[str, float], format: MatmulFormat) -> tuple[str, str]:  # noqa: A002  the field's name
    """Format whose number is used for a product, and where it is another one, a clause on the substitution.

    16-bit formats are multiplied at one rate, and are measured as one.
    """
    operand, weight, known = format.operand, format.weight, known_format(numbers, format)
    is_own = known == f"{weight.name}_as_{operand.name}"
    if weight.value_bits < operand.value_bits and not is_own:
        return known, f"no kernel that dequantises {weight.name} was measured, that of {known} stands in"
    if is_own or known == operand.name or operand.value_bits == RESIDUAL.value_bits:
        return known, ""
    return known, f"none in {operand.name} was measured, {known} stands in"


def _cached(used_bytes: Numeric, chip: Chip) -> Numeric:
    return cached_fraction(used_bytes=used_bytes, cache_bytes=chip.l2_bytes or 0.0)


def _best_tiling_s(kernel: Matmul, chip: Chip, numbers: Gemm, *, flop_per_s: Numeric, memory_s: Numeric) -> Numeric:
    """Time of a product with the best tiles and splits that a library may choose, s.

    Args:
        kernel: product to be timed.
        chip: chip that it runs on.
        numbers: fitted numbers of GEMMs.
        flop_per_s: arithmetic rate of the largest tiles, FLOP/s.
        memory_s: memory time, which overlaps with computing, s.
    """
    # Heads of an absorbed projection, or groups of rows, each with a matrix of its own.
    products = maximum(kernel.inputs, kernel.matrices)
    rows, columns = kernel.rows / kernel.matrices, kernel.columns / kernel.inputs
    units = units_of(chip)
    wave_values_s = wave_values(units, flop_per_s, numbers.penalty_values, numbers.k_value_s)
    # Tiles of one part, and the time of a wave of them for each value of the inner dimension.
    tilings = [
        (products * ceil(rows / tile_rows) * ceil(columns / tile_columns), wave_value_s)
        for (tile_rows, tile_columns), wave_value_s in zip(TILES, wave_values_s, strict=True)
    ]

    def split_time_s(splits: int) -> Numeric:
        compute_s = least_of(
            tiled_time_s(
                tiles=splits * tiles,
                units=units,
                inner=kernel.inner / splits,
                prologue_values=numbers.prologue_values,
                wave_value_s=wave_value_s,
            )
            for tiles, wave_value_s in tilings
        )
        sum_s = split_sum_time_s(
            products=products,
            rows=rows,
            columns=columns,
            splits=splits,
            split_s=numbers.split_k_s,
            hbm_bytes_per_s=chip.hbm_bytes_per_s * numbers.hbm_fraction,
        )
        return overlapped_time_s(first_s=compute_s, second_s=memory_s + sum_s, squarings=OVERLAP_SQUARINGS)

    return least_of(map(split_time_s, (1,) if kernel.format.operand.scale_bits else SPLITS))


def wave_values(units: float, flop_per_s: Numeric, penalty_values: Numeric, value_s: Numeric) -> tuple[Numeric, ...]:
    """Time of a wave of each of ``TILES`` for one value of the inner dimension, s.

    Args:
        units: compute units of the chip.
        flop_per_s: arithmetic rate of the largest tiles, FLOP/s.
        penalty_values: lost reuse of small tiles, multiplied by the sum of their inverse sides.
        value_s: lower bound on a tile's time for each value, s.
    """
    if is_plain(flop_per_s, penalty_values, value_s):
        return _wave_values_of_floats(units, float(flop_per_s), float(penalty_values), float(value_s))
    return _wave_values(units, flop_per_s, penalty_values, value_s)


def _wave_values(units: float, flop_per_s: Numeric, penalty_values: Numeric, value_s: Numeric) -> tuple[Numeric, ...]:
    return tuple(
        wave_value_time_s(
            tile_rows=tile_rows,
            tile_columns=tile_columns,
            units=units,
            flop_per_s=full_tile_flop_per_s(flop_per_s, penalty_values),
            penalty_values=penalty_values,
            value_s=value_s,
        )
        for tile_rows, tile_columns in TILES
    )


_wave_values_of_floats = lru_cache(maxsize=256)(_wave_values)  # the same for all products of a model in one format


def smallest_time_s(chip: Chip, numbers: Gemm) -> Numeric:
    """Time of a small product on one unit, s: a lower bound on any kernel of a graph."""
    rows, columns = TILES[-1]
    achieved = chip.flop_per_s["bf16"] * numbers.fraction["bf16"]
    unit_flop_per_s = full_tile_flop_per_s(achieved, numbers.penalty_values) / units_of(chip)
    value_s = wave_value_time_s(
        tile_rows=rows,
        tile_columns=columns,
        units=1,
        flop_per_s=unit_flop_per_s,
        penalty_values=numbers.penalty_values,
        value_s=numbers.k_value_s,
    )
    return value_s * (SMALLEST_INNER + numbers.prologue_values)


def full_tile_flop_per_s(flop_per_s: Numeric, penalty_values: Numeric) -> Numeric:
    """Arithmetic rate of tiles with full reuse, where the largest available ones reach ``flop_per_s``, FLOP/s."""
    return flop_per_s * (1 + penalty_values * LARGEST_TILE_SIDES)


def known_format(numbers: Mapping[str, float], format: MatmulFormat) -> str:  # noqa: A002  the field's name
    """A product's own format where there is a number for it, else that of its arithmetic, else the 16-bit one."""
    operand, weight = format.operand, format.weight
    names = (f"{weight.name}_as_{operand.name}", operand.name, operand.arithmetic)
    return next((name for name in names if name in numbers), "bf16")


def of_format(numbers: Mapping[str, float], format: MatmulFormat) -> float:  # noqa: A002  the field's name
    """Number for a product's format, or for its stand-in."""
    return numbers[known_format(numbers, format)]


def achieved_flop_per_s(machine: Machine, operand: NumberFormat) -> float:
    """Arithmetic rate of large products of ``operand``, FLOP/s.

    Raises:
        RidgelineError: the chip lacks the arithmetic; number formats have to be chosen for the chip first.
    """
    peak = machine.chip.flop_per_s.get(operand.arithmetic)
    if peak is None:
        raise RidgelineError(
            f"{machine.id} has no {operand.arithmetic} arithmetic (it has {', '.join(machine.chip.flop_per_s)});"
            " choose the number formats with precision_on(model, machine)"
        )
    efficiency = machine.efficiency
    return peak * efficiency.compute_fraction.get(operand.arithmetic, efficiency.default_compute_fraction)


def is_dequantised(format: MatmulFormat, chip: Chip) -> bool:  # noqa: A002  the field's name
    """Whether weights are dequantised outside the matrix units, as far as the chip's 32-bit peak is known.

    Matrix units that take 8-bit values with a scale for each block also take 4-bit ones.
    """
    weight, operand = format.weight, format.operand
    return "fp32" in chip.flop_per_s and weight.value_bits < operand.value_bits and operand.name != "mxfp8"


def dequantise_time_s(
    format: MatmulFormat,  # noqa: A002  the field's name
    weight_bytes: Numeric,
    chip: Chip,
    flop_per_value: float,
) -> Numeric:
    """Time to dequantise weights before a product, s; 0 where the matrix units take them as they are."""
    if not is_dequantised(format, chip):
        return 0.0
    return weight_bytes / format.weight.bytes_per_value * flop_per_value / chip.flop_per_s["fp32"]
