"""Number formats of a published checkpoint, from its configuration's quantisation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

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
"""Names of whole components, or of their projections, in lists of modules that are not quantised."""

KEPT_WIDE = ("ignore", "modules_to_not_convert", "exclude_modules", "exclude", "llm_int8_skip_modules")
"""Keys of lists of modules that are not quantised."""


class Stored(NamedTuple):
    """Storage format of a matrix, and the format it is multiplied in where that is not the usual one of its weights."""

    weight: str
    operand: str | None


def checkpoint_precision(config: Mapping[str, Any], path: Path, layers: int) -> tuple[Precision, tuple[str, ...]]:
    """Formats of each component, and notes on them.

    Router, embedding and head stay in the base format, as in quantised checkpoints. A file ``hf_quant_config.json``
    beside the configuration is read where the configuration itself says nothing.

    Args:
        config: the configuration's keys and values.
        path: path of the configuration file.
        layers: number of layers of the model.

    Raises:
        CatalogError: the quantisation is unknown.
    """
    said = config.get("torch_dtype") or config.get("dtype") or "bfloat16"
    base = BASE_FORMATS.get(str(said).removeprefix("torch."))
    if base is None:
        raise CatalogError(f"{path}: torch_dtype {said!r} is not known; {', '.join(BASE_FORMATS)} are")
    quantised = config.get("quantization_config") or config.get("compression_config") or _beside(path)
    if not isinstance(quantised, Mapping):
        raise CatalogError(f"{path}: quantization_config: {quantised!r} is not an object")
    notes = []
    if base == "fp32":
        base = "bf16"
        notes.append("stored in float32 and taken as bf16, as engines load it; --weights fp32 keeps what is stored")
    formats: dict[Component, Stored] = dict.fromkeys(Component, Stored(base, None))
    kv = base
    if quantised:
        narrow = _layer_format(quantised, path)
        for component, pattern in MODULES.items():
            kept = _layers_kept_wide(quantised, pattern, layers)
            if kept < layers:
                formats[component] = narrow
            if 0 < kept < layers:
                notes.append(f"{kept} of {layers} layers' {component} are kept in {base}: taken as {narrow.weight}")
        kv = "fp8" if _keeps_cache_in_8_bits(quantised) else base
    elif name := re.search(
        r"fp8|nvfp4|mxfp4|int4|int8|awq|gptq", f"{config.get('_name_or_path')} {path}", re.IGNORECASE
    ):
        notes.append(f"the name speaks of {name[0]}, but no quantization_config does: weights taken as {base}")
    if config.get("expert_dtype") == "fp4":
        formats[Component.EXPERTS] = Stored("mxfp4", None)
    matmuls: dict[str, Any] = {component.value: matmul_format(*formats[component]) for component in Component}
    return Precision(**matmuls, kv=number_format(kv)), tuple(notes)


def _keeps_cache_in_8_bits(quantised: Mapping[str, Any]) -> bool:
    scheme = quantised.get("kv_cache_scheme") or quantised.get("kv_cache_quant_algo")
    if isinstance(scheme, Mapping):
        return scheme.get("num_bits") == 8 and scheme.get("type") == "float"  # noqa: PLR2004  bits of a byte
    return str(scheme or "").upper().startswith("FP8")


def _beside(path: Path) -> dict[str, Any]:
    """Quantisation that a separate file describes; empty where there is none."""
    beside = path.parent / "hf_quant_config.json"
    if not beside.is_file():
        return {}
    try:
        described = json.loads(beside.read_text(encoding="utf-8")).get("quantization", {})
    except (OSError, ValueError, AttributeError) as error:
        raise CatalogError(f"{beside}: cannot be read: {error}") from None
    return described if isinstance(described, dict) else {}


def _layer_format(quantised: Mapping[str, Any], path: Path) -> Stored:
    """Formats of quantised layers."""
    said = quantised.get("quant_algo") or quantised.get("quant_method") or ""
    method = str(said).lower().replace("-", "_")
    read = METHODS.get(method, _by_groups if quantised.get("config_groups") else None)
    if read is None:
        raise CatalogError(
            f"{path}: quantization_config: method {method or 'that is not named'!r} is not known; {', '.join(METHODS)}"
            " are; leave quantization_config out for 16-bit weights, and choose others with --weights"
        )
    try:
        return read(quantised)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise CatalogError(f"{path}: quantization_config: {error}") from None


def _by_groups(quantised: Mapping[str, Any]) -> Stored:
    """Formats by the scheme of compressed-tensors: one or more groups of modules."""
    groups = quantised.get("config_groups")
    if not isinstance(groups, dict) or not groups:
        raise ValueError("has no config_groups, which say what its weights are")
    found = {_group_format(group) for group in groups.values()}
    if len(found) > 1:
        raise ValueError(f"groups in {', '.join(sorted(one.weight for one in found))}: which is where is not read")
    return found.pop()


def _group_format(group: Any) -> Stored:  # noqa: ANN401  a JSON value
    weights = group.get("weights") if isinstance(group, dict) else None
    if not isinstance(weights, dict):
        raise ValueError("config_groups say nothing of weights")  # noqa: TRY004  about the file, not a type
    if weights.get("strategy") == "block":
        return Stored("fp8_block", None)
    activations = group.get("input_activations", weights)
    stored = _format_of(weights.get("num_bits"), weights.get("type"), weights.get("group_size"))
    if activations is None:
        return stored._replace(operand="bf16")
    narrow = {(8, "int"): "int8", (8, "float"): "fp8"}.get((activations.get("num_bits"), activations.get("type")))
    return stored._replace(operand=narrow if stored.weight.startswith("int4") else None)


def _format_of(bits: Any, kind: Any, group: Any) -> Stored:  # noqa: ANN401  JSON values
    """Format of ``bits`` bits with a scale for ``group`` values; for a whole row where that is -1 or none."""
    size = None if group in {None, 0, -1} else group
    known: dict[tuple[Any, Any, Any], str] = {
        (8, "float", None): "fp8",
        (8, "float", 32): "mxfp8",
        (8, "int", None): "int8",
        (8, "int", 128): "int8_g128",
        (4, "int", None): "int4_row",
        (4, "int", 32): "int4_g32",
        (4, "int", 64): "int4_g64",
        (4, "int", 128): "int4",
        (4, "float", 32): "mxfp4",
        (4, "float", 16): "nvfp4",
    }
    found = known.get((bits, kind, size))
    if found is None:
        raise ValueError(f"weights of {bits} bits, type {kind!r}, groups of {group} are not known")
    return Stored(found, None)


def _integers(quantised: Mapping[str, Any]) -> Stored:
    """Formats of weight-only quantisation (AWQ, GPTQ), multiplied in 16 bits."""
    kind = str(quantised.get("data_type") or "int")
    bits = quantised.get("bits", quantised.get("w_bit"))
    group = quantised.get("group_size", quantised.get("q_group_size"))
    return _format_of(bits, kind, group)._replace(operand="bf16")


def _bitsandbytes(quantised: Mapping[str, Any]) -> Stored:
    if quantised.get("load_in_8bit") or quantised.get("_load_in_8bit"):
        return Stored("int8", None)
    if not (quantised.get("load_in_4bit") or quantised.get("_load_in_4bit")):
        raise ValueError("neither load_in_4bit nor load_in_8bit is true")
    return Stored("nf4_double" if quantised.get("bnb_4bit_use_double_quant") else "nf4", None)


def _quark(quantised: Mapping[str, Any]) -> Stored:
    layers = quantised["global_quant_config"]
    weights = layers["weight"]
    dtype = str(weights["dtype"])
    kind = "int" if "int" in dtype else "float"
    bits = re.search(r"\d+", dtype)
    stored = _format_of(int(bits[0]) if bits else None, kind, weights.get("group_size"))
    return stored if layers.get("input_tensors") else stored._replace(operand="bf16")


def _torchao(quantised: Mapping[str, Any]) -> Stored:
    said = quantised.get("quant_type")
    scheme: Mapping[str, Any] = {"_type": said, "_data": quantised}
    if isinstance(said, dict):
        scheme = said.get("default", said)
    name = str(scheme.get("_type")).lower().replace("_", "").removesuffix("config")
    group = scheme.get("_data", {}).get("group_size")
    known = {
        "int4weightonly": lambda: _format_of(4, "int", group or 128),
        "int8weightonly": lambda: Stored("int8", "bf16"),
        "int8dynamicactivationint8weight": lambda: Stored("int8", None),
        "float8weightonly": lambda: Stored("fp8", "bf16"),
        "float8dynamicactivationfloat8weight": lambda: Stored("fp8", None),
    }
    if name not in known:
        raise ValueError(f"quant_type {scheme.get('_type')!r} is not known; {', '.join(known)} are")
    return known[name]()


def _fp8(quantised: Mapping[str, Any]) -> Stored:
    return Stored("fp8_block" if quantised.get("weight_block_size") else "fp8", None)


def _always(weight: str, operand: str | None = None) -> Callable[[Mapping[str, Any]], Stored]:
    return lambda _: Stored(weight, operand)


METHODS: dict[str, Callable[[Mapping[str, Any]], Stored]] = {
    "fp8": _fp8,
    "fbgemm_fp8": _fp8,
    "fp8_per_channel_per_token": _fp8,
    "fp8_pb_wo": _always("fp8_block"),
    "mxfp8": _always("mxfp8"),
    "mxfp4": _always("mxfp4"),
    "nvfp4": _always("nvfp4"),
    "modelopt_fp4": _always("nvfp4"),
    "awq": _integers,
    "gptq": _integers,
    "auto_round": _integers,
    "w4a16_awq": _always("int4"),
    "w4a8_awq": _always("int4", "fp8"),
    "bitsandbytes": _bitsandbytes,
    "compressed_tensors": _by_groups,
    "modelopt": _by_groups,
    "quark": _quark,
    "torchao": _torchao,
    "eetq": _always("int8", "bf16"),
}
"""Readers of quantisation methods by ``quant_algo`` (NVIDIA's) or ``quant_method``."""


def _layers_kept_wide(quantised: Mapping[str, Any], pattern: re.Pattern[str], layers: int) -> int:
    """Number of layers in which a checkpoint keeps a component in the base format."""
    lists = (quantised.get(key) for key in KEPT_WIDE)
    named = next((one for one in lists if isinstance(one, list) and one), [])
    overrides = quantised.get("dynamic")
    dropped = [key for key in overrides if key.startswith("-:")] if isinstance(overrides, dict) else []
    kept: set[int] = set()
    for entry in (*named, *dropped):
        module = re.sub(r"^re:|^-:|\.weight$|\\|^\.\*|\.?\*$|\$$", "", str(entry)).rstrip(".*")
        if pattern.search(module):
            layer = re.search(r"layers\.(\d+)\.", module)
            kept |= {int(layer[1])} if layer else set(range(layers))
    return len(kept & set(range(layers)))
