"""A published ``config.json`` read as a model.

A configuration names one thing in many ways and says much that changes no shape. Every key is either used, or known to
change no shape, or the import is refused by its name: a shape misread in silence would be worse than none.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from ridgeline.catalog.checkpoint import checkpoint_precision
from ridgeline.catalog.facts import CatalogError
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
from ridgeline.specs.feed_forward import DenseFeedForward, FeedForward, RoutedExperts
from ridgeline.specs.model import LayerGroup, Model

__all__ = ["fetch_config", "import_config"]

CHANGES_NO_SHAPE = re.compile(
    r"""
    _.*                                       # comments of whoever wrote the file
    | .*_token_(id|index)s? | tokenizer_.* | .*max_(position|length).* | min_length | (original|initial)_.*context.*
    | architectures | auto_map | transformers_version | (torch_)?dtype | use_bfloat16 | use_cache | cache_.*
    | .*dropout.* | .*(eps|epsilon) | initializer_.* | init_.* | pretraining_tp | ep_size | tp_size | torchscript
    | (hidden_act|hidden_activation|activation_function|.*_act) | swiglu_(limit|alpha) | .*softcap.* | .*_scale$
    | (rope|mrope|yarn|swa_rope|compress_rope)_.* | rotary_.* | partial_rotary_factor | use_mrope
    | attn_(scale|temperature).* | floor_scale
    | query_pre_attn_scalar | .*(qk|gemma|layer|v)_norm.* | rms_norm.* | layernorm.*
    | attention_(bias|value_scale|out_bias)
    | (mlp|qkv|o)_bias | use_(routing|moe_router)_bias | add_(swa|full)_attention_sink_bias | .*layernorm.*_(alpha|beta)
    | .*(aux_loss|router_(aux|jitter|z)).* | seq_aux | output_(router_logits|attentions|hidden_states|scores)
    | topk_method | use_grouped_topk | norm_topk_prob | scoring_func
    | (moe_router|routed|router)_(scaling_factor|dtype|activation_func|bias) | moe_(renormalize|router_scaling_factor)
    | full_attention_interval | attention_dropout
    | (num_)?(nextn|mtp).* | mtp_.* | use_mtp | num_mtp_modules | index_share_for_mtp_iteration
    | model_type | text_config | .*vision.* | .*audio.* | .*image.* | .*video.* | .*multimodal.* | .*projector.*
    | id2label | label2id | do_sample | num_(beams|beam_groups|return_sequences)
    | (early|length|repetition|diversity)_.*
    | temperature | top_[kp] | typical_p | return_dict.* | is_(decoder|encoder_decoder)
    | (tie_encoder|tf_legacy|problem|task|suffix|prefix|finetuning|bad_words|begin_suppress|chunk_size|remove_invalid).*
    | (suppress|forced|encoder_no|no_repeat|exponential|pruned|num_labels).* | quantization_config | compression_config
    | hc_(eps|sinkhorn_iters) | indexer_rope_interleave | rope_interleave
    | ignore_index | use_bidirectional_attention | expert_dtype | unsloth.*
    """,
    re.VERBOSE,
)
"""Keys that change no shape: tokens, training, positions, routing scores, generation, other towers."""

UNGATED = {"gpt2", "gptj", "gpt_neox", "opt", "bloom", "falcon", "starcoder2", "phi", "nemotron", "gpt_bigcode"}
"""Model types whose feed-forward block has no gate."""

TIED_UNLESS_SAID = {
    *("gemma", "gemma2", "gemma3", "gemma3_text", "gemma4_text", "gpt2", "gpt_bigcode", "falcon", "starcoder2"),
    *("bloom", "opt", "cohere", "cohere2"),
}
"""Model types that share the embedding with the head where the configuration is silent."""

PARALLEL_UNLESS_SAID = {"gptj", "gpt_neox", "falcon", "cohere", "cohere2", "palm", "phi"}
"""Model types whose attention and feed-forward blocks read the same stream, where the configuration is silent."""

HEAD_DIM_UNLESS_SAID = {
    "gpt_oss": 64,
    "qwen3": 128,
    "qwen3_moe": 128,
    **dict.fromkeys(("gemma", "gemma2", "gemma3_text", "gemma4_text"), 256),
}
"""Widths of a head where the configuration is silent; elsewhere the hidden width over the heads."""

FULL_EVERY_UNLESS_SAID = {"gemma2": 2, "gpt_oss": 2, "cohere2": 4, "gemma3": 6, "gemma3_text": 6, "gemma4_text": 6}
"""Of layers with windows, every so many sees everything, where the configuration is silent."""

WITHOUT_WINDOW_UNLESS_SAID = {"qwen2", "qwen2_moe", "qwen3", "qwen3_moe"}
"""Model types that state a window and use it only where ``use_sliding_window`` says so."""

GATED_BY = {"silu", "swish", "swiglu", "gelu_pytorch_tanh", "situ", "swigluoai", None}
"""Activations that come with a gate in families that are not known to have none."""

KNOWN_TYPES = {
    *(*UNGATED, *TIED_UNLESS_SAID, *HEAD_DIM_UNLESS_SAID, *WITHOUT_WINDOW_UNLESS_SAID, "llama", "mistral", "mixtral"),
    *(
        "deepseek_v2",
        "deepseek_v3",
        "deepseek_v32",
        "deepseek_v4",
        "deepseek_ref",
        "kimi_k2",
        "glm4_moe",
        "glm_moe_dsa",
    ),
    *("llama4_text", "minimax_m1", "minimax_m2", "minimax_m3", "mimo", "mimo_v2_flash", "step3p7", "palm"),
    *("qwen3_5_text", "qwen3_5_moe_text", "qwen3_vl_text", "qwen3_vl_moe_text"),
}
"""Families whose configurations are read as their makers mean them; of others, what is silent is taken as usual."""


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of which no key stands twice: the last one would win in silence."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} stands twice in one object; keep one")
        found[key] = value
    return found


Kind = TypeVar("Kind")


class Config:
    """A configuration that remembers which of its keys were used, and where in its file each stands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._text = path.read_text(encoding="utf-8-sig")
            whole = json.loads(self._text, object_pairs_hook=_without_repeats)
        except OSError as error:
            raise CatalogError(f"{path}: cannot be read: {error.strerror}") from None
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise CatalogError(f"{path}: is not JSON: {error}") from None
        except ValueError as error:
            raise CatalogError(f"{path}: {error}") from None
        if not isinstance(whole, dict):
            raise CatalogError(f"{path}: is no configuration: its top is not an object")
        language = whole.get("text_config")
        self.has_other_towers = isinstance(language, dict)
        self.values: dict[str, Any] = {**whole, **language} if isinstance(language, dict) else whole
        self._used: set[str] = set()

    @property
    def model_type(self) -> str:
        """The family by its own name; of the language model where there are several towers."""
        return str(self.get("model_type") or "")

    def place(self, key: str) -> str:
        """File and line of a key."""
        for number, line in enumerate(self._text.splitlines(), start=1):
            if f'"{key}"' in line:
                return f"{self.path}:{number}: {key}"
        return f"{self.path}: {key}"

    def fault(self, key: str, what: str) -> CatalogError:
        """An error about a key."""
        return CatalogError(f"{self.place(key)}: {what}")

    def key(self, *names: str) -> str | None:
        """The first of ``names`` that has a value."""
        return next((name for name in names if self.values.get(name) is not None), None)

    def get(self, *names: str) -> Any:  # noqa: ANN401  any JSON value
        """The value under the first of ``names`` that has one; None where none has. All of them count as used."""
        self._used.update(names)
        found = self.key(*names)
        return None if found is None else self.values[found]

    def whole(self, *names: str, default: int | None = None) -> int:
        """A whole number under one of ``names``.

        Raises:
            CatalogError: there is none and no default, or it is not a whole number.
        """
        value = self.get(*names)
        if value is None:
            if default is None:
                raise CatalogError(f"{self.path}: has none of {', '.join(names)}; a model needs one")
            return default
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or value != int(value) or value < 0:
            raise self.fault(self.key(*names) or names[0], f"{value!r} is not a whole number from 0 up")
        return int(value)

    def per_layer(self, name: str, layers: int) -> list[Any] | None:
        """A list with one item a layer; None where there is none. Items beyond, for prediction layers, are dropped."""
        value = self.get(name)
        if value is None:
            return None
        if not isinstance(value, list):
            raise self.fault(name, f"{value!r} is not a list with one item a layer")
        if len(value) < layers:
            raise self.fault(name, f"has {len(value)} items for {layers} layers; each layer needs one")
        return value[:layers]

    def flag(self, name: str) -> bool | None:
        """A value that is true or false; None where there is none."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.fault(name, f"{value!r} is neither true nor false")
        return value

    def meant(self, key: str) -> str:
        """A hint at the known key that an unknown one may be a slip of."""
        near = difflib.get_close_matches(key, self._used, n=1, cutoff=0.85)
        return f" (did you mean {near[0]}?)" if near else ""

    def unknown(self) -> list[str]:
        """Keys with a value that were neither used nor are known to change no shape."""
        return sorted(
            key
            for key, value in self.values.items()
            if key not in self._used
            and value not in (None, False, 0, "", [], {})
            and not CHANGES_NO_SHAPE.fullmatch(key)
        )


def fetch_config(repository: str) -> Path:
    """The configuration of ``org/name`` on the Hugging Face hub, from its cache or fetched.

    Raises:
        CatalogError: the extra is not installed, or the hub has no such configuration or is out of reach.
    """
    try:
        from huggingface_hub import hf_hub_download  # noqa: PLC0415  an extra, and slow to load
    except ImportError:
        raise CatalogError(f"hf:{repository} needs the extra 'hf': pip install 'ridgeline[hf]'") from None
    try:
        return Path(hf_hub_download(repository, "config.json"))
    except Exception as error:  # noqa: BLE001  the hub's errors share no base
        reason = str(error).strip().splitlines()
        raise CatalogError(
            f"hf:{repository}: the hub gave no config.json ({reason[0] if reason else type(error).__name__});"
            " give a path to the file instead"
        ) from None


def import_config(path: Path) -> Model:
    """A model from a ``config.json``.

    Raises:
        CatalogError: a field is missing, contradictory, absurd or not known; names it, with file and line.
    """
    config = Config(path)
    try:
        model = _model(config)
    except (ValueError, TypeError, OverflowError, AttributeError, KeyError) as error:
        if isinstance(error, CatalogError):
            raise
        raise CatalogError(f"{path}: {error}") from None
    if unknown := config.unknown():
        raise CatalogError(
            f"{config.place(unknown[0])}: Ridgeline does not know what this changes{config.meant(unknown[0])}"
            + (f", nor {', '.join(unknown[1:])}" if unknown[1:] else "")
            + "; describe the model in TOML if you do (see src/ridgeline/catalog/models)"
        )
    return model


def _model(config: Config) -> Model:
    layers = config.whole("num_hidden_layers", "n_layer", "num_layers")
    if not 1 <= layers <= 10_000:  # noqa: PLR2004  no model has more
        raise config.fault("num_hidden_layers", f"{layers} layers are outside [1, 10000]")
    hidden = config.whole("hidden_size", "n_embd", "d_model")
    attentions = _attentions(config, layers, hidden)
    blocks = _blocks(config, layers, hidden)
    tied = config.flag("tie_word_embeddings")
    notes = []
    if tied is None:
        tied = config.model_type in TIED_UNLESS_SAID
        notes.append(f"tie_word_embeddings is not given: taken as {str(tied).lower()}")
    if config.model_type not in KNOWN_TYPES:
        notes.append(f"what is peculiar to model type {config.model_type!r}: read as a decoder of the usual form")
    if config.has_other_towers:
        notes.append("towers other than the language model")
    predicted = config.whole("num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers", default=0)
    if predicted:
        notes.append(f"{predicted} multi-token prediction layer(s), which speculative decoding uses")
    if config.get("hc_mult"):
        notes.append("hyper-connections, which widen the residual stream between layers")
    if config.get("num_hash_layers"):
        notes.append("routing by hash in the first layers, which have no router")
    precision, said = checkpoint_precision(config.values, config.path, layers)
    notes.extend(said)
    name = config.path.parent.name if config.path.name == "config.json" else config.path.stem
    return Model(
        id=name,
        name=str(config.get("_name_or_path") or name),
        hidden=hidden,
        vocab=config.whole("vocab_size"),
        tied_embeddings=bool(tied),
        groups=_grouped(zip(attentions, blocks, strict=True), is_parallel=_is_parallel(config)),
        precision=precision,
        max_context_tokens=config.whole("max_position_embeddings", "n_positions", default=0) or None,
        unmodelled=tuple(notes),
    )


def _grouped(layers: Iterable[tuple[Attention, FeedForward]], *, is_parallel: bool) -> tuple[LayerGroup, ...]:
    """Layers that are alike together, in the order in which their kinds first appear."""
    counts: dict[tuple[Attention, FeedForward], int] = {}
    for layer in layers:
        counts[layer] = counts.get(layer, 0) + 1
    return tuple(
        LayerGroup(layers=count, attention=attention, feed_forward=block, is_parallel=is_parallel)
        for (attention, block), count in counts.items()
    )


# --- attention -------------------------------------------------------------------------------------------------------


def _attentions(config: Config, layers: int, hidden: int) -> list[Attention]:
    """The attention of each layer: of the kind whose key the configuration has."""
    full = _heads(config, hidden)
    for key, read in KINDS_BY_KEY.items():
        if config.key(key):
            return read(config, layers, full)
    return _with_windows(config, layers, full)


def _heads(config: Config, hidden: int, prefix: str = "") -> GroupedQueryAttention:
    """The heads of full attention, or of another set of keys with a prefix."""

    def whole(*names: str, default: int | None = None) -> int:
        return config.whole(*(prefix + name for name in names), default=default)

    heads = whole("num_attention_heads", "n_head")
    if heads == 0:
        raise config.fault("num_attention_heads", "a model needs at least one head")
    head_dim = whole("head_dim", default=HEAD_DIM_UNLESS_SAID.get(config.model_type, hidden // heads))
    value_dim = whole("v_head_dim", default=head_dim)
    return GroupedQueryAttention(
        query_heads=heads,
        kv_heads=whole("num_key_value_heads", "num_kv_heads", default=heads),
        head_dim=head_dim,
        value_head_dim=0 if value_dim == head_dim else value_dim,
        output_gate=bool(config.get("attn_output_gate", "attention_output_gate")),
    )


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
    return [_by_name(config, kind, by_name, "indexer_types") for kind in kinds or ["full"] * layers]


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
"""Tokens of an entry that overlaps with the one before and is found by an indexer, and of one that is always read."""


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
        state_bytes_per_value=2 if config.get("mamba_ssm_dtype") in {"bfloat16", "float16"} else 4,
    )
    kinds = config.per_layer("layer_types", layers)
    if kinds is None:
        raise config.fault(
            "linear_num_value_heads", "says that there are linear layers, but layer_types does not say which"
        )
    by_name: dict[Any, Attention] = {"linear_attention": linear, "full_attention": full}
    return [_by_name(config, kind, by_name) for kind in kinds]


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
    return [_by_name(config, kind, by_name, key="attn_type_list") for kind in kinds]


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
    window = config.whole("sliding_window", "sliding_window_size", default=0)
    chunk = config.whole("attention_chunk_size", default=0)
    if (hybrid := config.per_layer("hybrid_layer_pattern", layers)) is not None:
        near = _heads(config, config.whole("hidden_size"), prefix="swa_")
        kinds: dict[Any, Attention] = {0: full, 1: SlidingWindowAttention(base=near, window=window)}
        return [_by_name(config, kind, kinds, key="hybrid_layer_pattern") for kind in hybrid]
    names = config.per_layer("layer_types", layers)
    if names is None:
        names = _unnamed_windows(config, layers, window=window, chunk=chunk)
    config.get("use_sliding_window", "max_window_layers", "sliding_window_pattern")  # what the list was made from
    by_name: dict[Any, Attention] = {"full_attention": _global_heads(config, full)}
    if window:
        by_name["sliding_attention"] = SlidingWindowAttention(base=full, window=window)
    if chunk:
        by_name["chunked_attention"] = ChunkedAttention(base=full, window=chunk)
    return [_by_name(config, name, by_name) for name in names]


def _unnamed_windows(config: Config, layers: int, *, window: int, chunk: int) -> list[str]:
    """Names of layers' attention where no list gives them: by the marks and habits of the family."""
    family = config.model_type
    if chunk:
        # Layers without rotary positions see everything: those marked 0, or every so many.
        marks = config.per_layer("no_rope_layers", layers) if config.get("no_rope_layers") else None
        every = config.whole("no_rope_layer_interval", default=4)
        whole = [not mark for mark in marks] if marks else [(layer + 1) % every == 0 for layer in range(layers)]
        return ["full_attention" if sees_all else "chunked_attention" for sees_all in whole]
    uses = config.flag("use_sliding_window")
    if not window or uses is False or (uses is None and family in WITHOUT_WINDOW_UNLESS_SAID):
        return ["full_attention"] * layers
    every = config.whole("sliding_window_pattern", default=FULL_EVERY_UNLESS_SAID.get(family, 0))
    if every:
        return ["full_attention" if (layer + 1) % every == 0 else "sliding_attention" for layer in range(layers)]
    first = config.whole("max_window_layers", default=0) if family in WITHOUT_WINDOW_UNLESS_SAID else 0
    return ["full_attention" if layer < first else "sliding_attention" for layer in range(layers)]


