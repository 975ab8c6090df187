"""Number formats: bytes per value in memory, and the chip's peak at which values are multiplied."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError

__all__ = ["FORMATS", "MatmulFormat", "NumberFormat", "matmul_format", "number_format"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberFormat:
    """A way to store numbers.

    Attributes:
        name: name in checkpoints and case files.
        value_bits: bits of one value.
        scale_bits: bits of the scale that a block of values shares; 0 for no scale, or one per matrix.
        block_values: values that share a scale.
        arithmetic: the peak of a chip that multiplies it: a key of ``Chip.flop_per_s``.
        operand: name of the format that activations take when they meet weights of this one.
    """

    name: str
    value_bits: float
    scale_bits: float = 0
    block_values: int = 1
    arithmetic: str
    operand: str

    @property
    def bytes_per_value(self) -> float:
        """Bytes of one value with its share of the scale."""
        return (self.value_bits + self.scale_bits / self.block_values) / 8


FORMATS: dict[str, NumberFormat] = {
    number_format.name: number_format
    for number_format in (
        NumberFormat(name="fp32", value_bits=32, arithmetic="fp32", operand="fp32"),
        NumberFormat(name="bf16", value_bits=16, arithmetic="bf16", operand="bf16"),
        NumberFormat(name="fp16", value_bits=16, arithmetic="fp16", operand="fp16"),
        NumberFormat(name="fp8", value_bits=8, arithmetic="fp8", operand="fp8"),
        # Weights have a float32 scale for 128 x 128 values, as DeepSeek-V3's checkpoint does.
        NumberFormat(
            name="fp8_block", value_bits=8, scale_bits=32, block_values=128 * 128, arithmetic="fp8", operand="fp8_row"
        ),
        # Activations that meet them have one for 128 values of a row.
        NumberFormat(
            name="fp8_row", value_bits=8, scale_bits=32, block_values=128, arithmetic="fp8", operand="fp8_row"
        ),
        # OCP microscaling formats: an 8-bit power of two for 32 values.
        NumberFormat(name="mxfp8", value_bits=8, scale_bits=8, block_values=32, arithmetic="fp8", operand="mxfp8"),
        NumberFormat(name="mxfp4", value_bits=4, scale_bits=8, block_values=32, arithmetic="fp4", operand="bf16"),
        # NVIDIA's: an 8-bit float for 16 values.
        NumberFormat(name="nvfp4", value_bits=4, scale_bits=8, block_values=16, arithmetic="fp4", operand="nvfp4"),
        NumberFormat(name="int8", value_bits=8, arithmetic="int8", operand="int8"),
        # Weight-only (AWQ, GPTQ): a 16-bit scale for a group of values, multiplied as the activations are.
        NumberFormat(name="int4", value_bits=4, scale_bits=16, block_values=128, arithmetic="int4", operand="bf16"),
        NumberFormat(name="int4_g64", value_bits=4, scale_bits=16, block_values=64, arithmetic="int4", operand="bf16"),
        NumberFormat(name="int4_g32", value_bits=4, scale_bits=16, block_values=32, arithmetic="int4", operand="bf16"),
        NumberFormat(name="int4_row", value_bits=4, arithmetic="int4", operand="bf16"),
        NumberFormat(
            name="int8_g128", value_bits=8, scale_bits=16, block_values=128, arithmetic="int8", operand="bf16"
        ),
        # bitsandbytes: a float32 scale for 64 values; quantised twice, 8 bits and a float32 for 256 of those.
        NumberFormat(name="nf4", value_bits=4, scale_bits=32, block_values=64, arithmetic="int4", operand="bf16"),
        NumberFormat(
            name="nf4_double", value_bits=4, scale_bits=8 + 32 / 256, block_values=64, arithmetic="int4", operand="bf16"
        ),
    )
}


SPOKEN = {"fp4": "nvfp4"}
"""Format that published checkpoints mean by a name that leaves the scales open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatmulFormat:
    """The formats of one matrix product.

    Attributes:
        weight: storage format of the matrix.
        operand: the format in which the product is computed.
    """

    weight: NumberFormat
    operand: NumberFormat


def number_format(name: str) -> NumberFormat:
    """Number format of that name.

    Raises:
        RidgelineError: the name is unknown; the message lists the known ones.
    """
    found = FORMATS.get(SPOKEN.get(name, name))
    if found is None:
        raise RidgelineError(f"number format {name!r} is not known; known: {', '.join((*FORMATS, *SPOKEN))}")
    return found


def matmul_format(weight: str, operand: str | None = None) -> MatmulFormat:
    """Formats of a product of weights in ``weight`` with activations in ``operand`` (the usual one where left out).

    >>> matmul_format("fp8_block").operand.arithmetic, matmul_format("int4").operand.name
    ('fp8', 'bf16')
    """
    stored = number_format(weight)
    return MatmulFormat(weight=stored, operand=number_format(operand or stored.operand))
