"""Number formats of a published checkpoint, read from what its configuration says of quantisation."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ridgeline.catalog.facts import CatalogError
from ridgeline.specs.number_format import matmul_format, number_format
from ridgeline.specs.precision import Component, Precision

__all__ = ["checkpoint_precision"]

BASE_FORMATS = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}
KEPT_WIDE = {
    Component.ATTENTION: re.compile(r"(self_attn|attention)(\.\*|\*|\.\*\*)?$"),
    Component.SHARED_EXPERTS: re.compile(r"shared_experts?(\.\*|\*)?$"),
    Component.DENSE: re.compile(r"mlp\\?\.\((gate|up)"),
}
"""How lists of modules that are not quantised name whole components."""


def checkpoint_precision(config: Mapping[str, Any], path: Path) -> Precision:
    """The formats of each component.

    Router, embedding and head stay in the base format, as quantised checkpoints have them. A file
    ``hf_quant_config.json`` beside the configuration is read where the configuration itself is silent.

    Args:
        config: the configuration's keys and values.
        path: its file.

    Raises:
        CatalogError: a way of quantisation that is not known.
    """
    said = config.get("torch_dtype") or config.get("dtype") or "bfloat16"
    base = BASE_FORMATS.get(str(said).removeprefix("torch."))
    if base is None:
        raise CatalogError(f"{path}: torch_dtype {said!r} is not known; {', '.join(BASE_FORMATS)} are")
    quantised = config.get("quantization_config") or config.get("compression_config") or _beside(path)
    formats = dict.fromkeys(Component, base)
    kv = base
    if quantised:
        layers = _layer_format(quantised, path)
        wide = _names_kept_wide(quantised)
        for component in (Component.ATTENTION, Component.DENSE, Component.EXPERTS, Component.SHARED_EXPERTS):
            pattern = KEPT_WIDE.get(component)
            if pattern is None or not any(pattern.search(name) for name in wide):
                formats[component] = layers
        if (
            str(quantised.get("kv_cache_scheme") or quantised.get("kv_cache_quant_algo") or "")
            .upper()
            .startswith("FP8")
        ):
            kv = "fp8"
    if config.get("expert_dtype") == "fp4":
        formats[Component.EXPERTS] = "mxfp4"
    # A float16 checkpoint keeps its cache in the same width as one in bfloat16.
    matmuls: dict[str, Any] = {component.value: matmul_format(formats[component]) for component in Component}
    return Precision(**matmuls, kv=number_format("bf16" if kv == "fp32" else kv))


def _beside(path: Path) -> dict[str, Any]:
    """The quantisation that a file of its own describes; empty where there is none."""
    beside = path.parent / "hf_quant_config.json"
    if not beside.is_file():
        return {}
    try:
        described = json.loads(beside.read_text(encoding="utf-8")).get("quantization", {})
    except (OSError, ValueError, AttributeError) as error:
        raise CatalogError(f"{beside}: cannot be read: {error}") from None
    return described if isinstance(described, dict) else {}


def _layer_format(quantised: Mapping[str, Any], path: Path) -> str:
    """The format of quantised layers."""
    method = str(quantised.get("quant_method") or quantised.get("quant_algo") or "").lower()
    if method == "fp8":
        return "fp8_block" if quantised.get("weight_block_size") else "fp8"
    if method in {"mxfp4", "nvfp4"}:
        return method
    groups = quantised.get("config_groups")
    if isinstance(groups, dict) and groups:
        return _group_format(next(iter(groups.values())), path)
    raise CatalogError(
        f"{path}: quantization_config: method {method or 'that is not named'!r} is not known;"
        " fp8, mxfp4, nvfp4 and compressed-tensors are"
    )


def _group_format(group: Any, path: Path) -> str:  # noqa: ANN401  a JSON value
    weights = group.get("weights") if isinstance(group, dict) else None
    if not isinstance(weights, dict):
        raise CatalogError(f"{path}: quantization_config: config_groups say nothing of weights")
    bits, kind, size = weights.get("num_bits"), weights.get("type"), weights.get("group_size")
    known: dict[tuple[Any, Any, Any], str] = {
        (8, "float", None): "fp8",
        (8, "int", None): "int8",
        (4, "int", 32): "int4_g32",
        (4, "int", 128): "int4",
        (4, "float", 32): "mxfp4",
        (4, "float", 16): "nvfp4",
    }
    found = known.get((bits, kind, size))
    if found is None:
        raise CatalogError(
            f"{path}: quantization_config: weights of {bits} bits, type {kind!r}, groups of {size} are not known"
        )
    return found


def _names_kept_wide(quantised: Mapping[str, Any]) -> list[str]:
    """Modules that a checkpoint leaves in the base format."""
    named = quantised.get("ignore") or quantised.get("modules_to_not_convert") or quantised.get("exclude_modules") or []
    return [str(name).removeprefix("re:") for name in named] if isinstance(named, list) else []