def _global_heads(config: Config, near: GroupedQueryAttention) -> GroupedQueryAttention:
    """Heads of the layers that see everything, where they differ from those with a window."""
    return dataclasses.replace(
        near,
        head_dim=config.whole("global_head_dim", default=near.head_dim),
        kv_heads=config.whole("num_global_key_value_heads", default=near.kv_heads),
        shared_key_value=bool(config.get("attention_k_eq_v")),
    )


def _by_name(config: Config, name: Any, kinds: dict[Any, Kind], key: str = "layer_types") -> Kind:  # noqa: ANN401  a JSON value
    if not isinstance(name, (str, int)) or name not in kinds:
        raise config.fault(key, f"{name!r} is not known here; {', '.join(map(str, kinds))} are")
    return kinds[name]


KINDS_BY_KEY: dict[str, Callable[[Config, int, GroupedQueryAttention], list[Attention]]] = {
    "compress_ratios": _compressed,
    "kv_lora_rank": _latent,
    "linear_num_value_heads": _with_linear,
    "attn_type_list": _with_lightning,
    "sparse_attention_config": _with_index,
}
"""Keys that only one kind of attention has, and how it is read."""


# --- feed-forward ----------------------------------------------------------------------------------------------------


def _blocks(config: Config, layers: int, hidden: int) -> list[FeedForward]:
    """The feed-forward block of each layer."""
    gated = config.model_type not in UNGATED
    activation = config.get("hidden_act", "hidden_activation", "activation_function")
    if gated and activation not in GATED_BY:
        raise config.fault(
            config.key("hidden_act", "hidden_activation", "activation_function") or "hidden_act",
            f"{activation!r} in model type {config.model_type!r}: not known whether its blocks are gated",
        )
    width_names = ("intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim")
    experts = config.whole("num_local_experts", "n_routed_experts", "num_experts", default=0)
    if experts <= 1:
        default = None if gated else 4 * hidden
        return [DenseFeedForward(ffn_hidden=config.whole(*width_names, default=default), gated=gated)] * layers
    expert_hidden = config.whole("moe_intermediate_size", "intermediate_size")
    routed = RoutedExperts(
        experts=experts,
        active_experts=config.whole(
            "num_experts_per_tok", "experts_per_token", "num_experts_per_token", "top_k_experts"
        ),
        expert_hidden=expert_hidden,
        shared_hidden=_shared_width(config, expert_hidden),
        gated=gated,
        **_routing_groups(config),
    )
    config.get("experts_per_token")
    is_routed = _routed_layers(config, layers)
    if all(is_routed):
        config.get(*width_names)  # the width of a dense block that no layer has
        return [routed] * layers
    dense_width = config.whole("dense_intermediate_size", "intermediate_size_mlp", "intermediate_size")
    dense = DenseFeedForward(ffn_hidden=dense_width, gated=gated)
    return [routed if marked else dense for marked in is_routed]


