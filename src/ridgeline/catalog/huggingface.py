"""A published ``config.json`` read as a model.

A configuration names one thing in many ways and says much that changes no shape. Every key is either used, or known to
change no shape, or the import is refused by its name: a shape misread in silence would be worse than none.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

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
    | .*rope.* | rotary_.* | partial_rotary_factor | no_rope.* | use_mrope | attn_(scale|temperature).* | floor_scale
    | query_pre_attn_scalar | .*(qk|gemma|layer|v)_norm.* | rms_norm.* | layernorm.*
    | attention_(bias|value_scale|out_bias)
    | (mlp|qkv|o)_bias | use_(routing|moe_router)_bias | add_(swa|full)_attention_sink_bias | .*layernorm.*_(alpha|beta)
    | .*(aux_loss|router_(aux|jitter|z)).* | seq_aux | output_(router_logits|attentions|hidden_states|scores)
    | (n|topk|num_expert)_group | topk_method | use_grouped_topk | norm_topk_prob | scoring_func
    | (moe_router|routed|router)_(scaling_factor|dtype|activation_func|bias) | moe_(renormalize|router_scaling_factor)
    | max_window_layers | full_attention_interval | attention_(dropout|type) | use_(parallel_residual|sliding_window_.*)
    | (num_)?(nextn|mtp).* | mtp_.* | use_mtp | num_mtp_modules | index_share_for_mtp_iteration | .*mamba_ssm_dtype
    | model_type | text_config | .*vision.* | .*audio.* | .*image.* | .*video.* | .*multimodal.* | .*projector.*
    | id2label | label2id | do_sample | num_(beams|beam_groups|return_sequences) | (early|length|repetition|diversity).*
    | temperature | top_[kp] | typical_p | return_dict.* | is_(decoder|encoder_decoder) | .*cross_attention.*
    | (tie_encoder|tf_legacy|problem|task|suffix|prefix|finetuning|bad_words|begin_suppress|chunk_size|remove_invalid).*
    | (suppress|forced|encoder_no|no_repeat|exponential|pruned|num_labels).* | quantization_config | compression_config
    | hc_(eps|sinkhorn_iters) | index(er)?_(rope_interleave|topk_freq|topk_pattern|skip_topk_offset)
    | ignore_index | use_bidirectional_attention | expert_dtype | swa_rope.* | sliding_window_size | unsloth.*
    """,
    re.VERBOSE,
)
"""Keys that change no shape: tokens, training, positions, routing scores, generation, other towers."""

UNGATED = {"gpt2", "gptj", "gpt_neox", "opt", "bloom", "falcon", "starcoder2", "phi", "nemotron", "gpt_bigcode"}
"""Model types whose feed-forward block has no gate."""

TIED_UNLESS_SAID = {"gemma", "gemma2", "gemma3", "gemma3_text", "gemma4_text", "gpt2"}
"""Model types that share the embedding with the head where the configuration is silent."""


