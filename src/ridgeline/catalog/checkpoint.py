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
_PROJECTION = r"(?:\.(?:q|k|v|o|qkv|q_a|q_b|kv_a|kv_b|kv_a_with_mqa|gate|up|down|gate_up|w[123])_?(?:proj)?)?"
MODULES = {
    Component.ATTENTION: re.compile(rf"(?:self_attn|self_attention|attention|attn){_PROJECTION}$"),
    Component.EXPERTS: re.compile(
        rf"(?:mlp\.experts|block_sparse_moe\.experts|(?<!shared_)experts)(?:\.\d+)?{_PROJECTION}$"
    ),
    Component.SHARED_EXPERTS: re.compile(rf"shared_experts?{_PROJECTION}$"),
    Component.DENSE: re.compile(r"mlp(?:\.(?:gate|up|down|gate_up|\(gate\|up\|gate_up\|down\))_proj)?$"),
}
"""How lists of modules that are not quantised name whole components, or projections of theirs."""


def checkpoint_precision(config: Mapping[str, Any], path: Path, layers: int) -> tuple[Precision, tuple[str, ...]]:
    """The formats of each component, and what there is to say of them.

    Router, embedding and head stay in the base format, as quantised checkpoints have them. A file
    ``hf_quant_config.json`` beside the configuration is read where the configuration itself is silent.

    Args:
        config: the configuration's keys and values.
        path: its file.
        layers: of the model.

    Raises:
        CatalogError: a way of quantisation that is not known.
    """
    said = config.get("torch_dtype") or config.get("dtype") or "bfloat16"
    base = BASE_FORMATS.get(str(said).removeprefix("torch."))
    if base is None:
        raise CatalogError(f"{path}: torch_dtype {said!r} is not known; {', '.join(BASE_FORMATS)} are")
    quantised = config.get("quantization_config") or config.get("compression_config") or _beside(path)
    if not isinstance(quantised, Mapping):
        raise CatalogError(f"{path}: quantization_config: {quantised!r} is not an object")
    formats, notes, kv = dict.fromkeys(Component, base), [], base
    if quantised:
        narrow = _layer_format(quantised, path)
        for component, pattern in MODULES.items():
            kept = _layers_kept_wide(quantised, pattern, layers)
            if kept < layers:
                formats[component] = narrow
            if 0 < kept < layers:
                notes.append(f"{kept} of {layers} layers' {component} are kept in {base}: taken as {narrow}")
        kv = "fp8" if _keeps_cache_in_8_bits(quantised) else base
    elif name := re.search(
        r"fp8|nvfp4|mxfp4|int4|int8|awq|gptq", f"{config.get('_name_or_path')} {path}", re.IGNORECASE
    ):
        notes.append(f"the name speaks of {name[0]}, but no quantization_config does: weights taken as {base}")
    if config.get("expert_dtype") == "fp4":
        formats[Component.EXPERTS] = "mxfp4"
    matmuls: dict[str, Any] = {component.value: matmul_format(formats[component]) for component in Component}
    # A float32 checkpoint is served with a cache of 16 bits.
    return Precision(**matmuls, kv=number_format("bf16" if kv == "fp32" else kv)), tuple(notes)


def _keeps_cache_in_8_bits(quantised: Mapping[str, Any]) -> bool:
    scheme = quantised.get("kv_cache_scheme") or quantised.get("kv_cache_quant_algo")
    if isinstance(scheme, Mapping):
        return scheme.get("num_bits") == 8 and scheme.get("type") == "float"  # noqa: PLR2004  bits of a byte
    return str(scheme or "").upper().startswith("FP8")


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
        found = {_group_format(group, path) for group in groups.values()}
        if len(found) > 1:
            raise CatalogError(
                f"{path}: quantization_config: groups in {', '.join(sorted(found))}: which is where is not read"
            )
        return found.pop()
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


def _layers_kept_wide(quantised: Mapping[str, Any], pattern: re.Pattern[str], layers: int) -> int:
    """In how many layers a checkpoint leaves a component in the base format."""
    named = quantised.get("ignore") or quantised.get("modules_to_not_convert") or quantised.get("exclude_modules") or []
    kept: set[int] = set()
    for entry in named if isinstance(named, list) else ():
        module = re.sub(r"^re:|\.weight$|\\|^\.\*|\.?\*$|\$$", "", str(entry)).rstrip(".*")
        if pattern.search(module):
            layer = re.search(r"layers\.(\d+)\.", module)
            kept |= {int(layer[1])} if layer else set(range(layers))
    return len(kept & set(range(layers)))