def _is_parallel(config: Config) -> bool:
    """Whether attention and feed-forward block read the same stream."""
    said = [config.flag(name) for name in ("use_parallel_residual", "parallel_attn")]
    return next((one for one in said if one is not None), config.model_type in PARALLEL_UNLESS_SAID)


def _routing_groups(config: Config) -> dict[str, int]:
    """Groups of experts that a token's choice is limited to; a greedy choice is among all of them."""
    groups = config.whole("n_group", "num_expert_group", default=1) or 1
    routed = config.whole("topk_group", default=groups) or groups
    if config.get("topk_method") == "greedy":
        return {}
    if routed > groups:
        raise config.fault("topk_group", f"a token cannot choose from {routed} of {groups} groups of experts (n_group)")
    return {"routing_groups": groups, "routed_groups": routed}


def _shared_width(config: Config, expert_hidden: int) -> int:
    """Width of what every token visits besides its experts."""
    width = config.whole("shared_expert_intermediate_size", "share_expert_dim", "shared_intermediate_size", default=0)
    count = config.whole("n_shared_experts", "num_shared_experts", default=0)
    if config.model_type == "llama4_text":
        config.get("intermediate_size_mlp")
        return expert_hidden  # one, which the configuration does not mention
    if config.model_type == "gemma4_text":
        config.get("vocab_size_per_layer_input")  # of embeddings a layer, which hidden_size_per_layer_input sizes
        return config.whole("intermediate_size")  # a dense block beside the experts
    return width or count * expert_hidden


