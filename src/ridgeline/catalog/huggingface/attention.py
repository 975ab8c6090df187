"""Attention of each layer, from the keys that a configuration has."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from ridgeline.catalog.huggingface.config_file import Config
from ridgeline.specs.attention import (
    Attention,
    ChunkedAttention,
    CompressedAttention,
    GroupedQueryAttention,
    IndexedSparseAttention,
    LatentAttention,
    LinearAttention,
    SlidingWindowAttention,
)

__all__ = ["HEADS", "KV_HEADS", "attentions", "heads_of", "mamba", "shares_one_head"]

HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
"""Names of one quantity in different families."""


def attentions(config: Config, layers: int, hidden: int) -> list[Attention]:
    """Attention of each layer: of the kind whose key the configuration has."""
    full = heads_of(config, hidden)
    if config.flag("use_cla"):
        raise config.fault("use_cla", "layers that read the cache of another are not read from a configuration")
    without_latent = config.flag("use_mla") is False
    if without_latent:
        config.get("kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")
    for key, read in KINDS_BY_KEY.items():
        if config.key(key) and not (without_latent and read is _latent):
            return read(config, layers, full)
    return _with_windows(config, layers, full)


def heads_of(config: Config, hidden: int, prefix: str = "") -> GroupedQueryAttention:
    """Heads of full attention, or of another set of keys with a prefix."""

    def whole(*names: str, default: int | None = None) -> int:
        return config.whole(*(prefix + name for name in names), default=default)

    heads = whole(*HEADS)
    if heads == 0:
        raise config.fault("num_attention_heads", "a model needs at least one head")
    head_dim = whole("head_dim", "attention_head_dim", "kv_channels", default=hidden // heads)
    value_dim = whole("v_head_dim", default=head_dim)
    return GroupedQueryAttention(
        query_heads=heads,
        kv_heads=1 if shares_one_head(config) else whole(*KV_HEADS, default=heads),
        head_dim=head_dim,
        value_head_dim=0 if value_dim == head_dim else value_dim,
        output_gate=bool(config.get("attn_output_gate", "attention_output_gate") or config.type.output_gate),
    )


KV_HEADS = ("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "kv_n_heads")


def shares_one_head(config: Config) -> bool:
    """Whether all query heads read one stored head, whatever number of heads a file also gives."""
    config.get("multi_query_attention", "attn_type", *KV_HEADS)
    if config.values.get("attn_type") == "multiquery_attention":
        return True
    multi_query, grouped = config.flag("multi_query"), config.flag("new_decoder_architecture")
    return not grouped and (config.type.one_kv_head_by_default if multi_query is None else multi_query)


def _latent(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    base = LatentAttention(
        query_heads=full.query_heads,
        query_rank=config.whole("q_lora_rank", default=0),
        kv_rank=config.whole("kv_lora_rank"),
        content_head_dim=config.whole("qk_nope_head_dim"),
        position_head_dim=config.whole("qk_rope_head_dim"),
        value_head_dim=config.whole("v_head_dim"),
    )
    said = config.whole("qk_head_dim", default=0)
    if said not in {0, base.content_head_dim + base.position_head_dim}:
        raise config.fault("qk_head_dim", f"{said} is not qk_nope_head_dim + qk_rope_head_dim")
    if not config.key("index_topk"):
        return [base] * layers
    owner = IndexedSparseAttention(
        base=base,
        index_heads=config.whole("index_n_heads"),
        index_head_dim=config.whole("index_head_dim"),
        top_k=config.whole("index_topk"),
    )
    shared = dataclasses.replace(owner, owns_index=False)
    kinds = config.per_layer("indexer_types", layers)
    if kinds is not None:
        config.get("index_topk_freq", "index_topk_pattern", "index_skip_topk_offset")  # what the list was made from
    by_name: dict[Any, Attention] = {"full": owner, "shared": shared}
    return [config.named(kind, by_name, "indexer_types") for kind in kinds or ["full"] * layers]


def _compressed(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    def layer(ratio: Any) -> Attention:  # noqa: ANN401  a JSON value
        if ratio not in {0, SPARSE_RATIO, HEAVY_RATIO}:
            raise config.fault("compress_ratios", f"{ratio!r} is not 0, {SPARSE_RATIO} or {HEAVY_RATIO}")
        is_sparse = ratio == SPARSE_RATIO
        return CompressedAttention(
            query_heads=full.query_heads,
            head_dim=full.head_dim,
            query_rank=config.whole("q_lora_rank"),
            output_groups=config.whole("o_groups"),
            output_rank=config.whole("o_lora_rank"),
            window=config.whole("sliding_window"),
            ratio=int(ratio),
            overlapping=is_sparse,
            index_heads=config.whole("index_n_heads") if is_sparse else 0,
            index_head_dim=config.whole("index_head_dim") if is_sparse else 0,
            top_k=config.whole("index_topk") if is_sparse else 0,
        )

    config.get("qk_rope_head_dim")  # the part of a head with positions; its width is within head_dim
    ratios = config.per_layer("compress_ratios", layers)
    if ratios is None:
        raise config.fault("compress_ratios", "is not a list with one item a layer")
    return [layer(ratio) for ratio in ratios]


SPARSE_RATIO, HEAVY_RATIO = 4, 128
"""Tokens per compressed entry: of an overlapping one that an indexer finds, and of one that is always read."""


def _with_linear(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    """Gated delta nets between layers of full attention."""
    value_heads, value_dim = config.whole("linear_num_value_heads"), config.whole("linear_value_head_dim")
    config.get("linear_conv_kernel_dim")  # a convolution over four tokens, with hardly a parameter
    linear = LinearAttention(
        key_heads=config.whole("linear_num_key_heads"),
        value_heads=value_heads,
        key_head_dim=config.whole("linear_key_head_dim"),
        value_head_dim=value_dim,
        gate_widths=value_heads * value_dim + 2 * value_heads,  # an output gate; a decay and a rate for each head
        state_bytes_per_value=_state_bytes(config, "mamba_ssm_dtype"),
    )
    kinds = config.per_layer("layer_types", layers)
    if every := config.whole("full_attention_interval", default=config.type.full_every):
        kinds = kinds or ["linear_attention" if (layer + 1) % every else "full_attention" for layer in range(layers)]
    if kinds is None:
        raise config.fault(
            "linear_num_value_heads", "says that there are linear layers, but layer_types does not say which"
        )
    by_name: dict[Any, Attention] = {"linear_attention": linear, "full_attention": full}
    return [config.named(kind, by_name) for kind in kinds]


def mamba(config: Config) -> LinearAttention:
    """Mamba-2: B and C in groups as wide as the state; the gates are z, as wide as x, and dt of each head."""
    heads, head_dim = config.whole("mamba_num_heads"), config.whole("mamba_head_dim")
    return LinearAttention(
        key_heads=config.whole("n_groups"),
        value_heads=heads,
        key_head_dim=config.whole("ssm_state_size"),
        value_head_dim=head_dim,
        gate_widths=heads * head_dim + heads,
        delta_rule=False,
        state_bytes_per_value=_state_bytes(config, "mamba_ssm_cache_dtype"),
        convolution_tokens=config.whole("conv_kernel") - 1,
    )


def _state_bytes(config: Config, key: str) -> int:
    return 2 if config.get(key) in {"bfloat16", "float16"} else 4


def _with_lightning(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    """Lightning attention (0) between layers of full attention (1)."""
    linear = LinearAttention(
        key_heads=full.query_heads,
        value_heads=full.query_heads,
        key_head_dim=full.head_dim,
        value_head_dim=full.head_dim,
        gate_widths=full.query_heads * full.head_dim,
        delta_rule=False,
    )
    kinds = config.per_layer("attn_type_list", layers) or []
    by_name: dict[Any, Attention] = {0: linear, 1: full}
    return [config.named(kind, by_name, key="attn_type_list") for kind in kinds]


def _with_index(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    """Blocks of tokens behind an indexer, in the layers that are marked."""
    sparse = config.get("sparse_attention_config")
    if not isinstance(sparse, dict):
        raise config.fault("sparse_attention_config", "is not an object")
    blocks = int(sparse["sparse_topk_blocks"]) + int(sparse.get("sparse_local_block", 0))
    indexed = IndexedSparseAttention(
        base=full,
        index_heads=int(sparse["sparse_num_index_heads"]),
        index_head_dim=int(sparse["sparse_index_dim"]),
        top_k=blocks * int(sparse["sparse_block_size"]),
    )
    marks = sparse.get("sparse_attention_freq")
    if not isinstance(marks, list) or len(marks) < layers:
        raise config.fault("sparse_attention_freq", f"does not mark each of {layers} layers")
    return [indexed if mark else full for mark in marks[:layers]]


def _with_windows(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    """Full attention, windows and chunks, by a list of names, a pattern, or for all layers alike."""
    window = config.whole("sliding_window", "sliding_window_size", "window_size", default=0)
    chunk = config.whole("attention_chunk_size", default=0)
    if (hybrid := config.per_layer("hybrid_layer_pattern", layers)) is not None:
        near = heads_of(config, config.whole("hidden_size"), prefix="swa_")
        kinds: dict[Any, Attention] = {0: full, 1: SlidingWindowAttention(base=near, window=window)}
        return [config.named(kind, kinds, key="hybrid_layer_pattern") for kind in hybrid]
    names = config.per_layer("layer_types", layers)
    if names is None and (marks := config.per_layer("attention_layers", layers)) is not None:
        config.get("attention_types")  # the same as a pattern
        renamed = {"global": "full_attention", "local": "sliding_attention"}
        names = [config.named(mark, renamed, "attention_layers") for mark in marks]
    if names is None:
        names = _unnamed_windows(config, layers, window=window, chunk=chunk)
    config.get("use_sliding_window", "max_window_layers", "sliding_window_pattern")  # what the list was made from
    by_name: dict[Any, Attention] = dict.fromkeys(("full_attention", "attention"), _global_heads(config, full))
    if window:
        by_name["sliding_attention"] = SlidingWindowAttention(base=full, window=window)
    if chunk:
        by_name["chunked_attention"] = ChunkedAttention(base=full, window=chunk)
    return [config.named(name, by_name) for name in names]


def _unnamed_windows(config: Config, layers: int, *, window: int, chunk: int) -> list[str]:
    """Names of layers' attention where no list gives them: by the marks and habits of the family."""
    if chunk:
        # Layers without rotary positions see everything: those marked 0, or every so many.
        marks = config.per_layer("no_rope_layers", layers) if config.get("no_rope_layers") else None
        every = config.whole("no_rope_layer_interval", default=4)
        whole = [not mark for mark in marks] if marks else [(layer + 1) % every == 0 for layer in range(layers)]
        return ["full_attention" if sees_all else "chunked_attention" for sees_all in whole]
    uses = config.flag("use_sliding_window")
    if not window or uses is False or (uses is None and config.type.window_if_asked):
        return ["full_attention"] * layers
    every = config.whole("sliding_window_pattern", default=config.type.full_every)
    if every:
        return ["full_attention" if (layer + 1) % every == 0 else "sliding_attention" for layer in range(layers)]
    first = config.whole("max_window_layers", default=0) if config.type.window_if_asked else 0
    return ["full_attention" if layer < first else "sliding_attention" for layer in range(layers)]


def _global_heads(config: Config, near: GroupedQueryAttention) -> GroupedQueryAttention:
    """Heads of the layers with full attention, where they differ from those with a window."""
    return dataclasses.replace(
        near,
        head_dim=config.whole("global_head_dim", default=near.head_dim),
        kv_heads=config.whole("num_global_key_value_heads", default=near.kv_heads),
        shared_key_value=bool(config.get("attention_k_eq_v")),
    )


KINDS_BY_KEY: dict[str, Callable[[Config, int, GroupedQueryAttention], list[Attention]]] = {
    "compress_ratios": _compressed,
    "kv_lora_rank": _latent,
    "linear_num_value_heads": _with_linear,
    "attn_type_list": _with_lightning,
    "sparse_attention_config": _with_index,
}
"""Keys that only one kind of attention has, with its reader."""