class Config:
    """A configuration that remembers which of its keys were used, and where in its file each stands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._text = path.read_text(encoding="utf-8")
            whole = json.loads(self._text)
        except OSError as error:
            raise CatalogError(f"{path}: cannot be read: {error.strerror}") from None
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise CatalogError(f"{path}: is not JSON: {error}") from None
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
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) or value < 0:
            raise self.fault(self.key(*names) or names[0], f"{value!r} is not a whole number from 0 up")
        return int(value)

    def per_layer(self, name: str, layers: int) -> list[Any] | None:
        """A list with one item a layer (items for layers beyond, such as prediction layers, are dropped)."""
        value = self.get(name)
        if not isinstance(value, list):
            return None
        if len(value) < layers:
            raise self.fault(name, f"has {len(value)} items for {layers} layers; each layer needs one")
        return value[:layers]

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
            f"{config.place(unknown[0])}: Ridgeline does not know what this changes"
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
    tied = config.get("tie_word_embeddings")
    notes = []
    if tied is None:
        tied = config.model_type in TIED_UNLESS_SAID
        notes.append(f"tie_word_embeddings is not given: taken as {str(tied).lower()}")
    if config.has_other_towers:
        notes.append("towers other than the language model")
    predicted = config.whole("num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers", default=0)
    if predicted:
        notes.append(f"{predicted} multi-token prediction layer(s), which speculative decoding uses")
    if config.get("hc_mult"):
        notes.append("hyper-connections, which widen the residual stream between layers")
    if config.get("num_hash_layers"):
        notes.append("routing by hash in the first layers, which have no router")
    name = config.path.parent.name if config.path.name == "config.json" else config.path.stem
    return Model(
        id=name,
        name=str(config.get("_name_or_path") or name),
        hidden=hidden,
        vocab=config.whole("vocab_size"),
        tied_embeddings=bool(tied),
        groups=_grouped(zip(attentions, blocks, strict=True)),
        precision=checkpoint_precision(config.values, config.path),
        max_context_tokens=config.whole("max_position_embeddings", "n_positions", default=0) or None,
        unmodelled=tuple(notes),
    )


def _grouped(layers: Iterable[tuple[Attention, FeedForward]]) -> tuple[LayerGroup, ...]:
    """Layers that are alike together, in the order in which their kinds first appear."""
    counts: dict[tuple[Attention, FeedForward], int] = {}
    for layer in layers:
        counts[layer] = counts.get(layer, 0) + 1
    return tuple(
        LayerGroup(layers=count, attention=attention, feed_forward=block)
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
    head_dim = whole("head_dim", default=hidden // heads)
    value_dim = whole("v_head_dim", default=head_dim)
    return GroupedQueryAttention(
        query_heads=heads,
        kv_heads=whole("num_key_value_heads", "num_kv_heads", default=heads),
        head_dim=head_dim,
        value_head_dim=0 if value_dim == head_dim else value_dim,
        output_gate=bool(config.get("attn_output_gate", "attention_output_gate")),
    )


def _latent(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    config.get("qk_head_dim")  # said again by the numbers below
    base = LatentAttention(
        query_heads=full.query_heads,
        query_rank=config.whole("q_lora_rank", default=0),
        kv_rank=config.whole("kv_lora_rank"),
        content_head_dim=config.whole("qk_nope_head_dim"),
        position_head_dim=config.whole("qk_rope_head_dim"),
        value_head_dim=config.whole("v_head_dim"),
    )
    if not config.key("index_topk"):
        return [base] * layers
    owner = IndexedSparseAttention(
        base=base,
        index_heads=config.whole("index_n_heads"),
        index_head_dim=config.whole("index_head_dim"),
        top_k=config.whole("index_topk"),
    )
    kinds = config.per_layer("indexer_types", layers) or ["full"] * layers
    return [owner if kind == "full" else dataclasses.replace(owner, owns_index=False) for kind in kinds]


def _compressed(config: Config, layers: int, full: GroupedQueryAttention) -> list[Attention]:
    def layer(ratio: Any) -> Attention:  # noqa: ANN401  a JSON value
        # Entries of few tokens overlap and have an indexer; entries of many are all read.
        is_sparse = 0 < int(ratio) < config.whole("sliding_window")
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

    ratios = config.per_layer("compress_ratios", layers)
    if ratios is None:
        raise config.fault("compress_ratios", "is not a list with one item a layer")
    return [layer(ratio) for ratio in ratios]


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
    )
    kinds = config.per_layer("layer_types", layers)
    if kinds is None:
        raise config.fault(
            "linear_num_value_heads", "says that there are linear layers, but layer_types does not say which"
        )
    return [_by_name(config, kind, {"linear_attention": linear, "full_attention": full}) for kind in kinds]


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
    return [_by_name(config, kind, {0: linear, 1: full}, key="attn_type_list") for kind in kinds]


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
    window = config.whole("sliding_window", default=0)
    chunk = config.whole("attention_chunk_size", default=0)
    if (hybrid := config.per_layer("hybrid_layer_pattern", layers)) is not None:
        near = _heads(config, config.whole("hidden_size"), prefix="swa_")
        kinds: dict[Any, Attention] = {0: full, 1: SlidingWindowAttention(base=near, window=window)}
        return [_by_name(config, kind, kinds, key="hybrid_layer_pattern") for kind in hybrid]
    names = config.per_layer("layer_types", layers)
    every = config.whole("sliding_window_pattern", default=0)
    if names is None and config.model_type == "llama4_text" and chunk:
        # Every fourth layer sees the whole context.
        names = ["full_attention" if (layer + 1) % 4 == 0 else "chunked_attention" for layer in range(layers)]
    if names is None and window and (every or config.model_type == "gemma2"):
        every = every or 2
        names = ["full_attention" if (layer + 1) % every == 0 else "sliding_attention" for layer in range(layers)]
    if names is None:
        uses_window = window and config.get("use_sliding_window") is not False
        return [SlidingWindowAttention(base=full, window=window) if uses_window else full] * layers
    config.get("use_sliding_window")
    by_name: dict[Any, Attention] = {"full_attention": _global_heads(config, full)}
    if window:
        by_name["sliding_attention"] = SlidingWindowAttention(base=full, window=window)
    if chunk:
        by_name["chunked_attention"] = ChunkedAttention(base=full, window=chunk)
    return [_by_name(config, name, by_name) for name in names]


def _global_heads(config: Config, near: GroupedQueryAttention) -> GroupedQueryAttention:
    """Heads of the layers that see everything, where they differ from those with a window."""
    return dataclasses.replace(
        near,
        head_dim=config.whole("global_head_dim", default=near.head_dim),
        kv_heads=config.whole("num_global_key_value_heads", default=near.kv_heads),
        shared_key_value=bool(config.get("attention_k_eq_v")),
    )


def _by_name(config: Config, name: Any, kinds: dict[Any, Attention], key: str = "layer_types") -> Attention:  # noqa: ANN401  a JSON value
    if not isinstance(name, (str, int)) or name not in kinds:
        raise config.fault(key, f"{name!r} is not an attention known here; {', '.join(map(str, kinds))} are")
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
    )
    config.get("experts_per_token")
    is_routed = _routed_layers(config, layers)
    if all(is_routed):
        config.get(*width_names)  # the width of a dense block that no layer has
        return [routed] * layers
    dense_width = config.whole("dense_intermediate_size", "intermediate_size_mlp", "intermediate_size")
    dense = DenseFeedForward(ffn_hidden=dense_width, gated=gated)
    return [routed if marked else dense for marked in is_routed]


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
    if (marks := config.per_layer("moe_layer_freq", layers)) is not None:
        return [bool(mark) for mark in marks]
    every = config.whole("moe_layer_freq", "decoder_sparse_step", "interleave_moe_layer_step", default=1) or 1
    if (names := config.per_layer("mlp_layer_types", layers)) is not None:
        return [name == "sparse" for name in names]
    dense_layers = config.get("mlp_only_layers") or []
    config.get("enable_moe_block")
    return [layer >= first_dense and (layer + 1) % every == 0 and layer not in dense_layers for layer in range(layers)]