def _routed_layers(config: Config, layers: int) -> list[bool]:
    """Which layers have experts: all, but for those that one of the usual keys leaves out."""
    first_dense = config.whole("first_k_dense_replace", default=0)
    if first_dense >= layers:
        raise config.fault("first_k_dense_replace", f"{first_dense} leaves none of {layers} layers to the experts")
    config.get("enable_moe_block")
    steps = ("moe_layer_freq", "decoder_sparse_step", "interleave_moe_layer_step")
    config.get(*steps)  # made into a list of names where there is one
    if isinstance(config.values.get("moe_layer_freq"), list):
        return [bool(mark) for mark in config.per_layer("moe_layer_freq", layers) or ()]
    if (names := config.per_layer("mlp_layer_types", layers)) is not None:
        return [_by_name(config, name, {"dense": False, "sparse": True}, "mlp_layer_types") for name in names]
    every = config.whole(*steps, default=1)
    if every == 0:
        raise config.fault(config.key(*steps) or steps[0], "0 is no step; every layer is 1")
    dense_layers = config.get("mlp_only_layers") or []
    if not isinstance(dense_layers, list) or not all(layer in range(layers) for layer in dense_layers):
        raise config.fault("mlp_only_layers", f"{dense_layers!r} is not a list of layers from 0 to {layers - 1}")
    return [layer >= first_dense and (layer + 1) % every == 0 and layer not in dense_layers for layer in range(layers)]
