"""Number formats of a model on a chip: those published or asked for, as far as the chip has the arithmetic."""

from __future__ import annotations

from ridgeline.specs.attention import IndexedSparseAttention, LatentAttention
from ridgeline.specs.machine import Chip
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import FORMATS, matmul_format
from ridgeline.specs.precision import Component, Precision, uniform_precision, with_formats

__all__ = ["QUALITY", "checkpoint_precision", "offered_weight_formats", "precision_on", "runnable", "weights_note"]

QUALITY = "what that does to the quality of answers is not judged"
"""Note on formats in which a model is not published."""


def precision_on(
    model: Model, chip: Chip, *, weights: str | None = None, kv: str | None = None
) -> tuple[Precision, tuple[str, ...]]:
    """Formats in which a chip runs a model, and notes on them.

    A chip without a checkpoint's arithmetic keeps the weights as they are and multiplies them in 16 bits.

    Args:
        model: model with its published formats, the default.
        chip: chip that it runs on.
        weights: name of another format for the layers' weights.
        kv: name of another format for the cache.

    Returns:
        The formats, and notes on each deviation from the published ones.
    """
    precision, lacks = runnable(with_formats(model.precision, weights=weights, kv=kv), chip)
    notes: list[str] = []
    if weights is not None:
        notes.append(weights_note(weights))
    if precision.kv != model.precision.kv:
        notes.append(f"KV cache in {precision.kv.name}, not in {model.precision.kv.name}")
    return precision, (*notes, *lacks)


def weights_note(weights: str) -> str:
    """Note on weights in a format that was asked for."""
    return f"weights in {weights}, not in the published formats; {QUALITY}"


def runnable(precision: Precision, chip: Chip) -> tuple[Precision, tuple[str, ...]]:
    """``precision`` with 16-bit products where the chip lacks an arithmetic, and a note on each missing one."""
    notes: dict[str, None] = {}
    for component in Component:
        formats = precision.of(component)
        if formats.operand.arithmetic not in chip.flop_per_s:
            precision = precision.replaced(component, matmul_format(formats.weight.name, "bf16"))
            notes[
                f"{chip.name} has no {formats.operand.arithmetic} arithmetic: such weights are multiplied in bf16"
            ] = None
    return precision, tuple(notes)


def checkpoint_precision(model: Model, chip: Chip, weights: str, *, operands: str | None = None) -> Precision:
    """Precision of a checkpoint that is known by the name of one format, which not every matrix has.

    - ``mxfp4``: experts alone, as published by OpenAI; with 8-bit operands where the chip multiplies 4 bits.
    - ``nvfp4``: layers, except latent attention, which NVIDIA leaves in 16 bits.
    - ``fp8``: the format in which the model's makers publish 8 bits; where that is unknown, blocks of 128 by 128 in
    models with experts, and else a scale per matrix.

    Args:
        model: model whose formats outside the layers, and of the KV cache, stay.
        chip: chip that it runs on.
        weights: name of the format.
        operands: name of the format in which layers are multiplied; left out, the usual one.
    """
    kv = model.precision.kv.name
    routed = model.is_routed
    if weights == "mxfp4" and routed:
        narrow = "mxfp8" if "fp4" in chip.flop_per_s else "bf16"
        return uniform_precision("bf16", kv=kv).replaced(Component.EXPERTS, matmul_format(weights, narrow))
    if weights == "fp8" and (published := _eight_bits(model)) != "fp8":
        return uniform_precision(published, kv=kv)
    precision = uniform_precision(weights, operands=operands, kv=kv)
    latent = any(isinstance(group.attention, LatentAttention | IndexedSparseAttention) for group in model.groups)
    if weights == "nvfp4" and routed and latent:
        precision = precision.replaced(Component.ATTENTION, matmul_format("bf16"))
    return precision


def offered_weight_formats(model: Model, chip: Chip) -> tuple[str, ...]:
    """Weight formats for which a chip has the arithmetic, widest first.

    There is one for each arithmetic: of the 8-bit floats, the one in which such models are published.
    """
    by_arithmetic = {"bf16": "bf16", "fp8": _eight_bits(model), "int8": "int8", "fp4": "nvfp4"}
    offered = [name for arithmetic, name in by_arithmetic.items() if arithmetic in chip.flop_per_s]
    return tuple(sorted(offered, key=lambda name: -FORMATS[name].bytes_per_value))


def _eight_bits(model: Model) -> str:
    """8-bit float format of a model's checkpoints; where its makers publish none, in blocks if it has experts."""
    return model.eight_bits or ("fp8_block" if model.is_routed else "fp8")
